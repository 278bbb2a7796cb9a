"""Solids as triangles: closed, oriented outwards, of the volume that geometry says."""

from collections import Counter

import numpy as np
import pytest

import mubo
from mubo.geometry.shapes import Shape
from mubo.view.scene import scene_of
from mubo.view.scene.mesh import AROUND, arrow, ball, box, cylinder, helix, prism, ring, rod, strip, tube
from mubo.view.scene.motion import pointing_poses
from mubo.view.scene.solids import solid_shape

POLYGON = AROUND / (2 * np.pi) * np.sin(2 * np.pi / AROUND)  # area of the polygon drawn, of its circle
CIRCLE = np.column_stack([f(2 * np.pi * np.arange(60) / 60) for f in (np.cos, np.sin)])
STAR = np.where(np.arange(60) % 2, 0.5, 1.0)[:, None] * CIRCLE + (3, 4)
OF_STAR = 60 * 0.5 * 0.5 * np.sin(2 * np.pi / 60)  # triangles with two sides 1 and 0.5
RIM = 60 / (2 * np.pi) * np.sin(2 * np.pi / 60) * np.pi * (1 - 0.8**2)
COMB = np.column_stack([np.arange(10.0), np.arange(10) % 2])
SOLIDS = {
    "box": (box(1, 2, 3), 6.0),
    "cylinder": (cylinder(0.5, 2), POLYGON * np.pi * 0.25 * 2),
    "nut": (cylinder(1, 2, 6), 3 * np.sqrt(3)),
    "tube": (tube(0.5, 0.3, 2), POLYGON * np.pi * (0.25 - 0.09) * 2),
    "arrow": (arrow(2.0, 0.1), POLYGON * np.pi * (0.01 * 1.4 + 0.09 * 0.6 / 3)),  # a cylinder and a cone
    "plate": (prism(STAR, -0.5, 1.5), 2 * OF_STAR),
    "plate the other way round": (prism(STAR[::-1], -0.5, 1.5), 2 * OF_STAR),
    "rim": (ring(CIRCLE, 0.8 * CIRCLE, 0, 2), 2 * RIM),
    "comb": (
        strip(COMB, COMB * [1, 0] - [0, 1], 0, 2),
        2 * 9 * 1.5,
    ),  # teeth of height 1 on half of a strip of height 1
    "moved box": (box(1, 2, 3).transformed((5, 6, 7), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])), 6.0),
}


def corners(mesh):
    return mesh.places[mesh.triangles]


def volume(mesh):
    """Divergence theorem: a sixth of the sum of a · (b × c)."""
    a, b, c = np.moveaxis(corners(mesh), 1, 0)
    return np.sum(a * np.cross(b, c)) / 6


@pytest.mark.parametrize("name", SOLIDS)
def test_volume(name):
    mesh, expected = SOLIDS[name]
    assert volume(mesh) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("mesh", "exact"),
    [
        (ball(2.0), 4 / 3 * np.pi * 8),
        (rod((1, 2, 3), (3, 2, 4), 0.1), np.pi * 0.01 * np.sqrt(5) + 4 / 3 * np.pi * 1e-3),
    ],
)
def test_volume_of_ball_and_rod_comes_from_inside(mesh, exact):
    """Polyhedra in a sphere, or a cylinder with round ends: smaller, by the square of the angle of corners at most."""
    assert 1 - (2 * np.pi / AROUND) ** 2 < volume(mesh) / exact < 1


@pytest.mark.parametrize("name", [*SOLIDS, "ball", "rod"])
def test_closed(name):
    """Every edge is used once in each direction, corners at one place counted as one."""
    mesh = {"ball": ball(1.0), "rod": rod((1, 2, 3), (3, 2, 4), 0.1)}.get(name) or SOLIDS[name][0]
    _, same = np.unique(np.round(mesh.places, 9), axis=0, return_inverse=True)
    triangles = np.asarray(same).reshape(-1)[mesh.triangles]
    edges = Counter((int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)


@pytest.mark.parametrize("name", [*SOLIDS, "ball", "helix", "rod"])
def test_normals_are_unit_and_point_outwards(name):
    known = {"ball": ball(1.0), "helix": helix(1, 0.2, 3, 5), "rod": rod((1, 2, 3), (3, 2, 4), 0.1)}
    mesh = known.get(name) or SOLIDS[name][0]
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1, abs=1e-12)
    a, b, c = np.moveaxis(corners(mesh), 1, 0)
    faces = np.cross(b - a, c - a)
    assert np.all(np.sum(mesh.normals[mesh.triangles] * faces[:, None], axis=2) > 0)


@pytest.mark.parametrize("along", "xyz")
@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        ("rod", {"length": 2}),
        ("cylinder", {"length": 2, "radius": 0.5}),
        ("tube", {"length": 2, "radius": 0.5, "inner": 0.3}),
        ("plate", {"a": 1, "b": 2}),
        ("box", {"a": 1, "b": 2, "c": 3}),
        ("sphere", {"radius": 0.7}),
    ],
)
def test_shapes_have_the_inertia_they_stand_for(kind, sizes, along):
    """Second moments of the drawn solid lie along the same axes, in the same order, as the formulas of the shape."""
    model = mubo.Model("solid", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    way = {"along": along} if kind not in ("box", "sphere") else {}
    model.body("one", points={"O": (0, 0, 0)}, mass=1, shape={"kind": kind, **way, **sizes})
    model.joint("held", "fixed", "ground.O", "one.O")
    shape = Shape(kind, sizes, along)
    scene = scene_of(model.kinematics(0, 0, 1))
    mesh = solid_shape(scene.shapes[0], 1.0)
    a, b, c = np.moveaxis(corners(mesh), 1, 0)
    # ∫ x² dV of a tetrahedron from the origin: V/10 (Σ x_i² + Σ_{i<j} x_i x_j)
    part = np.sum(a * np.cross(b, c), axis=1) / 6
    squares = (part / 10) @ (a * a + b * b + c * c + a * b + b * c + c * a) / part.sum()
    moments = np.sum(squares) - squares
    assert moments == pytest.approx(shape.inertia(1.0)[:3], rel=0.05, abs=scene.thick**2)  # drawn rods are thick


def test_links_point_along_their_direction_without_spin():
    way = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0.6, -0.8]], float)
    p = pointing_poses(way)
    w, x, y, z = p.T
    third = np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z])
    assert third == pytest.approx(way, abs=1e-12)
    assert np.linalg.norm(p, axis=1) == pytest.approx(1, abs=1e-12)
