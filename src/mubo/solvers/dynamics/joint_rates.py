"""Rates of joints at which the bodies that they carry move as [initial] says."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.formulations.tree import Tree
from mubo.model import InitialBody
from mubo.model.coordinates import holds_of
from mubo.topology.tree import Hinge

EXACT = 1e-7  # of the speed that is wanted


def rates_at_start(
    tree: Tree, q: dict[str, list[float]], driven: dict[tuple[str, int], dict[int, float]]
) -> dict[str, list[float]]:
    """Rates of every joint: of its driver, of its [initial], of that of its body; else zero."""
    model = tree.model
    v = {joint.name: np.zeros(len(holds_of(model, joint, True))) for joint in tree.joints}
    for hinge in tree.hinges:
        tall = len(holds_of(model, hinge.joint_in(model), True))
        own = v[hinge.joint][hinge.arm * tall : (hinge.arm + 1) * tall]  # a view: set in place
        given, body = model.initial_joints.get(hinge.joint), model.initial_bodies.get(hinge.child)
        by_law = driven.get((hinge.joint, hinge.arm), {})
        if given and given.v:
            own[:] = given.v[hinge.arm * tall : (hinge.arm + 1) * tall]
        for number, rate in by_law.items():
            own[number] = rate
        if body and (body.velocity or body.omega):
            free = [k for k in range(tall) if k not in by_law and not (given and given.v)]
            _solve(tree, hinge, body, q, v, own, free)
    return {name: [float(x) for x in values] for name, values in v.items()}


def _solve(
    tree: Tree,
    hinge: Hinge,
    body: InitialBody,
    q: dict[str, list[float]],
    v: dict[str, Array],
    own: Array,
    free: list[int],
) -> None:
    """Sets the free rates of one hinge so that its body moves as is said; refused where they cannot.

    The body's velocity is linear in them. What is not said is left at the rates zero: a body with a velocity alone does
    not turn, where its joint can do it so.
    """

    def twist() -> Array:
        return _twist(tree, hinge.child, q, v)

    at_zero = twist()
    slopes = np.zeros((6, len(free)))
    for column, k in enumerate(free):
        own[k] = 1.0
        slopes[:, column] = twist() - at_zero
        own[k] = 0.0
    wanted = np.array([*(body.velocity or [np.nan] * 3), *(body.omega or [np.nan] * 3)]) - at_zero
    said = np.isfinite(wanted)
    scale = np.linalg.norm(np.array([*body.velocity, *body.omega])) + np.linalg.norm(at_zero)
    filled = np.where(said, wanted, 0.0)
    for rows in (np.ones(6, bool), said):
        found = np.linalg.lstsq(slopes[rows], filled[rows], rcond=1e-12)[0]
        off = slopes[rows] @ found - filled[rows]
        if np.linalg.norm(off) <= EXACT * scale:
            own[free] = found
            return
    euler, given = hinge.joint_in(tree.model).options.get("euler"), tree.model.initial_joints.get(hinge.joint)
    told = f"moves otherwise by [initial.{hinge.joint}] v" if given and given.v else "does not allow its velocity"
    cure = "Euler angles may be singular here: leave out euler." if euler else "Leave out what the joint forbids."
    raise ModelError(
        f"[initial.{body.body}]: joint {hinge.joint} {told}: {np.linalg.norm(off):.3g} of {scale:.3g} is left over",
        names=[body.body, hinge.joint],
        numbers={"off": float(np.linalg.norm(off))},
        suggestion=cure,
    )


def _twist(tree: Tree, body: str, q: dict[str, list[float]], v: dict[str, Array]) -> Array:
    """Velocity of a body's origin and its angular velocity, in ground axes."""
    rates = np.concatenate([v[joint.name] for joint in tree.joints])[None]
    places = np.array([[x for joint in tree.joints for x in q[joint.name]]])
    core = tree.core_motion(places, rates, np.zeros_like(rates))
    line = tree.body_motion(body, tree.system.forward(*core))[0]
    return np.asarray(line[7:13])
