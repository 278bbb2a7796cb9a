"""Sentences on runs: motion laws, redundant equations, data that a study does not use, events, assembly modes."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.laws.law import ORDERS, Jump
from mubo.laws.number_text import unit_text
from mubo.quantities.units import Units

RANGE_ENDS = {
    "far": "the sliding distance grows without bound there",
    "zero": "the driven length is zero there",
    "knot": "links coincide there and many motions meet, which are not followed",
    "stuck": "the motion could not be followed beyond",
}


def law_jumps(driver: str, jump: Jump, unit: str, time: str) -> str:
    """A motion law has a corner."""
    return f"driver {driver}: {jump.describe(unit, time)}"


def law_jumps_more(driver: str, order: int, count: int, last: float, most: float, unit: str, time: str) -> str:
    """A motion law has more corners than are reported one by one."""
    size, end = f"{most:.4g} {unit_text(unit)}".strip(), f"{last:.9g} {time}".strip()
    return f"driver {driver}: its {ORDERS[order]} jumps {count} times more up to t = {end}, by at most {size}"


def redundant(equation: str, everywhere: bool) -> str:
    """An equation repeats what others impose."""
    where = "everywhere along the motion" if everywhere else "but not all along the motion"
    return f"{equation}, {where}"


def unused(masses: bool, gravity: bool, forces: Sequence[str]) -> str:
    """Kinematics does not use what acts on the bodies."""
    loads = [f"force{'s' * (len(forces) > 1)} {', '.join(forces)}"] if forces else []
    parts = ["masses"] * masses + ["gravity"] * gravity + loads
    listed = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return f"not used: {listed}. Kinematics follows from the drivers alone; inverse dynamics takes them into account"


def contacts_unused(contacts: Sequence[str]) -> str:
    """A prescribed motion does not feel contacts."""
    return f"contact {', '.join(contacts)}: this study follows the prescribed motion and knows no contacts"


def contact_kept(contact: str, joints: Sequence[str], sticks: bool, gap: float, units: Units) -> str:
    """A contact is kept closed along a prescribed motion."""
    length, unit, _ = units.unit("length")
    state = "sticks" if sticks else "slides"
    text = f"contact {contact}: it touches as drawn, is kept closed and {state}"
    if tuple(joints) != (contact,):
        text += f" at {', '.join(joints)}"
    if gap:
        text += f"; a gap of {f'{gap / length:.4g} {unit}'.rstrip()} is closed at the start"
    return text


def integrated(tolerance: float) -> str:
    """Positions of what rolls depend on the path."""
    return (
        "drivers determine all velocities, and rolling makes the position depend on the path: the motion is integrated "
        f"from the initial position (tolerance {tolerance:g})"
    )


def euler_angles_pass(joint: str, t: float, units: Units) -> str:
    """Euler angles meet their singular position in a simulation."""
    return (
        f"the Euler angles of {joint} meet their singular position (first at t = {units.time_text(t)}), where two "
        "continuations are equally right: the first angle keeps its value there, the middle one changes its sign"
    )


def projection_takes_energy(energy: float, units: Units) -> str:
    """Closing the loops took energy from the motion."""
    return (
        f"closing the loops took {_energy(energy, units)} of energy from the motion: it passed a position "
        "that it could not follow accurately. Take smaller tolerances"
    )


def event_chatters(event: str, count: int) -> str:
    """An event occurs too often."""
    return f"event {event}: it chatters; the first {count} are reported, later ones are not"


def driver_impulse(t: float, count: int, energy: float, units: Units) -> str:
    """The velocity of a driver jumps, which is an impulse on the free bodies."""
    more = f" and {count - 1} more times" if count > 1 else ""
    return (
        f"a driver's velocity jumps at t = {units.time_text(t)}{more}: the impulse on the free bodies is "
        f"computed without friction or rebound; it adds {_energy(energy, units)} of energy there"
    )


def driver_impulse_unknown() -> str:
    """A method knows no impulses."""
    return "where a driver's velocity jumps, the impulse on the free bodies is not computed by this method"


def python_forces(forces: Sequence[str]) -> str:
    """A Python function gives forces."""
    who = f"force {', '.join(forces)}: a" if forces else "a"
    return f"{who} Python function gives forces: every evaluation calls it, which is slower than the core alone"


def friction_smoothed(force: str, speed: float, unit: str) -> str:
    """Friction is smoothed near rest."""
    return (
        f"force {force}: friction is smoothed by tanh(v / {f'{speed:g} {unit}'.strip()}): what should "
        "stick creeps at less than that"
    )


def equations_without_masses() -> str:
    """No moving body has a mass."""
    return "no moving body has a mass: M and Q are left out"


def equations_without_forces(reason: str) -> str:
    """M and Q cannot be formed."""
    return f"M and Q are left out: {reason}"


def gravity_unstated() -> str:
    """Gravity is not stated."""
    return "gravity is not stated: Q has none"


def reaction_friction_left_out() -> str:
    """Friction by reactions is no part of Q."""
    return "friction by reactions is left out of Q: it depends on λ"


def group_turns_freely(unknowns: str, count: int) -> str:
    """A group has infinitely many positions."""
    return f"{unknowns} can turn freely in {count} solution{'s' * (count != 1)} of the groups before it: left out there"


def range_ends(modes: Sequence[int], value: float, unit: str, kind: str) -> str:
    """The ranges of assembly modes end elsewhere than at a limit position."""
    numbers = ", ".join(map(str, modes))
    return f"mode{'s' * (len(modes) > 1)} {numbers} at {value:.4g}{unit}: {RANGE_ENDS[kind]}"


def _energy(energy: float, units: Units) -> str:
    factor, label, _ = units.unit("energy")
    return f"{energy / factor:.4g} {label}".rstrip()
