"""Dataclasses whose methods are written when their first object is made.

`dataclasses.dataclass` compiles six functions for every class while its module is loaded: about a millisecond a class,
for a hundred classes of which a command uses a third. Here a class keeps its decorator until somebody makes, copies or
unpickles an object of it, derives another dataclass from it, or asks for its fields; then its methods are written,
once, whichever thread comes first. Nothing else differs.
"""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_LOCK = RLock()

if TYPE_CHECKING:
    from dataclasses import Field
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def replace(one: Any, /, **changes: Any) -> Any:
        """Return an object with other values in some fields as `dataclasses.replace` does, without its `__init__`."""
        cls = type(one)
        names = cls.__dataclass_fields__
        if not changes.keys() <= names.keys() or len(cls.__match_args__) < len(names):
            from dataclasses import replace as checked

            return checked(one, **changes)
        new = cls.__new__(cls)
        here, there = new.__dict__, one.__dict__
        here.update(zip(names, map(there.__getitem__, names), strict=True))
        here.update(changes)
        if hasattr(cls, "__post_init__"):
            new.__post_init__()
        return new

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """Decorate a class as `dataclasses.dataclass` does, later; `slots`, which make another class, are refused."""
        if cls is None:
            return lambda decorated: dataclass(decorated, **options)
        if options.get("slots"):
            raise TypeError(f"{cls.__name__}: a dataclass with slots is another class, which cannot be made later")
        if unknown := options.keys() - {"repr", "eq", "frozen", "kw_only"}:
            raise TypeError(f"{cls.__name__}: lazy dataclasses have no option {sorted(unknown)}")
        cls.__dataclass_fields__ = _Unfinished(cls, options)
        if "__init__" not in cls.__dict__:
            cls.__init__ = _first_init(cls)
        if "__setstate__" not in cls.__dict__:
            cls.__setstate__ = _first_state(cls)
        return cls


class _Unfinished:
    """The fields of a class whose methods are not written yet: whoever reads them has them written."""

    def __init__(self, cls: type, options: dict[str, Any]) -> None:
        self.cls, self.options = cls, options

    def __get__(self, instance: Any, owner: type) -> Any:
        _finish(self.cls)
        return self.cls.__dataclass_fields__  # type: ignore[attr-defined]


def _finish(cls: type) -> None:
    """Write the methods of a class if they are not there yet; other threads wait in its first `__init__` until then.

    The standard decorator compiles source for each of them; here only `__init__` is, the others are closures.
    """
    with _LOCK:
        waiting = cls.__dict__["__dataclass_fields__"]
        if not isinstance(waiting, _Unfinished):
            return
        options = {"repr": True, "eq": True, "frozen": False, **waiting.options}
        every = _collect_fields(cls, options.get("kw_only", False))
        fields, frozen = list(every.values()), options["frozen"]
        cls.__dataclass_params__ = _sample(frozen).__dataclass_params__  # type: ignore[attr-defined]
        cls.__match_args__ = tuple(one.name for one in fields if one.init and not one.kw_only)  # type: ignore[attr-defined, misc]
        if frozen:
            _freeze(cls, every)
        if options["repr"] and "__repr__" not in cls.__dict__:
            cls.__repr__ = _repr([one.name for one in fields if one.repr])  # type: ignore[method-assign]
        if options["eq"]:
            _compare(cls, fields, frozen)
        cls.__dataclass_fields__ = every  # type: ignore[attr-defined]
        if hasattr(cls.__init__, "first"):  # type: ignore[misc]
            cls.__init__ = _init(cls, fields, frozen)  # type: ignore[misc]
        if hasattr(cls.__dict__.get("__setstate__"), "first"):
            del cls.__setstate__  # type: ignore[attr-defined]


@cache
def _sample(frozen: bool) -> type:
    """A class by the standard decorator, whose field and parameters are like those of every other one."""
    import dataclasses

    return dataclasses.dataclass(frozen=frozen, init=False, repr=False, eq=False)(
        type("Sample", (), {"__doc__": "A sample.", "__annotations__": {"one": "int"}})
    )


