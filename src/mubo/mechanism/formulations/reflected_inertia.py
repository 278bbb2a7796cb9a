"""Reflected inertia of drives in absolute coordinates.

A rotor of inertia J behind a gear of ratio n resists the acceleration of a joint coordinate with n² J q̈. On the two
bodies of the joint this is the wrench −n² J q̈ Cᵀ, where C is the row of dq/dt by twists: the same row by which a driver
moves the coordinate, so that q̈ = C V̇ − γ. For a ball, whose rates are the components of its relative angular velocity
ω, it is the moment −n² J (α_j − α_i − ω_i × ω).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.elements import AMBIENTS
from mubo.elements.declare import reflected_inertia
from mubo.geometry.rotation import product
from mubo.laws import Polynomial
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.mechanism import ROW_BUILDERS, Mechanism
from mubo.mechanism.rows import pack
from mubo.model import Driver
from mubo.model.coordinates import joint_dofs

STANDING = np.zeros(3)  # f, f', f'' of a driver that stands
BACK = np.array([1.0, -1.0, -1.0, -1.0])  # conjugate of a quaternion


@dataclass(frozen=True, eq=False)
class ReflectedInertia:
    """The rows of geared coordinates, with the inertia of each, and balls by the numbers of their two bodies."""

    system: _core.System | None
    inertia: Array
    balls: tuple[tuple[int, int, float], ...]  # −1 for a body that does not move

    def wrenches(self, states: Array, dofs: int) -> Array:
        """The wrenches on all moving bodies: states × (bodies · dofs), about their origins, in ground axes."""
        out = np.zeros((len(states), states.shape[2] // len(AMBIENTS[2 if dofs == 3 else 3].pose) * dofs))
        if self.system is not None:
            for line, (_, change), (q, _, _) in zip(out, self._turns(states), states, strict=True):
                line -= (self.inertia * change) @ np.asarray(self.system.twist_jacobian(q, STANDING))
        for first, second, inertia in self.balls:
            moment = inertia * _relative_spin(states, first, second)[1]
            for body, sign in ((first, 1.0), (second, -1.0)):
                if body >= 0:
                    out[:, dofs * body + 3 : dofs * body + 6] += sign * moment
        return out

    def energy(self, states: Array) -> tuple[Array, Array]:
        """Kinetic energy ½ n² J q̇², and its rate n² J q̇ q̈, of all drives at every state."""
        kinetic, power = np.zeros((2, len(states)))
        if self.system is not None:
            pairs = np.array([*self._turns(states)])
            kinetic, power = 0.5 * pairs[:, 0] ** 2 @ self.inertia, pairs[:, 0] * pairs[:, 1] @ self.inertia
        for first, second, inertia in self.balls:
            rate, change = _relative_spin(states, first, second)
            kinetic = kinetic + 0.5 * inertia * np.sum(rate**2, axis=1)
            power = power + inertia * np.sum(rate * change, axis=1)
        return kinetic, power

    def _turns(self, states: Array) -> Iterator[tuple[Array, Array]]:
        """q̇ and q̈ of the geared coordinates at every state."""
        assert self.system is not None
        for q, v, a in np.ascontiguousarray(states):
            nu, gamma = np.asarray(self.system.right_sides(q, v, STANDING))
            J = np.asarray(self.system.jacobian(q, STANDING))
            yield J @ v - nu, J @ a - gamma


def _relative_spin(states: Array, first: int, second: int) -> tuple[Array, Array]:
    """Relative angular velocity ω of two bodies, and its rate as the first body sees it: α_j − α_i − ω_i × ω."""
    (w, a), (other_w, other_a) = (_spin(states, body) for body in (first, second))
    return other_w - w, np.asarray(other_a - a - np.cross(w, other_w - w))


def _spin(states: Array, body: int) -> tuple[Array, Array]:
    """Angular velocity and acceleration of a body of space: ω = 2 ṗ p̄, α = 2 p̈ p̄ (vector parts)."""
    if body < 0:
        return np.zeros((len(states), 3)), np.zeros((len(states), 3))
    p, rate, change = (states[:, k, 7 * body + 3 : 7 * body + 7] for k in range(3))
    return 2 * product(rate, p * BACK)[:, 1:], 2 * product(change, p * BACK)[:, 1:]


def reflected_inertias(mechanism: Mechanism) -> ReflectedInertia | None:
    """The reflected inertias of a mechanism; None where it has none."""
    geared = [joint for joint in mechanism.model.joints.values() if reflected_inertia(joint.options)]
    if not geared:
        return None
    model, number = mechanism.model, {name: k for k, name in enumerate(mechanism.free)}
    maker = ROW_BUILDERS[str(mechanism.dimension)](model, mechanism.poses)
    rows, inertia, balls = [], [], []
    for joint in geared:
        size = reflected_inertia(joint.options)
        if any(dof.kind == "ball" for dof in joint_dofs(model, joint)):
            first, second = (number.get(end.partition(".")[0], -1) for end in joint.between)
            balls.append((first, second, size))
            continue
        rows += [*maker.driver(Driver("", joint.name, Polynomial((0.0,))), 0)]
        inertia.append(size)
    standing = {name: mechanism.poses[name] for name in mechanism.fixed}
    system = pack(rows, mechanism.dimension, mechanism.free, standing) if rows else None
    return ReflectedInertia(system, np.array(inertia), tuple(balls))
