"""The model as tables: bodies, points, joints, drivers, forces, starting values."""

from __future__ import annotations

from typing import Any

from mubo.elements import AMBIENTS, loads_of
from mubo.model import GROUND, Body, Initial, Model
from mubo.model.coordinates import holds_of
from mubo.studies.motion.law_notes import law_notes, note_words
from mubo.view.report.markup import Markup, facts, heading, html, number, section, table, vector
from mubo.view.report.options import angle_words, option_words


def model_section(model: Model) -> Markup:
    """Everything the model states."""
    return section(
        "model",
        "Model",
        facts(_overall(model)),
        heading("Bodies", _bodies(model)),
        heading("Joints", _joints(model)),
        heading("Drivers", _drivers(model)),
        heading("Measured laws", _measured(model)),
        heading("Forces", _forces(model)),
        heading("Points of interest", _points(model)),
        heading("Starting values", _initial(model)),
    )


def _overall(model: Model) -> list[tuple[str, Any]]:
    units = model.units
    declared = [
        f"{kind} {getattr(units, kind)}" for kind in ("length", "angle", "mass", "time") if getattr(units, kind)
    ]
    out = [("moves", AMBIENTS[model.dimension].words)]
    out.append(("units", ", ".join(declared) or "none declared; angles in rad"))
    if model.gravity is not None:
        out.append(("gravity", vector(model.gravity)))
    return out


def _bodies(model: Model) -> Markup:
    flat = model.dimension == 2
    rows = []
    for body in model.bodies.values():
        moves = body.name != GROUND
        place = vector(body.position) if moves and body.position else ""
        turned = angle_words(model, body.angle) if moves and flat else _orientation(body) if moves else ""
        points = Markup("<br>".join(f"{html(name)} {vector(at)}" for name, at in body.points.items()))
        rows.append((body.name, points, place, turned, *_mass(body)))
    unit = f" [{model.units.length or 'm'}]" if model.units.declared else ""
    turn = f"angle [{model.units.angle or 'rad'}]" if model.units.declared else "angle"
    head = ("body", f"points, in its axes{unit}", f"estimate{unit}", turn if flat else "orientation")
    return table((*head, "mass", "inertia", "centre of mass", "shape"), rows)


def _orientation(body: Body) -> str:
    return vector(body.orientation) if body.orientation and body.position else ""


def _mass(body: Body) -> tuple[Any, ...]:
    inertia = (
        "" if body.inertia is None else number(body.inertia[0]) if len(body.inertia) == 1 else vector(body.inertia)
    )
    shape = ""
    if body.shape is not None:
        shape = f"{body.shape.kind}, " + ", ".join(f"{key} {number(size)}" for key, size in body.shape.sizes.items())
    return body.mass, inertia, vector(body.center) if body.center else "", shape


def _joints(model: Model) -> Markup:
    rows = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        free = ", ".join(element.freedoms) or ("none of its own" if element.couples else "none")
        rows.append((joint.name, joint.kind, " – ".join(joint.between), option_words(model, element, joint), free))
    return table(("joint", "type", "between", "with", "free"), rows)


def _drivers(model: Model) -> Markup:
    rows = []
    for driver in model.drivers.values():
        of = driver.of if isinstance(driver.of, str) else f"distance {driver.of[0]} – {driver.of[1]}"
        rows.append((driver.name, of, driver.motion.words))
    return table(("driver", "moves", "by f(t) ="), rows)


def _measured(model: Model) -> Markup:
    """What was smoothed and filled in, of laws that are made of samples."""
    rows = [(name, Markup("<br>".join(map(html, note_words(notes))))) for name, notes in law_notes(model).items()]
    return table(("law", "what was done to its data"), rows)


def _forces(model: Model) -> Markup:
    rows, known = [], loads_of(model.dimension)
    for force in model.forces.values():
        rows.append((force.name, force.kind, " – ".join(force.on), option_words(model, known[force.kind], force)))
    return table(("force", "type", "on", "with"), rows)


def _points(model: Model) -> Markup:
    return table(("point", "body", "at, in its axes"), [(p.name, p.body, vector(p.at)) for p in model.points.values()])


def _initial(model: Model) -> Markup:
    def told(start: Initial, rates: bool) -> str:
        values = start.v if rates else start.q
        holds = holds_of(model, model.joints[start.joint], rates)
        factor = {"angle": model.units.angle_factor()}
        return vector([x / factor.get(kind, 1.0) for x, kind in zip(values, holds, strict=True)]) if values else "0"

    rows = [(start.joint, told(start, False), told(start, True)) for start in model.initial.values()]
    return table(("joint", "coordinates q", "rates q̇"), rows)
