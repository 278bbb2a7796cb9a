"""Sections of beams: area, moduli and second moments of rectangle, round, tube and I, or as given.

With the height h in the plane of motion and the width b across it (any text on strength of materials, for example
Young and Budynas, Roark's Formulas for Stress and Strain, appendix A):

    rectangle   A = b h,   I = b h³/12,   I' = h b³/12
    round       A = π d²/4,   I = I' = π d⁴/64
    tube        the round outside less the one inside
    I           I = (b h³ − (b − w)(h − 2 f)³)/12,   I' = (2 f b³ + (h − 2 f) w³)/12
    modulus     W = I / (h/2)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from mubo.lazy_dataclass import dataclass
from mubo.model.parts import Detail

MIDDLE = {"rectangle": 3 / 2, "round": 4 / 3}  # largest shear stress over V / A, at the middle of the height


@dataclass(frozen=True)
class Section:
    """Area, modulus and second moment of bending in the plane and across it (None: not known), and V → τ."""

    area: float
    modulus: float
    second_moment: float | None
    weak_second_moment: float | None
    shear: float | None  # largest shear stress per shear force; None: not known
    height: float | None  # in the plane

    @property
    def least_second_moment(self) -> float | None:
        """The second moment about the axis of first buckling, among those that are known."""
        known = [moment for moment in (self.second_moment, self.weak_second_moment) if moment is not None]
        return min(known, default=None)


def section_of(detail: Detail) -> Section:
    """The section of a beam.

    >>> section_of(Detail("coupler", {"shape": "rectangle", "height": 0.12, "width": 0.02})).modulus
    4.8e-05
    """
    if detail["shape"] is None:
        moment, weak = detail["second_moment"], detail["weak_second_moment"]
        return Section(detail["area"], detail["modulus"], moment, weak, None, None)
    area, moment, weak, height = _SHAPES[detail["shape"]](detail)
    return Section(area, moment / (height / 2), moment, weak, _shear(detail, area, moment), height)


def _shear(detail: Detail, area: float, moment: float) -> float:
    """τ/V = S/(I b) at the middle of the height, S the first moment of the half above it (Jourawski)."""
    shape = detail["shape"]
    if shape in MIDDLE:
        return MIDDLE[shape] / area
    if shape == "tube":
        outer, inner = detail["diameter"] / 2, detail["diameter"] / 2 - detail["thickness"]
        return float(2 / 3 * (outer**3 - inner**3) / (moment * 2 * (outer - inner)))
    high, wide, web, flange = (detail[name] for name in ("height", "width", "web", "flange"))
    above = wide * flange * (high - flange) / 2 + web * (high / 2 - flange) ** 2 / 2
    return float(above / (moment * web))


Sizes = tuple[float, float, float, float]  # area, second moments in the plane and across it, height


def _rectangle(d: Detail) -> Sizes:
    b, h = d["width"], d["height"]
    return b * h, b * h**3 / 12, h * b**3 / 12, h


def _round(d: Detail) -> Sizes:
    return _ring(d["diameter"], 0.0)


def _tube(d: Detail) -> Sizes:
    return _ring(d["diameter"], d["diameter"] - 2 * d["thickness"])


def _ring(outer: float, inner: float) -> Sizes:
    moment = math.pi * (outer**4 - inner**4) / 64
    return math.pi * (outer**2 - inner**2) / 4, moment, moment, outer


def _i(d: Detail) -> Sizes:
    h, b, w, f = (d[name] for name in ("height", "width", "web", "flange"))
    inside = h - 2 * f
    moment, weak = (b * h**3 - (b - w) * inside**3) / 12, (2 * f * b**3 + inside * w**3) / 12
    return b * h - (b - w) * inside, moment, weak, h


_SHAPES: dict[str, Callable[[Detail], Sizes]] = {"rectangle": _rectangle, "round": _round, "tube": _tube, "I": _i}
