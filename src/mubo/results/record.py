"""Record of a run: its events, where its reactions act, how it was solved, and its summary.

The summary is a dictionary whose costly entries are computed at first use, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.parts import Vector
from mubo.note import Note
from mubo.quantities.output_times import OutputTimes
from mubo.results.columns import Columns

FORMULATIONS = {
    "absolute": "absolute coordinates",
    "loops": "vector loops",
    "tree": "a tree of joint coordinates",
    "wittenburg": "Wittenburg's equations",
    "1964": "the scheme of 1964",
}


@dataclass(frozen=True)
class Event:
    """An event of a motion, at or between output times."""

    # "limit", "bifurcation", "near_miss", "crossing", "unbounded", "undetermined", "interference" or "failure"; of
    # contacts "impact", "touch", "rest", "part", "stick" or "slip"
    kind: str
    t: float
    drivers: dict[str, float]
    bodies: tuple[str, ...]
    fact: Note  # what happened, with its values; `message` is its sentence
    rates: dict[str, dict[str, float]] = field(default_factory=dict)  # of both branches, at a bifurcation
    remaining_travel: dict[str, float] = field(default_factory=dict)  # of drivers that reverse shortly before a limit
    joints: tuple[str, ...] = ()  # joints and drivers whose forces are unbounded
    went_on: bool = False  # set by a simulation, which continues after most of its events
    find_state: Callable[[], dict[str, float]] | None = field(default=None, repr=False, compare=False)

    @property
    def message(self) -> str:
        """The event as a sentence."""
        return str(self.fact)

    def __repr__(self) -> str:
        return f"<{self.kind} at t = {self.t:.9g}: {self.message}>"

    @property
    def passed(self) -> bool:
        """Whether the motion continued after the event."""
        continuing = ("near_miss", "unbounded", "undetermined", "interference")
        return self.went_on or bool(self.rates) or self.kind in continuing

    @property
    def state(self) -> dict[str, float]:
        """All columns at the event of a simulation, computed when asked for; empty where the motion has none there."""
        return self.find_state() if self.find_state is not None else {}

    def as_dict(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in ("kind", "t", "drivers", "bodies", "message", "rates")}
        more = {"remaining_travel": self.remaining_travel, "joints": list(self.joints)}
        return {**kept, "bodies": list(self.bodies), **more}


@dataclass(frozen=True)
class Place:
    """A reaction: the columns "A.on_crank.…" are exerted by `others` on `body`, at `point` of `carrier` (in its axes).

    The joint point is that of the second body: the common point of a pin; that of a slide moves with the rod. Where it
    `wanders`, the reaction acts at the contact of what rolls, and `point` is the centre of that.
    """

    joint: str
    body: str
    others: tuple[str, ...]
    carrier: str  # the body in whose axes the point is fixed
    point: Vector
    wanders: bool = False

    @property
    def owner(self) -> str:
        """The owner of its columns."""
        return f"{self.joint}.on_{self.body}"


@dataclass(frozen=True)
class ForceRecord:
    """How the forces of a run were solved: where reactions act, and the rule for those that are not unique."""

    places: tuple[Place, ...]
    length_scale: float  # of the minimum norm, in the model's unit of length
    sharing: tuple[tuple[str, ...], ...] = ()  # joints that share an indeterminate load
    # Wrenches of the self-stress, rows × places × components × its directions: zero for unique components.
    open: Array | None = None


@dataclass(frozen=True)
class Record:
    """The model, the equations that were solved and their settings: enough to draw, report, verify and repeat a run.

    `inspection` is the analysis of the start: the mechanism in its formulation, assembled and diagnosed. `form` are the
    equations of the motion: vector loops, absolute coordinates or a tree. `listing` writes the classic listing of the
    columns. `between` solves every column at any times between the rows, and after the last one up to where the motion
    stopped; times that cannot be reached are left out. `repeat` does so for a simulation, at the cost of the whole run.
    `rows` returns the states there instead of columns. `solved_times` are those at which the motion was solved, more
    than its rows where motion laws need them. `strength` and `gait` are the results of these applications, if any;
    `mode` is the vibration mode that the run shows.
    """

    model: ModelDefinition
    study: str  # "kinematics", "simulate", "inverse", "statics", "strength" or "gait"
    formulation: str  # a name of FORMULATIONS
    times: OutputTimes
    settings: Any = None
    inspection: Any = None
    form: Any = None
    corrections: Array = field(default_factory=lambda: np.zeros(0, int))  # Newton iterations per row
    tolerance: float = 1e-10
    listing: Callable[[Columns], str] | None = None
    between: Callable[[Array], Columns] | None = None
    repeat: Callable[[Array], Columns] | None = None
    forces: ForceRecord | None = None
    rows: Callable[[Array], Any] | None = None
    solved_times: Array = field(default_factory=lambda: np.zeros(0))
    strength: Any = None
    gait: Any = None
    mode: ModeRecord | None = None


@dataclass(frozen=True)
class ModeRecord:
    """The vibration mode that a run shows: its number with its figures, and the columns of the rest position."""

    label: str
    rest: Columns


@dataclass(frozen=True)
class Deferred:
    """Entries of a summary by one computation; `names` are all that it may give, () where these are unknown."""

    names: tuple[str, ...]
    compute: Callable[[], Mapping[str, Any]]


class Summary(dict[str, Any]):
    """A dictionary of the solution, its accuracy and its notes, by the keys of the JSON summary.

    >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
    >>> run.summary["status"], run.summary["rows"]  # nothing else is computed
    ('ok', 5)
    """

    def __init__(self, *parts: Mapping[str, Any] | Deferred) -> None:
        dict.__init__(self)
        self.found_extremes: dict[str, Any] = {}  # of columns that objectives asked for; the entry has those reported
        self._deferred = [part for part in parts if isinstance(part, Deferred)]
        for part in parts:
            if not isinstance(part, Deferred):
                dict.update(self, part)

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        return dict.__getitem__(self, name)

    def __contains__(self, name: object) -> bool:
        if not dict.__contains__(self, name):
            self._resolve(lambda part: name in part.names)
        if not dict.__contains__(self, name):
            self._resolve(lambda part: not part.names)
        return dict.__contains__(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._resolve(lambda part: name in part.names)
        dict.__setitem__(self, name, value)

    def __delitem__(self, name: str) -> None:
        self._resolve(lambda part: name in part.names)
        dict.__delitem__(self, name)

    def __iter__(self) -> Iterator[str]:
        self._resolve(lambda part: True)
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._resolve(lambda part: True)
        return dict.__len__(self)

    def known(self, name: str) -> Any:
        """Return an entry that was computed before, else None; nothing is computed."""
        return dict.__getitem__(self, name) if dict.__contains__(self, name) else None

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            return default
        return self[name]

    def pop(self, name: str, *default: Any) -> Any:
        if default and name not in self:
            return default[0]
        value = self[name]
        del self[name]
        return value

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return KeysView(self)

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        return ItemsView(self)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __or__(self, other: Mapping[str, Any]) -> Summary:  # type: ignore[override]
        """Return the summary with further entries; nothing is computed."""
        known = {name: dict.__getitem__(self, name) for name in dict.__iter__(self)}
        return Summary(known, *self._deferred, other)

    def _resolve(self, wanted: Callable[[Deferred], bool]) -> None:
        """Compute the deferred entries that are wanted; an entry that was set keeps its value."""
        for part in [part for part in self._deferred if wanted(part)]:
            if part in self._deferred:  # computing one entry may ask for another
                self._deferred.remove(part)
                for name, value in part.compute().items():
                    if not dict.__contains__(self, name):
                        dict.__setitem__(self, name, value)
