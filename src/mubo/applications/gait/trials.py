"""Many trials of one laboratory: every recording analysed by the same model file, on all cores or a cluster.

A trial takes the place of the markers' file. A plate whose file is that of the markers reads the trial too; one whose
name begins with that of the markers, walker_forces.mot beside walker.trc, has the same ending behind the name of the
trial. The mean over trials is that of their mean cycles, and the deviation that between trials (n − 1). The symmetry
index of a number of both sides is 100 (r − l)/((|r| + |l|)/2) (R. O. Robinson, W. Herzog, B. M. Nigg, Journal of
Manipulative and Physiological Therapeutics 10 (1987) 172-176).
"""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.normative import Normative, read_normative
from mubo.applications.gait.report import Gait
from mubo.arrays import Array
from mubo.design.workers import on_cluster, over_cores
from mubo.errors import ModelError, MuboError, ResultError, nearest
from mubo.formats.toml import native_model
from mubo.lazy_dataclass import dataclass
from mubo.results.presentation import DrawnResult, presented_by
from mubo.studies import STUDIES

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class TrialCycles:
    """The numbers of one recording: mean cycles by column, means of the strides by side; or why it has none."""

    name: str
    means: Mapping[str, Array]
    strides: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, int]  # cycles by side
    units: Mapping[str, str]
    notes: tuple[str, ...]
    error: str = ""
    coordinates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of every joint, without their side
    flipped: tuple[str, ...] = ()  # columns, without their side, that a given skeleton has with the other sign


@dataclass(frozen=True, eq=False, repr=False)
class Trials(DrawnResult):
    """The gait of many recordings: mean cycles over trials, strides, symmetry; print it for the summary.

    >>> found = mubo.gait_trials("walker.toml", ["walker.trc"])
    >>> found.mean("knee_angle_r").shape, len(found.trials)
    ((101,), 1)
    """

    trials: tuple[TrialCycles, ...]
    normative: Normative | None = None  # a reference group

    @property
    def results(self) -> tuple[TrialCycles, ...]:
        """The trials that could be analysed.

        >>> len(mubo.gait_trials("walker.toml", ["walker.trc"]).results)
        1
        """
        return tuple(trial for trial in self.trials if not trial.error)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that some trial has.

        >>> "hip_flexion_l_moment" in mubo.gait_trials("walker.toml", ["walker.trc"]).columns
        True
        """
        return tuple(dict.fromkeys(name for trial in self.results for name in trial.means))

    def knows(self, column: str) -> bool:
        """Whether some trial has numbers of a column: where no plate bears a foot, moments have none.

        >>> mubo.gait_trials("walker.toml", ["walker.trc"]).knows("knee_angle_r_moment")
        True
        """
        return any(np.isfinite(trial.means[column]).all() for trial in self.results if column in trial.means)

    def mean(self, column: str) -> Array:
        """The mean over trials of their mean cycles.

        >>> bool(mubo.gait_trials("walker.toml", ["walker.trc"]).mean("knee_angle_r").max() > 50)
        True
        """
        return np.asarray(np.mean(self._each(column), axis=0))

    def deviation(self, column: str) -> Array:
        """The standard deviation between trials; NaN of one trial.

        >>> bool(np.isnan(mubo.gait_trials("walker.toml", ["walker.trc"]).deviation("knee_angle_r")).all())
        True
        """
        each = self._each(column)
        return np.std(each, axis=0, ddof=1) if len(each) > 1 else np.full(len(PERCENT), np.nan)

    def _each(self, column: str) -> Array:
        found = [trial.means[column] for trial in self.results if column in trial.means]
        known = [values for values in found if np.isfinite(values).all()]
        if not known:
            raise ResultError(f'no trial has cycles of "{column}". {nearest(column, self.columns)}')
        return np.array(known)

    def symmetry(self) -> dict[str, float]:
        """Symmetry indices in per cent, right against left: strides, ranges of angles, largest moments.

        >>> sorted(mubo.gait_trials("walker.toml", ["walker.trc"]).symmetry())[:2]
        ['ankle_angle range', 'ankle_angle_moment largest']
        """
        out = {}
        for name in self.columns:
            other = name.replace("_r", "_l", 1) if "_r" in name else ""
            moment = name.endswith("_moment")
            if (moment or name.endswith("_r")) and self.knows(name) and self.knows(other):
                right, left = self.mean(name), self.mean(other)
                one, two = (np.max(np.abs(v)) if moment else np.ptp(v) for v in (right, left))
                label = name.replace("_r", "", 1)
                out[f"{label} {'largest' if moment else 'range'}"] = symmetry_index(float(one), float(two))
        strides = {side: self.stride_means(side) for side in "rl"}
        for name in strides["r"].keys() & strides["l"].keys():
            out[name] = symmetry_index(strides["r"][name], strides["l"][name])
        return out

    def stride_means(self, side: str) -> dict[str, float]:
        """Means over trials of stride time, stance, cadence, length and speed of a side.

        >>> round(mubo.gait_trials("walker.toml", ["walker.trc"]).stride_means("r")["stride_time"], 3)
        1.1
        """
        found = [trial.strides[side] for trial in self.results if trial.strides.get(side)]
        return {name: float(np.mean([one[name] for one in found])) for name in (found[0] if found else ())}

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text.

        >>> sorted(mubo.gait_trials("walker.toml", ["walker.trc"]).as_dict())
        ['deviation', 'mean', 'percent', 'strides', 'symmetry', 'trials']
        """
        entries: dict[str, Any] = presented_by("Trials.as_dict")(self)
        return entries

    def table(self) -> pandas.DataFrame:
        """The mean cycles of every trial, 101 rows each, then mean and deviation, as a pandas table.

        >>> len(mubo.gait_trials("walker.toml", ["walker.trc"]).table())
        303
        """
        table: pandas.DataFrame = presented_by("Trials.table")(self)
        return table

    def save(self, path: str | Path) -> None:
        """Writes the table: .csv or .parquet; .json for all entries, .txt for the text.

        >>> mubo.gait_trials("walker.toml", ["walker.trc"]).save("trials.csv")
        """
        presented_by("Trials.save")(self, path)


