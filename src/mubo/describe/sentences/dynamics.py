"""Sentences on simulations: their start, their equations, contacts, and stiffness."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.mechanism.rows import join_words
from mubo.quantities.units import Units
from mubo.solvers.continuation.linear_algebra import format_amount

MOST_NAMED = 4  # bodies whose motion is chosen
STIFF = {"absolute": "in absolute coordinates by Radau", "tree": "in joint coordinates by BDF"}
CURES = {
    "looser": "; looser tolerances take longer ones",
    "BDF": "; --method BDF takes longer ones",
    "cheapest": ", which still come to its end with less work than those of a stiff method",
    "free": "; without --method and --formulation the method that needs least work is chosen",
}
BY = {"driver": "its driver puts it", "joint": "its joint allows"}


def equations_left_out(equations: Sequence[str]) -> str:
    """Redundant equations of loops are left out of the integration."""
    count = len(equations)
    return (
        f"{count} redundant equation{'s' * (count > 1)} left out ({', '.join(dict.fromkeys(equations))}): the others "
        f"impose {'them' if count > 1 else 'it'}, and {'they are' if count > 1 else 'it is'} watched along the "
        "motion"
    )


def mass_ratio(heavy: str, light: str, ratio: float) -> str:
    """Masses are so different that forces on light bodies are lost in rounding."""
    return (
        f"the mass of {heavy} is {ratio:.1e} times that of {light}: forces on the light body "
        "have that many digits less; check the units"
    )


def initial_not_used(joint: str) -> str:
    """A driver overrules an initial condition."""
    return f"joint {joint}: is driven; its initial condition is not used"


def starts_at_zero(joints: Sequence[str]) -> str:
    """Joints without initial condition start at zero."""
    return f"{', '.join(joints)}: no initial condition given; starts at zero, at rest"


def starts_as_drawn(joints: Sequence[str]) -> str:
    """Joints without initial condition start where their bodies are drawn."""
    return f"{', '.join(joints)}: no initial condition given; starts as drawn, at rest"


def starts_away(body: str, length: float, angle: float, units: Units) -> str:
    """A body starts beside its initial pose; what is zero is negligible, the angle is in radians."""
    parts = [f"{format_amount(length, 'length', units)} away"] if length else []
    parts += [f"turned by {format_amount(angle, 'angle', units)}"] if angle else []
    return f"body {body}: starts {' and '.join(parts)} from its [initial], where its joints allow"


def drawn_elsewhere(body: str, far: str, by: str) -> str:
    """A body starts beside where it is drawn: by its "driver", its "joint" or the [initial] of a joint."""
    return f"body {body}: starts {far} away from where it is drawn: where {BY.get(by) or f'{by} puts it'}"


def velocities_do_not_fit(name: str, holds: str, rate: float, asked: float, units: Units) -> str:
    """Initial velocities contradict the loops, and the nearest motion is taken."""
    has, wanted = (format_amount(one, holds, units, order=1) for one in (rate, asked))
    return (
        f"the initial velocities do not fit the loops: the nearest motion is taken; {name} starts with {has}, not with "
        f"{wanted}"
    )


def velocities_chosen(bodies: Sequence[str]) -> str:
    """Rates that nothing determines are those of least kinetic energy."""
    more = [f"{len(bodies) - MOST_NAMED} more"] if len(bodies) > MOST_NAMED + 1 else []
    named = join_words([*(bodies[:MOST_NAMED] if more else bodies), *more])
    return (
        f"the given rates and drivers do not determine the initial velocity of {named}: of all motions that fit, the "
        "one of least kinetic energy is taken"
    )


def reactions_undefined(t: float, rows: int, units: Units) -> str:
    """Reactions have no numbers at a change point."""
    at = f"t = {units.time_text(t)}" + (f" and {rows - 1} more rows" if rows > 1 else "")
    where = "the mechanism is in a change point, or too close to it (no numbers there)"
    return f"reactions are not defined at {at}: {where}"


def stiff(rate: float, t: float, best: str, stopped: Sequence[tuple[str, float]], units: Units) -> str:
    """The model is stiff: how it was solved, and where other methods stopped; "" names the explicit method."""
    how = f"solved {STIFF[best]}" if best in STIFF else "no stiff method comes farther"
    text = f"the model is stiff (fastest rate {_rate(rate, units)}, found at t = {units.time_text(t, 3)}): {how}"
    for name, reached in stopped:
        text += f"; {STIFF.get(name) or f'by {name}'} it stops at t = {units.time_text(reached, 4)}"
    return text


def explicit_though_stiff(rate: float, method: str, cure: str, units: Units) -> str:
    """The model is stiff and an explicit method stayed."""
    fastest = _rate(rate, units)
    return f"the model is stiff: its fastest rate, {fastest}, bounds the steps of {method}{CURES[cure]}"


def exact_friction(forces: Sequence[str]) -> str:
    """Stick and slip of joints are found as events."""
    return f"force {', '.join(forces)}: stick and slip are located exactly (Coulomb's law by events)"


def restitution(poisson: Sequence[str], contacts: int) -> str:
    """Impacts occurred, in some contacts by Poisson's restitution."""
    some = f" (Poisson's in {join_words(poisson)})" if poisson else ""
    law = "Poisson's restitution" if poisson and len(poisson) == contacts else f"Newton's restitution{some}"
    return (
        f"impacts by {law}, one contact after the other at an instant; a rebound below 1e-8 of the "
        "fastest impact, or after a flight lower than rounding, is taken as rest"
    )


def restitution_reduced() -> str:
    """Newton's restitution with friction would have gained energy."""
    return "the restitution of an impact with friction was reduced where it would have gained energy"


def impacts_together(count: int) -> str:
    """Impacts that bodies pass to and fro at one instant end without rebound."""
    where = "one instant" if count == 1 else f"{count} instants"
    return f"at {where} bodies passed impacts to and fro: those slower than 0.001 of the first end together, no rebound"


def tangential_impacts(count: int) -> str:
    """No contact forces fitted the sliding, which impulses ended."""
    where = "one instant" if count == 1 else f"{count} instants"
    return f"at {where} no forces fit sliding contacts (Painlevé's paradox): impulses end some of the sliding"


def _rate(rate: float, units: Units) -> str:
    return f"{rate:.3g} per {units.unit_of('time') or 'unit of time'}"
