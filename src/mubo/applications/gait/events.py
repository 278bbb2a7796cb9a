"""Heel strike and toe-off of each foot by a stated rule, and the cycles between heel strikes.

"force": the upward force of the ground on the foot rises above a threshold (20 N unless given), and falls below it.
"coordinate": the heel is farthest before the hip, and the toe farthest behind it (J. A. Zeni, J. G. Richards, J. S.
Higginson, Gait & Posture 27 (2008) 710-714, who take the sacrum for the hip). Force is the rule of every foot that
strikes a plate twice or more with no step beside the plates between, coordinates that of the others; of these, a strike
with a force close to it takes the time of the force. A cycle goes from heel strike to heel strike of one foot, in 101
steps of per cent; mean and standard deviation are over the cycles. A cycle in which the foot stands beside the plates
has angles, but no moments: they would be those of a leg in the air.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mubo.applications.gait.ground import ground_force
from mubo.applications.gait.legs import Leg
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.results import Run

RULES = ("force", "coordinate")
SHORT = 0.1  # s: a contact, or a loss of contact, that is shorter is a bounce
ROUNDS, PARTS = 3, 10  # of the search for a crossing: each makes the step so many times shorter
PERCENT = np.linspace(0.0, 100.0, 101)
AHEAD = 0.25  # s: how far an extreme is the only one of its kind
BORNE = 0.8  # of the rows at which a foot stands: so many have the force of a plate, or it stood beside
MIDDLE = 0.25  # of a cycle: a strike by coordinates farther than this from both ends of it is a step in between
STANCE = 0.6  # of a cycle, where no toe-off is found


@dataclass(frozen=True)
class Strikes:
    """Times of heel strikes and toe-offs of one foot, and the rule that finds them."""

    rule: str
    heel: tuple[float, ...]
    toe: tuple[float, ...]

    def toe_off_in(self, start: float, end: float) -> float | None:
        """The toe-off of a cycle."""
        return next((t for t in self.toe if start < t < end), None)


def strikes_of(
    history: ForceHistory, sample: ForceSample, leg: Leg, threshold: float, rule: str | None, second: float
) -> Strikes:
    """The strikes of a foot; `second` is one second in the model's unit of time."""
    forced = _by_force(history, sample, leg, threshold, second)
    if rule == "force":
        return forced
    seen = _by_coordinate(sample, leg, second)
    if rule is None and len(forced.heel) > 1 and not _steps_between(forced, seen):
        return forced
    return seen if rule else _timed_by_force(seen, forced, AHEAD * second)


def _steps_between(forced: Strikes, seen: Strikes) -> bool:
    """Whether the foot struck the floor beside the plates between two strikes on plates."""
    return any(MIDDLE < (t - a) / (b - a) < 1 - MIDDLE for a, b in pairwise(forced.heel) for t in seen.heel)


def _timed_by_force(seen: Strikes, forced: Strikes, close: float) -> Strikes:
    """The strikes by coordinates, at the times of the force where one is close."""

    def timed(mine: tuple[float, ...], exact: tuple[float, ...]) -> tuple[float, ...]:
        near = [min(exact, key=lambda f, t=t: abs(f - t), default=t) for t in mine]  # type: ignore[misc]
        return tuple(f if abs(f - t) < close else t for t, f in zip(mine, near, strict=True))

    return Strikes("coordinate", timed(seen.heel, forced.heel), timed(seen.toe, forced.toe))


def _by_force(history: ForceHistory, sample: ForceSample, leg: Leg, threshold: float, second: float) -> Strikes:
    def above(times: ForceSample) -> Array:
        return np.asarray(ground_force(times, leg.foot)[:, 1] - threshold)

    value = above(sample)
    rise, fall = (np.flatnonzero(s * value[:-1] <= 0) for s in (1.0, -1.0))
    rise, fall = rise[value[rise + 1] > 0], fall[value[fall + 1] < 0]
    heel, toe = (_refine_crossings(history, sample.t, at, above) for at in (rise, fall))
    return Strikes("force", *_without_bounces(heel, toe, SHORT * second))


def _refine_crossings(
    history: ForceHistory, t: Array, at: NDArray[np.intp], value: Callable[[ForceSample], Array]
) -> list[float]:
    """Where a value passes zero in the steps `at`: all of them are cut into ten, and again."""
    if not len(at):
        return []
    low, wide = t[at].copy(), t[at + 1] - t[at]
    begins = value(history.at(low)) > 0
    inner = np.arange(1, PARTS) / PARTS
    for _ in range(ROUNDS):
        found = value(history.at((low[:, None] + wide[:, None] * inner).ravel())).reshape(len(at), -1) > 0
        past = np.logical_and.accumulate(found == begins[:, None], axis=1).sum(axis=1)
        wide = wide / PARTS
        low = low + past * wide
    return [float(x) for x in low + 0.5 * wide]


