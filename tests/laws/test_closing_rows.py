"""True for every row that closes a loop of a tree: gap, rate, acceleration and wrenches are those of its formula.

The core has the most frequent rows by hand, from the motion of links; the formulas of absolute coordinates and their
jets over time (see test_rows.py) know nothing of them. One row alone between links that move at random, or between a
link and the ground: what the closed tree accelerates by must satisfy the second derivative of the formula (the hand's
second derivative) and must need, beside the loads, the forces −Jᵀ λ of the formula and nothing else (its wrenches).
"""

import itertools

import numpy as np
import pytest
from test_rows import WORLDS, build
from trees import KIND, flat_tree, multiply, random_tree, rotation, sine_law, unit

from mubo import _core

NOT_OF_LOOPS = ("normalise",)  # of quaternions, which a tree has none of
TIME, LAW = 0.37, (0.4, 1.3, 0.2)  # amplitude, rate, phase
CASES = [
    (world, number, on_ground, seed)
    for world, (_, kinds, _) in WORLDS.items()
    for number, (name, _, bodies, _, _) in enumerate(kinds)
    if name not in NOT_OF_LOOPS
    for on_ground in ((False, True) if bodies > 1 else (False,))
    for seed in (1, 2)
]


class Case:
    """A tree with one row between bodies that sit askew on its links, and the same row in absolute coordinates."""

    def __init__(self, world, number, on_ground, seed):
        _, kinds, _ = WORLDS[world]
        self.name, self.equations, bodies, parameters, _ = kinds[number]
        self.flat = world == "plane"
        self.tree, rng = flat_tree(seed) if self.flat else random_tree(seed, links=8, free=True)
        self.links = [int(k) for k in rng.permutation(np.arange(2, 8))[:bodies]]
        if on_ground:
            self.links[int(rng.integers(bodies))] = -1
        self.places = [self.place(rng) for _ in self.links]
        body = np.array([[*range(bodies), *[-1] * (_core.max_bodies - bodies)]], np.int32)
        driver = np.array([0 if self.equations == 1 else -1], np.int32)
        self.rows = build(world, number, bodies, body, driver, rng.uniform(0.4, 1.6, parameters))
        amplitude, rate, phase = LAW
        angle = rate * TIME + phase
        self.f = amplitude * np.array([np.sin(angle), rate * np.cos(angle), -(rate**2) * np.sin(angle)])
        self.tree.laws = [sine_law(*LAW)]
        self.open, self.closed = self.tree.system(), self.tree.system()
        self.close()
        self.q, self.v = self.tree.state(rng)

    def place(self, rng):
        """Origin and quaternion of a body on its link; in the plane turned about z."""
        if not self.flat:
            return np.array([*rng.normal(size=3), *unit(rng, 4)])
        half = rng.uniform(-1, 1)
        return np.array([*rng.normal(size=2), 0, np.cos(half), 0, 0, np.sin(half)])

    def close(self):
        turned = [2 * np.arctan2(p[6], p[3]) for p in self.places]
        group, weight = np.zeros(self.equations, np.int32), np.ones(self.equations)
        law = np.zeros(int(self.equations == 1), np.int32)
        links = np.array(self.links, np.int32)
        _core.close_loops(self.closed, self.rows, links, np.array(self.places), np.array(turned), group, weight, law)

    def bodies(self, v, a):
        """Place, quaternion, v, w, acceleration and angular acceleration of every body of the row: 19 numbers each."""
        links = self.open.forward(self.q[None], v[None], a[None])[0]
        return np.array([self.body(links, k, p) for k, p in zip(self.links, self.places, strict=True)])

    def body(self, links, link, place):
        still = np.zeros(19)
        still[3] = 1
        r, p, v, w, acc, alpha = np.split(still if link < 0 else links[link], [3, 7, 10, 13, 16])
        s = rotation(p) @ place[:3]
        moved = v + np.cross(w, s)
        bent = acc + np.cross(alpha, s) + np.cross(w, np.cross(w, s))
        return np.concatenate([r + s, multiply(p, place[3:]), moved, w, bent, alpha])

    def turn(self, link, place):
        """The angle of a body of the plane, with its full turns."""
        angle = 2 * np.arctan2(place[6], place[3])
        at = [q for q, _ in self.tree.slices()]
        while link >= 0:
            *_, w, _, _, z = self.tree.place[link]
            angle += 2 * np.arctan2(z, w)
            if self.tree.kind[link] == KIND["turn"]:
                angle += self.tree.axis[link][2] * self.q[at[link]][0]
            link = self.tree.parent[link]
        return angle

    def absolute(self, a):
        """Coordinates of the bodies with both derivatives, as the rows take them."""
        found = self.bodies(self.v, a)
        if self.flat:
            q = [[x[0], x[1], self.turn(k, p)] for x, k, p in zip(found, self.links, self.places, strict=True)]
            return np.array(q).ravel(), found[:, [7, 8, 12]].ravel(), found[:, [13, 14, 18]].ravel()
        q, v, bent = [], [], []
        for x in found:
            p, w, alpha = x[3:7], np.concatenate([[0], x[10:13]]), np.concatenate([[0], x[16:]])
            rate = multiply(w, p) / 2
            q.append(x[:7])
            v.append([*x[7:10], *rate])
            bent.append([*x[13:16], *(multiply(alpha, p) + multiply(w, rate)) / 2])
        return np.array(q).ravel(), np.array(v).ravel(), np.array(bent).ravel()

    def jacobian(self, q):
        """dΦ/dt by the rates of the tree: twists of the bodies are linear in them."""
        kept = [7, 8, 12] if self.flat else range(7, 13)
        zero = np.zeros_like(self.v)
        twists = np.array([self.bodies(one, zero)[:, kept].ravel() for one in np.eye(len(self.v))]).T
        return self.rows.twist_jacobian(q, self.f) @ twists

    def follows(self):
        """Whether the links can move against each other so that the row holds: what moves all of them does not help."""
        place, _, _ = self.absolute(np.zeros_like(self.v))
        paths = [self.path(link) for link in self.links] if len(self.links) > 1 else [self.path(self.links[0]), set()]
        loop = set.union(*paths) - set.intersection(*paths)
        columns = [c for k, (_, at) in enumerate(self.tree.slices()) if k in loop for c in range(at.start, at.stop)]
        J = self.jacobian(place)[:, columns]
        return len(columns) >= self.equations and np.linalg.svd(J, compute_uv=False)[-1] > 0.1

    def path(self, link):
        return {link} | self.path(self.tree.parent[link]) if link >= 0 else set()


