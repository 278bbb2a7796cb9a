"""A model as a KABIOS text file, or the reason why that format cannot hold it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mubo.errors import ModelError
from mubo.formats.files import write_text
from mubo.formats.kabios_records import COORDINATES
from mubo.laws import Smoothing
from mubo.laws.law import breaks_of
from mubo.laws.smoothing import smoothing_of
from mubo.model import GROUND, Driver, Joint, ModelDefinition, check, target_of

_SECTIONS = {"revolute": "c", "translational": "d", "ground": "e", "coordinate": "f"}


def write_kabios(model: ModelDefinition, path: Path) -> None:
    """Writes counts and records, with the manual's label letters."""
    flat = [] if model.dimension == 2 else ["KABIOS models lie in a plane; this one is in space"]
    problems = flat or [str(p) for p in check(model)] or _unfit(model)
    if problems:
        raise ModelError(f"{path} cannot hold this model:\n" + "\n".join(problems))
    sections = _sections(model)
    asked = model.output_times()
    times = [_numbers(asked.start, asked.end, asked.step)]
    lines = [f"{' '.join(str(len(records)) for _, records in sections)} (a)"]
    for label, records in [*sections, ("j", times)]:
        lines += [" ".join(record) + (f" ({label})" if label else "") for record in records]
    write_text(path, "\n".join(lines) + "\n")
    left = ["masses"] if any(body.weighs for body in model.bodies.values()) else []
    left += ["gravity"] if model.gravity is not None else []
    left += [f"force {name}" for name in model.forces]
    left += [f"measure {name}" for name in model.measures]
    if left:
        warnings.warn(f"{path.name} does not hold: {'; '.join(left)}", stacklevel=4)


def _sections(model: ModelDefinition) -> list[tuple[str, list[list[str]]]]:
    """The records under their letters, in the order of the counts of line (a)."""
    names = _bodies(model)
    number = {name: str(k) for k, name in enumerate(names, 1)}
    joints = {kind: [j for j in model.joints.values() if j.kind == kind] for kind in _SECTIONS}
    guides = [d for d in model.drivers.values() if d.motion.samples]
    drivers = [d for d in model.drivers.values() if not d.motion.samples]
    grounds = [[number[GROUND]]] if GROUND in number else []
    grounds += [[number[j.between[0]]] for j in joints["ground"]]
    return [
        ("b", [_numbers(*model.bodies[n].position, model.bodies[n].angle) for n in names]),
        ("c", [_joint(model, j, number) for j in joints["revolute"]]),
        ("d", [_joint(model, j, number) for j in joints["translational"]]),
        ("e", grounds),
        ("f", [_of(j.between[0], number) for j in joints["coordinate"]]),
        ("g", [_of(d.of, number) + _numbers(*(_parabola(model, d) or ())) for d in drivers]),
        ("h", [[number[p.body], *_numbers(*p.at)] for p in model.points.values()]),
        ("i", [_of(d.of, number) for d in guides]),
        ("", _samples(model, guides)),
    ]


def _bodies(model: ModelDefinition) -> list[str]:
    """Bodies in the order of their numbers; the ground counts only where something refers to it."""
    used = any(r.startswith(GROUND + ".") for j in model.joints.values() for r in j.between)
    used |= any(p.body == GROUND for p in model.points.values())
    return [name for name in model.bodies if name != GROUND or used]


def _unfit(model: ModelDefinition) -> list[str]:
    """The parts of a model that the format cannot express."""
    out = [f"joint {j.name}: KABIOS has no {j.kind} joint" for j in model.joints.values() if j.kind not in _SECTIONS]
    out += [f"joint {j.name}: a KABIOS joint has two bodies" for j in model.joints.values() if len(j.between) > 2]
    for driver in model.drivers.values():
        if not driver.motion.samples and _parabola(model, driver) is None:
            out.append(f"driver {driver.name}: KABIOS drivers are position + velocity t + acceleration t²/2")
        if driver.start:
            out.append(f"driver {driver.name}: starts {driver.start}, which KABIOS cannot say: write its value")
        if target_of(model, driver.of).element.name != "body_coordinate":
            out.append(f"driver {driver.name}: KABIOS drives x, y or phi of a body")
    out += _not_estimated(model)
    for driver in model.drivers.values():
        if driver.motion.samples and smoothing_of(driver.motion.samples.smooth) != Smoothing("cubic", "gcv"):
            how = smoothing_of(driver.motion.samples.smooth).description
            out.append(f"driver {driver.name}: KABIOS smooths guides by cross-validation; this one has: {how}")
    rows = {"revolute": 2, "translational": 2, "coordinate": 1}
    moving = 3 * sum(name != GROUND and not _grounded(model, name) for name in model.bodies)
    equations = sum(rows.get(j.kind, 0) for j in model.joints.values()) + len(model.drivers)
    if moving != equations:
        out.append(
            f"KABIOS needs as many equations as coordinates; without the ground there are {equations} and {moving}"
        )
    times = {d.motion.samples.time for d in model.drivers.values() if d.motion.samples}
    if len(times) > 1:
        out.append("guides of a KABIOS file share their sample times; these do not")
    if model.analysis is None:
        out.append("KABIOS needs start, end and step: give the model an [analysis]")
    return out


