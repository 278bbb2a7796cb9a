"""Tables of model files for contact: surfaces of bodies, and which of them meet by which law.

A surface belongs to a body: [surface.NAME] with its shape. A contact names two surfaces, or several of which every pair
on different bodies may meet, a coordinate of a joint with its end stops, its clutch or its ratchet, the two ends of a
rope, or two gear wheels with backlash. Without a stiffness it is rigid: impacts follow Newton's or Poisson's law of
restitution, and a contact that stays is a constraint that can open. With a stiffness, or with Young's modulus and
Poisson's ratio of both surfaces, it is compliant:

    F = K dⁿ (1 + χ ḋ),   K = 4/3 √R / ((1 − ν₁²)/E₁ + (1 − ν₂²)/E₂),   1/R = 1/R₁ ± 1/R₂

with χ by the speed at the start of each contact. Friction is Coulomb's, exact: a contact sticks as a constraint whose
force is watched against its static coefficient, and slips with its kinetic one, or with Stribeck's curve

    μ(v) = μₖ + (μₛ − μₖ) exp(−(v/v_s)²)
"""

from __future__ import annotations

from mubo.elements.declare import Option
from mubo.elements.details import TableSchema
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class KeptKinds:
    """The kinds of joints in the place of a contact that is kept: a point that sticks turns, a rounded one rolls on a
    face or around a circle or sphere; one that slides does so along a face, or at its distance from a centre."""

    turns: str
    rolls: str
    rolls_around: str
    slides: str
    slides_around: str


KEPT_AS = {
    2: KeptKinds("revolute", "rolling", "rolling_on_circle", "slot", "distance"),
    3: KeptKinds("spherical", "rolling", "rolling_on_sphere", "point_on_plane", "distance"),
}
SHAPES = ("circle", "sphere", "point", "plane", "polygon", "box", "capsule", "hull", "hollow")
IMPACTS = ("newton", "poisson")
DAMPING = ("none", "hunt_crossley", "lankarani_nikravesh", "flores")


def _key(name: str, holds: str | tuple[str, ...], meaning: str, measures: str = "number", **more: object) -> Option:
    return Option(name, holds, meaning, required=False, measures=measures, **more)  # type: ignore[arg-type]


MATERIAL = (
    _key("young", "number", "Young's modulus, from which the stiffness of Hertz follows", "stress", positive=True),
    _key("poisson", "number", "Poisson's ratio", least=0.0, example=0.3),
)
SURFACE = TableSchema(
    "surface",
    "surfaces",
    "",
    (
        Option("body", "text", "the body that it belongs to", example="ball"),
        Option("shape", SHAPES, "circle (sphere in space), plane (half-space), hollow: the inside", example="circle"),
        _key("at", "place", "centre, or a point of the plane, in body axes; its origin if left out", example=(0, 0)),
        _key("to", "place", "other end of a capsule", example=(1, 0)),
        _key("radius", "length", "radius; of polygons and boxes: of their rounding", least=0.0, example=0.1),
        _key("normal", "direction", "outward normal of a plane", example=(0, 1)),
        _key(
            "corners",
            "polygon",
            "corners of a polygon, counter-clockwise; in space of a hull, in any order",
            example=((0, 0), (1, 0), (0, 1)),
        ),
        _key("size", "place", "edges of a box along the body axes", example=(2, 1)),
        *MATERIAL,
    ),
    "a surface of a body that others may touch",
)
CONTACT = TableSchema(
    "contact",
    "contacts",
    "",
    (
        _key("between", "names", "two surfaces, the first one rounded or with corners", example=("ball", "floor")),
        _key("among", "names", "surfaces of which any two on different bodies may touch", example=("a", "b", "c")),
        _key("of", "text", "a coordinate of a joint that turns or slides: its stops or clutch", example="A"),
        _key("rope", "names", "two points that are never farther apart than `length`", example=("a.P", "b.P")),
        _key("length", "length", "length of a rope", positive=True, example=1.0),
        _key("wheels", "names", "two bodies that are gear wheels with backlash in the plane", example=("a", "b")),
        _key("radii", "lengths", "pitch radii of the wheels; the second one negative for internal teeth"),
        _key("carrier", "text", "the body that carries the axes of the wheels; the ground if left out"),
        _key("phase", "angle", "angle of the second wheel where the first stands at zero, amid the backlash"),
        _key("backlash", "length", "play of the teeth along the pitch circles", positive=True, example=1e-4),
        _key("lower", "length", "lower end stop of a slide", example=-0.1),
        _key("upper", "length", "upper end stop of a slide", example=0.1),
        _key("lower_angle", "angle", "lower end stop of a turn", example=-1.0),
        _key("upper_angle", "angle", "upper end stop of a turn", example=1.0),
        _key("freewheel", ("forward", "backward"), "sense in which the coordinate runs freely: a freewheel"),
        _key("teeth", "number", "teeth of a ratchet on the whole turn: a clutch that locks at teeth", least=1.0),
        _key("pitch", "length", "distance of the teeth of a ratchet on a slide", positive=True, example=0.01),
        _key("restitution", "number", "coefficient of restitution, 0 to 1", least=0.0, example=0.7),
        _key("impact", IMPACTS, "restitution of velocities (newton) or impulses (poisson)", example="poisson"),
        _key("friction", "number", "kinetic coefficient of friction", least=0.0, example=0.3),
        _key("static_friction", "number", "static coefficient of friction; the kinetic one if left out", least=0.0),
        _key("stribeck", "number", "speed over which friction falls to the kinetic one", "length/time", positive=True),
        _key("stiffness", "number", "K of F = K dⁿ: compliant contact", positive=True, example=1e7),
        _key("exponent", "number", "n of F = K dⁿ; 1.5 (Hertz) if left out", positive=True, example=1.5),
        _key("damping", DAMPING, "damping of compliant contact; lankarani_nikravesh if left out", example="flores"),
    ),
    "surfaces that touch, with the law of contact",
    (("between",), ("among",), ("of",), ("rope", "length"), ("wheels", "radii", "backlash")),
)
CLEARANCE = (
    _key("clearance", "length", "radial clearance: a simulation lets a journal move in its bearing", positive=True),
    _key("bearing_radius", "length", "radius of the bearing of a joint with clearance", positive=True, example=0.01),
    *MATERIAL,
    _key("restitution", "number", "restitution of journal and bearing, 0 to 1", least=0.0, example=0.9),
    _key("damping", DAMPING, "damping of their contact; lankarani_nikravesh if left out", example="flores"),
    _key("friction", "number", "kinetic coefficient of friction of journal and bearing", least=0.0, example=0.1),
)
GUIDE_CLEARANCE = (
    _key("clearance", "length", "play to either side: a simulation lets the slide tilt in its guide", positive=True),
    _key("guide_length", "length", "length of the slide along its axis, about its point", positive=True, example=0.05),
    _key("contact_stiffness", "number", "K of F = K dⁿ of its corners; rigid if left out", positive=True, example=1e8),
    _key("restitution", "number", "restitution of slide and guide, 0 to 1", least=0.0, example=0.5),
    _key("damping", DAMPING, "damping of their contact; lankarani_nikravesh if left out", example="flores"),
    _key("friction", "number", "kinetic coefficient of friction of slide and guide", least=0.0, example=0.1),
)
BACKLASH = (
    _key("backlash", "length", "play of the teeth along the pitch circles, in simulations", positive=True),
    _key("restitution", "number", "restitution of teeth that strike, 0 to 1", least=0.0),
)
