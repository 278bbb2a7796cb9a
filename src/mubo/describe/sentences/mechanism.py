"""Sentences on a mechanism as it is written: its lengths, estimates, gears, crosses, cams, contacts and loads."""

from __future__ import annotations

from mubo.laws.law import ORDERS
from mubo.mechanism.profiles import TURN
from mubo.quantities.units import Units


def lengths_apart(digits: float, short: tuple[str, float], long: tuple[str, float], units: Units) -> str:
    """Rounding of the longest length hides the shortest one; both have a name and a value."""
    unit = _unit(units)
    return (
        f"lengths {digits:.0f} digits apart, {short[1]:.4g}{unit} ({short[0]}) and {long[1]:.4g}{unit} "
        f"({long[0]}): of 16 digits; rounding of the long one hides what the short one does. Check their units"
    )


def axes_apart(joint: str, apart: float, wanted: float, teeth: str, units: Units) -> str:
    """Axes of gears are not where their pitch circles touch; `teeth` is "external", "internal" or "" without teeth."""
    by_teeth = {"internal": ", m (z1 − z2)/2", "external": ", m (z1 + z2)/2"}.get(teeth, "")
    unit = _unit(units)
    return (
        f"gear pair {joint}: its axes are {apart:.6g}{unit} apart, and its pitch circles touch at "
        f"{wanted:.6g}{unit}{by_teeth}: move an axis, or change the teeth"
    )


def crank_of_geneva(joint: str, length: float, wanted: float, units: Units) -> str:
    """The pin of a Geneva drive misses the mouth of a slot by little."""
    unit = _unit(units)
    return (
        f"joint {joint}: its crank is {length:.8g}{unit} long; a pin enters a slot along it at {wanted:.8g}{unit}: "
        "the wheel jumps at the mouth by that difference"
    )


def cross_not_square(joint: str, axis: str, degrees: float, body: str, bearing: str) -> str:
    """An axis of a universal joint is not square to its shaft."""
    return (
        f"joint {joint}: its {axis} axis is at {degrees:.4g} deg to the shaft of {body} in "
        f"{bearing}; Hooke's joint has it square to the shaft. Both `axes` are written in the axes "
        "of the first body, where the coordinates are zero"
    )


def counts_from(driver: str, value: float, holds: str, units: Units) -> str:
    """The law of a driver counts from its drawn value."""
    start = f"{value:.9g} {units.unit_of(holds)}".rstrip()
    return f"driver {driver}: counts from {start}, its value at the estimated positions"


def taken_from_estimates(joint: str, option: str, value: float, unit: str) -> str:
    """A constant that was left out follows from the estimates."""
    shown = f"{value + 0.0:.6g} {unit}".strip()  # + 0.0: no minus before a zero
    return f"joint {joint}: {option} = {shown}, taken from the estimates"


def drawn_apart(joint: str, gap: float, units: Units) -> str:
    """A body is drawn beside the surface on which it rolls."""
    how = "apart from what it rolls on" if gap > 0 else "inside what it rolls on"
    return (
        f"joint {joint}: drawn {abs(gap):.4g}{_unit(units)} {how}; the start closes this "
        "gap. Draw the body at its contact, or check the radius"
    )


def bearing_law(joint: str) -> str:
    """A pin moves in its clearance."""
    return (
        f"joint {joint}: its pin moves in its clearance, with the contact law of Hertz; this is the customary "
        "law, softer than the line contact of a real bearing"
    )


def guide_play(joint: str) -> str:
    """A slide moves in its clearance."""
    return f"joint {joint}: its slide tilts in its clearance: two corners between the faces of its guide"


def teeth_play(joint: str) -> str:
    """The teeth of gears have backlash."""
    return f"joint {joint}: its teeth have play, and strike where they turn back"


def never_meet(contact: str) -> str:
    """Both surfaces of a contact are on bodies that do not move."""
    return f"contact {contact}: neither of its surfaces moves, so that they never meet or part"


def destabilises(force: str, option: str, value: float, unit: str) -> str:
    """A stiffness or damping is negative."""
    size = f"its {option} is negative, {value:g} {unit}".rstrip()
    return f"force {force}: {size}: it destabilises instead of restoring"


def acts_on_ground(force: str) -> str:
    """A load acts between points of the ground."""
    return f"force {force}: acts on the ground only: it moves nothing"


def undercut(joint: str, pitch: float, angle: float, roller: float, units: Units) -> str:
    """The pitch curve of a cam is narrower than its roller."""
    radius, other = (f"{x:.4g} {units.unit_of('length')}".strip() for x in (pitch, roller))
    at = f"{angle:.4g} {units.unit_of('angle')}".strip()
    return (
        f"joint {joint}: its edge is undercut: the pitch curve has a radius of {radius} at {at} of the cam, the roller "
        f"one of {other}; take a larger base radius or a smaller roller"
    )


def lift_jumps(joint: str, order: int, size: float, angle: float, units: Units) -> str:
    """The lift of a cam has a corner; its size is by radians, its angle in the model's unit."""
    length, unit = units.unit_of("length"), units.unit_of("angle")
    per_radian = length and length + ("", "/rad", "/rad^2")[order]
    by = f"{size / units.angle_factor() ** order:.4g} {per_radian}".strip()
    where = f"{angle:.6g} {unit}".strip()
    if angle == 0:
        where += f", where its turn of {f'{TURN / units.angle_factor():.6g} {unit}'.strip()} begins again"
    return f"joint {joint}: the {ORDERS[order]} of its lift jumps by {by} at an angle of {where}"


def _unit(units: Units) -> str:
    return f" {units.unit_of('length')}".rstrip()


def efficiency(force: str, joint: str, efficiency: float, back: float, angles: tuple[float, float] | None) -> str:
    """A thread or mesh has these efficiencies in both directions."""
    return (
        f"force {force}: {joint} has an efficiency of {100 * efficiency:.4g} % in driving and of {100 * back:.4g} % in "
        f"being driven back{_thread(angles)}"
    )


def self_locking(force: str, joint: str, efficiency: float, angles: tuple[float, float] | None) -> str:
    """A thread or mesh cannot be driven back."""
    return (
        f"force {force}: {joint} locks itself{_thread(angles)}: a load alone does not move it back; its efficiency in "
        f"driving is {100 * efficiency:.4g} %"
    )


def _thread(angles: tuple[float, float] | None) -> str:
    """The angles of a thread, where they are known."""
    return "" if angles is None else f" (lead angle {angles[0]:.4g} deg, friction angle {angles[1]:.4g} deg)"
