"""A run of equilibria: one row each, the nearest to the estimates first, with reactions, potential and stability."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.analyses.statics.describe_equilibria import entries_of, nothing_words, search_notes
from mubo.analyses.statics.load_notes import load_notes
from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.model.column_names import Column
from mubo.results import Record, Run, Summary
from mubo.results.forces import ForceRecord
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.forces.energy import motion_energy
from mubo.solvers.forces.force_check import force_residuals
from mubo.solvers.forces.force_columns import force_columns
from mubo.solvers.forces.masses import mass_notes
from mubo.solvers.forces.redundant_reactions import length_scale_in_units
from mubo.solvers.forces.uniqueness import sharing_sets, uniqueness_labels, uniqueness_notes
from mubo.solvers.statics.equilibrium import Equilibrium
from mubo.solvers.statics.equilibrium_search import EquilibriumSearch, search_equilibria
from mubo.solvers.statics.static_problem import StaticForceSolver, StaticProblem

SIGNS = {"unstable": -1.0, "neutral": 0.0, "stable": 1.0}


def equilibria(look: StartAnalysis, settings: Settings, starts: int | None, length_scale: float | None = None) -> Run:
    """All equilibria that are found from the position of the first look and from `starts` others."""
    rest = rest_of(look, length_scale)
    found = search_equilibria(rest, look.assembly.q, starts)
    if not found.found:
        raise SimulationError(
            nothing_words(found),
            suggestion="Look at the directions of the loads, or give estimates "
            "near the equilibrium that is meant; --starts N searches from more positions.",
        )
    return _run(look, settings, found)


def rest_of(look: StartAnalysis, length_scale: float | None) -> StaticProblem:
    """The mechanism of a first look at rest, its drivers where they are at that time."""
    motion = look.motion.copy()
    motion[1::3] = motion[2::3] = 0.0
    solver = StaticForceSolver(
        look.form, length_scale_in_units(look.form.model, length_scale), look.diagnosis.undriven_dofs
    )
    return StaticProblem(solver, motion, look.time, look.tolerance)


def _run(look: StartAnalysis, settings: Settings, search: EquilibriumSearch) -> Run:
    rest, found = search.rest, search.found
    solver, model = rest.solver, look.form.model
    positions = np.array([one.state.q for one in found])
    states, columns = rest.still(positions)
    each = [rest.still(position[None])[1] for position in positions]  # no row goes on from another: nor do its turns
    columns = columns.replaced({name: np.concatenate([one.raw(name) for one in each]) for name in columns})
    motion = np.tile(rest.motion, (len(found), 1))
    forces = solver.solve(states, motion, columns)
    energy = motion_energy(solver, forces)
    columns = columns.replaced({})
    columns.extend(force_columns(solver, forces, energy))
    columns.extend(_judgement(found))
    told = [
        *add_measures(model, columns),
        *search_notes(search),
        *load_notes(rest.form.mechanism, look.time),
        *mass_notes(rest.form),
        *uniqueness_notes(solver, forces),
    ]
    shown = solver.exerted.places[: solver.exerted.shown]
    return Run(
        columns=columns,
        find_events=list,
        summary=Summary(
            {
                **_summary(look, search, force_residuals(solver, forces, energy)),
                "equilibria": entries_of(search, columns),
                "reactions": uniqueness_labels(solver, forces),
                "events": [],
                "warnings": [*told, *look.form.mechanism.notes],
                "files": [],
            }
        ),
        record=Record(
            model=model,
            study="statics",
            formulation="absolute",
            times=(look.time, look.time, 1.0),
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
    gaps = [float(np.max(np.abs(look.form.system.phi(one.state.q, search.rest.motion)))) for one in search.found]
    return {
        "status": "ok",
        "model": look.form.model.name,
        "formulation": "absolute",
        "rows": len(search.found),
        "tolerance": look.tolerance,
        "mobility": look.diagnosis.summary(),
        "dofs": look.diagnosis.undriven_dofs,
        "residual": {"position": max(gaps), "force": max(one.residual for one in search.found)},
        "searched": {"starts": search.starts, "paths": len(search.paths)},
        **proof,
    }
