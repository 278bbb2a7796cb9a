"""Coordinates in which free motions are described: those of joints where possible, else of bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.model.column_names import Column
from mubo.results import Columns
from mubo.solvers.columns.columns import motion_columns
from mubo.solvers.forces.multipliers import states_from_twists
from mubo.solvers.statics.static_state import StaticState

TELLING = 0.05  # of a coordinate's own rate: what the coordinates before it do not tell


@dataclass(frozen=True)
class FreeCoordinate:
    """A column, that of its rate, and its rates along the free motions of a position. Rotations that no coordinate
    counts (of balls, and of bodies in space) have the name of their rate."""

    name: str
    rate: str
    holds: str
    rates: Array


def free_coordinates(state: StaticState, first: Sequence[str] = (), turns: bool = False) -> list[FreeCoordinate]:
    """As many coordinates as there are free motions, in the order of the model's joints and bodies, those named `first`
    before others; with `turns` also angular velocities that are no rates of coordinates."""
    columns = _columns_along_motions(state)
    size = state.rest.form.mechanism.size
    known = np.zeros((0, len(state.free)))
    chosen: list[FreeCoordinate] = []
    for name, rate in sorted(_pairs(columns, turns), key=lambda pair: pair[0] not in first):
        if len(chosen) == len(state.free):
            break
        rates, holds = columns.raw(rate.name), rate.holds
        line = rates / (size if holds == "length" else 1.0)
        rest = line - known.T @ (known @ line)
        length = float(np.linalg.norm(rest))
        if length > TELLING * max(float(np.linalg.norm(line)), TELLING):
            known = np.vstack([known, rest / length])
            chosen.append(FreeCoordinate(name, rate.name, holds, rates))
    return chosen


def _pairs(columns: Columns, turns: bool) -> Iterator[tuple[str, Column]]:
    """Coordinates of joints, then of bodies, with the columns of their rates."""
    for kind in ("joint", "body"):
        entries = columns.of_kind(kind)
        names = {(column.owner, column.quantity): column.name for column in entries if not column.order}
        for column in entries:
            name = names.get((column.owner, column.quantity), column.name if turns else "")
            if column.order == 1 and name:
                yield name, column


def _columns_along_motions(state: StaticState) -> Columns:
    """Columns of the position moving along one free motion after the other: one row each."""
    rest = state.rest
    states = states_from_twists(rest.form, state.q, state.free / rest.weight)
    return motion_columns(rest.form, np.full(len(states), rest.time), states)
