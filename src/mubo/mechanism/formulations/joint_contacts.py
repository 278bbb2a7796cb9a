"""Units that act on coordinates of joints: end stops, clutches and ratchets, exact friction, gears with backlash."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
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

WIDEST = np.deg2rad(359)  # between the stops of a turn in space


@dataclass(frozen=True)
class _Coordinate:
    """A coordinate of a joint as units know it: its bodies, the moved one first; whether it turns; its axis and point
    on the second of them, its point on the first; of a turn the directions of both that fall together at zero."""

    bodies: tuple[str, str]
    turns: bool
    numbers: Numbers
    beside: Numbers


def _coordinate(tree: Tree, of: str) -> _Coordinate:
    """The coordinate of a name. Its axis belongs to the joint's first body; where another turn comes before it, as in a
    universal joint, to the second one, against which the first turns backwards."""
    model = tree.model
    joint, number = coordinate_of(model, of)
    dofs = reported_dofs(model, joint)
    dof = dofs[number]
    angle = tree.mechanism.values.get(joint.name, {}).get("angle", [0.0])[0] if model.dimension == 2 else 0.0
    first, second = frames_of(model, joint, angle)
    if dof.kind not in ("turn", "slide", "screw"):
        raise ModelError(f"{of}: exact friction and end stops need a coordinate that turns or slides", names=[of])
    backwards = any(one.kind == "turn" for one in dofs[:number])
    base, moved = (second, first) if backwards else (first, second)
    own = "xyz".index(dof.axis)
    across = 1 if own == 0 else 0  # of a universal joint the axis of its other turn
    axis = base.axes[:, own] * (-1 if backwards else 1)
    numbers = [*(float(x) for x in axis), *(float(x) for x in base.at), *(float(x) for x in moved.at)]
    beside = [float(x) for frame in (moved, base) for x in frame.axes[:, across]]
    return _Coordinate((moved.body, base.body), dof.kind != "slide", numbers, beside)


def add_stops(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    coordinate = _coordinate(tree, contact["of"])
    turns, beside = coordinate.turns, []
    if turns and tree.model.dimension == 3:
        beside = [*coordinate.beside, _middle(contact)]
    for side, sense in (("lower", 1.0), ("upper", -1.0)):
        limit = contact[f"{side}_angle" if turns else side]
        if limit is None:
            continue
        holds = "torque" if turns else "force"
        numbers = coordinate.numbers
        values = [*law_numbers(contact), *NO_SURFACE, float(turns), *numbers, 0.0, float(limit), sense, *NO_GEARS]
        values[-1] = is_poisson(contact)
        owner = ContactOwner("contact", contact.name, coordinate.bodies, sense, holds)
        append_unit(tree, out, STOP, owner, values, numbers=beside)


def _middle(contact: Detail) -> float:
    """The angle amid the stops of a turn in space, whose turns are not counted."""
    low, high = contact["lower_angle"], contact["upper_angle"]
    if low is None or high is None or not low < high <= low + WIDEST:
        raise ModelError(
            f"contact {contact.name}: a turn in space has two stops, less than a turn apart",
            names=[contact.name],
            suggestion='Give "lower_angle" and "upper_angle", at most 359 degrees apart.',
        )
    return (float(low) + float(high)) / 2


def add_clutch(tree: Tree, contact: Detail, out: ContactUnits) -> None:
    """A coordinate that runs freely in one sense alone; with teeth it locks at the last tooth that it has passed."""
    coordinate = _coordinate(tree, contact["of"])
    turns, numbers = coordinate.turns, coordinate.numbers
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
    owner = ContactOwner(
        "contact", contact.name, coordinate.bodies, sense, "torque" if turns else "force", freewheel=True
    )
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
    coordinate = _coordinate(tree, force.on[0])
    turns, numbers = coordinate.turns, coordinate.numbers
    law = [1.0, 0.0, 0.0, HERTZ, 0.0, load.static_ratio, 1.0]
    values = [*law, *NO_SURFACE, float(turns), *numbers, 0.0, 0.0, 1.0, *NO_GEARS]
    values[-2] = force.options.get("stribeck") or 0.0
    owner = ContactOwner("force", load.name, coordinate.bodies, 1.0, "torque" if turns else "force")
    append_unit(tree, out, FRICTION, owner, values, load=number)
