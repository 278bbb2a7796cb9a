"""Events of a simulation, and the reason why it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.formulations.tree import Tree
from mubo.model.column_laws import ColumnLaw
from mubo.model.column_names import Column
from mubo.model.event_target import watched_column
from mubo.note import Note
from mubo.results import Event
from mubo.solvers.continuation.linear_algebra import format_amount
from mubo.solvers.dynamics.integration import IntegrationResult
from mubo.solvers.dynamics.settings import STIFF

SPREAD = 1e8  # of masses
MASSLESS = ' Write a link without mass that closes a loop between two pins as a joint of type "distance".'
OF_LOADS = (Status.zero_length, Status.no_size, Status.jammed)  # statuses that concern a load


def require_start(tree: Tree, t: float, y: Array, user: Callable[[float, Array, Array], Array] | None) -> None:
    """Refuse a motion that cannot begin, with the reason."""
    status, where, rates = tree.system.rhs(t, y, user)
    if status == Status.done:
        if not np.all(np.isfinite(rates)):
            raise ModelError(
                f"at the start, t = {tree.model.units.time_text(t)}, speeds or accelerations are not finite numbers",
                suggestion="A length, a mass, a speed or a load is too large to compute with: check its units.",
            )
        return
    raise start_refusal(tree, t, status, where)


def start_refusal(tree: Tree, t: float, status: Status, where: int) -> ModelError:
    """Return the error of a motion that cannot begin, from the status of the core."""
    names = [_owner(tree, status, where)]
    if status == Status.zero_inertia:
        floating = {hinge.joint: hinge.child for hinge in tree.hinges if hinge.inserted}
        if names[0] in floating:
            return ModelError(
                f"body {floating[names[0]]}: nothing resists its motion: it moves freely and has no mass or no inertia",
                names=[floating[names[0]]],
                suggestion="Give it a mass and an inertia, or lock its rotation by a joint.",
            )
        return ModelError(
            f"joint {names[0]}: nothing resists its motion: the bodies that it carries have no inertia about its axis",
            names=names,
            suggestion="Give the body at its end a mass or inertia, or prescribe the motion of the joint by a driver."
            + MASSLESS * bool(tree.closing.rows),
        )
    return ModelError(f"at the start, t = {tree.model.units.time_text(t)}: {_reason(tree, status, where)}", names=names)


def mass_ratio_notes(tree: Tree) -> Iterator[Note]:
    """Note on masses so different that the forces on light bodies are lost in rounding."""
    heavy = {name: body.whole.mass for name, body in tree.model.bodies.items() if body.whole.mass}
    if not heavy:
        return
    most, least = max(heavy, key=heavy.__getitem__), min(heavy, key=heavy.__getitem__)
    if heavy[most] > SPREAD * heavy[least]:
        yield Note("dynamics.mass_ratio", heavy=most, light=least, ratio=heavy[most] / heavy[least])


def simulation_events(tree: Tree, done: IntegrationResult, method: str) -> list[Event]:
    """Events of the model and singular positions in the order of time; last the reason why a run stopped early."""
    events = sorted([*_model_events(tree, done), *_singularities(tree, done)], key=lambda event: event.t)
    return [*events, *([] if done.completed else [_stop(tree, done, method)])]


def _singularities(tree: Tree, done: IntegrationResult) -> Iterator[Event]:
    """Singular positions of the loops that the motion went through."""
    for t, equation in done.singularities:
        fact = Note(
            "events.singularity_passed", t=t, equation=equation, left_out=len(tree.left_out), units=tree.model.units
        )
        yield Event("bifurcation", t, {}, (), fact, went_on=True)


def _stop(tree: Tree, done: IntegrationResult, method: str) -> Event:
    """Event of a run that stopped early: the reason of the integration, or the status of the core in words."""
    reason = done.reason or _reason(tree, done.status, done.where)
    if done.status == Status.step_limit:
        reason = Note("events.too_many_steps", steps=done.steps + done.rejected)
    if done.status == Status.collapsed:
        named = tree.state_names()[done.component] if done.component >= 0 else "the motion"
        reason = Note("events.step_collapsed", changing=named, stiff=method in STIFF)
    fact = Note(
        "events.simulation_stops",
        t=done.reached,
        reason=reason,
        fastest=_fastest(tree, done),
        units=tree.model.units,
    )
    return Event("failure", done.reached, {}, (), fact)


def _fastest(tree: Tree, done: IntegrationResult) -> str:
    """The joint of the fastest motion at the last good state with its rate, or "" where nothing moves."""
    first, count = tree.links.positions, tree.links.velocities
    rates = np.abs(done.last[first : first + count])
    if not len(rates) or not np.max(rates) > 0:
        return ""
    at = int(np.argmax(rates))
    motion = next(m for m in tree.links.motions if m.v.start <= at < m.v.stop)
    rate = format_amount(
        float(rates[at]), "length" if motion.kind in ("slide", "shift") else "angle", tree.model.units, order=1
    )
    return f"{tree.label(motion.joint)}, {rate}"


def _model_events(tree: Tree, done: IntegrationResult) -> list[Event]:
    events = list(tree.model.events.values())
    out = []
    for number, t in sorted(done.events, key=lambda entry: entry[1]):
        event = events[number]
        column = watched_column(tree.model, event.of)
        factor, unit, _ = tree.model.units.unit(column.holds, column.order)
        fact = Note(
            "events.level_reached",
            event=event.name,
            of=event.of,
            value=event.value / factor,
            unit=unit,
            t=t,
            stops=event.stop,
            units=tree.model.units,
        )
        out.append(Event("crossing", t, {}, _bodies(tree, column), fact, went_on=not event.stop))
    return out


def _bodies(tree: Tree, column: Column) -> tuple[str, ...]:
    """Bodies of the column of an event."""
    if column.kind == "joint":
        return tuple(end.partition(".")[0] for end in tree.model.joints[column.owner].between)
    return (column.owner,) if column.kind == "body" else ()


def _owner(tree: Tree, status: Status, where: int) -> str:
    if where < 0:
        return ""
    if status in (Status.open_loop, Status.singular_loop):
        return tree.closing.equations[where].name
    return tree.forces[where] if status in OF_LOADS else tree.links.names()[where]


def _reason(tree: Tree, status: Status, where: int) -> Note:
    owner = _owner(tree, status, where)
    bodies = {hinge.joint: hinge.child for hinge in tree.hinges}
    if status == Status.zero_length:
        return Note("events.force_without_direction", force=owner)
    if status == Status.no_size:
        law = tree.mechanism.loads[where].law
        return Note("events.force_without_size", force=owner, law=law.description if isinstance(law, ColumnLaw) else "")
    if status == Status.jammed:
        joint = tree.mechanism.loads[where].reaction_friction
        if joint is not None and joint.transmission is not None:
            return Note("events.transmission_locks", force=owner, joint=joint.joint)
        return Note("events.joint_jams", force=owner, joint=joint.joint if joint else "")
    if status == Status.zero_inertia:
        return Note("events.inertia_lost", motion=tree.label(owner))
    if status == Status.not_finite:
        return Note("events.number_without_bounds", body=bodies.get(owner, ""))
    if status == Status.open_loop:
        return Note("events.loop_opens", constraint=owner)
    if status == Status.singular_loop:
        return Note("events.loop_singular", constraint=owner, absolute=False)
    return Note("events.core_stops", status=status, owner=owner)
