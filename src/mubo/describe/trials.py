"""Many trials of a walk: strides, symmetry, and what could not be analysed; as text, entries for JSON, and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.legs import SIDES
from mubo.applications.gait.trials import Trials
from mubo.describe.gait import short_unit
from mubo.describe.layout import NO_HEADER, Tables, align_columns
from mubo.describe.strength import Line
from mubo.results.table import Writers, data_frame, save_by_ending, write_entries
from mubo.results.table_files import LINES, write_lines

if TYPE_CHECKING:
    import pandas

STRIDES = {"stride_time": "s", "stance": "%", "cadence": "steps/min", "stride_length": "m", "speed": "m/s"}


def describe_trials(found: Trials) -> str:
    """The summary of many trials."""
    count = len(found.results)
    out = [f"{count} of {len(found.trials)} trials analysed; mean ± standard deviation between trials", ""]
    for lines in (trial_lines(found), stride_lines(found), symmetry_lines(found)):
        out += [*align_columns(lines), ""]
    return "\n".join([*out, *(f"note   {line}" for line in failures(found))]).rstrip()


def failures(found: Trials) -> list[str]:
    """A sentence for every trial that could not be analysed."""
    return [f"{Path(trial.name).name} is left out: {trial.error}" for trial in found.trials if trial.error]


def trial_lines(found: Trials) -> list[Line]:
    """Cycles and notes of every trial."""
    out: list[Line] = [("trial", "cycles right", "cycles left", "notes")]
    for trial in found.trials:
        cycles = [str(trial.counts.get(side, "–")) for side in SIDES]
        out.append((Path(trial.name).name, *cycles, "left out" if trial.error else str(len(trial.notes))))
    return out


def stride_lines(found: Trials) -> list[Line]:
    """Strides of both sides, mean and deviation between trials."""
    out: list[Line] = [("foot", *STRIDES)]
    for side, word in SIDES.items():
        each = [trial.strides[side] for trial in found.results if trial.strides.get(side)]
        if each:
            out.append((word, *(f"{_spread([one[name] for one in each])} {unit}" for name, unit in STRIDES.items())))
    return out


def _spread(values: list[float]) -> str:
    off = f" ± {np.std(values, ddof=1):.2g}" if len(values) > 1 else ""
    return f"{np.mean(values):.4g}{off}"


def symmetry_lines(found: Trials) -> list[Line]:
    """Symmetry indices, right against left."""
    out: list[Line] = [("symmetry, right against left", "index [%]")]
    return [*out, *((name, f"{value:+.1f}") for name, value in sorted(found.symmetry().items()))]


def trial_cells(found: Trials) -> Tables:
    """Trials, strides, symmetry and what was left out."""
    tables = [trial_lines(found), stride_lines(found), symmetry_lines(found)]
    return [*tables, [NO_HEADER, *(("note", line) for line in failures(found))]]


def trial_columns(found: Trials) -> dict[str, Any]:
    """The mean cycles of every trial, 101 rows each, then mean and deviation over trials; units in the names."""
    units = {name: unit for trial in found.results for name, unit in trial.units.items()}
    blank = np.full(len(PERCENT), np.nan)
    names = [*(Path(trial.name).name for trial in found.results), "mean", "deviation"]
    out: dict[str, Any] = {
        "trial": [name for name in names for _ in PERCENT],
        "percent": np.tile(PERCENT, len(names)),
    }
    for column in found.columns:
        unit = short_unit(units[column])
        parts = [trial.means.get(column, blank) for trial in found.results]
        parts += [found.mean(column), found.deviation(column)] if found.knows(column) else [blank, blank]
        out[f"{column} [{unit}]" if unit else column] = np.concatenate(parts)
    return out


def trial_entries(found: Trials) -> dict[str, Any]:
    """The entries that --json prints."""
    known = [name for name in found.columns if found.knows(name)]
    return {
        "trials": [
            {
                "name": trial.name,
                "cycles": dict(trial.counts),
                "strides": dict(trial.strides),
                "notes": list(trial.notes),
                "error": trial.error,
            }
            for trial in found.trials
        ],
        "percent": PERCENT.tolist(),
        "mean": {name: found.mean(name).tolist() for name in known},
        "deviation": {name: found.deviation(name).tolist() for name in known},
        "strides": {side: found.stride_means(side) for side in SIDES},
        "symmetry": found.symmetry(),
    }


def trial_table(found: Trials) -> pandas.DataFrame:
    """The mean cycles of all trials as a pandas table."""
    return data_frame(trial_columns(found))


def save_trials(found: Trials, path: str | Path) -> None:
    """Writes the table, the entries or the text, as the ending says."""

    def write_strides(to: Path) -> None:
        columns = trial_columns(found)
        cells = [values.tolist() if isinstance(values, np.ndarray) else values for values in columns.values()]
        write_lines(to, list(columns), zip(*cells, strict=True), "trials")

    writers: Writers = {
        **dict.fromkeys(LINES, write_strides),
        ".json": lambda to: write_entries(to, trial_entries(found)),
    }
    save_by_ending("Trials", found, path, writers)
