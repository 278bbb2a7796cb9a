"""Energy, momentum and their rates along a motion, from its columns: no constraint equation enters.

They prove the forces: what drivers and loads put in is what the bodies take up, and what the frame feels is what
changes their momentum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.mechanism import Absolute
from mubo.model import Body
from mubo.model.column_names import BODY
from mubo.model.mass import tensor_of
from mubo.results import Columns
from mubo.solvers.columns.plane_columns import point_motion
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver


@dataclass(frozen=True)
class MotionEnergy:
    """Energies, the kinetic power of the bodies (dT/dt − m g·v), and the shaking wrench about the origin."""

    kinetic: Array
    potential: Array
    taken_up: Array
    shaking: Array


@dataclass(frozen=True)
class BodyMomentum:
    """A body with its centre of mass (times, 3, dimension), its angular velocity, angular momentum and their rates."""

    mass: float
    center: Array
    spin: Array  # times × 1 or 3
    momentum: Array  # angular, about the centre
    change: Array  # of that

    @property
    def kinetic(self) -> Array:
        moving = np.sum(self.center[:, 1] ** 2, axis=1) * self.mass
        return np.asarray(0.5 * (moving + np.sum(self.spin * self.momentum, axis=1)))


def motion_energy(solver: ForceSolver, found: ForceSolution) -> MotionEnergy:
    """Energy of all moving bodies; external loads contribute to the shaking wrench too."""
    form, columns, gravity, loads = solver.form, found.columns, solver.gravity, found.loads
    count, dimension = len(columns["t"]), form.mechanism.dimension
    kinetic, potential, taken_up = np.zeros((3, count))
    shaking = np.zeros((count, 3 if dimension == 2 else 6))
    for name in form.free:
        body = body_momentum(form.model.bodies[name].whole, columns)
        force = body.mass * (gravity - body.center[:, 2])  # what the frame must take: weight less m a
        kinetic += body.kinetic
        potential -= body.mass * body.center[:, 0] @ gravity
        taken_up -= np.sum(force * body.center[:, 1], axis=1)
        taken_up += np.sum(body.spin * body.change, axis=1)
        shaking += wrench_about_origin(body.center[:, 0], force, -body.change)
    for k, name in enumerate((*form.free, *form.fixed)):
        part = loads.outside[:, k]
        origin = body_origin(form, columns, name)
        shaking += wrench_about_origin(origin, part[:, :dimension], part[:, dimension:])
    potential = potential + sum(loads.potential.values(), np.zeros(count))
    return MotionEnergy(kinetic, potential, taken_up, shaking)


def wrench_about_origin(at: Array, force: Array, moment: Array) -> Array:
    """Wrench about the origin of a force at a point and a moment."""
    if force.shape[1] == 3:
        return np.concatenate([force, moment + np.cross(at, force)], axis=1)
    turned = at[:, 0] * force[:, 1] - at[:, 1] * force[:, 0]
    return np.concatenate([force, moment + turned[:, None]], axis=1)


def body_origin(form: Absolute, columns: Columns, name: str) -> Array:
    """Origin of a body at every row."""
    dimension = form.mechanism.dimension
    if name in form.free:
        return np.stack([columns.raw(f"{name}.{letter}") for letter in "xyz"[:dimension]], axis=1)
    return np.tile(form.mechanism.poses[name][:dimension], (len(columns["t"]), 1))


def body_momentum(body: Body, columns: Columns) -> BodyMomentum:
    """Momentum of a body, from its columns."""
    flat = f"{body.name}.phi" in columns
    motion = np.stack([columns.raw(f"{body.name}.{word}") for word, *_ in BODY[2 if flat else 3]], axis=1)
    mass, center = body.mass or 0.0, body.center or (0.0,) * (2 if flat else 3)
    if flat:
        states = motion.reshape(-1, 3, 3)
        inertia = body.inertia[0] if body.inertia else 0.0
        spin, turn = states[:, 1, 2:], states[:, 2, 2:]
        return BodyMomentum(mass, point_motion(states, center), spin, inertia * spin, inertia * turn)
    axes, omega, alpha = matrix(motion[:, 3:7]), motion[:, 10:13], motion[:, 16:19]
    arm = axes @ np.array(center)
    rate = np.cross(omega, arm)
    place = np.stack(
        [motion[:, :3] + arm, motion[:, 7:10] + rate, motion[:, 13:16] + np.cross(alpha, arm) + np.cross(omega, rate)],
        axis=1,
    )
    tensor = axes @ tensor_of(body.inertia or (0.0,) * 6) @ axes.transpose(0, 2, 1)
    momentum = np.einsum("tij,tj->ti", tensor, omega)
    change = np.einsum("tij,tj->ti", tensor, alpha) + np.cross(omega, momentum)
    return BodyMomentum(mass, place, omega, momentum, change)
