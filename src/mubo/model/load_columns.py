"""Which columns the size of a load may depend on, and their units."""

from __future__ import annotations

from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.model.coordinates import holds_at
from mubo.model.measures import in_order, quantities_with_measures
from mubo.model.parts import Force, Parts
from mubo.quantities.formula import Size, size_of

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
    for measure in in_order(model):  # one that is made of forces is known only after them
        if not moving.issuperset(measure.formula.names):
            moving -= {
                name for name, column in known.items() if (column.kind, column.owner) == ("measure", measure.name)
            }
    return {name: size_of(column.holds, column.order) for name, column in known.items() if name in moving}


def own_sizes(model: Parts, force: Force) -> dict[str, Size]:
    """The load's own coordinate and its rate, by the names that its law has for them."""
    element = loads_of(model.dimension)[force.kind]
    if not element.formula.own:
        return {}
    holds = "length" if element.ends == "point" else "angle"
    if element.key == "of":
        holds = holds_at(model, force.on[0]) or "angle"
    return {name: size_of(holds, order) for order, name in enumerate(element.formula.own)}
