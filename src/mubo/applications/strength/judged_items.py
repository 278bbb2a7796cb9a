"""Columns of what is judged, pins, links, rams and others, their extremes between rows, and what cannot be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol

from mubo.applications.strength.force_history import ForceHistory, ForceSample
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.rows import join_words
from mubo.model import ModelDefinition
from mubo.model.column_names import TIME, Column
from mubo.results import Columns, Event
from mubo.solvers.search.extremes import ExtremeValues
from mubo.solvers.search.reported_quantities import column_quantity

NEAR = 1e-6  # of the steps around it: how well a worst instant is known; its value by the square of that


Peaks = dict[str, tuple[float, float]]  # by word: value and time


class JudgedItem(Protocol):
    """Something with columns over a motion."""

    @property
    def owner(self) -> str:
        """The name before the words of its columns."""
        ...

    def columns(self, sample: ForceSample) -> Iterator[tuple[Column, Array]]:
        """Its columns at the times of a sample."""
        ...


class LoadedItem(JudgedItem, Protocol):
    """An item whose load may not be determined."""

    def unique(self, sample: ForceSample) -> bool:
        """Whether equilibrium alone determines its load."""
        ...


def item_table(items: Sequence[JudgedItem], sample: ForceSample) -> Columns:
    """The columns of all items at the times of a sample."""
    out = Columns(sample.solver.form.model.units, [(TIME, sample.t)])
    for item in items:
        out.extend(item.columns(sample))
    return out


class _LazyColumns(Columns):
    """The columns of items at the times of a sample, each computed when it is asked for."""

    def __init__(self, like: Columns, items: Mapping[str, JudgedItem], sample: ForceSample) -> None:
        super().__init__(like.units, [(TIME, sample.t)])
        self._like, self._items, self._seen = like, items, sample

    def raw(self, name: str) -> Array:
        if name not in self:
            self.extend(self._items[self._like.column(name).owner].columns(self._seen))
        return super().raw(name)


def add_item_columns(found: Columns, items: Sequence[JudgedItem], sample: ForceSample) -> Columns:
    """The columns of a run with those of all items at the same times."""
    found.extend((c, values) for item in items for c, values in item.columns(sample) if c.name not in found)
    charted = (item.chart_columns(sample) for item in items if hasattr(item, "chart_columns"))
    found.extend(entry for entries in charted for entry in entries)
    return found


def between_with_items(history: ForceHistory, items: Sequence[JudgedItem]) -> Callable[[Array], Columns]:
    """A function that solves the run with the columns of all items at any times."""
    solve = history.run.record.between
    assert solve is not None  # a motion with its forces can be solved between its rows
    return lambda times: add_item_columns(solve(times), items, history.at(times))


def item_extremes(history: ForceHistory, items: Sequence[JudgedItem], columns: Columns) -> dict[str, Any]:
    """Least and greatest of every column, found between rows; those that the run has already are taken."""
    known = history.run.summary.get("extremes", {})
    wanted = [column_quantity(columns, name) for name in list(columns)[1:] if name not in known]
    events = _with_bodies(history.model, history.run.events)
    owners = {item.owner: item for item in items}

    def solve(times: Array) -> Columns:
        return _LazyColumns(columns, owners, history.at(times))

    found = ExtremeValues(history.model, columns, wanted, solve, events, near=NEAR).summarize()
    return {**{name: known[name] for name in columns if name in known}, **found}


def _with_bodies(model: ModelDefinition, events: Sequence[Event]) -> list[Event]:
    """Events of joints, with the bodies that feel their forces."""
    out = []
    for event in events:
        ends = (end for name in event.joints if name in model.joints for end in model.joints[name].between)
        out.append(replace(event, joints=(*event.joints, *dict.fromkeys(end.partition(".")[0] for end in ends))))
    return out


def peaks_of(extremes: dict[str, Any], owner: str) -> Peaks:
    """The largest values of an owner's columns with their times, by word."""
    head = f"{owner}."
    return {
        name.removeprefix(head): (entry["max"][0], entry["max"][1])
        for name, entry in extremes.items()
        if name.startswith(head) and "." not in name.removeprefix(head)
    }


@dataclass
class Refusals:
    """Pins and links that cannot be assessed, and why."""

    sample: ForceSample
    why: dict[str, str] = field(default_factory=dict)

    def admit(self, item: LoadedItem, name: str, table: str) -> bool:
        """Whether it can be assessed; else the reason is noted."""
        if not item.unique(self.sample):
            self.why[f"{table} {name}"] = (
                "equilibrium does not determine its load: joints share it. Give them a stiffness, or free one of them"
            )
        return f"{table} {name}" not in self.why

    @property
    def notes(self) -> list[str]:
        """Sentences on items that are not assessed: refused pins and links, teeth of wheels."""
        return [*(f"{name}: not assessed: {why}" for name, why in self.why.items()), *self._teeth()]

    def _teeth(self) -> list[str]:
        model = self.sample.problem.model
        kinds = {name: model.kinds[joint.kind] for name, joint in model.joints.items()}
        wheels = [name for name, kind in kinds.items() if kind.meshes or kind.on_shafts]
        if not wheels:
            return []
        return [
            f"teeth and shafts of {join_words(wheels)}: not assessed; take the loads of inverse dynamics to a "
            "calculation by ISO 6336 and DIN 743"
        ]
