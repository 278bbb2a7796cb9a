"""Segments of the human body: mass, centre and inertia of a body from the subject and an anthropometric table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mubo.elements.anthropometry import ANTHROPOMETRIES
from mubo.errors import ModelError, nearest
from mubo.laws.file_form import require_keys

if TYPE_CHECKING:
    from mubo.model.details import Detail

DEFAULT = "winter"
KEYS = ("kind", "ends", "spread")
MISSING = "a segment needs [subject] with the mass of the whole body"


@dataclass(frozen=True)
class Segment:
    """A thigh, shank, foot or trunk of a subject, between two points of its body.

    `spread` is the standard deviation of the length that was measured, where it was; 0 of a length that was given.
    """

    kind: str
    ends: tuple[str, str]
    subject_mass: float
    table: str = DEFAULT
    spread: float = 0.0

    @property
    def words(self) -> str:
        """What it follows from: "thigh, winter: 0.1 of the mass"."""
        return f"{self.kind} by {self.table}: {ANTHROPOMETRIES[self.table].segments[self.kind].mass:g} of the mass"

    def solid(self, points: Mapping[str, Sequence[float]]) -> dict[str, Any]:
        """Mass, centre and inertia about it: m = f M, c = p + c (d − p), I = m (g L)²."""
        of = ANTHROPOMETRIES[self.table].segments[self.kind]
        for end in self.ends:
            if end not in points:
                raise ModelError(f'a {self.kind} has the point "{end}". {nearest(end, points)}')
        first, second = (points[end] for end in self.ends)
        mass = of.mass * self.subject_mass
        square = sum((b - a) ** 2 for a, b in zip(first, second, strict=True))
        if not square > 0:
            raise ModelError(f"its ends {self.ends[0]} and {self.ends[1]} are the same place: a segment has a length")
        center = tuple(a + of.center * (b - a) for a, b in zip(first, second, strict=True))
        return {"mass": mass, "center": center, "inertia": (mass * of.gyration**2 * square,)}


def read_segment(given: Any, subject: Detail | None) -> Segment:
    """From "thigh", or { kind = "thigh", ends = ["hip", "knee"] } where the points have other names."""
    told = {"kind": given} if isinstance(given, str) else given
    if not isinstance(told, Mapping) or not isinstance(told.get("kind"), str):
        raise ModelError(f'a segment is "thigh", or {{ kind = "thigh", ends = ["hip", "knee"] }}; found {given!r}')
    require_keys(told, "a segment", KEYS)
    if subject is None or subject["mass"] is None:
        raise ModelError(MISSING)
    table = subject["table"] or DEFAULT
    known = ANTHROPOMETRIES[table]
    kind = told["kind"]
    if kind not in known.segments:
        apart = "; it gives head, arms and trunk apart" if kind in ANTHROPOMETRIES[DEFAULT].segments else ""
        raise ModelError(f'there is no segment "{kind}" in the table {table}{apart}. {nearest(kind, known.segments)}')
    ends = told.get("ends", known.ends[kind])
    if isinstance(ends, str) or len(ends) != 2 or not all(isinstance(end, str) for end in ends):
        raise ModelError(f"ends are two points of the body, the proximal one first; found {ends!r}")
    return Segment(kind, (ends[0], ends[1]), subject["mass"], table, float(told.get("spread", 0.0)))
