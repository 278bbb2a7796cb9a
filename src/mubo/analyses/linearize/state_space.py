"""The state space of a linearisation, from loads to columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.numerics.vibration_modes import Complex


@dataclass(frozen=True, eq=False)
class StateSpace:
    """ẋ = A x + B u, z = C x + D u."""

    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Array
    B: Array
    C: Array
    D: Array

    def transfer(self, s: complex | Complex) -> Complex:
        """C (s I − A)⁻¹ B + D: outputs × inputs for one s, a leading axis for several."""
        points = np.atleast_1d(np.asarray(s, complex))
        eye = np.eye(len(self.A))
        found = np.array([self.C @ np.linalg.solve(point * eye - self.A, self.B) + self.D for point in points])
        return found[0] if np.ndim(s) == 0 else found

    def response(self, frequencies: Array) -> Complex:
        """The transfer function along s = 2 π i f, f in cycles per unit of time."""
        return self.transfer(2j * np.pi * np.atleast_1d(np.asarray(frequencies, float)))

    def to_scipy(self) -> Any:
        """`scipy.signal.StateSpace` with the same matrices."""
        from scipy.signal import StateSpace as System

        return System(self.A, self.B, self.C, self.D)
