"""References of a linearisation: an equilibrium, the position as drawn, or a steady motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mubo.analyses.kinematics import COLUMNS_OF_A_BODY
from mubo.analyses.statics.equilibria import describe_failed_search, static_problem
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.absolute import absolute
from mubo.mechanism.rows import join_words
from mubo.model.coordinates import coordinate_names
from mubo.note import Note
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.dynamics.consistent_initialisation import driven_coordinates, overruled_initial_notes
from mubo.solvers.linear.matrices import POINTS, LinearMatrices, NoSecondOrder, linear_matrices
from mubo.solvers.linear.prerequisites import require_inertia_of_motions
from mubo.solvers.linear.reduced_coordinates import ReducedCoordinates
from mubo.solvers.linear.steady_state import find_steady_motion, require_steady
from mubo.solvers.statics.equilibrium import Equilibrium
from mubo.solvers.statics.equilibrium_search import EquilibriumSearch, search_equilibria
from mubo.solvers.statics.static_problem import StaticForceSolver, StaticProblem
from mubo.solvers.statics.static_state import (
    FreeCoordinate,
    StaticState,
    fastest_coordinates,
    free_coordinates,
)

MOST_NUMBERS = 1e8  # about 100 DOFs of a chain of 100 bodies
ABOUT = ("equilibrium", "position", "steady")


@dataclass(frozen=True, eq=False)
class Reference:
    """The linearised equations, a description of their reference, and notes."""

    reduced: LinearMatrices
    description: str
    notes: tuple[Note, ...] = ()


def reference(
    look: StartAnalysis,
    start: Array,
    about: str,
    number: int | None,
    dofs: Sequence[str],
    initial: bool = False,
    freed: Sequence[str] = (),
) -> Reference:
    """Linearised motion about the equilibrium nearest to a start (or one by the number that statics give it), about the
    start itself, which is drawn or `initial`, or about a steady motion near it. `freed` are the coordinates of drivers
    that are left undriven."""
    try:
        return _reference(look, start, about, number, dofs, initial, freed)
    except NoSecondOrder as missing:  # coordinates that matter are taken first
        try:
            return _reference(look, start, about, number, (*dofs, *missing.names), initial, freed)
        except ModelError:  # they do not determine the free motions either
            raise missing from None


def _reference(
    look: StartAnalysis,
    start: Array,
    about: str,
    number: int | None,
    dofs: Sequence[str],
    initial: bool,
    freed: Sequence[str],
) -> Reference:
    if about == "equilibrium":
        return _about_equilibrium(look, start, number, dofs)
    if about == "steady":
        return _about_steady(look, start, dofs)
    out = linear_matrices(reduced_coordinates(static_problem(look, None), start, dofs), accelerating=True)
    if not dofs and out.reduced.positions is None and acceleration_notes(out.reduced, out.accelerations, out.rate):
        near = _by_energy(out, freed)
        out = out if near.names == out.reduced.names else linear_matrices(near, accelerating=True)
    notes = (*acceleration_notes(out.reduced, out.accelerations, out.rate), *ignorable_notes(out.reduced))
    return Reference(out, describe_position(initial), notes)


def _by_energy(out: LinearMatrices, freed: Sequence[str]) -> ReducedCoordinates:
    """The degrees of freedom of a position that is no equilibrium: its roots depend on them, so that they must not
    depend on how the model is written."""
    near = out.reduced
    rates = np.array([one.rates for one in near.coordinates])
    chosen = fastest_coordinates(StaticState(near.problem, near.q), rates.T @ out.M @ rates, freed)
    return replace(near, coordinates=tuple(chosen)) if len(chosen) == near.count else near


def _about_equilibrium(look: StartAnalysis, start: Array, number: int | None, dofs: Sequence[str]) -> Reference:
    rest = static_problem(look, None)
    found = search_equilibria(rest, start, 0) if number is None else search_equilibria(rest, look.assembly.q)
    if not found.equilibria:
        found = search_equilibria(rest, start)
    if not found.equilibria:
        raise SimulationError(
            describe_failed_search(found),
            suggestion="Linearise about the position as drawn (position) or about a steady motion (steady).",
        )
    one = _chosen(found, number)
    near = reduced_coordinates(rest, one.state.q, dofs)
    return Reference(linear_matrices(near), f"a{'n' * (one.stability[0] in 'aeiou')} {one.stability} equilibrium")


def _chosen(found: EquilibriumSearch, number: int | None) -> Equilibrium:
    count = len(found.equilibria)
    if number is not None and not 1 <= number <= count:
        raise ModelError(
            f"there is no equilibrium {number}: statics found {count}", suggestion="`mubo statics` lists them."
        )
    return found.equilibria[(number or 1) - 1]


def describe_position(initial: bool) -> str:
    return "the initial position" if initial else "the position as drawn"


def acceleration_notes(near: ReducedCoordinates, accelerations: Array, rate: float) -> tuple[Note, ...]:
    """Note on coordinates that the loads accelerate."""
    moving = np.abs(accelerations) / near.sizes > 1e-9 * rate**2
    found = {near.names[k]: (float(accelerations[k]), near.coordinates[k].holds) for k in np.flatnonzero(moving)}
    if not found:
        return ()
    units = near.problem.form.model.units
    return (Note("linear.not_an_equilibrium", accelerations=found, dofs=near.names, units=units),)


def _about_steady(look: StartAnalysis, start: Array, dofs: Sequence[str]) -> Reference:
    rest = replace(static_problem(look, None), motion=look.motion)
    rates = _rates_given(look)
    near = reduced_coordinates(rest, start, (*dofs, *(name for name in rates if name not in dofs)))
    spinning = [one.name for one in near.coordinates if one.name == one.rate]
    if spinning:
        raise ModelError(
            f"{join_words(spinning)}: rotations of ball joints and of free bodies in space have no coordinate that a "
            "steady motion could keep",
            names=spinning,
            suggestion="Give the joint Euler angles, or lead the body by joints of one degree of freedom each.",
        )
    names = [one.name for one in near.coordinates]
    unused = [name for name in rates if name not in names]
    if unused:
        raise ModelError(
            f"[initial] gives {join_words(unused)} a rate, which follows from other rates and drivers",
            names=unused,
            suggestion="Give rates of as many joints as are free, and of none that is driven.",
        )
    near = find_steady_motion(replace(near, rates=np.array([rates.get(name, 0.0) for name in names])))
    out = linear_matrices(near)
    require_steady(out)
    notes = (*overruled_initial_notes(look.form.model), *ignorable_notes(near))
    return Reference(out, "a steady motion", notes)


def _rates_given(look: StartAnalysis) -> dict[str, float]:
    """Rates that [initial] gives to joints that are not driven, by the name of the coordinate."""
    model = look.form.model
    if model.initial_bodies:
        raise ModelError(
            f"[initial.{next(iter(model.initial_bodies))}]: a steady motion takes its rates from drivers and joints",
            suggestion="Give [initial] of a joint with v.",
        )
    out: dict[str, float] = {}
    driven = driven_coordinates(model)
    for name, given in model.initial_joints.items():
        words = coordinate_names(model, model.joints[name])
        rates = enumerate(zip(words, given.v, strict=False))
        out |= {f"{name}.{word}": rate for k, (word, rate) in rates if rate and (name, k) not in driven}
    return out


def reduced_coordinates(rest: StaticProblem, q: Array, dofs: Sequence[str]) -> ReducedCoordinates:
    """Independent coordinates at a closed position; raises where they do not determine every free motion with mass."""
    mechanism = rest.form.mechanism
    if mechanism.positions_only:
        form = absolute(replace(mechanism, positions_only=False), rest.form.prescribed)
        whole = replace(rest, solver=StaticForceSolver(form, rest.solver.length_scale, 0))
        near = _independent_coordinates(whole, q, dofs)
        place = _independent_coordinates(rest, q, near.names)
        order = sorted(place.coordinates, key=lambda one: near.names.index(one.name) if one.name in near.names else 99)
        near = replace(near, positions=replace(place, coordinates=tuple(order)))
    else:
        near = _independent_coordinates(rest, q, dofs)
    require_inertia_of_motions(near)
    return near


def _independent_coordinates(rest: StaticProblem, q: Array, dofs: Sequence[str]) -> ReducedCoordinates:
    state = StaticState(rest, q)
    chosen = free_coordinates(state, tuple(dofs), turns=True)
    _require_determined(state, chosen, dofs)
    _require_few(rest, len(chosen))
    return ReducedCoordinates(rest, q, tuple(chosen), np.zeros(len(chosen)))


def ignorable_notes(near: ReducedCoordinates) -> tuple[Note, ...]:
    """Note on the coordinates of the position that are not among the degrees of freedom: nothing depends on them."""
    others = near.place.names[near.count :]
    return (Note("linear.ignorable", coordinates=others),) if others else ()


def _require_few(rest: StaticProblem, count: int) -> None:
    """Refuses systems whose differences, along every degree of freedom with the rates of all at four points, are too
    many."""
    bodies = len(rest.form.free)
    numbers = len(POINTS) * count * (count + 1) * COLUMNS_OF_A_BODY[rest.form.mechanism.dimension] * bodies
    if numbers > MOST_NUMBERS:
        raise ModelError(
            f"linearising {count} degrees of freedom of {bodies} bodies takes {numbers:.2g} numbers; at most "
            f"{MOST_NUMBERS:.0e} are allowed: the equations are dense, and cost the cube of the degrees of freedom",
            suggestion="Drive some of the joints, or linearise a part of the mechanism.",
        )


def _require_determined(state: StaticState, chosen: list[FreeCoordinate], dofs: Sequence[str]) -> None:
    """Refuses coordinates that were asked for and do not determine the free motions."""
    if len(chosen) < len(state.free):
        raise SimulationError(
            "no coordinates of joints or bodies determine every free motion here: the position is singular",
            suggestion="Linearise about another position.",
        )
    names = [one.name for one in chosen]
    for name in dofs:
        if name not in names:
            known = names if len(dofs) == 1 else [*names, *dofs]
            raise ModelError(
                f'"{name}" is no coordinate that determines a free motion here. {nearest(name, known)}', names=[name]
            )
