"""Every table of the native model file, declared once: its keys, what each holds, and which belong together. Reader,
writer, JSON Schema and reference follow. The tables of joints and forces are in `elements`."""

from __future__ import annotations

from typing import Any

from mubo.elements import TABLES, Option, TableSchema
from mubo.elements.details import PART, SUBJECT, USE
from mubo.model.parts import AS_DRAWN
from mubo.quantities.unit_keys import KEYS, SET
from mubo.studies import STUDIES, StudyOption

AXES = ("x", "-x", "y", "-y", "z", "-z")
STARTS, METHODS = 8, ("starts", "evolution", "cma")
GOALS = ("minimize", "maximize", "fit")
SPREADS = ("normal", "uniform")


def _key(name: str, kind: str | tuple[str, ...], meaning: str, example: Any = None, **more: Any) -> Option:
    return Option(name, kind, meaning, required=more.pop("required", False), example=example, **more)


def _needed(name: str, kind: str | tuple[str, ...], meaning: str, example: Any = None, **more: Any) -> Option:
    return _key(name, kind, meaning, example, required=True, **more)


TOP = (
    _key("name", "text", "name of the mechanism; the name of the file if left out", "four bar"),
    _key("units", "units", "units of plain numbers and of results", {"length": "mm", "angle": "deg"}),
    _key("dimension", "dimension", "2 in the plane, 3 in space", 3, default=2),
    _key("gravity", "place", "acceleration of gravity", [0, -9.81], measures="length/time^2"),
    _key("masses", "text", "table of a CAD program, .csv, with mass, centre and inertia of bodies by name", "cad.csv"),
    _key("extends", "text", "model file of any kind, beside this one, that the tables of this one add to", "x.deck"),
)
PARAMETERS = TableSchema(
    "parameters",
    "",
    "",
    (_key("NAME", "number", "a number, text with a unit, or an expression of other parameters", "3*a"),),
    "named numbers that may stand in any number",
    single=True,
)
TOLERANCE = TableSchema(
    "tolerances",
    "tolerances",
    "",
    (
        _key("size", "number", "half the width within which the parameter lies", "0.05 mm"),
        _key("clearance", "number", "radial clearance of the pin of the joint", "0.02 mm", measures="length"),
        _key("spread", SPREADS, "distribution: three sigma at the limit, or uniform", "uniform", default=SPREADS[0]),
    ),
    "how exact parameters are made, and how much clearance pins have: NAME = size, or a table",
    (("size",), ("clearance",)),
    single=True,
)
STIFFNESS = {"stiffness": "force/length", "turning_stiffness": "torque/angle"}
BODY = TableSchema(
    "body",
    "bodies",
    "",
    (
        _key("position", "place", "estimated position of its origin", [0.5, 0.8]),
        _key("angle", "angle", "estimated angle, in the plane", "60 deg", dimension=2),
        _key("orientation", "orientation", "estimated orientation, in space", [1, 0, 0, 0], dimension=3),
        _key("points", "points", "named points in its own axes", {"A": [0, 0], "B": [1, 0]}),
        _key("lengths", "lengths_by_name", "lengths between points, instead of coordinates", {"AB": 3}),
        _key("angles", "angles_by_name", "angles at the middle one of three points", {"PAB": "30 deg"}),
        _key("right", "names", "points on the right of the line between the two that place them", ["P"]),
        _key("mass", "number", "mass of the body", 2.0, measures="mass"),
        _key("density", "number", "density, from which the mass of a shape follows", 7850, measures="mass/length^3"),
        _key(
            "inertia", "inertia", "inertia about the centre of mass; in space xx, yy, zz (xy, xz, yz) or a matrix", 0.17
        ),
        _key("center", "place", "centre of mass in body axes; the origin if left out", [0, 0]),
        _key(
            "inertia_check",
            ("refuse", "note", "mend"),
            "an inertia that no body has is refused, used as given, or replaced by the one next to it that a body has",
            "note",
            dimension=3,
        ),
        _key("shape", "shape", "solid from which centre and inertia follow", {"kind": "bar", "between": ["A", "B"]}),
        _key("added_masses", "masses_by_name", "point masses at named points", {"B": 0.5}),
        _key(
            "stiffness",
            "number",
            "stiffness by which loads divide among redundant joints",
            "2 N/mm",
            measures=STIFFNESS["stiffness"],
        ),
        _key(
            "turning_stiffness",
            "number",
            "rotational stiffness by which moments divide among redundant joints",
            "3 N m/rad",
            measures=STIFFNESS["turning_stiffness"],
        ),
        _key("segment", "segment", "segment of the subject's body", "thigh", dimension=2),
    ),
    "a rigid body; `ground` is always there and has points only",
)
DRIVER = TableSchema(
    "driver",
    "drivers",
    "",
    (
        _key("of", "text", "the driven coordinate: a joint, body.phi, body.x, body.POINT.x", "crank.phi"),
        _key("between", "pair", "two points whose distance is driven", ["ground.N", "boom.M"]),
        _needed("motion", "law", "the motion that it follows", {"rate": "1500 rpm"}),
        _key("start", (AS_DRAWN,), "adds the motion to the value at the estimated positions", AS_DRAWN),
    ),
    "a coordinate or a distance that follows a motion",
    (("of",), ("between",)),
)
POINT = TableSchema(
    "point",
    "points",
    "",
    (
        _needed("body", "text", "the body that it is fixed to", "coupler"),
        _needed(
            "at",
            "place_or_name",
            "its place in body axes, the name of a point of the body, or center, its centre of mass",
            [0.5, 1.5],
        ),
    ),
    "a point of interest, whose motion is reported",
)
MEASURE = TableSchema(
    "measure",
    "measures",
    "",
    (
        _key("distance", "pair", "distance of two points", ["chassis.S", "arm.S"]),
        _key("angle", "names", "angle of two bodies, or at three or four points", ["A", "B", "C"]),
        _key("vector", "pair", "length and direction from a point to another, in the plane", ["ground.A", "crank.B"]),
        _key("turns", "integer", "full turns that are added to the direction of a vector", 1),
        _key("of", "text", "any column", "rocker.phi"),
        _key("value", "text", "an expression of columns, measures and t", "P.x - Q.x"),
        _key("number", "text", "one number of a whole run, for studies of design", "max motor.effort"),
    ),
    "a quantity with a name, reported as a column with its rates",
    (("distance",), ("angle",), ("vector",), ("of",), ("value",), ("number",)),
)
INITIAL = TableSchema(
    "initial",
    "initial_joints",
    "joint",
    (
        _key("q", "numbers", "coordinates of the joint", "30 deg"),
        _key("v", "numbers", "rates of its coordinates", "20 rad/s"),
        _key("position", "place", "position of the body", [0, 0]),
        _key("orientation", "orientation", "orientation of the body, in space", [1, 0, 0, 0]),
        _key("angle", "angle", "angle of the body, in the plane", "30 deg"),
        _key("velocity", "place", "velocity of the body's origin", [1, 0], measures="length/time"),
        _key("omega", "numbers", "angular velocity of the body", "20 rad/s", measures="angle/time"),
    ),
    "how a simulation begins: of a joint (q, v) or of a body, in ground axes",
)
EVENT = TableSchema(
    "event",
    "events",
    "",
    (
        _needed("of", "text", "a joint, its coordinate A.q2, a column or a measure", "hinge"),
        _needed("value", "number", "the value that it crosses", "90 deg"),
        _key("direction", ("up", "down", "both"), "sense of the crossing", "up", default="both"),
        _key("stop", "boolean", "whether the simulation ends there", True, default=False),
    ),
    "a crossing that a simulation locates",
)
OPTIMIZE = TableSchema(
    "optimize",
    "optimization",
    "",
    (
        _key("vary", "bounds_by_name", "parameters with their two bounds", {"a": [0.02, 0.06]}),
        _key(
            "choices", "choices", "parameters with the values that can be had; or a table of them", {"a": [0.03, 0.05]}
        ),
        _key("minimize", "text", "the number that is to be least", "max motor.effort"),
        _key("maximize", "text", "the number that is to be greatest", "transmission"),
        _key("fit", "targets", "numbers with their targets, or path errors", {"stroke of D": "60 deg"}),
        _key("constraints", "names", "limits that hold", ["transmission >= 40 deg", "full turn of motor"]),
        _key("cases", "cases", "other numbers at which every design is run too: the worst counts", {"n": [60, 120]}),
        _key("starts", "whole", "number of starts of the search", 8, default=STARTS, least=1),
        _key("method", METHODS, "method of the search", "evolution", default=METHODS[0]),
        _key("seed", "whole", "seed of random numbers", 1, default=0, least=0),
    ),
    "what `mubo optimize` searches for",
    tuple((goal,) for goal in GOALS),
    single=True,
)
ANALYSES = tuple(study.name for study in STUDIES.values() if study.in_files)