def _collect_fields(cls: type, kw_only: bool) -> dict[str, Field[Any]]:
    """The fields of a class and of those that it derives from, defaults put where the class is asked for them."""
    from dataclasses import MISSING, Field, field
    from inspect import get_annotations

    ordinary = _sample(False).__dataclass_fields__["one"]._field_type  # type: ignore[attr-defined]
    fields: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields |= getattr(base, "__dataclass_fields__", {})
    for name, annotation in get_annotations(cls).items():
        word = str(annotation).partition("[")[0].rpartition(".")[2]
        if word == "ClassVar":
            continue
        default = cls.__dict__.get(name, MISSING)
        one: Any = default if isinstance(default, Field) else field(default=default)
        if word in ("InitVar", "KW_ONLY") or (one.default is not MISSING and one.default.__class__.__hash__ is None):
            raise TypeError(f"{cls.__name__}.{name}: lazy dataclasses have neither {word} nor defaults that may change")
        one.name, one.type, one._field_type = name, annotation, ordinary
        one.kw_only = kw_only if one.kw_only is MISSING else one.kw_only
        if one.default is not MISSING:
            setattr(cls, name, one.default)
        elif default is not MISSING:
            delattr(cls, name)
        fields[name] = one
    return fields


def _freeze(cls: type, fields: Mapping[str, Any]) -> None:
    """Let a class refuse that attributes of its objects are changed."""
    from dataclasses import FrozenInstanceError

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in fields:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)  # type: ignore[arg-type]

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in fields:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)  # type: ignore[arg-type]

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__  # type: ignore[method-assign, assignment]


def _first_init(cls: type) -> Any:
    """The `__init__` of a class until its first object is made."""

    def __init__(self: Any, *args: Any, **given: Any) -> None:
        _finish(cls)
        cls.__init__(self, *args, **given)  # type: ignore[misc]

    __init__.first = True  # type: ignore[attr-defined]
    return __init__


def _first_state(cls: type) -> Any:
    """The `__setstate__` of a class until its first object is copied or unpickled."""

    def __setstate__(self: Any, state: dict[str, Any]) -> None:
        _finish(cls)
        self.__dict__.update(state)

    __setstate__.first = True  # type: ignore[attr-defined]
    return __setstate__


def _repr(names: Sequence[str]) -> Any:
    """The text of an object: its class with the values of its fields."""

    @recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _compare(cls: type, fields: Sequence[Field[Any]], frozen: bool) -> None:
    """Give a class the equality of its fields, and their hash if they are frozen: without one it cannot be hashed."""
    compared = _values([one.name for one in fields if one.compare])
    hashed = _values([one.name for one in fields if (one.compare if one.hash is None else one.hash)])

    def __eq__(self: Any, other: Any) -> bool:
        return bool(compared(self) == compared(other)) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(hashed(self))

    explicit = cls.__dict__.get("__hash__") is not None
    if "__eq__" not in cls.__dict__:
        cls.__eq__ = __eq__  # type: ignore[method-assign, assignment]
    if not explicit:
        cls.__hash__ = __hash__ if frozen else None  # type: ignore[method-assign, assignment]


def _values(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that reads some attributes of an object as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple(getattr(one, name) for name in names)


def _init(cls: type, fields: Sequence[Field[Any]], frozen: bool) -> Any:
    """The final `__init__`: one statement a field, as the standard decorator writes it."""
    from dataclasses import MISSING

    place: dict[str, Any] = {"MISSING": MISSING}
    plain: list[str] = []
    named: list[str] = []
    body: list[str] = ["here = self.__dict__"] if frozen else []
    for one in fields:
        name, given, value = one.name, one.name, one.name
        if one.default_factory is not MISSING:
            place[f"make_{name}"] = one.default_factory
            given, value = f"{name}=MISSING", f"make_{name}()"
            value += f" if {name} is MISSING else {name}" if one.init else ""
        elif one.default is not MISSING:
            place[f"default_{name}"] = one.default
            given = f"{name}=default_{name}"
        if one.init:
            (named if one.kw_only else plain).append(given)
        if one.init or one.default_factory is not MISSING:
            body.append(f"here[{name!r}] = {value}" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    head = ", ".join(["self", *plain, *(["*", *named] if named else [])])
    exec(f"def __init__({head}) -> None:\n " + "\n ".join(body or ["pass"]), place)
    out = place["__init__"]
    out.__qualname__, out.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return out
