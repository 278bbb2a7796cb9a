"""Heel strike and toe-off of each foot by a stated rule, and the cycles between heel strikes.

"force": the upward force of the ground on the foot rises above a threshold (20 N unless given), and falls below it.
"coordinate": the heel is farthest before the hip, and the toe farthest behind it (J. A. Zeni, J. G. Richards, J. S.
Higginson, Gait & Posture 27 (2008) 710-714, who take the sacrum for the hip). "file": those that somebody marked in the
recording, which are taken where it has two strikes of a foot. Else force is the rule of every foot that strikes a plate
twice or more with no step beside the plates between, coordinates that of the others; of these, a strike with a force
close to it takes the time of the force. A cycle goes from heel strike to heel strike of one foot, in 101
steps of per cent; mean and standard deviation are over the cycles. A cycle in which the foot stands beside the plates
has angles, but no moments: they would be those of a leg in the air.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mubo.applications.gait.ground import ground_force
from mubo.applications.gait.legs import Leg
from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.arrays import Array
from mubo.formats.walk.names import LaboratoryEvents
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.solvers.forces.reaction import point_path

RULES = ("force", "coordinate", "file")
SHORT = 0.1  # s: a contact, or a loss of contact, that is shorter is a bounce
ROUNDS, PARTS = 3, 10  # of the search for a crossing: each makes the step so many times shorter
PERCENT = np.linspace(0.0, 100.0, 101)
AHEAD = 0.25  # s: how far an extreme is the only one of its kind
BORNE = 0.8  # of the rows at which a foot stands: so many have the force of a plate, or it stood beside
MIDDLE = 0.25  # of a cycle: a strike by coordinates farther than this from both ends of it is a step in between
FLAT = (0.25, 0.55)  # of a stance: the foot is flat on the floor
MOVES = 0.2  # m/s: a foot that stands, and moves faster than this, is on a belt
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
    marked = _in_file(history, sample, leg)
    if rule == "file" or (rule is None and len(marked.heel) > 1):
        return marked
    forced = _by_force(history, sample, leg, threshold, second)
    if rule == "force":
        return forced
    seen = _by_coordinate(sample, leg, second)
    if rule is None and len(forced.heel) > 1 and not _steps_between(forced, seen):
        return forced
    return seen if rule else _timed_by_force(seen, forced, AHEAD * second)


def laboratory_events(model: ModelDefinition) -> LaboratoryEvents:
    """The events and the belt speed that the recording of a model states."""
    data = model.origin.data if model.origin is not None else None
    return data if isinstance(data, LaboratoryEvents) else LaboratoryEvents()


def _in_file(history: ForceHistory, sample: ForceSample, leg: Leg) -> Strikes:
    """The events that are marked in the recording, inside the times of the run."""
    found = laboratory_events(history.model)
    first, last = float(sample.t[0]), float(sample.t[-1])
    heel, toe = (
        tuple(t for t in marked.get(leg.side, ()) if first <= t <= last) for marked in (found.strikes, found.leaves)
    )
    return Strikes("file", heel, toe)


def belt_speed(run: Run, legs: Sequence[Leg], strikes: Mapping[str, Strikes]) -> tuple[float, str]:
    """The speed of a treadmill's belt, given or found, and a note; 0 over ground.

    A foot that stands in the middle of its stance moves with the floor: its mean speed backwards is that of the belt.
    """
    given = laboratory_events(run.model).belt
    t, speeds = run.columns.raw("t"), []
    for leg in legs:
        for start in strikes[leg.side].heel:
            end = next((toe for toe in strikes[leg.side].toe if toe > start), None)
            if end is not None:
                flat = (t >= start + FLAT[0] * (end - start)) & (t <= start + FLAT[1] * (end - start))
                speeds += run.columns.raw(f"{leg.foot}.vx")[flat].tolist()
    found = -float(np.median(speeds)) if speeds else 0.0
    unit = run.model.units.size("length") / run.model.units.size("time")
    if given is not None:
        off = abs(found - given) * unit
        wrong = f"; the feet that stand move back at {found * unit:.3g} m/s" if speeds and off > MOVES else ""
        return given, f"treadmill: the belt moves at {given * unit:.3g} m/s, as given{wrong}"
    if found * unit < MOVES:
        return 0.0, ""
    return found, f"treadmill: the belt moves at {found * unit:.3g} m/s, found from the feet that stand"


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
    model, columns = sample.solver.form.model, sample.forces.columns
    points = model.bodies[leg.foot].points
    hip = columns.raw(f"{leg.trunk or leg.bodies['thigh']}.x")
    ends = (points.get(word, (0.0,) * model.dimension) for word in ("heel", "toe"))
    heel, toe = (point_path(model, columns, leg.foot, at)[:, 0] - hip for at in ends)
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
