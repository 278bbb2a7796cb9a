"""The loads of a mechanism by name: the core's formula of every force, its points of action, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.elements import Element, Option, loads_of
from mubo.errors import ModelError
from mubo.laws import Law
from mubo.laws.scaled import ScaledLaw
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.frames import PLACE
from mubo.model import Force, ModelDefinition
from mubo.model.column_laws import ColumnLaw
from mubo.model.coordinates import coordinate_of, holds_at, point_of, size_holds
from mubo.model.options import measured
from mubo.model.parts import Vector
from mubo.note import Note

if TYPE_CHECKING:
    from mubo.mechanism.transmission_friction import TransmissionFriction

# How a form carries numbers over to its own axes: a place or direction fixed in the body, or numbers as they are; what
# smooths a jump is left out where the motion is prescribed.
TURNED, PLAIN, SMOOTHING = "turned", "plain", "smoothing"  # and PLACE
POINTS = {"point": 0, "point_i": 0, "point_j": 1}  # the end that a quantity is the place of
TURNED_WITH = {"body": 0, "first": 0, "second": 1}  # the end with whose body a direction turns, by the word for axes


Number = tuple[str, int, tuple[float, ...]]  # how it is carried over, the end whose axes it stands in, its values
# Formulas of the core that act along a coordinate, and those that have a law.
KINDS = {2: _core.plane_loads(), 3: _core.space_loads()}
FOLLOWS = {name for kinds in KINDS.values() for name, along, *_ in kinds if along}
WITH_LAW = {name for kinds in KINDS.values() for name, _, _, has_law, *_ in kinds if has_law}


@dataclass(frozen=True)
class ReactionFriction:
    """Friction from the reaction of a joint: its size is μ r |R| of a pin, μ |N| of a guide or slot."""

    joint: str
    coefficient: float
    radius: float | None  # of the pin; None for a slide
    transmission: TransmissionFriction | None = None  # of a thread or mesh, with a law of its own

    @property
    def factor(self) -> float:
        """Factor of the reaction: μ r of a pin, μ of a guide or slot; of a transmission that of |L| where it drives."""
        if self.transmission is not None:
            return self.transmission.driving
        return self.coefficient * (self.radius or 1.0)


@dataclass(frozen=True)
class NamedLoad:
    """A force of the model by a formula of the core.

    It acts along the `coordinate` (joint and number) of a joint, along the distance of two `ends` or the turn of their
    bodies, on the body of one end, or on the pair of two. Ends are body and point, in body axes.
    """

    name: str
    formula: str
    along: Along
    ends: tuple[tuple[str, Vector], ...]
    numbers: tuple[Number, ...]
    law: Law | ColumnLaw | None = None
    coordinate: tuple[str, int] | None = None
    holds: str = "force"  # what its size is, "force" or "torque"
    pulls: bool = False  # its size is positive where it pulls its ends together
    own: tuple[str, ...] = ()  # what its law calls the load's own coordinate and its rate
    reaction_friction: ReactionFriction | None = None
    in_space: tuple[float, ...] = ()  # numbers that it has in space besides
    static_ratio: float = 1.0  # static over kinetic friction

    @property
    def sticks(self) -> bool:
        """Whether it is friction without a speed to smooth it: a simulation locates its stick and slip."""
        smoothing = [values for how, _, values in self.numbers if how == SMOOTHING]
        return bool(smoothing) and not any(map(any, smoothing)) and (self.law is not None or self.state_dependent)

    @property
    def has_law(self) -> bool:
        """Whether its formula has a law; without one it is zero, or follows from a reaction."""
        return self.formula in WITH_LAW

    @property
    def state_dependent(self) -> bool:
        """Whether the motion or a reaction determines its size."""
        return self.reaction_friction is not None or isinstance(self.law, ColumnLaw)

    def law_of_time(self) -> Law | None:
        """Law of the load where it is one of time alone, as Wittenburg's equations need it."""
        if self.reaction_friction is not None:
            raise ModelError(
                f"force {self.name}: Wittenburg's equations do not know the reaction of joint "
                f"{self.reaction_friction.joint}, on which this friction depends",
                names=[self.name],
                suggestion='Use --formulation tree, or give the size of the friction as "effort".',
            )
        if isinstance(self.law, ColumnLaw):
            raise ModelError(
                f"force {self.name}: its size depends on the motion ({self.law.description}); Wittenburg's "
                "equations take laws of time only",
                names=[self.name],
                suggestion="Use --formulation tree, or springs, dampers and stops, which depend on their coordinate.",
            )
        return self.law


