"""Markers of a walking person become a model, in the plane of walking or in space.

The recording is read, its axes found, joint centres added and markers that jump noted; plane.py and space.py build the
segments, their joints and drivers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.read import read_motion_data
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.axes import LOWER, Axes, Laboratory, Named, axes_notes, find_axes, in_model_axes, read_axes
from mubo.formats.walk.centres import Centres, with_markers
from mubo.formats.walk.names import OF_LEG, SIDES, given_hips, read_laboratory_events, read_names
from mubo.formats.walk.places import Markers
from mubo.formats.walk.plane import WalkBuilder, add_segments
from mubo.formats.walk.posture import TILTED, foot_slope, require_extent, require_posture, require_size
from mubo.formats.walk.reference_model import add_reference, read_reference
from mubo.formats.walk.rigidity import StandingBody, cluster_notes
from mubo.formats.walk.skeleton import KINEMATICS, Skeleton
from mubo.formats.walk.space import SpaceWalk, add_chain, chain_places, follow
from mubo.formats.walk.stillness import read_standing, still_notes
from mubo.formats.walk.swaps import Span, jump_notes
from mubo.laws.file_form import require_keys
from mubo.model import Builder
from mubo.model.parts import Analysis, Origin
from mubo.model.tables import MARKERS
from mubo.quantities.unit_algebra import FACTORS


def add_markers(model: Builder, given: Mapping[str, Any], folder: Path) -> Laboratory:
    """Adds segments, joints, drivers and joint angles by the markers of a file; answers the laboratory."""
    require_keys(given, "[markers]", MARKERS.keys)
    for problem in MARKERS.missing(given):
        raise ModelError(problem)
    if model.subject is None:
        raise ModelError("markers need [subject], the mass of which the segments have their parts")
    named: Named = {} if "skeleton" in given else read_names(given)
    source = _source(model, given, folder, named)
    measured = source.data
    try:
        return _add_walk(model, given, folder, source, named)
    except ModelError as error:
        if (frozen := _frozen(source, measured)) and frozen[0] not in str(error):
            cause = f"Look first at a marker that was lost: {frozen[0]}. Leave its cells blank there."
            raise ModelError(str(error), suggestion=cause) from error
        raise


def _add_walk(model: Builder, given: Mapping[str, Any], folder: Path, source: Source, named: Named) -> Laboratory:
    """Adds a walk by its recording; answers the laboratory."""
    reference = read_reference(model, source, given, folder) if "skeleton" in given else None
    named = reference.named if reference else named
    axes = find_axes(source.data, given, named)
    if reference is None:
        require_extent(source.data, named)
    notes = axes_notes(source.data, given, named, axes)
    if model.dimension == 3 or given.get("kinematics") == KINEMATICS[0]:
        skeleton = reference or _skeleton(model, source, given, folder, named, axes)
        if reference is not None:
            source.data = in_model_axes(source.data, axes)
        rigid = {link.name: link.markers for link in skeleton.rigid}
        known = skeleton.centres.standing_body() if isinstance(skeleton, Skeleton) else StandingBody()
        spans = [*_spans(named), *_spans_of_clusters(rigid), *([] if reference else _upper_spans(named))]
        notes += _checks(Markers(source, Axes()), spans, known, given)
        found = follow(source, skeleton, given)
        notes += [*skeleton.notes, *found.notes(model.units.in_own("1 m", "length"))]
        static, markers = skeleton.static, Markers(source, Axes())
        walk = WalkBuilder(model, markers, _chain_names(found, source), named)
    else:
        found = None
        resolved, static, known, more = _resolve(source, given, folder, named, axes, model)
        markers = Markers(source, axes)
        spans = [*_spans(resolved), *_spans_of_clusters(known.clusters), *_upper_spans(named)]
        notes += [*more, *_checks(markers, spans, known, given)]
        walk = WalkBuilder(model, markers, resolved, named)
    notes += _tilted_feet(static, named, markers)
    _require_legs(walk, axes)
    if reference is not None:
        notes += add_reference(model, reference, found, markers)
    elif found and model.dimension == 3:
        add_chain(model, found, markers)
    else:
        add_segments(walk, static)
    if model.analysis is None:
        model.analysis = _whole(model, markers.time)
    model.origin = Origin("toml", read_laboratory_events(source, given, model.units), tuple(notes))
    bodies = reference.foot_bodies if reference else {side: f"foot_{SIDES[side]}" for side in SIDES if side in named}
    return Laboratory(axes, markers.time, {body: _foot(walk, side) for side, body in bodies.items()}, bodies)


def _require_legs(walk: WalkBuilder, axes: Axes) -> None:
    """Refuses legs that no person has: too long or short, upside down, mirrored."""
    for side in (side for side in SIDES if side in walk.named):
        leg = [walk.place(side, joint) for joint in OF_LEG]
        require_size(walk.markers.path, side, leg, walk.model.units.in_own("1 m", "length"))
        require_posture(walk.markers.path, axes, side, leg)


def _spans_of_clusters(clusters: Mapping[str, Iterable[str]]) -> Iterator[Span]:
    """Pairs of markers of one cluster."""
    for segment, names in clusters.items():
        yield from (Span(f"the cluster of {segment}", pair) for pair in combinations(names, 2))


def _foot(walk: WalkBuilder, side: str) -> Array:
    """Heel and toe of a side over the frames: frames × 2 × axes of the model."""
    names = [walk.named[side][end] for end in ("heel", "toe")]
    letters = (*walk.markers.axes.letters, walk.markers.axes.across[0]) if walk.model.dimension == 3 else "xy"
    if letters == "xy":
        places = [[part.value for part in walk.markers.place(name)] for name in names]
    else:
        source = walk.markers.source
        places = [
            [np.mean([source.column(f"{one}.{axis}", "length").value for one in name], axis=0) for axis in letters]
            for name in names
        ]
    return np.asarray(places).transpose(2, 0, 1)


def _tilted_feet(static: MotionData | None, named: Named, markers: Markers) -> list[str]:
    """Notes on feet that do not stand on the floor in the trial standing still."""
    out: list[str] = []
    if static is None:
        return out
    for side in (side for side in SIDES if side in named):
        tilt = foot_slope(static, named[side], markers.axes)
        if tilt is not None and abs(tilt) > TILTED:
            out.append(
                f"static trial: the {side} foot is tilted by {math.degrees(tilt):.0f}°: it does not stand; it is level "
                "where the line from heel to toe is"
            )
    return out


def _checks(markers: Markers, spans: Iterable[Span], known: StandingBody, given: Mapping[str, Any]) -> list[str]:
    """Notes on markers of the recording that jump, are frozen, or sit elsewhere than in the trial standing still."""
    check = str(given.get("marker_check", "refuse"))
    recorded = [span for span in spans if all(name in markers.source.recorded for name in span.markers)]
    places = markers.whole([name for span in recorded for name in span.markers])
    metre = 1 / FACTORS["length"][markers.source.data.length_unit or "m"]
    frozen = still_notes(markers.path, markers.time, places, metre)
    notes = cluster_notes(markers.path, known, places, metre, check)
    jumps = jump_notes(markers.path, markers.time, places, recorded, metre, check)
    return [*notes, *frozen, *jumps]


def _frozen(source: Source, data: MotionData) -> list[str]:
    """Notes on all markers of a recording that are frozen."""
    names = dict.fromkeys(column[:-2] for column in data.columns if column.endswith(".x"))
    places = {
        name: np.column_stack([data.columns[f"{name}.{axis}"] for axis in "xyz"])
        for name in names
        if all(f"{name}.{axis}" in data.columns and np.isfinite(data.columns[f"{name}.{axis}"]).any() for axis in "xyz")
    }
    return still_notes(data.path, data.time, places, 1 / FACTORS["length"][data.length_unit or "m"])


def _source(model: Builder, given: Mapping[str, Any], folder: Path, named: Named) -> Source:
    """The recording; of a table only the columns that are used, for others may hold words."""
    everyone = [name for part in named.values() for names in part.values() for name in names]
    flat = not {"static", "pelvis", "skeleton"} & given.keys()
    used = [f"{name}.{letter}" for name in everyone for letter in read_axes(given).letters] if flat else None
    source = Source(folder / str(given["file"]), given, model.units, used, "time")
    if "units" in given:
        require_keys(given["units"], "units of [markers]", ("length",))
        source.data = replace(source.data, length_unit=str(given["units"].get("length", source.data.length_unit)))
    for column in used or ():
        source.data.column(column)  # a misspelt marker is refused before all else
    return source


def _centres(source: Source, given: Mapping[str, Any], folder: Path, named: Named, up: str, model: Builder) -> Centres:
    """The joint centres of a recording, with its trial standing still."""
    readers = {"static": read_standing, "functional": read_motion_data}
    trials = {key: read(folder / str(given[key])) for key, read in readers.items() if key in given}
    clusters = given.get("clusters", {})
    if not isinstance(clusters, Mapping) or not all(isinstance(names, list | tuple) for names in clusters.values()):
        raise ModelError('clusters are lists of markers by segment: { thigh_r = ["R.Thigh.Upper", …] }')
    hips = given_hips(given, model.units)
    return Centres(source.data, trials.get("static"), named, clusters, up, hips, trials.get("functional"))


def _resolve(
    source: Source, given: Mapping[str, Any], folder: Path, named: Named, axes: Axes, model: Builder
) -> tuple[Named, MotionData | None, StandingBody, list[str]]:
    """The names by which the recording has every place, after joint centres were added to it; clusters; notes."""
    if "static" not in given and "pelvis" not in given:
        return named, None, StandingBody(), []
    centres = _centres(source, given, folder, named, axes.up, model)
    known = centres.standing_body()  # before markers are added that the walk does not have
    found = centres.resolve()
    source.data = centres.data
    return found, centres.static, known, centres.notes


def _skeleton(
    model: Builder, source: Source, given: Mapping[str, Any], folder: Path, named: Named, axes: Axes
) -> Skeleton:
    """The skeleton of a chain of segments; the recording has the model's axes from now on."""
    centres = _centres(source, given, folder, named, "y", model)
    static, circles = (data and in_model_axes(data, axes) for data in (centres.static, centres.functional))
    centres = replace(centres, data=in_model_axes(centres.data, axes), static=static, functional=circles)
    source.data = centres.data
    scale = model.units.in_own(f"1 {centres.data.length_unit}" if centres.data.length_unit else 1.0, "length")
    ends = [name for part in named.values() for joint in LOWER for name in part.get(joint, ())]
    if absent := [name for name in ends if not centres.in_walk(name)]:
        centres.notes.append(f"{', '.join(absent)}: in no frame of the walk, placed by the static trial")
    return Skeleton(centres, scale)


