"""A robot as its file describes it, whatever the format: links, joints, what was noted; in SI units, by the file's
names.

Frames are those of the links. A joint stands at a point of the parent and at a point of the child; `zero` is the
orientation of the child's axes against the parent's where the coordinates are zero, and `axis` is in the parent's axes,
as the joints of mubo have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.registry import ACTUATORS, BASES, INERTIA_CHECKS
from mubo.formats.robots.body_scales import BodyScales
from mubo.geometry import UNIT
from mubo.geometry.rotation import matrix
from mubo.geometry.shapes import Shape

Place = tuple[float, ...]
ORIGIN: Place = (0.0, 0.0, 0.0)
SHOWN = 5  # groups of notes that a warning has
NAMED = 6  # names that a group of a warning has


@dataclass(frozen=True)
class RobotOptions:
    """Choices that a robot's file leaves open, or that replace what it states; None where the file decides."""

    base: str | None = None  # "free" or "fixed"
    inertia_check: str = "note"
    stops: tuple[float, float] | None = None  # stiffness and damping of soft stops at the limits of the joints
    keyframe: str | None = None  # of MJCF: the state at the start
    friction_rate: float | None = None  # rate below which the friction of joints creeps; None leaves it out
    actuators: str = "inputs"
    scales: BodyScales = field(default_factory=BodyScales)  # of a skeleton

    def __post_init__(self) -> None:
        if self.friction_rate is not None and not self.friction_rate > 0:
            raise ModelError(
                f"friction_rate is positive, the rate below which joints creep; found {self.friction_rate!r}"
            )
        for name, allowed in (("base", BASES), ("inertia_check", INERTIA_CHECKS), ("actuators", ACTUATORS)):
            value = getattr(self, name)
            if value is not None and value not in allowed:
                words = ", ".join(f'"{word}"' for word in allowed)
                raise ModelError(f"{name} is one of {words}; found {value!r}")


@dataclass
class RobotLink:
    """A body: mass, centre and inertia tensor about it, in the axes of the link; `line` is that of the file."""

    name: str
    line: int = 0
    mass: float = 0.0
    center: Place = ORIGIN
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    shape: Shape | None = None
    points: dict[str, Place] = field(default_factory=dict)  # sites and frames, by name
    drawn: Place = ()  # where it stands in the file: place and quaternion; empty where the joints state it
    fixed: bool = False  # a root that does not float


@dataclass
class RobotJoint:
    """A joint between two links; the parent "" is the ground."""

    name: str
    kind: str  # of SPATIAL_JOINTS
    parent: str
    child: str
    line: int = 0
    at: Place = ORIGIN  # on the parent
    on: Place = ORIGIN  # on the child
    zero: Place = UNIT
    axis: Place = ()
    options: dict[str, Any] = field(default_factory=dict)  # further options of the kind
    damping: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    friction: float = 0.0
    lower: float | None = None
    upper: float | None = None
    start: Place = ()  # coordinates where a simulation begins; empty: zeros

    @property
    def single(self) -> bool:
        """Whether it has one coordinate."""
        return self.kind in ("revolute", "prismatic", "screw")


@dataclass
class RobotCoupling:
    """A joint that follows another one: by a polynomial of its coordinate, or through points."""

    name: str
    follower: str
    leader: str
    coefficients: Place = (0.0, 1.0)
    points: tuple[Place, ...] = ()
    line: int = 0


@dataclass
class RobotActuator:
    """An actuator of joints: its force on each is gear · (gain · control + bias₀ + bias₁ · length + bias₂ · rate), with
    length and rate those of the joint times its gear."""

    name: str
    kind: str
    joints: dict[str, float]  # gear of each
    gain: float = 1.0
    bias: Place = ORIGIN
    control: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)  # ranges as the file states them


class Notes:
    """Notes on a file by kind and name of element; those of the same text are reported as one."""

    def __init__(self) -> None:
        self._details: dict[tuple[str, str], dict[str, str]] = {}  # (kind, text): name: detail

    def add(self, kind: str, name: str, text: str, detail: str = "") -> None:
        """Note a text on an element ("link", its name); on the whole file where the kind is empty. A `detail`, such as
        the file of a mesh, does not keep elements from sharing a note."""
        self._details.setdefault((kind, text), {}).setdefault(name, detail)

    def left_out(self, kind: str, name: str, thing: str, detail: str = "") -> None:
        """Note something of an element that the model does not have."""
        self.add(kind, name, f"left out: {thing}", detail)

    def has(self, kind: str, name: str) -> bool:
        """Whether an element has a note."""
        return any(name in details for (of, _), details in self._details.items() if of == kind)

    def lines(self, most: int | None = None) -> list[str]:
        """A line for each text, with the names of its elements and details; in short the first `most` names."""
        return [_line(kind, details, text, most) for (kind, text), details in self._details.items()]


def _line(kind: str, details: Mapping[str, str], text: str, most: int | None) -> str:
    if not kind:
        return text
    if len(details) == 1 or most is None:
        names = [f"{name} ({detail})" if detail else name for name, detail in details.items()]
    else:
        names = [*details][:most] + [f"and {len(details) - most} more"] * (len(details) > most)
    return f"{kind}{'s' if len(details) > 1 else ''} {', '.join(names)}: {text}"


@dataclass
class Robot:
    """A robot that a file describes. Links that no joint moves stand as `floats` says, where no base is asked for."""

    name: str
    format: str
    links: dict[str, RobotLink] = field(default_factory=dict)
    joints: list[RobotJoint] = field(default_factory=list)
    loops: list[RobotJoint] = field(default_factory=list)  # joints that close loops
    couplings: list[RobotCoupling] = field(default_factory=list)
    actuators: list[RobotActuator] = field(default_factory=list)
    springs: dict[str, tuple[list[tuple[str, Place]], dict[str, float]]] = field(default_factory=dict)
    gravity: Place | None = None
    floats: bool = False
    ground: tuple[str, ...] = ()  # links that are the ground itself
    notes: Notes = field(default_factory=Notes)

    def add_in_axes_of_origin(self, joint: RobotJoint) -> None:
        """Add a free joint or a ball whose coordinates are along the axes of its origin, which `zero` turns against the
        parent: where they are turned, a link without mass stands there."""
        if tuple(joint.zero) != UNIT:
            frame = f"{joint.name}_origin"
            while frame in self.links:
                frame += "_"
            self.links[frame] = RobotLink(frame, joint.line)
            weld = RobotJoint(frame, "fixed", joint.parent, frame, joint.line, joint.at, zero=joint.zero)
            self.joints.append(weld)
            joint.parent, joint.at, joint.zero = frame, ORIGIN, UNIT
        self.joints.append(joint)


def tensor_in(turn: Sequence[float], own: Array) -> Array:
    """The inertia tensor in the axes of a link, from axes that the quaternion turns against them: A I Aᵀ."""
    if np.array_equal(np.asarray(turn), UNIT):
        return own
    A = matrix(turn)
    return np.asarray(A @ own @ A.T)


def place_of(values: Iterable[float]) -> Place:
    """Numbers as a place."""
    return tuple(float(value) for value in values)
