"""A linearisation in words: where it is about, and a line for each mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mubo.numerics.vibration_modes import VibrationMode

if TYPE_CHECKING:
    from mubo.analyses.linearize.linearization import Linearization

MOST = 4  # components of a shape that are reported
SMALL = 5e-4  # components that are not


def text(linear: Linearization) -> str:
    """Labelled lines."""
    return "\n".join(f"{label:<15} {words}" for label, words in lines(linear))


def lines(linear: Linearization) -> list[tuple[str, str]]:
    """Reference, degrees of freedom, modes and notes."""
    told = [_value(linear, k) for k in range(len(linear.dofs))]
    more = f" and {len(told) - MOST} more" if len(told) > MOST else ""
    count = len(linear.dofs)
    out = [
        ("model", linear.model),
        ("about", f"{linear.about}: {', '.join(told[:MOST])}{more}"),
        ("DOF", f"{count}: {', '.join(linear.dofs[: 2 * MOST])}{', …' if count > 2 * MOST else ''}"),
    ]
    out += [(f"mode {k + 1}", _mode(linear, mode)) for k, mode in enumerate(linear.modes)]
    natural = [mode for mode in linear.undamped if mode.oscillates]
    if natural and any(abs(mode.damping) > 1e-9 for mode in linear.modes):
        listed = ", ".join(f"{mode.frequency:.7g}" for mode in natural[: 2 * MOST])
        out.append(("undamped", f"{listed}{', …' if len(natural) > 2 * MOST else ''} {_hertz(linear)}"))
    return out + [("note", note) for note in linear.notes]


def _value(linear: Linearization, k: int) -> str:
    """Where a degree of freedom is, and at which rate it goes on, in the model's units."""
    name, unit, factor = linear.dofs[k], linear.units.get(linear.dofs[k], ""), 1.0
    if unit == "rad":
        unit, factor = linear.units.get("angle") or "rad", linear.angle_factors[name]
    rate, value = linear.rates[k] / factor, round(float(linear.values[k]) / factor, 10) + 0.0
    per = f"{unit}/{linear.units.get('time') or 's'}"
    return f"{name} = {value:.8g} {unit}".rstrip() + (f" at {rate:.7g} {per}" if rate else "")


def _hertz(linear: Linearization) -> str:
    unit = linear.units.get("time") or "s"
    return "Hz" if unit == "s" else f"cycles/{unit}"


def _mode(linear: Linearization, mode: VibrationMode) -> str:
    per = linear.units.get("time") or "s"
    if mode.oscillates:
        how = (
            f"{mode.frequency:.7g} {_hertz(linear)} ({mode.root.imag:.7g} rad/{per}), damping ratio {mode.damping:.4g}"
        )
        how = f"grows by {mode.growth:.5g}/{per}, {how}" if mode.growth > 1e-9 * abs(mode.root) else how
    elif mode.root:
        how = f"{mode.describe()} by {abs(mode.growth):.7g}/{per}"
    else:
        how = "drifts: nothing brings it back"
    return f"{how}; {_shape(linear, mode)}"


def _shape(linear: Linearization, mode: VibrationMode) -> str:
    order = np.argsort(-np.abs(mode.shape), kind="stable")
    parts = [f"{linear.dofs[k]} {_number(complex(mode.shape[k]))}" for k in order if abs(mode.shape[k]) > SMALL]
    return ", ".join(parts[:MOST]) + (f" and {len(parts) - MOST} more" if len(parts) > MOST else "")


def _number(x: complex) -> str:
    """Its size with sign where it is in phase with the largest, else with its phase."""
    degrees = float(np.degrees(np.angle(x)))
    if min(abs(degrees), 180 - abs(degrees)) < 1:
        return f"{x.real:.4g}"
    return f"{abs(x):.4g} at {degrees:.3g} deg"
