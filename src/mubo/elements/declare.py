"""The words in which joints, drivers and loads are declared.

A declaration names the rows (primitive equations of the core) that an element adds, and for each row which of
the element's quantities fill the row's parameters, in the core's order. Quantities with names of their own:

    point_i, point_j    the points of the element's ends, in body axes
    coordinate          unit vector (3) that picks x, y or phi of a body
    direction           unit vector (2) that picks x or y of a point
    zero                0, the constant of a row that a driver moves
    x_i, y_i, z_i       axes of a spatial joint's frame in the first body; x_j, y_j, z_j in the second
    along               of these, the one along which a driven coordinate slides
    from, toward, arm   of these, what a driven turn is measured by: the arm's angle from one axis towards another

Everything else is an option of the element, such as `axis`, or derived from its options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from mubo.lazy_dataclass import dataclass

COORDINATES = ("x", "y", "phi")
CLOSING = "closing"


@dataclass(frozen=True)
class Row:
    """One use of a core row: its kind, and the quantities that fill its parameters.

    `bodies` says which bodies it couples, by end: "i", "j", or the name of an option that holds a body. `words` are
    what its equations mean to a user, one for each. A row `on_velocities` constrains velocities and not positions.
    """

    kind: str
    quantities: tuple[str, ...]
    words: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ("i", "j")
    on_velocities: bool = False


@dataclass(frozen=True)
class LoadFormula:
    """The load of the core that a force is: its name there, and what fills its numbers, in the core's order.

    It acts along a coordinate (`key` is "of": of a joint; "between": the distance of two points) or on a body ("at" a
    point, or "body"). A quantity is "point" (where it acts, in body axes) or an option: a direction is scaled to length
    one, and a word counts as its place among the allowed ones. `law` is the option that holds its size. `pulls`: its
    size is positive where it pulls its ends together, a tension. `own` are the names of the load's own coordinate and
    of its rate in the law. `smooths` is the quantity that smooths a jump, which a prescribed motion does not need.
    `lets_go`: it stops acting while it still stores energy, which is then lost. `medium` is the option with the
    velocity of what it acts against, zero where that rests: an observer who moves along sees the same forces only if
    the medium moves for him too. What `bears_by_motion` holds nothing at rest, and has no value
    where its bodies are too far apart: statics refuses it. `in_space` are the numbers that the
    core's load of space has beyond those of the plane: where a planar tree is one of space.
    """

    name: str
    quantities: tuple[str, ...] = ()
    law: str = ""
    pulls: bool = False
    own: tuple[str, ...] = ()
    smooths: str = ""
    lets_go: bool = False
    in_space: tuple[float, ...] = ()
    medium: str = ""
    bears_by_motion: bool = False


@dataclass(frozen=True)
class Option:
    """A value the user gives with an element.

    `holds` is "direction" (two numbers, in space three), "vector" (likewise, of what it measures; left out, it is
    zero), "directions" (two of them), "orientation" (a quaternion or Euler angles), "angle", "length", "number",
    "coordinate" (length or angle, by the coordinate it belongs to), "lengths" (two), "counts" (two whole numbers),
    "interval" (two lengths or numbers), "numbers", "samples" (pairs of numbers), "body", "law", "contour" (points) or a
    tuple of allowed words; of details also "polygon" (corners), "place", "names", "text" or "material" (a name, or its
    numbers). If the option is left out,
    `default` is used; CLOSING takes the value that closes its row at the estimated positions, and this is noted.
    `example` is a value for documentation and law tests. `measures` is what a number or the value of a law is, in words
    of quantities/unit_algebra.py such as "force/length"; "coordinate" and "effort" stand for angle and torque, or
    length and force, by the coordinate it belongs to. `over` is what a law depends on: "time", the "angle" of a cam,
    the parameter of a "curve" (written s, or x), or the "motion": time and the columns of a run.
    """

    name: str
    holds: str | tuple[str, ...]
    meaning: str
    default: Any = None
    required: bool = True
    example: Any = None
    positive: bool = False  # zero and below are refused
    nonzero: bool = False  # zero is refused
    least: float | None = None  # smaller values are refused
    usual_least: float | None = None  # smaller values are noted
    measures: str = "number"
    over: str = "time"
    dimension: int = 0  # 2 or 3: it belongs to models of the plane or of space alone


# The compliance of every joint between bodies: it moves nothing, and divides loads among redundant joints.
STIFFNESS = (
    Option(
        "stiffness",
        "number",
        "force per length of the joint: divides loads among redundant joints",
        required=False,
        positive=True,
        measures="force/length",
    ),
    Option(
        "turning_stiffness",
        "number",
        "moment per angle of the joint where it fixes the rotation",
        required=False,
        positive=True,
        measures="torque/angle",
    ),
)

ROLES = ("tree", "cut")
ROLE = Option(
    "role", ROLES, "tree, or cut: it closes a loop and has no joint coordinates of its own", "tree", required=False
)


@dataclass(frozen=True)
class Element:
    """A kind of joint, coupling, driver or load.

    `key` is what the user writes to say what it acts on: "between" (two ends), "body" (one body) or "of" (a coordinate
    such as "crank.phi"). `ends` says what an end is: a "point" or a "body". `dofs` lists what stays free between the
    two bodies; couplings relate degrees of freedom that other joints leave and have none of their own. Of a `hinge`
    they are the stack of unit motions in the joint's frame that a tree walks: "turn z", "slide x", "screw z", "ball".
    `word` is what messages call it; `glyph` is what it looks like, by the names of view/scene/glyphs: every load and
    every joint between bodies needs one, else it could not be seen."""

    name: str
    key: str
    rows: tuple[Row, ...]
    dofs: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    summary: str = ""
    ends: str = "point"
    anchors: bool = False  # holds its body still, so that the body has no unknowns
    couples: bool = False
    relates: bool = False  # a coupling of two joint coordinates, `of`: no surfaces of bodies touch in it
    composite: bool = False  # may have more than two ends
    coordinate: str = ""  # what a driver on this joint moves: "angle", or "slide" along `axis` (without one along x)
    word: str = ""
    glyph: str = ""  # empty: nothing is drawn
    hinge: bool = False  # whether a tree can walk over it
    meshes: bool = False  # its torques stand for a force at the pitch point of two wheels
    on_shafts: str = ""  # wheels in space with bearings `of` on one body, whose axes "meet" or "cross"
    toothed: str = ""  # of wheels with `radii`, or `teeth` with this option
    profiled: bool = False  # its rows follow a profile of an angle: a cam
    curved: bool = False  # its row follows a curve of the first body
    contact: str = ""  # of what rolls: on a "line", a "plane", or something "round"; its force acts at the contact
    # The motion of a joint that is neither a turn nor a slide nor a swing: the place of the second point at a
    # parameter, from the first point in the first body's axes. Its DOF is called "follow".
    path: Callable[[Mapping[str, Any], float], tuple[float, float]] | None = None
    moves: str = ""  # of a driver: what it moves, a word of `coordinate` or of the DOFs, "place" or "distance"
    turns: bool = False  # of a driver: its value is an angle
    either: tuple[str, ...] = ()  # of these options at least one is given
    relaxed: tuple[str, ...] = ()  # kinds with fewer rows that may stand in for it, mildest first
    formula: LoadFormula = LoadFormula("")  # of a load
    derive: Callable[[Mapping[str, Any]], dict[str, list[float]]] = field(default=lambda options: {})

    def __post_init__(self) -> None:
        if self.rows and self.key == "between" and not (self.couples or self.moves):
            object.__setattr__(self, "options", (*self.options, *STIFFNESS, *((ROLE,) if self.hinge else ())))


# A rotor of inertia J that turns n times as fast as its joint has the kinetic energy ½ J (n q̇)²: the joint feels n² J.
# The axis of the rotor is taken as fixed, as in MuJoCo, Pinocchio and Drake: gyroscopic moments of rotors on moving
# bodies, n times smaller, are neglected.
def _armature(measures: str) -> tuple[Option, Option]:
    return (
        Option(
            "armature",
            "number",
            "inertia of the drive that the joint feels, added to the mass matrix; with `gear_ratio` that of its rotor",
            default=0.0,
            required=False,
            least=0.0,
            measures=measures,
        ),
        Option(
            "gear_ratio",
            "number",
            "rate of the rotor per rate of the joint: its square times `armature` is the reflected inertia",
            default=1.0,
            required=False,
            nonzero=True,
        ),
    )


TURN_DRIVE, SLIDE_DRIVE = _armature("mass*length^2"), _armature("mass")


def reflected_inertia(options: Mapping[str, Any]) -> float:
    """The inertia that a joint coordinate feels of its drive: `armature` times the square of `gear_ratio`."""
    return float(options.get("armature", 0.0)) * float(options.get("gear_ratio", 1.0)) ** 2
