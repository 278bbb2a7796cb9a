"""Exact derivatives of objectives with respect to parameters, from the derivatives of the columns of a run.

An extreme moves with its time, but its derivative is that of the column at its time (envelope theorem): where it lies
between the ends of the run its rate is zero, and at an end the time is fixed, unless the end is a turn of a driver
whose law the parameter changes: then x(T) changes by dx/dp + ẋ dT/dp.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.drive_numbers import mean_of
from mubo.design.objectives import extreme, jet_of_expression, output_of, value_of
from mubo.design.paths import gaps_of, moved_by
from mubo.errors import ModelError, MuboError, ResultError
from mubo.laws.law import breaks_of
from mubo.laws.tangent import all_derivatives
from mubo.laws.tangent import value_of as value_of_array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import Units
from mubo.model.dependence import depends
from mubo.model.objectives import EXPRESSION, OF_COLUMN, PATH, TIMED, Objective
from mubo.model.output_times import times_of_variant
from mubo.results import Columns, Run
from mubo.solvers.kinematics.sensitivity import MotionSensitivity, SensitiveStates, column_derivatives
from mubo.solvers.transmission.transmission_sensitivity import DyadSensitivity

BESIDE = 1e-8  # of the time of a run: an extreme so near to a corner of a law stands at it
DIFFERENCE = 1e-5  # of a parameter: half the step of central differences
AGREE = 1e-6  # relative: derivatives of two groups that are equally bad
SAME = 1e-9  # of half a turn: a transmission angle as the run measured it and as it is differentiated


@dataclass(frozen=True)
class Gradients:
    """Derivatives of the objectives of a run by some parameters."""

    motion: MotionSensitivity
    objectives: Sequence[Objective] = ()  # whose positions are solved together

    @property
    def run(self) -> Run:
        """The run that is measured."""
        return self.motion.run

    def gradient(self, objective: Objective) -> Array:
        """d(objective)/d(parameter), one for each parameter, in the model's units."""
        if objective.how in OF_COLUMN and objective.of not in self.motion:
            value_of(objective, self.run)  # says what a run has instead
            raise ModelError(f'"{objective.text}": derivatives of "{objective.of}" are not known')
        if objective.how not in _HOW:
            raise ModelError(f'"{objective.text}": derivatives of {objective.how} are not known')
        return _HOW[objective.how](self, objective)

    def matrix(self, objectives: Sequence[Objective]) -> Array:
        """Derivatives of several objectives: objectives × parameters."""
        return np.array([self.gradient(objective) for objective in objectives]).reshape(-1, len(self.motion.names))

    @cached_property
    def _moved_ends(self) -> Array:
        """Derivatives of the first and the last time by the parameters, 2 × parameters: a driver that a parameter
        makes faster ends its turn earlier. By central differences of the inverted motion law."""
        model, times = self.run.model, self.run.record.times
        out = np.zeros((2, len(self.motion.names)))
        for k, name in enumerate(self.motion.names):
            parts = (model.analysis, *(driver.motion for driver in model.drivers.values()))
            if times.asked is None or not any(depends(part, [name]) for part in parts):
                continue
            value = float(model.parameters[name].value)
            step = DIFFERENCE * (abs(value) or 1.0)
            low, high = (times_of_variant(model.replace(**{name: value + off}), times) for off in (-step, step))
            out[:, k] = (high.start - low.start) / (2 * step), (high.end - low.end) / (2 * step)
        return out

    def _by_moved_end(self, name: str, end: int, text: str) -> Array:
        """The share ẋ dT/dp of the last time (`end` −1) or the first (0) in the derivatives of a column there."""
        moved = self._moved_ends[end]
        if not moved.any():
            return np.asarray(moved)
        rate = self.motion.columns.derivative(name)
        if rate is None:
            raise ModelError(f'"{text}": a parameter moves the end of the run, and the rate of "{name}" is not known')
        return np.asarray(float(self.run[rate][end]) * moved)

    def _end(self, objective: Objective) -> Array:
        end = 0 if objective.how == "first" else -1
        return self.motion[objective.of][:, end] + self._by_moved_end(objective.of, end, objective.text)

    def _mean(self, objective: Objective) -> Array:
        """The derivative at fixed times, and of the ends: (x(T) − m) dT/dp / T of a mean m, of a rms by its square."""
        squared = objective.how == "rms"
        found = self._derivatives(mean_of(self.motion.columns, objective.of, squared=squared))
        if not self._moved_ends.any():
            return found
        t, x, m = self.run["t"], self.run[objective.of], value_of(objective, self.run)
        first, last = ((x[end] ** 2 - m**2) / (2 * m) if squared and m else x[end] - m for end in (0, -1))
        return np.asarray(found + (last * self._moved_ends[1] - first * self._moved_ends[0]) / (t[-1] - t[0]))

    def _path_error(self, objective: Objective) -> Array:
        """The derivative of √(Σ e²/n) is Σ e·e_p / (n · error); it does not exist where the path meets every point."""
        gaps = gaps_of(objective, self.run.model, self.run.columns)
        shift = gaps.across(moved_by(objective, gaps, self.motion))
        if gaps.rms == 0.0:
            raise ResultError(f'"{objective.text}" is zero, the least that it can be: it has no derivative there')
        return np.asarray(np.einsum("ia,iak->k", gaps.apart, shift) / (len(gaps.apart) * gaps.rms))

    def _expression(self, objective: Objective) -> Array:
        """Σ ∂f/∂m_k dm_k/dp over the objectives m_k of an expression f."""
        values = [value_of(part, self.run) for part in objective.parts]
        partial = [float(jet_of_expression(objective, values, k).d) for k in range(len(values))]
        return np.asarray(partial @ Gradients(self.motion, objective.parts).matrix(objective.parts))

    def _mass(self, objective: Objective) -> Array:
        bodies, factor = self.run.model.bodies.values(), self.run.units.factor("mass")
        return sum((self._derivatives(body.whole.mass or 0.0) for body in bodies), self._derivatives(0.0)) / factor

    def _derivatives(self, number: object) -> Array:
        return all_derivatives(number, self.motion.names)

    def _extreme(self, objective: Objective) -> Array:
        return self._of_ends(objective.how, objective.of, objective.text)

    def _stroke(self, objective: Objective) -> Array:
        return self._of_ends("range", output_of(objective, self.run), objective.text)

    def _of_ends(self, how: str, name: str, text: str) -> Array:
        entry = extreme(self.run, name)
        if how == "range":
            low, high = self._at(name, (entry["min"][1], entry["max"][1]), text)
            return np.asarray(high - low)
        low, high = entry["min"], entry["max"]
        chosen = {"min": low, "max": high, "largest": max(low, high, key=lambda end: abs(end[0]))}[how]
        sign = np.sign(chosen[0]) if how == "largest" else 1.0
        return np.asarray(sign * self._at(name, (chosen[1],), text)[0])

    def _at(self, name: str, times: Sequence[float], text: str) -> Array:
        """Derivatives of a column at some times: times × parameters."""
        for t in times:
            self._require_no_corner(t, text)
        found = self._columns
        rows = self._rows(times, text) if name in found else []
        if not rows:  # what was not asked for with the others
            found = self.motion.columns_at(np.sort(times))
            rows = _rows_at(found.raw("t"), times, self.run.units, text)
        out = column_derivatives(found, name, self.motion.names)[:, rows].T.copy()
        first, last = (float(self.run.columns.raw("t")[end]) for end in (0, -1))
        for k, t in enumerate(times):
            for end, time in ((0, first), (-1, last)):
                if abs(t - time) <= BESIDE * (last - first):
                    out[k] += self._by_moved_end(name, end, text)
        return out

    @cached_property
    def _states(self) -> SensitiveStates:
        """States with their derivatives at the times of all extremes that are asked for, solved together."""
        return self.motion.states_at(np.array([t for _, t in self._places]))

    @cached_property
    def _columns(self) -> Columns:
        """Columns of the extremes that are asked for at the times of all of them."""
        names = dict.fromkeys(name for name, _ in self._places if name)
        return self.motion.columns_of(self._states, list(names)) if names else Columns(self.run.units)

    @cached_property
    def _places(self) -> list[tuple[str, float]]:
        """Columns and times of all objectives that can be solved together."""
        found: list[tuple[str, float]] = []
        for objective in self.objectives:
            try:
                found += self._places_of(objective)
            except MuboError:  # its own gradient says why
                continue
        return found

    def _places_of(self, objective: Objective) -> list[tuple[str, float]]:
        """Columns and times at which an objective needs derivatives; of a transmission angle "" and its time."""
        if objective.how == "transmission":
            return [("", group["t"]) for group in self._worst_groups()]
        if objective.how == "stroke" or objective.how in _EXTREMES:
            name = output_of(objective, self.run) if objective.how == "stroke" else objective.of
            if name in self.motion:
                entry = extreme(self.run, name)
                return [(name, entry[end][1]) for end in ("min", "max")]
        return []

    def _rows(self, times: Sequence[float], text: str) -> list[int]:
        """Rows of the states that were solved together."""
        return _rows_at(self._states.t, times, self.run.units, text)

    def _require_no_corner(self, t: float, text: str) -> None:
        """An extreme at a corner of a law that parameters may move has no derivative at a fixed time."""
        for name, moved, corners, near in self._moved_corners:
            if np.any(np.abs(corners - t) < near):
                raise ResultError(
                    f'"{text}": its extreme stands at t = {self.run.units.time_text(t)}, a corner of the law of driver '
                    f"{name}, which {', '.join(moved)} may move: it has no derivative there",
                    names=[name],
                )

    @cached_property
    def _moved_corners(self) -> list[tuple[str, list[str], Array, float]]:
        """Drivers whose laws the parameters change: name, those parameters, corners, and what is near to one."""
        start, end = (float(self.run.columns.raw("t")[k]) for k in (0, -1))
        out = []
        for driver in self.run.model.drivers.values():
            moved = [name for name in self.motion.names if depends(driver.motion, [name])]
            if moved:
                out.append((driver.name, moved, breaks_of(driver.motion, start, end), BESIDE * (end - start)))
        return out

    def _time_ratio(self, objective: Objective) -> Array:
        """Derivatives of the times t_k of output reversal (ẋ = 0), dt_k/dp = −ẋ_p / ẍ, and of the time of one turn."""
        name = output_of(objective, self.run)
        value = value_of(objective, self.run)
        places = [place["t"] for place in self.run.summary["outputs"][name]["toggle_positions"][:2]]
        columns = self.motion.columns_at(np.array(places))
        rate = columns.derivative(name)
        bend = columns.slope(rate) if rate else None
        if rate is None or bend is None or len(columns["t"]) < 2:
            raise ModelError(f'"{objective.text}": derivatives of its times are not known')
        shift = -column_derivatives(columns, rate, self.motion.names) / value_of_array(bend)
        one, change = places[1] - places[0], shift[:, 1] - shift[:, 0]
        (driver,) = self.run.model.drivers
        turning = self.run.columns.raw(f"{driver}.rate")[0]
        by_rate = column_derivatives(self.motion.columns, f"{driver}.rate", self.motion.names)[:, 0]
        by_rate = by_rate * self.run.units.factor("angle", 1)
        period = 2 * np.pi / abs(turning)
        whole = -period * by_rate / turning
        rest, by_rest = period - one, whole - change
        quick, by_slow, by_quick = (rest, change, by_rest) if one > rest else (one, by_rest, change)
        return np.asarray((by_slow - value * by_quick) / quick)

    def _transmission(self, objective: Objective) -> Array:
        """Derivatives at the worst position of the worst dyad (envelope theorem); of equal ones, if they agree."""
        factor, worst = self.run.units.angle_factor(), self._worst_groups()
        near = SAME * np.pi / factor
        derivatives = np.array([self._of_group(group, objective.text, near, factor) for group in worst])
        if not np.allclose(derivatives, derivatives[0], rtol=AGREE, atol=AGREE * np.max(np.abs(derivatives))):
            several = " and ".join(group["group"] for group in worst)
            raise ResultError(f'"{objective.text}": {several} are equally bad and part: it has no derivative there')
        return np.asarray(derivatives[0])

    def _worst_groups(self) -> list[Mapping[str, Any]]:
        """The groups whose transmission is the worst of all."""
        entry, near = self.run.summary["transmission"], SAME * np.pi / self.run.units.angle_factor()
        return [group for group in entry["groups"] if abs(group["minimum"] - entry["minimum"]) <= near]

    def _of_group(self, entry: Mapping[str, Any], text: str, near: float, factor: float) -> Array:
        if entry["measure"] != "angle":
            raise ModelError(f'"{text}": derivatives are known of dyads alone; the worst group is {entry["group"]}')
        self._require_no_corner(entry["t"], text)
        at, row = self._states, self._rows([entry["t"]], text)[0]
        loops = self.run.record.inspection.loops
        dyads = DyadSensitivity(loops, self.motion.equations, at.states[row, 0], at.derivatives[:, row, 0])
        grade, derivatives = dyads.grade(entry["group"])
        if abs(grade / factor - entry["minimum"]) > near:
            raise ModelError(f'"{text}": derivatives of the transmission of {entry["group"]} are not known')
        return derivatives / factor


def _rows_at(solved: Array, times: Sequence[float], units: Units, text: str) -> list[int]:
    """Numbers of some times among those that were solved."""
    rows = np.searchsorted(solved, times)
    if not len(solved) or np.any(solved[np.minimum(rows, len(solved) - 1)] != times):
        missing = ", ".join(units.time_text(t) for t in times)
        raise ResultError(f'"{text}": the position at t = {missing} cannot be solved again')
    return [int(row) for row in rows]


_EXTREMES = ("max", "min", "largest", "range")
_HOW: dict[str, Callable[[Gradients, Objective], Array]] = {
    "first": Gradients._end,
    "last": Gradients._end,
    "mean": Gradients._mean,
    "rms": Gradients._mean,
    "max": Gradients._extreme,
    "min": Gradients._extreme,
    "largest": Gradients._extreme,
    "range": Gradients._extreme,
    "stroke": Gradients._stroke,
    "time ratio": Gradients._time_ratio,
    "transmission": Gradients._transmission,
    "mass": Gradients._mass,
    EXPRESSION: Gradients._expression,
    PATH: Gradients._path_error,
    TIMED: Gradients._path_error,
}
