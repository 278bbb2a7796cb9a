"""Columns of results for each part of a model: their names and the quantity in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mubo.elements import AMBIENTS, COORDINATES, loads_of
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model.coordinates import CENTER, JointDof, grounded, reported_dofs, size_holds, target_of
from mubo.model.parts import GROUND, STANDS_FOR, Joint, Parts


@dataclass(frozen=True)
class Column:
    """One column. `kind` is what its owner is: "time", "body", "point", "joint", "driver", "energy", "transmission",
    "reaction" (its owner is "A.on_crank"), "contact", "load", "shaking" …

    `quantity` is what it is the derivative of `order` of: "x" for "crank.vx" with order 1. `holds` is "length",
    "angle", "number", "time", "force", "torque", "energy" or "power"; of a measure also a product, "length^2 time^-1".
    """

    name: str
    kind: str
    owner: str
    quantity: str
    order: int = 0
    holds: str = "number"
    unique: bool = True  # False: a reaction that equilibrium alone does not determine

    @property
    def label(self) -> str:
        """The name without its owner: "vx" of "crank.vx"."""
        return self.name.removeprefix(f"{self.owner}.") if self.owner else self.name


TIME = Column("t", "time", "", "t", 0, "time")
ENERGIES = ("kinetic", "potential", "total", "dissipated", "supplied", "error")
# Each column with its label, the quantity it is a derivative of, the order of the derivative, and its kind.
_Words = tuple[tuple[str, str, int, str], ...]
_PLANE: _Words = tuple(
    (word, quantity, order, "angle" if quantity == "phi" else "length")
    for order, words in enumerate((AMBIENTS[2].pose, AMBIENTS[2].twist, ("ax", "ay", "alpha")))
    for quantity, word in zip(COORDINATES, words, strict=True)
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


MOST_OWNERS = 4096  # whose columns are described once and kept: a loop over variants asks for the same again and again


@lru_cache(MOST_OWNERS)
def body_columns(name: str, dimension: int) -> tuple[Column, ...]:
    """x, y, φ with their rates; in space place, quaternion, velocities and accelerations in ground axes."""
    return tuple(Column(f"{name}.{word}", "body", name, *rest) for word, *rest in BODY[dimension])  # type: ignore[arg-type]


@lru_cache(MOST_OWNERS)
def point_columns(name: str, dimension: int) -> tuple[Column, ...]:
    """x, y (and z), then velocities, then accelerations."""
    letters = "xyz"[:dimension]
    return tuple(
        Column(f"{name}.{prefix}{letter}", "point", name, letter, order, "length")
        for order, prefix in enumerate(("", "v", "a"))
        for letter in letters
    )


@lru_cache(3 * MOST_OWNERS)
def joint_columns(name: str, dofs: tuple[JointDof, ...], letter: str) -> tuple[Column, ...]:
    """Coordinates q, rates v or accelerations a of a joint: q, or q1, q2, … of several.

    Rates of a quaternion are an angular velocity: the derivative of no coordinate.
    """
    order = "qva".index(letter)
    parts = [(dof, holds) for dof in dofs for holds in (dof.v if order else dof.q)]
    out = []
    for k, (dof, holds) in enumerate(parts):
        number = "" if len(parts) == 1 else f"{k + 1}"
        spin = order > 0 and dof.kind == "ball" and not dof.euler
        quantity = f"turn {number}" if spin else f"q{number}"
        out.append(Column(f"{name}.{letter}{number}", "joint", name, quantity, order, holds))
    return tuple(out)


@lru_cache(MOST_OWNERS)
def driver_columns(name: str, holds: str, effort: bool = False) -> tuple[Column, ...]:
    """Value and rate of a driver, and the effort that it takes."""
    columns = [Column(f"{name}.{word}", "driver", name, "value", order, holds) for order, word in enumerate(DRIVER)]
    return (*columns, effort_columns(name, holds)[0]) if effort else tuple(columns)


def effort_columns(name: str, holds: str) -> list[Column]:
    """The force or torque of a driver along its coordinate, and the power that it supplies."""
    effort = Column(f"{name}.effort", "driver", name, "effort", 0, "torque" if holds == "angle" else "force")
    return [effort, Column(f"{name}.power", "driver", name, "power", 0, "power")]


def reaction_columns(joint: str, body: str, dimension: int, unique: Sequence[bool] = ()) -> list[Column]:
    """The reaction of the other bodies of a joint on one, ground axes, at the joint point; last the size of the force.

    `unique` states for each component whether equilibrium alone determines it; the size is unique if all forces are.
    """
    words = AMBIENTS[dimension].wrench
    known = [*(unique or (True,) * len(words))]
    known.append(all(known[:dimension]))
    return [
        Column(f"{joint}.on_{body}.{word}", "reaction", f"{joint}.on_{body}", word, 0, _of_wrench(word), one)
        for word, one in zip((*words, "f"), known, strict=True)
    ]


def contact_column(joint: str) -> Column:
    """The force between the surfaces of a coupling."""
    return Column(f"{joint}.force", "contact", joint, "force", 0, "force")


def friction_needed_column(joint: str) -> Column:
    """The coefficient of friction |T| / N that a rolling contact takes."""
    return Column(f"{joint}.friction_needed", "contact", joint, "friction_needed", 0, "number")


SIZES = {2: ("f",), 3: ("f", "m")}  # of the shaking force and moment: in the plane the moment is one number


def shaking_columns(dimension: int) -> list[Column]:
    """The shaking force and moment of the mechanism on the ground, about the origin; last the size of the force, and in
    space that of the moment."""
    words = (*AMBIENTS[dimension].wrench, *SIZES[dimension])
    return [Column(f"shaking.{word}", "shaking", "shaking", word, 0, _of_wrench(word)) for word in words]


def load_columns(name: str, holds: str) -> list[Column]:
    """The size of a load, a "force" or "torque" as `holds` states, and its power."""
    return [
        Column(f"{name}.{holds}", "load", name, holds, 0, holds),
        Column(f"{name}.power", "load", name, "power", 0, "power"),
    ]


def _of_wrench(word: str) -> str:
    return "torque" if word.startswith("m") else "force"


DRIVER = ("value", "rate")


def energy_column(word: str) -> Column:
    return Column(f"energy.{word}", "energy", "energy", word, 0, "energy")


def quantities_of(model: Parts) -> dict[str, Column]:
    """All columns that the studies of a model report, by name, without measures and transmission angles."""
    return {quantity.name: quantity for quantity in _all(model)}


def states_forces(model: Parts, names: Iterable[str]) -> bool:
    """Whether one of the columns, or the owner of some, is an effort, a reaction, a load or a shaking force."""
    efforts = (column for name, holds in _driven(model) for column in effort_columns(name, holds))
    forces = {name for column in (*_forces(model), *efforts) for name in (column.name, column.owner)}
    return any(name.partition(" [")[0] in forces - {*model.drivers} for name in names)


def _driven(model: Parts) -> Iterator[tuple[str, str]]:
    """Each driver with what its coordinate is."""
    for name, driver in model.drivers.items():
        try:
            yield name, target_of(model, driver.of).holds
        except ModelError:
            continue  # reported with the drivers


def _all(model: Parts) -> Iterator[Column]:
    yield TIME
    for name in model.bodies:
        if name != GROUND:
            yield from body_columns(name, model.dimension)
    for name in model.points:
        yield from point_columns(name, model.dimension)
    for name, body in model.bodies.items():
        if (body.weighs or body.center) and CENTER not in body.points:
            yield from point_columns(f"{name}.{CENTER}", model.dimension)
    for name, joint in model.joints.items():
        if joint.kind not in model.kinds:
            continue  # reported with the joints
        for letter in "qva":
            yield from joint_columns(name, reported_dofs(model, joint), letter)
    for name, holds in _driven(model):
        yield from driver_columns(name, holds)
        yield from effort_columns(name, holds)
    yield from (energy_column(word) for word in ENERGIES)
    yield from _forces(model)


def _forces(model: Parts) -> Iterator[Column]:
    """The forces of joints and loads that a run reports."""
    still = {*grounded(model)}
    for name, joint in model.joints.items():
        if joint.kind not in model.kinds:
            continue  # reported with the joints
        for body in _pushed(joint, still) if model.kinds[joint.kind].rows else ():
            yield from reaction_columns(name, body, model.dimension)
        if model.kinds[joint.kind].couples and not model.kinds[joint.kind].relates:
            yield contact_column(name)
        if model.kinds[joint.kind].contact:
            yield friction_needed_column(name)
    for name, force in model.forces.items():
        if force.kind in loads_of(model.dimension):
            yield from load_columns(name, size_holds(model, force))
    yield from shaking_columns(model.dimension)


def _pushed(joint: Joint, still: set[str]) -> list[str]:
    """The bodies whose reaction is tabulated: the second of two; if that one is fixed, also the first."""
    bodies = list(dict.fromkeys(reference.partition(".")[0] for reference in joint.between))
    return bodies if len(joint.between) != 2 or bodies[-1] in still else bodies[-1:]


def has_kept_contacts(model: Parts) -> bool:
    """Whether joints of the model are in the place of contacts."""
    return any(STANDS_FOR in joint.options for joint in model.joints.values())
