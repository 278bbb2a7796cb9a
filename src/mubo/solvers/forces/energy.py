"""Energy, momentum and their rates along a motion, from its columns: no constraint equation enters.

They verify the forces: the power of drivers and loads is the rate of kinetic energy of the bodies, and the shaking
force on the frame is the rate of change of their momentum.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix, point_on
from mubo.laws.tangent import as_array, beside
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.model import Body
from mubo.model.column_names import BODY
from mubo.model.mass import tensor_of
from mubo.results import Columns
from mubo.solvers.columns.columns import point_motion
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver


@dataclass(frozen=True)
class MotionEnergy:
    """Energies, the power taken up by the bodies (dT/dt − m g·v), and the shaking wrench about the origin."""

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

    def force_on_frame(self, gravity: Array) -> Array:
        """Its weight minus m a, which acts at its centre."""
        return as_array((gravity - self.center[:, 2]) * self.mass)

    @property
    def kinetic(self) -> Array:
        moving = np.sum(self.center[:, 1] ** 2, axis=1) * self.mass
        return np.asarray(0.5 * (moving + np.sum(self.spin * self.momentum, axis=1)))


def motion_energy(solver: ForceSolver, solution: ForceSolution) -> MotionEnergy:
    """Energy and shaking wrench of all moving bodies, external loads included."""
    form, columns, gravity, loads = solver.form, solution.columns, solver.gravity, solution.loads
    count, dimension = len(columns["t"]), form.mechanism.dimension
    kinetic, potential, taken_up = np.zeros((3, count))
    shaking = np.zeros((count, len(form.mechanism.ambient.wrench)))
    for name in form.free:
        body = body_momentum(form.model.bodies[name].whole, columns)
        force = body.force_on_frame(gravity)
        kinetic += body.kinetic
        potential -= body.mass * body.center[:, 0] @ gravity
        taken_up -= np.sum(force * body.center[:, 1], axis=1)
        taken_up += np.sum(body.spin * body.change, axis=1)
        shaking += wrench_about_origin(body.center[:, 0], force, -body.change)
    if form.reflected is not None:
        for total, part in zip((kinetic, taken_up), form.reflected.energy(solution.states), strict=True):
            total += part
    for k, name in enumerate((*form.free, *form.fixed)):
        part = loads.external[:, k]
        origin = body_origin(form, columns, name)
        shaking += wrench_about_origin(origin, part[:, :dimension], part[:, dimension:])
    potential = potential + sum(loads.potential.values(), np.zeros(count))
    return MotionEnergy(kinetic, potential, taken_up, shaking)


def shaking_of_bodies(form: Absolute, columns: Columns, gravity: Array) -> Array:
    """The shaking wrench about the origin of the moving bodies alone, their weights included: times × components.

    Over columns that carry derivatives by parameters it carries them too.
    """
    total: Array | float = 0.0
    for name in form.free:
        body = body_momentum(form.model.bodies[name].whole, columns)
        total = total + wrench_about_origin(body.center[:, 0], body.force_on_frame(gravity), -body.change)
    return as_array(total)


def shaking_values(wrench: Array, dimension: int) -> list[Array]:
    """The columns of a shaking wrench: its components, the size of its force, and in space that of its moment."""
    parts = [wrench[:, :dimension], wrench[:, dimension:]][: dimension - 1]
    with np.errstate(all="ignore"):  # a size that is zero has no derivative; one that is infinite is refused by name
        return [*wrench.T, *(np.sqrt(np.sum(part * part, axis=1)) for part in parts)]


def wrench_about_origin(at: Array, force: Array, moment: Array) -> Array:
    """Wrench about the origin of a force at a point and a moment."""
    if force.shape[1] == 3:
        return np.concatenate([force, moment + np.cross(at, force)], axis=1)
    turned = at[:, 0] * force[:, 1] - at[:, 1] * force[:, 0]
    return np.concatenate([force, moment + turned[:, None]], axis=1)


def body_origin(form: Absolute, columns: Columns, name: str) -> Array:
    """Origin of a body at every row."""
    dimension = form.mechanism.dimension
    if name in form.numbers:
        return np.stack([columns.raw(f"{name}.{letter}") for letter in "xyz"[:dimension]], axis=1)
    return np.tile(form.mechanism.poses[name][:dimension], (len(columns["t"]), 1))


def body_motion(columns: Columns, name: str) -> Array:
    """Motion of a body from its columns: 9 numbers per row in the plane, 19 in space."""
    dimension = 2 if f"{name}.phi" in columns else 3
    return np.stack([columns.raw(f"{name}.{word}") for word, *_ in BODY[dimension]], axis=1)


def point_along(motion: Array, at: tuple[float, ...]) -> Array:
    """Position, velocity and acceleration of a point fixed in a body along its motion: times × 3 × dimension."""
    return (
        point_motion(motion.reshape(-1, 3, 3), at) if motion.shape[1] == 9 else np.stack(point_on(motion, at), axis=1)
    )


def body_momentum(body: Body, columns: Columns) -> BodyMomentum:
    """Momentum of a body, from its columns."""
    motion = body_motion(columns, body.name)
    flat, mass = motion.shape[1] == 9, body.mass or 0.0
    center = point_along(motion, body.center or (0.0,) * (2 if flat else 3))
    if flat:
        inertia = body.inertia[0] if body.inertia else 0.0
        spin, turn = motion[:, 5:6], motion[:, 8:9]
        return BodyMomentum(mass, center, spin, inertia * spin, inertia * turn)
    axes, omega, alpha = matrix(motion[:, 3:7]), motion[:, 10:13], motion[:, 16:19]
    tensor = axes @ beside(motion, tensor_of(body.inertia or (0.0,) * 6)) @ np.transpose(axes, (0, 2, 1))
    momentum, turn = ((tensor @ vector[:, :, None])[:, :, 0] for vector in (omega, alpha))
    change = turn + np.cross(omega, momentum)
    return BodyMomentum(mass, center, omega, momentum, change)
