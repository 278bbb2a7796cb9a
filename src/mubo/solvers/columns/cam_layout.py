"""Check that a cam laid out for one sense of rotation and one line of travel is used so along a motion.

With `turns` the lift belongs to the cam's rotation (`mechanism/cam_lift.py`): another sense runs it backwards, and a
follower on another line, or a face that looks elsewhere, does not rise by it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.mechanism.cam_lift import CLOCKWISE, COUNTER_CLOCKWISE, CamLayout
from mubo.mechanism.cams import CONTACTS, place_point
from mubo.mechanism.rows import NamedRow
from mubo.solvers.columns.cam_columns import body_poses, cams_of

SAME = 1e-6  # of the prime circle's radius, or a radian


def cam_layout_notes(form: Absolute, states: Array) -> list[str]:
    """Notes where the motion contradicts the sense, the offset or the travel of a cam."""
    notes = []
    for _, row, _, _ in cams_of(form):
        options = form.model.joints[row.owner.name].options
        if options.get("turns") is not None:
            layout = CamLayout.of(options)
            told = [*_turning_sense_note(form, row, states, layout), *_travel_line_note(form, row, states, layout)]
            notes += [f"joint {row.owner.name}: {text}" for text in told]
    return notes


def _turning_sense_note(form: Absolute, row: NamedRow, states: Array, layout: CamLayout) -> Iterator[str]:
    if row.bodies[0] not in form.free:
        return
    rates = states[:, 1, form.width * form.free.index(row.bodies[0]) + 2] * (1 if layout.falling else -1)
    if np.min(rates) < 0 and np.max(rates) <= 0:
        asked, found = (COUNTER_CLOCKWISE, CLOCKWISE) if layout.falling else (CLOCKWISE, COUNTER_CLOCKWISE)
        yield f'turns = "{asked}", but the cam turns {found}: its lift is run through backwards'


def _travel_line_note(form: Absolute, row: NamedRow, states: Array, layout: CamLayout) -> Iterator[str]:
    """Offset of the roller's centre from the cam's, across the travel; direction of the normal of a flat face."""
    cam, follower = (body_poses(form, body, states) for body in row.bodies)
    contact, units = CONTACTS[row.kind], form.model.units
    angle = contact.angle(row.values, cam, follower)
    if contact.flat:
        away = np.remainder(angle - layout.travel + np.pi, 2 * np.pi) - np.pi
        if np.max(np.abs(away)) > SAME:
            looks = (layout.travel + float(away[0])) / units.angle_factor()
            yield f"its face looks along {looks:.6g} {units.of('angle')}".rstrip() + ", not along its travel"
        return
    u, side = np.array([np.cos(layout.travel), np.sin(layout.travel)]), 1 if layout.falling else -1
    d = place_point(follower, row.values["point_j"]) - place_point(cam, row.values["point_i"])
    offset = side * (d[:, 0] * u[1] - d[:, 1] * u[0])
    if np.ptp(offset) > SAME * layout.radius:
        yield "its follower does not move along its travel: it does not rise by the lift given"
    elif np.max(np.abs(offset - layout.offset)) > SAME * layout.radius:
        found, asked = (f"{e + 0.0:.6g} {units.of('length')}".rstrip() for e in (float(offset[0]), layout.offset))
        yield f"its follower moves on a line of offset {found}, not {asked}: it does not rise by the lift given"
