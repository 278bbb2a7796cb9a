"""Gaps of convex solids in space against the least distance of their corners' convex hulls, a quadratic programme.

The distance of two polytopes is that of the origin from their Minkowski difference: least |Pᵀ x| with x ≥ 0, Σ x = 1
(Gilbert, Johnson and Keerthi 1988), here by non-negative least squares and exactly on the face that it finds.
"""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial.transform import Rotation

import mubo

ROUNDING = 0.1
PAIRS = (
    ("hull", "hull"), ("hull", "box"), ("box", "box"), ("capsule", "hull"), ("capsule", "box"), ("capsule", "capsule"),
    ("sphere", "hull"), ("sphere", "box"), ("sphere", "capsule"),
)  # fmt: skip


def least_distance(first, second):
    """Distance of the convex hulls of two sets of points."""
    points = (first[:, None] - second[None]).reshape(-1, 3)
    heavy = 1e6
    x, _ = nnls(np.vstack([points.T, np.full((1, len(points)), heavy)]), np.array([0, 0, 0, heavy]), maxiter=20000)
    face = points[x > 1e-12]
    count = len(face)
    K = np.ones((count + 1, count + 1))
    K[:count, :count], K[count, count] = face @ face.T, 0
    weights = np.linalg.lstsq(K, np.append(np.zeros(count), 1), rcond=None)[0][:count]
    return np.linalg.norm(face.T @ weights)


def solid(random, shape):
    """Corners of a random solid, the keys of its surface, and its rounding."""
    if shape == "hull":
        corners = 0.3 * random.normal(size=(8, 3))
        return corners, {"corners": corners.tolist()}, 0.0
    if shape == "box":
        size = random.uniform(0.2, 0.6, 3)
        return np.array(list(product((-0.5, 0.5), repeat=3))) * size, {"size": size.tolist()}, 0.0
    if shape == "capsule":
        axis = random.uniform(-0.4, 0.4, 3)
        return np.array([np.zeros(3), axis]), {"to": axis.tolist(), "radius": ROUNDING}, ROUNDING
    return np.zeros((1, 3)), {"radius": ROUNDING}, ROUNDING


@pytest.mark.parametrize("shapes", PAIRS, ids="-".join)
def test_gap_of_two_solids_is_their_distance(shapes):
    random = np.random.default_rng(5)
    for _ in range(4):
        model, places, rounding = mubo.Model("gap", dimension=3, gravity=[0, 0, 0]), [], 0.0
        for k, shape in enumerate(shapes):
            turn = Rotation.random(random_state=int(random.integers(1 << 30)))
            away = random.normal(size=3)
            at = k * 1.7 * away / np.linalg.norm(away)
            x, y, z, w = turn.as_quat().tolist()
            model.body(f"b{k}", position=at.tolist(), orientation=[w, x, y, z], mass=1, inertia=[1, 1, 1])
            corners, keys, radius = solid(random, shape)
            model.surface(f"s{k}", body=f"b{k}", shape=shape, **keys)
            places.append(turn.apply(corners) + at)
            rounding += radius
        model.contact("c", between=["s0", "s1"], restitution=0)
        gap = model.simulate(0, 1e-6, step=1e-6)["c.gap"][0]
        assert gap == pytest.approx(least_distance(*places) - rounding, abs=1e-12)
