"""Pins with clearance as journals in bearings: for simulations, a contact replaces the pin."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.errors import ModelError
from mubo.model import Joint, ModelDefinition
from mubo.model.parts import Detail
from mubo.note import Note

MATERIAL = ("young", "poisson")
LAW = ("restitution", "damping", "friction")


def joints_with_clearance(model: ModelDefinition) -> list[Joint]:
    """Joints whose pins have a radial clearance."""
    return [joint for joint in model.joints.values() if joint.options.get("clearance")]


def with_bearings(model: ModelDefinition) -> ModelDefinition:
    """The model with every pin that has clearance replaced by a journal on its second body in a bearing of the first.

    The difference of the radii is the clearance itself.
    """
    loose = joints_with_clearance(model)
    if not loose:
        return model
    surfaces, contacts = dict(model.surfaces), dict(model.contacts)
    for joint in loose:
        _require_law(model, joint)
        radius = joint.options["bearing_radius"]
        material = {key: joint.options[key] for key in MATERIAL}
        sizes = (("hollow", radius), ("circle", radius - joint.options["clearance"]))
        names = []
        for (shape, size), reference in zip(sizes, joint.between, strict=True):
            body, at = model.place(reference)
            name = f"{joint.name}_{'bearing' if shape == 'hollow' else 'journal'}"
            surfaces[name] = Detail(name, {"body": body, "shape": shape, "at": tuple(at), "radius": size, **material})
            names.append(name)
        law = {key: joint.options[key] for key in LAW if joint.options.get(key) is not None}
        contacts[joint.name] = Detail(joint.name, {"between": tuple(names[::-1]), **law})
    joints = {name: joint for name, joint in model.joints.items() if joint not in loose}
    return model.changed(joints=joints, surfaces=surfaces, contacts=contacts)


def _require_law(model: ModelDefinition, joint: Joint) -> None:
    for key in ("bearing_radius", *MATERIAL):
        if joint.options.get(key) is None:
            raise ModelError(
                f'{model.where}joint {joint.name}: "{key}" is missing: the contact in its clearance needs it',
                names=[joint.name],
            )
    if len(joint.between) != 2:
        raise ModelError(f"{model.where}joint {joint.name}: a clearance is between two bodies", names=[joint.name])
    if not joint.options["clearance"] < joint.options["bearing_radius"]:
        raise ModelError(
            f"{model.where}joint {joint.name}: its clearance is not below the radius of its bearing", names=[joint.name]
        )
    on = [name for name, driver in model.drivers.items() if str(driver.of).partition(".")[0] == joint.name]
    on += [name for name, force in model.forces.items() if force.on[0] == joint.name]
    on += [name for name in model.initial_joints if name == joint.name]
    if on:
        raise ModelError(
            f"{model.where}joint {joint.name}: with clearance it has no angle for {', '.join(on)} to act on",
            names=[joint.name, *on],
            suggestion="Use the coordinates of its bodies.",
        )


def bearing_law_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on the treatment of pins that have clearance."""
    for joint in joints_with_clearance(model):
        yield Note("mechanism.bearing_law", joint=joint.name)
