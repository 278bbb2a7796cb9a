"""Cams along a motion: pressure angle, and radius of curvature where the follower touches.

The pressure angle is the angle between the normal force of the contact on the follower and the direction in which the
follower's contact point can move while the drivers are fixed: of a follower that moves along a line with the offset
e, tan α = (s′ − e) / (s + √(R² − e²)) (Norton, Design of Machinery, section 8.5). It does not depend on the speed, and
has a value in dwells too.

With `turns` the lift belongs to the cam's rotation (`mechanism/cam_lift.py`): the reversed sense runs it backwards, and
a follower on another line, or a face in another direction, does not rise by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.mechanism.profiles import CamProfile
from mubo.mechanism.rows import NamedRow
from mubo.model import Units
from mubo.note import Note
from mubo.results import Column
from mubo.solvers.continuation.linear_algebra import EquationSubset, is_large, jacobian, newton_step

if TYPE_CHECKING:
    from mubo.mechanism.cam_lift import CamLayout


Cam = tuple[int, NamedRow, CamProfile, float]  # number of its equation, the row, its profile, radius of its roller
SAME = 1e-6  # of the prime circle's radius, or a radian


def cams_of(form: Absolute) -> Iterator[Cam]:
    """The cams of a mechanism."""
    number = 0
    for row in form.mechanism.rows:
        if isinstance(row.profile, CamProfile):
            yield number, row, row.profile, float(form.model.joints[row.owner.name].options.get("roller", 0.0))
        number += len(row.words)


def cam_columns(form: Absolute, t: Array, states: Array) -> Iterator[tuple[Column, Array]]:
    """Columns NAME.pressure_angle and NAME.rho of the edge of every cam, and NAME.rho_pitch of those with a roller.

    Where its `turns` is given, NAME.turned is the angle by which the cam has turned in that sense from its own angle
    zero: the axis over which textbooks draw the lift, which grows for a clockwise cam too. The pressure angle is
    positive where the normal is turned from the follower's direction in the sense in which the cam turns,
    counter-clockwise where its `turns` is not given. Radii are negative in a hollow.
    """
    from mubo.mechanism.cam_lift import CLOCKWISE
    from mubo.mechanism.cams import CONTACTS, place_point

    for number, row, profile, roller in cams_of(form):
        name, contact = row.owner.name, CONTACTS[row.kind]
        cam, follower = (body_poses(form, body, states) for body in row.bodies)
        angle = contact.angle(row.values, cam, follower)
        f = profile(angle - cam[:, 2])
        at = np.asarray(place_point(cam, row.values["point_i"]) + contact.point(angle, f))
        direction = _follower_direction(form, row, _opening_velocities(form, number, t, states), (cam, follower), at)
        normal = contact.normal(angle, f)
        turned = direction[:, 0] * normal[:, 1] - direction[:, 1] * normal[:, 0]
        turns = form.model.joints[name].options.get("turns")
        sense = -1.0 if turns == CLOCKWISE else 1.0
        if turns is not None:
            yield Column(f"{name}.turned", "cam", name, "turned", 0, "angle"), sense * cam[:, 2]
        pressure = sense * np.arctan2(turned, np.sum(direction * normal, axis=1))
        yield Column(f"{name}.pressure_angle", "cam", name, "pressure_angle", 0, "angle"), pressure
        radius = contact.radius(f)
        yield Column(f"{name}.rho", "cam", name, "rho", 0, "length"), radius - roller
        if roller > 0:
            yield Column(f"{name}.rho_pitch", "cam", name, "rho_pitch", 0, "length"), radius


def body_poses(form: Absolute, body: str, states: Array) -> Array:
    """Pose x, y, φ of a body at every row, the ground included."""
    if body in form.numbers:
        at = form.width * form.numbers[body]
        return np.asarray(states[:, 0, at : at + 3])
    return np.tile(form.mechanism.poses[body], (len(states), 1))


def _opening_velocities(form: Absolute, number: int, t: Array, states: Array) -> Array:
    """Velocities that open one contact by 1, J v = e of its equation; NaN where the other equations prevent it."""
    q, motion = np.ascontiguousarray(states[:, 0]), form.motion(t)
    unit = np.zeros(form.system.equations)
    unit[number] = 1.0
    if not is_large(form) and form.system.equations == form.system.unknowns:
        J = np.array([form.system.jacobian(*line) for line in zip(q, motion, strict=True)])
        try:
            return np.asarray(np.linalg.solve(J.reshape(-1, *J.shape[-2:]), unit[:, None])[..., 0])
        except np.linalg.LinAlgError:  # one of them is a change point: one by one, then
            pass
    return np.array([_opening_velocity(form, *line, unit) for line in zip(q, motion, strict=True)]).reshape(
        -1, q.shape[1]
    )


def _opening_velocity(form: Absolute, q: Array, motion: Array, unit: Array) -> Array:
    step = newton_step(form, q, motion, -unit, EquationSubset.whole(form))
    if step is None or np.max(np.abs(jacobian(form, q, motion) @ step - unit)) > 1e-6:
        return np.full(len(q), np.nan)
    return step


def _follower_direction(form: Absolute, row: NamedRow, opening: Array, poses: tuple[Array, Array], at: Array) -> Array:
    """Direction in which the follower's contact point moves relative to the cam's, in ground axes."""
    velocity = []
    for body, pose in zip(row.bodies, poses, strict=True):
        if body in form.numbers:
            k = form.width * form.numbers[body]
            arm = at - pose[:, :2]
            velocity.append(
                opening[:, k : k + 2] + opening[:, k + 2 : k + 3] * np.column_stack([-arm[:, 1], arm[:, 0]])
            )
        else:
            velocity.append(np.zeros_like(at))
    return np.asarray(velocity[1] - velocity[0])


def cam_summary(form: Absolute) -> dict[str, Any]:
    """Least radii of curvature around every cam, convex and hollow, with the angle in the cam's axes."""
    from mubo.mechanism.cams import CONTACTS, smallest_radii

    units, out = form.model.units, {}
    for _, row, profile, roller in cams_of(form):
        least = smallest_radii(CONTACTS[row.kind], profile)
        pitch = {word: [radius, angle / units.angle_factor()] for word, (radius, angle) in least.items()}
        edge = {word: [radius - roller, angle] for word, (radius, angle) in pitch.items()}
        message = f"least radius of curvature {_describe_radii(edge, units)}"
        entry: dict[str, Any] = {"rho": edge, "unit": units.angle or "rad", "message": message}
        if roller > 0:
            entry |= {"rho_pitch": pitch, "message": f"{message}; of the pitch curve {_describe_radii(pitch, units)}"}
        out[row.owner.name] = entry
    return {"cams": out} if out else {}


