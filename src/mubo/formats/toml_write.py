"""A model as a native file that reads back to the same model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mubo.elements import JOINTS
from mubo.errors import ModelError
from mubo.formats.atomic import write_text
from mubo.formats.motion_file import quoted, write_motion
from mubo.model import GROUND, Body, Joint, Model


def write_toml(model: Model, path: Path) -> None:
    """Writes every part; angles in radians carry their unit where the model declares another."""
    write_text(path, toml_text(model, path.name))


def toml_text(model: Model, target: str) -> str:
    """The text of the file."""
    blocks = [f"name = {quoted(model.name)}"]
    declared = {k: getattr(model.units, k) for k in ("length", "angle", "mass", "time") if getattr(model.units, k)}
    if declared:
        blocks[0] += "\nunits = { " + ", ".join(f'{k} = "{v}"' for k, v in declared.items()) + " }"
    blocks += [_body(model, body) for body in model.bodies.values() if body.name != GROUND or body.points]
    blocks += [_joint(model, joint) for joint in model.joints.values()]
    for driver in model.drivers.values():
        try:
            motion = write_motion(driver.motion)
        except ModelError as error:
            raise ModelError(f"{target}: driver {driver.name}: {error}", names=[driver.name]) from None
        blocks.append(f"[driver.{driver.name}]\n{_of(driver.of)}\nmotion = {motion}")
    for point in model.points.values():
        blocks.append(f'[point.{point.name}]\nbody = "{point.body}"\nat = {_value(point.at)}')
    if model.analysis:
        a = model.analysis
        blocks.append(f'[analysis]\ntype = "{a.type}"\nstart = {a.start!r}\nend = {a.end!r}\nstep = {a.step!r}')
    return "\n\n".join(blocks) + "\n"


def _body(model: Model, body: Body) -> str:
    lines = [f"[body.{body.name}]"]
    if body.name != GROUND:
        lines += [f"position = {_value(body.position)}", f"angle = {_angle(model, body.angle)}"]
    if body.points:
        lines.append("points = { " + ", ".join(f"{k} = {_value(v)}" for k, v in body.points.items()) + " }")
    return "\n".join(lines)


def _joint(model: Model, joint: Joint) -> str:
    element = JOINTS[joint.kind]
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


def _angle(model: Model, value: float) -> str:
    """Radians as a plain number where that is how it is read, else with the unit, so that no digit is lost."""
    return repr(value) if model.units.angle_factor() == 1.0 else f'"{value!r} rad"'


def _of(of: str | tuple[str, str]) -> str:
    return f'of = "{of}"' if isinstance(of, str) else f'between = ["{of[0]}", "{of[1]}"]'


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return quoted(value) if isinstance(value, str) else repr(float(value))