def analysis_table(*types: str) -> TableSchema:
    """[analysis] with the keys of some types, of all of them where none is named: the options of their studies."""
    keys: dict[str, Option] = {}
    for name in types or ANALYSES:
        keys |= {
            one.name: _study_key(one) for one in STUDIES[name].options.values() if one.in_file and one.name not in keys
        }
    study = _key("type", ANALYSES, "the study that `mubo run` does", "kinematics", default="kinematics")
    return TableSchema(
        "analysis", "analysis", "", (study, *keys.values()), "what `mubo run` does, and when", single=True
    )


def _study_key(one: StudyOption) -> Option:
    """The key of [analysis] for an option of a study."""
    meaning = (one.help[0].lower() + one.help[1:]).rstrip(".")
    default = one.shown_default or (None if one.default in ((), "") else one.default)
    return _key(one.name, _kind_of_study_option(one), meaning, one.example, default=default, least=one.least)


def _kind_of_study_option(one: StudyOption) -> str | tuple[str, ...]:
    if one.choices:
        return one.choices
    if one.annotation.startswith("Sequence[float"):
        return "numbers"
    words = {"bool": "boolean", "int": "whole", "float": "number", "str": "text", "Sequence[str]": "columns"}
    return words[one.annotation.partition(" ")[0]]


