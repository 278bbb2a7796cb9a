"""Measures: lengths, angles, columns and expressions of columns that somebody gave a name.

A measure belongs to the model, as a joint does: runs report it as a column M with M.rate and M.rate2, and what depends
on it finds it by name. Its definition is read here; `solvers/columns/measures.py` gives it numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.model.column_names import Column, quantities_of
from mubo.model.coordinates import point_of
from mubo.model.parts import RATES, VECTOR_TAILS, Measure, Parts
from mubo.model.tables import MEASURE
from mubo.quantities.sizes import Size, holds_of

KEYS = tuple(key for key in MEASURE.keys if key not in ("turns", "number"))
TAKEN = ("t", "theta", "pi", "e")  # names with a meaning of their own in expressions


def read_measure(name: str, given: Mapping[str, Any]) -> Measure:
    """A measure from its keys, of which it has one; a vector may have full turns beside it."""
    turns = given.get("turns", 0)
    if "turns" in given and ("vector" not in given or isinstance(turns, bool) or not isinstance(turns, int)):
        raise ModelError(f"turns is a whole number and goes with a vector; found {turns!r}")
    given = {key: value for key, value in given.items() if key != "turns"}
    for key in given:
        if key not in KEYS:
            raise ModelError(f'there is no key "{key}". {nearest(key, KEYS)}')
    if len(given) != 1:
        found = f"; found {', '.join(given)}" if given else ""
        raise ModelError(f"a measure has one of {', '.join(KEYS)}{found}")
    ((key, value),) = given.items()
    if key in ("of", "value"):
        if not isinstance(value, str) or not value.strip():
            example = '"rocker.phi"' if key == "of" else '"P.x - Q.x"'
            raise ModelError(f"{key} is a text such as {example}; found {value!r}")
        return Measure(name, key, (value.strip(),))
    counts = (2, 3, 4) if key == "angle" else (2,)
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) not in counts:
        wanted = "two bodies, three points or four points" if key == "angle" else "two points"
        raise ModelError(f"{key} needs {wanted}; found {value!r}")
    if not all(isinstance(entry, str) for entry in value):
        raise ModelError(f"{key} names points or bodies; found {list(value)!r}")
    return Measure(name, key, tuple(value), turns)


def quantities_with_measures(model: Parts) -> dict[str, Column]:
    """All columns of a model, those of its measures included; raises where a measure is wrong."""
    known = quantities_of(model)
    for measure in in_order(model):
        known |= {quantity.name: quantity for quantity in quantities_of_measure(model, measure, known)}
    return known


def quantities_of_measure(model: Parts, measure: Measure, known: Mapping[str, Column]) -> list[Column]:
    """The measure, its rate and the rate of that, as far as all columns in it have derivatives."""
    if measure.key == "vector":
        return vector_columns(measure.name)
    holds, order, last = "length" if measure.key == "distance" else "angle", 0, 2
    if measure.key in ("of", "value"):
        formula = measure.formula
        sizes = {name: model.units.column_size(q.holds, q.order) for name, q in known.items()}
        holds, order = holds_of(formula.sized(sizes, model.units.own_sizes)[1])
        last = min((_derivatives(known[name], known) for name in formula.names), default=2)
    names = [f"{measure.name}{tail}" for tail in RATES[: last + 1]]
    return [Column(name, "measure", measure.name, "value", order + k, holds) for k, name in enumerate(names)]


def vector_columns(name: str) -> list[Column]:
    """Length, direction, angular velocity and angular acceleration of a vector."""
    length, *turns = VECTOR_TAILS
    angles = [Column(f"{name}{tail}", "vector", name, "theta", order, "angle") for order, tail in enumerate(turns)]
    return [Column(f"{name}{length}", "vector", name, "r", 0, "length"), *angles]


def _derivatives(quantity: Column, known: Mapping[str, Column]) -> int:
    """How many derivatives by time of a column are columns too."""
    return len(derivatives_of(quantity, known)) - 1


def derivatives_of(quantity: Column, known: Mapping[str, Column]) -> list[str]:
    """The column, its first and its second derivative, as far as there are columns of them."""
    what = (quantity.kind, quantity.owner, quantity.quantity)
    by_order = {q.order: q.name for q in known.values() if (q.kind, q.owner, q.quantity) == what}
    names: list[str] = []
    for order in range(quantity.order, quantity.order + 3):
        if order not in by_order:
            break
        names.append(by_order[order])
    return names


def in_order(model: Parts) -> list[Measure]:
    """The measures, each after those in its definition; a circle of them is refused."""
    done: dict[str, Measure] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            circle = " → ".join((*path[path.index(name) :], name))
            raise ModelError(f"measure {path[0]}: it is defined by itself: {circle}", names=[name])
        if name not in done:
            measure = model.measures[name]
            for used in _measures_in(model, measure):
                visit(used, (*path, name))
            done[name] = measure

    for name in model.measures:
        visit(name, ())
    return list(done.values())


def _measures_in(model: Parts, measure: Measure) -> list[str]:
    owners = {f"{other.name}{tail}": other.name for other in model.measures.values() for tail in other.tails}
    return [owners[name] for name in measure.formula.names if name in owners]


def problems_of(model: Parts) -> Iterator[tuple[tuple[str, ...], str]]:
    """The problems of measures: place and message."""
    wrong = False
    for measure in model.measures.values():
        where = ("measure", measure.name)
        if measure.name in TAKEN or measure.name in model.drivers:
            what = "is reserved in expressions" if measure.name in TAKEN else "is the name of a driver too"
            yield where, f'"{measure.name}" {what}; give the measure another name'
        if measure.key == "vector" and measure.name in model.bodies:
            yield where, "a body has this name too; columns of the result would collide"
        try:
            _require(model, measure)
        except ModelError as error:
            wrong = True
            yield (*where, measure.key), str(error)
    if wrong or not model.measures:
        return
    try:
        quantities_with_measures(model)
    except ModelError as error:
        yield ("measure", error.names[0] if error.names else next(iter(model.measures))), str(error)


def _require(model: Parts, measure: Measure) -> None:
    """Refuses points, bodies and names that are not there."""
    if measure.key in ("of", "value"):
        known = {q.name for q in quantities_of(model).values()}
        known |= {f"{other.name}{tail}" for other in model.measures.values() for tail in other.tails}
        sizes = {name: Size(None) for name in known}
        if measure.key == "of" and measure.on[0] not in known:
            raise ModelError(f'there is no column "{measure.on[0]}". {nearest(measure.on[0], known)}')
        for name in measure.formula.parameters(model.units.parameters):
            if name not in known:
                raise ModelError(f'"{measure.on[0]}": "{name}" is a parameter, and a measure consists of columns alone')
        measure.formula.sized(sizes, model.units.own_sizes)
        return
    if measure.key == "angle" and len(measure.on) == 2:
        for name in measure.on:
            if name not in model.bodies:
                hint = " Of points three or four are needed." if "." in name or name in model.points else ""
                raise ModelError(f'there is no body "{name}". {nearest(name, model.bodies)}{hint}')
        if measure.on[0] == measure.on[1]:
            raise ModelError(f'"{measure.on[0]}" has no angle to itself')
        return
    if measure.key == "vector" and model.dimension == 3:
        raise ModelError("a vector has one direction in the plane only: write a distance or an angle")
    places = [point_of(model, reference) for reference in measure.on]
    for k in {2: (0,), 3: (0, 1), 4: (0, 2)}[len(places)]:  # the arms
        if places[k] == places[k + 1]:
            raise ModelError(f'"{measure.on[k]}" and "{measure.on[k + 1]}" are the same point')
    if measure.key == "distance" and places[0][0] == places[1][0]:
        raise ModelError(f'both points are on "{places[0][0]}": their distance cannot change')
