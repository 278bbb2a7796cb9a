"""Sections of beams in space: stresses of axial force, bending in two planes and torsion.

    round, tube   W = I/r, the moments of both planes add as vectors; τ = T r/(2 I)
    rectangle     |M_h|/W_h + |M_w|/W_w at the corners; τ = 3 T/(8 a b²) (1 + 0.6095 β + 0.8865 β² − 1.8023 β³ +
                  0.9100 β⁴) in the middle of the long sides 2a, with the short sides 2b and β = b/a
    I             at the edges of the flanges; τ = T t/J of thin walls, J = ∑ l t³/3, t the thickest

σ_v = √(σ² + 3 τ²) with the greatest σ and τ of a section, also where they are at different places of it: on the safe
side. (Young and Budynas, Roark's Formulas for Stress and Strain, table of torsion; von Mises 1913.)
"""

from __future__ import annotations

import numpy as np

from mubo.applications.strength.sections import Section, section_of
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model.parts import Detail

ROUND = ("round", "tube")
ROARK = (1.0, 0.6095, 0.8865, -1.8023, 0.9100)  # powers of b/a


@dataclass(frozen=True)
class SpaceSection:
    """A section with its moduli for bending of its height and of its width, and the shear stress of a unit torque."""

    plane: Section
    height_modulus: float
    width_modulus: float
    twist: float
    circular: bool

    def bending(self, height: Array, width: Array) -> Array:
        """The greatest bending stress of moments that bend the height and the width."""
        if self.circular:
            return np.asarray(np.hypot(height, width) / self.height_modulus)
        return np.abs(height) / self.height_modulus + np.abs(width) / self.width_modulus

    def mises(self, n: Array, height: Array, width: Array, torque: Array) -> Array:
        """σ_v of a section."""
        normal = np.abs(n) / self.plane.area + self.bending(height, width)
        return np.sqrt(normal**2 + 3 * (torque * self.twist) ** 2)


def space_section_of(detail: Detail) -> SpaceSection:
    """The section of a beam in space; one of bare numbers is refused, as torsion does not follow from them.

    >>> rod = space_section_of(Detail("rod", {"shape": "round", "diameter": 0.02}))
    >>> round(rod.twist / (16 / (np.pi * 0.02**3)), 12)
    1.0
    """
    shape, plane = detail["shape"], section_of(detail)
    if shape is None or plane.second_moment is None or plane.weak_second_moment is None or plane.height is None:
        raise ModelError(
            f"section {detail.name}: in space a beam bends in two planes and is twisted",
            suggestion='Give its shape with sizes: "round", "tube", "rectangle" or "I".',
            names=[detail.name],
        )
    if shape in ROUND:
        modulus = plane.second_moment / (plane.height / 2)
        return SpaceSection(plane, modulus, modulus, plane.height / 2 / (2 * plane.second_moment), True)
    wide = plane.weak_second_moment / (detail["width"] / 2)
    return SpaceSection(plane, plane.modulus, wide, _twist(detail), False)


def _twist(detail: Detail) -> float:
    """τ per torque of a rectangle or an I."""
    if detail["shape"] == "rectangle":
        a, b = (max(detail["height"], detail["width"]) / 2, min(detail["height"], detail["width"]) / 2)
        return float(3 / (8 * a * b**2) * np.polynomial.polynomial.polyval(b / a, ROARK))
    walls = [(detail["width"], detail["flange"])] * 2 + [(detail["height"] - 2 * detail["flange"], detail["web"])]
    return float(max(t for _, t in walls) / sum(long * t**3 / 3 for long, t in walls))
