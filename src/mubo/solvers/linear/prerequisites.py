"""Prerequisites of a linearisation: inertia along every degree of freedom, and friction without its Coulomb part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.mechanism.rows import join_words
from mubo.model import ModelDefinition
from mubo.note import Note
from mubo.solvers.assembly.undriven_motion import STILL
from mubo.solvers.forces.masses import require_inertia
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.linear.matrices import inertia
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates

LEAST = 1e-13  # of the largest inertia: rounding
WILD = 1e-9  # of the largest inertia: a smaller one is reported
DRY = ("coulomb", "effort", "radius")  # options of the Coulomb part of friction


def require_inertia_of_motions(reduced: ReducedCoordinates) -> None:
    """Refuse a free motion that moves no mass, naming the bodies that it moves: it has no frequency."""
    form = reduced.problem.form
    require_inertia(form, states_from_twists(form, reduced.q, reduced.basis))
    values, axes = _inertias(reduced)
    if not len(values) or values[0] > LEAST * max(values[-1], 1e-300):
        return
    motion = (axes[:, 0] * reduced.sizes) @ reduced.basis
    moves = np.max(np.abs((motion * reduced.problem.weight).reshape(len(form.free), -1)), axis=1)
    bodies = [name for name, size in zip(form.free, moves, strict=True) if size > STILL * moves.max()]
    name = reduced.coordinates[int(np.argmax(np.abs(axes[:, 0])))].name
    massless = [body for body in bodies if not form.model.bodies[body].whole.mass]
    raise ModelError(
        f"{form.model.where}degree of freedom {name} has no inertia: {join_words(bodies)} can move without any mass",
        names=[name, *bodies],
        suggestion=f"Give {join_words(massless or bodies)} a mass and an inertia, or drive that motion.",
    )


def inertia_notes(M: Array, sizes: Array) -> list[Note]:
    """Note on inertias that differ by many orders of magnitude."""
    values = np.linalg.eigvalsh(M * np.outer(sizes, sizes))
    if len(values) < 2 or values[0] > WILD * values[-1]:
        return []
    return [Note("linear.inertias_differ", factor=float(values[-1] / values[0]))]


def _inertias(reduced: ReducedCoordinates) -> tuple[Array, Array]:
    """Eigenvalues of the inertia, the least first, and their axes."""
    return np.linalg.eigh(inertia(reduced) * np.outer(reduced.sizes, reduced.sizes))


def without_coulomb(model: ModelDefinition, about: str) -> tuple[list[Note], ModelDefinition]:
    """Return a note and the model with the viscous part of friction alone; refuse it about a steady motion."""
    kinds = loads_of(model.dimension)
    frictions = {name: force for name, force in model.forces.items() if kinds[force.kind].formula.smooths}
    dry = [name for name, force in frictions.items() if any(force.options.get(word) is not None for word in DRY)]
    if not dry:
        return [], model
    if about == "steady":
        raise ModelError(
            f"{join_words(dry)}: Coulomb friction has no derivative at zero rate, and in a steady motion some joints "
            "turn while others are at rest",
            names=dry,
            suggestion="Leave it out, or give its viscous part alone.",
        )
    forces = dict(model.forces)
    for name in dry:
        smooth = {word: value for word, value in forces[name].options.items() if word not in DRY}
        if smooth.get("viscous"):
            forces[name] = replace(forces[name], options=smooth)
        else:
            del forces[name]
    return [Note("linear.coulomb_left_out", forces=dry)], model.changed(forces=forces)
