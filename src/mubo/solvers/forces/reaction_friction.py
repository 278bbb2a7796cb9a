"""Reaction friction: μ r |R| of a pin, μ |N| of a guide, where R and N include the friction itself.

Friction changes the reaction that it depends on, so that both are solved together: the fixed-point iteration
f = μ r |R(f)| starts without friction. The sign of the rate is exact, because the motion is prescribed; where a joint
is at rest, friction may have any value up to f and is taken as zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.errors import ModelError, SimulationError
from mubo.mechanism import Absolute
from mubo.mechanism.loads import SMOOTHING, NamedLoad
from mubo.note import Note
from mubo.results import Columns
from mubo.solvers.forces.reactions import ReactionMap

MOST = 300  # iterations
ROUNDING = 4 * np.finfo(float).eps
SAME = 1e-14  # of the largest friction: rounding
Sizes = dict[str, Array]  # of friction over the rows, by the name of the force


def reaction_friction_loads(form: Absolute) -> list[NamedLoad]:
    """Loads whose size follows from a reaction."""
    return [load for load in form.mechanism.loads if load.reaction_friction is not None]


def solve_friction(form: Absolute, columns: Columns, sizes_with: Callable[[Sizes], Sizes]) -> Sizes:
    """Solve for sizes of friction that agree with their reactions; `sizes_with` returns the sizes that follow from
    given ones."""
    loads = reaction_friction_loads(form)
    sizes: Sizes = {load.name: np.zeros(len(columns["t"])) for load in loads}
    for _ in range(MOST if loads else 0):
        new = sizes_with(sizes)
        changes = {name: np.nan_to_num(np.abs(new[name] - sizes[name])) for name in new}
        largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for values in new.values())
        sizes = {name: np.nan_to_num(values) for name, values in new.items()}
        if all(float(change.max(initial=0.0)) <= SAME * largest for change in changes.values()):
            return sizes
    if loads:
        name = max(changes, key=lambda name: float(changes[name].max()))
        row = int(np.argmax(changes[name]))
        joint = next(load.reaction_friction.joint for load in loads if load.name == name and load.reaction_friction)
        raise SimulationError(
            f"force {name}: friction and the reaction of joint {joint} do not converge at t = "
            f"{columns.units.time_text(columns['t'][row])}: "
            "more friction makes more reaction without end, so that the joint jams",
            names=[name, joint],
            numbers={"t": float(columns["t"][row])},
            suggestion="Take a smaller coefficient, or apply the force closer to the direction of motion.",
        )
    return sizes


def friction_sizes(form: Absolute, reaction_map: ReactionMap, wrenches: Array, unique: Booleans) -> Sizes:
    """Sizes μ r |R| and μ |N| from the joint wrenches: times × places × components."""
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
        size = np.linalg.norm(wrenches[:, number, :dimension], axis=1)
        out[load.name] = load.reaction_friction.factor * size
    return out


def rows_at_rest(load: NamedLoad, columns: Columns) -> Booleans:
    """Rows at which the coordinate of a friction is at rest: its rate is rounding."""
    none = np.zeros(len(columns["t"]), bool)
    opposes = any(carried == SMOOTHING for carried, _, _ in load.numbers)  # the sign of its rate
    only_viscous = load.reaction_friction is None and load.law is None
    if not opposes or only_viscous or load.coordinate is None:
        return none
    joint, number = load.coordinate
    rates, bends = ([c.name for c in columns.of_kind("joint", joint) if c.order == order] for order in (1, 2))
    if len(rates) <= number or len(bends) <= number:
        return none
    rate, bend = (np.abs(columns.raw(names[number])) for names in (rates, bends))
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
