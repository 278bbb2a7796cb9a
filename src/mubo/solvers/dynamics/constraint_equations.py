"""The constraint equations of a model at any state, in absolute coordinates: Φ(q, t), Φ_q, Φ_t, ν and γ by name.

Φ(q, t) = 0 are the equations of joints and drivers, and in space of unit quaternions. With J = Φ_q,

    J v = ν = −Φ_t,        J a = γ = −(J v)_q v − 2 Φ_qt v − Φ_tt.

Equations on velocities (rolling) have Φ = 0 everywhere, and J is their own. The state need not satisfy any of them.
Source: Nikravesh (1988), section 3.2; Haug (1989), section 3.6.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism import Absolute, mechanism_of
from mubo.mechanism.formulations.absolute import absolute
from mubo.model import ModelDefinition
from mubo.model.column_names import BODY
from mubo.solvers.dynamics.named_numbers import PER_TIME, read_by_name


class ConstraintNames(NamedTuple):
    """Names of the constraint equations (rows) and of the coordinates (columns), in the order of arrays."""

    equations: tuple[str, ...]
    coordinates: tuple[str, ...]


@dataclass(frozen=True)
class ConstraintEquations:
    """The constraint equations of a model. Angles are in radians, lengths in the model's unit."""

    model: ModelDefinition

    @cached_property
    def form(self) -> Absolute:
        """The model in absolute coordinates; nothing is assembled."""
        return absolute(mechanism_of(self.model))

    @cached_property
    def names(self) -> ConstraintNames:
        """ "joint A: x", "driver motor" …, and "crank.x", "crank.y", "crank.phi" …"""
        equations = tuple(
            f"{one.owner}: {one.word}" if one.word else one.owner for one in self.form.mechanism.equations
        )
        words = [word for word, _, order, _ in BODY[self.model.dimension] if order == 0]
        return ConstraintNames(equations, tuple(f"{body}.{word}" for body in self.form.free for word in words))

    def motion(self, t: float) -> Array:
        """f, f′, f″ of every driver at a time."""
        line: Array = self.form.motion(np.array([float(t)]))[0]
        return line

    def phi(self, q: Any, t: float) -> Array:
        """Φ(q, t)."""
        return np.asarray(self.form.system.phi(self.read(q, "q"), self.motion(t)))

    def jacobian(self, q: Any, t: float) -> Array:
        """Φ_q: a row for each equation, a column for each coordinate."""
        return np.asarray(self.form.system.jacobian(self.read(q, "q"), self.motion(t)))

    def nu(self, q: Any, t: float) -> Array:
        """ν = −Φ_t."""
        place = self.read(q, "q")
        return np.asarray(self.form.system.right_sides(place, np.zeros_like(place), self.motion(t))[0])

    def gamma(self, q: Any, v: Any, t: float) -> Array:
        """γ, the right side of J a = γ."""
        return np.asarray(self.form.system.right_sides(self.read(q, "q"), self.read(v, "v"), self.motion(t))[1])

    def read(self, given: Any, letter: str) -> Array:
        """Coordinates or rates as an array, from an array or a dictionary by body or by name."""
        kinds = {word: holds for word, _, _, holds in BODY[self.model.dimension]}

        def read_text(name: str, text: str) -> float:
            return self.model.units.read(text, kinds[name.rpartition(".")[2]] + PER_TIME[letter])

        try:
            return np.ascontiguousarray(read_by_name(self.names.coordinates, given, letter, "body", read_text))
        except ModelError as error:
            raise ModelError(f"{self.model.where}{error}") from None
