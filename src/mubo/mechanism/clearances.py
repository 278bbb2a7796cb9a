"""Joints with clearance: for simulations, a contact replaces the joint.

A pin is a journal in a bearing, a ball a sphere in its socket; a slide has two corners between the two faces of its
guide; the teeth of gears with backlash touch on either side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mubo.elements.plane.couplings.gears import pitch_radii
from mubo.errors import ModelError
from mubo.mechanism.mechanism import mechanism_of
from mubo.model import Joint, ModelDefinition
from mubo.model.parts import Detail
from mubo.note import Note

MATERIAL = ("young", "poisson")
LAW = ("restitution", "damping", "friction")


def joints_with_clearance(model: ModelDefinition) -> list[Joint]:
    """Joints that have a clearance, or backlash."""
    return [joint for joint in model.joints.values() if joint.options.get("clearance") or joint.options.get("backlash")]


def with_bearings(model: ModelDefinition) -> ModelDefinition:
    """The model with every joint that has clearance replaced by what touches in it: a journal on its second body in a
    bearing of the first, the corners of a slide between the faces of its guide, teeth.

    The difference of the radii is the clearance itself.
    """
    loose = joints_with_clearance(model)
    if not loose:
        return model
    surfaces, contacts = dict(model.surfaces), dict(model.contacts)
    for joint in loose:
        _require_no_driver(model, joint)
        if "backlash" in joint.options:
            contacts[joint.name] = _teeth(model, joint)
            continue
        added = _guide(model, joint) if "guide_length" in joint.options else _bearing(model, joint)
        surfaces |= {surface.name: surface for surface in added}
        names = tuple(surface.name for surface in added)
        law = {key: joint.options[key] for key in LAW if joint.options.get(key) is not None}
        if joint.options.get("contact_stiffness") is not None:
            law["stiffness"] = joint.options["contact_stiffness"]
        pairs = {"between": names[::-1]} if len(names) == 2 else {"among": names}
        contacts[joint.name] = Detail(joint.name, {**pairs, **law})
    joints = {name: joint for name, joint in model.joints.items() if joint not in loose}
    return model.changed(joints=joints, surfaces=surfaces, contacts=contacts)


def _bearing(model: ModelDefinition, joint: Joint) -> list[Detail]:
    """A bearing on the first body and a journal on the second."""
    for key in ("bearing_radius", *MATERIAL):
        _require(model, joint, key, "the contact in its clearance needs it")
    radius, clearance = joint.options["bearing_radius"], joint.options["clearance"]
    if not clearance < radius:
        raise ModelError(
            f"{model.where}joint {joint.name}: its clearance is not below the radius of its bearing", names=[joint.name]
        )
    material = {key: joint.options[key] for key in MATERIAL}
    journal = "circle" if model.dimension == 2 else "sphere"
    sizes = (("bearing", "hollow", radius), ("journal", journal, radius - clearance))
    out = []
    for (word, shape, size), reference in zip(sizes, joint.between, strict=True):
        body, at = model.place(reference)
        given = {"body": body, "shape": shape, "at": tuple(at), "radius": size, **material}
        out.append(Detail(f"{joint.name}_{word}", given))
    return out


def _guide(model: ModelDefinition, joint: Joint) -> list[Detail]:
    """The line between the corners of a slide, and the two faces of its guide."""
    _require(model, joint, "clearance", "the play of the slide to either side")
    (first, at), (second, point) = (model.place(reference) for reference in joint.between)
    axis = np.array(joint.options["axis"], float) / np.linalg.norm(joint.options["axis"])
    angle = float(mechanism_of(model).values[joint.name]["angle"][0])
    across = np.array([-axis[1], axis[0]])
    own = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) @ axis
    half, play = joint.options["guide_length"] / 2, joint.options["clearance"]
    corners = tuple(tuple(float(x) for x in np.array(point) + sign * half * own) for sign in (-1, 1))
    out = [Detail(f"{joint.name}_slide", {"body": second, "shape": "polygon", "corners": corners})]
    for word, side in (("lower", 1.0), ("upper", -1.0)):
        place = tuple(float(x) for x in np.array(at) - side * play * across)
        normal = tuple(float(x) for x in side * across)
        out.append(Detail(f"{joint.name}_{word}", {"body": first, "shape": "plane", "at": place, "normal": normal}))
    return out


def _teeth(model: ModelDefinition, joint: Joint) -> Detail:
    """The contact of two wheels whose teeth have play."""
    first, second = pitch_radii(joint.options)
    sign = -1.0 if joint.options.get("mesh") == "internal" else 1.0
    given: Mapping[str, Any] = {
        "wheels": joint.between,
        "radii": (first, sign * second),
        "carrier": joint.options.get("carrier"),
        "phase": joint.options.get("phase"),
        "backlash": joint.options["backlash"],
        "restitution": joint.options.get("restitution"),
    }
    return Detail(joint.name, {key: value for key, value in given.items() if value is not None})


def _require(model: ModelDefinition, joint: Joint, key: str, why: str) -> None:
    if joint.options.get(key) is None:
        raise ModelError(f'{model.where}joint {joint.name}: "{key}" is missing: {why}', names=[joint.name])
    if len(joint.between) != 2:
        raise ModelError(f"{model.where}joint {joint.name}: a clearance is between two bodies", names=[joint.name])


def _require_no_driver(model: ModelDefinition, joint: Joint) -> None:
    on = [name for name, driver in model.drivers.items() if str(driver.of).partition(".")[0] == joint.name]
    on += [name for name, force in model.forces.items() if force.on[0] == joint.name]
    on += [name for name in model.initial_joints if name == joint.name]
    if on:
        raise ModelError(
            f"{model.where}joint {joint.name}: with clearance it has no coordinate for {', '.join(on)} to act on",
            names=[joint.name, *on],
            suggestion="Use the coordinates of its bodies.",
        )


def bearing_law_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on the treatment of joints that have clearance."""
    for joint in joints_with_clearance(model):
        if "bearing_radius" in joint.options:
            yield Note("mechanism.bearing_law", joint=joint.name)
        elif "guide_length" in joint.options:
            yield Note("mechanism.guide_play", joint=joint.name)
        else:
            yield Note("mechanism.teeth_play", joint=joint.name)
