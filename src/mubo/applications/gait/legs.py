"""The legs of a model: found by the segments that its bodies are, and by the joints between them.

With θ the angle of the upward direction of a segment from the vertical (of the foot: of its own x axis from the
horizontal), counter-clockwise while x points forwards,

    hip_flexion = θ_thigh − θ_trunk,    knee_angle = θ_thigh − θ_shank,    ankle_angle = θ_foot − θ_shank

are positive in flexion and dorsiflexion: the coordinates of OpenSim's models of walking. In space a leg is known by the
drivers of its coordinates, hip_flexion_r, knee_angle_r, ankle_angle_r and others that begin like them: the last one of
a joint turns the far segment. A given skeleton keeps its signs, such as a knee whose flexion is negative.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field

from mubo.errors import ModelError
from mubo.formats.walk.names import JOINT_WORDS
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
    coordinates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # in space, by joint, flexion first
    reversed: tuple[str, ...] = ()  # joints whose flexion is negative

    @property
    def foot(self) -> str:
        return self.bodies["foot"]

    def distal(self, joint: str) -> tuple[str, ...]:
        """The bodies beyond a joint, the nearest first."""
        return tuple(self.bodies[word] for word in CHAIN[("hip", "knee", "ankle").index(joint) :])

    def name(self, joint: str) -> str:
        """The flexion of a joint: knee_angle_r."""
        return self.names(joint)[0]

    def names(self, joint: str) -> tuple[str, ...]:
        """All coordinates of a joint; in the plane its flexion alone."""
        return self.coordinates[joint] if self.in_space else (f"{COORDINATES[joint][0][0]}_{self.side}",)

    @property
    def sideless(self) -> dict[str, tuple[str, ...]]:
        """The coordinates of every joint without the side: knee_angle."""
        tail = f"_{self.side}"
        return {joint: tuple(name.removesuffix(tail) for name in self.names(joint)) for joint in JOINT_WORDS}

    @property
    def flipped(self) -> tuple[str, ...]:
        """Angles and moments, without their side, that are negative where others have them positive."""
        return tuple(self.sideless[joint][0] + tail for joint in self.reversed for tail in ("", "_moment"))


def legs_of(model: ModelDefinition) -> list[Leg]:
    """Right leg, then left; raises where a model has none."""
    legs = list(_spatial_legs(model)) if model.dimension == 3 else _planar_legs(model)
    if not legs:
        raise ModelError(
            "no body is a foot: gait needs a model with segments",
            suggestion='Give [subject] and [markers], or segment = "foot", "shank" and "thigh" to bodies.',
        )
    sides = [leg.side for leg in legs]
    if len(set(sides)) < len(sides):
        raise ModelError(f"there are two {SIDES[sides[0]]} feet")
    return sorted(legs, key=lambda leg: list(SIDES).index(leg.side))


def _planar_legs(model: ModelDefinition) -> list[Leg]:
    trunk = next((body.name for body in _of_kind(model, "trunk")), "")
    return [_leg(model, foot, trunk) for foot in _of_kind(model, "foot")]


def _of_kind(model: ModelDefinition, kind: str) -> list[Body]:
    return [body for body in model.bodies.values() if body.segment is not None and body.segment.kind == kind]


def _leg(model: ModelDefinition, foot: Body, trunk: str) -> Leg:
    side = foot.name[-1].lower()
    if side not in SIDES:
        raise ModelError(f"body {foot.name}: a foot is right or left: let its name end in _r or _l", names=[foot.name])
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


def _spatial_legs(model: ModelDefinition) -> Iterator[Leg]:
    """Yield the legs in space, as [markers] makes them: their coordinates have drivers of their own."""
    trunk, pelvis = (_moved_by(model, _beginning(model, (word,), "")) for word in ("lumbar_", "pelvis_"))
    for side in SIDES:
        found = {joint: _beginning(model, words, f"_{side}") for joint, words in JOINT_WORDS.items()}
        missing = [joint for joint, names in found.items() if not names]
        if len(missing) == len(found):
            continue
        if missing:
            raise ModelError(
                f"a leg in space has a driver for each coordinate; there is none {JOINT_WORDS[missing[0]][0]}…_{side}",
                suggestion="Let [markers] make the model.",
            )
        bodies = {kind: _moved_by(model, found[joint]) for kind, joint in zip(CHAIN, JOINT_WORDS, strict=True)}
        joints = {joint: _joint_of(model, names[-1]) for joint, names in found.items()}
        reverse = tuple(joint for joint, names in found.items() if _is_reversed(model, joint, names[0]))
        yield Leg(side, bodies, joints, trunk, pelvis, True, found, reverse)


def _beginning(model: ModelDefinition, words: tuple[str, ...], tail: str) -> tuple[str, ...]:
    """Drivers whose names begin with one of some words and have a tail."""
    return tuple(name for name in model.drivers if name.startswith(words) and name.endswith(tail))


def _joint_of(model: ModelDefinition, driver: str) -> str:
    """The joint of which a driver leads a coordinate."""
    return str(model.drivers[driver].of).partition(".q")[0]


def _moved_by(model: ModelDefinition, drivers: tuple[str, ...]) -> str:
    """The body beyond the last of some coordinates; empty of none."""
    return model.joints[_joint_of(model, drivers[-1])].between[1].partition(".")[0] if drivers else ""


def _is_reversed(model: ModelDefinition, joint: str, driver: str) -> bool:
    """Whether the flexion of a joint is negative: hip and ankle flex about z to the right, the knee about −z."""
    axis = model.joints[_joint_of(model, driver)].options.get("axis", (0.0, 0.0, 1.0))
    return bool((axis[2] > 0) == (joint == "knee"))


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
