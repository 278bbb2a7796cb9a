"""Result tables read back: those that mubo writes, and those that other programs export."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.formats.column_units import split_unit
from mubo.formats.files import file_bytes, neighbours
from mubo.formats.registry import FORMATS, refuse_foreign
from mubo.formats.text_tables import TIME_NAMES, read_text_table
from mubo.lazy_dataclass import dataclass

TEXT_ENDINGS = (".csv", ".tab", ".tsv", ".txt")
ENDINGS = (*TEXT_ENDINGS, ".json", ".parquet")


@dataclass(frozen=True, eq=False)
class ImportedTable:
    """Columns of one length by name, their units ("" where the table states none), and the name of the time."""

    name: str
    columns: Mapping[str, Array]
    units: Mapping[str, str]
    time: str
    notes: tuple[str, ...] = ()

    def find(self, name: str, which: str) -> str:
        """The name as the table has it; a unit behind it does no harm, and a driver stands for its value. `which` is
        the table's word in messages."""
        for asked in (name, split_unit(name)[0], f"{name}.value"):
            if asked in self.columns:
                return asked
        hint = textwrap.shorten(nearest(name, self.columns), 300, placeholder=" …")
        raise ResultError(f'{which} ({self.name}) has no column "{name}". {hint}')


def read_result(path: str | Path) -> ImportedTable:
    """Reads a result table: .json and .parquet as mubo writes them, else text, whose content gives the separator."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        refuse_foreign(path)
        hint = f"Allowed: {', '.join(ENDINGS)}."
        if any(ending in kind.endings for kind in FORMATS):
            hint = _first(path)
        raise ResultError(f'{path}: "{ending or path.name}" is not a kind of result table', suggestion=hint)
    data = _bytes(path)
    if ending == ".parquet":
        return _table(path, _parquet(path).items(), [])
    text, notes = _decoded(data, path)
    if ending == ".json":
        return _table(path, _json(text, path), notes)
    read = read_text_table(text, str(path))
    return _table(path, zip(read.header, read.values.T, strict=True), [*notes, *read.notes])


def _first(model: Path) -> str:
    """The suggestion where a model is given instead of its result."""
    return f"Write the table of the model first: mubo kinematics {model} -o {model.stem}.csv"


def _bytes(path: Path) -> bytes:
    try:
        return file_bytes(path, ResultError)
    except FileNotFoundError:
        raise ResultError(f"there is no file {path}", suggestion=neighbours(path, ENDINGS, "result tables")) from None
    except IsADirectoryError:
        raise ResultError(f"{path} is a folder, not a result table") from None
    except OSError as error:
        raise ResultError(f"cannot read {path}: {error.strerror}") from None


def _decoded(data: bytes, path: Path) -> tuple[str, list[str]]:
    """UTF-16 if marked so, else UTF-8, else Latin-1, which old programs write."""
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, [f"{path}: it is not UTF-8 text and is read as Latin-1"] * (encoding == "latin-1")
    raise ResultError(f"{path} is not a text file")


def _json(text: str, path: Path) -> Iterable[tuple[str, Array]]:
    """Columns and units of mubo's own JSON: {"columns": {"A.x": […]}, "units": {"A.x": "mm"}}."""
    form = (
        'The form is { "columns": { "t": [0, 0.1], "A.x": [1, 2] }, "units": { "A.x": "mm" } }, "units" may be missing.'
    )
    try:
        data = json.loads(text, parse_int=float)
    except json.JSONDecodeError as error:
        raise ResultError(f"{path}, line {error.lineno}: this is not JSON: {error.msg}") from None
    except RecursionError:
        raise ResultError(f"{path} is nested too deeply for a table", suggestion=form) from None
    if isinstance(data, dict) and "columns" not in data and ("body" in data or "joint" in data):
        raise ResultError(f"{path} is a model, not a result table", suggestion=_first(path))
    columns = data.get("columns") if isinstance(data, dict) else None
    units = data.get("units", {}) if isinstance(data, dict) else None
    if not isinstance(columns, dict) or not isinstance(units, dict) or not columns:
        raise ResultError(f"{path} has no columns as mubo writes them", suggestion=form)
    for name, values in columns.items():
        if not isinstance(values, list) or not all(isinstance(value, float) for value in values):
            raise ResultError(f'{path}: column "{name}" is not a list of numbers', suggestion=form)
        unit = units.get(name, "")
        yield (f"{name} [{unit}]" if unit else name), np.array(values, float)


def _parquet(path: Path) -> dict[str, Array]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ResultError("Parquet needs pyarrow: pip install 'mubo[parquet]'") from None
    try:
        table = parquet.read_table(path)
        return {k: np.asarray(table[k].to_numpy(), float) for k in table.column_names}
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ResultError(f"{path} is not a Parquet table of numbers: {reason}") from None


def _table(path: Path, cells: Iterable[tuple[str, Array]], notes: list[str]) -> ImportedTable:
    columns: dict[str, Array] = {}
    units: dict[str, str] = {}
    for cell, values in cells:
        name, unit = split_unit(cell)
        if name in columns:
            raise ResultError(f'{path} has the column "{name}" twice', suggestion="Rename one of them in the file.")
        columns[name], units[name] = values, unit
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) != 1 or not all(lengths.values()):
        raise ResultError(
            f"{path}: its columns need one length above 0; found " + ", ".join(map(str, sorted(set(lengths.values()))))
        )
    time, time_notes = _time(columns, path)
    return ImportedTable(str(path), columns, units, time, (*notes, *time_notes))


def _time(columns: Mapping[str, Array], path: Path) -> tuple[str, list[str]]:
    times = [name for name in columns if name.lower() in TIME_NAMES]
    times.sort(key=lambda name: name != "t")
    if times:
        notes = [f'{path}: of the columns {", ".join(times)} "{times[0]}" is taken as the time'] if times[1:] else []
        return times[0], notes
    first = next(iter(columns))
    return first, [f'{path}: it has no column t or time, its first column "{first}" is taken as the time']
