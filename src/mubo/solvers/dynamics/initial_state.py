"""Where a simulation begins: initial conditions of joints and bodies, and drawn bodies, as coordinates of the joints.

What goes first: a driver's law; [initial] of the joint; [initial] of the body that it carries; the position and
orientation the body is drawn with; zero, at rest. Two of them that contradict each other are refused, by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from mubo.errors import ModelError
from mubo.mechanism.estimates import Pose, drawn_body, pose_across
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.joint_frames import joint_motion, zero_coordinates
from mubo.model import GROUND, Body, Initial, target_of
from mubo.solvers.dynamics.initial_configuration import measured, off_by
from mubo.solvers.dynamics.joint_rates import rates_at_start
from mubo.topology.tree import Hinge

CONTRADICTS = 0.01  # of the mechanism's size, and radians: a drawing that is only rounded is not so far off
EXACT = 1e-6  # the same: what is worth a note


@dataclass
class InitialState:
    """Coordinates of every arm of every joint, poses of the bodies, and notes."""

    q: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    poses: dict[str, Pose] = field(default_factory=lambda: {GROUND: (np.zeros(3), np.eye(3))})
    notes: list[str] = field(default_factory=list)
    resting: list[str] = field(default_factory=list)  # joints of which nothing is said
    as_drawn: list[str] = field(default_factory=list)
    overruled: set[str] = field(default_factory=set)  # joints whose initial q is not where a driver puts them


def settled(tree: Tree, t: float) -> tuple[Tree, list[str]]:
    """The tree with all its initial conditions as those of joints, and what to know about them."""
    model, start = tree.model, InitialState()
    laws = _laws(tree, t)
    for hinge in tree.hinges:
        _place(tree, hinge, laws.get((hinge.joint, hinge.arm), {}), start)
    q = {joint.name: _joined(start.q, joint.name, len(joint.arms)) for joint in tree.joints}
    rates = {key: {number: rate for number, (_, rate) in driven.items()} for key, driven in laws.items()}
    v = rates_at_start(tree, q, rates)
    initial = {name: Initial(name, tuple(q[name]), tuple(v[name])) for name in q if q[name]}
    still = {name for name in initial if not any(v[name])}
    at_rest = [name for name in start.resting if name in still]
    notes = [f"{', '.join(at_rest)}: no initial condition given; starts at zero, at rest"] if at_rest else []
    as_drawn = [name for name in start.as_drawn if name in still]
    notes += [f"{', '.join(as_drawn)}: no initial condition given; starts as drawn, at rest"] if as_drawn else []
    by_law = {target_of(model, driver.of).joint for driver in model.drivers.values() if not driver.start}
    unused = [name for name, _ in laws if name in model.initial_joints and (name in by_law or name in start.overruled)]
    notes += start.notes + [f"joint {name}: is driven; its initial condition is not used" for name in unused]
    known = replace(tree.mechanism, model=model.changed(initial_joints=initial, initial_bodies={}))
    return replace(tree, mechanism=known), notes


def _joined(parts: dict[tuple[str, int], list[float]], joint: str, arms: int) -> list[float]:
    return [x for arm in range(arms) for x in parts[joint, arm]]


def _laws(tree: Tree, t: float) -> dict[tuple[str, int], dict[int, tuple[float, float]]]:
    """Value and rate of every driven coordinate, by joint and arm, and number."""
    out: dict[tuple[str, int], dict[int, tuple[float, float]]] = {}
    links = tree.links
    q, v, _ = tree.system.drive(np.array([t]), np.zeros((1, links.positions)), np.zeros((1, links.velocities)))
    for name, number in tree.driven.items():
        target = target_of(tree.model, tree.model.drivers[name].of)
        place = next(motion.q.start for motion in links.motions if motion.v == slice(number, number + 1))
        out.setdefault((target.joint, target.arm), {})[target.number] = (float(q[0, place]), float(v[0, number]))
    return out


def _place(tree: Tree, hinge: Hinge, driven: dict[int, tuple[float, float]], start: InitialState) -> None:
    """Coordinates of one hinge and the pose of the body it carries."""
    model, joint = tree.model, hinge.joint_in(tree.model)
    stack, given = joint_motion(model, joint), model.initial_joints.get(hinge.joint)
    wide = len(zero_coordinates(stack.dofs))
    q = list(given.q[hinge.arm * wide : (hinge.arm + 1) * wide] if given else ())
    wanted, near = drawn_body(model, hinge.child), start.poses[hinge.parent]
    said = bool(wanted.position or wanted.orientation)
    from_joint = bool(q)
    if not q:
        q = measured(stack, hinge.forward, near, wanted) if said else list(zero_coordinates(stack.dofs))
    for number, (value, _) in driven.items():
        # A law that counts from where things are drawn counts from q, unless the body is drawn elsewhere.
        if from_joint and said and abs(q[number] - value) > CONTRADICTS:
            start.overruled.add(hinge.joint)
        q[number] = value
    start.q[hinge.joint, hinge.arm] = q
    start.poses[hinge.child] = pose = pose_across(stack, hinge.forward, q, near)
    if wide and len(driven) < wide and not from_joint and hinge.joint not in model.initial_joints:
        (start.as_drawn if said else start.resting).append(hinge.joint)
    if said:
        start.notes += _compared(tree, hinge, wanted, pose, from_joint, bool(driven))


def _compared(tree: Tree, hinge: Hinge, wanted: Body, pose: Pose, from_joint: bool, driven: bool) -> Iterator[str]:
    """Refuses a start that contradicts where the body is stated to be; reports a drawing that is not met."""
    size = tree.mechanism.size
    away, turned = off_by(wanted, pose)
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
    why = "its driver puts it" if driven else f"[initial.{hinge.joint}] puts it" if from_joint else "its joint allows"
    yield f"body {hinge.child}: starts {far} away from where it is drawn: where {why}"
