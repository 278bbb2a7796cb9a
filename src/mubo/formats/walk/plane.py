"""Segments of a walking person in the plane of walking: bodies, joints, the drivers that lead them, joint angles.

Every segment has the axes of a person who stands upright: x forwards, y up, origin at the proximal joint; all angles
are zero there. With θ the angle of a segment in the plane of walking, counter-clockwise,

    hip_flexion = θ_thigh − θ_trunk,    knee_angle = θ_thigh − θ_shank,    ankle_angle = θ_foot − θ_shank

are positive in flexion and dorsiflexion, as in OpenSim. The foot is level where the line from heel to toe is, or where
the person stands in a static trial. Lengths
are the means of those measured; each leg hangs at its own hip.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.formats.motion_data.data import MotionData
from mubo.formats.motion_data.gaps import Filled
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.axes import Named
from mubo.formats.walk.names import OF_LEG, OF_PART, SIDES, with_own
from mubo.formats.walk.places import Markers, Place, angle_between, difference, distance, seen_from, shifted
from mubo.formats.walk.posture import TILTED
from mubo.laws import Table
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder

QUARTER = math.pi / 2


@dataclass(frozen=True)
class WalkBuilder:
    """The builder of the bodies of a walking person: the model, the markers and the places of joints."""

    model: Builder
    markers: Markers
    named: Named
    static_named: Named  # names as users gave them, which a static trial has

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
            self.model.bodies[name] = with_own(self.model.bodies[name], own)


def add_segments(walk: WalkBuilder, static: MotionData | None) -> None:
    """Trunk, pelvis and legs in the plane of walking, as far as they are named."""
    if "trunk" in walk.named:
        _trunk(walk)
    if "pelvis" in walk.named:
        _pelvis(walk, static)
    for side in SIDES:
        if side in walk.named:
            _leg(walk, side, SIDES[side], _slope(walk, static, "heel", "toe", side))


def _slope(walk: WalkBuilder, static: MotionData | None, first: str, second: str, part: str) -> float:
    """The angle of a line of markers in the static trial, where pelvis and feet are level; else zero."""
    if static is None:
        return 0.0
    still = Markers(Source.read_like(static, walk.markers.source), walk.markers.axes)
    names = [walk.static_named[part][end] for end in (first, second)]
    if not all(f"{name}.x" in static.columns for pair in names for name in pair):
        return 0.0
    stands = [still.place(pair) for pair in names]
    slope = float(np.nanmedian(angle_between(static.path, stands[0], stands[1], part).value))
    return slope if part == "pelvis" or abs(slope) <= TILTED else 0.0  # such a foot does not stand


def _trunk(walk: WalkBuilder) -> None:
    hip, shoulder = (walk.place("trunk", joint) for joint in OF_PART["trunk"])
    angle = walk.angle(hip, shoulder, QUARTER, "trunk")
    length, spread = distance(hip, shoulder)
    walk.body("trunk", "trunk", hip, angle, {"hip": (0.0, 0.0), "shoulder": (0.0, length)}, spread)
    _driven(walk, "trunk", "trunk", hip, angle)
    walk.model.measure("trunk_tilt", of="trunk.phi")


def _pelvis(walk: WalkBuilder, static: MotionData | None) -> None:
    """The pelvis, by its front and rear spines; its mass is that of the trunk. It is level where the person stands."""
    front, rear = (walk.place("pelvis", spine) for spine in OF_PART["pelvis"])
    level = _slope(walk, static, "psis", "asis", "pelvis")
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


def _leg(walk: WalkBuilder, side: str, letter: str, level: float) -> None:
    """Thigh, shank and foot of one side, joined at knee and ankle."""
    model = walk.model
    hip, knee, ankle, heel, toe = (walk.place(side, joint) for joint in OF_LEG)
    thigh, shank, foot = (f"{word}_{letter}" for word in ("thigh", "shank", "foot"))
    turns = {
        thigh: walk.angle(knee, hip, QUARTER, f"{side} thigh"),
        shank: walk.angle(ankle, knee, QUARTER, f"{side} shank"),
        foot: walk.angle(heel, toe, level, f"{side} foot"),
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
