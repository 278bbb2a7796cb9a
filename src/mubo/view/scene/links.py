"""Joints as glyphs by their freedoms, rams, springs, forces and points of a scene."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.elements import Element
from mubo.model import GROUND, Joint, Model, target_of
from mubo.model.targets import point_of
from mubo.results import Trajectory
from mubo.view.edges import shaft
from mubo.view.scene.data import Dot, End, Load, SceneJoint, Spring
from mubo.view.scene.motion import STANDING, place

SLIDING = ("slider", "slot", "ram", "cylinder", "screw")
Poses = dict[str, Array]


def glyph_of(element: Element, driven: bool = False) -> str:
    """What a joint looks like; a slider that is driven is a ram."""
    return "ram" if element.glyph == "slider" and driven else element.glyph


def scene_joints(model: Model, poses: Poses, held: set[str]) -> tuple[SceneJoint, ...]:
    """Joints with two ends, and drivers of a distance as rams between their points."""
    driven = _driven(model, held)
    out = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        if element.key == "between":
            first, second = _ends(model, joint, element)
            glyph = glyph_of(element, joint.name in driven)
            out.append(_joint(model, joint.name, joint.kind, glyph, first, second, _axis(model, joint), held, driven))
    for driver in model.drivers.values():
        if isinstance(driver.of, tuple):
            first, second = (End(*point_of(model, reference)) for reference in driver.of)
            axis = (1.0, 0.0, 0.0)[: model.dimension]
            out.append(_joint(model, driver.name, "distance", "ram", first, second, axis, held, {driver.name}))
    return tuple(_with_travel(joint, poses, model.dimension) for joint in out)


def _ends(model: Model, joint: Joint, element: Element) -> tuple[End, End]:
    if element.ends == "body":
        carrier = joint.options.get("carrier", GROUND)
        first, second = (End(body, shaft(model, body, carrier)) for body in joint.between[:2])
    else:
        first, second = (End(*model.place(reference)) for reference in joint.between[:2])
    return first, second


def _axis(model: Model, joint: Joint) -> tuple[float, ...]:
    axis = joint.options.get("axis") or joint.options.get("axes", (None,))[0]
    axis = axis or ((1.0, 0.0) if model.dimension == 2 else (0.0, 0.0, 1.0))
    return tuple(float(x) for x in np.array(axis) / np.linalg.norm(axis))


def _joint(
    model: Model,
    name: str,
    kind: str,
    glyph: str,
    first: End,
    second: End,
    axis: tuple[float, ...],
    held: set[str],
    driven: set[str],
) -> SceneJoint:
    return SceneJoint(name, kind, glyph, first, second, axis, name in driven, bool({first.body, second.body} & held))


def _driven(model: Model, held: set[str]) -> set[str]:
    """Joints that a driver moves: named by it, or the pin on which a driven body turns in the frame."""
    out = set()
    for driver in model.drivers.values():
        if isinstance(driver.of, tuple):
            continue
        head, _, picked = driver.of.partition(".")
        if (head in model.joints and model.dimension == 3) or not picked:
            out.add(head)
        elif picked == "phi" and target_of(model, driver.of).bodies == (head,):
            pins = [
                joint.name
                for joint in model.joints.values()
                if joint.kind == "revolute" and head in (ends := {e.partition(".")[0] for e in joint.between})
                if ends & held
            ]
            out |= set(pins[:1])
    return out


def _with_travel(joint: SceneJoint, poses: Poses, dimension: int) -> SceneJoint:
    """How far a slider runs along its axis; of a ram between two points: their distances."""
    if joint.glyph not in (*SLIDING, "rack"):
        return joint
    standing = STANDING[dimension][None]
    base = poses.get(joint.first.body, standing)
    start = place(base, joint.first.at)[:, 0]
    end = place(poses.get(joint.second.body, standing), joint.second.at)[:, 0]
    d = end - start
    if joint.kind == "distance":
        along = np.linalg.norm(d, axis=1)
    else:
        tip = np.array(joint.first.at) + np.array(joint.axis)
        along = np.sum(d * (place(base, tuple(tip))[:, 0] - start), axis=1)
    along = along[np.isfinite(along)]
    travel = (float(along.min()), float(along.max())) if len(along) else None
    return SceneJoint(**{**joint.__dict__, "travel": travel})


def scene_springs(model: Model) -> tuple[Spring, ...]:
    """Springs and dampers between two points."""
    return tuple(
        Spring(force.name, *(End(*point_of(model, reference)) for reference in force.on))
        for force in model.forces.values()
        if force.kind == "spring"
    )


def scene_points(model: Model) -> tuple[Dot, ...]:
    """Points of interest; where there is none, origins of bodies without points, else of the last bodies of a tree."""
    if model.points:
        return tuple(Dot(p.name, p.body, p.at) for p in model.points.values())
    moving = [name for name in model.bodies if name != GROUND]
    bare = [name for name in moving if not model.bodies[name].points]
    ends = [end.partition(".")[0] for joint in model.joints.values() for end in joint.between]
    leaves = [name for name in moving if ends.count(name) == 1]
    return tuple(Dot(name, name, (0.0,) * model.dimension, named=False) for name in bare or leaves)


def scene_forces(run: Trajectory) -> tuple[Load, ...]:
    """Reactions of joints, where the run has their columns (J.on_B.fx …)."""
    model, letters = run.model, "xyz"[: run.model.dimension]
    out = []
    for joint in model.joints.values():
        for reference in joint.between:
            body = reference.partition(".")[0]
            names = [f"{joint.name}.on_{body}.f{letter}" for letter in letters]
            if "." in reference and body != GROUND and all(name in run.columns for name in names):
                values = np.column_stack([run[name] for name in names])
                out.append(Load(f"{joint.name}.on_{body}", *model.place(reference), values))
    return tuple(out)
