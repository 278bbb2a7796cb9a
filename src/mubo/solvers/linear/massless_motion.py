"""Degrees of freedom must have inertia: what moves without any follows loads at once, and has no frequency."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.wording import join_words
from mubo.solvers.assembly.undriven_motion import STILL
from mubo.solvers.forces.masses import require_inertia
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.linear.matrices import inertia
from mubo.solvers.linear.reduced_coordinates import Vicinity

LEAST = 1e-13  # of the largest inertia: rounding
WILD = 1e-9  # of the largest inertia: worth a note


def require_inertia_of(near: Vicinity) -> None:
    """Refuses a free motion that moves no mass, with the bodies that it moves."""
    form = near.rest.form
    require_inertia(form, states_from_twists(form, near.q, near.basis))
    values, axes = _inertias(near)
    if not len(values) or values[0] > LEAST * max(values[-1], 1e-300):
        return
    motion = (axes[:, 0] * near.sizes) @ near.basis
    moves = np.max(np.abs((motion * near.rest.weight).reshape(len(form.free), -1)), axis=1)
    bodies = [name for name, size in zip(form.free, moves, strict=True) if size > STILL * moves.max()]
    name = near.coordinates[int(np.argmax(np.abs(axes[:, 0])))].name
    massless = [body for body in bodies if not form.model.bodies[body].whole.mass]
    raise ModelError(
        f"{form.model.where}degree of freedom {name} has no inertia: {join_words(bodies)} can move without any mass",
        names=[name, *bodies],
        suggestion=f"Give {join_words(massless or bodies)} a mass and an inertia, or drive that motion.",
    )


def inertia_notes(near: Vicinity) -> list[str]:
    """Inertias of wildly different size."""
    values, _ = _inertias(near)
    if len(values) < 2 or values[0] > WILD * values[-1]:
        return []
    return [
        f"inertias of the free motions differ by a factor of {values[-1] / values[0]:.1e}: the fastest modes are those "
        "of the lightest bodies"
    ]


def _inertias(near: Vicinity) -> tuple[Array, Array]:
    """Eigenvalues of the inertia, the least first, and their axes."""
    return np.linalg.eigh(inertia(near) * np.outer(near.sizes, near.sizes))
