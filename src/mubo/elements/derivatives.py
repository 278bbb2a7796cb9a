"""Velocity and acceleration equations of every constraint equation of the core, in symbols.

They belong to the rows, so that all joints and drivers that use a row have the same: J v = ν is the first derivative
of Φ(q, t) = 0 by time, J a = γ the second. P is a point of a body, d = P_j − P_i, f the law of a driver. In the plane

    Ṗ = ṙ + φ̇ B s,        P̈ = r̈ + φ̈ B s − φ̇² A s,        B = dA/dφ;  n⊥ is n turned by a right angle

and in space, for a direction x of a body,

    Ṗ = ṙ + ω × A s,       P̈ = r̈ + ω̇ × A s + ω × (ω × A s),       ẋ = ω × x,       ẍ = ω̇ × x + ω × (ω × x).

Source: Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), chapter 4; Haug (1989), chapters 3 and 9.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from mubo.elements.declare import Row
from mubo.lazy_dataclass import dataclass

DOT, TWO_DOTS = "\N{COMBINING DOT ABOVE}", "\N{COMBINING DIAERESIS}"

MEANING = {
    2: "Ṗ = ṙ + φ̇ B s; P̈ = r̈ + φ̈ B s − φ̇² A s; B = dA/dφ; d = P_j − P_i; n⊥ and u⊥ are n and u turned by a right angle",
    3: "Ṗ = ṙ + ω × A s; P̈ = r̈ + ω̇ × A s + ω × (ω × A s); d = P_j − P_i; ẋ = ω × x; ẍ = ω̇ × x + ω × (ω × x)",
}


@dataclass(frozen=True)
class RateEquations:
    """The velocity and the acceleration equation of a row; a driven one has f′ and f″ on its right side."""

    velocity: str
    acceleration: str


_DISTANCE = RateEquations("e · ḋ = f′ with e = d / |d|", "e · d̈ + (ḋ · ḋ − (e · ḋ)²) / |d| = f″ with e = d / |d|")
_PLACE = RateEquations("e · Ṗ_i = f′", "e · P̈_i = f″")
_PLANE = {
    "coincide": RateEquations(
        "ṙ_i + φ̇_i B_i s_i − ṙ_j − φ̇_j B_j s_j = 0",
        "r̈_i + φ̈_i B_i s_i − r̈_j − φ̈_j B_j s_j = φ̇_i² A_i s_i − φ̇_j² A_j s_j",
    ),
    "parallel": RateEquations("φ̇_j − φ̇_i = f′", "φ̈_j − φ̈_i = f″"),
    "along": RateEquations("n · ḋ + φ̇_i n⊥ · d = 0", "n · d̈ + φ̈_i n⊥ · d + 2 φ̇_i n⊥ · ḋ − φ̇_i² n · d = 0"),
    "slide": RateEquations("u · ḋ + φ̇_i u⊥ · d = f′", "u · d̈ + φ̈_i u⊥ · d + 2 φ̇_i u⊥ · ḋ − φ̇_i² u · d = f″"),
    "roll": RateEquations(
        "u · ḋ + φ̇_i u⊥ · d ± r (φ̇_j − φ̇_i) = 0",
        "u · d̈ + φ̈_i u⊥ · d + 2 φ̇_i u⊥ · ḋ − φ̇_i² u · d ± r (φ̈_j − φ̈_i) = 0",
    ),
    "ratio": RateEquations(
        "p (φ̇_i − φ̇_c) + q (φ̇_j − φ̇_c) = 0 with p, q the signed radii",
        "p (φ̈_i − φ̈_c) + q (φ̈_j − φ̈_c) = 0",
    ),
    "touch": RateEquations("n · ḋ + φ̇_i n⊥ · d = 0", "n · d̈ + φ̈_i n⊥ · d + 2 φ̇_i n⊥ · ḋ − φ̇_i² n · d = 0"),
    "knife_edge": RateEquations("n · w = 0 with w = V_j − V_i at P_j", "n · ẇ + φ̇_j n⊥ · w = 0"),
    "circle_rolling": RateEquations("t · w = 0 with w = V_j − V_i at the contact", "t · ẇ + ṫ · w = 0"),
    "geneva": RateEquations(
        "φ̇_j |r|² − r × ṙ = 0 with r from P_j to the pin, where it is locked to P_i",
        "φ̈_j |r|² + 2 φ̇_j r · ṙ − r × r̈ = 0",
    ),
    "coordinate": RateEquations("ẋ_i = f′", "ẍ_i = f″"),
    "distance": _DISTANCE,
    "place": _PLACE,
    "cam_roller": RateEquations("ρ̇ − F′ θ̇ = 0 with ρ = |d| and the pitch curve F(θ)", "ρ̈ − F′ θ̈ − F″ θ̇² = 0"),
    "cam_flat": RateEquations(
        "n · ḋ + φ̇_j n⊥ · d − F′ ψ̇ = 0 with the profile F(ψ)",
        "n · d̈ + φ̈_j n⊥ · d + 2 φ̇_j n⊥ · ḋ − φ̇_j² n · d − F′ ψ̈ − F″ ψ̇² = 0",
    ),
    "curve": RateEquations(
        "n · δ̇ = 0 with δ = A_iᵀ d, n the normal and t the tangent of the curve",
        "n · δ̈ − κ (t · δ̇)² = 0 with κ the curvature, positive to the left",
    ),
}
_SPACE = {
    "coincide": RateEquations("Ṗ_i − Ṗ_j = 0", "P̈_i − P̈_j = 0"),
    "perpendicular": RateEquations("{a1} · {b0} + {a0} · {b1} = 0", "{a2} · {b0} + 2 {a1} · {b1} + {a0} · {b2} = 0"),
    "inplane": RateEquations("{b0} · ḋ + {b1} · d = f′", "{b0} · d̈ + 2 {b1} · ḋ + {b2} · d = f″"),
    "distance": _DISTANCE,
    "place": _PLACE,
    "lead": RateEquations("z_i · ḋ + ż_i · d − lead θ̇ / 2π = 0", "z_i · d̈ + 2 ż_i · ḋ + z̈_i · d − lead θ̈ / 2π = 0"),
    "turn": RateEquations(
        "(c ṡ − s ċ) / (c² + s²) = f′ with c = x_i · x_j, s = y_i · x_j",
        "(c s̈ − s c̈ − 2 f′ (c ċ + s ṡ)) / (c² + s²) = f″",
    ),
    "untwisted": RateEquations(
        "ẏ_i · x_j + y_i · ẋ_j − ẋ_i · y_j − x_i · ẏ_j = 0",
        "ÿ_i · x_j + 2 ẏ_i · ẋ_j + y_i · ẍ_j − ẍ_i · y_j − 2 ẋ_i · ẏ_j − x_i · ÿ_j = 0",
    ),
    "coupler": RateEquations("q̇₂ − F′ q̇₁ = 0 with the function F(q₁)", "q̈₂ − F′ q̈₁ − F″ q̇₁² = 0"),
    "touch": RateEquations(
        "n · w = 0 with w = V_j − V_i at the contact", "n · ẇ + ṅ · w = 0, where the contact wanders over both bodies"
    ),
    "rolling": RateEquations(
        "x_i · w = 0, y_i · w = 0 with w = V_j − V_i at the contact",
        "x_i · ẇ + ẋ_i · w = 0, y_i · ẇ + ẏ_i · w = 0, where the contact wanders over both bodies",
    ),
    "tooth": RateEquations(
        "n · (V_j − V_i) = 0 at the pitch point: z_i θ̇_i + z_j θ̇_j = 0 with signed numbers of teeth",
        "z_i θ̈_i + z_j θ̈_j = 0",
    ),
    "sphere_rolling": RateEquations("t · w = 0 with w = V_j − V_i at the contact", "t · ẇ + ṫ · w = 0"),
    "knife_edge": RateEquations("t · w = 0 with w = V_j − V_i at P_j", "t · ẇ + ṫ · w = 0"),
    "normalise": RateEquations("2 p_i · ṗ_i = 0", "2 p_i · p̈_i = −2 ṗ_i · ṗ_i"),
}
RATES: dict[int, dict[str, RateEquations]] = {2: _PLANE, 3: _SPACE}


def rate_equations(row: Row, dimension: int, driven: bool) -> RateEquations:
    """Velocity and acceleration equation of a row of a declaration, with its own axes; without a law they are zero."""
    found = RATES[dimension][row.kind]
    axes = [name if re.fullmatch("[xyz]_[ij]", name) else "u_i" for name in (*row.quantities, "")]
    letters = {f"{key}{dots}": _dotted(name, dots) for key, name in zip("ab", axes, strict=False) for dots in range(3)}
    sides = ("f′", "f″") if driven else ("0", "0")
    written = (found.velocity.replace("= f′", f"= {sides[0]}"), found.acceleration.replace("= f″", f"= {sides[1]}"))
    return RateEquations(*(normalize("NFC", text.format(**letters)) for text in written))


def _dotted(name: str, dots: int) -> str:
    """A letter with dots over it: "x_i" with one becomes "ẋ_i"."""
    return f"{name[0]}{('', DOT, TWO_DOTS)[dots]}{name[1:]}"
