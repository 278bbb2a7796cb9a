"""Where parameters stand in a model: every number that depends on them, its expression, its value for other parameters,
and its exact derivative."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import is_, methodcaller
from typing import Any

from mubo.errors import ModelError
from mubo.laws.dependent import Dependent
from mubo.lazy_dataclass import replace
from mubo.mappings import FrozenDict
from mubo.quantities.units import Units

Place = tuple[str, ...]  # ("body", "crank", "points", "B", "0")


_PLAIN = frozenset((float, int, str, bool, type(None)))  # types of values that depend on nothing


def numbers_in(value: Any, place: Place = ()) -> Iterator[tuple[Place, Dependent]]:
    """Every number of a part, however deep, that depends on parameters, and where it stands."""
    if type(value) in _PLAIN:
        return
    if isinstance(value, Dependent):
        yield place, value
    elif isinstance(value, tuple):
        for k, item in enumerate(value):
            if type(item) not in _PLAIN:
                yield from numbers_in(item, (*place, str(k)))
    elif type(value) is FrozenDict or isinstance(value, Mapping):
        for key, item in value.items():
            yield from numbers_in(item, (*place, str(key)))
    else:
        for name in _field_names(type(value)):  # type: ignore[arg-type]  # classes are hashable
            item = getattr(value, name)
            if type(item) not in _PLAIN:
                yield from numbers_in(item, (*place, name))


def depends(part: Any, names: Iterable[str]) -> bool:
    """Whether some number of a part depends on some of the parameters."""
    wanted = set(names)
    return any(not number.names.isdisjoint(wanted) for _, number in numbers_in(part))


def with_numbers(value: Any, change: Callable[[Dependent], float]) -> Any:
    """Returns the part with every dependent number changed; the very same object where there is none."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Dependent:
        return change(value)
    if isinstance(value, tuple):
        parts: list[Any] = []
        for item in value:  # one frame for all numbers of a vector
            inner = type(item)
            parts.append(
                item if inner in _PLAIN else change(item) if inner is Dependent else with_numbers(item, change)
            )
        if all(map(is_, parts, value)):
            return value
        return kind(*parts) if hasattr(value, "_fields") else tuple(parts)
    if kind is FrozenDict or isinstance(value, Mapping):
        items: dict[Any, Any] = {}
        for key, item in value.items():
            items[key] = item if type(item) in _PLAIN else with_numbers(item, change)
        return value if all(map(is_, items.values(), value.values())) else FrozenDict(items)
    other: dict[str, Any] = {}
    for name in _field_names(kind):  # type: ignore[arg-type]  # classes are hashable
        item = getattr(value, name)
        inner = type(item)
        if inner in _PLAIN or ((inner is tuple or inner is FrozenDict) and not item):
            continue
        if (new := with_numbers(item, change)) is not item:
            other[name] = new
    return replace(value, **other) if other else value


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """The fields of a class of parts that may hold numbers; none of anything else."""
    if not is_dataclass(kind) or issubclass(kind, Units):
        return ()
    return tuple(field.name for field in fields(kind) if field.init)


def parts_of(model: Any, names: Mapping[str, str]) -> Iterator[tuple[Place, Any]]:
    """Everything of a model that holds numbers, by its place in a file."""
    for field, table in names.items():
        content = getattr(model, field)
        if isinstance(content, Mapping):
            for name, part in content.items():
                yield (table, name), part
        elif content is not None:
            yield (table,), content


def parts_in(content: Any) -> Mapping[str, Any]:
    """The parts of a field of a model by name; of a field that is one part that alone, under ""."""
    return content if type(content) is FrozenDict or isinstance(content, Mapping) else {"": content}


def at_parameters(
    model: Any, units: Units, tables: Mapping[str, str], dependent: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """The fields of a model whose numbers follow the parameters of `units`; an error names its place. `dependent` are
    field and name of the parts that have such numbers."""
    at = methodcaller("at", units.parameters.scope)
    changed: dict[str, Any] = {"units": units}
    for field, name in dependent:
        content = getattr(model, field)
        try:
            part = with_numbers(parts_in(content)[name], at)
        except ModelError as error:
            place = f"{tables[field]} {name}".strip()
            raise ModelError(f"{place}: {error}", names=[name] if name else []) from None
        if type(content) is FrozenDict or isinstance(content, Mapping):
            changed.setdefault(field, dict(content))[name] = part
        else:
            changed[field] = part
    return changed
