"""A model as the tables of a native file, which read back to the same model; and these as TOML."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mubo.elements import TABLES, Element, Option, TableSchema, loads_of
from mubo.elements.details import MATERIAL, SUBJECT
from mubo.errors import ModelError
from mubo.formats.files import write_text
from mubo.formats.motion_file import inline, key_text
from mubo.geometry import UNIT
from mubo.geometry.shapes import FLAT, Shape
from mubo.laws.dependent import Dependent, written
from mubo.model import GROUND, Body, EventDefinition, Force, Joint, ModelDefinition
from mubo.model.coordinates import CENTER, holds_at, holds_of
from mubo.model.event_target import kind_of_value, watched_column
from mubo.model.mass import INERTIA
from mubo.model.options import measured
from mubo.model.parts import Analysis, Detail, Driver
from mubo.model.tables import BODY, STIFFNESS, TOP, file_tables
from mubo.quantities.coherent_units import CoherentUnits
from mubo.quantities.output_times import Travel
from mubo.quantities.unit_algebra import powers_of
from mubo.studies import STUDIES

Entry = dict[str, Any]


def write_toml(model: ModelDefinition, path: Path) -> None:
    """Writes every part; angles in radians carry their unit where the model declares another."""
    write_text(path, toml_text(model, path.name))


def toml_text(model: ModelDefinition, target: str) -> str:
    """The text of the file: plain keys first, then a block for every table."""
    single = {table.name for table in file_tables().values() if table.single}
    tables = native_tables(model, target)
    top = [option.name for option in TOP]
    blocks = ["\n".join(f"{key} = {inline(tables[key])}" for key in top if key in tables)]
    for name, entries in tables.items():
        if name not in top:
            listed = {name: entries} if name in single else {f"{name}.{key}": entry for key, entry in entries.items()}
            blocks += ["\n".join([f"[{header}]", *_lines(entry)]) for header, entry in listed.items()]
    return "\n\n".join(blocks) + "\n"


def _lines(entry: Entry) -> list[str]:
    return [f"{key_text(key)} = {inline(value)}" for key, value in entry.items()]


def native_tables(model: ModelDefinition, target: str) -> dict[str, Any]:
    """The tables of the file, in order, of texts, numbers, lists and tables alone; those without an entry left out."""
    _require_texts(model, target)
    asked = model.optimization
    tables: dict[str, Any] = {
        "name": model.name,
        "units": model.units.file_entry if model.units.declared else None,
        "dimension": 3 if model.dimension == 3 else None,
        "gravity": None if model.gravity is None else _numbers(model, model.gravity, "length/time^2"),
        "parameters": {name: entry.text or entry.value for name, entry in model.parameters.items()},
        "subject": None if model.subject is None else _options(model, SUBJECT, model.subject.options),
        "tolerances": {name: entry.to_file() for name, entry in model.tolerances.items()},
        "body": {b.name: _body(model, b) for b in model.bodies.values() if b.name != GROUND or b.points},
        "joint": {joint.name: _joint(model, joint) for joint in model.joints.values()},
        "driver": {driver.name: _driver(driver, target) for driver in model.drivers.values()},
        "force": {force.name: _force(model, force) for force in model.forces.values()},
        "point": {
            point.name: {"body": point.body, "at": CENTER if point.centered else _plain(point.at)}
            for point in model.points.values()
        },
        "measure": {measure.name: measure.to_file() for measure in model.measures.values()},
        "initial": {name: _initial(model, name) for name in [*model.initial_joints, *model.initial_bodies]},
        "event": {event.name: _event(model, event) for event in model.events.values()},
        **{name: _details(model, table) for name, table in TABLES.items()},
        "analysis": None if model.analysis is None else _analysis(model.analysis),
        "optimize": None if asked is None else asked.to_file(),
    }
    tables["measure"] |= {name: {"number": one.text} for name, one in model.objectives.items()}
    return {name: entries for name, entries in tables.items() if entries not in (None, {})}


def _require_texts(model: ModelDefinition, target: str) -> None:
    """Refuses numbers computed from parameters whose formula would read back as another number."""
    for place, number in model.dependents.items():
        placed = place[0] == "body" and place[3:4] and place[3] in model.bodies[place[1]].figure.get("places", ())
        if number.text or placed:
            continue
        tree, _ = model.parameters.expression(ast.unparse(number.tree))
        if Dependent.from_tree(tree, number.scope, "") != number:
            raise ModelError(
                f"{target}: {' '.join(place[:2])}: {place[2]} depends on angles of parameters as no text can state",
                suggestion="Write it as an expression of the parameters.",
            )


def _body(model: ModelDefinition, body: Body) -> Entry:
    """The keys of a body; points that a kept figure places are written by their lengths and angles."""
    figure, fixed = body.figure, body.name == GROUND
    entry: Entry = {
        "position": _plain(body.position) if body.position and not fixed else None,
        "angle": _number(model, body.angle, "angle") if model.dimension == 2 and not fixed else None,
        "orientation": _plain(body.orientation) if model.dimension == 3 and body.orientation and not fixed else None,
        "points": {name: _plain(at) for name, at in body.points.items() if name not in figure.get("places", ())},
        "lengths": {name: _plain(size) for name, size in figure.get("lengths", {}).items()},
        "angles": {name: _number(model, size, "angle") for name, size in figure.get("angles", {}).items()},
        "right": list(figure.get("right", ())),
        "mass": None if body.mass is None else _number(model, body.mass, "mass"),
        "density": None if body.density is None else _number(model, body.density, "mass/length^3"),
        "center": _plain(body.center),
        "shape": None if body.shape is None else _shape(body.shape, model.dimension),
        "added_masses": {name: _number(model, mass, "mass") for name, mass in body.added.items()},
        "segment": None if body.segment is None else body.segment.to_file(),
        "inertia_check": None if body.inertia_check == "refuse" else body.inertia_check,
        **{
            key: _number(model, getattr(body, key), kind)
            for key, kind in STIFFNESS.items()
            if getattr(body, key) is not None
        },
    }
    if body.inertia is not None:
        inertia = _numbers(model, body.inertia, INERTIA)
        entry["inertia"] = inertia[0] if len(inertia) == 1 else inertia
    return {key: entry[key] for key in BODY.keys if entry.get(key) not in (None, {}, [])}


def _shape(shape: Shape, dimension: int) -> Entry:
    entry: Entry = {"kind": shape.kind, **{key: _plain(size) for key, size in shape.sizes.items()}}
    if dimension == 3 and shape.kind not in ("box", "sphere"):
        entry["along"] = shape.along
    if shape.at:
        entry["at"] = _plain(shape.at)
    if shape.turn != UNIT:
        entry["orientation"] = _plain(shape.turn)
    if shape.on:
        entry[FLAT[shape.kind][2]] = list(shape.on) if len(shape.on) > 1 else shape.on[0]
    return entry


def _joint(model: ModelDefinition, joint: Joint) -> Entry:
    of = "angle" if joint.between[0].endswith(".phi") else ""
    return _element(model, model.kinds[joint.kind], joint.between, joint.options, of)


def _force(model: ModelDefinition, force: Force) -> Entry:
    element = loads_of(model.dimension)[force.kind]
    of = holds_at(model, force.on[0]) if element.key == "of" else ""
    try:
        return _element(model, element, force.on, force.options, of)
    except ModelError as error:
        raise ModelError(f"force {force.name}: {error}", names=[force.name]) from None


def _element(
    model: ModelDefinition, element: Element, on: tuple[str, ...], options: Mapping[str, Any], of: str
) -> Entry:
    ends = list(on) if element.key == "between" else on[0]
    return {"type": element.name, element.key: ends, **_options(model, element, options, of)}


def _options(model: ModelDefinition, declared: Element | TableSchema, given: Mapping[str, Any], of: str = "") -> Entry:
    """Options in the order of their declaration, each so that it reads back to the same digits."""
    listed = [option for option in declared.options if option.name in given]
    return {option.name: _option(model, option, given[option.name], of) for option in listed}


def _option(model: ModelDefinition, option: Option, value: Any, of: str) -> Any:
    measures = measured(option, of)
    if isinstance(value, Detail):
        return _options(model, MATERIAL, value.options)
    if option.holds == "law":
        return value.to_file()
    if option.holds == "counts":
        return list(value)
    if option.holds == "angle" or (option.holds == "coordinate" and of == "angle"):
        return _number(model, value, "angle")
    if option.holds == "vector":
        return _numbers(model, value, measures)
    return _number(model, value, measures) if option.holds == "number" else _plain(value)


def _details(model: ModelDefinition, table: TableSchema) -> dict[str, Entry]:
    return {name: _options(model, table, detail.options) for name, detail in getattr(model, table.part).items()}


def _driver(driver: Driver, target: str) -> Entry:
    of: Entry = {"of": driver.of} if isinstance(driver.of, str) else {"between": list(driver.of)}
    try:
        motion = driver.motion.to_file()
    except ModelError as error:
        raise ModelError(f"{target}: driver {driver.name}: {error}", names=[driver.name]) from None
    return {**of, "motion": motion, **({"start": driver.start} if driver.start else {})}


def _initial(model: ModelDefinition, name: str) -> Entry:
    """Initial conditions of the joint and of the body of this name."""
    joint, body = model.initial_joints.get(name), model.initial_bodies.get(name)
    entry: Entry = {}
    if joint is not None:
        for key, values in (("q", joint.q), ("v", joint.v)):
            kinds, per = holds_of(model, model.joints[name], key == "v"), "/time" * (key == "v")
            entry[key] = [_number(model, x, kind + per) for x, kind in zip(values, kinds, strict=False)]
    if body is not None:
        entry |= {key: _plain(getattr(body, key)) for key in ("position", "orientation")}
        entry["velocity"] = _numbers(model, body.velocity, "length/time")
        entry["omega"] = _numbers(model, body.omega, "angle/time")
        entry |= {} if body.angle is None else {"angle": _number(model, body.angle, "angle")}
    return {key: value for key, value in entry.items() if value != []}


def _event(model: ModelDefinition, event: EventDefinition) -> Entry:
    value = _number(model, event.value, kind_of_value(watched_column(model, event.of)))
    return {"of": event.of, "value": value, "direction": event.direction, "stop": event.stop}


def _analysis(asked: Analysis) -> Entry:
    known = [key for key in STUDIES[asked.type].options if key in asked.options]
    return {"type": asked.type, **{key: _asked_value(asked.options[key]) for key in known}}


def _asked_value(value: Any) -> Any:
    """A value of [analysis]: what a driver travels as it was written."""
    if isinstance(value, tuple):
        return [_asked_value(one) for one in value]
    if isinstance(value, Travel):
        return value.text or _plain(value.value)
    return value if isinstance(value, bool) else _plain(value)


def _numbers(model: ModelDefinition, values: Iterable[float], kind: str) -> list[float | str]:
    return [_number(model, value, kind) for value in values]


def _number(model: ModelDefinition, value: float, kind: str) -> float | str:
    """A number as it is read in the model's units where that gives the same digits, else with the internal unit."""
    units = model.units
    factor = units.factor(kind)
    if isinstance(value, Dependent) or factor == 1.0:
        return _plain(value)  # type: ignore[no-any-return]
    if value / factor * factor == value:
        return value / factor
    powers = dict(powers_of(kind))
    masses = powers.pop("mass", 0)
    inner = CoherentUnits(length=units.length, time=units.time).product_label(powers)
    if not powers and not masses:
        return value
    return f"{value!r} {inner}" if not masses else f"{value!r} {units.mass_unit}" + (f" {inner}" if powers else "")


def _plain(value: Any) -> Any:
    """Tuples as lists, and numbers that follow from parameters as their expressions."""
    if isinstance(value, tuple):
        return [_plain(x) for x in value]
    if isinstance(value, Dependent) and not value.text:
        return ast.unparse(value.tree)
    return value if isinstance(value, str) else written(value)
