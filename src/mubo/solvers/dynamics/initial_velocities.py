"""Initial rates of an assembled mechanism: those given, and of the others the motion of least kinetic energy.

A joint outside all loops starts at rest where its rate is not given. Of all motions that satisfy loops, drivers and the
given rates, the one with the least v'M v is taken (Gauss's principle for a start from rest): it depends neither on
units nor on the order of the tables.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.rows import join_words
from mubo.model import Initial, InitialBody, ModelDefinition
from mubo.note import Note
from mubo.numerics.least_energy import LeastEnergy, least_energy
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.dynamics.velocity_equations import (
    VelocityEquations,
    body_rates,
    rates_above,
    resting_components,
    twists_by_rates,
    velocity_equations,
)

EXACT = 1e-6  # of the largest given velocity: a larger deviation is reported
LEAST_MASS = 1e-12  # of the largest inertia, so that a DOF without inertia does not stop the solution here
RANK = 1e-9  # of the largest singular value: given rates that differ by less are the same
ANGULAR = ("turn", "screw", "ball")  # motions of links whose rates are angular


@dataclass(frozen=True)
class _Metric:
    """Kinetic energy over the rates that are not at rest: their numbers, M, and the least inertia that counts."""

    moving: Array
    M: csc_array
    least: Array

    def factors(self, equations: VelocityEquations) -> LeastEnergy:
        return least_energy(self.M, equations.A[:, self.moving], self.least, equations.terms[:, self.moving])


def initial_rates(
    tree: Tree, analysis: StartAnalysis, rated: Absolute, model: ModelDefinition, q: Array, v: Array
) -> tuple[Array, list[Note]]:
    """Rates of the core that satisfy drivers, loops and [initial], of the least kinetic energy; notes on them.

    `rated` has a driver for every given joint rate; v are the rates by the drivers alone. Where these and the loops
    leave nothing free, or where there are no loops, v is the motion itself.
    """
    rated_joints = [initial for initial in model.initial_joints.values() if initial.v]
    bodies = [body for body in model.initial_bodies.values() if body.velocity or body.omega]
    determined = not model.initial_joints and analysis.diagnosis.undriven_dofs == 0 and analysis.velocities is None
    if not rated_joints and not bodies and (determined or not tree.closing.rows or not np.any(v)):
        return v, []  # without loops, what is not driven is at rest
    twists = twists_by_rates(tree, analysis, q)
    hard, given = velocity_equations(tree, analysis, rated, twists, model)
    for body in bodies:
        given = given.join(body_rates(analysis, model, body, twists))
    metric = _metric(tree, q, _moving_rates(tree, rated_joints, bodies))
    complete = hard.join(given)
    for body in bodies:
        complete = complete.join(resting_components(analysis, model, body, twists))
    for equations in (complete, hard.join(given)):  # a component of a body that is not given is zero if it can be
        factors = metric.factors(equations)
        found = factors.solve(equations.b)
        if np.max(factors.violation(found, equations.b), initial=0.0) <= EXACT:
            return _all_rates(v, metric, found), _choice_note(analysis, metric, twists, factors, found, equations.b)
    return _nearest_rates(tree, model, metric, hard, given, v)


def _all_rates(v: Array, metric: _Metric, found: Array) -> Array:
    out = np.zeros_like(v)
    out[metric.moving] = found
    return out


def _nearest_rates(
    tree: Tree, model: ModelDefinition, metric: _Metric, hard: VelocityEquations, given: VelocityEquations, v: Array
) -> tuple[Array, list[Note]]:
    """Rates nearest to those given, which contradict the loops: least squares, lengths in sizes of the mechanism."""
    factors = metric.factors(hard)
    found = factors.solve(hard.b)
    if np.max(factors.violation(found, hard.b), initial=0.0) > EXACT:
        raise _contradiction(list(model.drivers))
    weight = diags_array(np.where(given.angular, 1.0, 1 / tree.mechanism.size))
    A = weight @ given.A[:, metric.moving]
    motions = factors.free_motions()
    share = np.linalg.lstsq(A @ motions, weight @ given.b - A @ found, rcond=RANK)[0]
    found = found + motions @ share
    reached = given.A[:, metric.moving] @ found
    worst = int(np.argmax(weight @ np.abs(reached - given.b)))
    rates = {"rate": float(reached[worst]), "asked": float(given.b[worst]), "units": model.units}
    holds = "angle" if given.angular[worst] else "length"
    return _all_rates(v, metric, found), [
        Note("dynamics.velocities_do_not_fit", name=given.names[worst], holds=holds, **rates)
    ]


def _choice_note(
    analysis: StartAnalysis, metric: _Metric, twists: csr_array, factors: LeastEnergy, found: Array, b: Array
) -> list[Note]:
    """A note where the equations leave rates open: the bodies that another motion would move otherwise."""
    if not len(found):
        return []
    other = factors.solve(b, factors.width * np.random.default_rng(0).uniform(0.5, 1.0, len(found)))
    open_rates = (other - found) / factors.width
    if np.max(np.abs(open_rates)) <= EXACT:
        return []
    change = np.abs(twists[:, metric.moving]) @ np.where(np.abs(open_rates) > EXACT, 1.0, 0.0)
    parts = np.split(change, len(analysis.form.free))
    moved = [name for name, part in zip(analysis.form.free, parts, strict=True) if np.any(part > 0)]
    return [Note("dynamics.velocities_chosen", bodies=moved)]


def _metric(tree: Tree, q: Array, moving: Array) -> _Metric:
    """Mass matrix of the moving rates, and per rate the inertia below which it counts as none."""
    M = csc_array(tree.system.crba(q))
    size = np.ones(M.shape[0])
    for motion in tree.links.motions:
        if motion.kind in ANGULAR:
            size[motion.v] = tree.mechanism.size**2
    largest = float(np.max(M.diagonal() / size, initial=0.0))
    if not 0 < largest < np.inf:
        raise ModelError(
            f"the inertia of the mechanism is {largest:g} at the start: it cannot be computed with",
            suggestion="Check the masses, the lengths and their units.",
        )
    return _Metric(moving, csc_array(M[moving][:, moving]), LEAST_MASS * largest * size[moving])


def _moving_rates(tree: Tree, joints: list[Initial], bodies: list[InitialBody]) -> Array:
    """Numbers of the rates that may differ from zero: of driven and given joints, of those in loops, and of those that
    carry a body with a given velocity."""
    above = rates_above(tree)
    chain = {body: set(above[link]) for body, (link, _) in tree.links.frame.items()}
    rated = {initial.joint for initial in joints}
    out = set(tree.driven.values())
    for motion in tree.links.motions:
        if motion.joint in rated:
            out |= set(range(motion.v.start, motion.v.stop))
    for row in tree.closing.rows:
        first, *others = [chain.get(body, set[int]()) for body in row.bodies]
        common = first.intersection(*others) if others else set[int]()  # one body alone is driven from the ground
        out |= first.union(*others) - common
    for body in bodies:
        out |= chain[body.body]
    return np.array(sorted(out), int)


def _contradiction(drivers: list[str]) -> ModelError:
    who = join_words([f"driver {name}" for name in drivers])
    return ModelError(
        f"the loops and the rate of {who} contradict each other at the start: the loops do not allow this rate",
        names=drivers,
        suggestion="Drive a joint that can move there, or one coordinate less.",
    )
