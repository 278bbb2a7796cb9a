"""Registries that load the object of a name when it is first asked for, dictionaries that cannot be changed, and values
that are found once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

T = TypeVar("T")


def found_once(kept: dict[str, Any], key: str, find: Callable[[], T]) -> T:
    """Return the value kept under a key; the first call finds it."""
    if key not in kept:
        kept[key] = find()
    value: T = kept[key]
    return value


if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # it stands for the one of functools
        """A property that is found once; as from Python 3.12 on without a lock, which costs more than a look-up."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


def load_place(place: str) -> Any:
    """Return the object at a place "module:name"; the module is imported by this call."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


class Registry(MutableMapping[str, T]):
    """Objects by name, each of which is loaded from its place "module:name" when it is first asked for.

    Iteration over names, membership and length load nothing; iteration over values loads everything.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = load_place(self._places[name])
        return self._loaded[name]

    def __setitem__(self, name: str, value: T) -> None:
        self._places[name], self._loaded[name] = "", value

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._loaded.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class FrozenDict(dict[_Key, _Value]):
    """A dictionary whose items cannot be changed."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a model definition is frozen; use model.replace(...), which returns another model")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


def freeze(one: object, *names: str) -> None:
    """Make dictionaries among the attributes of an object such that cannot be changed; one that is so already stays."""
    here = one.__dict__
    for name in names:
        if type(here[name]) is not FrozenDict:
            here[name] = FrozenDict(here[name])
