"""What happened on the way of a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """Something that happened between or at output times."""

    # "limit", "bifurcation", "near_miss", "crossing", "unbounded", "undetermined", "interference" or "failure"
    kind: str
    t: float
    drivers: dict[str, float]
    bodies: tuple[str, ...]
    message: str
    rates: dict[str, dict[str, float]] = field(default_factory=dict)  # of both motions, where two cross
    remaining_travel: dict[str, float] = field(default_factory=dict)  # of drivers that turn back shortly before a limit

    joints: tuple[str, ...] = ()  # joints and drivers whose forces are beyond all bounds
    went_on: bool = False  # said by a simulation, which goes on from most of its events

    def __repr__(self) -> str:
        return f"<{self.kind} at t = {self.t:.9g}: {self.message}>"

    @property
    def passed(self) -> bool:
        """Whether the motion went on from here."""
        going_on = ("near_miss", "unbounded", "undetermined", "interference")
        return self.went_on or bool(self.rates) or self.kind in going_on

    def as_dict(self) -> dict[str, Any]:
        told = {name: value for name, value in asdict(self).items() if name != "went_on"}
        return {**told, "bodies": list(self.bodies), "joints": list(self.joints)}
