"""Crank-rockers and slider-cranks from the two ends of their stroke (Alt's construction).

At the ends C₁, C₂ of the output's path crank and coupler are in one line: AC₁ = b + a, AC₂ = b − a. Turning evenly, the
crank moves forward in 180° + δ and back in 180° − δ, so that the time ratio Q gives δ = 180° (Q − 1)/(Q + 1); it is the
angle at A between C₁ and C₂. A is therefore on a circle over C₁C₂ (for Q = 1 on its straight line), one parameter is
free, and the least transmission angle decides (VDI 2130).
"""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Booleans
from mubo.design.synthesis.choose import MOST, chosen
from mubo.design.synthesis.family import Complex, cross
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.slider_crank import SliderCranks
from mubo.design.synthesis.task import Task
from mubo.errors import ModelError
from mubo.model import Units

TRIED = 2000  # places of A
SPREAD = 0.05  # in sizes of a linkage: how far designs differ
LARGEST = 6.0  # lengths of C₁C₂: a place of A beyond is none to build


def between(ratio: float) -> float:
    """δ of a time ratio, in radians."""
    if not math.isfinite(ratio) or ratio < 1:
        raise ModelError(
            f"a time ratio is that of the slow to the quick stroke: 1 or more; found {ratio:g}",
            suggestion=f"Ask for {1 / ratio:.6g}." if 0 < ratio < 1 else "",
        )
    return math.pi * (ratio - 1) / (ratio + 1)


def seeing(first: complex, second: complex, delta: float) -> Complex:
    """Places that see two points under the angle δ: on both arcs over them, or on their line beyond them for δ = 0."""
    chord = second - first
    if delta < 1e-9:
        beyond = 0.5 + np.geomspace(0.02, LARGEST, TRIED)
        return np.concatenate([first + chord * (0.5 + beyond), first + chord * (0.5 - beyond)])
    radius = abs(chord) / (2 * math.sin(delta))
    middle = (first + second) / 2
    out = []
    for side in (1, -1):
        centre = middle + side * 1j * chord / abs(chord) * radius * math.cos(delta)
        start, sweep = np.angle(second - centre), 2 * (math.pi - delta)
        part = (np.arange(TRIED) + 0.5) / TRIED
        out.append(centre + radius * np.exp(1j * (start + side * sweep * part)))
    return np.concatenate(out)


def cranks(A: Complex, first: complex, second: complex) -> tuple[Complex, Complex, Booleans]:
    """Pins B at both ends for places of A, and which places are within reach."""
    ends = np.array([first, second])
    far = np.abs(ends - A[:, None])
    a, b = np.abs(far[:, 0] - far[:, 1]) / 2, far.sum(axis=1) / 2
    stretched = far > b[:, None]  # there the crank points to C, else away from it
    towards = (ends - A[:, None]) / far
    B = A[:, None] + np.where(stretched, 1.0, -1.0) * a[:, None] * towards
    return B, np.broadcast_to(ends, B.shape), np.asarray(far.max(axis=1) < LARGEST * abs(second - first))


def swing(
    swing: float, ratio: float, *, rocker: float = 1.0, units: Units | None = None, most: int = MOST
) -> Synthesis:
    """Crank-rockers whose rocker, of given length, swings by an angle (radians) with a time ratio."""
    if not 0 < swing < math.pi:
        raise ModelError(f"a rocker swings by more than 0 and less than 180 deg; found {math.degrees(swing):.6g} deg")
    if not rocker > 0:
        raise ModelError(f"the rocker must be longer than zero; found {rocker:g}")
    delta = between(ratio)
    first, second = rocker * np.exp(1j * (math.pi / 2 + swing / 2)), rocker * np.exp(1j * (math.pi / 2 - swing / 2))
    A = seeing(complex(first), complex(second), delta)
    B, C, near = cranks(A, complex(first), complex(second))
    ends = cross(C - A[:, None], -C)  # of the same sign where the rocker stays on one circuit
    near &= (ends[:, 0] * ends[:, 1] > 0) & (A.real <= 1e-9)  # the others are mirrored
    family = FourBars(A=A, B=B, C=C, D=np.zeros(len(A), complex)).take(near)
    task = Task(
        f"swing of {math.degrees(swing):.6g} deg with time ratio {ratio:.6g}",
        units=units or Units(),
        whole_turn=True,
        numbers={"stroke of D": math.degrees(swing), "time ratio of D": ratio},
    )
    family = family.take(family.full)
    note = _room("crank-rocker", len(family))
    return chosen(task, [family], None, most, note, sampled=True, spread=SPREAD)


def slider_returns(stroke: float, ratio: float) -> SliderCranks:
    """Slider-cranks of given stroke and time ratio, the line along x."""
    A = seeing(0j, complex(stroke), between(ratio))
    A = A[(A.imag >= -1e-9) & (A.real >= stroke / 2)]  # the others are mirrored
    B, C, near = cranks(A, 0j, complex(stroke))
    family = SliderCranks(A=A, B=B, C=C, along=np.ones(len(A), complex)).take(near)
    a, b, e = family.bars.T
    return family.take((a + np.abs(e) <= b) & np.all(family.side == family.side[:, :1], axis=1))


def _room(name: str, count: int) -> list[str]:
    return [f"{count} of infinitely many {name}s were looked at"] if count else [f"there is no {name} of that kind"]
