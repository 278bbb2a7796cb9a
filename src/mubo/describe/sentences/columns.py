"""Sentences on columns: measures, slots, revolutions, cams, and numbers that are not finite."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.quantities.units import Units


def measure_left_out(measure: str, column: str) -> str:
    """A measure reads a column that the run does not have."""
    return f"measure {measure} is left out: this run has no column {column}"


def measure_rates_left_out(measure: str, rates: Sequence[str], column: str) -> str:
    """Rates of a measure need a derivative that the table does not have."""
    return f"measure {measure}: {' and '.join(rates)} left out, the table has no derivative of {column}"


def pin_leaves_slot(joint: str, t: float, units: Units) -> str:
    """A pin goes beyond an end of its curved slot."""
    return (
        f"joint {joint}: its pin leaves the slot at t = {units.time_text(t)}: beyond the ends of its curve the "
        "slot goes on straight; give it a longer range, or stop the run there by an event"
    )


def revolutions_uncertain(coordinate: str) -> str:
    """A joint in space turns too far between two rows."""
    return f"{coordinate}: it turns so far between rows that its revolutions may be miscounted"


def gimbal_lock_between_rows(joint: str) -> str:
    """Euler angles may pass their singular position between two rows."""
    return (
        f"{joint}: between rows it may pass the singular position of its Euler angles on either side: the "
        "angles behind it may be the other triple of the two; take a shorter step"
    )


def cam_turns_backwards(joint: str, asked: str, found: str) -> str:
    """A cam turns against the sense for which it was laid out."""
    return f'joint {joint}: turns = "{asked}", but the cam turns {found}: its lift is run through backwards'


def face_not_along_travel(joint: str, direction: float, units: Units) -> str:
    """The flat face of a follower is not square to its travel."""
    looks = f"its face looks along {direction:.6g} {units.unit_of('angle')}".rstrip()
    return f"joint {joint}: {looks}, not along its travel"


def follower_off_travel(joint: str) -> str:
    """A follower moves in another direction than its travel."""
    return f"joint {joint}: its follower does not move along its travel: it does not rise by the lift given"


def follower_offset(joint: str, offset: float, asked: float, units: Units) -> str:
    """A follower moves on a line of another offset than that of the layout."""
    found, wanted = (f"{e + 0.0:.6g} {units.unit_of('length')}".rstrip() for e in (offset, asked))
    return (
        f"joint {joint}: its follower moves on a line of offset {found}, not {wanted}: it does not rise by the lift "
        "given"
    )


def not_finite(column: str, count: int, rows: int, t: float, value: str, units: Units) -> str:
    """A column is infinite or not a number at some rows."""
    return f"column {column} has no finite number {_where(count, rows, t, units)}: {value}"


def singular_angles(joint: str, count: int, rows: int, t: float, units: Units) -> str:
    """Euler angles are at a singular position, where they have no rates."""
    return (
        f"the Euler angles of {joint} are at a singular position {_where(count, rows, t, units)}: their rates are not "
        "defined there (NaN)"
    )


def _where(count: int, rows: int, t: float, units: Units) -> str:
    some = "all" if count == rows else f"{count} of"
    return f"at {some} {rows} rows, first at t = {units.time_text(t)}"
