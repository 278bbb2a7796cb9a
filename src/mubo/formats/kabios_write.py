"""A model as a KABIOS text file, or the reason why that format cannot hold it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mubo.errors import ModelError
from mubo.formats.atomic import write_text
from mubo.formats.kabios import COORDINATES
from mubo.model import GROUND, Driver, Joint, Model, check, target_of
from mubo.motion import Polynomial, Table

_SECTIONS = {"revolute": "c", "translational": "d", "ground": "e", "coordinate": "f"}


def write_kabios(model: Model, path: Path) -> None:
    """Writes counts and records, with the manual's label letters."""
    problems = [str(p) for p in check(model)] or _unfit(model)
    if problems:
        raise ModelError(f"{path} cannot hold this model:\n" + "\n".join(problems))
    names = _bodies(model)
    number = {name: str(k) for k, name in enumerate(names, 1)}
    joints = {kind: [j for j in model.joints.values() if j.kind == kind] for kind in _SECTIONS}
    guides = [d for d in model.drivers.values() if isinstance(d.motion, Table)]
    drivers = [d for d in model.drivers.values() if not isinstance(d.motion, Table)]
    grounds = [[number[GROUND]]] if GROUND in number else []
    grounds += [[number[j.between[0]]] for j in joints["ground"]]
    samples = _samples(guides)
    sections: list[tuple[str, list[list[str]]]] = [
        ("b", [_numbers(*model.bodies[n].position, model.bodies[n].angle) for n in names]),
        ("c", [_joint(model, j, number) for j in joints["revolute"]]),
        ("d", [_joint(model, j, number) for j in joints["translational"]]),
        ("e", grounds),
        ("f", [_of(j.between[0], number) for j in joints["coordinate"]]),
        ("g", [_of(d.of, number) + _numbers(*(_parabola(model, d) or ())) for d in drivers]),
        ("h", [[number[p.body], *_numbers(*p.at)] for p in model.points.values()]),
        ("i", [_of(d.of, number) for d in guides]),
        ("", samples),
    ]
    size = {label: len(lines) for label, lines in sections}
    counts = [
        size["b"],
        size["c"],
        size["d"],
        size["e"],
        size["f"],
        size["g"],
        size["h"],
        size["i"],
        size[""],
    ]
    analysis = model.analysis
    times = [_numbers(analysis.start, analysis.end, analysis.step)] if analysis else []
    lines = [f"{' '.join(map(str, counts))} (a)"]
    for label, records in [*sections, ("j", times)]:
        lines += [" ".join(record) + (f" ({label})" if label else "") for record in records]
    write_text(path, "\n".join(lines) + "\n")


def _bodies(model: Model) -> list[str]:
    """Bodies in the order of their numbers; the ground counts only where something refers to it."""
    used = any(r.startswith(GROUND + ".") for j in model.joints.values() for r in j.between)
    used |= any(p.body == GROUND for p in model.points.values())
    return [name for name in model.bodies if name != GROUND or used]


def _unfit(model: Model) -> list[str]:
    """What the format has no words for."""
    out = [f"joint {j.name}: KABIOS has no {j.kind} joint" for j in model.joints.values() if j.kind not in _SECTIONS]
    out += [f"joint {j.name}: a KABIOS joint has two bodies" for j in model.joints.values() if len(j.between) > 2]
    for driver in model.drivers.values():
        if not isinstance(driver.motion, Table) and _parabola(model, driver) is None:
            out.append(f"driver {driver.name}: KABIOS drivers are position + velocity t + acceleration t²/2")
        if target_of(model, driver.of).element.name != "body_coordinate":
            out.append(f"driver {driver.name}: KABIOS drives x, y or phi of a body")
    times = {d.motion.time for d in model.drivers.values() if isinstance(d.motion, Table)}
    if len(times) > 1:
        out.append("guides of a KABIOS file share their sample times; these do not")
    if model.analysis is None:
        out.append("KABIOS needs start, end and step: give the model an [analysis]")
    return out


def _parabola(model: Model, driver: Driver) -> tuple[float, float, float] | None:
    """Position, velocity and acceleration of a law that is a parabola in t, else None."""
    factor = model.units.angle_factor() if target_of(model, driver.of).holds == "angle" else 1.0
    if isinstance(driver.motion, Polynomial):
        c = (*driver.motion.coefficients, 0.0, 0.0, 0.0)
        if any(c[3:]):
            return None
        return c[0] * factor, c[1] * factor, 2 * c[2] * factor
    t = np.linspace(0.0, 3.0, 13)
    f, rate, bend = driver.motion(t)[0] * factor
    if not np.allclose(driver.motion(t)[:, 0] * factor, f + rate * t + bend * t**2 / 2, rtol=1e-14, atol=1e-14):
        return None
    return float(f), float(rate), float(bend)


def _joint(model: Model, joint: Joint, number: dict[str, str]) -> list[str]:
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    axis = joint.options.get("axis")
    along = (at[0] + axis[0], at[1] + axis[1]) if axis else ()
    return [number[first], number[second], *_numbers(*at, *along, *on)]


def _of(reference: str | tuple[str, str], number: dict[str, str]) -> list[str]:
    body, _, coordinate = str(reference).partition(".")
    return [number[body], str(COORDINATES.index(coordinate) + 1)]


def _samples(guides: Sequence[Driver]) -> list[list[str]]:
    if not guides:
        return []
    tables = [d.motion for d in guides if isinstance(d.motion, Table)]
    return [_numbers(*line) for line in zip(tables[0].time, *(t.value for t in tables), strict=True)]


def _numbers(*values: float) -> list[str]:
    return [repr(float(value)) for value in values]
