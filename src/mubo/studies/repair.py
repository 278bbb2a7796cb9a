"""The smallest repair of a model whose motion is not determined: proposed, and tried before it is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mubo.elements import JOINTS
from mubo.errors import MuboError
from mubo.model import GROUND, Driver, Joint, Model, target_of
from mubo.motion import Polynomial
from mubo.studies.diagnose import Diagnosis
from mubo.studies.inspect import Inspection, inspect

WORDS = {"fixed": "weld", "revolute": "pin", "translational": "slider", "slot": "slot"}
MOST_TRIES = 40


@dataclass(frozen=True)
class Repair:
    """What to do, and what the mechanism is then."""

    text: str
    mobility: int

    def __str__(self) -> str:
        return f"Tried: {self.text}: mobility becomes {self.mobility}, solved."


def smallest_repair(look: Inspection, time: float) -> Repair | None:
    """The first change, in order of how little it takes away, after which the motion is determined."""
    model, diagnosis = look.compiled.model, look.diagnosis
    contradictory = not look.closed
    changes = (
        _relaxations(model, diagnosis) if contradictory or diagnosis.freedoms_left == 0 else _drives(model, diagnosis)
    )
    for tries, (text, variant) in enumerate(changes):
        if tries >= MOST_TRIES:
            return None
        try:
            after = inspect(variant, time, look.tolerance)
        except MuboError:
            continue
        if after.determined and not after.diagnosis.dependent:
            return Repair(text, after.diagnosis.mobility)
    return None


def _relaxations(model: Model, diagnosis: Diagnosis) -> Iterator[tuple[str, Model]]:
    """Joints of the dependent sets, the last ones first, by a kind with fewer rows; then drivers and joints removed."""
    named = dict.fromkeys(name for d in diagnosis.dependent for name in (d.name, *reversed(d.others)))
    joints = [n.split(" ")[1] for n in named if n.startswith("joint ")]
    drivers = [n.split(" ")[1] for n in named if n.startswith("driver ")]
    for name in joints:
        joint = model.joints[name]
        for kind in JOINTS[joint.kind].relaxed:
            for options, along in _options_for(joint, kind):
                text = f"replace {WORDS[joint.kind]} {name} by a {WORDS[kind]}{along}"
                yield text, _with_joint(model, replace(joint, kind=kind, options=options))
    for name in drivers:
        variant = model.copy()
        del variant.drivers[name]
        yield f"remove driver {name}", variant
    for name in joints:
        variant = model.copy()
        del variant.joints[name]
        yield f"remove joint {name}", variant


def _options_for(joint: Joint, kind: str) -> Iterator[tuple[dict[str, object], str]]:
    """Options the other kind needs: those that both have, or an axis along x or y of the first body."""
    known = {option.name for option in JOINTS[kind].options}
    kept = {name: value for name, value in joint.options.items() if name in known}
    if kind == "slot" and "axis" not in kept:
        first = joint.between[0].partition(".")[0]
        yield {"axis": (1.0, 0.0)}, f" along x of {first}"
        yield {"axis": (0.0, 1.0)}, f" along y of {first}"
    else:
        yield kept, ""


def _with_joint(model: Model, joint: Joint) -> Model:
    variant = model.copy()
    variant.joints[joint.name] = joint
    return variant


def _drives(model: Model, diagnosis: Diagnosis) -> Iterator[tuple[str, Model]]:
    """A driver that holds a joint or an angle which the left freedom moves, at its estimate."""
    moved = {body for motion in diagnosis.free for body in motion.bodies}
    grounded = sorted(model.joints.values(), key=lambda j: not any(r.startswith(GROUND + ".") for r in j.between))
    for joint in grounded:  # motors stand on the ground where they can
        element = JOINTS[joint.kind]
        ends = {reference.partition(".")[0] for reference in joint.between}
        if element.coordinate and len(joint.between) == 2 and ends & moved:
            yield f"drive joint {joint.name} (its {element.coordinate})", _with_driver(model, joint.name)
    for body in sorted(moved):
        yield f"drive {body}.phi", _with_driver(model, f"{body}.phi")


def _with_driver(model: Model, of: str) -> Model:
    variant = model.copy()
    value = _estimate(model, of) / (model.units.angle_factor() if target_of(model, of).holds == "angle" else 1.0)
    variant.drivers["tried"] = Driver("tried", of, Polynomial((value,)))
    return variant


def _estimate(model: Model, of: str) -> float:
    """The driven coordinate at the estimated positions, in radians for angles."""
    from mubo.compile import compile_model

    probe = model.copy()
    probe.drivers = {"tried": Driver("tried", of, Polynomial((0.0,)))}
    compiled = compile_model(probe)
    return float(compiled.system.phi(compiled.estimate, compiled.motion([0.0])[0])[-1])  # type: ignore[arg-type]
