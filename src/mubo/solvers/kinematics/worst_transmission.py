"""How well a motion was passed on along a way: every group, its worst place, and near misses of singular positions."""

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

MAX_GROUPS = 20  # told in the summary, worst first; of a large mechanism the worst alone

MAX_LIMIT_SEARCHES = 20  # near misses of a run at which limits beyond them are looked for


class MotionTransmission:
    """Transmission measured along the way there."""

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
        """The worst places of the worst groups, worst first, and how many groups there are in all."""
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
        """`transmission.G.angle` of dyads, `transmission.G.singular_value` of other groups; nan between looks."""
        known = times <= self._times[-1]  # the way back of a deck is not looked at
        rows, unknown = np.searchsorted(self._times, times[known]), np.full(int(np.sum(~known)), np.nan)
        for block in self.transmission.blocks:
            for k in range(block.sigma.shape[1]):
                group, values = block.measured(k), np.full(len(self._times), np.nan)
                values[group.at] = group.sigma if group.angle is None else group.angle
                name = f"transmission.{group.short}.{group.measure}"
                holds = "number" if group.angle is None else "angle"
                column = Column(name, "transmission", group.short, group.measure, 0, holds)
                yield column, np.append(values[rows], unknown)