def _chain_names(found: SpaceWalk, source: Source) -> Named:
    """The names by which the recording has joint centres, heels and toes of the chain, added to it."""
    named = {part: dict(joints) for part, joints in found.skeleton.named.items()}
    scale = found.skeleton.scale
    added = {name: at / scale for name, at in chain_places(found).items()}
    for side in (side for side in SIDES if side in named):
        named[side] = {joint: (f"{side} {joint} (chain)",) for joint in OF_LEG}
    if "trunk" in named:
        named["trunk"]["hip"] = tuple(name for side in SIDES if side in named for name in named[side]["hip"])
    source.data = with_markers(source.data, added)
    return named


def _spans(named: Named) -> Iterator[Span]:
    """Pairs of markers that belong to one segment: of middles, every pair of the two."""
    pairs = {
        "thigh": ("hip", "knee"),
        "shank": ("knee", "ankle"),
        "foot": ("heel", "toe"),
        "hind foot": ("ankle", "heel"),
        "fore foot": ("ankle", "toe"),
    }
    for side in SIDES:
        for name, (first, second) in pairs.items():
            for a in named.get(side, {}).get(first, ()):
                for b in named[side][second]:
                    yield Span(f"the {side} {name}", (a, b))


def _upper_spans(named: Named) -> Iterator[Span]:
    """Pairs of markers of the pelvis and of the shoulders."""
    for part, joints in (("pelvis", ("asis", "psis")), ("trunk", ("shoulder",))):
        names = [name for joint in joints for name in named.get(part, {}).get(joint, ())]
        yield from (Span(f"the {part}", pair) for pair in combinations(names, 2))


def _whole(model: Builder, time: Array) -> Analysis:
    """The times at which all markers are known, at the rate of the samples."""
    spans = [driver.motion.domain for driver in model.drivers.values()]
    start, end = max(first for first, _ in spans), min(last for _, last in spans)
    if not end > start:
        raise ModelError("the markers are never known all at once")
    step = float(np.median(np.diff(time)))
    rows = math.floor((end - start) / step + 1e-6)
    return Analysis("gait", {"start": start, "end": start + rows * step, "step": step})