def _without_bounces(heel: list[float], toe: list[float], short: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Heel strikes and toe-offs without pairs that follow each other within a short time."""
    marks = sorted([(t, True) for t in heel] + [(t, False) for t in toe])
    kept: list[tuple[float, bool]] = []
    for mark in marks:
        if kept and mark[0] - kept[-1][0] < short and mark[1] != kept[-1][1]:
            kept.pop()
        else:
            kept.append(mark)
    return tuple(t for t, on in kept if on), tuple(t for t, on in kept if not on)


def _by_coordinate(sample: ForceSample, leg: Leg, second: float) -> Strikes:
    model = sample.solver.form.model
    points = model.bodies[leg.foot].points
    hip = sample.motion_of(leg.trunk or leg.bodies["thigh"])[:, 0, 0]
    heel, toe = (sample.place(leg.foot, points.get(word, (0.0, 0.0)))[:, 0] - hip for word in ("heel", "toe"))
    return Strikes("coordinate", _tops(sample.t, heel, AHEAD * second), _tops(sample.t, -toe, AHEAD * second))


def _tops(t: Array, value: Array, apart: float) -> tuple[float, ...]:
    """Times of the tops of a curve, by the parabola through three rows; each the highest within `apart`."""
    out = []
    for k in range(1, len(value) - 1):
        near = np.abs(t - t[k]) <= apart
        if value[k] < value[near].max() or not (value[k] > value[k - 1] and value[k] >= value[k + 1]):
            continue
        if t[k] - t[0] < apart / 2 or t[-1] - t[k] < apart / 2:
            continue  # at an end of the record a top cannot be recognised
        bend = value[k - 1] - 2 * value[k] + value[k + 1]
        out.append(float(t[k] + 0.5 * (value[k - 1] - value[k + 1]) / bend * (t[k + 1] - t[k])))
    return tuple(out)


@dataclass(frozen=True, eq=False)
class Cycles:
    """All cycles of one foot: `of[column]` is cycles × 101, in the model's units.

    Moments, powers and forces are those of the cycles that `borne` has, in which plates bear the foot while it stands.
    """

    side: str
    times: tuple[tuple[float, float], ...]
    stance: tuple[float, ...]  # per cent of the cycle until toe-off
    of: dict[str, Array]
    borne: tuple[bool, ...]

    def mean(self, column: str) -> Array:
        """The mean over the cycles; NaN where none of them has the column."""
        values = self.of[column]
        return np.asarray(np.mean(values, axis=0)) if len(values) else np.full(len(PERCENT), np.nan)

    def deviation(self, column: str) -> Array:
        """The standard deviation over the cycles (n − 1); NaN where there are fewer than two."""
        values = self.of[column]
        return np.std(values, axis=0, ddof=1) if len(values) > 1 else np.full(len(PERCENT), np.nan)

    @property
    def stance_mean(self) -> float:
        """Mean of the per cent at which the toe leaves; NaN where no toe-off was found."""
        return float(np.mean(self.stance)) if self.stance else float("nan")


def stands_at(t: Array, strikes: Strikes) -> NDArray[np.bool_]:
    """Whether a foot stands at each time, from its strikes to the toe-offs that follow them."""
    out = np.zeros(len(t), dtype=bool)
    for start in strikes.heel:
        end = next((toe for toe in strikes.toe if toe > start), t[-1])
        out |= (t >= start) & (t <= end)
    if strikes.toe and (not strikes.heel or strikes.toe[0] < strikes.heel[0]):
        out |= t <= strikes.toe[0]  # it stood when the record began
    return out


def cycles_of(
    run: Run, side: str, strikes: Strikes, names: tuple[list[str], list[str]], upward: Array, threshold: float
) -> Cycles:
    """The columns over every cycle, by the natural cubic spline through the rows.

    `names` are columns of motion and of forces; `upward` is the upward force of the plates on the foot.
    """
    from scipy.interpolate import CubicSpline

    t = run.columns.raw("t")
    times = tuple((a, b) for a, b in pairwise(strikes.heel))
    stance = [100 * (off - a) / (b - a) for a, b in times if (off := strikes.toe_off_in(a, b)) is not None]
    borne = tuple(
        _is_borne(t, upward > threshold, a, strikes.toe_off_in(a, b) or a + STANCE * (b - a)) for a, b in times
    )
    every = [*names[0], *names[1]]
    pieces = CubicSpline(t, np.column_stack([run.columns[name] for name in every]), bc_type="natural")
    each = np.array([pieces(a + PERCENT / 100 * (b - a)) for a, b in times]).reshape(-1, len(PERCENT), len(every))
    kept = {name: np.ones(len(times), bool) for name in names[0]} | {name: np.array(borne, bool) for name in names[1]}
    return Cycles(side, times, tuple(stance), {name: each[kept[name], :, k] for k, name in enumerate(every)}, borne)


def _is_borne(t: Array, pressed: NDArray[np.bool_], start: float, end: float) -> bool:
    """Whether plates bear a foot while it stands."""
    stands = (t >= start) & (t <= end)
    return bool(np.any(stands) and np.mean(pressed[stands]) >= BORNE)
