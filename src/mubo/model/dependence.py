"""Where parameters stand in a model: every number that depends on them, its expression, its value for other parameters,
and its exact derivative."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from mubo.errors import ModelError
from mubo.laws.dependent import Dependent
from mubo.mappings import FrozenDict
from mubo.quantities.units import Units

Place = tuple[str, ...]  # ("body", "crank", "points", "B", "0")


def numbers_in(value: Any, place: Place = ()) -> Iterator[tuple[Place, Dependent]]:
    """Every number of a part, however deep, that depends on parameters, and where it stands."""
    if isinstance(value, Dependent):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from numbers_in(item, (*place, str(key)))
    elif isinstance(value, tuple):
        for k, item in enumerate(value):
            yield from numbers_in(item, (*place, str(k)))
    elif is_dataclass(value) and not isinstance(value, Units):
        for field in fields(value):
            if field.init:
                yield from numbers_in(getattr(value, field.name), (*place, field.name))


def depends(part: Any, names: Iterable[str]) -> bool:
    """Whether some number of a part depends on some of the parameters."""
    wanted = set(names)
    return any(not number.names.isdisjoint(wanted) for _, number in numbers_in(part))


def with_numbers(value: Any, change: Callable[[Dependent], float]) -> Any:
    """Returns the part with every dependent number changed; the very same object where there is none."""
    if isinstance(value, Dependent):
        return change(value)
    if isinstance(value, Mapping):
        items = {key: with_numbers(item, change) for key, item in value.items()}
        return value if all(items[key] is value[key] for key in value) else FrozenDict(items)
    if isinstance(value, tuple):
        parts = [with_numbers(item, change) for item in value]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, Units | type):
        values = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        new = {name: with_numbers(item, change) for name, item in values.items()}
        other = {name: item for name, item in new.items() if item is not values[name]}
        return replace(value, **other) if other else value
    return value


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
    return content if isinstance(content, Mapping) else {"": content}


def at_parameters(
    model: Any, units: Units, tables: Mapping[str, str], dependent: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """The fields of a model whose numbers follow the parameters of `units`; an error names its place. `dependent` are
    field and name of the parts that have such numbers."""
    scope = units.parameters.scope
    changed: dict[str, Any] = {"units": units}
    for field, name in dependent:
        content = getattr(model, field)
        try:
            part = with_numbers(parts_in(content)[name], lambda number: number.at(scope))
        except ModelError as error:
            place = f"{tables[field]} {name}".strip()
            raise ModelError(f"{place}: {error}", names=[name] if name else []) from None
        if isinstance(content, Mapping):
            changed.setdefault(field, dict(content))[name] = part
        else:
            changed[field] = part
    return changed
