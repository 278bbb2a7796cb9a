"""A reference group beside a walk: means and standard deviations over the cycle, from a table of the laboratory.

The table is a .csv file in one of three forms. Lines of `percent,quantity,mean,sd`, with a column `unit` where they are
not deg, N m/kg and W/kg; or the columns `percent`, `knee_angle_r [deg]`, `knee_angle_r.sd [deg]` … that `mubo gait -o`
writes of one walk; or those of many trials, whose lines "mean" and "deviation" count. Lines above its head that begin
with # name the source. Quantities have the names and signs of the columns of gait. Where a table has both sides they
are pooled, with as many cycles each: m = (r + l)/2, s² = (s_r² + s_l²)/2 + ((r − l)/2)².
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np

from mubo.applications.gait.events import PERCENT
from mubo.applications.gait.joints import PAIRS
from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.walk.skeleton import COORDINATES
from mubo.lazy_dataclass import dataclass
from mubo.model import Units

TAILS = ("", "_moment", "_power")
NAMES = tuple(name + tail for joint in PAIRS for name in COORDINATES[joint][0] for tail in TAILS)
QUANTITIES = (*NAMES, *(f"{joint}_power" for joint in PAIRS))
UNITS = {  # what a number in the unit is in radians, or in SI
    "angle": {"deg": np.pi / 180, "°": np.pi / 180, "rad": 1.0},
    "moment": dict.fromkeys(("N m/kg", "Nm/kg", "N·m/kg"), 1.0),
    "power": {"W/kg": 1.0},
}
LONG = ("percent", "quantity", "mean", "sd")
SIDED = re.compile(r"(.+)_([rl])(_moment|_power)?")
Cells = list[tuple[str, str, float, float, float]]  # quantity, unit, per cent, mean, deviation


@dataclass(frozen=True, eq=False)
class Band:
    """Mean and standard deviation at 0, 1, … 100 per cent of the cycle; NaN beyond the places of the table."""

    mean: Array
    deviation: Array

    def share(self, values: Array) -> float:
        """Per cent of the cycle at which values lie within one standard deviation of the mean."""
        off = np.abs(values - self.mean)
        known = np.isfinite(off)
        return 100 * float(np.mean(off[known] <= self.deviation[known])) if known.any() else float("nan")

    def distance(self, values: Array) -> float:
        """Root mean square of the difference from the mean over the cycle.

        Of an angle this is the Gait Variable Score (R. Baker et al., Gait & Posture 30 (2009) 265-269).
        """
        return float(np.sqrt(np.nanmean((values - self.mean) ** 2)))


@dataclass(frozen=True, eq=False)
class Normative:
    """The bands of a reference group by quantity, without sides, in the model's units; and where they are from."""

    source: str
    bands: Mapping[str, Band]

    def band(self, column: str, flipped: Collection[str] = ()) -> Band | None:
        """The band of a column such as knee_angle_r_moment; None where the table has none.

        Of columns, without side, that are `flipped`, a given skeleton has the other sign.
        """
        name = sideless(column)
        band = self.bands.get(name)
        return band if band is None or name not in flipped else Band(-band.mean, band.deviation)


def sideless(column: str) -> str:
    """The name of a quantity without its side: knee_angle_moment of knee_angle_r_moment."""
    found = SIDED.fullmatch(column)
    return column if found is None else found[1] + (found[3] or "")


