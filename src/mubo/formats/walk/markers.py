"""Markers of a walking person become a model: segments, joints, the drivers that lead them, and joint angles.

Every segment has the axes of a person who stands upright: x forwards, y up, origin at the proximal joint; all angles
are zero there. With θ the angle of a segment in the plane of walking, counter-clockwise,

    hip_flexion = θ_thigh − θ_trunk,    knee_angle = θ_thigh − θ_shank,    ankle_angle = θ_foot − θ_shank

are positive in flexion and dorsiflexion, as in OpenSim. The foot is level where the line from heel to toe is. Lengths
are the means of those measured; each leg hangs at its own hip.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.gaps import Filled
from mubo.formats.motion_data.read import read_motion_data
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.axes import Axes, Named, axes_notes, find_axes, read_axes
from mubo.formats.walk.centres import Centres
from mubo.formats.walk.places import Markers, Place, angle_between, difference, distance, seen_from, shifted
from mubo.formats.walk.posture import require_posture
from mubo.formats.walk.swaps import Span, jump_notes
from mubo.laws import Table
from mubo.laws.file_form import require_keys
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder
from mubo.model.parts import Analysis, Body, Origin
from mubo.model.tables import MARKERS
from mubo.quantities.unit_algebra import FACTORS

SIDES = {"right": "r", "left": "l"}
OF_LEG = ("hip", "knee", "ankle", "heel", "toe")
OF_PART = {"trunk": ("hip", "shoulder"), "pelvis": ("asis", "psis")}
OF_MARKERS = {"position", "angle", "segment", "shape", "density", "lengths", "angles", "right"}  # keys they stand for
QUARTER = math.pi / 2


@dataclass(frozen=True)
class WalkBuilder:
    """The builder of the bodies of a walking person: the model, the markers and the places of joints."""

    model: Builder
    markers: Markers
    named: Named

    def place(self, part: str, joint: str) -> Place:
        return self.markers.place(self.named[part][joint])

    def angle(self, first: Place, second: Place, zero: float, what: str) -> Filled:
        return shifted(angle_between(self.markers.path, first, second, what), -zero)

    def law(self, values: Filled, turns: bool = False) -> Table:
        factor = self.model.units.angle_factor() if turns else 1.0
        return self.markers.law(Filled(values.value / factor, values.supplied))

    def body(
        self, name: str, kind: str, origin: Place, angle: Filled, points: Mapping[str, Any], spread: float
    ) -> None:
        """Adds a segment in its pose of the first frame in which its markers are visible.

        What a body of that name has already is its own: masses, centre, inertia and further points.
        """
        own = self.model.bodies.pop(name, None)
        first = int(np.argmax(np.isfinite(angle.value + origin[0].value)))
        place = tuple(float(part.value[first]) for part in origin)
        self.model.body(
            name,
            position=place,
            angle=f"{float(angle.value[first])!r} rad",
            points=points,
            segment={"kind": kind, "spread": spread},
        )
        if own is not None:
            self.model.bodies[name] = _with_own(self.model.bodies[name], own)


def segment_bodies(given: Mapping[str, Any]) -> set[str]:
    """The names of the bodies that [markers] becomes."""
    legs = {
        f"{kind}_{letter}" for side, letter in SIDES.items() if side in given for kind in ("thigh", "shank", "foot")
    }
    return legs | (set(OF_PART) & given.keys())


def _with_own(segment: Body, own: Body) -> Body:
    """A segment with the masses and further points that its own table gives."""
    if twice := [name for name in own.points if name in segment.points]:
        raise ModelError(
            f'body {own.name}: the markers give its point "{twice[0]}"', suggestion="Give the point another name."
        )
    given = {key: getattr(own, key) for key in ("mass", "inertia", "center", "added", "stiffness", "turning_stiffness")}
    return replace(segment, points={**segment.points, **own.points}, **given)


def add_markers(model: Builder, given: Mapping[str, Any], folder: Path) -> Axes:
    """Adds segments, joints, drivers and joint angles by the markers of a file; answers the axes of the laboratory."""
    require_keys(given, "[markers]", MARKERS.keys)
    if model.dimension != 2:
        raise ModelError("walking is described in the plane of forward and up: leave out dimension = 3")
    for problem in MARKERS.missing(given):
        raise ModelError(problem)
    if model.subject is None:
        raise ModelError("markers need [subject], the mass of which the segments have their parts")
    named = _named(given)
    source = _source(model, given, folder, named)
    axes = find_axes(source.data, given, named)
    named, notes = _resolve(source, given, folder, named, axes)
    markers = Markers(source, axes)
    metre = 1 / FACTORS["length"][source.data.length_unit or "m"]
    recorded = [span for span in _spans(named) if all(name in source.recorded for name in span.markers)]
    places = markers.whole([name for span in recorded for name in span.markers])
    notes += jump_notes(markers.path, markers.time, places, recorded, metre, str(given.get("marker_check", "refuse")))
    walk = WalkBuilder(model, markers, named)
    if "trunk" in named:
        _trunk(walk)
    if "pelvis" in named:
        _pelvis(walk, given, folder)
    for side in SIDES:
        if side in named:
            _leg(walk, side, SIDES[side])
    if model.analysis is None:
        model.analysis = _whole(model, markers.time)
    model.origin = Origin("toml", None, (*axes_notes(markers.source.data, given, named, axes), *notes))
    return axes


def _source(model: Builder, given: Mapping[str, Any], folder: Path, named: Named) -> Source:
    """The recording; of a table only the columns that are used, for others may hold words."""
    everyone = [name for part in named.values() for names in part.values() for name in names]
    flat = "static" not in given and "pelvis" not in given
    used = [f"{name}.{letter}" for name in everyone for letter in read_axes(given).letters] if flat else None
    source = Source(folder / str(given["file"]), given, model.units, used, "time")
    for column in used or ():
        source.data.column(column)  # a misspelt marker is refused before all else
    return source


def _resolve(
    source: Source, given: Mapping[str, Any], folder: Path, named: Named, axes: Axes
) -> tuple[Named, list[str]]:
    """The names by which the recording has every place, after joint centres were added to it; notes about them."""
    if "static" not in given and "pelvis" not in given:
        return named, []
    static = read_motion_data(folder / str(given["static"])) if "static" in given else None
    clusters = given.get("clusters", {})
    if not isinstance(clusters, Mapping) or not all(isinstance(names, list | tuple) for names in clusters.values()):
        raise ModelError('clusters are lists of markers by segment: { thigh_r = ["R.Thigh.Upper", …] }')
    centres = Centres(source.data, static, named, clusters, axes.up)
    found = centres.resolve()
    source.data = centres.data
    return found, centres.notes


def _named(given: Mapping[str, Any]) -> Named:
    """The markers of legs and trunk, several where a place is their middle."""
    out: dict[str, dict[str, tuple[str, ...]]] = {}
    for part in (*SIDES, *OF_PART):
        if part not in given:
            continue
        listed, needed = given[part], OF_PART.get(part, OF_LEG)
        if not isinstance(listed, Mapping):
            raise ModelError(f'{part} is a table of markers: {{ hip = "RHIP", … }}; found {listed!r}')
        require_keys(listed, f"{part} of [markers]", needed)
        out[part] = {joint: _several(f"{part}.{joint}", names) for joint, names in listed.items()}
    sides = [side for side in SIDES if side in out]
    if not sides:
        raise ModelError('there is no leg: name its markers, right = { hip = "RHIP", knee = … }')
    if "trunk" in out:
        out["trunk"].setdefault("hip", tuple(name for side in sides for name in out[side].get("hip", ())))
    for part, joints in out.items():
        for joint in OF_PART.get(part, OF_LEG):
            if joint not in joints:
                raise ModelError(f'{part}: the marker of the {joint} is missing: {joint} = "…"')
    return out


def _several(where: str, names: Any) -> tuple[str, ...]:
    given = (names,) if isinstance(names, str) else tuple(names) if isinstance(names, list | tuple) else ()
    if not given or not all(isinstance(name, str) for name in given):
        raise ModelError(f"{where} is a marker, or a list of those whose middle it is; found {names!r}")
    return given


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


def _trunk(walk: WalkBuilder) -> None:
    hip, shoulder = (walk.place("trunk", joint) for joint in OF_PART["trunk"])
    angle = walk.angle(hip, shoulder, QUARTER, "trunk")
    length, spread = distance(hip, shoulder)
    walk.body("trunk", "trunk", hip, angle, {"hip": (0.0, 0.0), "shoulder": (0.0, length)}, spread)
    _driven(walk, "trunk", "trunk", hip, angle)
    walk.model.measure("trunk_tilt", of="trunk.phi")


def _pelvis(walk: WalkBuilder, given: Mapping[str, Any], folder: Path) -> None:
    """The pelvis, by its front and rear spines; its mass is that of the trunk. It is level where the person stands."""
    front, rear = (walk.place("pelvis", spine) for spine in OF_PART["pelvis"])
    level = 0.0
    if "static" in given:
        axes, data = walk.markers.axes, read_motion_data(folder / str(given["static"]))
        still = Markers(Source.read_like(data, walk.markers.source), axes)
        stands = [still.place(walk.named["pelvis"][spine]) for spine in OF_PART["pelvis"]]
        level = float(np.nanmedian(angle_between(data.path, stands[1], stands[0], "pelvis").value))
    angle = walk.angle(rear, front, level, "pelvis")
    first = int(np.argmax(np.isfinite(angle.value)))
    place = tuple(float(part.value[first]) for part in front)
    length = distance(rear, front)[0]
    points = {"asis": (0.0, 0.0), "psis": (-length * math.cos(level), -length * math.sin(level))}
    walk.model.body("pelvis", position=place, angle=f"{float(angle.value[first])!r} rad", points=points)
    _driven(walk, "pelvis", "pelvis", front, angle)


def _driven(walk: WalkBuilder, body: str, name: str, origin: Place, angle: Filled) -> None:
    """A body that is led by its origin and its angle."""
    for letter, part in zip("xy", origin, strict=True):
        walk.model.driver(f"{name}_{letter}", f"{body}.{letter}", walk.law(part))
    walk.model.driver(f"{name}_turn", f"{body}.phi", walk.law(angle, turns=True))


def _leg(walk: WalkBuilder, side: str, letter: str) -> None:
    """Thigh, shank and foot of one side, joined at knee and ankle."""
    model = walk.model
    hip, knee, ankle, heel, toe = (walk.place(side, joint) for joint in OF_LEG)
    require_posture(walk.markers.path, walk.markers.axes, side, (hip, knee, ankle, heel, toe))
    thigh, shank, foot = (f"{word}_{letter}" for word in ("thigh", "shank", "foot"))
    turns = {
        thigh: walk.angle(knee, hip, QUARTER, f"{side} thigh"),
        shank: walk.angle(ankle, knee, QUARTER, f"{side} shank"),
        foot: walk.angle(heel, toe, 0.0, f"{side} foot"),
    }
    upper, lower = distance(hip, knee), distance(knee, ankle)
    walk.body(thigh, "thigh", hip, turns[thigh], {"hip": (0.0, 0.0), "knee": (0.0, -upper[0])}, upper[1])
    walk.body(shank, "shank", knee, turns[shank], {"knee": (0.0, 0.0), "ankle": (0.0, -lower[0])}, lower[1])
    points = {"ankle": (0.0, 0.0), "heel": seen_from(ankle, turns[foot], heel)}
    points["toe"] = seen_from(ankle, turns[foot], toe)
    walk.body(foot, "foot", ankle, turns[foot], points, distance(ankle, toe)[1])
    model.revolute(f"knee_{letter}", f"{shank}.knee", f"{thigh}.knee")
    model.revolute(f"ankle_{letter}", f"{shank}.ankle", f"{foot}.ankle")
    _driven(walk, thigh, f"hip_{letter}", hip, turns[thigh])
    knee_turn, ankle_turn = difference(turns[shank], turns[thigh]), difference(turns[shank], turns[foot])
    model.driver(f"knee_{letter}_turn", f"knee_{letter}", walk.law(knee_turn, turns=True))
    model.driver(f"ankle_{letter}_turn", f"ankle_{letter}", walk.law(ankle_turn, turns=True))
    if near := next((name for name in ("pelvis", "trunk") if name in model.bodies), ""):
        model.measure(f"hip_flexion_{letter}", angle=(near, thigh))
    else:
        model.measure(f"hip_flexion_{letter}", of=f"{thigh}.phi")
    model.measure(f"knee_angle_{letter}", angle=(shank, thigh))
    model.measure(f"ankle_angle_{letter}", angle=(shank, foot))


def _whole(model: Builder, time: Array) -> Analysis:
    """The times at which all markers are known, at the rate of the samples."""
    spans = [driver.motion.domain for driver in model.drivers.values()]
    start, end = max(first for first, _ in spans), min(last for _, last in spans)
    if not end > start:
        raise ModelError("the markers are never known all at once")
    step = float(np.median(np.diff(time)))
    rows = math.floor((end - start) / step + 1e-6)
    return Analysis("gait", {"start": start, "end": start + rows * step, "step": step})


def foot_of(model: Builder, word: Any) -> str:
    """The body of a foot: "right" or "left", or the name of a body."""
    if not isinstance(word, str):
        raise ModelError(f'foot is "right" or "left"; found {word!r}')
    body = f"foot_{SIDES[word]}" if word in SIDES else word
    if body not in model.bodies:
        known = [name for name in model.bodies if name != GROUND]
        raise ModelError(f'there is no foot or body "{word}". {nearest(word, [*SIDES, *known])}')
    return body
