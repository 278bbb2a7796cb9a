"""The parts of a model: frozen, by name, numbers in the model's length unit and radians."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mubo.motion import Law

GROUND = "ground"
Vector = tuple[float, float]


@dataclass(frozen=True)
class Body:
    """A rigid body: estimated position and angle, and named points in its own axes."""

    name: str
    position: Vector = (0.0, 0.0)
    angle: float = 0.0
    points: Mapping[str, Vector] = field(default_factory=dict)


@dataclass(frozen=True)
class Joint:
    """A joint: its kind, what it acts on, and its options.

    `between` holds what the kind asks for: "body.point" twice or more, "body" once or twice, or one "body.coordinate".
    """

    name: str
    kind: str
    between: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Driver:
    """Something that follows a motion law: `of` is a coordinate, a joint, or two points whose distance is driven."""

    name: str
    of: str | tuple[str, str]
    motion: Law


@dataclass(frozen=True)
class Point:
    """A point of interest on a body."""

    name: str
    body: str
    at: Vector


@dataclass(frozen=True)
class Analysis:
    """What a model file asks for."""

    type: str = "kinematics"
    start: float = 0.0
    end: float = 1.0
    step: float = 0.01
