"""Sizes of loads as model files write them: laws of time, and what depends on the motion."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.motion_data import read_motion_data
from mubo.formats.motion_file import read_motion
from mubo.laws.file_form import require_keys
from mubo.model import Builder
from mubo.model.column_laws import Curve
from mubo.model.measures import quantities_with_measures

KEYS = ("table", "over", "column")


def read_size(given: Any, folder: Path, model: Builder, holds: str) -> Any:
    """Reads the size of a load from a file; an expression or curve in the model file itself is returned unchanged.

    { table = "curve.csv", over = "A.q", column = "F" } is a curve: A.q stands in the first column of the file.
    """
    if isinstance(given, Mapping) and "table" in given and "over" in given:
        return _curve(given, folder, model, holds)
    own_words = isinstance(given, str) or (isinstance(given, Mapping) and ("over" in given or "about" in given))
    return given if own_words else read_motion(given, folder, model.units, holds)


def _curve(given: Mapping[str, Any], folder: Path, model: Builder, holds: str) -> Curve:
    require_keys(given, "a curve from a table", KEYS)
    if "column" not in given:
        raise ModelError('a curve from a table needs "column", the name of the column to follow')
    name, over = str(given["column"]), str(given["over"])
    data = read_motion_data(folder / str(given["table"]), [name], None)
    x, y = data.time, data.column(name)
    x = x * _factor(model, data.time_unit, _kind(model, over), f"{data.path}: its first column")
    y = y * _factor(model, data.column_units.get(name, ""), holds, f"{data.path}: {data.label(name)}")
    return Curve(over, tuple((float(a), float(b)) for a, b in zip(x, y, strict=True)))


def _kind(model: Builder, over: str) -> str:
    """The kind of the abscissa of a curve, as in "angle/time"; empty for a load's own coordinate, which is not known
    here: then the file states no unit."""
    column = quantities_with_measures(model).get(over)
    if column is None or "^" in column.holds:
        return ""
    return column.holds + ("", "/time", "/time^2")[column.order]


def _factor(model: Builder, unit: str, kind: str, label: str) -> float:
    """Model units per unit of the file."""
    if not unit:
        return 1.0
    if not kind:
        raise ModelError(f"{label} has the unit [{unit}], and what it stands for has none that is known: leave it out")
    try:
        return model.units.in_own(f"1 {unit}", kind)
    except ModelError as error:
        raise ModelError(f"{label}: {error}") from None
