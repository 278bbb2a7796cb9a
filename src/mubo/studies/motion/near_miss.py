"""Where along a motion the transmission is worst, between the rows too; and near misses of singular positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.studies.motion.between import Between
from mubo.studies.motion.march import DriverMotion, Path
from mubo.studies.quality.transmission import Measured, Transmission, graded

POINTS = 9  # looked at between the two rows around a minimum
FINE = 0.001  # rows whose values differ by less than this part are close
RISE = 1.02  # by how much σ rises between two near misses
GOLDEN = 0.381966
MOST_LOOKS = 45


@dataclass(frozen=True)
class Lowest:
    """The worst place of a group: σ, and where it has one its transmission angle."""

    group: Measured
    t: float
    sigma: float
    angle: float  # nan where none is defined

    @property
    def grade(self) -> float:
        return float(graded(np.array(self.sigma), None if self.group.angle is None else np.array(self.angle)))


class Seeker:
    """Looks between the rows of a path that has been run."""

    def __init__(self, motion: DriverMotion, between: Between, grid: Array, path: Path) -> None:
        self.motion, self._between, self._grid, self._path = motion, between, grid, path
        self._crossed = np.array([crossing.t for crossing in path.crossings])

    def lowest(self, group: Measured) -> Lowest:
        """The worst place on the rows."""
        return self._row(group, int(np.argmin(graded(group.sigma, group.angle))))

    def _row(self, group: Measured, k: int) -> Lowest:
        angle = np.nan if group.angle is None else float(group.angle[k])
        return Lowest(group, float(self._grid[group.at[k]]), float(group.sigma[k]), angle)

    def between(self, group: Measured) -> Lowest:
        """The worst place, also between rows: on the quintics around it, then on the constraints."""
        grades = graded(group.sigma, group.angle)
        k = int(np.argmin(grades))
        at_row = self._row(group, k)
        if not group.loops or not 0 < k < len(group.at) - 1 or self._crosses(group.at[k - 1], group.at[k + 1]):
            return at_row
        around = slice(k - 1, k + 2)
        if max(grades[around]) < (1 + FINE) * grades[k]:  # close rows: the parabola through them will do
            angle = None if group.angle is None else group.angle[around]
            return _vertex(group, self._grid[group.at[around]], group.sigma[around], angle)
        row = int(group.at[k])
        rows = np.arange(group.at[k - 1] + 1, group.at[k + 1])
        if len(rows) > 1:  # the group was looked at here and there only
            row = int(rows[np.argmin(self._grade(group, self._path.states[rows, 0], self.motion(self._grid[rows])))])
        sides = [np.linspace(self._grid[r], self._grid[r + 1], POINTS)[:-1] for r in (row - 1, row)]
        rows = self._between.rows(np.concatenate(sides))
        sigma, angle = group.evaluate(rows.states[:, 0], rows.motion)
        defined = None if group.angle is None else angle
        best = int(np.argmin(graded(sigma, defined)))
        if not 0 < best < len(rows.t) - 1:
            return at_row
        three = slice(best - 1, best + 2)
        exact = _vertex(group, rows.t[three], sigma[three], None if defined is None else defined[three])
        return exact if abs(exact.grade - at_row.grade) < at_row.grade and exact.grade < at_row.grade else at_row

    def near_misses(self, transmission: Transmission) -> list[Lowest]:
        """Every minimum of σ below the threshold, located; change points that were passed are no misses."""
        out = []
        for block in transmission.blocks:
            last: dict[int, int] = {}  # of each group: the line of its last minimum
            for number, k in block.dips():
                values = block.sigma[last.get(number, 0) : k + 1, number]
                if number in last and np.max(values) < RISE * max(values[0], values[-1]):
                    continue  # a driver that dwells: rounding makes many minima of one
                last[number] = k
                rows = tuple(int(row) for row in block.at[k - 1 : k + 2])
                if not self._crosses(rows[0], rows[2]):
                    place = self._located(block.measured(number), *rows)
                    if place.sigma < block.near:
                        out.append(place)
        return sorted(out, key=lambda place: place.t)

    def singular(self, group: Measured) -> list[Lowest]:
        """The group at the change points that were passed and where the motion stopped."""
        places = [(crossing.t, crossing.x) for crossing in self._path.crossings]
        if self._path.status != Status.done:
            places.append((self._path.stopped_at, self._path.stopped_state[0]))
        return [self._at(group, t, x) for t, x in places]

    def _crosses(self, before: int, after: int) -> bool:
        """Whether a change point lies between two rows, or on one of them."""
        low, high = sorted((float(self._grid[before]), float(self._grid[after])))
        slack = 1e-9 * (high - low)
        return bool(np.any((self._crossed >= low - slack) & (self._crossed <= high + slack)))

    def _located(self, group: Measured, before: int, row: int, after: int) -> Lowest:
        """The minimum of σ² between two rows."""
        place = {float(self._grid[row]): self._at(group, float(self._grid[row]), self._path.states[row][0])}

        def square(time: float) -> float:
            rows = self._between.rows(np.array([time]))
            if not len(rows.t):
                return np.inf
            place[time] = self._at(group, time, rows.states[0, 0])
            return place[time].sigma ** 2

        ends = (float(self._grid[before]), float(self._grid[row]), float(self._grid[after]))
        smallest_between(square, *ends)
        return min(place.values(), key=lambda p: p.sigma)

    def _at(self, group: Measured, time: float, x: Array) -> Lowest:
        sigma, angle = group.evaluate(x[None], self.motion(np.array([time])))
        return Lowest(group, time, float(sigma[0]), float(angle[0]))

    def _grade(self, group: Measured, x: Array, motion: Array) -> Array:
        sigma, angle = group.evaluate(x, motion)
        return graded(sigma, None if group.angle is None else angle)


def _vertex(group: Measured, times: Array, sigma: Array, angle: Array | None) -> Lowest:
    """The extreme of the parabola through three places; the middle one where there is none between them."""
    values = sigma if angle is None else angle
    t, f = times - times[1], values - values[1]
    slope = (f[2] * t[0] ** 2 - f[0] * t[2] ** 2) / (t[2] * t[0] * (t[0] - t[2]))
    bend = (f[2] * t[0] - f[0] * t[2]) / (t[2] * t[0] * (t[2] - t[0]))
    step = -slope / (2 * bend) if bend != 0 else 0.0
    step = step if t[0] < step < t[2] else 0.0
    value = float(values[1] + 0.5 * slope * step)
    return Lowest(group, float(times[1] + step), value if angle is None else float(sigma[1]), value)


def smallest_between(f: Callable[[float], float], low: float, middle: float, high: float) -> float:
    """Where f is smallest between low and high, given a middle where it is lower.

    Parabolas through three places, every third step a golden section (after Brent 1973, chapter 5).
    """
    values = {time: f(time) for time in (low, middle, high)}
    close = 1e-9 * (high - low)
    for count in range(MOST_LOOKS):
        p = (middle - low) * (values[middle] - values[high])
        q = (middle - high) * (values[middle] - values[low])
        straight = not np.isfinite(p - q) or p == q
        trial = middle if straight else middle - 0.5 * ((middle - low) * p - (middle - high) * q) / (p - q)
        if straight or count % 3 == 2 or not low < trial < high:
            trial = middle + GOLDEN * (high - middle if high - middle > middle - low else low - middle)
        elif abs(trial - middle) < close:
            break
        values[trial] = f(trial)
        left, right = sorted((middle, trial))
        middle = left if values[left] <= values[right] else right
        low, high = (low, right) if middle == left else (left, high)
        if high - low < close:
            break
    return middle
