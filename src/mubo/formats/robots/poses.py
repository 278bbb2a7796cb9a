"""Place and orientation of one frame in another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.formats.robots.robot import ORIGIN, Place, place_of
from mubo.geometry import UNIT
from mubo.geometry.rotation import conjugate, matrix, product


@dataclass(frozen=True)
class Pose:
    """Place and quaternion of a frame in another."""

    at: Place = ORIGIN
    turn: Place = UNIT

    def __matmul__(self, other: Pose) -> Pose:
        """The pose of a frame that `other` gives in this one."""
        at = np.array(self.at) + matrix(self.turn) @ np.array(other.at)
        return Pose(place_of(at), place_of(product(self.turn, other.turn)))

    def inverse(self) -> Pose:
        """The pose of the outer frame in this one."""
        turn = conjugate(self.turn)
        return Pose(place_of(-matrix(turn) @ np.array(self.at)), place_of(turn))

    def direction(self, vector: Place) -> Place:
        """A direction of this frame in the outer one."""
        return place_of(matrix(self.turn) @ np.array(vector))