def _describe_radii(least: dict[str, list[float]], units: Units) -> str:
    """Text such as "20.9 mm at 349 deg of the cam, in a hollow 167 mm at 31.9 deg"."""
    parts = []
    for word, (radius, angle) in least.items():
        size, at = (
            f"{abs(radius):.4g} {units.unit_of('length')}".strip(),
            f"{angle:.4g} {units.unit_of('angle')}".strip(),
        )
        if word == "hollow":
            parts.append(f"in a hollow {size} at {at}")
        else:
            parts.append(f"{size if radius > 0 else 'none, being undercut,'} at {at} of the cam")
    return ", ".join(parts)


def cam_layout_notes(form: Absolute, states: Array) -> list[Note]:
    """Notes where the motion contradicts the sense, the offset or the travel of a cam."""
    from mubo.mechanism.cam_lift import CamLayout

    notes: list[Note] = []
    for _, row, _, _ in cams_of(form):
        options = form.model.joints[row.owner.name].options
        if options.get("turns") is not None:
            layout = CamLayout.from_options(options)
            notes += _turning_sense_note(form, row, states, layout)
            notes += _travel_line_note(form, row, states, layout)
    return notes


def _turning_sense_note(form: Absolute, row: NamedRow, states: Array, layout: CamLayout) -> Iterator[Note]:
    from mubo.mechanism.cam_lift import CLOCKWISE, COUNTER_CLOCKWISE

    if row.bodies[0] not in form.numbers:
        return
    rates = states[:, 1, form.width * form.numbers[row.bodies[0]] + 2] * (1 if layout.falling else -1)
    if np.min(rates) < 0 and np.max(rates) <= 0:
        asked, found = (COUNTER_CLOCKWISE, CLOCKWISE) if layout.falling else (CLOCKWISE, COUNTER_CLOCKWISE)
        yield Note("columns.cam_turns_backwards", joint=row.owner.name, asked=asked, found=found)


def _travel_line_note(form: Absolute, row: NamedRow, states: Array, layout: CamLayout) -> Iterator[Note]:
    """Offset of the roller's centre from the cam's, across the travel; direction of the normal of a flat face."""
    from mubo.mechanism.cams import CONTACTS, place_point

    cam, follower = (body_poses(form, body, states) for body in row.bodies)
    contact, units = CONTACTS[row.kind], form.model.units
    angle = contact.angle(row.values, cam, follower)
    if contact.flat:
        away = np.remainder(angle - layout.travel + np.pi, 2 * np.pi) - np.pi
        if np.max(np.abs(away)) > SAME:
            looks = (layout.travel + float(away[0])) / units.angle_factor()
            yield Note("columns.face_not_along_travel", joint=row.owner.name, direction=looks, units=units)
        return
    u, side = np.array([np.cos(layout.travel), np.sin(layout.travel)]), 1 if layout.falling else -1
    d = place_point(follower, row.values["point_j"]) - place_point(cam, row.values["point_i"])
    offset = side * (d[:, 0] * u[1] - d[:, 1] * u[0])
    if np.ptp(offset) > SAME * layout.radius:
        yield Note("columns.follower_off_travel", joint=row.owner.name)
    elif np.max(np.abs(offset - layout.offset)) > SAME * layout.radius:
        line = {"offset": float(offset[0]), "asked": layout.offset}
        yield Note("columns.follower_offset", joint=row.owner.name, **line, units=units)
