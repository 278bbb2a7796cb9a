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


PUSHED = """
gravity = [0, 0]
[body.plate]
points = { O = [0, 0] }
mass = 2
inertia = 0.5
[analysis]
type = "simulate"
end = 1
step = 0.1
"""
BY_TABLE = """
[plate.push]
file = "push.csv"
foot = "plate"
force = ["Fx", "Fy"]
point = ["px", "py"]
smooth = "none"
"""
BY_FORMULAS = """
[force.push]
type = "point_force"
at = "plate.O"
direction = [3, 4]
force = 5
[force.moment]
type = "body_torque"
body = "plate"
torque = "(0.1*t - plate.x)*4 - (0.2 - plate.y)*3"
"""


@pytest.mark.parametrize("formulation", ["auto", "absolute"])
@pytest.mark.parametrize("load", [BY_TABLE, BY_FORMULAS], ids=["table", "formulas"])
def test_a_free_plate_is_pushed_at_a_place_of_the_ground(tmp_path, load, formulation):
    """F = (3, 4) moves the plate, of mass 2, by (0.75, 1) t²; at the place (0.1 t, 0.2) of the ground its moment is
    4 (0.1 t − 0.75 t²) − 3 (0.2 − t²) = 0.4 t − 0.6, so that I ω = 0.2 t² − 0.6 t."""
    t = np.linspace(0, 1, 11)
    rows = "".join(f"{a},3,4,{0.1 * a},0.2\n" for a in t)
    (tmp_path / "push.csv").write_text("t,Fx,Fy,px,py\n" + rows)
    (tmp_path / "m.toml").write_text(PUSHED + load)
    run = mubo.load(tmp_path / "m.toml").simulate(formulation=formulation)
    np.testing.assert_allclose(run["plate.y"], t**2, atol=1e-6)
    np.testing.assert_allclose(run["plate.omega"], (0.2 * t**2 - 0.6 * t) / 0.5, atol=1e-6)


def test_a_torque_about_any_axis_needs_no_joint(tmp_path):
    """A free block of inertia 2 about every axis under 6 t along (1, 2, 2)/3: ω = 1.5 t² (1, 2, 2)/3."""
    model = mubo.Model("block", dimension=3, gravity=(0, 0, 0))
    model.body("block", (0, 0, 0), mass=1, inertia=(2, 2, 2))
    model.force("twist", "body_torque", "block", direction=(1, 2, 2), torque="6*t")
    run = model.simulate(0, 1, 0.1)
    for name, part in zip(("wx", "wy", "wz"), (1, 2, 2), strict=True):
        np.testing.assert_allclose(run[f"block.{name}"], 1.5 * run["t"] ** 2 * part / 3, atol=1e-8)
