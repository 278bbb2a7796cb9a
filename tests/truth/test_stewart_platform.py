"""Stewart platform: leg lengths of a known pose, given to the legs as drivers, must give the pose back (the inverse
problem is elementary, the forward one is what mubo solves; Stewart 1965)."""

from math import cos, hypot, sin

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.spatial.transform import Rotation

import mubo

BASE = [(np.cos(a), np.sin(a), 0.0) for a in np.radians([10, 110, 130, 230, 250, 350])]
PLATE = [(0.6 * np.cos(a), 0.6 * np.sin(a), 0.0) for a in np.radians([50, 70, 170, 190, 290, 310])]


def place(t):
    return np.array([0.1 * np.sin(t), 0.1 * np.cos(2 * t), 1.2 + 0.05 * np.sin(3 * t)])


def angles(t):
    return np.array([0.2 * np.sin(t), 0.15 * np.sin(2 * t), 0.3 * np.cos(t)])


def leg(k):
    """The length of leg k as a function of time: |r + A p − b|, A = X Y Z; numbers alone, as it is called often."""

    def length(t):
        x, y, z = PLATE[k]
        for turn, (a, b) in ((0.3 * cos(t), (0, 1)), (0.15 * sin(2 * t), (2, 0)), (0.2 * sin(t), (1, 2))):
            turned, c, s = [x, y, z], cos(turn), sin(turn)
            turned[a], turned[b] = c * turned[a] - s * turned[b], s * turned[a] + c * turned[b]
            x, y, z = turned
        r = (0.1 * sin(t), 0.1 * cos(2 * t), 1.2 + 0.05 * sin(3 * t))
        return hypot(r[0] + x - BASE[k][0], r[1] + y - BASE[k][1], r[2] + z - BASE[k][2])

    return length


def check_pose(run, tolerance=1e-9):
    t = run["t"]
    np.testing.assert_allclose(np.stack([run[f"plate.{c}"] for c in "xyz"]), place(t), atol=tolerance)
    quaternion = Rotation.from_euler("XYZ", angles(t).T).as_quat(scalar_first=True)
    found = np.stack([run[f"plate.q{c}"] for c in "wxyz"], 1)
    np.testing.assert_allclose(np.abs(np.sum(found * quaternion, axis=1)), 1, atol=tolerance)
    h = 1e-5
    velocity = (place(t + h) - place(t - h)) / (2 * h)
    np.testing.assert_allclose(np.stack([run[f"plate.v{c}"] for c in "xyz"]), velocity, atol=1e-7)
    ahead, behind = (Rotation.from_euler("XYZ", angles(t + s).T) for s in (h, -h))
    omega = (ahead * behind.inv()).as_rotvec() / (2 * h)
    np.testing.assert_allclose(np.stack([run[f"plate.w{c}"] for c in "xyz"], 1), omega, atol=1e-7)


def test_the_shipped_platform_moves_on_a_circle_without_turning():
    run = mubo.load(EXAMPLES / "stewart_platform.toml").kinematics()
    angle = 2 * np.pi * run["t"]
    np.testing.assert_allclose(run["plate.x"], 0.1 * np.cos(angle), atol=1e-12)
    np.testing.assert_allclose(run["plate.y"], 0.1 * np.sin(angle), atol=1e-12)
    np.testing.assert_allclose(run["plate.z"], 1.2, atol=1e-12)
    np.testing.assert_allclose(run["plate.qw"], 1, atol=1e-12)
    np.testing.assert_allclose(run["plate.ay"], -0.1 * (2 * np.pi) ** 2 * np.sin(angle), atol=1e-10)
    for name in ("pose.q4", "pose.q5", "pose.q6", "plate.wx", "plate.alphaz"):
        np.testing.assert_allclose(run[name], 0, atol=1e-8)
    np.testing.assert_allclose(run["pose.q1"], run["plate.x"], atol=1e-15)
    assert run.summary["mobility"]["gruebler"] == run.summary["mobility"]["rank"] == 6


def test_pose_from_six_leg_lengths():
    model = mubo.Model("platform", dimension=3)
    for k in range(6):
        model.ground.point(f"B{k}", BASE[k])
    points = {f"P{k}": PLATE[k] for k in range(6)}
    model.body("plate", position=(0, 0, 1.2), orientation=(1, 0, 0, 0), points=points)
    for k in range(6):
        model.driver(f"leg{k}", (f"ground.B{k}", f"plate.P{k}"), leg(k))
    check_pose(model.kinematics(0, 2, 0.1))


def test_the_same_with_legs_that_are_bodies():
    """Twelve bodies more: a cross at the base, a cylinder with its rod, a ball at the plate. 78 coordinates, 6 rams."""
    model = mubo.Model("platform with legs", dimension=3)
    points = {f"P{k}": PLATE[k] for k in range(6)}
    start = Rotation.from_euler("XYZ", angles(0.0))
    model.body("plate", place(0.0), orientation=start.as_quat(scalar_first=True), points=points)
    for k in range(6):
        base, along = np.array(BASE[k]), place(0.0) + start.apply(PLATE[k]) - BASE[k]
        z = along / np.linalg.norm(along)
        x = np.cross((0, 1, 0), z) / np.linalg.norm(np.cross((0, 1, 0), z))
        frame = Rotation.from_matrix(np.column_stack([x, np.cross(z, x), z])).as_quat(scalar_first=True)
        model.ground.point(f"B{k}", base)
        model.body(f"cylinder{k}", base, orientation=frame, points={"foot": (0, 0, 0)})
        model.body(f"rod{k}", base + along, orientation=frame, points={"top": (0, 0, 0)})
        model.joint(f"U{k}", "universal", f"ground.B{k}", f"cylinder{k}.foot", axes=((1, 0, 0), (0, 1, 0)))
        model.joint(f"ram{k}", "prismatic", f"cylinder{k}.foot", f"rod{k}.top", axis=(0, 0, 1))
        model.joint(f"S{k}", "spherical", f"plate.P{k}", f"rod{k}.top")
        model.driver(f"leg{k}", f"ram{k}", leg(k))
    run = model.kinematics(0, 1, 0.1)
    found = run.summary["mobility"]
    assert (found["gruebler"], found["rank"], found["loops"], found["redundant"]) == (6, 6, 5, [])
    check_pose(run)
    np.testing.assert_allclose(run["ram0.q"], [leg(0)(t) for t in run["t"]], atol=1e-12)


def test_a_platform_with_similar_hexagons_is_singular():
    """Base and plate similar and parallel: the six legs meet in a line complex, the plate can move at fixed lengths
    (architecture singularity, Ma and Angeles 1991). It is refused at the start, not solved."""
    model = mubo.Model("similar", dimension=3)
    for k in range(6):
        model.ground.point(f"B{k}", BASE[k])
    points = {f"P{k}": 0.5 * np.array(BASE[k]) for k in range(6)}
    model.body("plate", position=(0, 0, 1), orientation=(1, 0, 0, 0), points=points)
    for k in range(6):
        model.driver(f"leg{k}", (f"ground.B{k}", f"plate.P{k}"), lambda t, k=k: float(np.hypot(0.5, 1.0)))
    with pytest.raises(mubo.MuboError, match="plate"):
        model.kinematics(0, 1, 0.1)