@pytest.fixture(params=CASES, ids=lambda p: f"{p[0]}-{WORLDS[p[0]][1][p[1]][0]}{'-ground' * p[2]}-{p[3]}")
def case(request):
    *which, seed = request.param
    return next(found for more in itertools.count() if (found := Case(*which, seed + 100 * more)).follows())


def test_a_row_is_its_formula(case):
    t, q, v = np.array([TIME]), case.q[None], case.v[None]
    status, _, rows, _ = _core.loop_rows(case.closed, t, q, v)
    assert status == _core.Status.done
    gap, rate, lam = rows[0]
    status, *_, a, _ = case.closed.aba(t, q, v, np.zeros_like(v))
    assert status == _core.Status.done
    at, speed, bent = case.absolute(a[0])
    J, (nu, gamma) = case.rows.jacobian(at, case.f), case.rows.right_sides(at, speed, case.f)
    size = 1 + np.max(np.abs(gamma))
    np.testing.assert_allclose(gap, case.rows.phi(at, case.f), atol=1e-12)
    np.testing.assert_allclose(rate, J @ speed - nu, atol=1e-11)
    np.testing.assert_allclose(J @ bent - gamma, 0, atol=1e-10 * size)
    *_, needed = case.open.rnea(t, q, v, a)
    np.testing.assert_allclose(needed[0], -case.jacobian(at).T @ lam, atol=1e-10 * (1 + np.max(np.abs(lam))))
    assert np.max(np.abs(lam)) > 1e-3  # the row does something
