"""Equations in the rates of a tree: of loops and drivers, of given joint rates and of given velocities of bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array, vstack

from mubo.arrays import Array
from mubo.errors import AssemblyError
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.tree import MOST_LINES, Tree
from mubo.model import InitialBody, ModelDefinition, target_of
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.dynamics.ball_rates import ball_rates


class VelocityEquations(NamedTuple):
    """Linear equations in the rates of the core: matrix, sums of its absolute terms, right sides, and their names."""

    A: csr_array
    terms: csr_array
    b: Array
    names: list[str]
    angular: Array  # whether the rate is an angular one

    def join(self, other: VelocityEquations) -> VelocityEquations:
        return VelocityEquations(
            vstack([self.A, other.A], format="csr"),
            vstack([self.terms, other.terms], format="csr"),
            np.concatenate([self.b, other.b]),
            self.names + other.names,
            np.concatenate([self.angular, other.angular]),
        )


def twists_by_rates(tree: Tree, analysis: StartAnalysis, q: Array) -> csr_array:
    """Twists of all moving bodies per rate of the core: velocity, then angular velocity; in the plane vx, vy, ω.

    Rates at the same depth of the tree move different bodies, so that one motion gives the twists by all of them.
    """
    above = rates_above(tree)
    deepest = max(map(len, above), default=0)
    rates = np.zeros((deepest, tree.links.velocities))
    for chain in above:
        rates[np.arange(len(chain)), chain] = 1.0
    links = tree.system.forward(np.tile(q, (deepest, 1)), rates, np.zeros_like(rates))
    pick = [7, 8, 12] if tree.model.dimension == 2 else list(range(7, 13))
    rows, columns, numbers = [], [], []
    free, most = analysis.form.free, max(1, MOST_LINES // max(deepest, 1))
    for first in range(0, len(free), most):  # a long chain has too many twists for all bodies at once
        moved = tree.body_motions(free[first : first + most], links)[:, :, pick]
        for k, name in enumerate(free[first : first + most]):
            chain = above[tree.links.frame[name][0]]
            rows.append(np.tile(len(pick) * (first + k) + np.arange(len(pick)), len(chain)))
            columns.append(np.repeat(chain, len(pick)))
            numbers.append(moved[: len(chain), k].ravel())
    at = (np.concatenate(rows), np.concatenate(columns))
    shape = (len(pick) * len(analysis.form.free), tree.links.velocities)
    return coo_array((np.concatenate(numbers), at), shape=shape).tocsr()


def rates_above(tree: Tree) -> list[list[int]]:
    """Numbers of the rates that move every link, from the ground outwards; the last entry, of the ground, is empty."""
    own = {motion.link: list(range(motion.v.start, motion.v.stop)) for motion in tree.links.motions}
    out: list[list[int]] = []
    for link, parent in enumerate(tree.links.parent):
        out.append([*(out[parent] if parent >= 0 else []), *own.get(link, [])])
    return [*out, []]


def velocity_equations(
    tree: Tree, analysis: StartAnalysis, form: Absolute, twists: csr_array, model: ModelDefinition
) -> tuple[VelocityEquations, VelocityEquations]:
    """Equations in rates of the core: those of loops and drivers, and the given joint rates."""
    motion = form.motion(np.array([analysis.time]))[0]
    entries = form.system.twist_jacobian_entries(analysis.assembly.q, motion)
    shape = (len(form.equations), twists.shape[0])
    at = (entries[:, 0].astype(int), entries[:, 1].astype(int))
    J = coo_array((entries[:, 2], at), shape=shape).tocsr()
    A, terms = csr_array(J @ twists), csr_array(_term_sizes(form, J) @ abs(twists))
    nu = form.system.right_sides(analysis.assembly.q, np.zeros_like(analysis.assembly.q), motion)[0]
    _require_rates(form, np.asarray(abs(A).sum(axis=1)).ravel() + nu, analysis.time)
    rated = {name for name, initial in model.initial_joints.items() if initial.v}
    soft, hard = [], _closing_equations(tree)
    for k, equation in enumerate(form.equations):
        if equation.kind == "driver" and equation.name not in model.drivers:
            if str(form.model.drivers[equation.name].of).partition(".")[0] in rated:
                soft.append(k)
        elif equation.kind == "driver":
            hard.append(k)
    targets = [str(form.model.drivers[form.equations[k].name].of) for k in soft]
    angular = np.array([target_of(form.model, of).holds == "angle" for of in targets], bool)
    constraints = VelocityEquations(A[hard], terms[hard], nu[hard], [""] * len(hard), np.zeros(len(hard), bool))
    given = VelocityEquations(A[soft], terms[soft], nu[soft], [f"joint {of}" for of in targets], angular)
    return constraints, given.join(_of_twists(twists, *ball_rates(analysis, model, twists.shape[0])))


def _term_sizes(form: Absolute, J: csr_array) -> csr_array:
    """Sizes of the terms of equations: every component of a twist counts as much as the largest entry of its row, with
    rotations at the size of the mechanism. A contact in line with its normal has a lever arm that is rounding."""
    dimension, size = form.mechanism.dimension, form.mechanism.size
    wide = 3 if dimension == 2 else 6
    lever = np.tile(np.where(np.arange(wide) < dimension, 1.0, size), J.shape[1] // wide)
    entries = abs(J).tocoo()
    largest = np.zeros(J.shape[0])
    np.maximum.at(largest, entries.row, entries.data / lever[entries.col])
    sizes = largest[entries.row] * lever[entries.col]
    return coo_array((sizes, (entries.row, entries.col)), shape=J.shape).tocsr()


def _closing_equations(tree: Tree) -> list[int]:
    """Numbers of the equations of joints that close loops; the tree satisfies those of its hinges, up to rounding."""
    closing, out, first = {id(row) for row in tree.closing.rows}, list[int](), 0
    for row in tree.mechanism.rows:
        if id(row) in closing and row.owner.kind == "joint":
            out += range(first, first + len(row.equations))
        first += len(row.equations)
    return out


def _of_twists(twists: csr_array, rows: Array, b: Array, names: list[str], angular: Array) -> VelocityEquations:
    """Equations in rates of the core from equations in twists."""
    R = csr_array(rows)
    return VelocityEquations(csr_array(R @ twists), csr_array(abs(R) @ abs(twists)), b, names, angular)


def body_rates(
    analysis: StartAnalysis, model: ModelDefinition, body: InitialBody, twists: csr_array
) -> VelocityEquations:
    """Equations for the velocities of [initial.BODY]."""
    wide = len(model.ambient.twist)
    first = wide * analysis.form.numbers[body.body]
    entries = []
    for word, given, offset in (("v", body.velocity, 0), ("omega", body.omega, wide - len(body.omega))):
        for k, value in enumerate(given):
            letter = "xyz"[k] if len(given) > 1 else ""
            entries.append((f"body {body.body}, {word}{letter},", first + offset + k, float(value), word == "omega"))
    rows = twists[[row for _, row, _, _ in entries]]
    names, values = [entry[0] for entry in entries], np.array([entry[2] for entry in entries])
    return VelocityEquations(rows, abs(rows), values, names, np.array([entry[3] for entry in entries], bool))


def resting_components(
    analysis: StartAnalysis, model: ModelDefinition, body: InitialBody, twists: csr_array
) -> VelocityEquations:
    """Equations that set the velocity components of a body that are not given to zero."""
    wide, dimension = len(model.ambient.twist), model.dimension
    first = wide * analysis.form.numbers[body.body]
    left = [*range(0 if body.velocity else dimension), *range(dimension, dimension if body.omega else wide)]
    rows = twists[[first + k for k in left]]
    return VelocityEquations(rows, abs(rows), np.zeros(len(left)), [""] * len(left), np.zeros(len(left), bool))


def _require_rates(form: Absolute, numbers: Array, t: float) -> None:
    """Refuse equations whose rates are not finite, such as the distance of two points that coincide."""
    for k in np.flatnonzero(~np.isfinite(numbers))[:1]:
        owner = form.equations[k]
        when = form.model.units.time_text(t)
        raise AssemblyError(
            f"{owner} has no rate at the start, t = {when}: the two points of a distance coincide there",
            names=[owner.name],
            suggestion="Start a little before or after it, or drive another coordinate.",
        )
