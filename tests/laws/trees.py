"""Random trees, and their mechanics a second time: dense Jacobians of the bodies, in plain numpy.

The second formulation shares nothing with the core: poses as matrices, M = Σ Jᵀ diag(m, I) J over the centres of mass,
and every derivative by the complex step, df/ds = Im f(s + ih) / h, which is exact to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mubo._core import Along, TreeSystem, space_loads, tree_kinds

KIND = {name: number for number, (name, _, _) in enumerate(tree_kinds())}
SIZES = [(positions, velocities) for _, positions, velocities in tree_kinds()]
LOAD = {name: number for number, (name, *_) in enumerate(space_loads())}
STEP = 1e-30


def in_joint(name, link, dof, *numbers, law=-1):
    """A load along a degree of freedom of a link."""
    return LOAD[name], Along.dof, link, dof, law, [float(x) for x in numbers]


def between(name, first, second, *numbers):
    """A load along the distance of a point of one link and a point of another: the points, then its numbers."""
    return LOAD[name], Along.distance, first, second, -1, [float(x) for x in numbers]


def on_link(name, link, law, *numbers):
    return LOAD[name], Along.body, link, -1, law, [float(x) for x in numbers]


def cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation(q):
    """Of a quaternion of any length; analytic, so that complex steps pass through."""
    w, u = q[0], q[1:]
    n = np.sum(q * q)
    return ((w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * cross_matrix(u)) / n


def about(axis, angle):
    return rotation(np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis]))


def multiply(p, q):
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def chebyshev_law(*columns):
    """One piece over [-10, 10] from functions f, f', f''."""
    nodes = np.cos(np.pi * (np.arange(60) + 0.5) / 60)
    fits = [np.polynomial.chebyshev.chebfit(nodes, f(10 * nodes), 59) for f in columns]
    return np.array([-10.0, 10.0]), np.array([fits])


def sine_law(amplitude, rate, phase):
    return chebyshev_law(
        lambda t: amplitude * np.sin(rate * t + phase),
        lambda t: amplitude * rate * np.cos(rate * t + phase),
        lambda t: -amplitude * rate**2 * np.sin(rate * t + phase),
    )


@dataclass
class Tree:
    """The arrays of a TreeSystem, kept for the second formulation."""

    parent: list = field(default_factory=list)
    kind: list = field(default_factory=list)
    place: list = field(default_factory=list)
    axis: list = field(default_factory=list)
    pitch: list = field(default_factory=list)
    inertia: list = field(default_factory=list)
    law: list = field(default_factory=list)
    gravity: tuple = (0.3, -0.2, -9.81)
    laws: list = field(default_factory=list)
    loads: list = field(default_factory=list)

    def add(
        self,
        kind,
        parent=None,
        place=(0, 0, 0, 1, 0, 0, 0),
        axis=(0, 0, 1),
        pitch=0.0,
        mass=0.0,
        center=(0, 0, 0),
        inertia=(0, 0, 0, 0, 0, 0),
        law=-1,
    ):
        self.parent.append(len(self.parent) - 1 if parent is None else parent)
        self.kind.append(KIND[kind])
        self.place.append(place)
        self.axis.append(axis)
        self.pitch.append(pitch)
        self.inertia.append((mass, *center, *inertia))
        self.law.append(law)
        return len(self.parent) - 1

    def system(self):
        def real(values, width):
            return np.ascontiguousarray(np.reshape(np.array(values, float), (len(self.parent), width)))

        return TreeSystem(
            np.array(self.parent, np.int32),
            np.array(self.kind, np.int32),
            real(self.place, 7),
            real(self.axis, 3),
            np.array(self.pitch, float),
            real(self.inertia, 10),
            np.array(self.law, np.int32),
            np.array(self.gravity, float),
            self.laws,
            self.loads,
        )

    def slices(self):
        """(positions, velocities) of every link, as slices."""
        q = v = 0
        for kind in self.kind:
            nq, nv = SIZES[kind]
            yield slice(q, q + nq), slice(v, v + nv)
            q, v = q + nq, v + nv

    def state(self, rng, speed=1.0):
        q, v = [], []
        for kind in self.kind:
            nq, nv = SIZES[kind]
            one = rng.normal(size=nq)
            q.append(one / np.linalg.norm(one) if kind == KIND["ball"] else one)
            v.append(speed * rng.normal(size=nv))
        return np.concatenate(q), np.concatenate(v)

    def moved(self, q, v, step):
        """q a small step along v; analytic in the step."""
        out = np.array(q, dtype=np.result_type(q, type(step)))
        for kind, (at, speeds) in zip(self.kind, self.slices(), strict=True):
            if kind == KIND["ball"]:
                out[at] = q[at] + step / 2 * multiply(q[at], np.concatenate([[0], v[speeds]]))
            else:
                out[at] = q[at] + step * v[speeds]
        return out

    def poses(self, q):
        """(R, r) of every link and the screws (angular, linear at r) of every degree of freedom, in ground axes."""
        poses, screws = [], []
        for k, (at, _) in enumerate(self.slices()):
            R, r = (np.eye(3), np.zeros(3)) if self.parent[k] < 0 else poses[self.parent[k]]
            place, axis = np.array(self.place[k], float), np.array(self.axis[k], float)
            r, J = r + R @ place[:3], R @ rotation(place[3:])
            name, x, zero = tree_kinds()[self.kind[k]][0], q[at], np.zeros(3)
            pitch = self.pitch[k] if name == "screw" else 1.0
            turning = name in ("turn", "screw")
            R = J @ (about(axis, x[0]) if turning else rotation(x) if name == "ball" else np.eye(3))
            if name in ("slide", "screw"):
                r = r + pitch * x[0] * (J @ axis)
            if name == "shift":
                r = r + J @ x
            screws.append(
                {
                    "weld": [],
                    "turn": [(J @ axis, zero)],
                    "slide": [(zero, J @ axis)],
                    "screw": [(J @ axis, pitch * (J @ axis))],
                    "ball": [(c, zero) for c in R.T],
                    "shift": [(zero, c) for c in J.T],
                }[name]
            )
            poses.append((R, r))
        return poses, screws

    def jacobian(self, q, link, point, found=None):
        """Angular and linear Jacobian (3 × velocities each) of a point of a link, given in link axes."""
        poses, screws = found or self.poses(q)
        n = sum(len(one) for one in screws)
        columns = [s.start for _, s in self.slices()]
        turning, moving = np.zeros((3, n), q.dtype), np.zeros((3, n), q.dtype)
        target = poses[link][1] + poses[link][0] @ np.array(point, float)
        while link >= 0:
            for c, (w, v) in enumerate(screws[link], columns[link]):
                turning[:, c] = w
                moving[:, c] = v + np.cross(w, target - poses[link][1])
            link = self.parent[link]
        return turning, moving

    def mass_and_bias(self, q, v):
        """M and h of M a + h = Q with gravity and velocity products in h."""
        next_q = self.moved(q, v, 1j * STEP)
        found, ahead = self.poses(q), self.poses(next_q)
        n = len(v)
        M, h = np.zeros((n, n)), np.zeros(n)
        for k, (m, cx, cy, cz, xx, yy, zz, xy, xz, yz) in enumerate(self.inertia):
            c, R = (cx, cy, cz), found[0][k][0]
            inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
            (Jw, Jv), (Jw2, Jv2) = self.jacobian(q, k, c, found), self.jacobian(next_q, k, c, ahead)
            w = Jw @ v
            M += m * Jv.T @ Jv + Jw.T @ inertia @ Jw
            h += m * Jv.T @ (Jv2.imag / STEP @ v - np.array(self.gravity))
            h += Jw.T @ (inertia @ (Jw2.imag / STEP @ v) + np.cross(w, inertia @ w))
        return M, h

    def accelerations(self, q, v, forces):
        """With driven degrees of freedom left free: use trees without drivers, or give their forces."""
        M, h = self.mass_and_bias(q, v)
        return np.linalg.solve(M, forces - h)


