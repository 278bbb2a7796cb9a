"""Named columns of a result from the states of the unknowns, in the plane and in space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array, Integers
from mubo.laws.tangent import beside
from mubo.lazy_dataclass import dataclass
from mubo.mappings import found_once
from mubo.mechanism import Absolute
from mubo.mechanism.estimates import drawn_pose
from mubo.model import GROUND, Joint, ModelDefinition, target_of
from mubo.model.column_names import TIME, body_columns, driver_columns, joint_columns, point_columns
from mubo.model.coordinates import axis_of, planar_dof
from mubo.results import Column, Columns

if TYPE_CHECKING:
    from mubo.mechanism.formulations.tree import Tree
    from mubo.mechanism.parameter_derivatives import EquationDerivatives


def motion_columns(
    form: Absolute, t: Array, states: Array, derivatives: EquationDerivatives | None = None, motion: Array | None = None
) -> Columns:
    """Columns t, bodies, points of interest, joints, cams and drivers.

    With the `derivatives` of the equations, and states that carry derivatives by the same parameters, the columns carry
    them too, except those of cams. `motion` are the values of the drivers at the times, where they are not those of
    their laws.
    """
    model = form.model
    columns = Columns(model.units, [(TIME, t)])
    if model.dimension == 3:
        from mubo.solvers.columns.space_columns import space_columns

        columns.extend(space_columns(form, t, states))
    else:
        columns.extend(plane_columns(form, states))
    if derivatives is None and any(model.kinds[joint.kind].profiled for joint in model.joints.values()):
        from mubo.solvers.columns.cam_columns import cam_columns

        columns.extend(cam_columns(form, t, states))
    values = derivatives.dual_motion(t) if derivatives is not None else form.motion(t) if motion is None else motion
    factors = form.mechanism.motion_factors if derivatives is None else derivatives.dual_factors
    columns.extend(motion_of_drivers(model, values, factors))
    return columns


def motion_of_drivers(model: ModelDefinition, values: Array, factors: Array) -> Iterator[Entry]:
    """Value and rate of every driver; `factors` are the change of its equation per unit of its law."""
    turn = model.units.angle_factor()
    for k, driver in enumerate(model.drivers.values()):
        holds = target_of(model, driver.of).holds
        # The row of a screw holds its slide; its driver is an angle.
        factor = factors[k] / (turn if holds == "angle" else 1.0)
        yield from zip(driver_columns(driver.name, holds), (values[:, 3 * k : 3 * k + 2] / factor).T, strict=True)


Entry = tuple[Column, Array]
Place = tuple[str, str, int, int]  # kind and name of an owner, its first column and the one behind its last


@dataclass(frozen=True)
class PlaneSchema:
    """The columns of bodies, points of interest and joints of a planar model, and where their numbers come from."""

    columns: tuple[Column, ...]
    bodies: tuple[str, ...]  # without the ground
    numbers: Mapping[str, int]  # of the bodies; the ground is the last
    angles: tuple[str, ...]  # joints whose coordinate is the angle between two bodies
    between: tuple[Integers, Integers]  # their first and second bodies
    slides: tuple[str, ...]  # joints whose coordinate is a displacement
    order: Integers  # of the joints in the table, angles numbered before slides
    places: Mapping[str, Place]  # of each column the owner and where all columns of that stand

    @classmethod
    def of_model(cls, model: ModelDefinition) -> PlaneSchema:
        """The schema of a model, which its variants share."""
        return found_once(model.structure, "plane columns", lambda: cls._of_structure(model))

    @classmethod
    def _of_structure(cls, model: ModelDefinition) -> PlaneSchema:
        bodies = tuple(name for name in model.bodies if name != GROUND)
        numbers = {name: k for k, name in enumerate((*bodies, GROUND))}
        columns = [column for name in bodies for column in body_columns(name, 2)]
        columns += [column for point in model.tracked_points for column in point_columns(point, 2)]
        dofs = {name: dof for name, joint in model.joints.items() if (dof := planar_dof(model, joint)) is not None}
        columns += [joint_columns(name, (dof,), letter)[0] for name, dof in dofs.items() for letter in "qva"]
        angles = tuple(name for name, dof in dofs.items() if dof.kind == "turn")
        slides = tuple(name for name, dof in dofs.items() if dof.kind != "turn")
        ends = [[numbers[end.partition(".")[0]] for end in model.joints[name].between] for name in angles]
        first, second = np.array(ends, np.int32).reshape(-1, 2).T
        place = {name: k for k, name in enumerate((*angles, *slides))}
        order = np.array([place[name] for name in dofs], np.int32)
        places = _places(columns)
        return cls(tuple(columns), bodies, numbers, angles, (first, second), slides, order, places)


def _places(columns: Sequence[Column]) -> dict[str, Place]:
    """Kind and name of the owner of every column, and where the columns of that owner stand."""
    first: dict[tuple[str, str], int] = {}
    count: dict[tuple[str, str], int] = {}
    for k, column in enumerate(columns):
        owner = (column.kind, column.owner)
        first.setdefault(owner, k)
        count[owner] = count.get(owner, 0) + 1
    owners = [(column.kind, column.owner) for column in columns]
    return {
        column.name: (*owner, first[owner], first[owner] + count[owner])
        for column, owner in zip(columns, owners, strict=True)
    }


def owner_columns(form: Absolute, states: Array, names: Sequence[str]) -> Iterator[Entry]:
    """Columns of the owners of some columns, by the formulas of `plane_columns`, and of no others."""
    model, schema = form.model, PlaneSchema.of_model(form.model)
    motions = _body_motions(form, schema, states)
    for kind, owner, start, end in dict.fromkeys(schema.places[name] for name in names):
        if kind == "joint" and owner in schema.angles:
            k = schema.angles.index(owner)
            first, second = (_motion_of(motions, int(ends[k]))[:, :, 2] for ends in schema.between)
            values = [*(second - first).T]
        elif kind == "joint":
            values = [*_slide_motion(model, model.joints[owner], schema, motions).T]
        elif kind == "body":
            values = _lines(_motion_of(motions, schema.numbers[owner])[:, :, None])
        else:
            point = model.tracked_points[owner]
            values = _lines(point_motion(_motion_of(motions, schema.numbers[point.body]), point.at)[:, :, None])
        yield from zip(schema.columns[start:end], values, strict=True)


def plane_columns(form: Absolute | Tree, states: Array) -> Iterator[Entry]:
    """Columns of bodies, points of interest and joint coordinates, angles in radians; no motion of a body is copied."""
    model, schema = form.model, PlaneSchema.of_model(form.model)
    motions = _body_motions(form, schema, states)
    values = _lines(motions)
    for point in model.tracked_points.values():
        values += _lines(point_motion(_motion_of(motions, schema.numbers[point.body]), point.at)[:, :, None])
    first, second = schema.between
    turning = np.transpose(motions[:, :, :, 2], (2, 1, 0))
    angle = np.concatenate([turning, beside(states, np.zeros((1, 3, len(states))))], axis=0)
    joints = [*(angle[second] - angle[first])]
    joints += [_slide_motion(model, model.joints[name], schema, motions).T for name in schema.slides]
    values += [line for k in schema.order for line in joints[k]]
    return zip(schema.columns, values, strict=True)


def _lines(motions: Array) -> list[Array]:
    """Coordinates, rates and accelerations of each owner, as views of motions (times, 3, owners, coordinates)."""
    return [line for owner in np.transpose(motions, (2, 1, 3, 0)) for order in owner for line in order]


def _body_motions(form: Absolute | Tree, schema: PlaneSchema, states: Array) -> Array:
    """Pose, velocity and acceleration of all bodies but the ground: (times, 3, bodies, 3)."""
    moving = states.reshape(len(states), 3, len(form.free), 3)
    if form.free == schema.bodies:
        return moving
    numbers = {name: k for k, name in enumerate(form.free)}
    parts = []
    for name in schema.bodies:  # those without a number are fixed
        part = moving[:, :, numbers[name]] if name in numbers else beside(states, np.zeros((len(states), 3, 3)))
        if name not in numbers:
            part[:, 0] = drawn_pose(form.model.bodies[name], states)
        parts.append(part)
    return np.stack(parts, axis=2) if parts else moving


def _motion_of(motions: Array, number: int) -> Array:
    """The motion of a body: (times, 3, 3); of the ground, behind the last of them, zeros."""
    return motions[:, :, number] if number < motions.shape[2] else beside(motions, np.zeros((len(motions), 3, 3)))


def _slide_motion(model: ModelDefinition, joint: Joint, schema: PlaneSchema, motions: Array) -> Array:
    """Displacement of a joint with its derivatives: (times, 3)."""
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    base, other = (_motion_of(motions, schema.numbers[name]) for name in (first, second))
    d = point_motion(other, on) - point_motion(base, at)
    axis = beside(d, axis_of(model, joint))
    axis = axis / np.hypot(*axis)
    # u of constant length turns with the first body: u' = ω n, n' = −ω u.
    angle, omega, alpha = (base[:, k, 2] for k in range(3))
    u = np.stack(
        [np.cos(angle) * axis[0] - np.sin(angle) * axis[1], np.sin(angle) * axis[0] + np.cos(angle) * axis[1]], 1
    )
    n = np.stack([-u[:, 1], u[:, 0]], 1)
    along = [np.sum(u * d[:, k], axis=1) for k in range(3)]
    across = [np.sum(n * d[:, k], axis=1) for k in range(2)]
    rate = along[1] + omega * across[0]
    bend = along[2] + 2 * omega * across[1] + alpha * across[0] - omega**2 * along[0]
    return np.column_stack([along[0], rate, bend])


def point_motion(body: Array, at: tuple[float, ...]) -> Array:
    """Position r + A s of a point fixed in a body, with its derivatives: (times, 3, 2)."""
    angle, omega, alpha = body[:, 0, 2], body[:, 1, 2], body[:, 2, 2]
    c, s = np.cos(angle), np.sin(angle)
    x, y, square = c * at[0] - s * at[1], s * at[0] + c * at[1], omega**2  # of the arm A s
    place = [body[:, 0, 0] + x, body[:, 0, 1] + y]
    velocity = [body[:, 1, 0] - omega * y, body[:, 1, 1] + omega * x]
    acceleration = [body[:, 2, 0] + (-(alpha * y) - square * x), body[:, 2, 1] + (alpha * x - square * y)]
    return np.stack([*place, *velocity, *acceleration], axis=1).reshape(len(body), 3, 2)
