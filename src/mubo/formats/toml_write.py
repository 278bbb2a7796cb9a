"""A model as a native file that reads back to the same model."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from mubo.elements import Element, Option, loads_of
from mubo.errors import ModelError
from mubo.formats.atomic import write_text
from mubo.formats.motion_file import inline, quoted, write_motion
from mubo.formats.toml_details import detail_blocks, segment_text, subject_block
from mubo.formats.toml_optimize import optimize_block
from mubo.formats.toml_tolerances import tolerances_block
from mubo.geometry.shapes import FLAT, Shape
from mubo.laws.dependent import Dependent, written
from mubo.model import GROUND, Body, Force, Joint, Measure, ModelDefinition, Watch
from mubo.model.bodies import STIFFNESS
from mubo.model.coordinates import holds_at, holds_of
from mubo.model.event_target import watched_column
from mubo.model.options import measured


def write_toml(model: ModelDefinition, path: Path) -> None:
    """Writes every part; angles in radians carry their unit where the model declares another."""
    write_text(path, toml_text(model, path.name))


def toml_text(model: ModelDefinition, target: str) -> str:
    """The text of the file."""
    _require_texts(model, target)
    blocks = [f"name = {quoted(model.name)}"]
    if model.units.declared:
        blocks[0] += "\nunits = { " + ", ".join(f'{k} = "{v}"' for k, v in model.units.words_of_file.items()) + " }"
    if model.dimension == 3:
        blocks[0] += "\ndimension = 3"
    if model.gravity is not None:
        blocks[0] += f"\ngravity = {_value(model.gravity)}"
    if model.parameters:
        lines = (f"{name} = {inline(entry.text or entry.value)}" for name, entry in model.parameters.items())
        blocks.append("\n".join(["[parameters]", *lines]))
    blocks += subject_block(model, _value, _mass)
    blocks += tolerances_block(model)
    blocks += [_body(model, body) for body in model.bodies.values() if body.name != GROUND or body.points]
    blocks += [_joint(model, joint) for joint in model.joints.values()]
    for driver in model.drivers.values():
        try:
            motion = write_motion(driver.motion)
        except ModelError as error:
            raise ModelError(f"{target}: driver {driver.name}: {error}", names=[driver.name]) from None
        start = f"\nstart = {quoted(driver.start)}" if driver.start else ""
        blocks.append(f"[driver.{driver.name}]\n{_of(driver.of)}\nmotion = {motion}{start}")
    blocks += [_force(model, force) for force in model.forces.values()]
    for point in model.points.values():
        blocks.append(f'[point.{point.name}]\nbody = "{point.body}"\nat = {_value(point.at)}')
    blocks += [_measure(measure) for measure in model.measures.values()]
    blocks += [f"[measure.{name}]\nnumber = {quoted(one.text)}" for name, one in model.objectives.items()]
    names = dict.fromkeys([*model.initial, *model.initial_bodies])
    blocks += [_initial(model, name) for name in names]
    blocks += [_event(model, watch) for watch in model.events.values()]
    blocks += detail_blocks(model, _value, _mass)
    if model.analysis:
        a = model.analysis
        text = (
            f'[analysis]\ntype = "{a.type}"\nstart = {_value(a.start)}\nend = {_value(a.end)}\nstep = {_value(a.step)}'
        )
        text += "".join(f"\n{k} = {_value(getattr(a, k))}" for k in ("rtol", "atol") if getattr(a, k) is not None)
        text += "\nreverse = true" if a.reverse else ""
        blocks.append(text + (f"\nmethod = {quoted(a.method)}" if a.method else ""))
    if model.optimization is not None:
        blocks.append(optimize_block(model.optimization))
    return "\n\n".join(blocks) + "\n"


def _require_texts(model: ModelDefinition, target: str) -> None:
    """Refuses numbers computed from parameters whose formula would read back as another number."""
    for place, number in model.dependents.items():
        placed = place[0] == "body" and place[3:4] and place[3] in model.bodies[place[1]].figure.get("places", ())
        if number.text or placed:
            continue
        tree, _ = model.parameters.expression(ast.unparse(number.tree))
        if Dependent.of(tree, number.scope, "") != number:
            raise ModelError(
                f"{target}: {' '.join(place[:2])}: {place[2]} follows from angles of parameters in a way no text says",
                suggestion="Write it as an expression of the parameters.",
            )


def _body(model: ModelDefinition, body: Body) -> str:
    lines = [f"[body.{body.name}]"]
    if body.name != GROUND:
        if body.position:
            lines.append(f"position = {_value(body.position)}")
        if model.dimension == 2:
            lines.append(f"angle = {_angle(model, body.angle)}")
        elif body.orientation:
            lines.append(f"orientation = {_value(body.orientation)}")
        if body.shape is not None:
            lines.append(f"shape = {_shape(body.shape, model.dimension)}")
        if body.mass is not None:
            lines.append(f"mass = {_mass(model, body.mass)}")
        if body.density is not None:
            lines.append(f"density = {_mass(model, body.density, '/length^3')}")
        if body.inertia is not None:
            inertia = [_mass(model, x, "*length^2") for x in body.inertia]
            lines.append(f"inertia = {inertia[0] if len(inertia) == 1 else '[' + ', '.join(inertia) + ']'}")
        if body.center:
            lines.append(f"center = {_value(body.center)}")
        if body.segment is not None:
            lines.append(f"segment = {segment_text(body.segment)}")
        for key in STIFFNESS:
            if getattr(body, key) is not None:
                lines.append(f"{key} = {_value(getattr(body, key))}")
        if body.added:
            lines.append(
                "added_masses = { " + ", ".join(f"{k} = {_mass(model, v)}" for k, v in body.added.items()) + " }"
            )
    lines += _figure(body, model)
    return "\n".join(lines)


def _figure(body: Body, model: ModelDefinition) -> list[str]:
    """Its points: those that a kept figure places by their lengths and angles, others by coordinates."""
    lines = []
    for key, turns in (("lengths", False), ("angles", True)):
        if table := body.figure.get(key):
            words = (f'"{name}" = {_angle(model, size) if turns else _value(size)}' for name, size in table.items())
            lines.append(f"{key} = {{ {', '.join(words)} }}")
    if body.figure.get("right"):
        lines.append(f"right = {_value(tuple(body.figure['right']))}")
    points = {name: at for name, at in body.points.items() if name not in body.figure.get("places", ())}
    if points:
        lines.append("points = { " + ", ".join(f"{k} = {_value(v)}" for k, v in points.items()) + " }")
    return lines


def _shape(shape: Shape, dimension: int) -> str:
    words = [f'kind = "{shape.kind}"', *(f"{k} = {_value(v)}" for k, v in shape.sizes.items())]
    if dimension == 3 and shape.kind not in ("box", "sphere"):
        words.append(f'along = "{shape.along}"')
    if shape.on:
        words.append(f"{FLAT[shape.kind][2]} = {_value(shape.on if len(shape.on) > 1 else shape.on[0])}")
    return "{ " + ", ".join(words) + " }"


def _joint(model: ModelDefinition, joint: Joint) -> str:
    element = model.kinds[joint.kind]
    lines = [f"[joint.{joint.name}]", f'type = "{joint.kind}"']
    quoted = ", ".join(f'"{reference}"' for reference in joint.between)
    lines.append(f"{element.key} = [{quoted}]" if element.key == "between" else f"{element.key} = {quoted}")
    for option in element.options:
        if option.name in joint.options:
            value = joint.options[option.name]
            turns = option.holds == "angle" or (option.holds == "coordinate" and joint.between[0].endswith(".phi"))
            text = write_motion(value) if option.holds == "law" else _angle(model, value) if turns else _value(value)
            lines.append(f"{option.name} = {text}")
    return "\n".join(lines)


def _force(model: ModelDefinition, force: Force) -> str:
    element = loads_of(model.dimension)[force.kind]
    on = ", ".join(quoted(reference) for reference in force.on)
    lines = [f"[force.{force.name}]", f'type = "{force.kind}"']
    lines.append(f"{element.key} = [{on}]" if element.key == "between" else f"{element.key} = {on}")
    for option in element.options:
        if option.name in force.options:
            value = force.options[option.name]
            lines.append(f"{option.name} = {_load_option(model, element, force, option, value)}")
    return "\n".join(lines)


def _load_option(model: ModelDefinition, element: Element, force: Force, option: Option, value: Any) -> str:
    of = holds_at(model, force.on[0]) if element.key == "of" else ""
    if option.holds == "law":
        try:
            return write_motion(value)
        except ModelError as error:
            raise ModelError(f"force {force.name}: {error}", names=[force.name]) from None
    if option.holds == "angle" or (option.holds == "coordinate" and of == "angle"):
        return _angle(model, value)
    return _angle(model, value, rate=True) if measured(option, of) == "angle/time" else _value(value)


def _measure(measure: Measure) -> str:
    on = ", ".join(quoted(reference) for reference in measure.on)
    turns = f"\nturns = {measure.turns}" if measure.turns else ""
    return f"[measure.{measure.name}]\n{measure.key} = {on if measure.key in ('of', 'value') else f'[{on}]'}{turns}"


def _initial(model: ModelDefinition, name: str) -> str:
    """Initial conditions of the joint and of the body of this name."""
    joint, body = model.initial.get(name), model.initial_bodies.get(name)
    entries: list[tuple[str, tuple[float, ...], tuple[str, ...]]] = []
    if joint is not None:
        holds = (holds_of(model, model.joints[name], rates) for rates in (False, True))
        entries += zip("qv", (joint.q, joint.v), holds, strict=True)
    if body is not None:
        parts = ("position", "orientation", "velocity", "omega")
        entries += [(key, getattr(body, key), ("angle" if key == "omega" else "",) * 4) for key in parts]
        entries += [("angle", (body.angle,), ("angle",))] if body.angle is not None else []
    lines = [f"[initial.{name}]"]
    for key, values, holds_each in entries:
        pairs, rate = zip(values, holds_each, strict=False), key in ("v", "velocity", "omega")
        text = ", ".join(_angle(model, x, rate) if kind == "angle" else _value(x) for x, kind in pairs)
        lines += [f"{key} = {text if key == 'angle' else f'[{text}]'}"] * bool(values)
    return "\n".join(lines)


def _event(model: ModelDefinition, watch: Watch) -> str:
    column = watched_column(model, watch.of)
    value = _angle(model, watch.value, column.order == 1) if column.holds == "angle" else _value(watch.value)
    lines = [f"[event.{watch.name}]", f'of = "{watch.of}"', f"value = {value}", f'direction = "{watch.direction}"']
    return "\n".join([*lines, f"stop = {str(watch.stop).lower()}"])


def _angle(model: ModelDefinition, value: float, rate: bool = False) -> str:
    """Radians as a plain number where that is how it is read, else with the unit, so that no digit is lost."""
    if isinstance(value, Dependent):
        return _value(value)
    per = f"/{model.units.time or 's'}" if rate else ""
    return repr(value) if model.units.angle_factor() == 1.0 else f'"{value!r} rad{per}"'


def _mass(model: ModelDefinition, value: float, more: str = "") -> str:
    """A mass, density or inertia as a plain number where that reads back to the same digits, else with its unit."""
    if isinstance(value, Dependent):
        return _value(value)
    factor, units = model.units.mass_factor(), model.units
    if value / factor * factor == value:
        return repr(value / factor)
    return f'"{value!r} {units.held_mass}{more.replace("length", units.length or "m")}"'


def _of(of: str | tuple[str, str]) -> str:
    return f'of = "{of}"' if isinstance(of, str) else f'between = ["{of[0]}", "{of[1]}"]'


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, Dependent) and not value.text:
        return quoted(ast.unparse(value.tree))
    return quoted(value) if isinstance(value, str) else inline(written(value))
