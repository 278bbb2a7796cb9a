"""A linearisation as text, with its reference and a line for each mode, as entries for JSON, and as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.linearize.linearization import Linearization
from mubo.describe.layout import NO_HEADER, Tables, label_lines
from mubo.formats.files import replacing
from mubo.laws.number_text import number
from mubo.numerics.vibration_modes import VibrationMode
from mubo.results.table import require_ending, write_entries

MOST = 4  # components of a shape that are reported
SMALL = 5e-4  # components that are not


def describe_linearization(linear: Linearization) -> str:
    """Reference, degrees of freedom, modes and notes, in labelled lines."""
    return "\n".join(label_lines(_findings(linear)))


def linearization_cells(linear: Linearization) -> Tables:
    """Reference, degrees of freedom, modes and notes as a table of labels."""
    return [[NO_HEADER, *_findings(linear)]]


def _findings(linear: Linearization) -> list[tuple[str, str]]:
    values = [_value(linear, k) for k in range(len(linear.dofs))]
    more = f" and {len(values) - MOST} more" if len(values) > MOST else ""
    count = len(linear.dofs)
    out = [
        ("model", linear.model),
        ("about", f"{linear.about}: {', '.join(values[:MOST])}{more}"),
        ("DOF", f"{count}: {', '.join(linear.dofs[: 2 * MOST])}{', …' if count > 2 * MOST else ''}"),
    ]
    out += [(f"mode {k + 1}", _mode(linear, mode)) for k, mode in enumerate(linear.modes)]
    natural = [mode for mode in linear.undamped if mode.oscillates]
    if natural and any(abs(mode.damping) > 1e-9 for mode in linear.modes):
        listed = ", ".join(f"{mode.frequency:.4g}" for mode in natural[: 2 * MOST])
        out.append(("undamped", f"{listed}{', …' if len(natural) > 2 * MOST else ''} {_hertz(linear)}"))
    return out + [("note", note) for note in linear.notes]


def _value(linear: Linearization, k: int) -> str:
    """The value of a degree of freedom at the reference, and its rate where it moves, in the model's units."""
    name, unit, factor = linear.dofs[k], linear.dof_units[k], 1.0
    if unit == "rad":
        unit, factor = linear.declared["angle"] or "rad", linear.radian
    rate, value = linear.rates[k] / factor, round(float(linear.values[k]) / factor, 10) + 0.0
    per = f"{unit}/{linear.declared['time'] or 's'}"
    return f"{name} = {number(value, 4)} {unit}".rstrip() + (f" at {number(rate, 4)} {per}" if rate else "")


def _hertz(linear: Linearization) -> str:
    unit = linear.declared["time"] or "s"
    return "Hz" if unit == "s" else f"cycles/{unit}"


def _mode(linear: Linearization, mode: VibrationMode) -> str:
    per = linear.declared["time"] or "s"
    if mode.oscillates:
        ratio = number(mode.damping, 4)
        how = f"{mode.frequency:.4g} {_hertz(linear)} ({mode.root.imag:.4g} rad/{per}), damping ratio {ratio}"
        how = f"grows by {mode.growth:.4g}/{per}, {how}" if mode.growth > 1e-9 * abs(mode.root) else how
    elif mode.root:
        how = f"{mode.describe()} by {abs(mode.growth):.4g}/{per}"
    else:
        how = "drifts: nothing brings it back"
    return f"{how}; {_shape(linear, mode)}"


def _shape(linear: Linearization, mode: VibrationMode) -> str:
    order = np.argsort(-np.abs(mode.shape), kind="stable")
    parts = [f"{linear.dofs[k]} {_number(complex(mode.shape[k]))}" for k in order if abs(mode.shape[k]) > SMALL]
    return ", ".join(parts[:MOST]) + (f" and {len(parts) - MOST} more" if len(parts) > MOST else "")


def _number(x: complex) -> str:
    """A component with its sign where it is in phase with the largest one, else with its phase."""
    degrees = float(np.degrees(np.angle(x)))
    if min(abs(degrees), 180 - abs(degrees)) < 1:
        return number(x.real, 4)
    return f"{number(abs(x), 4)} at {number(degrees, 3)} deg"


def linearization_entries(linear: Linearization) -> dict[str, Any]:
    """Matrices and modes under their names; a complex number is a pair."""
    return {
        "status": "ok",
        "model": linear.model,
        "about": linear.about,
        "time": linear.time,
        "dofs": list(linear.dofs),
        "units": {
            name: unit
            for name, unit in (("time", linear.declared["time"]), *zip(linear.dofs, linear.dof_units, strict=True))
            if unit
        },
        "matrix_units": {name: linear.matrix_units(name) for name in "MCK"},
        "values": linear.values.tolist(),
        "rates": linear.rates.tolist(),
        "M": linear.M.tolist(),
        "C": linear.C.tolist(),
        "K": linear.K.tolist(),
        "modes": [_entry(linear, mode) for mode in linear.modes],
        "undamped": [_entry(linear, mode) for mode in linear.undamped],
        "loads": list(linear.loads),
        "warnings": list(linear.notes),
    }


def _entry(linear: Linearization, mode: VibrationMode) -> dict[str, Any]:
    return {
        "does": mode.describe(),
        "frequency": mode.frequency,
        "eigenvalue": [mode.root.real, mode.root.imag],
        "damping": mode.damping,
        "growth": mode.growth,
        "shape": {name: [x.real, x.imag] for name, x in zip(linear.dofs, mode.shape.tolist(), strict=True)},
    }


def save_linearization(
    linear: Linearization, path: str | Path, inputs: Sequence[str] | str, outputs: Sequence[str] | str
) -> None:
    """Writes a linearisation with its state space, as the ending says."""
    path = Path(path)
    require_ending(path, "Linearization")
    space = linear.state_space(inputs, outputs)
    matrices = {"A": space.A, "B": space.B, "C": space.C, "D": space.D}
    if path.suffix == ".json":
        system = {"states": space.states, "inputs": space.inputs, "outputs": space.outputs}
        system |= {name: matrix.tolist() for name, matrix in matrices.items()}
        write_entries(path, {**linearization_entries(linear), "state_space": system})
        return
    arrays = {
        "M": linear.M,
        "damping_matrix": linear.C,
        "K": linear.K,
        **matrices,
        "eigenvalues": linear.eigenvalues,
        "shapes": linear.shapes,
        **{name: np.array(getattr(linear, name), str) for name in ("dofs", "about")},
        **{name: np.array(getattr(space, name), str) for name in ("states", "inputs", "outputs")},
    }
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
