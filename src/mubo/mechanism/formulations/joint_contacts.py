"""Units that act on coordinates of joints: end stops, clutches and ratchets, exact friction, gears with backlash."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.errors import ModelError
from mubo.mechanism.formulations.contact_arrays import (
    FREEWHEEL,
    FRICTION,
    GEAR,
    HERTZ,
    NO_GEARS,
    NO_SURFACE,
    STOP,
    ContactOwner,
    ContactUnits,
    Numbers,
    append_unit,
    is_poisson,
    law_numbers,
)
from mubo.mechanism.formulations.tree import Tree
from mubo.mechanism.frames import frames_of
from mubo.model import GROUND
from mubo.model.coordinates import coordinate_of, reported_dofs
from mubo.model.parts import Detail


def _joint_numbers(tree: Tree, of: str) -> tuple[tuple[str, str], bool, Numbers]:
    """Bodies (second, first) of a joint coordinate, whether it turns, and its axis and points in their axes."""
    model = tree.model
    joint, number = coordinate_of(model, of)
    dof = reported_dofs(model, joint)[number]
    angle = tree.mechanism.values.get(joint.name, {}).get("angle", [0.0])[0] if model.dimension == 2 else 0.0
    first, second = frames_of(model, joint, angle)
    if dof.kind not in ("turn", "slide", "screw"):
        raise ModelError(f"{of}: exact friction and end stops need a coordinate that turns or slides", names=[of])
    axis = first.axes[:, "xyz".index(dof.axis)]
    numbers = [*(float(x) for x in axis), *(float(x) for x in first.at), *(float(x) for x in second.at)]
    return (second.body, first.body), dof.kind != "slide", numbers


def add_stops(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    bodies, turns, numbers = _joint_numbers(tree, contact["of"])
    if turns and tree.model.dimension == 3:
        raise ModelError(
            f"contact {contact.name}: rigid stops of turns in space are not known",
            names=[contact.name],
            suggestion="Use a joint_stop force, or surfaces that meet.",
        )
    for side, sense in (("lower", 1.0), ("upper", -1.0)):
        limit = contact[f"{side}_angle" if turns else side]
        if limit is None:
            continue
        holds = "torque" if turns else "force"
        values = [*law_numbers(contact), *NO_SURFACE, float(turns), *numbers, 0.0, float(limit), sense, *NO_GEARS]
        values[-1] = is_poisson(contact)
        append_unit(tree, out, STOP, ContactOwner("contact", contact.name, bodies, sense, holds), values)


def add_clutch(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    """A coordinate that runs freely in one sense alone; with teeth it locks at the last tooth that it has passed."""
    bodies, turns, numbers = _joint_numbers(tree, contact["of"])
    pitch = contact["pitch"]
    if turns and contact["teeth"]:
        pitch = 2 * np.pi / float(contact["teeth"])
    if turns and pitch and tree.model.dimension == 3:
        raise ModelError(
            f"contact {contact.name}: the teeth of a ratchet are known for turns in the plane and for slides",
            names=[contact.name],
            suggestion="Leave out `teeth`: a freewheel turns in space too.",
        )
    sense = 1.0 if contact["freewheel"] == "forward" else -1.0
    limit = sense * float((contact["lower_angle" if turns else "lower"]) or 0.0) if pitch else 0.0
    values = [*law_numbers(contact), *NO_SURFACE, float(turns), *numbers, 0.0, sense * limit, sense, *NO_GEARS]
    values[-5], values[-1] = float(pitch or 0.0), is_poisson(contact)
    owner = ContactOwner("contact", contact.name, bodies, sense, "torque" if turns else "force", freewheel=True)
    append_unit(tree, out, STOP if pitch else FREEWHEEL, owner, values)


def add_wheels(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    """Two wheels whose teeth have play: they keep their ratio up to half the backlash to either side."""
    carrier, radii = contact["carrier"] or GROUND, [float(radius) for radius in contact["radii"]]
    poses, phase = tree.mechanism.poses, contact["phase"]
    turned = [float(poses[name][2]) if name in poses else 0.0 for name in (*contact["wheels"], carrier)]
    zero = sum(r * (angle - turned[2]) for r, angle in zip(radii, turned, strict=False))
    if phase is not None:
        zero = radii[1] * float(phase)
    owner = ContactOwner("contact", contact.name, contact["wheels"], 1.0, "force", False, carrier, tuple(radii))
    for sense in (1.0, -1.0):
        limit = -sense * float(contact["backlash"]) / 2
        values = [
            *law_numbers(contact),
            *NO_SURFACE,
            1.0,
            *[0.0] * 9,
            zero,
            limit,
            sense,
            0.0,
            *radii,
            0.0,
            is_poisson(contact),
        ]
        append_unit(tree, out, GEAR, replace(owner, sense=sense), values)


def add_friction(tree: Tree, number: int, out: ContactUnits) -> None:
    load = tree.mechanism.loads[number]
    force = tree.model.forces[load.name]
    bodies, turns, numbers = _joint_numbers(tree, force.on[0])
    law = [1.0, 0.0, 0.0, HERTZ, 0.0, load.static_ratio, 1.0]
    values = [*law, *NO_SURFACE, float(turns), *numbers, 0.0, 0.0, 1.0, *NO_GEARS]
    values[-2] = force.options.get("stribeck") or 0.0
    owner = ContactOwner("force", load.name, bodies, 1.0, "torque" if turns else "force")
    append_unit(tree, out, FRICTION, owner, values, load=number)
