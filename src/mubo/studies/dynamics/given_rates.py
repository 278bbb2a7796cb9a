"""Rates at the start of a mechanism that is assembled: those given, and the least change of the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse import coo_array

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism import Absolute
from mubo.mechanism.forms.tree import Tree
from mubo.model import Initial, InitialBody, Model
from mubo.model.coordinates import told_freedoms
from mubo.studies.position.inspect import Inspection
from mubo.studies.position.words import join_words

EXACT = 1e-6  # of the velocities given: what is worth a note
LEAST_MASS = 1e-12  # of the largest entry of M, so that a freedom without inertia does not stop the solution here


def rates_given(
    tree: Tree, look: Inspection, rated: Absolute, model: Model, q: Array, v: Array
) -> tuple[Array, list[str]]:
    """Rates of the core that meet drivers, loops and what [initial] says; the others change as little as they can.

    `rated` has a driver for every rate of a joint that is given.

    v are the rates that drivers alone give. From those and the rates given, all others at rest, the least change x is
    sought that meets all equations: with M = R'R the least |R x|.
    """
    said = [initial for initial in model.initial.values() if initial.v]
    bodies = [body for body in model.initial_bodies.values() if body.velocity or body.omega]
    for initial in said:
        _require_no_ball(model, initial)
    if not said and not bodies:
        return v, []
    twists = _twists(tree, look, q)
    hard, held, wanted = _equations(look, rated, twists, model)
    for body in bodies:
        for owner, line, value in _of_body(look, model, twists, body):
            held[0].append(line)
            held[1].append(value)
            held[2].append(owner)
    A, b = np.array(held[0]).reshape(-1, hard.shape[1]), np.array(held[1])
    M = tree.system.crba(q)
    R = cholesky(M + LEAST_MASS * np.max(np.abs(M)) * np.eye(len(M)))
    both, right = np.vstack([hard, A]), np.concatenate([wanted, b])
    begun = _begun(tree, model, v)
    found = begun + _least(R, both, right - both @ begun)
    size = sum(float(np.max(np.abs(rates), initial=0.0)) for rates in (b, wanted, begun))
    off = float(np.max(np.abs(both @ found - right), initial=0.0))
    if off <= EXACT * size:
        return found, []
    if np.max(np.abs(hard @ _least(R, hard, wanted) - wanted), initial=0.0) > EXACT * size:
        raise _held_fast(list(model.drivers))
    free = begun + _least(R, A, b - A @ begun)
    found = free + _least(R, hard, wanted - hard @ free)
    reached, worst = A @ found, int(np.argmax(np.abs(A @ found - b)))
    note = "the initial velocities do not fit the loops: the nearest motion is taken"
    return found, [f"{note}; {held[2][worst]} starts with {reached[worst]:.3g}, not with {b[worst]:.3g}"]


def _require_no_ball(model: Model, initial: Initial) -> None:
    if any(f.kind == "ball" for f in told_freedoms(model, model.joints[initial.joint])) and any(initial.v):
        raise ModelError(
            f"[initial.{initial.joint}]: rates of a ball are not taken where there are loops",
            names=[initial.joint],
            suggestion="Give omega of the body that it carries: [initial.BODY].",
        )


def _held_fast(drivers: list[str]) -> ModelError:
    who = join_words([f"driver {name}" for name in drivers])
    return ModelError(
        f"the loops and the rate of {who} contradict each other at the start: the loops do not let it move so",
        names=drivers,
        suggestion="Drive a joint that can move there, or one coordinate less.",
    )


def _begun(tree: Tree, model: Model, v: Array) -> Array:
    """The rates that drivers and joints of the tree have by themselves; all others rest."""
    out = v.copy()
    for motion in tree.links.motions:
        given = model.initial.get(motion.joint)
        if given and motion.first_rate < len(given.v) and motion.kind != "ball" and motion.v.start not in _by_law(tree):
            out[motion.v] = given.v[motion.first_rate]
    return out


def _by_law(tree: Tree) -> set[int]:
    return set(tree.driven.values())


def _least(R: Array, A: Array, b: Array) -> Array:
    """x with A x = b (in the sense of least squares) and the least |R x|."""
    inner = solve_triangular(R, A.T, trans="T").T
    return np.asarray(solve_triangular(R, np.linalg.lstsq(inner, b, rcond=1e-10)[0]))


def _twists(tree: Tree, look: Inspection, q: Array) -> Array:
    """Twists of all moving bodies per rate of the core: velocity, then angular velocity; in the plane vx, vy, ω."""
    n = tree.links.velocities
    links = tree.system.forward(np.tile(q, (n, 1)), np.eye(n), np.zeros((n, n)))
    pick = [0, 1, 5] if tree.model.dimension == 2 else list(range(6))
    return np.concatenate([tree.body_motion(name, links)[:, 7:13][:, pick].T for name in look.form.free])


def _equations(
    look: Inspection, form: Absolute, twists: Array, model: Model
) -> tuple[Array, tuple[list[Array], list[float], list[str]], Array]:
    """Rows in rates of the core: those that must hold with their right sides, and those of given joint rates, which
    have a name."""
    motion = form.motion(np.array([look.time]))[0]
    entries = form.system.twist_jacobian_entries(look.assembly.q, motion)
    shape = (len(form.equations), len(twists))
    at = (entries[:, 0].astype(int), entries[:, 1].astype(int))
    J = coo_array((entries[:, 2], at), shape=shape).tocsr() @ twists
    nu = form.system.right_sides(look.assembly.q, np.zeros_like(look.assembly.q), motion)[0]
    rated = {name for name, initial in model.initial.items() if initial.v}
    soft, hard = [], []
    for k, equation in enumerate(form.equations):
        if equation.kind == "driver" and equation.name not in model.drivers:
            if str(form.model.drivers[equation.name].of).partition(".")[0] in rated:
                soft.append(k)
        elif equation.kind != "body":
            hard.append(k)
    names = [f"joint {form.model.drivers[form.equations[k].name].of}" for k in soft]
    return J[hard], ([J[k] for k in soft], [float(nu[k]) for k in soft], names), nu[hard]


def _of_body(look: Inspection, model: Model, twists: Array, body: InitialBody) -> Iterator[tuple[str, Array, float]]:
    """Name, row in rates of the core and value of every number that is given of a body's motion."""
    wide = 3 if model.dimension == 2 else 6
    first = wide * look.form.free.index(body.body)
    for word, given, offset in (("v", body.velocity, 0), ("omega", body.omega, wide - len(body.omega))):
        for k, value in enumerate(given):
            letter = "xyz"[k] if len(given) > 1 else ""
            yield f"body {body.body}, {word}{letter},", twists[first + offset + k], float(value)
