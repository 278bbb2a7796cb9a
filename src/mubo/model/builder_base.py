"""A model that grows, as far as it is read: its parts by name, and the frozen model of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from mubo.elements import Element, joints_of
from mubo.errors import ModelError
from mubo.model.definition import PARTS, PLAIN, TABLES, ModelDefinition
from mubo.model.dependence import Place, numbers_in, parts_of
from mubo.model.measures import Measure
from mubo.model.objectives import Objective
from mubo.model.optimization import Optimization
from mubo.model.options import read_vector
from mubo.model.parts import Analysis, Body, Driver, Force, Initial, InitialBody, Joint, Origin, Point, Vector, Watch
from mubo.model.read_parameters import with_parameters
from mubo.model.tolerances import Tolerance, read_tolerance
from mubo.quantities.parameters import Parameters
from mubo.quantities.units import Units

_Part = TypeVar("_Part", Body, Joint, Driver, Point, Force, Measure, Objective, Watch, Tolerance)


class Growing:
    """Parts by name that may still change, each a dictionary of the name that `Model` has for it."""

    name: str
    units: Units
    dimension: int
    bodies: dict[str, Body]
    joints: dict[str, Joint]
    drivers: dict[str, Driver]
    points: dict[str, Point]
    forces: dict[str, Force]
    measures: dict[str, Measure]
    objectives: dict[str, Objective]
    initial: dict[str, Initial]  # by joint
    initial_bodies: dict[str, InitialBody]
    events: dict[str, Watch]
    analysis: Analysis | None
    optimization: Optimization | None
    origin: Origin | None
    source: str  # the file it came from, for messages
    tolerances: dict[str, Tolerance]
    _built: ModelDefinition | None

    def build(self) -> ModelDefinition:
        """The model as it is now, frozen; the same one as before where nothing has changed.

        >>> model = mubo.load("four_bar.toml")
        >>> model.build() is model.build()
        True
        """
        fields = {name: getattr(self, name) for name in (*PLAIN, *PARTS)}
        same = self._built is not None and all(getattr(self._built, name) == value for name, value in fields.items())
        if self._built is None or not same or self._tied(self._built):
            self._built = ModelDefinition(**fields)
        return self._built

    def _tied(self, built: ModelDefinition) -> bool:
        """Whether other numbers are made of parameters than before: 0.12 and "3*a" may be worth the same."""
        if not self.units.parameters:
            return False
        now = {
            place: number.text for where, part in parts_of(self, TABLES) for place, number in numbers_in(part, where)
        }
        return now != built.expressions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Growing) and self.build() == other.build()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.build())

    @property
    def kinds(self) -> Mapping[str, Element]:
        """The joints that this model may have, by type.

        >>> mubo.Model("bench").kinds["gears"].summary
        'two wheels that turn in the ratio of their radii, also on a moving carrier'
        """
        return joints_of(self.dimension)

    def vector(self, value: Any) -> Vector:
        """Numbers of a place, in the model's unit of length.

        >>> mubo.Model("bench").vector(("20 mm", 1))
        (0.02, 1.0)
        """
        return read_vector(self.units, value, "length", self.dimension)

    @property
    def parameters(self) -> Parameters:
        """The named numbers that others may be made of.

        >>> model = mubo.Model("bench")
        >>> model.parameter("a", 0.04)
        >>> list(model.parameters)
        ['a']
        """
        return self.units.parameters

    def slopes(self, parameter: str) -> dict[Place, float]:
        """The exact derivative of every number with respect to a parameter, by its place, where it is not zero.

        >>> mubo.load("parameters.toml").slopes("a")["body", "coupler", "points", "C", "0"]
        3.0
        """
        return self.build().slopes(parameter)

    def parameter(self, name: str, value: float | str) -> None:
        """Names a number, which may then stand in expressions wherever a number may: a number, text with a unit such
        as "20 deg", or an expression of parameters named before.

        >>> model = mubo.Model("bench")
        >>> model.parameter("a", 0.04)
        >>> model.parameter("b", "3*a")
        >>> link = model.body("link", points={"A": (0, 0), "B": ("b", 0)})
        >>> model.replace(a=0.05).bodies["link"].points["B"]
        (0.15000000000000002, 0.0)
        """
        if name in self.parameters:
            raise ModelError(f'parameter "{name}" is there already', names=[name])
        self.units = with_parameters(self.units, {name: value})

    def allow(self, name: str, size: Any = None, *, spread: str = "normal", clearance: Any = None) -> None:
        """How far a parameter may be off, to both sides: "0.05 mm", a number in its unit, or "0.5 %"; spread "normal"
        (three sigma at the limit) or "uniform". Of a joint, `clearance` is the radial room of its pin.

        >>> model = mubo.load("parameters.toml")
        >>> model.allow("a", 0.0001)
        >>> model.allow("B", clearance="0.02 mm")
        >>> model.tolerances["B"].size
        2e-05
        """
        given = {"clearance": clearance} if clearance is not None else {"size": size, "spread": spread}
        self._add(self.tolerances, read_tolerance(self.build(), name, given))

    def _add(self, parts: dict[str, _Part], part: _Part) -> None:
        if part.name in parts:
            raise ModelError(f'{type(part).__name__.lower()} "{part.name}" is there already', names=[part.name])
        parts[part.name] = part


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Says of which element an error is."""
    try:
        yield
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None
