"""Trajectory: the numbers of an analysis with their names, units, events and proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError, nearest
from mubo.formats.atomic import write_text
from mubo.formats.listing import listing
from mubo.formats.tables import write_csv, write_json, write_parquet
from mubo.model import Joint, Model, Units, target_of
from mubo.model.coordinates import holds_of
from mubo.model.linkage import Linkage

if TYPE_CHECKING:
    import pandas

ENDINGS = (".csv", ".json", ".parquet", ".txt")


@dataclass(frozen=True)
class Event:
    """Something that happened between or at output times."""

    kind: str  # "limit", "bifurcation", "near_miss" or "failure"
    t: float
    drivers: dict[str, float]
    bodies: tuple[str, ...]
    message: str
    rates: dict[str, dict[str, float]] = field(default_factory=dict)  # of both motions, where two cross

    @property
    def passed(self) -> bool:
        """Whether the motion went on from here."""
        return bool(self.rates) or self.kind == "near_miss"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "bodies": list(self.bodies)}


@dataclass
class Trajectory:
    """One row per output time. `run["P.x"]` is a column."""

    columns: dict[str, Array]
    units: Units
    model: Model
    events: list[Event]
    summary: dict[str, Any]
    corrections: Array = field(default_factory=lambda: np.zeros(0, int))  # Newton corrections per row
    tolerance: float = 1e-10

    def __getitem__(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            raise ResultError(f'there is no column "{name}". {nearest(name, self.columns)}') from None

    def __len__(self) -> int:
        return len(self.columns["t"])

    def header(self, names: Iterable[str] | None = None) -> list[str]:
        """Column names, with units where the model declares them: "crank.x [m]"."""
        labels = []
        for name in names or self.columns:
            unit = self.unit(name)
            labels.append(f"{name} [{unit}]" if unit else name)
        return labels

    def unit(self, name: str) -> str:
        """Unit of a column, or "" where the model declares none."""
        head, _, tail = name.rpartition(".")
        if not self.units.declared:
            return ""
        if tail in ("angle", "singular_value", "advantage"):  # of transmission
            return self.units.rate("angle", 0) if tail == "angle" else ""
        if head in self.model.drivers and tail in ("value", "rate", "effort"):
            holds = target_of(self.model, self.model.drivers[head].of).holds
            if tail == "effort":
                return self.units.effort("torque" if holds == "angle" else "force")
            return self.units.rate(holds, ("value", "rate").index(tail))
        if head in self.model.joints and tail[:1] in ("q", "v", "a") and tail[1:].isdigit() | (not tail[1:]):
            return self._joint_unit(self.model.joints[head], tail)
        return self.units.label(name)

    def _joint_unit(self, joint: Joint, tail: str) -> str:
        """Unit of a joint coordinate q, or q1, q2, … of several, and of its rates v and a."""
        order = "qva".index(tail[0])
        if self.model.dimension == 2:
            turns = self.model.kinds[joint.kind].coordinate == "angle"
            return self.units.rate("angle" if turns else "length", order)
        holds = holds_of(self.model, joint, order > 0)[int(tail[1:] or 1) - 1]
        return "" if holds == "number" else self.units.rate(holds, order)

    def table(self) -> pandas.DataFrame:
        """All columns as a pandas table."""
        try:
            import pandas
        except ImportError:
            raise ResultError("table() needs pandas: pip install 'mubo[tables]'") from None
        return pandas.DataFrame(self.columns)

    def save(self, path: str | Path) -> None:
        """Writes the table; the ending decides: .csv, .json, .parquet, or .txt for the classic listing."""
        path = Path(path)
        require_ending(path, self.model.source)
        labels = dict(zip(self.columns, self.header(), strict=True))
        if path.suffix == ".csv":
            write_csv(path, {labels[k]: v for k, v in self.columns.items()})
        elif path.suffix == ".parquet":
            write_parquet(path, {labels[k]: v for k, v in self.columns.items()})
        elif path.suffix == ".json":
            units = {name: self.unit(name) for name in self.columns}
            write_json(path, self.columns, units, self.summary)
        elif self.model.dimension == 3:
            raise ResultError(f"{path.name}: the classic listing is planar; write a model in space as .csv")
        else:
            listing(
                path,
                self.columns,
                [b for b in self.model.bodies if f"{b}.x" in self.columns],
                [*self.model.points],
            )


@dataclass
class LinkageTrajectory(Trajectory):
    """The result of a deck, one row per position. It declares degrees and seconds, and no unit of length."""

    model: Linkage  # type: ignore[assignment]
    cards: str = ""  # the listing that the programs of 1964 would punch

    def unit(self, name: str) -> str:
        head, _, tail = name.rpartition(".")
        if head == "crank":
            return {"value": "deg", "rate": "deg/s"}[tail]
        return {"t": "s", "theta": "deg", "omega": "deg/s", "alpha": "deg/s^2"}.get(tail, "")

    def save(self, path: str | Path) -> None:
        """Writes the table; the ending decides: .csv, .json, .parquet, or .txt for the cards."""
        if Path(path).suffix == ".txt":
            require_ending(path, self.model.source)
            write_text(Path(path), self.cards)
        else:
            super().save(path)


def require_ending(path: str | Path, source: str = "") -> None:
    """The ending of a table's name says how it is written; others are refused, and so is the model's own file."""
    if source and Path(path).resolve() == Path(source).resolve():
        raise ResultError(f"{path} is the model itself: give the table another name")
    if Path(path).suffix not in ENDINGS:
        raise ResultError(f'cannot write "{Path(path).name}": the ending must be {", ".join(ENDINGS)}')
