"""The smallest fix of a model whose motion is not determined, tested before it is suggested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TypeVar

import numpy as np

from mubo.errors import MuboError
from mubo.laws import Polynomial
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import mechanism_of
from mubo.model import GROUND, Driver, Joint, ModelDefinition
from mubo.model.coordinates import column_names, holds_of, joint_dofs
from mubo.solvers.assembly.mobility import MobilityAnalysis
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_mechanism_start

MOST_TRIES = 40
MOST_TOGETHER = 60  # tries of several changes at once: many loops would ask for the square of their number
_Part = TypeVar("_Part", Driver, Joint)


@dataclass(frozen=True)
class SuggestedFix:
    """The change of the model, its mobility afterwards, and whether the change drives what was undriven."""

    text: str
    mobility: int
    drives: bool = False
    variant: ModelDefinition | None = field(default=None, compare=False, repr=False)  # the model with the change

    def __str__(self) -> str:
        after = "the mechanism is then fully driven" if self.drives else f"the mobility is then {self.mobility}"
        return f"Suggested fix (tested): {self.text}; {after}."


def suggest_fix(analysis: StartAnalysis, time: float) -> SuggestedFix | None:
    """The first change, in order of how little it takes away, after which the motion is determined."""
    diagnosis = analysis.diagnosis
    contradictory = not analysis.closed
    undriven = not contradictory and diagnosis.undriven_dofs > 0
    model = _model_as_assembled(analysis) if undriven or analysis.form.model.dimension == 3 else analysis.form.model
    if analysis.sound and model.dimension == 3:
        return _several_relaxations(model, diagnosis, time, analysis.tolerance)
    changes = _additional_drivers(model, diagnosis) if undriven else _relaxations(model, diagnosis)
    for tries, (text, variant) in enumerate(changes):
        if tries >= MOST_TRIES:
            return None
        try:
            after = analyse_mechanism_start(mechanism_of(variant), time, analysis.tolerance, patient=False)
        except MuboError:
            continue
        if after.sound and not after.diagnosis.dependent:
            return SuggestedFix(text, after.diagnosis.mobility, undriven, variant)
    return None


def _model_as_assembled(analysis: StartAnalysis) -> ModelDefinition:
    """The model with its bodies as assembled: joints of space may change their coordinates there, and a model given by
    lengths alone is no longer at a saddle."""
    model = analysis.form.model
    bodies = dict(model.bodies)
    if model.dimension == 2:
        for name, (x, y, angle) in zip(analysis.form.free, analysis.assembly.q.reshape(-1, 3).tolist(), strict=True):
            bodies[name] = replace(bodies[name], position=(x, y), angle=angle)
        return model.changed(bodies=bodies)
    for name, pose in zip(analysis.form.free, analysis.assembly.q.reshape(-1, 7), strict=True):
        turn = pose[3:] / np.linalg.norm(pose[3:])
        bodies[name] = replace(bodies[name], position=tuple(pose[:3]), orientation=tuple(turn))
    return model.changed(bodies=bodies, initial_joints={})


def _several_relaxations(
    model: ModelDefinition, diagnosis: MobilityAnalysis, time: float, tolerance: float
) -> SuggestedFix | None:
    """Joints of a spatial loop relaxed one after the other, each time the one that frees most redundant equations."""
    done: list[str] = []
    mobility, tries = diagnosis.mobility, 0
    joints = {name for one in diagnosis.dependent for name in (one.name, *one.others)}
    if len(joints) * len(diagnosis.dependent) > MOST_TOGETHER:
        return None  # a round tries every joint, and frees a few equations
    while diagnosis.dependent:
        left, best = len(diagnosis.dependent), None
        for text, variant in _relaxations(model, diagnosis):
            if not text.startswith("replace"):
                break
            tries += 1
            if tries > MOST_TOGETHER:
                return None
            try:
                after = analyse_mechanism_start(mechanism_of(variant), time, tolerance, patient=False)
            except MuboError:
                continue
            if after.sound and len(after.diagnosis.dependent) < left:
                left, best = len(after.diagnosis.dependent), (text, variant, after.diagnosis)
        if best is None:
            return None
        text, model, diagnosis = best
        done.append(text)
    return SuggestedFix(" and ".join(done), mobility, variant=model)


def _relaxations(model: ModelDefinition, diagnosis: MobilityAnalysis) -> Iterator[tuple[str, ModelDefinition]]:
    """A superfluous driver removed, where another is left; joints of the dependent sets, the last ones first, replaced
    by a kind with fewer rows; then the other drivers and joints removed."""
    named = dict.fromkeys(name for d in diagnosis.dependent for name in (d.name, *reversed(d.others)))
    joints = [n.split(" ")[1] for n in named if n.startswith("joint ")]
    drivers = [n.split(" ")[1] for n in named if n.startswith("driver ")]
    spare = len(model.drivers) > 1 and any(d.name.startswith("driver ") for d in diagnosis.dependent)
    without_drivers = [(f"remove driver {n}", model.changed(drivers=_remove_part(model.drivers, n))) for n in drivers]
    yield from without_drivers if spare else ()
    driven = {str(driver.of).partition(".")[0] for driver in model.drivers.values()}
    for name in joints:
        joint = model.joints[name]
        if model.dimension == 3 and name in driven:
            continue  # its driver would have to be written anew
        for kind in model.kinds[joint.kind].relaxed:
            for options, along in _options_for(model, joint, kind):
                text = f"replace {model.kinds[joint.kind].word} {name} by a {model.kinds[kind].word}{along}"
                yield text, _replace_joint(model, replace(joint, kind=kind, options=options))
    yield from () if spare else without_drivers
    for name in joints:
        yield f"remove joint {name}", model.changed(joints=_remove_part(model.joints, name))


def _options_for(model: ModelDefinition, joint: Joint, kind: str) -> Iterator[tuple[dict[str, object], str]]:
    """Options that the other kind needs: those that both have, or an axis along x or y of the first body."""
    known = {option.name: option for option in model.kinds[kind].options}
    kept = {name: value for name, value in joint.options.items() if name in known}
    if "axis" in known and known["axis"].required and "axis" not in kept:
        first = joint.between[0].partition(".")[0]
        yield {"axis": (1.0, 0.0)}, f" along x of {first}"
        yield {"axis": (0.0, 1.0)}, f" along y of {first}"
    else:
        yield kept, ""


def _replace_joint(model: ModelDefinition, joint: Joint) -> ModelDefinition:
    return model.changed(joints={**model.joints, joint.name: joint})


def _remove_part(parts: Mapping[str, _Part], name: str) -> dict[str, _Part]:
    return {key: part for key, part in parts.items() if key != name}


def _additional_drivers(model: ModelDefinition, diagnosis: MobilityAnalysis) -> Iterator[tuple[str, ModelDefinition]]:
    """A driver that fixes a joint or an angle which the undriven motion moves, at its estimate."""
    moved = {body for motion in diagnosis.free for body in motion.bodies}
    grounded = sorted(model.joints.values(), key=lambda j: not any(r.startswith(GROUND + ".") for r in j.between))
    for joint in grounded:  # motors stand on the ground where they can
        ends = {reference.partition(".")[0] for reference in joint.between}
        if len(joint.between) == 2 and ends & moved:
            for of, coordinate in _drivable_coordinates(model, joint):
                yield f"add a driver for the {coordinate} of joint {of}", _add_driver(model, of)
    if model.dimension == 2:
        for body in sorted(moved):
            yield f"drive {body}.phi", _add_driver(model, f"{body}.phi")


def _drivable_coordinates(model: ModelDefinition, joint: Joint) -> Iterator[tuple[str, str]]:
    """Coordinates of a joint that a driver can move, and their kinds."""
    if model.dimension == 2:
        if model.kinds[joint.kind].coordinate:
            yield joint.name, model.kinds[joint.kind].coordinate
        return
    dofs = joint_dofs(model, joint)
    names = column_names(len(holds_of(model, joint)), "q")
    for dof, name in zip(dofs, names, strict=False):
        if dof.kind == "ball":
            return
        of = joint.name if len(names) == 1 else f"{joint.name}.{name}"
        yield of, "slide" if dof.kind == "slide" else "angle"


def _add_driver(model: ModelDefinition, of: str) -> ModelDefinition:
    return model.changed(
        drivers={**model.drivers, "tried": Driver("tried", of, Polynomial((_estimated_coordinate(model, of),)))}
    )


def _estimated_coordinate(model: ModelDefinition, of: str) -> float:
    """The driven coordinate at the estimated positions, in the model's unit."""

    return float(
        mechanism_of(model.changed(drivers={"tried": Driver("tried", of, Polynomial((0.0,)))})).drawn_values[0]
    )
