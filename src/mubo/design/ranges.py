"""The parameters that a sweep varies: ranges and lists of parameters, and the points taken of them.

    a=0.03:0.05:21      21 values from 0.03 to 0.05
    a=30,35,50          a list
    a=0.03:0.05         bounds, of Latin hypercube or Sobol points
    @cases.csv          a table, or workbook, with a parameter in each column and a variant in each line

Numbers are in the model's units, or carry their own: a=30mm:5cm:5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, nearest
from mubo.formats.cell_table import Lines, read_cells
from mubo.formats.column_units import split_unit
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.read_parameters import with_values

METHODS = ("grid", "latin", "sobol")
TABLE = "@"  # before the name of a table of variants
MOST_VALUES = 100_000_000  # of one parameter: more do not fit into memory
MOST = 10_000_000  # variants that are computed without being asked again


@dataclass(frozen=True)
class Points:
    """The designs of a sweep: one line of `values` each, in the model's units."""

    names: tuple[str, ...]
    values: Array
    method: str = "grid"
    counts: tuple[int, ...] = ()  # of a grid: how many values each name has

    def __len__(self) -> int:
        return len(self.values)


def read_ranges(texts: Sequence[str]) -> dict[str, Any] | Path:
    """{name: values} of texts such as "a=0.03:0.05:21", without a count a text; or the path of a table."""
    if tables := [text for text in texts if text.startswith(TABLE)]:
        if len(texts) > 1:
            raise ModelError(f"{tables[0]} states every variant: give it alone")
        return Path(tables[0].removeprefix(TABLE))
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise ModelError(f'what varies is written NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,…; found "{text}"')
        if name in out:
            raise ModelError(f'"{name}" varies twice')
        out[name] = value
    return out


def points_of(
    model: ModelDefinition,
    vary: Mapping[str, Any] | Sequence[str] | Path,
    method: str = "grid",
    samples: int | None = None,
    seed: int = 0,
    yes: bool = False,
) -> Points:
    """The designs asked for. A grid takes every combination; "latin" and "sobol" take `samples` points in bounds."""
    if method not in METHODS:
        raise ModelError(f'there is no method "{method}" to take points. {nearest(method, METHODS)}')
    if not vary:
        raise ModelError("a sweep needs a parameter that varies, such as a=0.03:0.05:21")
    if not isinstance(vary, Mapping | Path):
        vary = read_ranges([vary] if isinstance(vary, str) else vary)
    if isinstance(vary, Path):
        if method != "grid" or samples is not None:
            raise ModelError("a table states every variant: leave method and samples out")
        return _points_of_table(model, vary)
    for name in vary:
        _require_parameter(model, name)
    if method == "grid":
        if samples is not None:
            raise ModelError("a grid has its counts in its ranges; samples belong to the methods latin and sobol")
        axes = [_axis(model, name, given) for name, given in vary.items()]
        _require_few(math.prod(len(axis) for axis in axes), yes)
        values = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(axes))
        return Points(tuple(vary), values, method, tuple(len(axis) for axis in axes))
    if samples is None or samples < 1:
        raise ModelError(f"{method} points need a number of samples, at least 1")
    _require_few(samples, yes)
    bounds = np.array([_bounds(model, name, given) for name, given in vary.items()])
    return Points(
        tuple(vary), bounds[:, 0] + unit_points(method, samples, len(bounds), seed) * np.ptp(bounds, 1), method
    )


def _require_parameter(model: ModelDefinition, name: str, place: str = "") -> None:
    if name not in model.parameters:
        none = "The model has none: write [parameters]." if not model.parameters else ""
        raise ModelError(
            f'{place}there is no parameter "{name}". {none or nearest(name, model.parameters)}', names=[name]
        )


def _points_of_table(model: ModelDefinition, path: Path) -> Points:
    """The variants of a table: parameters in its header, `a` or `a [mm]`; a cell is a number or has its unit."""
    return points_of_lines(model, read_cells(path, "variants"), str(path))


