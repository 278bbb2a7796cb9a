"""Tables of model files for the design of parts, beside joints and forces, and the segments of the human body.

A detail belongs to a joint ([pin.A]), to a body ([section.coupler], [outline.coupler]), or has a name of its own
([material.steel], [keepout.wall]). It does not change the motion: `mubo strength` reads it. [subject] stands once: the
mass of segments of the body follows from it.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from mubo.elements.declare import Option
from mubo.lazy_dataclass import dataclass
from mubo.mappings import Registry

if TYPE_CHECKING:
    from mubo.elements.anthropometry import Anthropometry


ANTHROPOMETRIES: Registry[Anthropometry] = Registry(
    {name: f"mubo.elements.anthropometry:{name.upper()}" for name in ("winter", "de_leva_male", "de_leva_female")}
)
PINNED, ROLLING = ("plain", "ball", "roller"), ("ball", "roller")


@dataclass(frozen=True)
class TableSchema:
    """A table of the model file: its name, the part of the model that holds it, and what its entries belong to.

    `of` is "joint", "body", "driver" or empty. Of the groups of `either` exactly one is given, and whole. A `single`
    table is written once, [subject]; of others there is one for every name, [pin.A].
    """

    name: str
    part: str
    of: str
    options: tuple[Option, ...]
    summary: str
    either: tuple[tuple[str, ...], ...] = ()
    single: bool = False

    @property
    def keys(self) -> dict[str, Option]:
        """Its options by name."""
        return {option.name: option for option in self.options}

    @property
    def sentences(self) -> dict[str, str]:
        """The meaning of every key as a sentence, with the kind of quantity that it is."""
        kinds = {option.name: f" ({option.measures})" * (option.measures != "number") for option in self.options}
        return {o.name: f"{o.meaning[:1].upper()}{o.meaning[1:]}{kinds[o.name]}." for o in self.options}

    def missing(self, given: Container[str]) -> list[str]:
        """A message for every required key that is not given."""
        needed = (option for option in self.options if option.required and option.name not in given)
        return [f'"{option.name}" is missing: {option.meaning}' for option in needed]


def _optional(
    name: str, holds: str | tuple[str, ...], meaning: str, measures: str = "number", **more: object
) -> Option:
    return Option(name, holds, meaning, required=False, measures=measures, **more)  # type: ignore[arg-type]


def _size(name: str, meaning: str, required: bool = False) -> Option:
    return Option(name, "length", meaning, required=required, positive=True, example=0.02)


SAFETY = _optional("safety", "number", "safety factor asked for", positive=True, example=1.5)
LENGTH_FACTOR = _optional(
    "length_factor", "number", "effective length for buckling over the length", positive=True, example=1.0
)
MATERIAL_OF = _optional("material", "material", "name of a material, or a table with its numbers", example="steel")

PIN = TableSchema(
    "pin",
    "pins",
    "joint",
    (
        _size("diameter", "diameter of the pin", required=True),
        _size("width", "width of the bearing along the pin", required=True),
        _optional("shear", ("single", "double"), "number of planes in which the pin is sheared", example="double"),
        _optional("bearing", PINNED, "kind of bearing that turns on the pin", example="plain"),
        _optional("rating", "number", "dynamic load rating C of a rolling bearing", "force", positive=True),
        _optional("static_rating", "number", "static load rating C0 of a rolling bearing", "force", positive=True),
        _optional("life", "number", "life asked of a rolling bearing", "time", positive=True),
        _optional("pressure", "number", "largest bearing pressure allowed", "stress", positive=True),
        _optional("speed", "number", "largest sliding speed allowed", "length/time", positive=True),
        _optional("pv", "number", "largest product of pressure and sliding speed", "stress*length/time", positive=True),
        MATERIAL_OF,
        SAFETY,
    ),
    "size, bearing and limits of a pin",
)
SECTION = TableSchema(
    "section",
    "sections",
    "body",
    (
        _optional("shape", ("rectangle", "round", "tube", "I"), "shape of the section", example="rectangle"),
        _size("height", "height in the plane of motion"),
        _size("width", "width across the plane of motion"),
        _size("diameter", "outer diameter of a round section or a tube"),
        _size("thickness", "wall thickness of a tube"),
        _size("web", "thickness of the web of an I section"),
        _size("flange", "thickness of the flanges of an I section"),
        _optional("area", "number", "area of the section", "length^2", positive=True),
        _optional("modulus", "number", "section modulus W for bending in the plane", "length^3", positive=True),
        _optional(
            "second_moment", "number", "second moment of area I for bending in the plane", "length^4", positive=True
        ),
        _optional(
            "weak_second_moment",
            "number",
            "second moment of area I for bending across the plane",
            "length^4",
            positive=True,
        ),
        MATERIAL_OF,
        _optional("along", "names", "points of the body that the beam goes through, in turn", example=("A", "B")),
        _optional("lugs", "names", "points beside the beam whose load a stiff lug leads to it"),
        _optional("torque_at", "text", "point at which torques on the body enter the beam"),
        _optional("upright", "place", "direction of the height in body axes, in space", example=(0, 0, 1), dimension=3),
        _optional("notch", "number", "fatigue notch factor", least=1.0, example=1.5),
        _optional("life", "number", "life asked for under the cycles of stress", "time", positive=True),
        LENGTH_FACTOR,
        SAFETY,
    ),
    "section of a body that is a beam",
)
MATERIAL = TableSchema(
    "material",
    "materials",
    "",
    (
        Option("yield", "number", "yield stress", positive=True, measures="stress", example=250e6),
        _optional("E", "number", "modulus of elasticity", "stress", positive=True, example=210e9),
        _optional("density", "number", "mass per volume", "mass/length^3", positive=True, example=7850),
        _optional("ultimate", "number", "tensile strength", "stress", positive=True, example=400e6),
        _optional("fatigue", "number", "fatigue limit: amplitude of fully reversed stress", "stress", positive=True),
        _optional("fatigue_cycles", "number", "cycles endured at the fatigue limit", positive=True, example=2e6),
        _optional("fatigue_slope", "number", "k of endured cycles N ~ amplitude^-k", positive=True, example=5),
    ),
    "strength of a material",
)
OUTLINE = TableSchema(
    "outline",
    "outlines",
    "body",
    (
        _optional("polygon", "polygon", "corners in the axes of the body", example=((0, 0), (1, 0), (0, 1))),
        _optional("file", "text", "drawing, .dxf, whose closed contour is the polygon", example="crank.dxf"),
        _optional("drawn_in", "text", "layer of the drawing; that of the name of the body if left out", example="0"),
        _optional("radius", "length", "distance by which the outline goes beyond its points", least=0.0, example=0.03),
        _optional("layer", "number", "layer of the body; bodies of different layers pass each other", example=1),
        _size("thickness", "thickness of the plate that the body is cut of"),
        MATERIAL_OF,
    ),
    "outline of a body, for its swept area and clearances, and as a part to cut",
)
KEEPOUT = TableSchema(
    "keepout",
    "keepouts",
    "",
    (
        _optional("polygon", "polygon", "corners in ground axes", example=((0, 0), (1, 0), (0, 1))),
        _optional("center", "place", "centre of a circle", example=(0, 0)),
        _size("radius", "radius of a circle"),
        _optional("clearance", "length", "least distance asked for", least=0.0, example=0.01),
        _optional("bodies", "names", "bodies that must keep out; all that move if left out"),
    ),
    "area that bodies must keep out of",
    (("polygon",), ("center", "radius")),
)
STRUT = TableSchema(
    "strut",
    "struts",
    "driver",
    (
        _size("diameter", "diameter of the rod", required=True),
        _size("inner", "inner diameter of a hollow rod"),
        MATERIAL_OF,
        LENGTH_FACTOR,
        SAFETY,
    ),
    "rod of a ram or spindle, a driver between two points, as a column that may buckle",
)
DESIGN_TABLES = (PIN, SECTION, STRUT, MATERIAL, OUTLINE, KEEPOUT)
SUBJECT = TableSchema(
    "subject",
    "subject",
    "",
    (
        Option("mass", "number", "mass of the whole body", positive=True, measures="mass", example=70),
        Option("height", "length", "standing height", positive=True, required=False, example=1.75),
        _optional("table", tuple(ANTHROPOMETRIES), "anthropometric table that segments follow", example="winter"),
    ),
    "the person from whom the segments of the body follow",
    single=True,
)
PART_TABLES: tuple[str, ...] = (
    "parameters",
    "body",
    "joint",
    "driver",
    "force",
    "point",
    "measure",
    "initial",
    "event",
)
PART_TABLES += ("pin", "section", "strut", "outline", "material", "keepout")
PART = TableSchema(
    "part",
    "",
    "",
    (
        _optional("file", "text", "model file of any kind, beside this one, that is the part", example="leg.toml"),
        *(_optional(name, "table", f"[{name}.NAME] of the part") for name in PART_TABLES),
    ),
    "a submechanism that is used several times: a model file, or tables below it such as [part.leg.body.crank]",
)
USE = TableSchema(
    "use",
    "",
    "",
    (
        Option("part", "text", "the part that is placed here", example="leg"),
        _optional("position", "place", "place of the part's ground", example=[0.2, 0]),
        _optional("angle", "angle", "angle of the part's ground, in the plane", example="180 deg", dimension=2),
        _optional("on", "text", "body that carries it; the ground if left out", example="chassis"),
        _optional(
            "mirror",
            "boolean",
            "reflect the part at the x axis of its ground, in the plane",
            example=True,
            default=False,
        ),
        _optional(
            "same", "texts_by_name", "bodies of the part that are bodies of the machine", example={"crank": "shaft"}
        ),
        _optional(
            "phase",
            "angle",
            "angle by which its drivers, or its points on bodies in common, are ahead",
            example="120 deg",
        ),
        _optional("parameters", "numbers_by_name", "values of the part's parameters", example={"a": 0.05}),
    ),
    "a part placed in the machine; its elements have names such as leg_1_crank",
)
