"""A dictionary that cannot be changed: what makes a model the same one for as long as anybody holds it."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class FrozenDict(dict[_Key, _Value]):
    """A dict without ways to change it."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a model is frozen: model.replace(...) makes another one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)
