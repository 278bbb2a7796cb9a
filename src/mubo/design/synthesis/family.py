"""Many linkages of one kind at once, each at all the positions asked of it: places are complex numbers x + iy.

A linkage here is a driven crank AB, a coupler BC, and what guides C: a rocker or a slide. The crank's angle moves it;
the guide of C closes a dyad, which has two sides (branches). Arrays have a line per linkage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array, Booleans
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder, ModelDefinition, Units
from mubo.model.parts import Analysis

Complex = NDArray[np.complex128]
STEPS = 120  # rows of a model's motion
SAMPLES = 73  # crank angles at which the transmission of many is looked at


def cross(p: Complex, q: Complex) -> Array:
    """p × q of plane vectors as complex numbers."""
    return np.asarray(np.imag(np.conj(p) * q))


@dataclass(frozen=True)
class Family:
    """Linkages with a crank AB and a coupler BC; A is linkages, B and C are linkages × positions."""

    places: ClassVar[tuple[str, ...]] = ("A", "B", "C", "point")
    A: Complex
    B: Complex
    C: Complex
    point: Complex | None = None  # P of the coupler at every position
    angle: Array | None = None  # of the coupler's own axes at P, where the task states it

    def __len__(self) -> int:
        return len(self.A)

    def take(self, chosen: Any) -> Self:
        """Some of the linkages: indices or a mask."""
        parts: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        parts = {name: None if value is None else value[chosen] for name, value in parts.items()}
        return replace(self, **parts)

    def shape(self) -> Complex:
        """Numbers that distinguish linkages: pins at the first and last position, and how they are guided, in sizes."""
        pins = np.stack([self.A, self.B[:, 0], self.C[:, 0], self.B[:, -1], self.C[:, -1]], -1)
        return np.asarray(pins / np.abs(pins - pins[:, :1]).max(axis=1)[:, None])

    def transformed(self, size: float, by: complex) -> Self:
        """The linkages drawn larger and elsewhere: every place z becomes size · z + by."""
        parts: dict[str, Any] = {name: getattr(self, name) for name in self.places}
        parts = {name: None if value is None else size * value + by for name, value in parts.items()}
        return replace(self, **parts)

    @property
    def crank(self) -> Array:
        """Angles of the crank at all positions."""
        return np.angle(self.B - self.A[:, None])

    def links(self) -> Array:
        """Lengths that must not vanish: a line per linkage."""
        raise NotImplementedError

    def guide(self, C: Complex) -> Complex:
        """The direction along which the guide of C pushes, of every linkage at places C (linkages × any)."""
        raise NotImplementedError

    def gaps(self) -> tuple[Array, Booleans, Booleans]:
        """Direction in which the crank is farthest from its guide, and whether it cannot pass there, and opposite."""
        raise NotImplementedError

    def circuit(self) -> Array:
        """A sign at every position that is the same all along a circuit; 0 where the linkage has but one circuit."""
        raise NotImplementedError

    def sines(self, crank: Array) -> Array:
        """Sine of the transmission angle at crank angles (linkages × any); NaN where it cannot be assembled."""
        raise NotImplementedError

    def lengths(self, k: int) -> dict[str, float]:
        """The dimensions of one linkage by name."""
        raise NotImplementedError

    def label(self, k: int) -> str:
        """The kind of one linkage, in words."""
        raise NotImplementedError

    def witness(self, k: int) -> tuple[str, Complex]:
        """A link of one linkage that moves otherwise on another branch, and its directions at the positions."""
        return "coupler", self.C[k] - self.B[k]

    def _close(self, model: Builder, k: int) -> None:
        """Adds what guides C."""
        raise NotImplementedError

    @property
    def side(self) -> Array:
        """On which side of its guide the coupler stands, at all positions: the branch, +1 or −1."""
        return np.sign(cross(self.C - self.B, self.guide(self.C)))

    @property
    def full(self) -> Booleans:
        """Whether the crank turns round."""
        _, far, near = self.gaps()
        return np.asarray(~far & ~near)

    def model(
        self, k: int, name: str, units: Units, swing: tuple[float, float], driven: str = "crank"
    ) -> ModelDefinition:
        """One linkage drawn at its first position; its crank goes from one angle to the other in a second."""
        model = Builder(name, Units(length=units.length, angle="deg", time="s"))
        A, B, C = complex(self.A[k]), complex(self.B[k, 0]), complex(self.C[k, 0])
        model.ground.point("A", xy(A))
        model.body("crank", xy(A), degrees(np.angle(B - A)), {"A": (0, 0), "B": (abs(B - A), 0)})
        origin, turn = B, float(np.angle(C - B))
        if self.angle is not None and self.point is not None:
            origin, turn = complex(self.point[k, 0]), float(self.angle[k, 0])
        own = {key: xy((place - origin) * np.exp(-1j * turn)) for key, place in (("B", B), ("C", C))}
        model.body("coupler", xy(origin), degrees(turn), own)
        model.revolute("A", "ground.A", "crank.A")
        model.revolute("B", "crank.B", "coupler.B")
        self._close(model, k)
        start, end = (degrees(angle) for angle in swing)
        model.driver("motor", f"{driven}.phi", f"{start!r} + {end - start!r}*t")
        if self.point is not None:
            model.point("P", "coupler", xy((complex(self.point[k, 0]) - origin) * np.exp(-1j * turn)))
        model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / STEPS})
        return model.build()


def joined(families: Sequence[Family]) -> Family:
    """Linkages of the same kind as one family."""
    first = families[0]
    parts: dict[str, Any] = {f.name: [getattr(one, f.name) for one in families] for f in fields(first)}
    parts = {name: None if values[0] is None else np.concatenate(values) for name, values in parts.items()}
    return replace(first, **parts)


def xy(place: complex) -> tuple[float, float]:
    """The coordinates of a place."""
    return float(place.real), float(place.imag)


def degrees(angle: float) -> float:
    """An angle as models of synthesis hold it."""
    return float(np.degrees(angle))
