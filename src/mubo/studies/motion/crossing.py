"""Change points: where two motions cross, both tangents are found and the smooth one is followed (or the other).

At a bifurcation J has a null vector n and a left null vector w, and the velocity equations J v = ν are solved by all
v = v₀ + c n. The acceleration equations J a = γ(v) have a solution only if wᵀγ(v₀ + c n) = 0. γ is quadratic in v, so
this is a quadratic equation for c: its two roots are the tangents of the two motions (Haug 1989, chapter 3).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.studies.motion.march import SHORTEST, DriverMotion, Path, Stepper, divide
from mubo.studies.motion.quintic import quintic

NEAR = 0.02  # radians, or sizes of the mechanism: how far before and after the point the crossing step begins and ends
AT_THE_POINT = 0.02  # of that distance: rows closer to the point take its own rates
MOST_UNKNOWNS = 600


@dataclass(frozen=True)
class Crossing:
    """A change point at time t: its unknowns and the rates of both motions there."""

    t: float
    x: Array
    smooth: Array
    other: Array


class Crosser:
    """Passes change points on a way; `other` takes the motion that crosses instead of the smooth one."""

    def __init__(self, motion: DriverMotion, stepper: Stepper, weight: Array, other: bool) -> None:
        self._motion, self._stepper, self._weight, self._other = motion, stepper, weight, other

    def __call__(self, path: Path, grid: Array, time: float, state: Array) -> bool:
        """Over the change point next to `time`; fills the rows of `path` up to the first one after it."""
        if len(self._weight) > MOST_UNKNOWNS:
            return False
        before = self._approach(path, grid, time, state)
        point = self._locate(before, (time, state)) if before is not None else None
        if before is None or point is None or (point[0] - before[0]) * (grid[-1] - grid[0]) <= 0:
            return False
        t, x = point
        tangents = self._tangents(t, x, state[1])
        if tangents is None:
            return False
        crossing = Crossing(t, x, *tangents)
        onward = self._after(before, crossing, False)
        if onward is not None:
            crossing = replace(crossing, t=self._refined(before, onward, t))
        after = self._after(before, crossing, True) if self._other else onward
        if after is None:
            return False
        path.crossings.append(crossing)
        return self._fill(path, grid, before, crossing, after)

    def _at(self, time: float) -> Array:
        return np.asarray(self._motion(np.array([time]))[0])

    def _approach(self, path: Path, grid: Array, time: float, state: Array) -> tuple[float, Array] | None:
        """A regular state before the point, as far as it takes the fastest unknown to move by NEAR."""
        speed = float(np.max(np.abs(self._weight * state[1])))
        if not speed > 0:
            return None
        forward = float(np.sign(grid[-1] - grid[0]))
        wanted = time - forward * NEAR / speed
        row = path.reached
        while row > 0 and (grid[row] - wanted) * forward > 0:
            row -= 1
        wanted = wanted if (grid[row] - wanted) * forward <= 0 else float(grid[row])
        if wanted == grid[row]:
            return wanted, path.states[row]
        self._stepper.at(path.states[row][0], self._at(float(grid[row])))
        ends = np.array([float(grid[row]), wanted])
        shortest = SHORTEST * abs(float(grid[-1] - grid[0]))
        status, reached, arrived, _ = divide(
            self._motion, self._stepper, ends, path.states[row], ends[1] - ends[0], shortest, lambda s, t: False
        )
        return (reached, arrived) if status == Status.done else None

    def _locate(self, before: tuple[float, Array], near: tuple[float, Array]) -> tuple[float, Array] | None:
        """Time and unknowns where det J is zero: by the secant through two states close to it."""
        t, state = near
        h = 1e-3 * (before[0] - t)
        determinants = []
        for step in (0.0, h):
            x = state[0] + step * (state[1] + 0.5 * step * state[2])
            determinants.append(np.linalg.slogdet(self._stepper.equations(x, state[1], self._at(t + step))[1]))
        (sign, size), (next_sign, next_size) = determinants
        ratio = float(sign * next_sign * np.exp(size - next_size))  # det(t) / det(t + h)
        if not np.isfinite(ratio) or not ratio < 1:
            return None
        step = h * ratio / (ratio - 1)
        return t + step, state[0] + step * (state[1] + 0.5 * step * state[2])

    def _tangents(self, t: float, x: Array, rates: Array) -> tuple[Array, Array] | None:
        """Rates of the motion that continues `rates`, and of the one it crosses; None if this is no such point."""
        motion = self._at(t)
        _, J, nu, _ = self._stepper.equations(x, np.zeros_like(x), motion)
        left, values, right = np.linalg.svd(J)
        if values[-1] > 1e-4 * values[0] or (len(values) > 1 and values[-2] < 1e-6 * values[0]):
            return None
        w, n = left[:, -1], right[-1]
        v0 = right[:-1].T @ ((left[:, :-1].T @ nu) / values[:-1])
        size = float(np.linalg.norm(rates))
        if abs(float(w @ nu)) > 1e-4 * (float(np.linalg.norm(nu)) + 1e-300):
            return None  # the drivers cannot go on: a limit
        c = (-1.0, 0.0, 1.0)
        at = [float(w @ self._stepper.equations(x, v0 + k * size * n, motion)[3]) for k in c]
        quadratic = [(at[0] + at[2]) / 2 - at[1], (at[2] - at[0]) / 2, at[1]]
        if abs(quadratic[0]) < 1e-9 * max(abs(value) for value in quadratic):
            return None
        roots = np.roots(quadratic)
        if np.max(np.abs(roots.imag)) > 1e-6 * max(1.0, float(np.max(np.abs(roots)))):
            return None
        present = float(n @ (rates - v0)) / size
        first, second = sorted(roots.real, key=lambda root: abs(root - present))
        return v0 + first * size * n, v0 + second * size * n

    def _refined(self, before: tuple[float, Array], after: tuple[float, Array], t: float) -> float:
        """The zero of det J on the quintic through the states before and after the point, by bisection."""
        h = after[0] - before[0]

        def sign(u: float) -> float:
            x = quintic(h, before[1], after[1], u)
            return float(np.linalg.slogdet(self._stepper.equations(x, before[1][1], self._at(before[0] + u * h))[1])[0])

        low, high, first = 0.0, 1.0, sign(0.0)
        if first * sign(1.0) >= 0:
            return t
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if sign(middle) == first else (low, middle)
        return before[0] + 0.5 * (low + high) * h

    def _after(self, before: tuple[float, Array], crossing: Crossing, other: bool) -> tuple[float, Array] | None:
        """The state as far after the point as `before` is before it, on the motion that is wanted."""
        t, (start, state) = crossing.t, before
        after = 2 * t - start
        lead = crossing.other if other else crossing.smooth
        guess = crossing.x + (after - t) * lead
        if not other:
            h = after - start
            guess = state[0] + h * (state[1] + 0.5 * h * state[2])
        status, beyond = self._stepper.at(guess, self._at(after))
        apart = float(np.linalg.norm(self._weight * (after - t) * (crossing.smooth - crossing.other)))
        off = float(np.linalg.norm(self._weight * (beyond[0] - crossing.x - (after - t) * lead)))
        return (after, beyond) if status == Status.done and off < 0.5 * apart else None

    def _fill(
        self, path: Path, grid: Array, before: tuple[float, Array], crossing: Crossing, after: tuple[float, Array]
    ) -> bool:
        """Rows between the last one reached and the state after the point, then the first row beyond it."""
        forward = float(np.sign(grid[-1] - grid[0]))
        while path.reached < len(grid) - 1 and (grid[path.reached + 1] - after[0]) * forward <= 0:
            path.reached += 1
            path.states[path.reached] = self._row(float(grid[path.reached]), before, crossing, after)
        self._stepper.at(after[1][0], self._at(after[0]))
        if path.reached < len(grid) - 1:
            end = float(grid[path.reached + 1])
            shortest = SHORTEST * abs(float(grid[-1] - grid[0]))
            ends = np.array([after[0], end])
            status, time, state, count = divide(
                self._motion, self._stepper, ends, after[1], end - after[0], shortest, lambda s, t: False
            )
            if status != Status.done:  # another point before the next row
                beyond = Path(np.stack([after[1], after[1]]), np.zeros(2, int), 0)
                if not self(beyond, ends, time, state) or beyond.reached < 1:
                    path.crossings += beyond.crossings
                    deeper = not np.isnan(beyond.stopped_at)
                    path.stopped_at = beyond.stopped_at if deeper else time
                    path.stopped_state = beyond.stopped_state if deeper else state
                    path.status = beyond.status if deeper else status
                    return False  # it stops there, after the point that was passed
                path.crossings += beyond.crossings
                state = beyond.states[1]
            path.reached += 1
            path.states[path.reached], path.corrections[path.reached] = state, count
        return True

    def _row(self, time: float, before: tuple[float, Array], crossing: Crossing, after: tuple[float, Array]) -> Array:
        """The state at an output time close to the point."""
        side = after if (time - crossing.t) * (after[0] - crossing.t) > 0 else before
        if abs(time - crossing.t) > AT_THE_POINT * abs(after[0] - crossing.t):
            h = time - side[0]
            guess = side[1][0] + h * (side[1][1] + 0.5 * h * side[1][2])
            status, state = self._stepper.at(guess, self._at(time))
            if status == Status.done:
                return state
        x = crossing.x + (time - crossing.t) * (crossing.other if self._other and side is after else crossing.smooth)
        for _ in range(5):  # onto the constraints, without moving along the null vector
            phi, J, _, _ = self._stepper.equations(x, crossing.smooth, self._at(time))
            x = x - np.linalg.lstsq(J, phi, rcond=1e-3)[0]
        mean = (after[1][1] - before[1][1]) / (after[0] - before[0])
        return np.stack([x, crossing.smooth + (time - crossing.t) * mean, mean])
