"""Columns of a result from a force solution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.model import target_of
from mubo.model.column_names import (
    Column,
    contact_column,
    effort_columns,
    energy_column,
    load_columns,
    reaction_columns,
    shaking_columns,
)
from mubo.solvers.forces.energy import MotionEnergy
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.uniqueness import unique_efforts

Entry = tuple[Column, Array]


def force_columns(solver: ForceSolver, found: ForceSolution, energy: MotionEnergy) -> Iterator[Entry]:
    """Columns of efforts, reactions, contacts, loads, shaking wrench and energies."""
    model, dimension = solver.form.model, solver.form.mechanism.dimension
    known = unique_efforts(solver, found)
    for (name, driver), effort, unique in zip(model.drivers.items(), solver.efforts(found).T, known, strict=True):
        power = effort * found.columns.raw(f"{name}.rate")
        schema = effort_columns(name, target_of(model, driver.of).holds)
        yield from zip((replace(column, unique=unique) for column in schema), (effort, power), strict=True)
    for k, place in enumerate(solver.exerted.places[: solver.exerted.shown]):
        values = found.wrenches[:, k]
        with np.errstate(over="ignore"):  # an infinite size is refused by name where the columns are checked
            size = np.linalg.norm(values[:, :dimension], axis=1)
        sure = [bool(part.all()) for part in found.unique[:, k].T]
        schema = reaction_columns(place.joint, place.body, dimension, sure)
        yield from zip(schema, (*values.T, size), strict=True)
    yield from contact_columns(solver, found)
    for name in model.forces:
        entries = (found.loads.values[name], found.loads.power[name])
        yield from zip(load_columns(name, found.loads.holds[name]), entries, strict=True)
    yield from zip(shaking_columns(dimension), energy.shaking.T, strict=True)
    for word, values in (("kinetic", energy.kinetic), ("potential", energy.potential)):
        yield energy_column(word), values
    yield energy_column("total"), energy.kinetic + energy.potential


def contact_columns(solver: ForceSolver, found: ForceSolution) -> Iterator[Entry]:
    """Columns of the force between the surfaces of gears, racks, belts and cams.

    Of a cam it presses where it is positive; of a rack it pushes the wheel along the axis; of gears and belts it is
    what turns the second wheel counter-clockwise, at its radius. λ of a row whose Φ is a length is that force, up to
    the inclination of a cam's edge.
    """
    model, dimension = solver.form.model, solver.form.mechanism.dimension
    for k, place in enumerate(solver.exerted.places[: solver.exerted.shown]):
        joint = model.joints[place.joint]
        if not model.kinds[joint.kind].couples or place.body != joint.between[-1].partition(".")[0]:
            continue
        (equation,) = solver.exerted.equations_of(f"joint {place.joint}")
        lam, wrench = found.lam[:, equation], found.wrenches[:, k]
        wheels = solver.form.values[place.joint].get("factors")
        size = np.linalg.norm(wrench[:, :dimension], axis=1)
        values = -lam * np.sign(wheels[1]) if wheels else -np.sign(lam) * size
        yield contact_column(place.joint), values
