"""Pins that leave their curved slot: beyond its ends the slot goes on straight, which a run reports."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND, Joint, ModelDefinition
from mubo.note import Note
from mubo.results import Columns

ON_LINE = 1e-6  # of the distance beyond an end and of the curve's reach: distance from the straight piece
BEYOND = 1e-9  # of the curve's size


def slot_notes(model: ModelDefinition, columns: Columns) -> Iterator[Note]:
    """A note on each joint whose pin goes beyond an end of its slot, with the first time."""
    if model.dimension != 2:
        return
    for joint in model.joints.values():
        if model.kinds[joint.kind].curved and joint.options.get("ends") != "closed":
            beyond = _beyond(model, columns, joint)
            if beyond.any():
                t = float(columns["t"][np.argmax(beyond)])
                yield Note("columns.pin_leaves_slot", joint=joint.name, t=t, units=model.units)


def _beyond(model: ModelDefinition, columns: Columns, joint: Joint) -> Array:
    """Whether the pin is on the straight piece before or after the curve, at every row."""
    from mubo.mechanism.curves import curve_of

    (first, at), (second, on) = (model.place(end) for end in joint.between)
    gap = _place(columns, second, on) - _place(columns, first, at)
    angle = _pose(columns, first)[:, 2]
    c, s = np.cos(angle), np.sin(angle)
    d = np.column_stack([c * gap[:, 0] + s * gap[:, 1], c * gap[:, 1] - s * gap[:, 0]])
    curve = curve_of(joint)
    places = curve.places(len(curve.knots))
    size, out = float(np.max(np.ptp(places, axis=0))), np.zeros(len(d), bool)
    for end, tangent in ((places[0], -curve.coefficients[:, 0, 1]), (places[-1], curve.coefficients[:, -1, 1])):
        tangent = tangent / np.linalg.norm(tangent)
        along, across = (d - end) @ tangent, (d - end) @ np.array([-tangent[1], tangent[0]])
        out |= (along > BEYOND * size) & (np.abs(across) < ON_LINE * (along + curve.reach))
    return out


def _pose(columns: Columns, body: str) -> Array:
    if body == GROUND or f"{body}.x" not in columns:
        return np.zeros((len(columns["t"]), 3))
    return np.column_stack([columns.raw(f"{body}.{letter}") for letter in ("x", "y", "phi")])


def _place(columns: Columns, body: str, at: tuple[float, ...]) -> Array:
    x, y, phi = _pose(columns, body).T
    c, s = np.cos(phi), np.sin(phi)
    return np.column_stack([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]])
