"""What a motion tells of each part of a model: names of columns, and what each holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mubo.errors import ModelError
from mubo.model.coordinates import Freedom, freedoms_of
from mubo.model.parts import GROUND
from mubo.model.targets import target_of

if TYPE_CHECKING:
    from mubo.model.model import Parts


class Quantity(NamedTuple):
    """A column before it has numbers: fields as in a `Column` of a result."""

    name: str
    kind: str
    owner: str
    quantity: str
    order: int = 0
    holds: str = "number"


TIME = Quantity("t", "time", "", "t", 0, "time")
ENERGIES = ("kinetic", "potential", "total", "dissipated", "supplied", "error")
# Of each column its word, what it is a derivative of, which derivative, and what it holds.
_Words = tuple[tuple[str, str, int, str], ...]
_PLANE: _Words = tuple(
    (word, quantity, order, "angle" if quantity == "phi" else "length")
    for order, words in enumerate((("x", "y", "phi"), ("vx", "vy", "omega"), ("ax", "ay", "alpha")))
    for quantity, word in zip(("x", "y", "phi"), words, strict=True)
)
_SPACE: _Words = (
    *((letter, letter, 0, "length") for letter in "xyz"),
    *((f"q{letter}", f"q{letter}", 0, "number") for letter in "wxyz"),
    *((f"v{letter}", letter, 1, "length") for letter in "xyz"),
    *((f"w{letter}", f"turn {letter}", 1, "angle") for letter in "xyz"),
    *((f"a{letter}", letter, 2, "length") for letter in "xyz"),
    *((f"alpha{letter}", f"turn {letter}", 2, "angle") for letter in "xyz"),
)
BODY: dict[int, _Words] = {2: _PLANE, 3: _SPACE}


def of_body(name: str, dimension: int) -> list[Quantity]:
    """x, y, φ with their rates; in space place, quaternion, velocities and accelerations in ground axes."""
    return [Quantity(f"{name}.{word}", "body", name, *rest) for word, *rest in BODY[dimension]]  # type: ignore[arg-type]


def of_point(name: str, dimension: int) -> list[Quantity]:
    """x, y (and z), then velocities, then accelerations."""
    letters = "xyz"[:dimension]
    return [
        Quantity(f"{name}.{prefix}{letter}", "point", name, letter, order, "length")
        for order, prefix in enumerate(("", "v", "a"))
        for letter in letters
    ]


def of_joint(name: str, freedoms: Sequence[Freedom], letter: str) -> list[Quantity]:
    """Coordinates q, rates v or accelerations a of a joint: q, or q1, q2, … of several.

    Rates of a quaternion are an angular velocity: the derivative of no coordinate.
    """
    order = "qva".index(letter)
    parts = [(freedom, holds) for freedom in freedoms for holds in (freedom.v if order else freedom.q)]
    out = []
    for k, (freedom, holds) in enumerate(parts):
        number = "" if len(parts) == 1 else f"{k + 1}"
        spin = order > 0 and freedom.kind == "ball" and not freedom.euler
        quantity = f"turn {number}" if spin else f"q{number}"
        out.append(Quantity(f"{name}.{letter}{number}", "joint", name, quantity, order, holds))
    return out


def of_driver(name: str, holds: str) -> list[Quantity]:
    """Value and rate of a driver."""
    return [Quantity(f"{name}.{word}", "driver", name, "value", order, holds) for order, word in enumerate(DRIVER)]


DRIVER = ("value", "rate")


def effort_of(name: str, holds: str) -> Quantity:
    """What a driver puts in."""
    return Quantity(f"{name}.effort", "driver", name, "effort", 0, "torque" if holds == "angle" else "force")


def of_energy(word: str) -> Quantity:
    return Quantity(f"energy.{word}", "energy", "energy", word, 0, "energy")


def planar_freedom(model: Parts, name: str) -> Freedom | None:
    """The one coordinate that a planar joint of two ends has in tables; None where it has none."""
    joint = model.joints[name]
    coordinate = model.kinds[joint.kind].coordinate if joint.kind in model.kinds else ""
    if not coordinate or len(joint.between) != 2:
        return None
    return Freedom("turn" if coordinate == "angle" else coordinate)


def quantities_of(model: Parts) -> dict[str, Quantity]:
    """Everything that some study tells of the model, by name; measures and transmission angles aside."""
    return {quantity.name: quantity for quantity in _all(model)}


def _all(model: Parts) -> Iterator[Quantity]:
    yield TIME
    for name in model.bodies:
        if name != GROUND:
            yield from of_body(name, model.dimension)
    for name in model.points:
        yield from of_point(name, model.dimension)
    for name, joint in model.joints.items():
        if joint.kind not in model.kinds:
            continue  # reported with the joints
        one = planar_freedom(model, name)
        freedoms = freedoms_of(model, joint) if model.dimension == 3 else (one,) if one else ()
        for letter in "qva":
            yield from of_joint(name, freedoms, letter)
    for name, driver in model.drivers.items():
        try:
            holds = target_of(model, driver.of).holds
        except ModelError:
            continue  # reported with the drivers
        yield from (*of_driver(name, holds), effort_of(name, holds))
    yield from (of_energy(word) for word in ENERGIES)
