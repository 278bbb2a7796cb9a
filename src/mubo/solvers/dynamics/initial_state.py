"""Initial state of an open tree: coordinates and rates of the joints from drivers, [initial] tables and drawn bodies.

For each joint the first applicable rule sets the initial condition: the law of its driver; [initial] of the joint;
[initial] of the body that it carries; the position and orientation of the body as drawn; zero, at rest. Data of lower
priority must agree with it, and are refused by name where they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.estimates import Pose, drawn_body, pose_across
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
from mubo.model import GROUND, Body, Initial, InitialBody, target_of
from mubo.model.coordinates import holds_of
from mubo.note import Note
from mubo.solvers.dynamics.initial_configuration import coordinates_at, pose_error
from mubo.topology.tree import Hinge

CONTRADICTS = 0.01  # of the size of the mechanism, and radians: more than the rounding of a drawing
EXACT = 1e-6  # of the size, and radians: a larger deviation is reported
RATE_TOLERANCE = 1e-7  # of the given speed


@dataclass
class InitialState:
    """Coordinates of every arm of every joint, poses of the bodies, and notes."""

    q: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    poses: dict[str, Pose] = field(default_factory=lambda: {GROUND: (np.zeros(3), np.eye(3))})
    notes: list[Note] = field(default_factory=list)
    resting: list[str] = field(default_factory=list)  # joints without initial condition
    as_drawn: list[str] = field(default_factory=list)
    overruled: set[str] = field(default_factory=set)  # joints whose driver overrules their initial q


def initial_joint_state(tree: Tree, t: float) -> tuple[Tree, list[Note]]:
    """Return the tree with all initial conditions as those of its joints, and notes on them."""
    model, start = tree.model, InitialState()
    laws = _driven_values(tree, t)
    for hinge in tree.hinges:
        _place_body(tree, hinge, laws.get((hinge.joint, hinge.arm), {}), start)
    q = {joint.name: [x for arm in range(len(joint.arms)) for x in start.q[joint.name, arm]] for joint in tree.joints}
    rates = {key: {number: rate for number, (_, rate) in driven.items()} for key, driven in laws.items()}
    v = initial_joint_rates(tree, q, rates)
    initial = {name: Initial(name, tuple(q[name]), tuple(v[name])) for name in q if q[name]}
    still = {name for name in initial if not any(v[name])}
    at_rest = [name for name in start.resting if name in still]
    notes = [Note("dynamics.starts_at_zero", joints=at_rest)] if at_rest else []
    as_drawn = [name for name in start.as_drawn if name in still]
    notes += [Note("dynamics.starts_as_drawn", joints=as_drawn)] if as_drawn else []
    by_law = {target_of(model, driver.of).joint for driver in model.drivers.values() if not driver.start}
    unused = [name for name, _ in laws if name in model.initial_joints and (name in by_law or name in start.overruled)]
    notes += start.notes + [Note("dynamics.initial_not_used", joint=name) for name in unused]
    known = replace(tree.mechanism, model=model.changed(initial_joints=initial, initial_bodies={}))
    return replace(tree, mechanism=known), notes


def _driven_values(tree: Tree, t: float) -> dict[tuple[str, int], dict[int, tuple[float, float]]]:
    """Value and rate of every driven coordinate, by joint and arm, and number."""
    out: dict[tuple[str, int], dict[int, tuple[float, float]]] = {}
    links = tree.links
    q, v, _ = tree.system.drive(np.array([t]), np.zeros((1, links.positions)), np.zeros((1, links.velocities)))
    for name, number in tree.driven.items():
        target = target_of(tree.model, tree.model.drivers[name].of)
        place = next(motion.q.start for motion in links.motions if motion.v == slice(number, number + 1))
        out.setdefault((target.joint, target.arm), {})[target.number] = (float(q[0, place]), float(v[0, number]))
    return out


def _place_body(tree: Tree, hinge: Hinge, driven: dict[int, tuple[float, float]], start: InitialState) -> None:
    """Set the coordinates of one hinge and the pose of the body that it carries."""
    model, joint = tree.model, hinge.joint_in(tree.model)
    stack, given = joint_motion(model, joint), model.initial_joints.get(hinge.joint)
    wide = len(zero_coordinates(stack.dofs))
    q = list(given.q[hinge.arm * wide : (hinge.arm + 1) * wide] if given else ())
    wanted, near = drawn_body(model, hinge.child), start.poses[hinge.parent]
    drawn = bool(wanted.position or wanted.orientation)
    from_joint = bool(q)
    if not q:
        q = coordinates_at(stack, hinge.forward, near, wanted) if drawn else list(zero_coordinates(stack.dofs))
    for number, (value, _) in driven.items():
        # A law that starts from the drawing starts from q, unless the body is drawn elsewhere.
        if from_joint and drawn and abs(q[number] - value) > CONTRADICTS:
            start.overruled.add(hinge.joint)
        q[number] = value
    start.q[hinge.joint, hinge.arm] = q
    start.poses[hinge.child] = pose = pose_across(stack, hinge.forward, q, near)
    if wide and len(driven) < wide and not from_joint and hinge.joint not in model.initial_joints:
        (start.as_drawn if drawn else start.resting).append(hinge.joint)
    if drawn:
        start.notes += _check_pose(tree, hinge, wanted, pose, from_joint, bool(driven))


def _check_pose(tree: Tree, hinge: Hinge, wanted: Body, pose: Pose, from_joint: bool, driven: bool) -> Iterator[Note]:
    """Refuse a start that contradicts the stated pose of the body; report a drawing that is not met."""
    size = tree.mechanism.size
    away, turned = pose_error(wanted, pose)
    if away <= EXACT * size and turned <= EXACT:
        return
    unit = tree.model.units.length if tree.model.units.declared else ""
    angle = turned / tree.model.units.angle_factor()
    parts = [f"{away:.3g} {unit}".rstrip()] * (away > EXACT * size)
    parts += [f"turned by {angle:.3g} {tree.model.units.angle or 'rad'}"] * (turned > EXACT)
    far = " and ".join(parts)
    of_body = hinge.child in tree.model.initial_bodies
    source = f"[initial.{hinge.child}]" if of_body else "drawn"
    contradicts = away > CONTRADICTS * size or turned > CONTRADICTS
    if contradicts and from_joint and not driven:
        raise ModelError(
            f"body {hinge.child}: [initial.{hinge.joint}] puts it {far} away from where it is "
            + (f"by {source}" if of_body else source),
            names=[hinge.child, hinge.joint],
            numbers={"away": away, "turned": turned},
            suggestion="Leave out one of the two, or make them agree.",
        )
    if contradicts and of_body:
        raise ModelError(
            f"body {hinge.child}: joint {hinge.joint} does not allow the place of {source}: {far} away at the nearest",
            names=[hinge.child, hinge.joint],
            numbers={"away": away, "turned": turned},
            suggestion=f"Give [initial.{hinge.joint}] instead, or a place that the joint can reach.",
        )
    by = "driver" if driven else f"[initial.{hinge.joint}]" if from_joint else "joint"
    yield Note("dynamics.drawn_elsewhere", body=hinge.child, far=far, by=by)


def initial_joint_rates(
    tree: Tree, q: dict[str, list[float]], driven: dict[tuple[str, int], dict[int, float]]
) -> dict[str, list[float]]:
    """Rates of every joint: by its driver, by its [initial], by that of its body; else zero."""
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
            _solve_rates(tree, hinge, body, q, v, own, free)
    return {name: [float(x) for x in values] for name, values in v.items()}


def _solve_rates(
    tree: Tree,
    hinge: Hinge,
    body: InitialBody,
    q: dict[str, list[float]],
    v: dict[str, Array],
    own: Array,
    free: list[int],
) -> None:
    """Set the free rates of one hinge so that its body has the given velocity; refuse it where they cannot.

    The velocity of the body is linear in the rates. Components that are not given stay zero if possible: a body with a
    velocity alone does not turn where its joint allows it.
    """

    def twist() -> Array:
        return _twist(tree, hinge.child, q, v)

    at_zero = twist()
    derivatives = np.zeros((6, len(free)))
    for column, k in enumerate(free):
        own[k] = 1.0
        derivatives[:, column] = twist() - at_zero
        own[k] = 0.0
    wanted = np.array([*(body.velocity or [np.nan] * 3), *(body.omega or [np.nan] * 3)]) - at_zero
    given_parts = np.isfinite(wanted)
    scale = np.linalg.norm(np.array([*body.velocity, *body.omega])) + np.linalg.norm(at_zero)
    filled = np.where(given_parts, wanted, 0.0)
    for rows in (np.ones(6, bool), given_parts):
        found = np.linalg.lstsq(derivatives[rows], filled[rows], rcond=1e-12)[0]
        off = derivatives[rows] @ found - filled[rows]
        if np.linalg.norm(off) <= RATE_TOLERANCE * scale:
            own[free] = found
            return
    euler, given = hinge.joint_in(tree.model).options.get("euler"), tree.model.initial_joints.get(hinge.joint)
    conflict = f"moves otherwise by [initial.{hinge.joint}] v" if given and given.v else "does not allow its velocity"
    cure = "Euler angles may be singular here: leave out euler." if euler else "Leave out what the joint forbids."
    raise ModelError(
        f"[initial.{body.body}]: joint {hinge.joint} {conflict}: {np.linalg.norm(off):.3g} of {scale:.3g} is left over",
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
