"""The model as tables: bodies, points, joints, drivers, forces, starting values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mubo.analyses.run_notes import law_data_notes
from mubo.describe.run_summary import describe_law_data
from mubo.elements import AMBIENTS, Element, Option, loads_of
from mubo.model import GROUND, Body, Force, Initial, Joint, ModelDefinition, Units
from mubo.model.coordinates import holds_at, holds_of
from mubo.model.mass import INERTIA
from mubo.results import Run
from mubo.view.report.markup import (
    Markup,
    facts,
    heading,
    html,
    law_text,
    number,
    option_unit,
    section,
    table,
    unit_bracket,
    unit_of,
    vector,
    with_unit,
    zero_rounding,
)


def model_section(run: Run) -> Markup:
    """The section with all tables of the model."""
    model = run.model
    return section(
        "model",
        "Model",
        facts(_overall(model)),
        heading("Bodies", _bodies(model)),
        heading("Joints", _joints(model)),
        heading("Drivers", _drivers(run)),
        heading("Measured laws", _measured(model)),
        heading("Forces", _forces(model)),
        heading("Points of interest", _points(model)),
        heading("Measures", _measures(model)),
        heading("Starting values", _initial(model)),
    )


def _overall(model: ModelDefinition) -> list[tuple[str, Any]]:
    units = model.units
    declared = [f"{kind} {unit}" for kind, unit in units.stated.items()]
    out = [("moves", AMBIENTS[model.dimension].words)]
    out.append(("units", ", ".join(declared) or "none declared; angles in rad"))
    if model.gravity is not None:
        pull = [x / units.factor("length", 2) for x in model.gravity]
        out.append(("gravity", with_unit(vector(pull), unit_of(units, "length", 2))))
    return out


def _measures(model: ModelDefinition) -> Markup:
    return table(("measure", "is", "of"), [(m.name, m.key, ", ".join(m.on)) for m in model.measures.values()])


def _bodies(model: ModelDefinition) -> Markup:
    flat, size, units = model.dimension == 2, _size(model), model.units
    rows = []
    for body in model.bodies.values():
        moves = body.name != GROUND
        place = vector(body.position, size) if moves and body.position else ""
        turned = angle_text(model, body.angle) if moves and flat else _orientation(body) if moves else ""
        points = Markup("<br>".join(f"{html(name)} {vector(at, size)}" for name, at in body.points.items()))
        rows.append((body.name, points, place, turned, *_mass(body, size, units)))
    unit, mass = unit_bracket(units, "length"), unit_bracket(units, "mass")
    head = ("body", f"points, in its axes{unit}", f"estimate{unit}", "angle" if flat else "orientation")
    turn = f"inertia{unit_bracket(units, INERTIA)}"
    return table((*head, f"mass{mass}", turn, f"centre of mass{unit}", f"shape{unit}"), rows)


def _size(model: ModelDefinition) -> float:
    """The largest coordinate of the model, by which rounding is judged."""
    places = [at for body in model.bodies.values() for at in (*body.points.values(), body.position or ())]
    return max((abs(x) for at in places for x in at), default=0.0)


def _orientation(body: Body) -> str:
    return vector(body.orientation) if body.orientation and body.position else ""


def _mass(written: Body, size: float, units: Units) -> tuple[Any, ...]:
    """Mass, inertia, centre and shape, in the model's units."""
    body, factor = written.whole, units.factor("mass")
    tensor = [x / units.factor(INERTIA) for x in body.inertia or ()]
    inertia = "" if not tensor else number(tensor[0]) if len(tensor) == 1 else vector(tensor)
    shape = ""
    if body.shape is not None:
        shape = f"{body.shape.kind}, " + ", ".join(f"{key} {number(size)}" for key, size in body.shape.sizes.items())
    added = [f"{number(mass / factor)} added at {point}" for point, mass in written.added.items()]
    shape = "; ".join(filter(None, (shape, *added)))
    mass = None if body.mass is None else body.mass / factor
    return mass, inertia, vector(body.center, size) if body.center else "", shape


def _joints(model: ModelDefinition) -> Markup:
    rows = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        free = ", ".join(element.dofs) or ("none of its own" if element.couples else "none")
        rows.append((joint.name, joint.kind, " – ".join(joint.between), option_text(model, element, joint), free))
    return table(("joint", "type", "between", "with", "free"), rows)


