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
from mubo.formats.walk.axes import Axes, read_axes
from mubo.formats.walk.places import Markers, Place, angle_between, difference, distance, seen_from, shifted
from mubo.formats.walk.posture import require_posture
from mubo.formats.walk.swaps import Span, require_no_swap
from mubo.laws import Table
from mubo.laws.file_form import require_keys
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder
from mubo.model.parts import Analysis, Body
from mubo.model.tables import MARKERS

SIDES = {"right": "r", "left": "l"}
OF_LEG = ("hip", "knee", "ankle", "heel", "toe")
OF_TRUNK = ("hip", "shoulder")
OF_MARKERS = {"position", "angle", "segment", "shape", "density", "lengths", "angles", "right"}  # keys they stand for
QUARTER = math.pi / 2


@dataclass(frozen=True)
class WalkBuilder:
    """The builder of the bodies of a walking person: the model, the markers and the places of joints."""

    model: Builder
    markers: Markers
    named: Mapping[str, Mapping[str, tuple[str, ...]]]

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
    return legs | ({"trunk"} & given.keys())


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
    axes, named = read_axes(given), _named(given)
    everyone = [name for part in named.values() for names in part.values() for name in names]
    markers = Markers(folder / str(given["file"]), given, model.units, axes, everyone)
    for name in everyone:
        markers.source.data.column(f"{name}.{axes.letters[0]}")  # a misspelt marker is refused before all else
    require_no_swap(markers.path, markers.time, markers.whole(), list(_spans(named)))
    walk = WalkBuilder(model, markers, named)
    if "trunk" in named:
        _trunk(walk)
    for side in SIDES:
        if side in named:
            _leg(walk, side, SIDES[side])
    if model.analysis is None:
        model.analysis = _whole(model, markers.time)
    return axes


def _named(given: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    """The markers of legs and trunk, several where a place is their middle."""
    out: dict[str, dict[str, tuple[str, ...]]] = {}
    for part in (*SIDES, "trunk"):
        if part not in given:
            continue
        listed, needed = given[part], OF_TRUNK if part == "trunk" else OF_LEG
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
        for joint in OF_TRUNK if part == "trunk" else OF_LEG:
            if joint not in joints:
                raise ModelError(f'{part}: the marker of the {joint} is missing: {joint} = "…"')
    return out


def _several(where: str, names: Any) -> tuple[str, ...]:
    given = (names,) if isinstance(names, str) else tuple(names) if isinstance(names, list | tuple) else ()
    if not given or not all(isinstance(name, str) for name in given):
        raise ModelError(f"{where} is a marker, or a list of those whose middle it is; found {names!r}")
    return given


def _spans(named: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Iterator[Span]:
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
    hip, shoulder = (walk.place("trunk", joint) for joint in OF_TRUNK)
    angle = walk.angle(hip, shoulder, QUARTER, "trunk")
    length, spread = distance(hip, shoulder)
    walk.body("trunk", "trunk", hip, angle, {"hip": (0.0, 0.0), "shoulder": (0.0, length)}, spread)
    _driven(walk, "trunk", "trunk", hip, angle)
    walk.model.measure("trunk_tilt", of="trunk.phi")


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
    if "trunk" in model.bodies:
        model.measure(f"hip_flexion_{letter}", angle=("trunk", thigh))
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