def read_normative(path: str | Path, units: Units) -> Normative:
    """Reads the table of a reference group; anything else is refused with its line."""
    file = Path(path)
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ModelError(f"cannot read the normative table {file.name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ModelError(f"the normative table {file.name} is not text in UTF-8") from None
    first = next((k for k, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    notes = [line.lstrip("# ").strip() for line in lines[:first] if line.startswith("#")]
    source = " ".join(filter(None, notes)).removeprefix("source:").strip() or file.name
    rows = [(k, row) for k, row in enumerate(csv.reader(lines[first:]), first + 1) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise ModelError(f"the normative table {file.name} has no rows", suggestion=f"Give {','.join(LONG)}.")
    head = [cell.strip() for cell in rows[0][1]]
    for number, row in rows[1:]:
        if len(row) != len(head):
            raise ModelError(f"{file.name}, line {number}: {len(row)} cells, but its head has {len(head)}")
    table = [(number, dict(zip(head, (cell.strip() for cell in row), strict=True))) for number, row in rows[1:]]
    cells = list(_long(table, file.name) if "quantity" in head else _wide(table, head, file.name))
    return Normative(source, _bands(cells, units, file.name))


def _number(line: int, row: Mapping[str, str], name: str, file: str) -> float:
    try:
        return float(row[name])
    except KeyError:
        raise ModelError(f'{file} has no column "{name}"', suggestion=f"Name its columns {', '.join(LONG)}.") from None
    except ValueError:
        raise ModelError(f'{file}, line {line}: {name} must be a number; found "{row[name]}"') from None


def _long(table: list[tuple[int, dict[str, str]]], file: str) -> Iterator[tuple[str, str, float, float, float]]:
    for line, row in table:
        if sideless(row["quantity"]) not in QUANTITIES:
            hint = nearest(sideless(row["quantity"]), QUANTITIES)
            raise ModelError(f'{file}, line {line}: there is no quantity "{row["quantity"]}". {hint}')
        numbers = (_number(line, row, name, file) for name in ("percent", "mean", "sd"))
        yield row["quantity"], row.get("unit", ""), *numbers  # type: ignore[misc]


def _wide(
    table: list[tuple[int, dict[str, str]]], head: list[str], file: str
) -> Iterator[tuple[str, str, float, float, float]]:
    """The columns of gait, or those of many trials; those of no joint are left out."""
    parts = {name: re.fullmatch(r"(.+?)(?: \[(.*)\])?", name) for name in head}
    known = {found[1]: (name, found[2] or "") for name, found in parts.items() if found}
    wanted = [name for name in known if sideless(name) in QUANTITIES]
    if not wanted or ("trial" not in known and not any(f"{name}.sd" in known for name in wanted)):
        raise ModelError(
            f"{file} is no normative table: it has no joint with its deviation",
            suggestion=f"Give {','.join(LONG)}, or the table that `mubo gait -o` writes.",
        )
    means = [(line, row) for line, row in table if row.get("trial", "mean") == "mean"]
    spread = [(line, row) for line, row in table if row.get("trial", "deviation") == "deviation"]
    for name in wanted:
        column, unit = known[name]
        beside = column if "trial" in known else known.get(f"{name}.sd", ("", ""))[0]
        if not beside:
            continue
        for (line, row), (below, off) in zip(means, spread, strict=True):
            at = _number(line, row, "percent", file)
            yield name, unit, at, _number(line, row, column, file), _number(below, off, beside, file)


def _bands(cells: Cells, units: Units, file: str) -> dict[str, Band]:
    each: dict[str, list[tuple[str, float, float, float]]] = {}
    for name, *rest in cells:
        each.setdefault(name, []).append(tuple(rest))  # type: ignore[arg-type]
    sides: dict[str, list[Band]] = {}
    for name, rows in each.items():
        sides.setdefault(sideless(name), []).append(_band(name, rows, units, file))
    return {name: _pooled(found) for name, found in sides.items()}


def _band(name: str, rows: list[tuple[str, float, float, float]], units: Units, file: str) -> Band:
    percent, mean, spread = np.array([row[1:] for row in rows], float).T
    if np.any(np.diff(percent) <= 0) or percent[0] < 0 or percent[-1] > 100 or len(percent) < 2:
        raise ModelError(f"{file}: the per cent of {name} must rise from 0 to 100; they are {_shown(percent)}")
    known = np.isfinite(mean)
    if np.any(spread[known] < 0) or not np.all(np.isfinite(spread[known])):
        raise ModelError(
            f"{file}: a standard deviation of {name} is negative or missing",
            suggestion="Leave the quantity out, or give the table of several cycles or trials.",
        )
    factor = _unit_factor(name, rows[0][0], units, file)
    outside = {"left": np.nan, "right": np.nan}
    return Band(*(np.interp(PERCENT, percent, factor * values, **outside) for values in (mean, spread)))


def _shown(percent: Array) -> str:
    return ", ".join(f"{value:g}" for value in percent[:4]) + (", …" if len(percent) > 4 else "")


def _unit_factor(name: str, unit: str, units: Units, file: str) -> float:
    """Factor from the unit of the table to that of the model."""
    kind = next((tail[1:] for tail in TAILS[1:] if name.endswith(tail)), "angle")
    known = UNITS[kind]
    if unit and unit not in known:
        raise ModelError(f'{file}: the unit of {name} must be {" or ".join(known)}; found "{unit}"')
    given = known[unit or next(iter(known))]
    if kind == "angle":
        return given / units.angle_factor()
    return given / (units.size("length") ** 2 / units.size("time") ** (3 if kind == "power" else 2))


def _pooled(found: list[Band]) -> Band:
    if len(found) == 1:
        return found[0]
    right, left = found
    mean = 0.5 * (right.mean + left.mean)
    square = 0.5 * (right.deviation**2 + left.deviation**2) + (0.5 * (right.mean - left.mean)) ** 2
    return Band(mean, np.sqrt(square))