def _drivers(run: Run) -> Markup:
    rows = []
    for driver in run.model.drivers.values():
        of = driver.of if isinstance(driver.of, str) else f"distance {driver.of[0]} – {driver.of[1]}"
        rows.append((driver.name, of, law_text(run, driver.name)))
    return table(("driver", "moves", f"by f(t) =, t{unit_bracket(run.units, 'time')}"), rows)


def _measured(model: ModelDefinition) -> Markup:
    """A table of the smoothing and filling of laws that consist of samples."""
    rows = [
        (name, Markup("<br>".join(map(html, describe_law_data(notes)))))
        for name, notes in law_data_notes(model).items()
    ]
    return table(("law", "what was done to its data"), rows)


def _forces(model: ModelDefinition) -> Markup:
    rows, known = [], loads_of(model.dimension)
    for force in model.forces.values():
        rows.append((force.name, force.kind, " – ".join(force.on), option_text(model, known[force.kind], force)))
    return table(("force", "type", "on", "with"), rows)


def _points(model: ModelDefinition) -> Markup:
    size = _size(model)
    rows = [(p.name, p.body, vector(p.at, size)) for p in model.points.values()]
    return table(("point", "body", f"at, in its axes{unit_bracket(model.units, 'length')}"), rows)


def _initial(model: ModelDefinition) -> Markup:
    def describe(start: Initial, rates: bool) -> str:
        values = start.v if rates else start.q
        if not values:
            return "0"
        holds = holds_of(model, model.joints[start.joint], rates)
        shown = [x / model.units.factor(kind, int(rates)) for x, kind in zip(values, holds, strict=True)]
        kinds = [unit_of(model.units, kind, int(rates)) for kind in holds]
        if len(set(kinds)) <= 1:
            return with_unit(vector(shown), "".join(kinds[:1]))
        return ", ".join(with_unit(number(x), unit) for x, unit in zip(shown, kinds, strict=True))

    rows = [(start.joint, describe(start, False), describe(start, True)) for start in model.initial_joints.values()]
    bodies = [
        (
            s.body,
            *(vector(part) if part else "" for part in (s.position, s.orientation)),
            *(_rate(model, part, kind) for part, kind in ((s.velocity, "length"), (s.omega, "angle"))),
        )
        for s in model.initial_bodies.values()
    ]
    of_joints = table(("joint", "coordinates q", "rates q̇"), rows) if rows else Markup()
    length, speed, turn = (unit_bracket(model.units, *kind) for kind in (("length",), ("length", 1), ("angle", 1)))
    head = ("body", f"position{length}", "orientation", f"velocity{speed}", f"ω{turn}")
    return Markup(of_joints + (table(head, bodies) if bodies else Markup()))


def _rate(model: ModelDefinition, values: Sequence[float], holds: str) -> str:
    return vector([x / model.units.factor(holds, 1) for x in values]) if values else ""


def option_text(model: ModelDefinition, element: Element, part: Joint | Force) -> str:
    """The options that were given, in the order of the declaration."""
    given = [o for o in element.options if o.name in part.options]
    return ", ".join(f"{option.name} = {_value(model, option, part)}" for option in given)


def _value(model: ModelDefinition, option: Option, part: Joint | Force) -> str:
    value = part.options[option.name]
    turns = _turns(model, part)
    if option.holds == "angle" or (option.holds == "coordinate" and turns):
        return angle_text(model, value)
    factor, unit = option_unit(model.units, option, "angle" if turns else "length")
    if option.holds == "law":
        return with_unit(str(value.description), unit)
    shown = value / factor if factor != 1.0 and isinstance(value, int | float) else value
    return f"{len(value)} points" if option.holds == "contour" else with_unit(_plain(shown), unit)


def _turns(model: ModelDefinition, part: Joint | Force) -> bool:
    if isinstance(part, Joint):
        return part.between[0].endswith(".phi")
    joint = part.on[0].partition(".")[0] in model.joints
    return joint and holds_at(model, part.on[0]) == "angle"


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        flat = all(isinstance(entry, int | float) for entry in value)
        return vector(value) if flat else "(" + ", ".join(_plain(entry) for entry in value) + ")"
    return number(value) if isinstance(value, int | float) else str(value)


def angle_text(model: ModelDefinition, radians: float) -> str:
    """An angle in the model's unit; plain radians in degrees too, which people picture."""
    factor, (angle,) = model.units.angle_factor(), zero_rounding([radians], 1.0)
    shown = with_unit(number(angle / factor), unit_of(model.units, "angle"))
    return shown if factor != 1.0 or angle == 0 else f"{shown} ({number(math.degrees(angle), 4)}°)"
