"""Simulation with contact, impact and exact friction: DOP853 from switch to switch, in joint or absolute coordinates.

In absolute coordinates every body is free and every joint an equation with multipliers; both formulations use the same
contact laws, so that they check each other's mechanics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from mubo import _core
from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.contact_arrays import ContactUnits
from mubo.mechanism.formulations.contact_units import contact_units, idle_pair_notes, units_by_owner
from mubo.mechanism.formulations.tree import Tree
from mubo.note import Note
from mubo.results import Column
from mubo.solvers.dynamics.consistent_initialisation import consistent_initial_state
from mubo.solvers.dynamics.contact_forces import ImpactMotion, contact_forces, impact_motion, recorded_units
from mubo.solvers.dynamics.integration import (
    BY_COLUMNS,
    ENERGY_FREE,
    SLICE,
    IntegrationResult,
    absolute_tolerances,
    event_list,
)
from mubo.solvers.dynamics.settings import EXPLICIT, SimulationSettings
from mubo.solvers.dynamics.solution import DynamicSolution, energy_balance, loops_summary
from mubo.solvers.dynamics.tree_columns import tree_columns
from mubo.solvers.dynamics.tree_motion import law_corners, motion_at

IMPACT, TOUCH, REST, PART, STICK, SLIP = range(6)
INSIDE = 1e-8  # of the size: deeper, bodies begin inside each other
SLOW, CLOSED = 1e-11, 1e-10  # of speed and size of the mechanism: below them a slip rests and a gap is closed


@dataclass(frozen=True)
class Switch:
    """An impact, or the change of a contact or friction: when, whose, what, velocities, impulses and energy lost."""

    t: float
    owner: int
    kind: int
    before: float
    after: float
    normal: float
    tangential: float
    lost: float
    slip_before: float
    slip_after: float


def solve_contact(tree: Tree, grid: Array, settings: SimulationSettings) -> DynamicSolution:
    """Solve a motion with contacts by the formulation that the settings name; by itself in joint coordinates."""
    if settings.formulation not in ("auto", "tree", "absolute") or settings.method not in ("auto", EXPLICIT):
        raise ModelError(
            f"contact and exact friction are integrated by {EXPLICIT} in joint or absolute coordinates",
            suggestion="Leave out --method and --formulation, or use --formulation absolute.",
        )
    absolute = settings.formulation == "absolute"
    settings = replace(settings, method=EXPLICIT, formulation="absolute" if absolute else "tree")
    if absolute:
        tree = absolute_tree(tree, float(grid[0]), float(grid[-1]))
    units = contact_units(tree)
    events = event_list(tree) if settings.events else []
    if any(entry == BY_COLUMNS for entry, *_ in events):
        raise ModelError(
            "an event of accelerations or forces is not located in a simulation with contact",
            suggestion="Watch a position or a velocity; contacts report their own events.",
        )
    run = _run(tree, grid, settings, units, events)
    return _solution(tree, grid, settings, units, run)


def absolute_tree(tree: Tree, start: float, end: float) -> Tree:
    """Return the model with every joint as an equation and every body free."""
    model = tree.model
    joints = {}
    for name, joint in model.joints.items():
        can_cut = model.kinds[joint.kind].hinge and model.kinds[joint.kind].rows
        joints[name] = replace(joint, options={**joint.options, "role": "cut"}) if can_cut else joint
    if all(joints[name] is joint for name, joint in model.joints.items()):
        return tree  # every body is free already
    found, _ = consistent_initial_state(model.changed(joints=joints), start, end)
    return found


def _run(tree: Tree, grid: Array, settings: SimulationSettings, units: ContactUnits, events: list) -> _core.ContactRun:  # type: ignore[type-arg]
    start, end = float(grid[0]), float(grid[-1])
    y = tree.begin(start)
    corners = law_corners(tree.model, grid)
    atol = absolute_tolerances(tree, grid, y, settings, ENERGY_FREE, contacts=True)
    size = tree.mechanism.size
    gravity = float(np.linalg.norm(tree.model.gravity or (0.0,)))
    speed = max(np.sqrt(size * gravity), size / (end - start) if end > start else 0.0, 1e-300)
    run = _core.ContactRun(
        tree.system, start, end, y, grid, settings.rtol, atol, 0.0, max(end - start, 1e-300),
        settings.most_steps(len(grid)), corners[(corners > start) & (corners < end)], events, settings.user, None,
        units.units, tree.model.dimension == 2, SLOW * speed, CLOSED * size, settings.reactions,
    )  # fmt: skip
    status = Status.running
    while status == Status.running:
        status = run.advance(SLICE)
        settings.progress(run.t - start, end - start)
    return run


def _solution(
    tree: Tree, grid: Array, settings: SimulationSettings, units: ContactUnits, run: _core.ContactRun
) -> DynamicSolution:
    states, table = run.states(), run.rows_of_contact()
    recorded, unit_rows = recorded_units(units, run)
    if not len(states):
        raise _start_refusal(tree, units, run, float(grid[0]))
    t = grid[: len(states)]
    nv = tree.links.velocities
    _require_apart(tree, recorded, unit_rows[0])
    motion = motion_at(tree, t, states, replace(settings, user=_recorded(t, table[:, nv : 2 * nv], settings.user)))
    numbers = tree.system.energy(motion.t, motion.q, motion.v, tree.turns(states))[3]
    numbers[:, 2] += table[:, 2 * nv]
    balance = energy_balance(tree.model, numbers, motion.exchanged)
    numbers_of_run, times, *_ = run.events()
    switches = [Switch(*one) for one in run.switches()]
    done = IntegrationResult(
        states,
        run.t,
        run.status,
        run.where if settings.formulation == "tree" else -1,  # links of absolute coordinates have no joints
        steps=run.steps,
        rejected=run.rejected,
        evaluations=run.evaluations,
        events=[(int(n), float(at)) for n, at in zip(numbers_of_run, times, strict=True)],
        ends=run.ends(),
        projected=run.taken,
        last=run.last(),
        reason=_reason(units, run),
    )
    columns = tree_columns(tree, motion, balance)
    columns.extend(_contact_columns(tree, recorded, unit_rows))
    loops = {}
    if tree.closing.rows:
        equations = [str(equation) for equation in tree.closing.equations]
        loops = loops_summary(list(tree.closing.joints), equations, list(tree.left_out), motion.loops[:, :2])
    return DynamicSolution(
        settings.formulation, EXPLICIT, columns, balance, done, loops, [*_used_laws(tree, units, run, switches)],
        friction=motion.friction, switches=tuple(switches), units=units,
        contacts=contact_forces(recorded, unit_rows), impacts=_impacts(tree, units, run),
    )  # fmt: skip


def _impacts(tree: Tree, units: ContactUnits, run: _core.ContactRun) -> ImpactMotion | None:
    """Impacts with their jumps of velocity, where reactions are asked for."""
    kept, switches = run.impacts(), run.switches()
    return impact_motion(tree, units, kept, [switches[one[0]][0] for one in kept]) if kept else None


def _require_apart(tree: Tree, units: ContactUnits, start: Array) -> None:
    """Refuse rigid bodies that begin inside each other, with the depth and the cure."""
    for owner, unit, row in zip(units.owners, units.units, start, strict=True):
        rigid, depth = unit[3][0] > 0, -float(row[0])
        if owner.kind != "contact" or not rigid or depth <= INSIDE * tree.mechanism.size:
            continue
        turns = owner.holds == "torque"
        factor, unit_text, _ = tree.model.units.unit("angle" if turns else "length")
        raise ModelError(
            f"contact {owner.name}: {' and '.join(owner.bodies)} begin {depth / factor:.4g} {unit_text}".rstrip()
            + " inside each other",
            names=[owner.name],
            numbers={"depth": depth / factor},
            suggestion="Move one of them by that depth, or give the contact a stiffness.",
        )


def _recorded(t: Array, efforts: Array, user: Callable[..., Array] | None) -> Callable[[float, Array, Array], Array]:
    """Generalised forces of contacts at the rows, as a function that the evaluation of rows calls."""
    rows = {float(at): row for at, row in zip(t, efforts, strict=True)}

    def force(at: float, q: Array, v: Array) -> Array:
        own = np.ascontiguousarray(rows[float(at)])
        return own if user is None else own + user(at, q, v)

    return force


def _contact_columns(tree: Tree, units: ContactUnits, rows: Array) -> Iterator[tuple[Column, Array]]:
    """Columns of every contact and exact friction: gap, forces on the first surface's body, place."""
    words = "xyz"[: tree.model.dimension]
    for kind, name, numbers in units_by_owner(units):
        own = rows[:, numbers]
        holds = units.owners[numbers[0]].holds
        known = own[:, :, 22].astype(np.int64)  # bits: normals, friction
        normal_known, all_known = bool(np.all(known & 1)), bool(np.all(known == 3))
        if kind == "force":
            yield (
                Column(f"{name}.{holds}", "load", name, holds, 0, holds, unique=bool(np.all(known & 1))),
                own[:, 0, 16],
            )
            continue
        gap = np.min(own[:, :, 0], axis=1)
        nearest = np.argmin(own[:, :, 0], axis=1)
        sense = np.array([units.owners[k].sense for k in numbers])
        length = "angle" if holds == "torque" else "length"
        yield Column(f"{name}.gap", "contact", name, "gap", 0, length), gap
        yield (
            Column(f"{name}.normal", "contact", name, "normal", 0, holds, unique=normal_known),
            own[:, :, 16].sum(axis=1),
        )
        if holds == "torque":
            continue
        column = Column(f"{name}.friction", "contact", name, "friction", 0, "force", unique=all_known)
        yield column, own[:, :, 17].sum(axis=1)
        force = sum(
            (sense[None, :, None] * own[:, :, 16 + i, None] * own[:, :, 4 + 4 * i : 7 + 4 * i]).sum(axis=1)
            for i in range(3)
        )
        for k, word in enumerate(words):
            yield Column(f"{name}.f{word}", "contact", name, f"f{word}", 0, "force", unique=all_known), force[:, k]
        place = own[np.arange(len(own)), nearest, 1:4]
        pressed = np.clip(own[:, :, 16], 0.0, None)
        whole = pressed.sum(axis=1, keepdims=True)
        centre = (pressed[:, :, None] * own[:, :, 1:4]).sum(axis=1) / np.where(whole > 0, whole, 1.0)
        place = np.where(whole > 0, centre, place)
        for k, word in enumerate(words):
            yield Column(f"{name}.{word}", "contact", name, word, 0, "length"), place[:, k]


