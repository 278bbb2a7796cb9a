"""A linearisation as plain numbers, as JSON and as arrays of NumPy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.errors import ResultError
from mubo.formats.atomic import replacing, write_text
from mubo.formats.tables import plain
from mubo.numerics.vibration_modes import VibrationMode

if TYPE_CHECKING:
    from mubo.analyses.linearize.linearization import Linearization

ENDINGS = (".json", ".npz")


def require_linear_ending(path: str | Path) -> None:
    """The ending says how it is written."""
    if Path(path).suffix not in ENDINGS:
        raise ResultError(f'a linearisation is written as {" or ".join(ENDINGS)}; found "{path}"')


def entries(linear: Linearization) -> dict[str, Any]:
    """Matrices and modes under their names; a complex number is a pair."""
    return {
        "status": "ok",
        "model": linear.model,
        "about": linear.about,
        "time": linear.time,
        "dofs": list(linear.dofs),
        "units": {name: linear.units[name] for name in ("time", *linear.dofs) if linear.units.get(name)},
        "values": linear.values.tolist(),
        "rates": linear.rates.tolist(),
        "M": linear.M.tolist(),
        "C": linear.C.tolist(),
        "K": linear.K.tolist(),
        "modes": [_entry(linear, mode) for mode in linear.modes],
        "undamped": [_entry(linear, mode) for mode in linear.undamped],
        "loads": list(linear.loads),
        "warnings": list(linear.notes),
        "files": [],
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


def save(linear: Linearization, path: Path, inputs: Sequence[str] | str, outputs: Sequence[str] | str) -> None:
    """Writes a linearisation with its state space."""
    require_linear_ending(path)
    space = linear.state_space(inputs, outputs)
    matrices = {"A": space.A, "B": space.B, "C": space.C, "D": space.D}
    if path.suffix == ".json":
        told = {"states": space.states, "inputs": space.inputs, "outputs": space.outputs}
        told |= {name: matrix.tolist() for name, matrix in matrices.items()}
        write_text(path, json.dumps(plain({**entries(linear), "state_space": told}), indent=1, allow_nan=False))
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