def named_loads(model: ModelDefinition) -> Iterator[NamedLoad]:
    """Every force of a model, in the order in which it was written."""
    for force in model.forces.values():
        element = loads_of(model.dimension)[force.kind]
        formula = element.formula
        coordinate, ends = None, tuple(_end(model, element, reference) for reference in force.on)
        if element.key == "of":
            joint, number = coordinate_of(model, force.on[0])
            coordinate, ends = (joint.name, number), ()
        yield NamedLoad(
            force.name,
            formula.name,
            _along(element),
            ends,
            tuple(_numbers(force, element, ends)),
            _law_in_own_units(model, force, formula.law),
            coordinate,
            size_holds(model, force),
            formula.pulls,
            formula.own,
            _reaction_friction(model, force, coordinate),
            formula.in_space,
            float(force.options.get("static_ratio") or 1.0),
        )


def _law_in_own_units(model: ModelDefinition, force: Force, option: str) -> Law | ColumnLaw | None:
    """The law of a load in coherent units; one of time is written in the unit of its quantity."""
    law: Law | ColumnLaw | None = force.options.get(option)
    factor = model.units.factor(size_holds(model, force))
    return ScaledLaw(law, factor) if isinstance(law, Law) and factor != 1.0 else law


def _reaction_friction(
    model: ModelDefinition, force: Force, coordinate: tuple[str, int] | None
) -> ReactionFriction | None:
    if coordinate is None or not {"coulomb", "efficiency"} & {k for k, v in force.options.items() if v is not None}:
        return None
    if _on_transmission(model, force, coordinate[0]):
        from mubo.mechanism.transmission_friction import transmission_of

        transmission = transmission_of(model, force)
        return ReactionFriction(transmission.owner, 0.0, None, transmission)
    return ReactionFriction(coordinate[0], force.options["coulomb"], force.options.get("radius"))


def _on_transmission(model: ModelDefinition, force: Force, joint: str) -> bool:
    """Whether a friction is that of a thread or of teeth."""
    given = {key for key in ("mesh", "efficiency") if force.options.get(key) is not None}
    return bool(given) or ("lead" in model.joints[joint].options and force.options.get("coulomb") is not None)


def load_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on loads of a model that are unusual, and yet allowed, and on the efficiency of threads and meshes."""
    for force in model.forces.values():
        for option in loads_of(model.dimension)[force.kind].options:
            value = force.options.get(option.name)
            if option.usual_least is not None and value is not None and value < option.usual_least:
                factor, unit, _ = model.units.unit(measured(option, _coordinate_holds(model, force)))
                what = {"option": option.name, "value": value / factor, "unit": unit}
                yield Note("mechanism.destabilises", force=force.name, **what)
        smooths = loads_of(model.dimension)[force.kind].formula.smooths
        if smooths and _on_transmission(model, force, coordinate_of(model, force.on[0])[0].name):
            from mubo.mechanism.transmission_friction import transmission_note

            yield transmission_note(model, force)


def _coordinate_holds(model: ModelDefinition, force: Force) -> str:
    return holds_at(model, force.on[0]) if loads_of(model.dimension)[force.kind].key == "of" else ""


def _along(element: Element) -> Along:
    """Kind of action of a load by its declaration; the formulation knows the degree of freedom of a joint."""
    if element.key == "of":
        return Along.dof
    if element.key != "between":
        return Along.body
    if element.formula.name not in FOLLOWS:
        return Along.pair
    return Along.distance if element.ends == "point" else Along.turn


def _end(model: ModelDefinition, element: Element, reference: str) -> tuple[str, Vector]:
    if element.key in ("of", "body") or element.ends == "body":
        return reference, (0.0,) * model.dimension
    return point_of(model, reference)


def _numbers(force: Force, element: Element, ends: tuple[tuple[str, Vector], ...]) -> Iterator[Number]:
    """Numbers of the core's formula."""
    options = {option.name: option for option in element.options}
    derived = element.derive(force.options)
    for name in element.formula.quantities:
        if name in POINTS:
            yield PLACE, POINTS[name], ends[POINTS[name]][1]
        elif name in derived:
            yield PLAIN, 0, tuple(derived[name])
        elif name == element.formula.smooths:
            yield SMOOTHING, 0, (float(force.options.get(name, options[name].default)),)
        else:
            axes = options.get("axes")
            turned = TURNED_WITH.get(force.options.get("axes", axes.default)) if axes else None
            value = force.options.get(name, options[name].default)
            if options[name].holds == "vector":
                yield PLAIN, 0, tuple(float(x) for x in value or (0.0,) * len(ends[0][1]))
                continue
            yield _number(options[name], value, turned)


def _number(option: Option, value: Any, turned: int | None) -> Number:
    if option.holds == "direction":
        direction = np.array(value) / np.linalg.norm(value)
        carried = PLAIN if turned is None else TURNED
        return carried, turned or 0, tuple(float(x) for x in direction)
    return PLAIN, 0, (float(option.holds.index(value) if isinstance(option.holds, tuple) else value),)