def _reason(units: ContactUnits, run: _core.ContactRun) -> Note | None:
    if run.status != Status.no_contact_solution:
        return None
    owner = units.owners[run.where] if 0 <= run.where < len(units.owners) else None
    return Note("events.contacts_contradict", contact=f"{owner.kind} {owner.name}" if owner else "")


def _start_refusal(tree: Tree, units: ContactUnits, run: _core.ContactRun, t: float) -> ModelError:
    reason = _reason(units, run) or Note("events.core_stops", status=run.status, owner="")
    return ModelError(f"at the start, t = {tree.model.units.time_text(t)}: {reason}")


def _used_laws(tree: Tree, units: ContactUnits, run: _core.ContactRun, switches: list[Switch]) -> Iterator[Note]:
    """Notes on what was used: exact friction, the law of impact, and where sequences of impacts ended in rest."""
    exact = [owner.name for owner in units.owners if owner.kind == "force"]
    if exact:
        yield Note("dynamics.exact_friction", forces=exact)
    if any(one.kind == IMPACT for one in switches):
        names = [name for name, contact in tree.model.contacts.items() if contact["impact"] == "poisson"]
        yield Note("dynamics.restitution", poisson=names, contacts=len(tree.model.contacts))
    yield from idle_pair_notes(tree)
    if run.largest_gain > 0:
        yield Note("dynamics.restitution_reduced")
    if run.impacts_together:
        yield Note("dynamics.impacts_together", count=run.impacts_together)
    if run.tangential_impacts:
        yield Note("dynamics.tangential_impacts", count=run.tangential_impacts)
