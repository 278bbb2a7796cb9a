"""States of bodies that move with given twists: velocity of the origin, then angular velocity, in ground axes."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import product
from mubo.mechanism import Absolute


def states_from_twists(form: Absolute, q: Array, twists: Array, changes: Array | None = None) -> Array:
    """States, positions × (q, q̇, q̈) × unknowns, from twists of all moving bodies and their derivatives (zero if left
    out).

    In space ṗ = ½ ω p and p̈ = ½ α p + ½ ω ṗ; in the plane twists are the rates of the unknowns.
    """
    changes = np.zeros_like(twists) if changes is None else changes
    q = np.broadcast_to(q, (len(twists), np.shape(q)[-1]))
    if form.mechanism.dimension == 2:
        return np.stack([q, twists, changes], 1)
    p = q.reshape(len(q), -1, 7)[..., 3:]
    v, a = (part.reshape(len(q), -1, 6) for part in (twists, changes))
    omega, alpha = (_pure_quaternions(part[..., 3:]) for part in (v, a))
    rate = 0.5 * product(omega, p)
    bend = 0.5 * product(alpha, p) + 0.5 * product(omega, rate)
    rates = np.concatenate([v[..., :3], rate], -1).reshape(len(q), -1)
    return np.stack([q, rates, np.concatenate([a[..., :3], bend], -1).reshape(len(q), -1)], 1)


def _pure_quaternions(vectors: Array) -> Array:
    """Vectors as quaternions without a scalar part."""
    return np.concatenate([np.zeros((*vectors.shape[:-1], 1)), vectors], -1)