def symmetry_index(right: float, left: float) -> float:
    """The index in per cent: 0 where both sides are equal, positive where the right is larger."""
    size = 0.5 * (abs(right) + abs(left))
    return 100 * (right - left) / size if size > 0 else 0.0


def gait_trials(
    model: str | Path,
    trials: Sequence[str | Path],
    given: Mapping[str, Any],
    workers: int | None = None,
    cluster: Any = None,
) -> Trials:
    """Analyses every trial by the model file; one that cannot be analysed is kept with its reason."""
    path = Path(model)
    if not trials:
        raise ModelError("there are no trials: name recordings, such as trials/*.c3d")
    data = _tables(path)
    work = (path, data, dict(given))
    jobs = dict(enumerate(str(trial) for trial in trials))
    parts: Iterator[Any] = (
        over_cores(solve_trial, work, jobs, workers)
        if cluster is None
        else on_cluster(cluster, work, jobs, workers, solve_trial)
    )
    done = dict(parts)
    found = Trials(tuple(done[number] for number in jobs), _normative(path, data, given))
    if not found.results:
        raise ModelError(f"no trial could be analysed; the first one: {found.trials[0].error}")
    return found


def _normative(path: Path, data: Mapping[str, Any], given: Mapping[str, Any]) -> Normative | None:
    """The reference group, in the units of the model file."""
    table = given.get("normative")
    return None if table is None else read_normative(table, native_model(data, path).units)


def _tables(path: Path) -> dict[str, Any]:
    """The tables of a model file with markers."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: {error}") from None
    if not isinstance(data.get("markers"), Mapping) or "file" not in data["markers"]:
        raise ModelError(f"{path} has no [markers] with a file, whose place trials could take")
    return data


def solve_trial(work: tuple[Path, dict[str, Any], dict[str, Any]], trial: str) -> TrialCycles:
    """The numbers of one recording."""
    path, data, given = work
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a trial lacks stands in its notes
            model = native_model(_with_trial(data, path, Path(trial)), path)
            study = STUDIES["gait"]
            return _numbers(trial, study.function(model, study.read(model, given)))
    except MuboError as error:
        return TrialCycles(trial, {}, {}, {}, {}, (), str(error))


def _with_trial(data: Mapping[str, Any], path: Path, trial: Path) -> dict[str, Any]:
    """The tables with a trial in the place of the markers' file."""
    markers = data["markers"]
    old = Path(str(markers["file"]))
    plates = {}
    for name, plate in data.get("plate", {}).items():
        file = Path(str(plate.get("file", "")))
        if file == old:
            mine = trial
        elif file.name.startswith(old.stem):
            mine = trial.with_name(trial.stem + file.name.removeprefix(old.stem))
        else:
            raise ModelError(
                f"plate {name}: its file {file} belongs to no trial",
                suggestion=f"Let its name begin with that of the markers, {old.stem}_forces.mot.",
            )
        plates[name] = {**plate, "file": str(mine.absolute())}
    out = {**data, "markers": {**markers, "file": str(trial.absolute())}}
    return out | ({"plate": plates} if plates else {})


def _numbers(name: str, found: Gait) -> TrialCycles:
    """The numbers of a gait that can be sent from another process."""
    entries = found.as_dict()
    means = {column: cycles.mean(column) for cycles in found.cycles.values() if cycles.times for column in cycles.of}
    units = {column: found.run.unit(column) for column in means}
    counts = {side: len(cycles.times) for side, cycles in found.cycles.items()}
    leg = found.legs[0]
    return TrialCycles(
        name,
        means,
        entries["strides"],
        counts,
        units,
        found.notes,
        coordinates=leg.sideless,
        flipped=leg.flipped,
    )
