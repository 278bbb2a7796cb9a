"""Sizes of a skeleton: factors of the lengths of its bodies, and of all masses together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from mubo.arrays import Array

Place = tuple[float, ...]


class MassiveLink(Protocol):
    """A link with a mass, and an inertia tensor about its centre."""

    name: str
    mass: float
    inertia: Array


@dataclass(frozen=True)
class BodyScales:
    """Factors of the lengths of bodies along their axes, and the mass to which all masses together are scaled."""

    factors: Mapping[str, Place] = field(default_factory=dict)
    mass: float | None = None

    def factors_of(self, body: str) -> Array:
        """The factors of a body; 1 where none are given."""
        return np.array(self.factors.get(body, (1.0, 1.0, 1.0)))

    def place(self, body: str, place: Place) -> Place:
        """A place in the axes of a body, scaled."""
        return tuple(float(value) for value in self.factors_of(body) * place)

    def along(self, body: str, line: Place) -> float:
        """The factor of a body along a direction."""
        return float(np.array(line) @ (self.factors_of(body) * line))

    def scale_masses(self, links: Iterable[MassiveLink]) -> None:
        """Scales all masses by one factor, and inertias with them.

        With J = ½ tr(I) 1 − I, the integral of r rᵀ dm, an affine change of the lengths by S gives S J S.
        """
        links = list(links)
        total = sum(link.mass for link in links)
        factor = self.mass / total if self.mass is not None and total > 0 else 1.0
        for link in links:
            if factor != 1.0 or link.name in self.factors:
                along = np.diag(self.factors_of(link.name))
                spread = along @ (0.5 * np.trace(link.inertia) * np.eye(3) - link.inertia) @ along
                link.mass, link.inertia = factor * link.mass, factor * (np.trace(spread) * np.eye(3) - spread)
