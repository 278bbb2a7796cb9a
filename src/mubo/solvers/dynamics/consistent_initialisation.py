"""Consistent initial state of a planar mechanism, or of one with loops: assembled from drawing and initial conditions.

Drivers have the first priority, then the coordinates of [initial.JOINT], which are met exactly or refused, then the
pose of [initial.BODY] and the drawing, from which the nearest assembly is found. Given rates are met exactly where the
loops allow them, and of all motions that fit the one of least kinetic energy is taken; where the loops do not allow
them, the nearest motion is taken and the correction reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import AssemblyError, ModelError, SingularityError
from mubo.laws import Polynomial
from mubo.mechanism import Absolute, mechanism_of
from mubo.mechanism.formulations.absolute import absolute
from mubo.mechanism.formulations.tree import Tree, tree_form
from mubo.mechanism.rows import join_words
from mubo.model import Driver, ModelDefinition, target_of
from mubo.model.coordinates import coordinate_names
from mubo.note import Note
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_mechanism_start, start_error
from mubo.solvers.continuation.linear_algebra import format_amount
from mubo.solvers.dynamics.ball_rates import turns_about_ball
from mubo.solvers.dynamics.initial_configuration import core_positions
from mubo.solvers.dynamics.initial_velocities import initial_rates
from mubo.solvers.dynamics.simulation_events import mass_ratio_notes, start_refusal
from mubo.solvers.dynamics.solution import redundant_notes
from mubo.solvers.dynamics.turning import refuse_turning_at_start
from mubo.solvers.forces.reactions import point_positions

INITIAL_DRIVER = "initial_{}"  # name of the driver that represents an initial condition
NUDGE = 1e-2  # radians or sizes of the mechanism: distance at which the rank of the loops is compared
MOST_OFF = 0.01  # of the size, and radians: a larger deviation from [initial.BODY] is refused
EXACT = 1e-6


def consistent_initial_state(model: ModelDefinition, start: float, end: float) -> tuple[Tree, list[Note]]:
    """Return the tree with its loops closed at the start, and notes on its initial state."""
    placed = place_initial_bodies(model)
    tree = tree_form(mechanism_of(placed), start, end)
    analysis = analyse_mechanism_start(mechanism_of(with_initial_drivers(placed, start)), start)
    if not analysis.closed or analysis.reversed:
        raise start_error(analysis) or AssemblyError("the mechanism cannot be assembled at the start")
    refuse_turning_at_start(tree, analysis.form, analysis.assembly.q, analysis.motion)
    _require_journals_inside(analysis.form, analysis.assembly.q)
    notes = [*analysis.notes, *overruled_initial_notes(placed), *_check_poses(model, analysis)]
    q = core_positions(tree, analysis)
    v = np.zeros(tree.links.velocities)
    if not tree.closing.rows:
        q, v, _ = (line[0] for line in tree.system.drive(np.array([start]), q[None], v[None]))
    else:
        tree = replace(tree, left_out=_dependent_equations(tree, start, q))
        q, v = project_on_loops(tree, start, q, v)
        notes += redundant_notes([str(tree.closing.equations[k]) for k in tree.left_out])
    rated = absolute(mechanism_of(with_initial_drivers(placed, start, rates=True)))
    v, rate_notes = initial_rates(tree, analysis, rated, model, q, v)
    if tree.closing.rows:
        q, v = project_on_loops(tree, start, q, v)
    return replace(tree, state=(q, v)), notes + rate_notes


def _require_journals_inside(form: Absolute, q: Array) -> None:
    """Refuses journals that begin outside the clearance of their film, with the distance and the cure."""
    model = form.model
    for name, force in model.forces.items():
        if not loads_of(model.dimension)[force.kind].formula.bears_by_motion:
            continue
        one, two = (point_positions(form, q[None, None], *model.place(end))[0] for end in force.on)
        away, clearance = float(np.hypot(*(two - one))), force.options["clearance"]
        unit = model.units.unit_of("length")
        if not away < clearance:
            raise ModelError(
                f"force {name}: the journal begins {away:.4g} {unit} from the middle of its bearing, whose clearance "
                f"is {clearance:.4g} {unit}",
                names=[name],
                suggestion="Place the journal within the clearance, or enlarge that.",
            )


def project_on_loops(tree: Tree, t: float, q: Array, v: Array) -> tuple[Array, Array]:
    """Project a state on the loops: the nearest one in the metric of the masses."""
    status, where, q, v = _core.project_onto_loops(tree.system, t, q, v)
    if status == Status.open_loop:
        owner, when = tree.closing.equations[where].owner, tree.model.units.time_text(t)
        raise AssemblyError(f"{owner} cannot be closed at the start, t = {when}")
    if status != Status.done:
        raise start_refusal(tree, t, status, where)
    return q, v


def place_initial_bodies(model: ModelDefinition) -> ModelDefinition:
    """Return the model with its bodies drawn at the poses of [initial.BODY]."""
    bodies = dict(model.bodies)
    for given in model.initial_bodies.values():
        body = bodies[given.body]
        angle = body.angle if given.angle is None else given.angle
        position, turned = given.position or body.position, given.orientation or body.orientation
        bodies[given.body] = replace(body, position=position, angle=angle, orientation=turned)
    return model.changed(bodies=bodies)


def with_initial_drivers(model: ModelDefinition, t: float, rates: bool = False) -> ModelDefinition:
    """Return the model with a driver for every initial joint coordinate that is not driven; with `rates` also where
    only the rate is given: then the value of the driver has no meaning."""
    initial = {driver.name: driver for driver in _initial_drivers(model, t, rates)}
    return model.changed(drivers={**model.drivers, **initial})


def _initial_drivers(model: ModelDefinition, t: float, rates: bool) -> Iterator[Driver]:
    driven = driven_coordinates(model)
    for initial in model.initial_joints.values():
        joint = model.joints[initial.joint]
        names = coordinate_names(model, joint)
        if turns_about_ball(model, joint):
            continue  # placed by the estimates: a ball has no coordinate that a driver could lock
        zeros = (0.0,) * len(initial.v) if rates else ()
        for k, value in enumerate(initial.q or zeros):
            of = joint.name if len(names) == 1 else f"{joint.name}.{names[k]}"
            if (joint.name, k) in driven:
                continue
            factor = model.units.angle_factor() if target_of(model, of).holds == "angle" else 1.0
            rate = initial.v[k] if initial.v else 0.0
            law = Polynomial(((value - rate * t) / factor, rate / factor))
            yield Driver(_new_name(model, INITIAL_DRIVER.format(of.replace(".", "_"))), of, law)


def _new_name(model: ModelDefinition, name: str) -> str:
    while name in model.drivers:
        name += "_"
    return name


def driven_coordinates(model: ModelDefinition) -> set[tuple[str, int]]:
    """Joint and number of every joint coordinate that a driver prescribes."""
    targets = [target_of(model, driver.of) for driver in model.drivers.values()]
    return {(target.joint, target.number) for target in targets if target.joint}


def overruled_initial_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on initial conditions of driven joints."""
    for joint, _ in sorted(driven_coordinates(model)):
        if joint in model.initial_joints:
            yield Note("dynamics.initial_not_used", joint=joint)


