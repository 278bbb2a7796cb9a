"""A certificate of a position: near the numbers of the table the equations have exactly one exact solution.

Theorem of Newton and Kantorovich (Ortega and Rheinboldt, Iterative Solution of Nonlinear Equations, 1970, 12.6; in its
form without units Deuflhard and Heindl, 1979): let F be the square system at q, J = F'(q), and

    η ≥ ‖J⁻¹ F(q)‖,    ω ≥ ‖J⁻¹ (J(x) − J(y))‖ / ‖x − y‖  in the ball ‖x − q‖ ≤ ρ,    h = η ω ≤ 1/2.

Then a solution exists within r₋ = 2η / (1 + √(1 − 2h)) of q where r₋ ≤ ρ, and there is no other one within
r₊ = (1 + √(1 − 2h)) / ω, as far as ρ reaches. With β ≥ ‖J⁻¹‖ and K a Lipschitz constant of J, ω ≤ β K: the rows' own
constants K_r give the sharper ω = max_i Σ_r |J⁻¹|_ir K_r. Norms are the largest component, lengths in sizes of the
mechanism and angles in radians. The K_r are bounds in closed form, from the rows' own formulas (core/number/bound.hpp).

Rounding: F is evaluated in doubles, and its error bound is added to η; the computed Y is not J⁻¹, but with
‖I − Y J‖ ≤ ε < 1 all norms grow by 1 / (1 − ε) at most, ε counting the rounding of J and of the product. The numbers of
the model and the values of the motion laws are taken as the doubles that they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array, Integers
from mubo.mechanism import Absolute

UNIT = 2.0**-53
ROUNDINGS = 64  # on any path through the formula of a derivative; the slope bounds the sum of their sizes
SLACK = 1 + 1e-9  # more than the rounding of the bounds themselves
RADII = tuple(4.0**-k for k in range(16))  # sizes of the mechanism, or radians


@dataclass(frozen=True)
class Certificate:
    """Radii in sizes of the mechanism, or radians; both infinite and h too where nothing is certified."""

    h: float
    exists: float = math.inf
    unique: float = 0.0

    @property
    def holds(self) -> bool:
        return math.isfinite(self.exists)


NONE = Certificate(math.inf)


def certificate(form: Absolute, active: Integers, q: Array, motion: Array) -> Certificate:
    """For the position q and as many equations as unknowns, `active`."""
    system, weight, count = form.system, form.weight, len(active)
    J = np.asarray(system.jacobian(q, motion))[active] / weight
    F = np.asarray(system.phi(q, motion))[active]
    slope, error = system.bounds(q, motion, weight, 0.0)[1:, active]
    if not (np.all(np.isfinite(slope)) and np.all(np.isfinite(J)) and np.all(np.isfinite(F))):
        return NONE
    try:
        Y = np.linalg.inv(J)
    except np.linalg.LinAlgError:
        return NONE
    size = np.abs(Y)
    defect = np.abs(np.eye(count) - Y @ J).sum(axis=1) + (count + 2) * UNIT * (size @ np.abs(J)).sum(axis=1)
    epsilon = float(np.max(defect + ROUNDINGS * UNIT * (size @ slope))) * SLACK
    if not epsilon < 0.5:
        return NONE
    rounding = size @ (error + (count + 2) * UNIT * np.abs(F))
    eta = float(np.max(np.abs(Y @ F) + rounding)) * SLACK / (1 - epsilon)
    best = NONE
    for radius in RADII:
        bend = system.bounds(q, motion, weight, radius)[0, active]
        omega = float(np.max(size @ bend)) * SLACK / (1 - epsilon) if np.all(np.isfinite(bend)) else math.inf
        best = max(best, _within(eta, omega, radius), key=lambda one: one.unique)
        if best.unique >= radius:  # smaller balls prove less
            break
    return best


def _within(eta: float, omega: float, radius: float) -> Certificate:
    h = eta * omega
    if not h <= 0.5:
        return Certificate(h)
    root = math.sqrt(1 - 2 * h)
    exists = 2 * eta / (1 + root)
    if exists > radius:
        return Certificate(h)
    return Certificate(h, exists, min(radius, (1 + root) / omega if omega > 0 else radius))
