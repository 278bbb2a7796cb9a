"""Initial rates of an assembled mechanism: those given, and the least change of the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import block_array, coo_array, csc_array, csr_array, eye_array, vstack
from scipy.sparse.linalg import splu

from mubo.arrays import Array
from mubo.errors import AssemblyError, ModelError
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.wording import join_words
from mubo.model import Initial, InitialBody, ModelDefinition
from mubo.model.coordinates import reported_dofs
from mubo.solvers.assembly.start_analysis import StartAnalysis

EXACT = 1e-6  # of the given velocities: a larger deviation is reported
LEAST_MASS = 1e-12  # of the largest entry of M, so that a DOF without inertia does not stop the solution here
SOFT = 1e-8  # regularisation of the equations, so that dependent ones do not make them singular
ROUNDS = 12  # iterations that remove the regularisation error


def initial_rates(
    tree: Tree, analysis: StartAnalysis, rated: Absolute, model: ModelDefinition, q: Array, v: Array
) -> tuple[Array, list[str]]:
    """Rates of the core that satisfy drivers, loops and [initial]; the others change as little as possible.

    `rated` has a driver for every given joint rate; v are the rates by the drivers alone. From these and the given
    rates, all others at rest, the change x with the least x'M x that satisfies all equations is found.
    """
    rated_joints = [initial for initial in model.initial_joints.values() if initial.v]
    bodies = [body for body in model.initial_bodies.values() if body.velocity or body.omega]
    for initial in rated_joints:
        _require_no_ball(model, initial)
    if not rated_joints and not bodies:
        return v, []
    twists = _twists(tree, analysis, q)
    hard, wanted, soft, given, names = _equations(analysis, rated, twists, model)
    of_bodies = [entry for body in bodies for entry in _body_rates(analysis, model, body)]
    A = vstack([soft, twists[[row for _, row, _ in of_bodies]]], format="csr")
    b = np.concatenate([given, [value for _, _, value in of_bodies]])
    names += [name for name, _, _ in of_bodies]
    M = csc_array(tree.system.crba(q))
    M = csc_array(M / _largest(M) + LEAST_MASS * eye_array(M.shape[0]))  # so that no unit of mass matters
    both, right = vstack([hard, A], format="csr"), np.concatenate([wanted, b])
    first = _initial_rates(tree, model, v)
    found = first + _least(M, both, right - both @ first)
    size = sum(float(np.max(np.abs(rates), initial=0.0)) for rates in (b, wanted, first))
    off = float(np.max(np.abs(both @ found - right), initial=0.0))
    if off <= EXACT * size:
        return found, []
    if np.max(np.abs(hard @ _least(M, hard, wanted) - wanted), initial=0.0) > EXACT * size:
        raise _contradiction(list(model.drivers))
    free = first + _least(M, A, b - A @ first)
    found = free + _least(M, hard, wanted - hard @ free)
    reached, worst = A @ found, int(np.argmax(np.abs(A @ found - b)))
    note = "the initial velocities do not fit the loops: the nearest motion is taken"
    return found, [f"{note}; {names[worst]} starts with {reached[worst]:.3g}, not with {b[worst]:.3g}"]


def _require_no_ball(model: ModelDefinition, initial: Initial) -> None:
    if any(f.kind == "ball" for f in reported_dofs(model, model.joints[initial.joint])) and any(initial.v):
        raise ModelError(
            f"[initial.{initial.joint}]: rates of a ball are not taken where there are loops",
            names=[initial.joint],
            suggestion="Give omega of the body that it carries: [initial.BODY].",
        )


def _largest(M: csc_array) -> float:
    largest = float(np.max(np.abs(M.data), initial=0.0))
    if not 0 < largest < np.inf:
        raise ModelError(
            f"the inertia of the mechanism is {largest:g} at the start: it cannot be computed with",
            suggestion="Check the masses, the lengths and their units.",
        )
    return largest


def _require_rates(form: Absolute, numbers: Array, t: float) -> None:
    """Refuse equations whose rates are not finite, such as the distance of two points that coincide."""
    for k in np.flatnonzero(~np.isfinite(numbers))[:1]:
        owner = form.equations[k]
        raise AssemblyError(
            f"{owner} has no rate at the start, t = {t:g}: the two points of a distance coincide there",
            names=[owner.name],
            suggestion="Start a little before or after it, or drive another coordinate.",
        )


def _contradiction(drivers: list[str]) -> ModelError:
    who = join_words([f"driver {name}" for name in drivers])
    return ModelError(
        f"the loops and the rate of {who} contradict each other at the start: the loops do not allow this rate",
        names=drivers,
        suggestion="Drive a joint that can move there, or one coordinate less.",
    )


def _initial_rates(tree: Tree, model: ModelDefinition, v: Array) -> Array:
    """Rates by drivers and by [initial] of the joints of the tree; all others are zero."""
    out, driven = v.copy(), set(tree.driven.values())
    for motion in tree.links.motions:
        given = model.initial_joints.get(motion.joint)
        if given and motion.first_rate < len(given.v) and motion.kind != "ball" and motion.v.start not in driven:
            out[motion.v] = given.v[motion.first_rate]
    return out


def _least(M: csc_array, A: csr_array, b: Array) -> Array:
    """x with A x = b (in the sense of least squares) and the least x'M x.

    Proximal steps (Rockafellar 1976) with [M A'; A -d]: dependent equations do not make it
    singular, and the error by d is removed from iteration to iteration.
    """
    give = SOFT * (float(np.max(A.data**2, initial=0.0)) or 1.0) / float(np.max(M.data))
    factor = splu(csc_array(block_array([[M, A.T], [A, -give * eye_array(len(b))]])))
    x, pull = np.zeros(M.shape[0]), np.zeros(len(b))
    for _ in range(ROUNDS):
        change = factor.solve(np.concatenate([-(M @ x) - A.T @ pull, b - A @ x]))
        x, pull = x + change[: len(x)], pull + change[len(x) :]
        if np.max(np.abs(change[: len(x)])) <= 1e-14 * np.max(np.abs(x)):
            break
    return x


def _twists(tree: Tree, analysis: StartAnalysis, q: Array) -> csr_array:
    """Twists of all moving bodies per rate of the core: velocity, then angular velocity; in the plane vx, vy, ω.

    Rates at the same depth of the tree move different bodies, so that one motion gives the twists by all of them.
    """
    above = _rates_above(tree)
    deepest = max(map(len, above), default=0)
    rates = np.zeros((deepest, tree.links.velocities))
    for chain in above:
        rates[np.arange(len(chain)), chain] = 1.0
    links = tree.system.forward(np.tile(q, (deepest, 1)), rates, np.zeros_like(rates))
    pick = [7, 8, 12] if tree.model.dimension == 2 else list(range(7, 13))
    rows, columns, numbers = [], [], []
    for k, name in enumerate(analysis.form.free):
        chain = above[tree.links.frame[name][0]]
        moved = tree.body_motion(name, links[: len(chain)])[:, pick]
        rows.append(np.tile(len(pick) * k + np.arange(len(pick)), len(chain)))
        columns.append(np.repeat(chain, len(pick)))
        numbers.append(moved.ravel())
    at = (np.concatenate(rows), np.concatenate(columns))
    shape = (len(pick) * len(analysis.form.free), tree.links.velocities)
    return coo_array((np.concatenate(numbers), at), shape=shape).tocsr()


def _rates_above(tree: Tree) -> list[list[int]]:
    """Numbers of the rates that move every link, from the ground outwards; the last entry, of the ground, is empty."""
    own = {motion.link: list(range(motion.v.start, motion.v.stop)) for motion in tree.links.motions}
    out: list[list[int]] = []
    for link, parent in enumerate(tree.links.parent):
        out.append([*(out[parent] if parent >= 0 else []), *own.get(link, [])])
    return [*out, []]


def _equations(
    analysis: StartAnalysis, form: Absolute, twists: csr_array, model: ModelDefinition
) -> tuple[csr_array, Array, csr_array, Array, list[str]]:
    """Equations in rates of the core with their right sides: constraints, and given joint rates with their names."""
    motion = form.motion(np.array([analysis.time]))[0]
    entries = form.system.twist_jacobian_entries(analysis.assembly.q, motion)
    shape = (len(form.equations), twists.shape[0])
    at = (entries[:, 0].astype(int), entries[:, 1].astype(int))
    J = csr_array(coo_array((entries[:, 2], at), shape=shape).tocsr() @ twists)
    nu = form.system.right_sides(analysis.assembly.q, np.zeros_like(analysis.assembly.q), motion)[0]
    _require_rates(form, np.asarray(abs(J).sum(axis=1)).ravel() + nu, analysis.time)
    rated = {name for name, initial in model.initial_joints.items() if initial.v}
    soft, hard = [], []
    for k, equation in enumerate(form.equations):
        if equation.kind == "driver" and equation.name not in model.drivers:
            if str(form.model.drivers[equation.name].of).partition(".")[0] in rated:
                soft.append(k)
        elif equation.kind != "body":
            hard.append(k)
    names = [f"joint {form.model.drivers[form.equations[k].name].of}" for k in soft]
    return J[hard], nu[hard], J[soft], nu[soft], names


def _body_rates(analysis: StartAnalysis, model: ModelDefinition, body: InitialBody) -> Iterator[tuple[str, int, float]]:
    """Name, component of all twists and value of every velocity of [initial.BODY]."""
    wide = 3 if model.dimension == 2 else 6
    first = wide * analysis.form.free.index(body.body)
    for word, given, offset in (("v", body.velocity, 0), ("omega", body.omega, wide - len(body.omega))):
        for k, value in enumerate(given):
            letter = "xyz"[k] if len(given) > 1 else ""
            yield f"body {body.body}, {word}{letter},", first + offset + k, float(value)
