"""Tooth forces of bevel and worm gears: at the pitch point, with the part that pushes the wheels apart.

The row of such a pair exerts the force of the teeth along n at the pitch point P (core/rows/space/tooth.hpp), so that
its bearings carry it. Teeth of pressure angle α also push the wheels apart, whichever flank carries: |λ| tan α along m,
on the first wheel as on the second in the opposite direction (`mechanism/toothed_wheels.py`). That does no work and
turns neither wheel, and λ does not change with it.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.solvers.forces.reactions import ReactionMap, body_axes, body_poses, point_positions


@dataclass(frozen=True)
class ShaftMesh:
    """Wheels and carrier of a pair, and in axes of the carrier the pitch point and what parts the wheels per |λ|."""

    joint: str
    wheels: tuple[str, str]
    carrier: str
    point: tuple[float, ...]
    part: Array


def shaft_meshes(form: Absolute) -> list[ShaftMesh]:
    """Every pair of wheels on shafts of a model."""
    model, out = form.model, []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        if not element.on_shafts:
            continue
        from mubo.mechanism.toothed_wheels import tooth_contact

        contact = tooth_contact(model, joint)
        default = next(o.default for o in element.options if o.name == "pressure_angle")
        angle = float(joint.options.get("pressure_angle", default))
        one, two = contact.shafts
        point = tuple(float(x) for x in contact.point)
        part = math.tan(angle) * np.asarray(contact.part)
        out.append(ShaftMesh(joint.name, (one.body, two.body), one.carrier, point, part))
    return out


def place_at_pitch_points(reaction_map: ReactionMap, meshes: list[ShaftMesh]) -> None:
    """Moves the reactions of the pairs to their pitch points."""
    pairs = {mesh.joint: mesh for mesh in meshes}
    for k, place in enumerate(reaction_map.places):
        if place.joint in pairs and place.body in pairs[place.joint].wheels:
            mesh = pairs[place.joint]
            reaction_map.places[k] = replace(place, carrier=mesh.carrier, point=mesh.point)


def parting_forces(
    form: Absolute, reaction_map: ReactionMap, meshes: list[ShaftMesh], states: Array, lam: Array
) -> tuple[Array, dict[int, Array]]:
    """Forces that push the wheels apart: wrenches on all moving bodies, and forces by the number of the place."""
    on, at_places = np.zeros((len(states), len(form.free), 6)), {}
    for mesh in meshes:
        (equation,) = reaction_map.equations_of(f"joint {mesh.joint}")
        force = np.abs(lam[:, equation])[:, None] * (body_axes(form, states, mesh.carrier) @ mesh.part)
        point = point_positions(form, states, mesh.carrier, mesh.point)
        for wheel, sign in zip(mesh.wheels, (1.0, -1.0), strict=True):
            if wheel in form.free:
                arm = point - body_poses(form, states, wheel)[:, :3]
                on[:, form.free.index(wheel)] += sign * np.hstack([force, np.cross(arm, force)])
            for k, place in enumerate(reaction_map.places):
                if (place.joint, place.body) == (mesh.joint, wheel):
                    at_places[k] = sign * force
    return on.reshape(len(states), -1), at_places
