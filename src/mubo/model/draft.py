"""A model that may still change: its parts by name, and the frozen definition of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

from mubo.arrays import Vector
from mubo.docstrings import documented
from mubo.elements import Element, joints_of
from mubo.errors import ModelError, nearest
from mubo.model.definition import FIELDS, ONE, PARTS, PLAIN, TABLES, ModelDefinition, ground_of
from mubo.model.dependence import Place, numbers_in, parts_of
from mubo.model.options import read_vector
from mubo.model.parts import (
    GROUND,
    Analysis,
    Body,
    Detail,
    Driver,
    EventDefinition,
    Force,
    Initial,
    InitialBody,
    Joint,
    Measure,
    Origin,
    Point,
)
from mubo.quantities.parameters import Parameters
from mubo.quantities.units import Units

if TYPE_CHECKING:
    from mubo.model.objectives import Objective
    from mubo.model.optimization import Optimization
    from mubo.model.tolerances import Tolerance

# Values of fields as a tuple, from a dictionary of them: every question compares and copies all of them.
_plain_fields, _parts, _all_fields = itemgetter(*PLAIN), itemgetter(*PARTS), itemgetter(*FIELDS)


class ModelDraft:
    """Parts by name that may still change, each a dictionary of the name that `ModelDefinition` has for it."""

    targets = None  # a model that may still change keeps none

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Offer the right word for a wrong one."""
            hint = "" if name.startswith("_") else f" {nearest(name, [one for one in dir(self) if one[0] != '_'])}"
            raise AttributeError(f'a model has no "{name}".{hint}', name=name, obj=self)

    def __init__(
        self,
        name: str = "mechanism",
        units: Units | Mapping[str, str] | str | None = None,
        dimension: int = 2,
        gravity: Sequence[float] | None = None,
    ) -> None:
        if dimension not in (2, 3):
            raise ModelError(f"the dimension is 2 or 3; found {dimension!r}")
        self.name = name
        self.units = units if isinstance(units, Units) else Units.declare(units or {})
        self.dimension = dimension
        self.gravity = None if gravity is None else read_vector(self.units, gravity, "length/time^2", dimension)
        self.bodies: dict[str, Body] = {GROUND: ground_of(dimension)}
        self.joints: dict[str, Joint] = {}
        self.drivers: dict[str, Driver] = {}
        self.points: dict[str, Point] = {}
        self.forces: dict[str, Force] = {}
        self.measures: dict[str, Measure] = {}
        self.objectives: dict[str, Objective] = {}
        self.initial_joints: dict[str, Initial] = {}
        self.initial_bodies: dict[str, InitialBody] = {}
        self.events: dict[str, EventDefinition] = {}
        self.tolerances: dict[str, Tolerance] = {}
        self.pins: dict[str, Detail] = {}
        self.sections: dict[str, Detail] = {}
        self.struts: dict[str, Detail] = {}
        self.materials: dict[str, Detail] = {}
        self.outlines: dict[str, Detail] = {}
        self.keepouts: dict[str, Detail] = {}
        self.surfaces: dict[str, Detail] = {}
        self.contacts: dict[str, Detail] = {}
        self.subject: Detail | None = None
        self.analysis: Analysis | None = None
        self.optimization: Optimization | None = None
        self.origin: Origin | None = None
        self.source = ""  # the file it came from, for messages
        self._built: ModelDefinition | None = None

    @classmethod
    @documented(definition="Frozen definition to begin with.", returns="A model that may be changed.")
    def from_definition(cls, definition: ModelDefinition) -> Self:
        """Begins a draft with the parts of a frozen definition.

        >>> frozen = mubo.load("four_bar.toml").build()
        >>> mubo.Model.from_definition(frozen) == mubo.load("four_bar.toml")
        True
        """
        new = cls.__new__(cls)
        new._take_over(definition)
        return new

    def _take_over(self, definition: ModelDefinition) -> None:
        """Replaces all parts by those of a frozen definition."""
        here, built = self.__dict__, definition.__dict__
        here.update(zip(PLAIN, _plain_fields(built), strict=True))
        here.update(zip(PARTS, map(dict, _parts(built)), strict=True))
        self._built = definition

    @documented(returns="The frozen definition of the model as it is now.")
    def build(self) -> ModelDefinition:
        """Freezes the model as it is now; the same definition as before where nothing has changed.

        >>> model = mubo.load("four_bar.toml")
        >>> model.build() is model.build()
        True
        """
        here, built = _all_fields(self.__dict__), self._built
        if built is None or here != _all_fields(built.__dict__) or self._has_other_expressions(built):
            self._built = built = ModelDefinition(**dict(zip(FIELDS, here, strict=True)))
        return built

    def _has_other_expressions(self, built: ModelDefinition) -> bool:
        """Whether other numbers follow from parameters than before: 0.12 and "3*a" may have the same value."""
        if not self.units.parameters:
            return False
        parts = parts_of(self, TABLES)
        now = {place: number.text for where, part in parts for place, number in numbers_in(part, where)}
        return now != built.expressions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelDraft) and self.build() == other.build()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.build())

    @documented(
        what='Point of a body, point of interest, option or driver to change, such as "coupler.B".',
        value="Its new value, in the model's units or text with a unit.",
        parameters="New values of parameters, by name.",
        returns="Another model; this one is not changed.",
    )
    def replace(self, what: str = "", value: Any = None, /, **parameters: Any) -> Self:
        """Returns another model with one thing changed: "coupler.B" (a point of a body), a point of interest, an
        option; or with other values of parameters, which every number that depends on them follows.

        >>> model = mubo.load("four_bar.toml")
        >>> model.replace("coupler.B", (-2.1, 0)).bodies["coupler"].points["B"]
        (-2.1, 0.0)
        """
        return type(self).from_definition(self.build().replace(what, value, **parameters))

    @documented(returns="A model with the same parts.")
    def copy(self) -> Self:
        """Returns the same parts in another model, to try something without changing this one.

        >>> mubo.load("four_bar.toml").copy().name
        'four bar'
        """
        return type(self).from_definition(self.build())

    @property
    def kinds(self) -> Mapping[str, Element]:
        """The joints that this model may have, by type.

        Examples
        --------
        >>> mubo.Model("bench").kinds["gears"].summary
        'two wheels that turn in the ratio of their radii, also on a moving carrier'
        """
        return joints_of(self.dimension)

    @documented(
        value="Two coordinates, in space three; numbers or text with a unit.",
        returns="The coordinates in the model's unit of length.",
    )
    def vector(self, value: Any) -> Vector:
        """Reads the coordinates of a place, in the model's unit of length.

        >>> mubo.Model("bench").vector(("20 mm", 1))
        (0.02, 1.0)
        """
        return read_vector(self.units, value, "length", self.dimension)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes of the reader of the model's file: what it decided, and what it left out.

        Examples
        --------
        >>> mubo.load("four_bar.toml").notes
        ()
        """
        return () if self.origin is None else (*self.origin.notes, *self.origin.file_notes)

    @property
    def parameters(self) -> Parameters:
        """The named numbers on which others may depend.

        Examples
        --------
        >>> model = mubo.Model("bench")
        >>> model.parameter("a", 0.04)
        >>> list(model.parameters)
        ['a']
        """
        return self.units.parameters

    @documented(
        parameter="Name of the parameter.",
        returns='Derivatives by place, such as ("body", "coupler", "points", "C", "0"), per unit of the parameter.',
        raises={"ModelError": "If there is no such parameter."},
    )
    def derivatives(self, parameter: str) -> dict[Place, float]:
        """Returns the exact derivative of every number with respect to a parameter, by its place, where it is not zero.

        >>> mubo.load("parameters.toml").derivatives("a")["body", "coupler", "points", "C", "0"]
        3.0
        """
        return self.build().derivatives(parameter)

    @documented(
        name="Name of the parameter.",
        value='Number, text with a unit such as "20 deg", or an expression of parameters named before.',
        raises={"ModelError": "If the name is used already."},
    )
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
        from mubo.model.read_parameters import with_parameters

        if name in self.parameters:
            raise ModelError(f'parameter "{name}" is there already', names=[name])
        self.units = with_parameters(self.units, {name: value})

    @documented(
        name="Name of a parameter, or of a joint for a clearance.",
        size='Half the width within which the parameter lies, such as "0.05 mm" or "0.5 %".',
        spread='Distribution: "normal", three sigma at the limit, or "uniform".',
        clearance="Radial clearance of the pin of a joint, in the model's unit of length.",
    )
    def set_tolerance(self, name: str, size: Any = None, *, spread: str = "normal", clearance: Any = None) -> None:
        """How far a parameter may be off, to both sides: "0.05 mm", a number in its unit, or "0.5 %"; spread "normal"
        (three sigma at the limit) or "uniform". Of a joint, `clearance` is the radial room of its pin.

        >>> model = mubo.load("parameters.toml")
        >>> model.set_tolerance("a", 0.0001)
        >>> model.set_tolerance("B", clearance="0.02 mm")
        >>> model.tolerances["B"].size
        2e-05
        """
        from mubo.model.tolerances import read_tolerance

        given = {"clearance": clearance} if clearance is not None else {"size": size, "spread": spread}
        self._add("tolerances", read_tolerance(self.build(), name, given))

    def _place_points(
        self, points: Mapping[str, Vector], figure: Mapping[str, Any]
    ) -> tuple[dict[str, Vector], dict[str, Any]]:
        """Return the points with those that a figure of lengths and angles places, and the figure to keep for files."""
        from mubo.geometry.points_from_lengths import kept_figure, with_figure

        return with_figure(self.units, self.dimension, points, figure), kept_figure(self.units, figure, points)

    def _add(self, field: str, part: Any) -> None:
        """Adds a part under its name to one of the fields; refuses a name that is there."""
        parts: dict[str, Any] = getattr(self, field)
        if part.name in parts:
            raise ModelError(f'{ONE[field]} "{part.name}" is there already', names=[part.name])
        parts[part.name] = part


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Puts the element, such as "joint A", before the message of an error."""
    try:
        yield
    except ModelError as error:
        raise ModelError(f"{what}: {error}", names=what.split()[1:]) from None