def _check_poses(model: ModelDefinition, analysis: StartAnalysis) -> Iterator[Note]:
    """Refuse a pose of [initial.BODY] that the joints do not allow; report a small correction of it."""
    form, dimension = analysis.form, model.dimension
    for given in model.initial_bodies.values():
        pose = analysis.assembly.q.reshape(-1, form.width)[form.numbers[given.body]]
        away = float(np.linalg.norm(pose[:dimension] - given.position)) if given.position else 0.0
        turned = abs(float(pose[2]) - given.angle) if given.angle is not None else 0.0
        if given.orientation:
            along = abs(float(np.dot(pose[3:], given.orientation))) / float(np.linalg.norm(pose[3:]))
            turned = 2 * float(np.arccos(min(along, 1.0)))
        size = form.mechanism.size
        if away > MOST_OFF * size or turned > MOST_OFF:
            off = [format_amount(one, holds, model.units) for one, holds in ((away, "length"), (turned, "angle"))]
            raise ModelError(
                f"[initial.{given.body}]: the joints do not allow its pose: {off[0]} away, turned by {off[1]} at the "
                "nearest",
                names=[given.body],
                numbers={"away": away, "turned": turned},
                suggestion="Give the coordinates of a joint, or a place that the mechanism can reach.",
            )
        if away > EXACT * size or turned > EXACT:
            off_by = {"length": away * (away > EXACT * size), "angle": turned * (turned > EXACT)}
            yield Note("dynamics.starts_away", body=given.body, **off_by, units=model.units)


def _dependent_equations(tree: Tree, t: float, q: Array) -> tuple[int, ...]:
    """Return the equations that depend on others, to be left out; refuse them if they depend only at the start."""
    status, _, kept = _core.choose_rows(tree.system, t, q)
    if status != Status.done:
        return ()  # the start itself reports which DOF has no inertia
    left = tuple(int(k) for k in np.flatnonzero(kept == 0))
    if left and _has_higher_rank_nearby(tree, t, q, int(np.sum(kept))):
        names = sorted({tree.closing.equations[k].owner for k in left})
        for note in mass_ratio_notes(tree):
            raise ModelError(f"the rank of the loop equations cannot be determined: {note}", names=names)
        raise SingularityError(
            f"the mechanism starts in a singular position: there {join_words(names)} does not hold its loop together, "
            "and the motion is not determined",
            names=names,
            suggestion="Start a little beside this position.",
        )
    return left


def _has_higher_rank_nearby(tree: Tree, t: float, q: Array, count: int) -> bool:
    """Whether more equations are independent a little along the motions that the others allow: equations left out stay
    closed there only if they are redundant everywhere."""
    status, nearby = _nearby_position(tree, t, q)
    if status != Status.done:
        return status == Status.open_loop
    _, _, there = _core.choose_rows(tree.system, t, nearby)
    _core.choose_rows(tree.system, t, q)
    return int(np.sum(there)) > count


def _nearby_position(tree: Tree, t: float, q: Array) -> tuple[Status, Array]:
    """Return a position a little along a motion that the independent equations allow; q itself where there is none."""
    size, rng = tree.mechanism.size, np.random.default_rng(0)
    v = rng.uniform(0.5, 1.0, tree.links.velocities)
    status, _, _, rates = _core.project_onto_loops(tree.system, t, q, v)
    largest = float(np.max(np.abs(rates), initial=0.0))
    if status != Status.done or not largest > 1e-9 * size:
        return Status.done, q
    out = q.copy()
    for motion in tree.links.motions:
        step = NUDGE / largest * rates[motion.v] * min(size, 1.0)
        if motion.kind != "ball":
            out[motion.q] += step
        else:
            w, xyz = out[motion.q][0], out[motion.q][1:]
            turned = np.array([w - xyz @ step / 2, *(xyz + (w * step + np.cross(xyz, step)) / 2)])
            out[motion.q] = turned / np.linalg.norm(turned)
    status, _, out, _ = _core.project_onto_loops(tree.system, t, out, np.zeros_like(v))
    return status, out
