"""Transmission along a motion: every group, its worst value, and near-singular positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.results import Column
from mubo.solvers.continuation.continuation import ContinuationResult
from mubo.solvers.kinematics.dense_output import COSTLY, DenseOutput
from mubo.solvers.kinematics.limit_distance import remaining_travel
from mubo.solvers.kinematics.near_singularity import TransmissionSearch, WorstTransmission

if TYPE_CHECKING:
    from mubo.solvers.kinematics.problem import KinematicProblem

MAX_GROUPS = 20  # in the summary, worst first; of a large mechanism only the worst
MAX_LIMIT_SEARCHES = 20  # near-singular positions of a run from which limits are searched


class MotionTransmission:
    """Transmission of all groups along the forward motion."""

    def __init__(self, way: KinematicProblem, times: Array, path: ContinuationResult, between: DenseOutput) -> None:
        rows = self._times = times[: path.reached + 1]
        self.transmission = way.transmission(path.states[: len(rows)], way.motion(rows))
        self._seeker = TransmissionSearch(way.motion, between, rows, path)
        self.motion = way.motion
        self.most = MAX_GROUPS if len(way.weight) <= COSTLY else 1
        self.misses = self._seeker.near_misses(self.transmission)
        for k, miss in enumerate(self.misses[:MAX_LIMIT_SEARCHES] if len(way.weight) <= COSTLY else ()):
            self.misses[k] = replace(miss, left=remaining_travel(way, rows, miss.t, miss.x))

    def worst(self) -> tuple[list[WorstTransmission], int]:
        """Worst transmission of the worst groups, worst first, and the number of all groups."""
        groups, count = self.transmission.worst(self.most)
        places = self._seeker.worst(groups)
        for k, (place, least, greatest) in enumerate(places):  # what was located counts too
            located = [miss for miss in self.misses if miss.group.name == place.group.name]
            every = [place, *located, *self._seeker.singular(place.group)]
            angles = [found.angle for found in every]
            lowest = min(every, key=lambda p: p.grade)
            places[k] = WorstTransmission(lowest, min(least, *angles), max(greatest, *angles))
        return sorted(places, key=lambda worst: worst.place.grade), count

    def columns(self, times: Array) -> Iterator[tuple[Column, Array]]:
        """Columns `transmission.G.angle` of dyads and `transmission.G.singular_value` of other groups; NaN where not
        measured."""
        known = times <= self._times[-1]  # the backward motion of a deck is not measured
        rows, unknown = np.searchsorted(self._times, times[known]), np.full(int(np.sum(~known)), np.nan)
        for block in self.transmission.blocks:
            for k in range(block.sigma.shape[1]):
                group, values = block.measured(k), np.full(len(self._times), np.nan)
                values[group.at] = group.sigma if group.angle is None else group.angle
                name = f"transmission.{group.short}.{group.measure}"
                holds = "number" if group.angle is None else "angle"
                column = Column(name, "transmission", group.short, group.measure, 0, holds)
                yield column, np.append(values[rows], unknown)
