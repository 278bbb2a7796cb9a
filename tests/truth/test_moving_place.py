"""A force whose place moves along a body: a trolley of weight F on a beam of length L, carried at its ends.

By moments about one end the other carries F x/L, with x the place of the trolley; the first the rest, F (1 − x/L).
"""

import numpy as np
import pytest

import mubo

F, LENGTH, SPEED = 100.0, 2.0, 0.5

BEAM = """
units = { length = "m", angle = "deg", time = "s" }
gravity = [0, 0]
[body.ground]
points = { A = [0, 0], B = [2, 0] }
[body.beam]
points = { POINTS }
mass = 1
inertia = 1
[joint.A]
type = "revolute"
between = ["ground.A", "beam.A"]
[joint.B]
type = "slot"
between = ["ground.B", "beam.B"]
axis = [1, 0]
[analysis]
type = "inverse"
start = 0
end = 4
step = 0.5
"""
TABLE = """
[plate.trolley]
file = "trolley.csv"
foot = "beam"
force = ["Fx", "Fy"]
point = ["px", "py"]
"""
FORMULAS = """
[force.trolley]
type = "point_force"
at = "beam.A"
direction = [0, -1]
force = 100
[force.trolley_moment]
type = "body_torque"
body = "beam"
torque = "(0.5*t - beam.x)*(-100)"
"""


def loaded(folder, text):
    t = np.linspace(0, 4, 9)
    rows = [f"{a},0,{-F / 1000},{1000 * SPEED * a},0" for a in t]
    (folder / "trolley.csv").write_text("t,Fx [kN],Fy [kN],px [mm],py [mm]\n" + "\n".join(rows) + "\n")
    (folder / "beam.toml").write_text(text)
    return mubo.load(folder / "beam.toml")


@pytest.mark.parametrize("load", [TABLE, FORMULAS], ids=["table", "formulas"])
def test_a_trolley_loads_the_supports_by_its_place(tmp_path, load):
    run = loaded(tmp_path, BEAM.replace("POINTS", "A = [0, 0], B = [2, 0]") + load).inverse()
    part = SPEED * run["t"] / LENGTH
    np.testing.assert_allclose(run["B.on_beam.fy"], F * part, atol=1e-9)
    np.testing.assert_allclose(run["A.on_beam.fy"], F * (1 - part), atol=1e-9)


def test_the_origin_of_the_body_need_not_be_a_point(tmp_path):
    """The same beam with its origin in the middle: the moment is about another point, the supports carry the same."""
    text = BEAM.replace("POINTS", "A = [-1, 0], B = [1, 0]").replace("mass = 1", "position = [1, 0]\nmass = 1")
    run = loaded(tmp_path, text + TABLE).inverse()
    np.testing.assert_allclose(run["B.on_beam.fy"], F * SPEED * run["t"] / LENGTH, atol=1e-9)


def test_a_body_that_is_not_there_is_named(tmp_path):
    with pytest.raises(mubo.ModelError, match=r'no foot or body "beem".*Did you mean "beam"'):
        loaded(tmp_path, BEAM.replace("POINTS", "A = [0, 0], B = [2, 0]") + TABLE.replace('"beam"', '"beem"'))
