"""Whether a load is complete, and which columns its size may depend on, with their units."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.elements import Element, loads_of
from mubo.errors import ModelError, nearest
from mubo.model.column_laws import ColumnLaw
from mubo.model.coordinates import coordinate_of, holds_at, point_of
from mubo.model.measures import in_order, quantities_with_measures
from mubo.model.options import measured
from mubo.model.parts import Force, Parts
from mubo.quantities.sizes import Size

Found = tuple[tuple[str, ...], str]
MOVING = ("time", "body", "point", "joint", "measure")  # kinds of columns that a motion has by itself
DRIVEN = ("value",)  # of a driver: not what it takes


def column_sizes(model: Parts) -> dict[str, Size]:
    """The columns of a motion, before forces are known: bodies, points, joints, drivers and measures."""
    try:
        known = quantities_with_measures(model)
    except ModelError as error:
        raise ModelError(f"it waits for a measure that is wrong: {error}") from None
    moving = {
        name
        for name, column in known.items()
        if column.kind in MOVING or (column.kind == "driver" and column.quantity in DRIVEN)
    }
    for measure in in_order(model):  # one that depends on forces is known only after them
        if not moving.issuperset(measure.formula.names):
            moving -= {
                name for name, column in known.items() if (column.kind, column.owner) == ("measure", measure.name)
            }
    return {
        name: model.units.column_size(column.holds, column.order) for name, column in known.items() if name in moving
    }


def own_sizes(model: Parts, force: Force) -> dict[str, Size]:
    """The load's own coordinate and its rate, by the names that its law has for them."""
    element = loads_of(model.dimension)[force.kind]
    if not element.formula.own:
        return {}
    holds = "length" if element.ends == "point" else "angle"
    if element.key == "of":
        holds = holds_at(model, force.on[0]) or "angle"
    return {name: model.units.column_size(holds, order) for order, name in enumerate(element.formula.own)}


def load_problems(model: Parts, force: Force) -> Iterator[Found]:
    """Problems of the bodies, points and options of a load: where each is, and in words."""
    where, element = ("force", force.name), loads_of(model.dimension)[force.kind]
    wanted = 2 if element.key == "between" else 1
    if len(force.on) != wanted:
        yield ((*where, element.key), f"{element.key} needs {wanted} entries; found {len(force.on)}")
        return
    bodies = []
    for reference in force.on:
        try:
            if element.key == "of":
                coordinate_of(model, reference)
            elif element.key == "body" or element.ends == "body":
                if reference not in model.bodies:
                    raise ModelError(f'there is no body "{reference}". {nearest(reference, model.bodies)}')
                bodies.append(reference)
            else:
                bodies.append(point_of(model, reference)[0])
        except ModelError as error:
            yield ((*where, element.key), str(error))
    if len(set(bodies)) < len(bodies):
        yield ((*where, element.key), f'acts between "{bodies[0]}" and itself: it would do nothing')
    for option in element.options:
        value = force.options.get(option.name)
        if value is None and option.required:
            yield (where, f'"{option.name}" is missing: {option.meaning}')
        elif value is not None and option.holds == "direction" and not any(value):
            yield ((*where, option.name), f"{option.name} has zero length")
    if element.either and not set(element.either) & set(force.options):
        named = " nor ".join(f'"{name}"' for name in element.either)
        yield (where, f"neither {named} is given: it would do nothing")
    yield from _sizes(model, force, element)


def _sizes(model: Parts, force: Force, element: Element) -> Iterator[Found]:
    """The problems of sizes that depend on the motion, and of options that contradict each other."""
    where, of = ("force", force.name), holds_at(model, force.on[0]) if element.key == "of" else ""
    try:
        element.derive({**force.options, "of": of})
    except ModelError as error:
        yield (where, str(error))
    for option in element.options:
        law = force.options.get(option.name)
        if not isinstance(law, ColumnLaw):
            continue
        try:
            sizes = column_sizes(model)
            own = own_sizes(model, force)
            for name in own.keys() & sizes.keys():
                raise ModelError(f'"{name}" is the load\'s own coordinate here, and a measure too: rename the measure')
            law.judge({**sizes, **own}, model.units.own_sizes, model.units.column_size(measured(option, of)))
        except ModelError as error:
            yield ((*where, option.name), str(error))
