"""Sentences on forces: masses, meshes, friction at rest, and reactions that are not unique."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.mechanism.rows import join_words
from mubo.note import Note
from mubo.quantities.units import Units

MOST_NAMED = 8  # bodies without mass
LACKS = {
    "axes": "its wheels have no two axes on the carrier",
    "pretension": "its pretension is not known",
}


def no_mass(loads: bool) -> str:
    """No body has a mass, so that only loads cause forces."""
    if loads:
        return "no body has a mass: forces come from the loads alone"
    return (
        "no body has a mass and no load acts: all forces are zero. Give bodies a mass with inertia, or a shape "
        "with density, state gravity, or add a [force.NAME]"
    )


def massless(bodies: Sequence[str]) -> str:
    """Some bodies have no mass."""
    shown = join_words(bodies) if len(bodies) <= MOST_NAMED else f"{len(bodies)} bodies"
    return f"{shown} {'has' if len(bodies) == 1 else 'have'} no mass"


def pressure_angle_taken(joint: str, degrees: float) -> str:
    """A gear pair has no pressure angle, and a usual one is taken."""
    return f"gear pair {joint}: pressure_angle is not given: {degrees:.4g} deg is taken for the forces on its bearings"


def mesh_left_out(kind: str, joint: str, lacks: str) -> str:
    """The force of teeth or belt is missing from the bearings of its wheels."""
    return f"{kind} {joint}: {LACKS[lacks]}, so that the bearings of its wheels lack its force"


def friction_at_rest(force: str, joint: str, t: float, rows: int, units: Units) -> str:
    """A joint with friction is at rest at some rows."""
    when = f"t = {units.time_text(t)}" + (f" and {rows - 1} more rows" if rows > 1 else "")
    return f"force {force}: joint {joint} is at rest at {when}; its Coulomb part is taken as zero there"


def divided_by_stiffness(names: Sequence[str]) -> str:
    """Joints share a load by their stiffness."""
    return f"{join_words(names)} share loads that equilibrium does not divide among them: their stiffness does"


def shared(names: Sequence[str], weighting: str) -> str:
    """Joints share a load that nothing divides."""
    return (
        f"{join_words(names)} share loads that equilibrium does not divide among them: components marked "
        f"indeterminate are {weighting}"
    )


def open_contacts(names: Sequence[str]) -> str:
    """Reactions that depend on contact forces which equilibrium does not determine."""
    return (
        f"equilibrium does not determine how contacts share their load, and {join_words(names)} "
        f"{'depends' if len(names) == 1 else 'depend'} on it: components marked indeterminate go with the least "
        "contact forces"
    )


def stiffness_missing(names: Sequence[str], turning: bool) -> str:
    """Some of those that share a load state a stiffness, others do not."""
    what = "stiffness and turning_stiffness" if turning else "stiffness"
    lack = f"{', '.join(names)} {'lacks' if len(names) == 1 else 'lack'} {what}"
    return f"stiffness divides a load only where all that share it state it: {lack}"


def resultant(joints: Sequence[str], body: str, components: Sequence[str]) -> str:
    """The resultant of reactions on a body, or some of its components."""
    return f"{' + '.join(joints)} on {body}: {', '.join(components) or 'the resultant'}"


def unique_resultant(resultant: Note) -> str:
    """A resultant is unique though its parts are not."""
    return f"unique although its parts are not: {resultant}"


def contact_ends(owner: str, kind: str, between: tuple[float, float], units: Units) -> str:
    """A contact that is modelled as kept would have to pull or slip."""
    first, last = (units.time_text(t) for t in between)
    when = f"from t = {first} on" if first == last else f"from a time between t = {first} and {last} on"
    need = "would have to pull: a contact parts there" if kind == "part" else "needs more than its static friction"
    return f"{owner}: {when} it {need}; forces beyond are those of a contact that holds all the same"
