"""Locks of a drag: a length, an angle or a pin that stays while a hand moves something else.

A pin p that moves by d keeps its distance from a pin q of the same body where |p + d − q| = |p − q|, and the direction
of the line through them where (p + d − q) × (p − q) = 0. The displacement that a hand wants is led to the nearest one
that all locks allow, by Newton's method with least-norm steps (two unknowns, a row for each lock).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError

Place = tuple[str, str]  # a body and the name of a point of it
STEPS = 40
CLOSE = 1e-12  # of the length of the line that is kept


@dataclass(frozen=True)
class Lock:
    """A locked length or angle between two pins of a body, or a locked pin (its two ends are the same)."""

    kind: str
    body: str
    ends: tuple[str, str]

    def __str__(self) -> str:
        if self.kind == "pin":
            return f"pin {self.body}.{self.ends[0]} is locked"
        return f"{self.kind} {'–'.join(self.ends)} of {self.body} is locked"

    def arm(self, moved: Collection[Place], places: Mapping[Place, Array]) -> Array | None:
        """The vector from the end that stays to the end that moves; None where both or none of them move."""
        first, second = ((self.body, end) in moved for end in self.ends)
        if first == second:
            return None
        still, moving = (self.ends[::-1] if first else self.ends)[:2]
        return np.asarray(places[self.body, moving] - places[self.body, still])


def read_locks(given: Sequence[Sequence[str]]) -> tuple[Lock, ...]:
    """Locks of a message: kind, body and two pins each."""
    return tuple(Lock(kind, body, (first, second)) for kind, body, first, second in given)


def allowed_shift(
    wanted: tuple[float, float], locks: Sequence[Lock], moved: Collection[Place], places: Mapping[Place, Array]
) -> tuple[tuple[float, float], str]:
    """The displacement nearest to the wanted one that all locks allow, and a sentence on what holds it back."""
    for lock in locks:
        if not {(lock.body, end) for end in lock.ends} <= set(places):
            raise ModelError(f"{lock}, but there is no such pin", suggestion="Unlock it.")
        if lock.kind == "pin" and (lock.body, lock.ends[0]) in moved:
            return (0.0, 0.0), f"{lock}: unlock it to move it"
    arms = [(lock, lock.arm(moved, places)) for lock in locks if lock.kind != "pin"]
    active = [(lock, arm) for lock, arm in arms if arm is not None and arm.any()]
    if not active:
        return wanted, ""
    shift = np.array(wanted)
    for _ in range(STEPS):
        gaps, rows = zip(*(_row(lock.kind, arm, shift) for lock, arm in active), strict=True)
        if max(map(abs, gaps)) < CLOSE:
            return (float(shift[0]), float(shift[1])), ""
        shift = shift - np.linalg.pinv(np.array(rows), rcond=1e-9) @ np.array(gaps)
    return (0.0, 0.0), f"{' and '.join(str(lock) for lock, _ in active)}: nothing is left to move"


def _row(kind: str, arm: Array, shift: Array) -> tuple[float, Array]:
    """Violation of a lock by a displacement, relative to the arm's length, and its derivative."""
    length = float(np.hypot(*arm))
    new = arm + shift
    if kind == "length":
        now = max(float(np.hypot(*new)), CLOSE * length)
        return now / length - 1, new / (now * length)
    return float(new[1] * arm[0] - new[0] * arm[1]) / length**2, np.array([-arm[1], arm[0]]) / length**2
