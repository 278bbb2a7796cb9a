"""Places of a linkage with their derivatives by its numbers: one formula of a position gives both.

A jet is a complex number z = x + iy of every linkage at every position, and dz by each of its unknowns and by the
crank's own angle there. A dyad that closes at H, at distance p from E and q from F, follows from

    Re(ū (dH − dE)) = p dp,   Re(v̄ (dH − dF)) = q dq,   u = H − E,  v = H − F,

so that dH = i (β u − α v)/(u × v) with the right sides α = p dp + Re(ū dE) and β = q dq + Re(v̄ dF).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.synthesis.family import Complex, cross
from mubo.design.synthesis.four_bar import third_pin
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class PlaceJet:
    """Values (linkages × positions), and derivatives (… × unknowns); None where they are not asked for."""

    z: Complex
    d: Complex | None = None

    def __add__(self, other: PlaceJet) -> PlaceJet:
        return PlaceJet(self.z + other.z, None if self.d is None or other.d is None else self.d + other.d)

    def __sub__(self, other: PlaceJet) -> PlaceJet:
        return PlaceJet(self.z - other.z, None if self.d is None or other.d is None else self.d - other.d)

    def __mul__(self, other: PlaceJet) -> PlaceJet:
        if self.d is None or other.d is None:
            return PlaceJet(self.z * other.z)
        return PlaceJet(self.z * other.z, self.d * other.z[..., None] + self.z[..., None] * other.d)

    def __truediv__(self, other: PlaceJet) -> PlaceJet:
        with np.errstate(all="ignore"):  # of a length that vanishes: no step is taken there
            z = self.z / other.z
            if self.d is None or other.d is None:
                return PlaceJet(z)
            return PlaceJet(z, (self.d - z[..., None] * other.d) / other.z[..., None])


def direction(angle: PlaceJet) -> PlaceJet:
    """e^{iφ} of a real angle."""
    z = np.exp(1j * angle.z.real)
    return PlaceJet(z, None if angle.d is None else 1j * z[..., None] * angle.d)


def dyad(E: PlaceJet, F: PlaceJet, p: PlaceJet, q: PlaceJet, side: Array) -> PlaceJet:
    """H at distance p from E and q from F, so that E → H → F turns to `side`; NaN where there is none."""
    H = third_pin(E.z, F.z, p.z.real, q.z.real, side)
    if any(jet.d is None for jet in (E, F, p, q)):
        return PlaceJet(H)
    u, v = H - E.z, H - F.z
    alpha = _along(u, E.d) + _along(p.z, p.d)
    beta = _along(v, F.d) + _along(q.z, q.d)
    with np.errstate(all="ignore"):  # at a toggle position
        return PlaceJet(H, 1j * (beta * u[..., None] - alpha * v[..., None]) / cross(u, v)[..., None])


def slotted(B: PlaceJet, D: PlaceJet, offset: PlaceJet, side: Array) -> tuple[PlaceJet, PlaceJet]:
    """The direction of a line through B's link that passes D at an offset, and how far its foot is from B.

    D − B = (s + i e) e^{iθ}, s = ±√(|D − B|² − e²) by `side`; NaN where there is none.
    """
    u, e = D - B, offset.z.real
    with np.errstate(all="ignore"):
        s = side * np.sqrt(np.abs(u.z) ** 2 - e**2)
        travel, lever = np.asarray(s, complex), np.asarray(s + 1j * e, complex)
        if u.d is None or offset.d is None:
            return u / PlaceJet(lever), PlaceJet(travel)
        ds = np.asarray((_along(u.z, u.d) - _along(offset.z, offset.d)) / s[..., None], complex)
    return u / PlaceJet(lever, ds + 1j * offset.d), PlaceJet(travel, ds)


def _along(u: Complex, d: Any) -> Array:
    """Re(ū d)."""
    return np.asarray(np.real(np.conj(u)[..., None] * d))
