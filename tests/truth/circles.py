"""Linkages without a solver: every pin is where two circles meet, and its motion follows by differentiating them.

A moving point is an array of three rows of complex numbers x + iy: position, velocity, acceleration. What is linear in
points (sums, differences, fixed complex ratios) holds for all three rows at once.
"""

import numpy as np


def still(x, y):
    """A fixed point."""
    return np.array([[x + 1j * y], [0], [0]])


def turning(centre, radius, angle, rate):
    """The end of a crank at `angle`, an array in radians, that turns at a constant `rate` in radians per time."""
    arm = radius * np.exp(1j * angle)
    return centre + np.array([arm, 1j * rate * arm, -(rate**2) * arm])


def meet(a, from_a, b, from_b, side):
    """The point at two constant distances from a and b, left of the line from a to b for side 1, right for −1.

    Position: with d = b − a, c = a + d (k ± ih), where k = (|d|² + r² − s²) / 2|d|² and h² = r²/|d|² − k².
    Velocity and acceleration: (c − a)·(c − a)' = 0, and the same from b, are two linear equations.
    """
    d = b[0] - a[0]
    k = (abs(d) ** 2 + from_a**2 - from_b**2) / (2 * abs(d) ** 2)
    c = a[0] + d * (k + 1j * side * np.sqrt(from_a**2 / abs(d) ** 2 - k**2))
    u, w = c - a[0], c - b[0]
    v = _solve(u, dot(u, a[1]), w, dot(w, b[1]))
    acceleration = _solve(u, dot(u, a[2]) - abs(v - a[1]) ** 2, w, dot(w, b[2]) - abs(v - b[1]) ** 2)
    return np.array([c, v, acceleration])


def dot(u, v):
    """u · v of two vectors as complex numbers."""
    return (np.conj(u) * v).real


def _solve(u, p, w, q):
    """x with u · x = p and w · x = q."""
    return 1j * (q * u - p * w) / (np.conj(u) * w).imag


def moving(run, name):
    """A point of interest "P" or a body's point "crank.A" as a run reports it, in rows as above."""
    body, _, point = name.rpartition(".")
    x, y = (np.array([run[f"{body or name}.{prefix}{axis}"] for prefix in ("", "v", "a")]) for axis in "xy")
    if not body:
        return x + 1j * y
    factor = run.units.angle_factor()
    phi, omega, alpha = (factor * run[f"{body}.{word}"] for word in ("phi", "omega", "alpha"))
    arm = complex(*run.model.bodies[body].points[point]) * np.exp(1j * phi)
    return x + 1j * y + np.array([arm, 1j * omega * arm, (1j * alpha - omega**2) * arm])


def agree(run, truth, limit=1e-9):
    """Position, velocity and acceleration of every named point within `limit` times the largest of each kind.

    Two points of a body fix its pose; a body with one point needs a comparison of its angle as well.
    """
    for row, word in enumerate(("position", "velocity", "acceleration")):
        size = max(np.max(abs(expected[row])) for expected in truth.values())
        for name, expected in truth.items():
            found = moving(run, name)[row]
            gap = np.max(abs(found - expected[row]))
            assert gap <= limit * size, f"{word} of {name} is off by {gap} where {limit * size} is allowed"