def points_of_lines(model: ModelDefinition, lines: Lines, place: str, counts: str = "") -> Points:
    """The variants of numbered lines of cells, the first of which names parameters; `counts` may be the name of a
    further column of plain numbers."""
    if len(lines) < 2:
        raise ModelError(
            f"{place} has no variant: write parameters into the first line, and a variant into each further"
        )
    heads = [split_unit(cell) for cell in lines[0][1]]
    for name, _ in heads:
        if name != counts:
            _require_parameter(model, name, f"{place}: ")
    values = np.empty((len(lines) - 1, len(heads)))
    for k, (line, row) in enumerate(lines[1:]):
        if len(row) != len(heads):
            raise ModelError(f"{place}, line {line}: {len(heads)} values are needed; found {len(row)}")
        for j, ((name, unit), cell) in enumerate(zip(heads, row, strict=True)):
            try:
                values[k, j] = float(cell) if name == counts else _number(model, name, f"{cell} {unit}".strip())
            except MuboError as error:
                raise ModelError(f"{place}, line {line}: {name}: {error}", names=[name]) from None
            except ValueError:
                raise ModelError(f'{place}, line {line}: {name}: expected a number; found "{cell}"') from None
    return Points(tuple(name for name, _ in heads), values, "table")


def unit_points(method: str, samples: int, width: int, seed: int) -> Array:
    """Points spread over the unit box, as a Latin hypercube or Sobol's sequence."""
    import warnings

    from scipy.stats import qmc

    if method == "latin":
        return np.asarray(qmc.LatinHypercube(width, seed=seed).random(samples))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a number of points that is no power of two is less balanced, not wrong
        return np.asarray(qmc.Sobol(width, seed=seed).random(samples))


def _require_few(count: int, yes: bool) -> None:
    if count > MOST and not yes:
        raise ModelError(
            f"this makes {count:.3g} variants, more than {MOST:.0e}",
            suggestion="Take fewer values, or samples (latin, sobol); --yes (yes=True) computes them all.",
        )


def _axis(model: ModelDefinition, name: str, given: Any) -> Array:
    """The values of one parameter of a grid."""
    if isinstance(given, str):
        parts = given.split(":")
        if len(parts) == 2:
            raise ModelError(f'"{name}={given}" has no count: write {name}={given}:11, or take samples of it')
        if len(parts) == 3:
            return np.linspace(*_ends(model, name, parts[:2], given), _count(name, given, parts[2]))
        given = given.split(",")
    values = [_number(model, name, value) for value in np.atleast_1d(np.asarray(given, object)).tolist()]
    if not values:
        raise ModelError(f"{name}: the list of values is empty")
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise ModelError(f"{name}: the value {twice:g} stands twice in its list")
    return np.array(values)


def _bounds(model: ModelDefinition, name: str, given: Any) -> tuple[float, float]:
    parts = given.split(":") if isinstance(given, str) else list(given)
    if len(parts) != 2:
        raise ModelError(f"{name}: samples are taken between two bounds, {name}=FROM:TO; found {given!r}")
    return _ends(model, name, parts, given)


def _ends(model: ModelDefinition, name: str, parts: Sequence[Any], given: Any) -> tuple[float, float]:
    low, high = (_number(model, name, part) for part in parts)
    if low == high:
        raise ModelError(f"{name}: the range {given} is empty: both ends are {low:g}")
    if low > high:
        raise ModelError(f"{name}: the range {given} is reversed: write the smaller end first")
    return low, high


def _count(name: str, given: str, text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 2:
        raise ModelError(f'{name}: a range needs at least 2 values; found "{text}" in {given}')
    if count > MOST_VALUES:
        raise ModelError(
            f"{name}: {count:.3g} values of one parameter are more than {MOST_VALUES:.0e}",
            suggestion="Take fewer values, or samples (latin, sobol).",
        )
    return count


def _number(model: ModelDefinition, name: str, value: Any) -> float:
    """One value in the model's units."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            value = value.strip()
    return float(with_values(model.units, {name: value}).parameters[name].value)
