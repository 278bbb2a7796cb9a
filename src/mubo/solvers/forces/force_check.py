"""Verification of forces along a motion by equations that were not used to solve for them.

Newton and Euler of every body about its centre of mass, from the table's own accelerations and the reactions at their
points; the power of drivers and loads against the energy that bodies take up; and the virtual work of every driver,
with velocities of unit rate from J in coordinates (the forces come from J in twists).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array, Integers, distinct, is_among
from mubo.geometry.rotation import conjugate, product
from mubo.mechanism import Absolute
from mubo.results import Columns
from mubo.solvers.continuation.linear_algebra import DENSE_LIMIT
from mubo.solvers.forces.energy import MotionEnergy, body_momentum, body_origin, wrench_about_origin
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.reactions import place_positions

SAMPLES = 9  # rows at which virtual work is computed
LEAST = 1e-6  # of the largest force times the largest speed: a smaller power may be rounding


def force_residuals(solver: ForceSolver, solution: ForceSolution, energy: MotionEnergy) -> dict[str, Any]:
    """Residuals, each relative to the largest quantity of its kind; zero in exact arithmetic."""
    rows = np.arange(len(solution.states), dtype=np.int32)
    bounded = rows[~is_among(rows, solution.singular)]
    if not len(bounded):
        return {}
    bodies = _newton_euler_residual(solver, solution, bounded)
    out: dict[str, Any] = {
        "power_residual": float(_power_residual(solver, solution, energy)[bounded].max()),
        "newton_euler": {"largest": max(bodies.values()), **bodies},
    }
    if solver.form.system.unknowns <= DENSE_LIMIT and solver.form.model.drivers and not solver.dofs:
        out["virtual_work"] = _virtual_work_residual(solver, solution, bounded)
    return out


def _power_residual(solver: ForceSolver, solution: ForceSolution, energy: MotionEnergy) -> Array:
    """Power residual |Σ effort · rate + Σ power of loads − kinetic power|, relative to the largest power.

    A machine without power, such as a shaft at constant speed, is compared with a small part of force times speed.
    """
    rates = [solution.columns.raw(f"{name}.rate") for name in solver.form.model.drivers]
    parts = [effort * rate for effort, rate in zip(solver.efforts(solution).T, rates, strict=True)]
    parts += list(solution.loads.power.values())
    total = sum(parts, np.zeros(len(solution.states)))
    scale = max((float(np.nanmax(np.abs(part))) for part in (*parts, energy.taken_up)), default=0.0)
    speeds = np.concatenate([_body_twist(solver.form, solution.columns, name) for name in solver.form.free], axis=1)
    least = LEAST * _largest(solver.form, solution.right, -1) * _largest(solver.form, speeds, 1)
    return np.asarray(np.abs(total - energy.taken_up) / (max(scale, least) or 1.0))


def _body_twist(form: Absolute, columns: Columns, name: str) -> Array:
    """Velocity and angular velocity of a body at the rows."""
    return np.stack([columns.raw(f"{name}.{word}") for word in form.mechanism.ambient.twist], axis=1)


def _largest(form: Absolute, values: Array, power: int) -> float:
    """Largest of wrenches (`power` −1) or twists (1) of all bodies, rotations scaled by the size of the mechanism."""
    scale = np.tile(np.where(form.mechanism.ambient.is_rotation, form.mechanism.size**power, 1.0), len(form.free))
    return float(np.nanmax(np.abs(values * scale), initial=0.0))


def _newton_euler_residual(solver: ForceSolver, solution: ForceSolution, rows: Integers) -> dict[str, float]:
    """Newton-Euler residual of every body, relative to the largest force; moments at the mechanism's size."""
    form, dimension, columns = solver.form, solver.form.mechanism.dimension, solution.columns
    acts: dict[str, list[int]] = {}
    for k, place in enumerate(solver.reaction_map.places):
        acts.setdefault(place.body, []).append(k)
    largest = max(float(np.nanmax(np.abs(part), initial=0.0)) for part in (solution.wrenches, solution.right))
    out, on = {}, solution.loads.on[:, : len(form.free)]
    if form.reflected is not None:
        on = on + form.reflected.wrenches(solution.states, len(form.mechanism.ambient.twist)).reshape(on.shape)
    for number, name in enumerate(form.free):
        body = body_momentum(form.model.bodies[name].whole, columns)
        total = wrench_about_origin(
            body.center[:, 0], body.mass * (solver.gravity - body.center[:, 2]), -np.asarray(body.change)
        )
        acting = on[:, number]
        total = total + wrench_about_origin(
            body_origin(form, columns, name), acting[:, :dimension], acting[:, dimension:]
        )
        for k in acts.get(name, ()):
            place, acting = solver.reaction_map.places[k], solution.wrenches[:, k]
            at = place_positions(form, solution.states, place)
            total = total + wrench_about_origin(at, acting[:, :dimension], acting[:, dimension:])
        total = wrench_about_origin(-body.center[:, 0], total[:, :dimension], total[:, dimension:])
        total[:, dimension:] /= form.mechanism.size
        out[name] = float(np.max(np.abs(total[rows]), initial=0.0)) / (largest or 1.0)
    return out


def _virtual_work_residual(solver: ForceSolver, solution: ForceSolution, rows: Integers) -> float:
    """Virtual work (M a − Q) · v with J v = 1 for one driver after the other, against its effort; relative to the
    largest of its terms, so that it is defined for a balanced machine too."""
    form = solver.form
    samples = rows[distinct(np.linspace(0, len(rows) - 1, min(SAMPLES, len(rows))).astype(int))]
    drivers = [k for k, equation in enumerate(form.equations) if equation.kind == "driver"]
    efforts, largest, error = -solution.lam[:, drivers], 0.0, 0.0
    for row in samples:
        q = solution.states[row, 0]
        jacobian = form.system.jacobian(q, solution.motion[row])
        units = np.zeros((len(jacobian), len(drivers)))
        units[drivers, np.arange(len(drivers))] = 1.0
        rates = np.linalg.lstsq(jacobian, units, rcond=None)[0]
        twists = np.array([_twists(form, q, rate) for rate in rates.T])
        terms = -solution.right[row] * twists
        work = terms.sum(axis=1)
        largest = max(largest, float(np.abs(efforts[row]).max()), float(np.abs(terms).max()))
        largest = max(largest, LEAST * _largest(form, solution.right[row], -1) * _largest(form, twists, 1))
        error = max(error, float(np.abs(work - efforts[row]).max()))
    return error / (largest or 1.0)


def _twists(form: Absolute, q: Array, rates: Array) -> Array:
    """Twists of the bodies from rates of coordinates: ω = 2 ṗ p*."""
    if form.mechanism.dimension == 2:
        return rates
    poses, lines = q.reshape(-1, 7), rates.reshape(-1, 7)
    spin = 2 * product(lines[:, 3:], conjugate(poses[:, 3:]))[:, 1:]
    return np.concatenate([lines[:, :3], spin], axis=1).ravel()
