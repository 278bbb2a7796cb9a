"""Table of a result: columns by name, with their units; and which files hold a result of each type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.arrays import Array
from mubo.docstrings import documented
from mubo.errors import ResultError, nearest
from mubo.formats.files import write_text
from mubo.model import ModelDefinition, Units
from mubo.results.columns import Columns
from mubo.results.record import Record, Summary
from mubo.results.table_files import COLUMNS, LINES, write_columns

if TYPE_CHECKING:
    import pandas


def write_json(path: Path, columns: Mapping[str, Array], units: Mapping[str, str], summary: Any) -> None:
    """Summary, units and columns in one object."""
    data = {
        "summary": summary,
        "units": {name: unit for name, unit in units.items() if unit},
        "columns": {name: values.tolist() for name, values in columns.items()},
    }
    write_entries(path, data)


def write_entries(path: Path, entries: Mapping[str, Any]) -> None:
    """The entries of a result under their names, as JSON."""
    import json

    write_text(path, json.dumps(plain(entries), indent=1, allow_nan=False))


def plain(value: Any) -> Any:
    """JSON has neither infinity nor NaN: they are written as text."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def data_frame(data: Any, columns: Sequence[str] | None = None) -> pandas.DataFrame:
    """A table of pandas, the extra "tables"."""
    try:
        import pandas
    except ImportError:
        raise ResultError("table() needs pandas: pip install 'mubo[tables]'") from None
    return pandas.DataFrame(data, columns=columns if columns is None else list(columns))


Writers = Mapping[str, Callable[[Path], object]]  # by the ending of the file
ENDINGS = {  # of the files that hold a result, by its type
    "Run": (*COLUMNS, ".json", ".txt"),
    "Comparison": (*LINES, ".json", ".txt"),
    "EquationReport": (".txt", ".csv", ".json", ".tex"),
    "Gait": (*COLUMNS, ".json", ".txt", ".sto"),
    "Linearization": (".json", ".npz"),
    "CutParts": (".dxf", ".svg", ".stl", ".step", ".pdf", ".png", *LINES, ".json", ".txt"),
    "Strength": (*LINES, ".json", ".txt", ".svg", ".dxf"),
    "Sweep": LINES,
    "Trials": (*LINES, ".json", ".txt"),
    "Verification": (*LINES, ".json", ".txt"),
    "WittenburgReport": (".json", ".tex", ".txt"),
}


class ResultTable:
    """One row per output time; a column is read by its name, in the model's units."""

    columns: Columns
    summary: Summary
    record: Record

    def __getitem__(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            body, _, point = name.rpartition(".")[0].partition(".")
            hint = f' For columns of a point of {body} write model.point("P", "{body}", "{point}").' if point else ""
            raise ResultError(f'there is no column "{name}". {nearest(name, self.columns)}{hint}') from None

    def __contains__(self, name: object) -> bool:
        """Whether there is a column of this name."""
        return name in self.columns

    def __iter__(self) -> Iterator[str]:
        """Names of the columns, as of a table of pandas; `len` counts rows."""
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns["t"])

    @property
    def model(self) -> ModelDefinition:
        """The model as it was when it was solved.

        Examples
        --------
        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).model.name
        'four bar'
        """
        return self.record.model

    @property
    def units(self) -> Units:
        """The units of the model.

        Examples
        --------
        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).units.length
        'm'
        """
        return self.columns.units

    @documented(names="Columns; all by default.", returns="Column names with units in brackets.")
    def header(self, names: Iterable[str] | None = None) -> list[str]:
        """Column names, with units where the model declares them.

        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).header(["crank.x", "crank.phi"])
        ['crank.x [m]', 'crank.phi [rad]']
        """
        labels = []
        for name in names or self.columns:
            unit, column = self.unit(name), self.columns.column(name)
            label = f"{column.name} [{unit}]" if unit else name
            labels.append(label if column.unique else f"{label} (indeterminate)")
        return labels

    @documented(name="Column.", returns="The unit.")
    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none.

        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).unit("crank.ax")
        'm/s^2'
        """
        return self.columns.unit(name)

    @property
    def listing(self) -> str:
        """The classic listing: a planar model as KABIOS prints it, a deck as the cards that its programs punch.

        Examples
        --------
        >>> listing = mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).listing
        >>> len(listing.splitlines()) > 3
        True
        """
        if self.record.listing is None:
            raise ResultError("the classic listing is planar; write a model in space as .csv")
        return self.record.listing(self.columns)

    @documented(returns="The table as a pandas data frame.", raises={"ResultError": "If pandas is not installed."})
    def table(self) -> pandas.DataFrame:
        """All columns as a pandas table.

        >>> len(mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).table())
        3
        """
        return data_frame(dict(self.columns))

    @documented(path="File to write: .csv, .parquet, .xlsx, .mat, .json or .txt.")
    def save(self, path: str | Path) -> None:
        """Write the table; the ending selects the format: .csv, .parquet, .xlsx (Excel), .mat (MATLAB), .json with the
        summary, or .txt for the classic listing.

        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.5).save("four_bar.csv")
        """
        path = Path(path)
        require_ending(path, "Run", self.model.source)
        if path.suffix == ".txt":
            write_text(path, self.listing)
        elif path.suffix == ".json":
            write_json(path, self.columns, {name: self.unit(name) for name in self.columns}, self.summary)
        else:
            write_columns(path, dict(zip(self.header(), self.columns.values(), strict=True)), self.record.study)


def save_by_ending(kind: str, result: object, path: str | Path, writers: Writers, source: str = "") -> None:
    """Write a result of a kind as the ending of the file says; .txt is what is printed."""
    require_ending(path, kind, source)
    ending = Path(path).suffix
    if ending == ".txt":
        write_text(Path(path), f"{result}\n")
    else:
        writers[ending](Path(path))


def require_ending(path: str | Path, result: str, source: str = "", others: Sequence[str] = ()) -> None:
    """Refuse a file name whose ending is no format of a result, and the file of the model itself; `others` are formats
    in which something else is written."""
    if "\0" in str(path):
        raise ResultError(f"{str(path)!r} cannot be the name of a file")
    if source and Path(path).resolve() == Path(source).resolve():
        raise ResultError(f"{path} is the model itself: give the table another name")
    if Path(path).suffix not in ENDINGS[result]:
        allowed = ", ".join((*ENDINGS[result], *others))
        raise ResultError(f'cannot write "{Path(path).name}": the ending must be {allowed}')
