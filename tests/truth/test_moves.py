"""Moves in least time against their closed forms: which limits are reached, how long they last, what they never exceed.

Source: Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and Robots (2008), section 3.4.
"""

import math

import numpy as np
import pytest

import mubo
from mubo.laws import Moves


@pytest.mark.parametrize(
    ("h", "v", "a", "j", "lasts"),
    [
        (10, 5, 10, 30, 10 / 5 + 5 / 10 + 10 / 30),  # all three limits
        (10, 10, 10, 30, 2 * (0.5 * (math.sqrt((1 / 3) ** 2 + 4) + 1 / 3))),  # acceleration, not speed
        (10, 5, 50, 30, 10 / 5 + 2 * math.sqrt(5 / 30)),  # speed, not acceleration
        (0.1, 5, 10, 30, 4 * (0.1 / (2 * 30)) ** (1 / 3)),  # neither
    ],
)
def test_least_time_and_limits(h, v, a, j, lasts):
    """T of a move without cruise is 2 T_a, w T_a = h: of the second w = 5 (√(1/9 + 4) − 1/3), T_a = w/a + a/j."""
    law = Moves((h,), v, a, j)
    assert law.duration == pytest.approx(lasts, rel=1e-12)
    t = np.linspace(0, lasts, 20001)
    x, speed, acceleration = law(t).T
    assert x[-1] == pytest.approx(h, rel=1e-12)
    assert speed[-1] == pytest.approx(0, abs=1e-12 * v)
    assert np.all(np.diff(x) >= -1e-12)
    assert np.max(np.abs(speed)) <= v * (1 + 1e-12)
    assert np.max(np.abs(acceleration)) <= a * (1 + 1e-12)
    assert np.max(np.abs(np.diff(acceleration) / np.diff(t))) <= j * (1 + 1e-6)
    np.testing.assert_allclose(x + x[::-1], h, atol=1e-12 * h)  # the way back is the way there
    back = Moves((-h,), v, a, j)(t)
    np.testing.assert_allclose(back, -law(t), atol=1e-14)


def test_an_indexing_table_goes_on_where_it_ended(tmp_path):
    """A quarter of a turn and a dwell, again and again; in degrees, read from a file."""
    path = tmp_path / "table.toml"
    path.write_text(
        'name = "table"\nunits = { angle = "deg", time = "s" }\n[body.ground]\npoints = { O = [0, 0] }\n'
        "[body.table]\npoints = { O = [0, 0] }\n"
        '[joint.O]\ntype = "revolute"\nbetween = ["ground.O", "table.O"]\n'
        '[driver.motor]\nof = "O"\nmotion = { moves = [90], speed = 180, acceleration = "900 deg/s^2", '
        'jerk = "25 rev/s^3", dwell = 0.5, repeat = true }\n'
    )
    model = mubo.load(path)
    lasts = 90 / 180 + 180 / 900 + 900 / 9000 + 0.5
    run = model.kinematics(0, 3 * lasts, step=lasts / 20)
    np.testing.assert_allclose(run["table.phi"][::20], [0, 90, 180, 270], atol=1e-9)
    assert np.max(run["table.omega"]) == pytest.approx(180, rel=1e-12)
    model.save(tmp_path / "copy.toml")
    assert mubo.load(tmp_path / "copy.toml") == model


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        ("{ moves = [1], speed = 1, acceleration = 2 }", "moves need a limit of jerk"),
        ("{ moves = [1], speed = 0, acceleration = 2, jerk = 3 }", "the limit of speed of a move must be positive"),
        ("{ moves = [], speed = 1, acceleration = 2, jerk = 3 }", "moves needs a list of numbers"),
        ("{ moves = [1], speed = 1, acceleration = 2, jerk = 3, dwell = -1 }", "the dwell after a move"),
        ("{ moves = [0], speed = 1, acceleration = 2, jerk = 3, repeat = true }", "take some time"),
        ("{ moves = [1], speeds = 1, acceleration = 2, jerk = 3 }", 'Did you mean "speed"?'),
        ('{ moves = [1], speed = "1 kg", acceleration = 2, jerk = 3 }', "speed"),
    ],
)
def test_bad_moves_are_refused(tmp_path, motion, words):
    path = tmp_path / "bad.toml"
    path.write_text(
        'name = "table"\nunits = { length = "m", angle = "rad", time = "s" }\n[body.ground]\npoints = { O = [0, 0] }\n'
        '[body.table]\npoints = { O = [0, 0] }\n[joint.O]\ntype = "revolute"\nbetween = ["ground.O", "table.O"]\n'
        f'[driver.motor]\nof = "O"\nmotion = {motion}\n'
    )
    with pytest.raises(mubo.ModelError) as refused:
        mubo.load(path)
    assert words in str(refused.value)