_LABORATORY = (
    _key("forward", AXES, "axis of the laboratory that points forwards; found from the markers unless given", "x"),
    _key("up", AXES, "axis of the laboratory that points up; found from the markers unless given", "y"),
    _key("hand", ("right", "left"), "hand of the laboratory's axes", "right", default="right"),
)
_READING = (
    _key("smooth", "smoothing", "smoothing of the samples", {"butterworth": "6 Hz"}),
    _key("max_gap", "number", "longest gap that is filled", "0.1 s", measures="time"),
    _key("time_column", "text", "column of the times", "time"),
)
_SPINES = {"asis": ["RASI", "LASI"], "psis": "SACR"}
MARKERS = TableSchema(
    "markers",
    "",
    "",
    (
        _needed("file", "text", "the markers, .trc, .c3d or .csv", "walk.trc"),
        *_LABORATORY,
        *_READING,
        _key("units", "texts_by_name", "the unit of a table without units", {"length": "mm"}),
        _key("right", "markers_by_joint", "markers of hip, knee, ankle, heel and toe", {"hip": "RHIP"}),
        _key("left", "markers_by_joint", "markers of the left leg", {"hip": "LHIP"}),
        _key("trunk", "markers_by_joint", "markers of shoulder (and hip)", {"shoulder": ["RSHO", "LSHO"]}),
        _key("pelvis", "markers_by_joint", "front spines, right first, and rear ones or the sacrum", _SPINES),
        _key("skeleton", "text", "a skeleton of OpenSim, whose joints, masses and markers are taken", "me.osim"),
        _key("scale", "scales", "pairs of markers that scale bodies of the skeleton", {"femur": [["RASI", "RKNE"]]}),
        _key("static", "text", "a trial standing still, with markers that the walk does not have", "static.trc"),
        _key("functional", "text", 'a trial in which the legs circle, for hip = "functional"', "circles.trc"),
        _key("kinematics", ("chain", "segments"), "all segments are fitted together, or each for itself", "chain"),
        _key("weights", "numbers_by_name", "how much the distance of a marker counts in a chain", {"R.Heel": 10}),
        _key("locked", "columns", "coordinates that stay zero in a chain", ["knee_adduction", "knee_rotation"]),
        _key("clusters", "markers_by_joint", "markers of segments that move together", {"thigh_r": ["RT1", "RT2"]}),
        _key("belt", "number", "speed of a treadmill; found from the feet that stand unless given", "1.2 m/s"),
        _key("marker_check", ("refuse", "note"), "what is done with markers that jump", "note", default="refuse"),
    ),
    "markers of a walking person: segments, joints and drivers follow",
    single=True,
)
PLATE = TableSchema(
    "plate",
    "",
    "",
    (
        _needed("file", "text", "the table of forces", "forces.mot"),
        _key(
            "foot",
            "text",
            '"right" or "left", or the name of the body on which it acts; else the nearest foot',
            "right",
        ),
        _key("force", "columns", 'its columns: "ground_force_v" for ground_force_vx, …vy, …vz', "ground_force_v"),
        _key("plate", "whole", "number of a force plate of a .c3d file, instead of columns", 1, least=1),
        _key("point", "columns", "columns of the centre of pressure", "ground_force_p"),
        _key("torque", "columns", "column of the free moment", "ground_torque_"),
        *_LABORATORY,
        *_READING,
        _key("floor", "number", "height of the floor where the point has one column", 0, measures="length"),
        _key("units", "texts_by_name", "units of the columns; BW is the body weight", {"force": "N", "length": "mm"}),
        _key("from", "number", "first time at which the foot stands on it", 0.1, measures="time"),
        _key("to", "number", "last time", 0.7, measures="time"),
    ),
    "a force that acts where a table states it: a force plate under a foot, a load that moves along a body",
)
UNIT_KEYS = (SET, *KEYS)


def file_tables() -> dict[str, TableSchema]:
    """Every table of a model file by name, joints and forces aside, in the order in which a file is written."""
    first = (PARAMETERS, PART, USE, SUBJECT, TOLERANCE, MARKERS, PLATE, BODY, DRIVER, POINT, MEASURE, INITIAL, EVENT)
    return {table.name: table for table in (*first, *TABLES.values(), analysis_table(), OPTIMIZE)}