def _parabola(model: ModelDefinition, driver: Driver) -> tuple[float, float, float] | None:
    """Position, velocity and acceleration of a law that is a parabola in t, else None."""
    factor = model.units.angle_factor() if target_of(model, driver.of).holds == "angle" else 1.0
    if driver.motion.powers is not None:
        c = (*driver.motion.powers, 0.0, 0.0, 0.0)
        if any(c[3:]):
            return None
        return c[0] * factor, c[1] * factor, 2 * c[2] * factor
    asked = model.output_times(without_end="start")
    start, end = (asked.start, asked.end) if model.analysis else (0.0, 1.0)
    t = np.linspace(min(start, 0.0), max(end, start + 1e-9), 401)
    f, rate, bend = driver.motion(np.zeros(1))[0] * factor
    if len(breaks_of(driver.motion, float(t[0]), float(t[-1]))) or not np.allclose(
        driver.motion(t)[:, 0] * factor, f + rate * t + bend * t**2 / 2, rtol=1e-14, atol=1e-14
    ):
        return None
    return float(f), float(rate), float(bend)


def _grounded(model: ModelDefinition, body: str) -> bool:
    return any(j.kind == "ground" and j.between[0] == body for j in model.joints.values())


def _not_estimated(model: ModelDefinition) -> list[str]:
    """Lists locked coordinates and slider angles other than the estimates, from which KABIOS takes them."""
    out = []
    for joint in model.joints.values():
        bodies = [model.bodies[reference.partition(".")[0]] for reference in joint.between]
        if joint.kind == "translational" and "angle" in joint.options:
            estimate, given, what = bodies[1].angle - bodies[0].angle, joint.options["angle"], "angle"
        elif joint.kind == "coordinate" and "value" in joint.options:
            pose = dict(zip(COORDINATES, (*bodies[0].position, bodies[0].angle), strict=True))
            estimate, given, what = pose[joint.between[0].partition(".")[2]], joint.options["value"], "value"
        else:
            continue
        if abs(estimate - given) > 1e-12 * max(1.0, abs(given)):
            out.append(
                f"joint {joint.name}: KABIOS takes its {what} from the estimates, which say {estimate:g}, not {given:g}"
            )
    return out


def _joint(model: ModelDefinition, joint: Joint, number: dict[str, str]) -> list[str]:
    (first, at), (second, on) = (model.place(reference) for reference in joint.between)
    axis = joint.options.get("axis")
    along = (at[0] + axis[0], at[1] + axis[1]) if axis else ()
    return [number[first], number[second], *_numbers(*at, *along, *on)]


def _of(reference: str | tuple[str, str], number: dict[str, str]) -> list[str]:
    body, _, coordinate = str(reference).partition(".")
    return [number[body], str(COORDINATES.index(coordinate) + 1)]


def _samples(model: ModelDefinition, guides: Sequence[Driver]) -> list[list[str]]:
    """Lines of time and values, angles in radians."""
    columns: list[Sequence[float]] = []
    for driver in guides:
        samples = driver.motion.samples
        if samples:
            factor = model.units.angle_factor() if target_of(model, driver.of).holds == "angle" else 1.0
            columns = columns or [samples.time]
            columns.append([value * factor for value in samples.value])
    return [_numbers(*line) for line in zip(*columns, strict=True)]


def _numbers(*values: float) -> list[str]:
    return [repr(float(value)) for value in values]
