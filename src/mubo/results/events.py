"""What happened on the way of a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """Something that happened between or at output times."""

    kind: (
        str  # "limit", "bifurcation", "near_miss", "crossing", "unbounded", "undetermined", "interference" or "failure"
    )
    t: float
    drivers: dict[str, float]
    bodies: tuple[str, ...]
    message: str
    rates: dict[str, dict[str, float]] = field(default_factory=dict)  # of both motions, where two cross
    travel_left: dict[str, float] = field(default_factory=dict)  # of drivers that turn back shortly before a limit

    joints: tuple[str, ...] = ()  # joints and drivers whose forces are beyond all bounds

    def __repr__(self) -> str:
        return f"<{self.kind} at t = {self.t:.9g}: {self.message}>"

    @property
    def passed(self) -> bool:
        """Whether the motion went on from here."""
        return bool(self.rates) or self.kind in ("near_miss", "unbounded", "undetermined", "interference")

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "bodies": list(self.bodies), "joints": list(self.joints)}