def unit(rng, n):
    one = rng.normal(size=n)
    return tuple(one / np.linalg.norm(one))


def random_inertia(rng):
    """Of ten point masses: always possible, with products of inertia."""
    points, masses = rng.normal(size=(10, 3)), rng.uniform(0.05, 0.3, 10)
    center = masses @ points / masses.sum()
    away = points - center
    tensor = sum(m * ((p @ p) * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, away, strict=True))
    i = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return {"mass": masses.sum(), "center": tuple(center), "inertia": tuple(tensor[k] for k in i)}


def random_tree(seed, links=12, driven=False, free=False):
    """Mixed kinds; every fourth link has no mass but carries one that has. `free`: a shift and a ball at the base."""
    rng = np.random.default_rng(seed)
    tree = Tree()
    if free:
        tree.add("shift")
        tree.add("ball", **random_inertia(rng))
    while len(tree.parent) < links:
        k = len(tree.parent)
        parent = int(rng.integers(1 if free else -1, k)) if k else -1
        stacked = rng.random() < 0.25
        aligned = np.eye(3)[rng.integers(3)] if rng.random() < 0.5 else None
        shared = {
            "place": (*rng.normal(size=3), *((1, 0, 0, 0) if rng.random() < 0.3 else unit(rng, 4))),
            "axis": tuple(aligned) if aligned is not None else unit(rng, 3),
            "pitch": 0.2,
        }
        law = -1
        if driven and rng.random() < 0.3:
            tree.laws.append(sine_law(*rng.uniform(0.3, 1.0, 3)))
            law = len(tree.laws) - 1
        if stacked:  # a joint of two DOFs; the first link has neither mass nor inertia
            base = tree.add("turn", parent, law=law, **shared)
            tree.add("slide", base, axis=unit(rng, 3), **random_inertia(rng))
        else:
            names = ("turn", "slide", "screw") if law >= 0 else ("weld", "turn", "slide", "screw", "ball", "shift")
            tree.add(str(rng.choice(names)), parent, law=law, **shared, **random_inertia(rng))
    return tree, rng


def flat_tree(seed):
    """Links that move in the plane x, y: slides across z, turns about it either way, and a weld; frames turned."""
    rng = np.random.default_rng(seed)
    tree = Tree(gravity=(0.3, -9.81, 0.0))
    for k in range(8):
        parent = int(rng.integers(-1, k)) if k else -1
        angle, half = rng.uniform(0, 6, 2)
        kind = "slide" if k % 3 == 0 else "weld" if k == 5 else "turn"
        axis = (np.cos(angle), np.sin(angle), 0.0) if kind == "slide" else (0, 0, 1 if k % 2 else -1)
        frame = (np.cos(half), 0, 0, np.sin(half)) if k > 3 else (1, 0, 0, 0)
        heavy = random_inertia(rng)
        heavy["center"] = (*heavy["center"][:2], 0.0)
        tree.add(kind, parent, (*rng.normal(size=2), 0, *frame), axis, **heavy)
    return tree, rng
