"""The legs of a model: found by the segments that its bodies are, and by the joints between them.

With θ the angle of the upward direction of a segment from the vertical (of the foot: of its own x axis from the
horizontal), counter-clockwise while x points forwards,

    hip_flexion = θ_thigh − θ_trunk,    knee_angle = θ_thigh − θ_shank,    ankle_angle = θ_foot − θ_shank

are positive in flexion and dorsiflexion: the coordinates of OpenSim's models of walking.
"""

from __future__ import annotations

import math

from mubo.errors import ModelError
from mubo.formats.walk.skeleton import COORDINATES
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.parts import Body

CHAIN = ("thigh", "shank", "foot")
SIDES = {"r": "right", "l": "left"}
QUARTER = math.pi / 2


@dataclass(frozen=True)
class Leg:
    """Three bodies and the joints at their proximal ends; there is none at the hip of a leg that hangs by drivers."""

    side: str  # "r" or "l"
    bodies: dict[str, str]  # by segment: thigh, shank, foot
    joints: dict[str, str]  # by "hip", "knee", "ankle"
    trunk: str  # empty where there is none
    pelvis: str = ""  # against which the hip is measured, where there is one, else against the trunk
    in_space: bool = False

    @property
    def foot(self) -> str:
        return self.bodies["foot"]

    def distal(self, joint: str) -> tuple[str, ...]:
        """The bodies beyond a joint, the nearest first."""
        return tuple(self.bodies[word] for word in CHAIN[("hip", "knee", "ankle").index(joint) :])

    def name(self, joint: str) -> str:
        """The flexion of a joint: knee_angle_r."""
        return f"{COORDINATES[joint][0][0]}_{self.side}"

    def names(self, joint: str) -> tuple[str, ...]:
        """All coordinates of a joint; in the plane its flexion alone."""
        words = COORDINATES[joint][0] if self.in_space else COORDINATES[joint][0][:1]
        return tuple(f"{word}_{self.side}" for word in words)


def legs_of(model: ModelDefinition) -> list[Leg]:
    """Right leg, then left; raises where a model has none."""
    trunk = next((body.name for body in _of_kind(model, "trunk")), "")
    legs = [_leg(model, foot, trunk) for foot in _of_kind(model, "foot")]
    if not legs:
        raise ModelError(
            "no body is a foot: gait needs a model with segments",
            suggestion='Give [subject] and [markers], or segment = "foot", "shank" and "thigh" to bodies.',
        )
    sides = [leg.side for leg in legs]
    if len(set(sides)) < len(sides):
        raise ModelError(f"there are two {SIDES[sides[0]]} feet")
    return sorted(legs, key=lambda leg: list(SIDES).index(leg.side))


def _of_kind(model: ModelDefinition, kind: str) -> list[Body]:
    return [body for body in model.bodies.values() if body.segment is not None and body.segment.kind == kind]


def _leg(model: ModelDefinition, foot: Body, trunk: str) -> Leg:
    side = foot.name[-1].lower()
    if side not in SIDES:
        raise ModelError(f"body {foot.name}: a foot is right or left: let its name end in _r or _l", names=[foot.name])
    if model.dimension == 3:
        return _spatial_leg(model, side, trunk)
    bodies, joints = {"foot": foot.name}, {}
    for joint, near, far in (("ankle", "shank", "foot"), ("knee", "thigh", "shank")):
        found = _adjacent_segment(model, bodies[far], near)
        if found is None:
            raise ModelError(f"body {bodies[far]}: no joint connects it to a {near}", names=[bodies[far]])
        joints[joint], bodies[near] = found
    hip = _adjacent_segment(model, bodies["thigh"], "trunk")
    if hip is not None:
        joints["hip"] = hip[0]
    return Leg(side, bodies, joints, trunk, "pelvis" if "pelvis" in model.bodies else "")


def _spatial_leg(model: ModelDefinition, side: str, trunk: str) -> Leg:
    """A leg in space, as [markers] makes it: its coordinates have drivers of their own."""
    leg = Leg(side, {kind: f"{kind}_{side}" for kind in CHAIN}, {}, trunk, "pelvis", in_space=True)
    wanted = [*leg.bodies.values(), leg.pelvis]
    drivers = [name for joint in ("hip", "knee", "ankle") for name in leg.names(joint)]
    missing = [name for name in wanted if name not in model.bodies]
    missing += [name for name in drivers if name not in model.drivers]
    if missing:
        raise ModelError(
            f"a leg in space has bodies {', '.join(wanted)} and a driver for each coordinate; {missing[0]} is missing",
            suggestion="Let [markers] make the model.",
        )
    return leg


def _adjacent_segment(model: ModelDefinition, body: str, kind: str) -> tuple[str, str] | None:
    """The joint that connects a body to a segment of a kind, and that segment."""
    for joint in model.joints.values():
        ends = [reference.partition(".")[0] for reference in joint.between]
        for other in ends:
            segment = model.bodies[other].segment if body in ends and other != body else None
            if segment is not None and segment.kind == kind:
                return joint.name, other
    return None


def upright(model: ModelDefinition, name: str) -> float:
    """The angle to add to that of a body for its upward direction from the vertical, in radians."""
    body = model.bodies[name]
    if body.segment is None or body.segment.kind == "foot":  # their own x axes point forwards
        return 0.0
    first, second = (body.points[end] for end in body.segment.ends)
    if body.segment.kind != "trunk":  # proximal is up but in the trunk, whose ends are hip and shoulder
        first, second = second, first
    angle = math.atan2(second[1] - first[1], second[0] - first[0]) - QUARTER
    return angle
