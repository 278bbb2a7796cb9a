"""Reaction friction: μ r |R| of a pin, μ |N| of a guide, where R and N include the friction itself.

Friction changes the reaction that it depends on, so that both are solved together: the fixed-point iteration
f = μ r |R(f)| starts without friction. The sign of the rate is exact, because the motion is prescribed; where a joint
is at rest, friction may have any value up to f and is taken as zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.errors import ModelError, SimulationError
from mubo.mechanism import Absolute
from mubo.mechanism.loads import SMOOTHING, NamedLoad
from mubo.note import Note
from mubo.results import Columns
from mubo.solvers.forces.reactions import ReactionMap, body_axes

if TYPE_CHECKING:
    from mubo.mechanism.transmission_friction import TransmissionFriction

MOST = 300  # iterations
ROUNDING = 4 * np.finfo(float).eps
SAME = 1e-14  # of the largest friction: rounding
LOCKED = 1e-9  # a thread whose friction grows by as much as it is changed, up to this part, locks
Sizes = dict[str, Array]  # of friction over the rows, by the name of the force


def reaction_friction_loads(form: Absolute) -> list[NamedLoad]:
    """Loads whose size follows from a reaction."""
    return [load for load in form.mechanism.loads if load.reaction_friction is not None]


def solve_friction(form: Absolute, columns: Columns, sizes_with: Callable[[Sizes], Sizes]) -> Sizes:
    """Solve for sizes of friction that agree with their reactions; `sizes_with` returns the sizes that follow from
    given ones."""
    loads = reaction_friction_loads(form)
    sizes: Sizes = {load.name: np.zeros(len(columns["t"])) for load in loads}
    geared = {load.name for load in loads if load.reaction_friction and load.reaction_friction.transmission}
    before: tuple[Sizes, Sizes] | None = None
    for _ in range(MOST if loads else 0):
        new = sizes_with(sizes)
        changes = {name: np.nan_to_num(np.abs(new[name] - sizes[name])) for name in new}
        largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for values in new.values())
        if all(float(change.max(initial=0.0)) <= SAME * largest for change in changes.values()):
            return {name: np.nan_to_num(values) for name, values in new.items()}
        used, before = before, (sizes, new)
        sizes = {name: np.nan_to_num(values) for name, values in new.items()}
        if used is not None:
            (one, by_one), (two, by_two) = used, before
            sizes |= {name: _secant(one[name], by_one[name], two[name], by_two[name]) for name in geared}
    if loads:
        name = max(changes, key=lambda name: float(changes[name].max()))
        row = int(np.argmax(changes[name]))
        joint = next(load.reaction_friction.joint for load in loads if load.name == name and load.reaction_friction)
        if name in geared:
            raise SimulationError(
                f"force {name}: {joint} is driven back at t = {columns.units.time_text(columns['t'][row])} and locks "
                "itself: no torque at its other side moves it",
                names=[name, joint],
                numbers={"t": float(columns["t"][row])},
                suggestion="Drive it from the other side, or give it a larger lead angle or less friction.",
            )
        raise SimulationError(
            f"force {name}: friction and the reaction of joint {joint} do not converge at t = "
            f"{columns.units.time_text(columns['t'][row])}: "
            "more friction makes more reaction without end, so that the joint jams",
            names=[name, joint],
            numbers={"t": float(columns["t"][row])},
            suggestion="Take a smaller coefficient, or apply the force closer to the direction of motion.",
        )
    return sizes


def _secant(one: Array, by_one: Array, two: Array, by_two: Array) -> Array:
    """Sizes by a secant step: those of a thread or mesh are linear in themselves while their signs stay.

    Where the size grows by as much as it is changed, there is no equilibrium, and the size itself is the next one.
    """
    change = two - one
    slope = np.divide(by_two - by_one, change, out=np.zeros_like(change), where=change != 0)
    step = np.where(slope < 1 - LOCKED, (by_two - two) / np.maximum(1 - slope, LOCKED), by_two - two)
    return np.maximum(np.nan_to_num(two + step), 0.0)


def friction_sizes(
    form: Absolute,
    reaction_map: ReactionMap,
    wrenches: Array,
    unique: Booleans,
    states: Array,
    lam: Array,
    columns: Columns,
) -> Sizes:
    """Sizes μ r |R| and μ |N| from the joint wrenches: times × places × components; of threads and meshes by the sense
    of their motion."""
    dimension, out = form.mechanism.dimension, {}
    for load in reaction_friction_loads(form):
        assert load.reaction_friction is not None
        number = next(k for k, place in enumerate(reaction_map.places) if place.joint == load.reaction_friction.joint)
        if not np.all(unique[:, number, :dimension]):
            raise ModelError(
                f"{form.model.where}force {load.name}: the reaction of joint {load.reaction_friction.joint} is "
                "indeterminate, and so is its friction",
                names=[load.name, load.reaction_friction.joint],
                suggestion="Give the stiffness of the joints that share the load, or its friction as an effort.",
            )
        transmission = load.reaction_friction.transmission
        if transmission is not None:
            resisting = _resisting_torque(form, reaction_map, transmission, states, wrenches[:, number], lam)
            rate = columns.raw(_rates(load, columns)[0])
            factor = np.where(resisting * rate > 0, transmission.driving, transmission.driven)
            out[load.name] = factor * np.abs(resisting)
            continue
        size = np.linalg.norm(wrenches[:, number, :dimension], axis=1)
        out[load.name] = load.reaction_friction.factor * size
    return out


def _resisting_torque(
    form: Absolute,
    reaction_map: ReactionMap,
    transmission: TransmissionFriction,
    states: Array,
    wrench: Array,
    lam: Array,
) -> Array:
    """L: the torque with which a thread or mesh resists its coordinate."""
    values = form.values[transmission.owner]
    joint = form.model.joints[transmission.owner]
    gain = transmission.gain(values, float(joint.options.get("lead", 0.0)))
    if transmission.mesh:
        (equation,) = reaction_map.equations_of(f"joint {transmission.mesh}")
        return np.asarray(gain * lam[:, equation])
    place = next(place for place in reaction_map.places if place.joint == joint.name)
    first, second = (reference.partition(".")[0] for reference in joint.between)
    axis = body_axes(form, states, first) @ np.array(values["z_i"], float)
    sign = 1.0 if place.body == second else -1.0
    return np.asarray(sign * gain * np.sum(axis * wrench[:, :3], axis=1))


def _rates(load: NamedLoad, columns: Columns) -> tuple[str, str]:
    """Columns of the rate and of the acceleration of a friction's coordinate; empty where the motion has none."""
    assert load.coordinate is not None
    joint, number = load.coordinate
    rates, bends = ([c.name for c in columns.of_kind("joint", joint) if c.order == order] for order in (1, 2))
    return (rates[number], bends[number]) if min(len(rates), len(bends)) > number else ("", "")


def rows_at_rest(load: NamedLoad, columns: Columns) -> Booleans:
    """Rows at which the coordinate of a friction is at rest: its rate is rounding."""
    none = np.zeros(len(columns["t"]), bool)
    opposes = any(carried == SMOOTHING for carried, _, _ in load.numbers)  # the sign of its rate
    only_viscous = load.reaction_friction is None and load.law is None
    if not opposes or only_viscous or load.coordinate is None:
        return none
    names = _rates(load, columns)
    if not all(names):
        return none
    rate, bend = (np.abs(columns.raw(name)) for name in names)
    return np.asarray(rate <= 1e-12 * rate.max(initial=0.0) + ROUNDING * bend * np.abs(columns["t"]))


def rest_notes(form: Absolute, columns: Columns) -> list[Note]:
    """Notes on rows at which a joint with friction is at rest."""
    out = []
    for load in form.mechanism.loads:
        still = np.flatnonzero(rows_at_rest(load, columns))
        if len(still) and load.coordinate:
            where = {"t": float(columns["t"][still[0]]), "rows": len(still), "units": columns.units}
            out.append(Note("forces.friction_at_rest", force=load.name, joint=load.coordinate[0], **where))
    return out
