"""The columns of bodies, points, joints and drivers by the names users read, in the order in which tables have them."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.model import quantities
from mubo.model.coordinates import Freedom
from mubo.results.columns import Column

TIME = Column(*quantities.TIME)


def body_columns(name: str, dimension: int) -> list[Column]:
    """x, y, φ with their rates; in space place, quaternion, velocities and accelerations in ground axes."""
    return [Column(*quantity) for quantity in quantities.of_body(name, dimension)]


def point_columns(name: str, dimension: int) -> list[Column]:
    """x, y (and z), then velocities, then accelerations."""
    return [Column(*quantity) for quantity in quantities.of_point(name, dimension)]


def joint_columns(name: str, freedoms: Sequence[Freedom], letter: str) -> list[Column]:
    """Coordinates q, rates v or accelerations a of a joint: q, or q1, q2, … of several."""
    return [Column(*quantity) for quantity in quantities.of_joint(name, freedoms, letter)]


def driver_columns(name: str, holds: str, effort: bool = False) -> list[Column]:
    """Value and rate of a driver, and the effort that it takes."""
    columns = [Column(*quantity) for quantity in quantities.of_driver(name, holds)]
    return [*columns, Column(*quantities.effort_of(name, holds))] if effort else columns


def energy_column(word: str) -> Column:
    return Column(*quantities.of_energy(word))
