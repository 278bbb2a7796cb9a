"""A ram, a link and the frame as a deck: a triangle of three sides, of which the ram's grows. Closed form throughout.

The ram z1 = r e^{iθ₁} leads from O to P, the link z2 from P to D, the frame z3 back from D to O; z4 is drawn on the
link from P and is in a path only. r cos θ₁ = (r² + d² − b²) / (2 d), and z2 = d − z1.
"""

from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo.legacy.okins1964.linkage import (
    CouplerPoint,
    Drive,
    Positions,
    VectorLinkage,
    VectorLoop,
    VectorPath,
)
from mubo.legacy.okins1964.read import model_of
from mubo.view.scene import scene_of

LINK, FRAME, ARM, START, RATE = 1.3, 2.0, 0.6, 1.1, 0.2
COUPLER = CouplerPoint(0.25, 40.0)
PATHS = {"forwards": (1, 4), "backwards": (-3, -2, 4)}


def triangle(r):
    """z1 and z2 of the triangle with P above the frame."""
    x = (r**2 + FRAME**2 - LINK**2) / (2 * FRAME)
    z1 = x + 1j * np.sqrt(r**2 - x**2)
    return z1, FRAME - z1


def ram(path="forwards", size=1.0, off=0.0, back=False):
    """The deck, `size` times as large, the direction of the link `off` degrees from closing."""
    z1, z2 = triangle(START)
    angles = [*np.degrees(np.angle([z1, z2])), 180.0, 75.0]
    angles[1] += off
    linkage = VectorLinkage(
        lengths=tuple(size * x for x in (START, LINK, FRAME, ARM)),
        angles=tuple(map(float, angles)),
        loops=(VectorLoop((1, 2, 3), 4),),
        links=((1,), (2,)),
        frame=(3,),
        drive=Drive("ram", size * RATE),
        positions=Positions(6, 0.5, back, 1),
        paths=(VectorPath(PATHS[path], False, CouplerPoint(size * COUPLER.length, COUPLER.angle)),),
        path_links={4: 2},
    )
    return mubo.Model.from_definition(model_of(linkage, Path("ram.deck")))


def moving(run, rows=slice(None)):
    """z1, z2 and z4 from the closed form, z4 turned as the link is."""
    z1, z2 = triangle(START + RATE * run["t"][rows])
    turned = z2 / triangle(START)[1]
    return z1, z2, ARM * np.exp(1j * np.radians(75.0)) * turned


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_the_triangle_at_any_size(size):
    """Angles are those of the sides, however large; a vector that only a path has turns with its link."""
    run = ram(size=size).kinematics(0, 2, 0.1)
    for name, z in zip(("z1", "z2", "z4"), moving(run), strict=True):
        np.testing.assert_allclose(np.radians(run[f"{name}.theta"]), np.angle(z), atol=1e-12)
    np.testing.assert_allclose(run["z1.r"], size * (START + RATE * run["t"]), rtol=1e-12)


@pytest.mark.parametrize("path", PATHS)
def test_the_path_and_its_coupler_point(path):
    run = ram(path).kinematics(0, 2, 0.1)
    z1, _, z4 = moving(run)
    np.testing.assert_allclose(run["path1.x"] + 1j * run["path1.y"], z1 + z4, atol=1e-12)
    tip = z1 + z4 * (1 + COUPLER.length / ARM * np.exp(1j * np.radians(COUPLER.angle)))
    np.testing.assert_allclose(run["coupler1.x"] + 1j * run["coupler1.y"], tip, atol=1e-12)


@pytest.mark.parametrize("path", PATHS)
def test_every_vector_is_drawn_where_it_lies(path):
    """The ram begins in O, its rod ends in P, and so does the link, whatever the path walks; P moves with ż1."""
    run = ram(path).kinematics(0, 2, 0.001)
    scene = scene_of(run)
    z1, z2, _ = moving(run)
    origin = run.model.bodies["link2"].points
    first = next(complex(*at) for at in origin.values())  # of the axes of the link, from its pin P
    assert abs(first) < 1e-12
    for name, tail, turn in (("link1", 0 * z1, z1), ("rod", z1, z1)):
        x, y, phi = scene.poses[name].T
        np.testing.assert_allclose(x + 1j * y, tail, atol=1e-12)
        np.testing.assert_allclose(np.exp(1j * phi), turn / np.abs(turn), atol=1e-12)
        vx, vy, omega = scene.rates[name].T
        # Central differences of a smooth motion: to the square of the step.
        np.testing.assert_allclose((vx + 1j * vy)[1:-1], (tail[2:] - tail[:-2]) / 0.002, atol=1e-6)
        np.testing.assert_allclose(omega[1:-1], np.angle(turn[2:] / turn[:-2]) / 0.002, atol=1e-6)
    np.testing.assert_allclose(np.exp(1j * scene.poses["link2"][:, 2]), z2 / np.abs(z2), atol=1e-12)
    ground = [complex(*at) for at in run.model.bodies["ground"].points.values()]
    np.testing.assert_allclose(sorted(ground, key=abs), [0, FRAME], atol=1e-12)


def test_back_again_the_driver_is_reversed():
    """f(2 T − t): positions repeat, rates change their signs, accelerations do not."""
    run = ram(back=True).kinematics(0, 2, 0.25)
    there, back = slice(0, 9), slice(17, 8, -1)
    np.testing.assert_allclose(run["t"][back], 4 - run["t"][there], atol=1e-12)
    for name in ("z1", "z2", "z4"):
        assert min(np.max(np.abs(run[f"{name}.{word}"])) for word in ("omega", "alpha")) > 0.1
        for word, sign in (("theta", 1), ("omega", -1), ("alpha", 1)):
            np.testing.assert_allclose(run[f"{name}.{word}"][back], sign * run[f"{name}.{word}"][there], atol=1e-9)
    for word, sign in (("x", 1), ("vx", -1), ("ax", 1)):
        np.testing.assert_allclose(run[f"path1.{word}"][back], sign * run[f"path1.{word}"][there], atol=1e-9)


@pytest.mark.parametrize(("off", "said"), [(1.0, "by -1 deg at most"), (3.0, "at most; look at the lengths")])
def test_closing_by_more_than_two_degrees_is_a_reason_to_look(off, said):
    """The link is drawn `off` degrees too far, and turned back by that much."""
    run = ram(off=off).kinematics(0, 2, 0.5)
    assert ram(off=off).check().rotations["z2"] == pytest.approx(-off, abs=1e-9)
    (note,) = (note for note in run.summary["warnings"] if "closed by turning links" in note)
    assert said in note
    assert ("look at" in note) == (off > 2)
