"""A given skeleton becomes the model of a walk: its bodies and joints as they are, a driver for every coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.places import Markers
from mubo.formats.walk.reference_skeleton import ReferenceSkeleton
from mubo.formats.walk.scaling import scaled_skeleton
from mubo.formats.walk.space import SpaceWalk, drive_coordinate
from mubo.model import GROUND, Builder

SI = ("length", "mass", "time")
LIKE = 0.01  # of the mass of the subject: masses of a skeleton that differ by more are named
TABLES = ("right", "left", "trunk", "pelvis", "functional", "clusters")  # that a skeleton makes needless


def read_reference(model: Builder, source: Source, given: Mapping[str, Any], folder: Path) -> ReferenceSkeleton:
    """The skeleton that [markers] names, with the markers of the recording."""
    if needless := [key for key in TABLES if key in given]:
        raise ModelError(f"the skeleton has joints and markers of its own: leave out {', '.join(needless)}")
    if model.dimension != 3:
        raise ModelError("a skeleton moves in space", suggestion="Write dimension = 3, and gravity = [0, -9.81, 0].")
    if wrong := [name for name in SI if abs(model.units.size(name) - 1) > 1e-12]:
        raise ModelError(
            f"a skeleton is in m, kg and s; the model has another unit of {' and '.join(wrong)}",
            suggestion='Write units = { length = "m", angle = "deg", time = "s", mass = "kg" }.',
        )
    unit = source.data.length_unit
    scale = model.units.in_own(f"1 {unit}" if unit else 1.0, "length")
    skeleton = ReferenceSkeleton(folder / str(given["skeleton"]), source.data, scale)
    if "static" not in given:
        if "scale" in given:
            raise ModelError("scale needs static, a trial standing still with the markers of its pairs")
        return skeleton
    assert model.subject is not None
    return scaled_skeleton(skeleton, source.data, given, folder, model.subject["mass"])


def add_reference(model: Builder, skeleton: ReferenceSkeleton, walk: SpaceWalk | None, markers: Markers) -> list[str]:
    """Adds bodies, joints and couplers of the skeleton, and drivers that follow the walk; answers notes on its mass."""
    assert walk is not None
    ends = dict(skeleton.points_of_legs())
    for name, body in skeleton.model.bodies.items():
        if name == GROUND:
            points = {**model.bodies[GROUND].points, **body.points}
            model.bodies[GROUND] = replace(model.bodies[GROUND], points=points)
            continue
        if name in model.bodies:
            raise ModelError(f"body {name}: the skeleton gives it: leave out [body.{name}]")
        more = {word: tuple(float(x) for x in at) for word, at in ends.get(name, {}).items()}
        model.bodies[name] = replace(body, points={**body.points, **more})
    names = {name: f"{name}_joint" for name in skeleton.model.joints}
    for name, joint in skeleton.model.joints.items():
        of = {"of": tuple(names[one] for one in joint.options["of"])} if "of" in joint.options else {}
        model.joints[names[name]] = replace(joint, name=names[name], options={**joint.options, **of})
    for name in skeleton.coordinates:
        turns = skeleton.model.joints[name].kind == "revolute"
        drive_coordinate(model, walk, markers, name, names[name], turns)
    return _mass_notes(model, skeleton)


def _mass_notes(model: Builder, skeleton: ReferenceSkeleton) -> list[str]:
    """A note where the masses of the skeleton are not that of the subject."""
    assert model.subject is not None
    mass = sum(body.mass or 0.0 for body in skeleton.model.bodies.values())
    if abs(mass / model.subject["mass"] - 1) <= LIKE:
        return []
    own = model.subject["mass"]
    return [f"the skeleton has {mass:.4g} kg, the subject {own:.4g} kg, to which moments per kg refer"]
