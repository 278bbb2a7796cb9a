"""Masses of the moving bodies as arrays of the core, and the data that are missing for a force analysis."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.elements.declare import reflected_inertia
from mubo.errors import ModelError
from mubo.mechanism import Absolute
from mubo.mechanism.rows import join_words
from mubo.model import ModelDefinition
from mubo.note import Note

NUMBERS = {2: 4, 3: 10}  # mass, centre of mass, inertia about it


def body_masses(form: Absolute) -> Array:
    """Mass, centre and inertia about it of every moving body, in its own axes; zeros where it has none."""
    dimension = form.mechanism.dimension
    out = np.zeros((len(form.free), NUMBERS[dimension]))
    for line, name in zip(out, form.free, strict=True):
        body = form.model.bodies[name].whole
        line[0] = body.mass or 0.0
        line[1 : 1 + dimension] = body.center or (0.0,) * dimension
        line[1 + dimension :] = body.inertia or (0.0,) * (NUMBERS[dimension] - 1 - dimension)
    return out


def gravity_of(model: ModelDefinition) -> Array:
    """Gravity as the model states it; zero where nothing has a mass. It is never assumed."""
    if model.gravity is not None:
        return np.array(model.gravity, float)
    heavy = [body.name for body in model.bodies.values() if body.whole.mass]
    if heavy:
        size = f"{-model.units.read('9.81 m/s^2', 'length/time^2'):g}"  # in mm it is -9810
        down, none = ("[" + ", ".join([*["0"] * (model.dimension - 1), last]) + "]" for last in (size, "0"))
        raise ModelError(
            f"{model.where}gravity is not stated, but {join_words(heavy)} {'has' if len(heavy) == 1 else 'have'} mass",
            names=heavy,
            suggestion=f"Write gravity = {down} at the top of the model, or {none} for none.",
        )
    return np.zeros(model.dimension)


def geared_joints(model: ModelDefinition) -> list[str]:
    """Joints with the reflected inertia of a drive, which belongs to a joint coordinate and to no body."""
    return [joint.name for joint in model.joints.values() if reflected_inertia(joint.options)]


def refuse_armature(model: ModelDefinition) -> None:
    """Refuse reflected inertia where the equations know the inertia of bodies alone."""
    if geared := geared_joints(model):
        raise ModelError(
            f"{model.where}{'joint' if len(geared) == 1 else 'joints'} {join_words(geared)}: the reflected inertia of "
            "a drive (armature) belongs to no body, and this formulation has the inertia of bodies alone",
            names=geared,
            suggestion='Use formulation = "tree", or leave armature out.',
        )


def require_inertia(form: Absolute, states: Array) -> None:
    """Refuse bodies that rotate and have a mass without moment of inertia about its centre."""
    width, first = form.width, form.width - form.turning
    for k, name in enumerate(form.free):
        body = form.model.bodies[name].whole
        if not body.mass or body.inertia is not None:
            continue
        turning = states[:, 1:, width * k + first : width * (k + 1)]
        if np.any(np.abs(turning) > 1e-12 * (1.0 + np.abs(turning).max(initial=0.0))):
            raise ModelError(
                f"{form.model.where}body {name} turns and has a mass, but no inertia",
                names=[name],
                suggestion="Give its inertia about the centre of mass, or a shape from which it follows.",
            )


def mass_notes(form: Absolute) -> list[Note]:
    """Notes on bodies without mass."""
    bodies = [form.model.bodies[name].whole for name in form.free]
    light = [body.name for body in bodies if not body.mass and not any(body.inertia or ())]
    if not light:
        return []
    if len(light) == len(bodies):
        return [Note("forces.no_mass", loads=bool(form.model.forces))]
    return [Note("forces.massless", bodies=light)]
