"""Columns of a force solution, and the uniqueness of its reactions: labels, sets that share a load, notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model import target_of
from mubo.model.column_names import (
    Column,
    contact_column,
    effort_columns,
    energy_column,
    friction_needed_column,
    has_kept_contacts,
    load_columns,
    reaction_columns,
    shaking_columns,
)
from mubo.model.parts import STANDS_FOR
from mubo.note import Note
from mubo.results.record import ForceRecord
from mubo.solvers.forces.energy import MotionEnergy, shaking_values
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.redundant_reactions import missing_stiffness_notes, sharing_groups

Entry = tuple[Column, Array]


def force_columns(solver: ForceSolver, solution: ForceSolution, energy: MotionEnergy) -> Iterator[Entry]:
    """Columns of efforts, reactions, contacts, loads, shaking wrench and energies."""
    model, dimension = solver.form.model, solver.form.mechanism.dimension
    known = unique_efforts(solver, solution)
    for (name, driver), effort, unique in zip(model.drivers.items(), solver.efforts(solution).T, known, strict=True):
        power = effort * solution.columns.raw(f"{name}.rate")
        schema = effort_columns(name, target_of(model, driver.of).holds)
        yield from zip((replace(column, unique=unique) for column in schema), (effort, power), strict=True)
    for k, place in enumerate(solver.reaction_map.places[: solver.reaction_map.shown]):
        values = solution.wrenches[:, k]
        with np.errstate(over="ignore"):  # an infinite size is refused by name where the columns are checked
            size = np.linalg.norm(values[:, :dimension], axis=1)
        sure = [bool(part.all()) for part in solution.unique[:, k].T]
        schema = reaction_columns(place.joint, place.body, dimension, sure)
        yield from zip(schema, (*values.T, size), strict=True)
    yield from _contact_columns(solver, solution)
    if has_kept_contacts(model):
        from mubo.solvers.forces.kept_contacts import kept_contact_columns

        yield from kept_contact_columns(solver, solution)
    for name in model.forces:
        entries = (solution.loads.values[name], solution.loads.power[name])
        yield from zip(load_columns(name, solution.loads.holds[name]), entries, strict=True)
    yield from zip(shaking_columns(dimension), shaking_values(energy.shaking, dimension), strict=True)
    for word, values in (("kinetic", energy.kinetic), ("potential", energy.potential)):
        yield energy_column(word), values
    yield energy_column("total"), energy.kinetic + energy.potential


def _contact_columns(solver: ForceSolver, solution: ForceSolution) -> Iterator[Entry]:
    """Columns of the force between the surfaces of gears, racks, belts and cams.

    A positive force presses on a cam, pushes the wheel of a rack along the axis, and turns the second wheel of gears
    and belts counter-clockwise, at its radius; that of a knife edge acts across it, to the left. λ of an equation whose
    Φ is a length is that force, up to the inclination of a cam's edge. Of what rolls it is the normal force.
    """
    model = solver.form.model
    for place in solver.reaction_map.places[: solver.reaction_map.shown]:
        joint = model.joints[place.joint]
        element = model.kinds[joint.kind]
        if (
            STANDS_FOR in joint.options
            or not element.couples
            or element.relates
            or place.body != joint.between[-1].partition(".")[0]
        ):
            continue
        if model.kinds[joint.kind].contact:
            yield from _rolling_columns(solver, solution, place.joint)
            continue
        yield contact_column(place.joint), coupling_force(solver, solution, place.joint)


def coupling_force(solver: ForceSolver, solution: ForceSolution, joint: str) -> Array:
    """Force between the surfaces of a coupling of one equation."""
    (equation,) = solver.reaction_map.equations_of(f"joint {joint}")
    last = solver.form.model.joints[joint].between[-1].partition(".")[0]
    k = next(k for k, one in enumerate(solver.reaction_map.places) if (one.joint, one.body) == (joint, last))
    lam, wheels = solution.lam[:, equation], solver.form.values[joint].get("factors")
    size = np.linalg.norm(solution.wrenches[:, k, : solver.form.mechanism.dimension], axis=1)
    return np.asarray(-lam * np.sign(wheels[1]) if wheels else -np.sign(lam) * size)


def rolling_forces(solver: ForceSolver, solution: ForceSolution, joint: str) -> tuple[Array, Array]:
    """Normal force, positive where it presses, and size of the tangential force of a rolling contact.

    Its first equation has the unit normal as its derivative by a displacement, the others have unit tangents.
    """
    first, *others = solver.reaction_map.equations_of(f"joint {joint}")
    side = np.sign(solver.form.values[joint].get("rolling", [1.0])[0])
    return -side * solution.lam[:, first], np.linalg.norm(solution.lam[:, others], axis=1)


def _rolling_columns(solver: ForceSolver, solution: ForceSolution, joint: str) -> Iterator[Entry]:
    """Normal force of a rolling contact, and the friction that it takes: none is enough where nothing presses."""
    normal, tangential = rolling_forces(solver, solution, joint)
    yield contact_column(joint), normal
    with np.errstate(divide="ignore", invalid="ignore"):
        yield friction_needed_column(joint), np.where(normal > 0, tangential / normal, np.nan)


def uniqueness_labels(solver: ForceSolver, solution: ForceSolution) -> dict[str, Any]:
    """Components of reactions that are unique over the whole run, those that are not, and their rule."""
    words = solver.form.mechanism.ambient.wrench
    out: dict[str, Any] = {"unique": [], "indeterminate": []}
    for k, place in enumerate(solver.reaction_map.places[: solver.reaction_map.shown]):
        for word, known in zip(words, solution.unique[:, k].T, strict=True):
            out["unique" if known.all() else "indeterminate"].append(f"{place.owner}.{word}")
    for name, unique in zip(solver.form.model.drivers, unique_efforts(solver, solution), strict=True):
        out["unique" if unique else "indeterminate"].append(f"{name}.effort")
    if solution.shared is not None and solution.shared.by_stiffness:
        out["by_stiffness"] = list(solution.shared.by_stiffness)
    if not out["indeterminate"]:
        return out
    return {
        **out,
        "weighting": solver.weighting,
        "length_scale": solver.length_scale,
        "sharing": [list(names) for names in sharing_sets(solver, solution)],
        "unique_sums": [str(note) for note in _unique_resultants(solver, solution)],
    }


def unique_efforts(solver: ForceSolver, solution: ForceSolution) -> list[bool]:
    """Flags of the drivers whose effort equilibrium alone determines."""
    rows = [k for k, equation in enumerate(solver.form.equations) if equation.kind == "driver"]
    return [bool(known.all()) for known in solution.unique_lam[:, rows].T]


def sharing_sets(solver: ForceSolver, solution: ForceSolution) -> tuple[tuple[str, ...], ...]:
    """Joints and drivers that share a load which neither equilibrium nor stiffness divides among them."""
    if solution.shared is None:
        return ()
    names, divided = [owner.split(" ", 1)[1] for owner in solver.minimum_norm.owners], solution.shared.by_stiffness
    sets = (tuple(names[k] for k in numbers) for numbers in sharing_groups(solution.shared.together))
    return tuple(names for names in sets if not set(names) <= set(divided))


def force_record(solver: ForceSolver, solution: ForceSolution) -> ForceRecord:
    """Record of the places of reactions, and of the rule that decided those that are not unique."""
    count = solver.reaction_map.shown
    open_ = solution.shared.open[:, :count] if solution.shared else None
    places = tuple(solver.reaction_map.places[:count])
    return ForceRecord(places, solver.length_scale, sharing_sets(solver, solution), open_)


def _unique_resultants(solver: ForceSolver, solution: ForceSolution) -> list[Note]:
    """Notes on resultants that are unique though their parts are not."""
    if solution.shared is None:
        return []
    words, out = solver.form.mechanism.ambient.wrench, []
    for body, unique in solution.shared.sums.items():
        mine = [k for k, place in enumerate(solver.reaction_map.places) if place.body == body and place.others]
        joints = [solver.reaction_map.places[k].joint for k in mine if not solution.unique[:, k].all()]
        determined = [word for word, known in zip(words, unique, strict=True) if known]
        if determined and len(joints) > 1:
            some = determined if len(determined) < len(words) else []
            out.append(Note("forces.resultant", joints=joints, body=body, components=some))
    return out


def uniqueness_notes(solver: ForceSolver, solution: ForceSolution) -> list[Note]:
    """Notes on the uniqueness of reactions."""
    if solution.shared is None:
        return []
    out = []
    if solution.shared.by_stiffness:
        out.append(Note("forces.divided_by_stiffness", names=solution.shared.by_stiffness))
    for names in sharing_sets(solver, solution):
        out.append(Note("forces.shared", names=names, weighting=solver.weighting))
        out += missing_stiffness_notes(solver.form, names)
    return out + [Note("forces.unique_resultant", resultant=one) for one in _unique_resultants(solver, solution)]
