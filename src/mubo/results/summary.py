"""Summary of a run: a dictionary whose costly entries are computed at first use, and kept."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from typing import Any


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
