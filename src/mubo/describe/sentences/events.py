"""Sentences on events of a motion: where it stops, crosses another one, nears a singular position; contacts, forces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mubo.mechanism.rows import join_words
from mubo.note import Note
from mubo.numerics.singularity import CHANGE_POINT, NEAR_SINGULAR
from mubo.quantities.units import Units

CONTACTS = {
    "impact": "hits",
    "touch": "touches",
    "rest": "comes to rest",
    "part": "parts",
    "stick": "sticks",
    "slip": "slips",
}
KEPT_CONTACTS = {
    ("part", True): "{} parts at {}: from there on it would have to pull, and the motion is no longer its own",
    ("part", False): "{} presses again from {}",
    ("slip", True): "{} slips at {}: from there on it needs more than its static friction",
    ("slip", False): "{} can stick again from {}",
}
AXES = ("wx", "wy", "wz")


def motion_stops(
    kind: str,
    t: float,
    drivers: Mapping[str, float],
    units: Units,
    bodies: Sequence[str],
    pins: Sequence[Sequence[str]],
    passed: int | None,
    misfit: float | None,
    contradicting: Sequence[str],
    reason: str,
) -> str:
    """A prescribed motion ends: at a limit, at a bifurcation that nothing decides, or because a step failed.

    At a step limit `passed` change points were passed; `misfit` is by how much a change point is missed; a step failed
    because of constraints that are `contradicting`, or else for the core's `reason`.
    """
    causes = {
        "limit": "the mechanism locks: no position exists beyond",
        "bifurcation": "two motions cross here and the constraints do not choose between them",
        "failure": f"from here on {'; '.join(contradicting)} contradict each other" if contradicting else reason,
    }
    more = f"; there {join_words(list(bodies))} can move while the drivers are fixed" if bodies else ""
    if passed is not None:
        more = f"; {passed:,} change points were passed" if passed else ""
    if misfit is not None:
        length = f"{misfit:.2g} {units.length}".rstrip()
        more += f"; with lengths changed by about {length} two motions would cross here"
    more += "".join(f", and pins {', '.join(line[:-1])} and {line[-1]} lie in one line" for line in pins)
    return f"the motion stops at t = {units.time_text(t)} ({_driver_values(drivers)}): {causes[kind]}{more}"


def _driver_values(drivers: Mapping[str, float]) -> str:
    """Text of the driver values, such as "motor = 30"."""
    return ", ".join(f"{name} = {value:.9g}" for name, value in drivers.items())


def change_point(
    t: float,
    drivers: Mapping[str, float],
    rates: Mapping[str, Mapping[str, float]],
    bodies: Sequence[str],
    branch: str,
    misfit: float,
    least: float,
    units: Units,
) -> str:
    """Two motions cross, and one is followed; `rates` are those of both, `least` is the smallest detectable misfit."""
    speed = units.unit_of("angle", 1)
    turning = "; ".join(
        f"{name}: " + ", ".join(f"{body} turns at {_rate_text(one, body)} {speed}".rstrip() for body in bodies)
        for name, one in rates.items()
    )
    found, smallest = (f"{length:.1g} {units.length}".rstrip() for length in (misfit, least))
    return (
        f"two motions cross at t = {units.time_text(t)} ({_driver_values(drivers)}); the {branch} one is followed. "
        f"{turning}. The misfit of the lengths is {found if misfit else 'zero'} here; less than {smallest} cannot be "
        "distinguished from none, with more the mechanism would lock or the two motions would part"
    )


def _rate_text(rates: Mapping[str, float], body: str) -> str:
    """A rate, in space a vector; beside large ones a small number is zero."""
    least = 1e-9 * max(map(abs, rates.values()))
    if body not in rates:
        vector = [rates[f"{body}.{axis}"] for axis in AXES]
        return "(" + ", ".join(f"{value:.4g}" if abs(value) > 1e3 * least else "0" for value in vector) + ")"
    return "0" if abs(rates[body]) < least else f"{rates[body]:.4g}"


def near_singular(
    t: float,
    drivers: Mapping[str, float],
    group: str,
    angle_between: Sequence[str],
    smallest: float,
    limit: float,
    joints: Sequence[str],
    remaining_travel: Mapping[str, float],
    driver_units: Mapping[str, str],
    units: Units,
) -> str:
    """A position is near-singular: by a transmission angle in radians, or else by a smallest singular value."""
    if angle_between:
        how = f"the transmission angle of {join_words(list(angle_between))} falls to {math.degrees(smallest):.3g} deg, "
        how += f"below {math.degrees(math.sqrt(2) * NEAR_SINGULAR):.2g} deg"
    else:
        least = f"{smallest:.3g}" if smallest > CHANGE_POINT else "0"
        how = f"the smallest singular value of {group} falls to {least}, below {limit:.3g}"
    where = f" (joints {', '.join(joints)})" if joints else ""
    at = f"t = {units.time_text(t)} ({_driver_values(drivers)})"
    text = f"near-singular position at {at}: {how}; transmission is poor{where}"
    for name, travel in remaining_travel.items():
        more = f"{travel:.3g} {driver_units.get(name, '')}".rstrip()
        text += f"; {name} reverses {more} before its limit, where the mechanism would lock"
    return text


def stops_backwards(t: float | None, reason: str, units: Units) -> str:
    """The reversibility check fails, because the motion does not run back to its start; `t` may be unknown."""
    at = "between two rows" if t is None else f"at t = {units.time_text(t, 6)}"
    return _not_reversible(f"the motion stops {at}, before the first row: {reason}")


def ends_elsewhere(apart: float) -> str:
    """The reversibility check fails, because the motion run backwards does not end at its start."""
    return _not_reversible(
        f"the motion ends {apart:.2g} away from its start, so that it changed to another branch somewhere"
    )


def _not_reversible(reason: str) -> str:
    return f"the reversibility check fails: run backwards, {reason}; take a shorter step"


def unbounded_forces(
    t: float, drivers: Mapping[str, float], owners: Sequence[str], pushed: bool, on_row: bool, units: Units
) -> str:
    """Forces have no value at a singular position: loads push along its free motion, or nothing determines them."""
    at = f"at t = {units.time_text(t)} ({_driver_values(drivers)})"
    if pushed:
        text = f"forces of {join_words(list(owners))} grow beyond all bounds {at}: the position is singular"
    else:
        text = f"forces of {join_words(list(owners))} are not determined {at}: the position is singular; "
        text += "beside it they are finite"
    return text + (", and no number stands there" if on_row else "")


def singularity_passed(t: float, equation: str, left_out: int, units: Units) -> str:
    """A simulation passes a singular position of a loop."""
    text = (
        f"passes a singular position at t = {units.time_text(t)}, where {equation} no longer holds its loop together; "
        "goes on along the smooth branch. Reactions have no limit there"
    )
    if left_out:
        text += f"; of {left_out} redundant equations that were left out others may hold it together"
    return text


def level_reached(event: str, of: str, value: float, unit: str, t: float, stops: bool, units: Units) -> str:
    """A column reaches the value of an event of the model."""
    ends = "; the run ends there" if stops else ""
    return f"{event}: {of} reaches {f'{value:.9g} {unit}'.rstrip()} at t = {units.time_text(t)}{ends}"


def contact_changes(kind: str, contact: str, t: float, units: Units) -> str:
    """A contact or exact friction changes its state."""
    return f"{contact} {CONTACTS[kind]} at t = {units.time_text(t)}"


def kept_contact(kind: str, ends: bool, contact: str, t: float, drivers: Mapping[str, float], units: Units) -> str:
    """A contact that is kept would have to pull or to slip, or holds again where `ends` is false."""
    return KEPT_CONTACTS[kind, ends].format(contact, f"t = {units.time_text(t)} ({_driver_values(drivers)})")


def impact(contact: str, t: float, before: float, after: float, impulse: float, turns: bool, units: Units) -> str:
    """A contact hits, with its speeds of approach and separation and its impulse, all in SI units."""
    speed, speed_unit, _ = units.unit("angle" if turns else "length", 1)
    size, unit, _ = units.unit(f"{'torque' if turns else 'force'}*time")
    hits, leaves = (f"{abs(v) / speed:.4g} {speed_unit}" for v in (before, after))
    speeds = f"with {hits}, leaves with {leaves}; impulse {impulse / size:.4g} {unit}".rstrip()
    return f"{contact_changes('impact', contact, t, units)} {speeds}"


def simulation_stops(t: float, reason: Note, fastest: str, units: Units) -> str:
    """A simulation ends early; `fastest` names the fastest motion at its last good state."""
    more = f" (the fastest motion was that of {fastest})" if fastest else ""
    return f"the simulation stops at t = {units.time_text(t)}: {reason}{more}"


def too_many_steps(steps: int) -> str:
    """A simulation took more steps than its rows allow."""
    return (
        f"that took {steps} steps, the most for a run of so few rows. Check the speeds, the stiffnesses and their "
        "units; looser tolerances take longer steps, and more rows allow more of them"
    )


def step_collapsed(changing: str, stiff: bool) -> str:
    """The step size of a simulation collapsed; `changing` is the component that changes too fast."""
    cure = "" if stiff else "--method Radau, "
    return (
        f"the step size collapsed: {changing} changes too fast to be followed; the model is stiff or its forces jump. "
        f"Try {cure}looser tolerances, or look at the forces there"
    )


def force_without_direction(force: str) -> str:
    """The points between which a force acts meet."""
    return f"the two points of force {force} meet: its direction is lost"


def force_without_size(force: str, law: str) -> str:
    """The law of a force has no value."""
    return f"force {force} has no size there: {law} has no value, or ends before the motion does"


def joint_jams(force: str, joint: str) -> str:
    """Friction and the reaction that it grows with do not converge."""
    return (
        f"force {force}: friction and the reaction of joint {joint} do not converge: more friction makes more reaction "
        "without end, so that the joint jams. Take a smaller coefficient, or apply the force closer to the direction "
        "of motion"
    )


def transmission_locks(force: str, joint: str) -> str:
    """A thread or mesh that cannot be driven back locks while it moves."""
    return (
        f"force {force}: {joint} is driven back and locks itself while it moves: a load of such inertia would stop in "
        "no time. Give the driving side more inertia, or the joints a compliance"
    )


def inertia_lost(motion: str) -> str:
    """A degree of freedom loses its inertia; `motion` is empty where it is that of no joint alone."""
    if not motion:
        return "a motion that the joints leave free lost its inertia: nothing resists it"
    return f"{motion} lost its inertia: nothing resists its motion"


def number_without_bounds(body: str) -> str:
    """A number of the motion is not finite any more, at a body if it is known."""
    return f"a number grew beyond all bounds{f' at body {body}' if body else ''}; the last good time is shown"


def loop_opens(constraint: str) -> str:
    """A loop cannot be closed any more by the constraint that closes it."""
    return f"the loop of {constraint} cannot be closed any more"


def loop_singular(constraint: str, absolute: bool) -> str:
    """A simulation ends at a singular position of a loop; absolute coordinates may not come past what a tree passes."""
    text = f"the mechanism comes to a singular position, in which {constraint} no longer holds "
    if absolute:
        cure = "Use --formulation tree, or start a little beside"
        return text + f"it together, and absolute coordinates did not come past it. {cure}"
    return text + "its loop together: a change point or toggle position, beyond which the motion is not followed"


def contacts_contradict(contact: str) -> str:
    """No state of the contacts fits their forces and accelerations."""
    return (
        f"{contact or 'a contact'}: no combination of rest, stick and slip fits its forces and accelerations "
        "(Painlevé's paradox, or friction beyond the limit of rigid bodies). Take a smaller coefficient of friction, "
        "or a compliant contact"
    )


def core_stops(status: int, owner: str) -> str:
    """The core ends a run with a status that has no reason of its own."""
    return f"the core answered status {status}{f' at {owner}' if owner else ''}"


def wittenburg_stops(reason: str) -> str:
    """Wittenburg's equations cannot be integrated on, for a reason that they state in a sentence of their own."""
    return reason


def interference(names: str, start: float, end: float, units: Units) -> str:
    """Two outlines interfere for a while."""
    return f"{names} interfere from t = {start:.9g} to {units.time_text(end)}"
