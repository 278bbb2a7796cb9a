"""Where a mechanism of the plane, or one with loops, begins: assembled from the drawing and the initial conditions.

What goes first: the drivers; the coordinates of [initial.JOINT], which are met exactly or refused; the place of
[initial.BODY] and the drawing, from which the nearest assembly is found. Rates that are given are met exactly where
the loops allow them, and the others change from rest as little as they can in the metric of the masses; where the loops
do not allow them, the nearest motion is taken and the correction reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import AssemblyError, ModelError, SingularityError
from mubo.laws import Polynomial
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.absolute import absolute
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.mechanism.wording import join_words
from mubo.model import Driver, ModelDefinition, target_of
from mubo.model.coordinates import coordinate_names, reported_dofs
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_mechanism_start, start_error
from mubo.solvers.dynamics.from_poses import core_positions
from mubo.solvers.dynamics.initial_velocities import rates_given
from mubo.solvers.dynamics.simulation_events import mass_spread, no_start
from mubo.solvers.dynamics.solution import redundant_notes

HELD = "initial_{}"  # the driver that stands for an initial condition
NUDGE = 1e-2  # radians or sizes of the mechanism: whether the rank of the loops is less here than beside
STRAYED = 0.01  # of the size, and radians: what [initial.BODY] may be off before it is refused
EXACT = 1e-6


def assembled(model: ModelDefinition, start: float, end: float) -> tuple[Tree, list[str]]:
    """The tree with its loops closed at the start, and what to know about how it begins."""
    placed = as_said(model)
    tree = tree_form(mechanism_of(placed), start, end)
    look = analyse_mechanism_start(mechanism_of(with_held(placed, start)), start)
    if not look.closed or look.reversed:
        raise start_error(look) or AssemblyError("the mechanism cannot be assembled at the start")
    notes = [*look.notes, *_overruled(placed), *_strayed(model, look)]
    q = core_positions(tree, look)
    v = np.zeros(tree.links.velocities)
    if not tree.closing.rows:
        q, v, _ = (line[0] for line in tree.system.drive(np.array([start]), q[None], v[None]))
    else:
        tree = replace(tree, left_out=_independent(tree, start, q))
        q, v = settled_at(tree, start, q, v)
        notes += redundant_notes([str(tree.closing.equations[k]) for k in tree.left_out])
    rated = absolute(mechanism_of(with_held(placed, start, rates=True)))
    given, told = rates_given(tree, look, rated, model, q, v)
    if tree.closing.rows:
        q, given = settled_at(tree, start, q, given)
    return replace(tree, state=(q, given)), notes + told


def settled_at(tree: Tree, t: float, q: Array, v: Array) -> tuple[Array, Array]:
    """The state on the loops that is nearest in the metric of the masses."""
    status, where, q, v = _core.project_onto_loops(tree.system, t, q, v)
    if status == Status.open_loop:
        raise AssemblyError(f"{tree.closing.equations[where].owner} cannot be closed at the start, t = {t:g}")
    if status != Status.done:
        raise no_start(tree, t, status, where)
    return q, v


def as_said(model: ModelDefinition) -> ModelDefinition:
    """The model drawn where [initial.BODY] says."""
    bodies = dict(model.bodies)
    for said in model.initial_bodies.values():
        body = bodies[said.body]
        angle = body.angle if said.angle is None else said.angle
        position, turned = said.position or body.position, said.orientation or body.orientation
        bodies[said.body] = replace(body, position=position, angle=angle, orientation=turned)
    return model.changed(bodies=bodies)


def with_held(model: ModelDefinition, t: float, rates: bool = False) -> ModelDefinition:
    """The model with a driver for every coordinate of a joint that is given, which no driver of its own moves; with
    `rates` also where only its rate is given: then the value of the driver says nothing."""
    held = {driver.name: driver for driver in _held(model, t, rates)}
    return model.changed(drivers={**model.drivers, **held})


def _held(model: ModelDefinition, t: float, rates: bool) -> Iterator[Driver]:
    driven = _driven(model)
    for initial in model.initial_joints.values():
        joint = model.joints[initial.joint]
        names, dofs = coordinate_names(model, joint), reported_dofs(model, joint)
        kinds = [dof.kind for dof in dofs for _ in dof.q]
        if "ball" in kinds:
            continue  # placed by the estimates: a ball has no coordinate to hold
        alone = (0.0,) * len(initial.v) if rates else ()
        for k, value in enumerate(initial.q or alone):
            of = joint.name if len(names) == 1 else f"{joint.name}.{names[k]}"
            if (joint.name, k) in driven:
                continue
            factor = model.units.angle_factor() if target_of(model, of).holds == "angle" else 1.0
            rate = initial.v[k] if initial.v else 0.0
            law = Polynomial(((value - rate * t) / factor, rate / factor))
            yield Driver(_new_name(model, HELD.format(of.replace(".", "_"))), of, law)


def _new_name(model: ModelDefinition, name: str) -> str:
    while name in model.drivers:
        name += "_"
    return name


def _driven(model: ModelDefinition) -> set[tuple[str, int]]:
    targets = [target_of(model, driver.of) for driver in model.drivers.values()]
    return {(target.joint, target.number) for target in targets if target.joint}


def _overruled(model: ModelDefinition) -> Iterator[str]:
    for joint, _ in sorted(_driven(model)):
        if joint in model.initial_joints:
            yield f"joint {joint}: is driven; its initial condition is not used"


def _strayed(model: ModelDefinition, look: StartAnalysis) -> Iterator[str]:
    """Refuses a place of [initial.BODY] that the joints do not allow; reports a small correction of it."""
    form, dimension = look.form, model.dimension
    for said in model.initial_bodies.values():
        pose = look.assembly.q.reshape(-1, form.width)[form.free.index(said.body)]
        away = float(np.linalg.norm(pose[:dimension] - said.position)) if said.position else 0.0
        turned = abs(float(pose[2]) - said.angle) if said.angle is not None else 0.0
        if said.orientation:
            along = abs(float(np.dot(pose[3:], said.orientation))) / float(np.linalg.norm(pose[3:]))
            turned = 2 * float(np.arccos(min(along, 1.0)))
        size = form.mechanism.size
        if away > STRAYED * size or turned > STRAYED:
            raise ModelError(
                f"[initial.{said.body}]: the joints do not allow its place: {away:.3g} {model.units.length} away, "
                f"turned by {turned:.3g} rad at the nearest",
                names=[said.body],
                numbers={"away": away, "turned": turned},
                suggestion="Give the coordinates of a joint, or a place that the mechanism can reach.",
            )
        if away > EXACT * size or turned > EXACT:
            yield f"body {said.body}: starts {away:.3g} away from its [initial], where its joints allow"


def _independent(tree: Tree, t: float, q: Array) -> tuple[int, ...]:
    """Equations that depend on others at the start, left out for the run; refused where they do so here only."""
    status, _, kept = _core.choose_rows(tree.system, t, q)
    if status != Status.done:
        return ()  # the start itself reports which DOF has no inertia
    left = tuple(int(k) for k in np.flatnonzero(kept == 0))
    if left and _more_beside(tree, t, q, int(np.sum(kept))):
        names = sorted({tree.closing.equations[k].owner for k in left})
        for apart in mass_spread(tree):
            raise ModelError(f"which equations close the loops cannot be told: {apart}", names=names)
        raise SingularityError(
            f"the mechanism starts in a singular position: there {join_words(names)} does not hold its loop together, "
            "and the motion is not determined",
            names=names,
            suggestion="Start a little beside this position.",
        )
    return left


def _more_beside(tree: Tree, t: float, q: Array, count: int) -> bool:
    """Whether more equations are independent a little along the motions that the others allow: there the ones left out
    stay closed by themselves only if they are redundant everywhere."""
    status, beside = _beside(tree, t, q)
    if status != Status.done:
        return status == Status.open_loop
    _, _, there = _core.choose_rows(tree.system, t, beside)
    _core.choose_rows(tree.system, t, q)
    return int(np.sum(there)) > count


def _beside(tree: Tree, t: float, q: Array) -> tuple[Status, Array]:
    """A position a little along a motion that the independent equations allow; q itself where there is none."""
    size, rng = tree.mechanism.size, np.random.default_rng(0)
    v = rng.uniform(0.5, 1.0, tree.links.velocities)
    status, _, _, moved = _core.project_onto_loops(tree.system, t, q, v)
    largest = float(np.max(np.abs(moved), initial=0.0))
    if status != Status.done or not largest > 1e-9 * size:
        return Status.done, q
    out = q.copy()
    for motion in tree.links.motions:
        step = NUDGE / largest * moved[motion.v] * min(size, 1.0)
        if motion.kind != "ball":
            out[motion.q] += step
        else:
            w, xyz = out[motion.q][0], out[motion.q][1:]
            turned = np.array([w - xyz @ step / 2, *(xyz + (w * step + np.cross(xyz, step)) / 2)])
            out[motion.q] = turned / np.linalg.norm(turned)
    status, _, out, _ = _core.project_onto_loops(tree.system, t, out, np.zeros_like(v))
    return status, out
