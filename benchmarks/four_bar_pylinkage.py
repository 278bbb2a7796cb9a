"""The four-bar linkage, and Jansen's leg, in pylinkage, whose loops Numba compiles.

It answers the motion of the joints B and C only; the motion of the bodies follows from them and is computed outside
the clock. `step_fast` gives positions, `step_fast_with_kinematics` velocities and accelerations as well.
"""

from __future__ import annotations

import numpy as np
from pylinkage.actuators import Crank
from pylinkage.components import Ground
from pylinkage.dyads import RRRDyad
from pylinkage.simulation import Linkage
from timing import Array, Competitor


class FourBar:
    """One linkage and the way back to its first position, which every run begins with."""

    def __init__(self, lengths: tuple[float, ...], start: float, rate: float, times: Array, first: Array) -> None:
        a, b, c, d = lengths
        step = rate * float(times[1] - times[0])
        A, self.D = Ground(0.0, 0.0), Ground(d, 0.0)
        # The first position it answers is one step after the one it is set to.
        self.crank = Crank(A, a, angular_velocity=step, initial_angle=start - step)
        self.pin = RRRDyad(self.crank.output, self.D, b, c, *self.joints(first)[1])
        self.linkage = Linkage([A, self.D, self.crank, self.pin])
        self.linkage.set_input_velocity(self.crank, rate)
        self.first, self.steps = self.linkage.get_coords(), len(times)

    def joints(self, states: Array) -> tuple[Array, Array]:
        """B and C from the middles of crank and rocker."""
        return 2 * states[..., 0:2], 2 * states[..., 6:8] - np.array([self.D.x, self.D.y])

    def positions(self) -> list[Array]:
        self.linkage.set_coords(self.first)
        return [self.linkage.step_fast(self.steps)]

    def kinematics(self) -> tuple[Array, ...]:
        self.linkage.set_coords(self.first)
        return self.linkage.step_fast_with_kinematics(self.steps)

    def bodies(self, orders: list[Array]) -> Array:
        """x, y, phi of the middles of the links, in as many orders as there are."""
        points = [order[:, 1:4] for order in orders]  # D, B, C
        points = [np.concatenate([np.zeros_like(p[:, :1]), p], axis=1) for p in points]  # and A before them
        links = ((0, 2), (2, 3), (1, 3))
        out = np.empty((len(points[0]), len(points), 9))
        for k, (foot, head) in enumerate(links):
            arms = [p[:, head] - p[:, foot] for p in points]
            square = np.sum(arms[0] ** 2, axis=1)
            for order, p in enumerate(points):
                out[:, order, 3 * k : 3 * k + 2] = 0.5 * (p[:, foot] + p[:, head])
                turned = arms[0][:, 0] * arms[order][:, 1] - arms[0][:, 1] * arms[order][:, 0]
                out[:, order, 3 * k + 2] = turned / square
            angle = np.arctan2(arms[0][:, 1], arms[0][:, 0])
            out[:, 0, 3 * k + 2] = np.unwrap(angle) if k == 0 else angle
        return out


class Leg:
    """Jansen's leg: `first` are the places of top, back, knee, ankle and foot where the crank is at zero."""

    def __init__(self, steps: int, first: list[tuple[float, float]]) -> None:
        step = 2 * np.pi / (steps - 1)
        shaft, hip = Ground(0.0, 0.0), Ground(-38.0, -7.8)
        crank = Crank(shaft, 15.0, angular_velocity=step, initial_angle=-step)
        pin, (top, back, knee, ankle, foot) = crank.output, first
        self.dyads = [RRRDyad(pin, hip, 50.0, 41.5, *top)]
        self.dyads.append(RRRDyad(self.dyads[0], hip, 55.8, 40.1, *back))
        self.dyads.append(RRRDyad(pin, hip, 61.9, 39.3, *knee))
        self.dyads.append(RRRDyad(self.dyads[1], self.dyads[2], 39.4, 36.7, *ankle))
        self.dyads.append(RRRDyad(self.dyads[3], self.dyads[2], 65.7, 49.0, *foot))
        self.linkage = Linkage([shaft, hip, crank, *self.dyads])
        self.linkage.set_input_velocity(crank, 2 * np.pi)
        self.first, self.steps = self.linkage.get_coords(), steps

    def positions(self) -> Array:
        self.linkage.set_coords(self.first)
        return self.linkage.step_fast(self.steps)

    def kinematics(self) -> tuple[Array, ...]:
        self.linkage.set_coords(self.first)
        return self.linkage.step_fast_with_kinematics(self.steps)


def pylinkage_fast(
    lengths: tuple[float, ...], start: float, rate: float, times: Array, first: Array
) -> list[Competitor]:
    """Positions alone, and with velocities and accelerations; building and compiling are not timed."""
    held = FourBar(lengths, start, rate, times, first)
    return [
        Competitor("pylinkage step_fast, joints, positions only", held.positions, held.bodies),
        Competitor("pylinkage step_fast_with_kinematics, joints", held.kinematics, held.bodies),
    ]
