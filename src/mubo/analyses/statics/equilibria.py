"""A run of equilibria: one row each, the nearest to the estimates first, with reactions, potential and stability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mubo.analyses.statics.ranges import Range, equilibria_within
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import SimulationError
from mubo.laws import Law
from mubo.mechanism import Mechanism
from mubo.model.column_names import Column
from mubo.note import Note
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Record, Run, Summary
from mubo.results.record import ForceRecord
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.assembly.undriven_motion import STILL
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.forces.energy import motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_columns import force_columns, sharing_sets, uniqueness_labels, uniqueness_notes
from mubo.solvers.forces.masses import mass_notes
from mubo.solvers.forces.meshes import mesh_notes
from mubo.solvers.forces.redundant_reactions import length_scale_in_units
from mubo.solvers.statics.equilibrium import Equilibrium
from mubo.solvers.statics.equilibrium_path import FARTHEST
from mubo.solvers.statics.equilibrium_search import EquilibriumSearch, search_equilibria
from mubo.solvers.statics.static_problem import StaticForceSolver, StaticProblem, is_constant_law
from mubo.solvers.statics.static_state import free_coordinates

SIGNS = {"unstable": -1.0, "neutral": 0.0, "stable": 1.0}


def equilibria(
    look: StartAnalysis,
    settings: Settings,
    starts: int | None,
    length_scale: float | None = None,
    ranges: Mapping[str, Range] | None = None,
    revolutions: int = 0,
) -> Run:
    """All equilibria within the ranges and revolutions asked for, found from the position at the start and from
    `starts` others."""
    rest = static_problem(look, length_scale)
    found = search_equilibria(rest, look.assembly.q, starts)
    if not found.equilibria:
        raise SimulationError(
            describe_failed_search(found),
            suggestion="Check the directions of the loads, or give estimates near the wanted equilibrium; "
            "--starts N searches from more positions.",
        )
    found = found.within_revolutions(revolutions)
    return _run(look, settings, equilibria_within(found, ranges) if ranges else found)


def static_problem(look: StartAnalysis, length_scale: float | None) -> StaticProblem:
    """The mechanism of a start analysis at rest, its drivers locked at their values of that time."""
    motion = look.motion.copy()
    motion[1::3] = motion[2::3] = 0.0
    solver = StaticForceSolver(
        look.form, length_scale_in_units(look.form.model, length_scale), look.diagnosis.undriven_dofs
    )
    return StaticProblem(solver, motion, look.time, look.tolerance)


def _run(look: StartAnalysis, settings: Settings, search: EquilibriumSearch) -> Run:
    rest, found = search.problem, search.equilibria
    solver, model = rest.solver, look.form.model
    positions = np.array([one.state.q for one in found])
    states, columns = rest.at_rest(positions)
    each = [rest.at_rest(position[None])[1] for position in positions]  # no row goes on from another: nor do its turns
    columns = columns.replaced({name: np.concatenate([one.raw(name) for one in each]) for name in columns})
    forces = solver.solve(states, np.tile(rest.motion, (len(found), 1)), columns)
    energy = motion_energy(solver, forces)
    columns = columns.replaced({})
    columns.extend(force_columns(solver, forces, energy))
    columns.extend(_judgement(found))
    notes = [
        *add_measures(model, columns),
        *search_notes(search),
        *static_load_notes(rest.form.mechanism, look.time),
        *mass_notes(rest.form),
        *mesh_notes(rest.form),
        *uniqueness_notes(solver, forces),
    ]
    shown = solver.reaction_map.places[: solver.reaction_map.shown]
    return Run(
        columns=columns,
        find_events=list,
        summary=Summary(
            {
                **_summary(look, search, force_residuals(solver, forces, energy)),
                "equilibria": equilibrium_entries(search, columns),
                "reactions": uniqueness_labels(solver, forces),
                "events": [],
                "warnings": [str(note) for note in (*notes, *look.form.mechanism.notes)],
                "files": [],
            }
        ),
        record=Record(
            model=model,
            study="statics",
            formulation="absolute",
            times=OutputTimes.single(look.time),
            settings=settings,
            inspection=look,
            tolerance=look.tolerance,
            forces=ForceRecord(tuple(shown), solver.length_scale, sharing_sets(solver, forces)),
        ),
    )


def _judgement(found: list[Equilibrium]) -> list[tuple[Column, Array]]:
    """Number, stability and lowest stiffness of every row."""
    numbers = np.arange(1.0, len(found) + 1)
    signs = np.array([SIGNS[one.stability] for one in found])
    lowest = np.array([one.stiffnesses[0] for one in found])
    return [
        (Column("equilibrium", "equilibrium", "", "equilibrium"), numbers),
        (Column("stability", "equilibrium", "", "stability"), signs),
        (Column("stiffness", "equilibrium", "", "stiffness", 0, "energy"), lowest),
    ]


def _summary(look: StartAnalysis, search: EquilibriumSearch, proof: dict[str, Any]) -> dict[str, Any]:
    gaps = [
        float(np.max(np.abs(look.form.system.phi(one.state.q, search.problem.motion)), initial=0.0))
        for one in search.equilibria
    ]
    return {
        "status": "ok",
        "model": look.form.model.name,
        "formulation": "absolute",
        "rows": len(search.equilibria),
        "tolerance": look.tolerance,
        "mobility": look.diagnosis.summary(),
        "dofs": look.diagnosis.undriven_dofs,
        "residual": {"position": max(gaps), "force": max(one.residual for one in search.equilibria)},
        "searched": {"starts": search.starts, "paths": len(search.paths)},
        **proof,
    }


def equilibrium_entries(search: EquilibriumSearch, columns: Columns) -> list[dict[str, Any]]:
    """Entries of every equilibrium: position, stability, stiffness, potential and residual."""
    entries = [_entry(one, row, columns) for row, one in enumerate(search.equilibria)]
    if search.paths:
        for entry, one in zip(entries, search.equilibria, strict=True):
            entry["path"] = search.path_of(one)
    return entries


def _entry(one: Equilibrium, row: int, columns: Columns) -> dict[str, Any]:
    coordinates = free_coordinates(one.state)
    out: dict[str, Any] = {
        "number": row + 1,
        "stability": one.stability,
        "coordinates": {c.name: float(columns[c.name][row]) for c in coordinates},
        "units": {c.name: columns.unit(c.name) for c in coordinates} | {"potential": columns.units.unit_of("energy")},
        "stiffness": [float(value) for value in one.stiffnesses],
        "unstable_motions": one.unstable,
        "neutral_motions": one.neutral,
        "residual": one.residual,
    }
    if one.potential is not None:
        out["potential"] = one.potential / columns.units.factor("energy")
    if len(coordinates) == 1:  # of one DOF: ∂²V/∂θ², whatever the sizes of the bodies
        name, units = coordinates[0].name, columns.units
        turns = columns.column(name).holds == "angle"
        factor, unit, _ = units.unit("torque/angle" if turns else "force/length")
        out["stiffness_of"] = {name: float(one.state.stiffness[0, 0] / coordinates[0].rates[0] ** 2) / factor}
        out["stiffness_unit"] = unit if turns or units.unit_of("length") else ""
    return out


def search_notes(search: EquilibriumSearch) -> Iterator[Note]:
    """Notes about the search."""
    paths, starts = search.paths, search.starts
    if not paths:
        yield Note("statics.searched", starts=starts)
    elif all(path.closed for path in paths):
        yield Note("statics.paths_closed", paths=len(paths), starts=starts)
    else:
        yield Note("statics.paths_open", paths=len(paths), starts=starts, sizes=FARTHEST)
    yield from _drawn_path_note(search)
    neutral = [one for one in search.equilibria if one.neutral]
    if search.everywhere:
        yield Note("statics.everywhere")
    elif neutral:
        numbers = [k + 1 for k, one in enumerate(search.equilibria) if one.neutral]
        yield Note(
            "statics.one_of_many", numbers=numbers, motions=len(neutral[0].idle), bodies=_idle_bodies(neutral[0])
        )
    if search.outside:
        yield Note("statics.left_out", reasons=search.outside)
    if search.singular:
        yield Note("statics.singular", count=search.singular)
    if search.jumps:
        yield Note("statics.jumps")
    if not all(one.conservative for one in search.equilibria):
        yield Note("statics.not_conservative")


def _drawn_path_note(search: EquilibriumSearch) -> Iterator[Note]:
    """Which equilibria the mechanism reaches from the position drawn, where it has several circuits."""
    if len(search.paths) > 1:
        drawn = [k for k, one in enumerate(search.equilibria, 1) if search.path_of(one) == 1]
        yield Note("statics.drawn_circuit", numbers=drawn)


def _idle_bodies(one: Equilibrium) -> list[str]:
    """The bodies that move in the motions that no load resists."""
    form, dofs = one.state.problem.form, len(one.state.problem.weight) // len(one.state.problem.form.free)
    moves = np.max(np.abs(one.idle @ one.state.free), axis=0).reshape(-1, dofs).max(axis=1)
    return [name for name, size in zip(form.free, moves, strict=True) if size > STILL * moves.max()]


def describe_failed_search(search: EquilibriumSearch) -> str:
    """A sentence on what was tried where no equilibrium was found."""
    if not search.paths:
        return (
            f"no equilibrium was found: from {search.starts} positions the loads carried the mechanism on, and "
            "Newton's method found none near them"
        )
    ends = "back to their starts" if all(path.closed for path in search.paths) else f"{FARTHEST:g} sizes far"
    least = min(float(np.min(np.abs(force) / scale)) for force, scale in (path.forces for path in search.paths))
    count = len(search.paths)
    return (
        f"there is no equilibrium on the {count} path{'s' * (count != 1)} of the mechanism, traced {ends}: the loads "
        f"act in one direction everywhere, with {least:.2g} of the largest force at least"
    )


def static_load_notes(mechanism: Mechanism, time: float | None = None) -> Iterator[Note]:
    """Notes on loads whose laws change with time, where one `time` is meant, and on friction, which is left out."""
    laws = {load.name: load.law for load in mechanism.loads if isinstance(load.law, Law)}
    moving = [name for name, law in laws.items() if time is not None and not is_constant_law(law, time)]
    if moving and time is not None:
        yield Note("statics.load_changes", forces=moving, t=time, units=mechanism.model.units)
    kinds, forces = loads_of(mechanism.dimension), mechanism.model.forces
    friction = [
        load.name
        for load in mechanism.loads
        if kinds[forces[load.name].kind].formula.smooths and (load.reaction_friction or load.law is not None)
    ]
    if friction:
        yield Note("statics.friction_left_out", forces=friction)
