"""Segments of the human body: mass, centre and inertia of a body from the subject and an anthropometric table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mubo.elements.details import ANTHROPOMETRIES
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass

DEFAULT = "winter"


@dataclass(frozen=True)
class BodySegment:
    """A thigh, shank, foot or trunk of a subject, between two points of its body.

    `spread` is the standard deviation of the length that was measured, where it was; 0 of a length that was given.
    """

    kind: str
    ends: tuple[str, str]
    subject_mass: float
    table: str = DEFAULT
    spread: float = 0.0

    @property
    def description(self) -> str:
        """The source of its mass: "thigh by winter: 0.1 of the mass"."""
        return f"{self.kind} by {self.table}: {ANTHROPOMETRIES[self.table].segments[self.kind].mass:g} of the mass"

    def to_file(self) -> dict[str, Any]:
        """The table that a model file holds."""
        return {"kind": self.kind, "ends": list(self.ends), **({"spread": self.spread} if self.spread else {})}

    def solid(self, points: Mapping[str, Sequence[float]], own_mass: float | None = None) -> dict[str, Any]:
        """Mass, centre and inertia about it: m = f M or the body's own, c = p + c (d − p), I = m (g L)².

        In space, with u the direction of the segment, I = m L² (g² (1 − u uᵀ) + a² u uᵀ).
        """
        of = ANTHROPOMETRIES[self.table].segments[self.kind]
        for end in self.ends:
            if end not in points:
                raise ModelError(f'a {self.kind} has the point "{end}". {nearest(end, points)}')
        first, second = (points[end] for end in self.ends)
        mass = of.mass * self.subject_mass if own_mass is None else own_mass
        square = sum((b - a) ** 2 for a, b in zip(first, second, strict=True))
        if not square > 0:
            raise ModelError(f"its ends {self.ends[0]} and {self.ends[1]} are the same place: a segment has a length")
        center = tuple(a + of.center * (b - a) for a, b in zip(first, second, strict=True))
        across, along = mass * of.gyration**2, mass * of.axial**2  # by the square of the length
        if len(first) == 2:
            return {"mass": mass, "center": center, "inertia": (across * square,)}
        line = [b - a for a, b in zip(first, second, strict=True)]
        squares = [across * (square - line[k] ** 2) + along * line[k] ** 2 for k in range(3)]
        products = [(along - across) * line[i] * line[k] for i, k in ((0, 1), (0, 2), (1, 2))]
        return {"mass": mass, "center": center, "inertia": (*squares, *products)}
