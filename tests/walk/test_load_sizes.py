"""Sizes of loads as people write them: expressions, curves, files and functions, and what is told of wrong ones."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.errors import ModelError

LEVER = """
name = "lever"
units = { length = "m", angle = "deg", mass = "kg", time = "s" }
gravity = [0, 0]
[body.ground]
points = { A = [0, 0], S = [2, 0] }
[body.lever]
points = { A = [0, 0], B = [1, 0] }
mass = 0
inertia = 0
[joint.A]
type = "revolute"
between = ["ground.A", "lever.A"]
[driver.motor]
of = "A"
motion = "30 + 60*t"
[measure.gap]
distance = ["ground.S", "lever.B"]
"""


def load(tmp_path, text):
    path = tmp_path / "lever.toml"
    path.write_text(LEVER + text)
    return mubo.load(path)


def torque(law, more=""):
    return f'[force.f]\ntype = "body_torque"\nbody = "lever"\ntorque = {law}\n{more}'


ANGLE = 30 + 60 * np.linspace(0, 1, 5)


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ('"2*cos(lever.phi)"', 2 * np.cos(np.radians(ANGLE))),
        ('"-0.1*A.q + 0*t"', -0.1 * ANGLE),
        ('"-0.1*A.v"', -6 + 0 * ANGLE),
        ('"3*motor.value - gap.rate*0"', 3 * ANGLE),
        ('"where(lever.phi < 50, 1, 2)"', np.where(ANGLE < 50, 1, 2)),
        ('{ points = [[0, 1], [100, 3]], over = "lever.phi" }', 1 + ANGLE / 50),
        ('{ table = "curve.csv", over = "A.q", column = "M" }', 1000 * np.radians(ANGLE)),
        ('{ table = "time.csv", column = "M" }', 1000 + 500 * np.linspace(0, 1, 5)),
        ('"2 N m"', 2 + 0 * ANGLE),
        ("2.5", 2.5 + 0 * ANGLE),
    ],
)
def test_sizes_of_all_kinds(tmp_path, law, expected):
    """A curve from a file is in radians and kN m there; sine and cosine take degrees as the angle that they are."""
    (tmp_path / "curve.csv").write_text("q [rad],M [kN m]\n0,0\n1,1\n2,2\n")
    (tmp_path / "time.csv").write_text("t [ms],M [kN m]\n0,1\n500,1.25\n1000,1.5\n")
    model = load(tmp_path, torque(law))
    run = model.inverse(0, 1, step=0.25)
    np.testing.assert_allclose(run["f.torque"], expected, rtol=1e-11)
    np.testing.assert_allclose(run["motor.effort"], -expected, rtol=1e-10)
    model.save(tmp_path / "again.toml")
    model.save(tmp_path / "again.json")
    for name in ("again.toml", "again.json"):
        again = mubo.load(tmp_path / name).inverse(0, 1, step=0.25)
        np.testing.assert_allclose(again["f.torque"], expected, rtol=1e-11)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ('"2*cos(crank.phi)"', r'line 22: force f: "2\*cos\(crank.phi\)": unknown name "crank.phi"'),
        ('"3*lever.phy"', 'Did you mean "lever.phi"'),
        ('"lever.x"', "expected a torque, but "),
        ('"lever.x + lever.phi"', "cannot be added"),
        ('"3*motor.effort"', "motor.effort"),
        ('"3*energy.kinetic"', "energy.kinetic"),
        ('"3*lever.phi +"', "is not an expression"),
        ('"2 N"', "is no torque"),
        ('{ points = [[0, 1], [100, 3]], over = "A.u" }', 'Did you mean "A.'),
        ('{ points = [[0, 1], [0, 3]], over = "A.q" }', "must increase; found 0 after 0"),
        ('{ points = [[0, 1]], over = "A.q" }', "at least two points"),
        ('{ points = [["0 deg", 1], [3, 3]], over = "A.q" }', "pairs of numbers"),
        ('{ points = [[0, 1], [9, 3]], ovr = "A.q" }', "no "),
        ("true", "a motion is an expression in t, a number"),
        ('{ points = 3, over = "A.q" }', "pairs of numbers"),
        ("{ points = [[0, 1], [9, 3]], over = 3 }", "over names a column"),
        ('{ table = "missing.csv", over = "A.q", column = "M" }', "missing.csv"),
        ('{ table = "newton.csv", over = "A.q" }', 'needs "column"'),
        ('{ table = "newton.csv", over = "A.q", column = "M" }', r'"1 N" is no torque'),
        ('{ table = "metre.csv", over = "A.q", column = "M" }', r"its first column: .*no angle"),
    ],
)
def test_wrong_sizes_are_refused_before_anything_moves(tmp_path, law, words):
    (tmp_path / "newton.csv").write_text("q,M [N]\n0,0\n1,1\n")
    (tmp_path / "metre.csv").write_text("q [m],M\n0,0\n1,1\n")
    with pytest.raises(ModelError, match=words):
        load(tmp_path, torque(law))


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ('{ points = [[0, 1], [50, 3]], over = "lever.phi" }', r"covers lever.phi = 0 to 50; at t = 0.5 it is 60"),
        ('"2*sqrt(60 - lever.phi)"', r"force f: its size at t = 0.75 s is nan"),
        ("{ time = [0, 0.6], value = [1, 2] }", r"covers t = 0 to 0.6( s)?; 0.75( s)? is asked for"),
    ],
)
def test_a_law_that_ends_before_the_motion_is_refused_with_the_time(tmp_path, law, words):
    model = load(tmp_path, torque(law))
    with pytest.raises(ModelError, match=words):
        model.inverse(0, 1, step=0.25)


def test_functions_of_time_and_of_columns(tmp_path):
    model = load(tmp_path, "")
    model.force("f", "body_torque", "lever", torque=lambda t, state: state["lever.phi"] + state["gap"] + t)
    run = model.inverse(0, 1, step=0.25)
    np.testing.assert_allclose(run["f.torque"], ANGLE + run["gap"] + run["t"], rtol=1e-12)
    wrong = model.replace("f.torque", lambda t, state: state["lever.phy"])
    with pytest.raises(ModelError, match=r'there is no column "lever.phy". Did you mean "lever.phi"'):
        wrong.inverse(0, 1, step=0.25)
    with pytest.raises(ModelError, match="force f: a Python function cannot be written"):
        model.save(tmp_path / "function.toml")


def test_own_coordinates_are_not_measures(tmp_path):
    text = '[force.f]\ntype = "joint_effort"\nof = "A"\neffort = "-0.1*q - 0.02*v"\n'
    run = load(tmp_path, text).inverse(0, 1, step=0.25)
    np.testing.assert_allclose(run["f.torque"], -0.1 * ANGLE - 0.02 * 60, rtol=1e-12)
    with pytest.raises(ModelError, match="rename the measure"):
        load(tmp_path, text + '[measure.q]\nof = "lever.phi"\n')


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"effort": "3*spin.q"}, r"force f: its size depends on the motion \(3\*spin.q\)"),
        ({"effort": "3*q"}, "take laws of time only"),
        ({"effort": {"points": [[0, 1], [9, 2]], "over": "spin.v"}}, "take laws of time only"),
    ],
)
def test_wittenburgs_equations_refuse_what_they_cannot_follow(options, words):
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    model.force("f", "joint_effort", "spin", **options)
    with pytest.raises(ModelError, match=words):
        model.simulate(0, 0.1, step=0.1, formulation="wittenburg")


def test_negative_stiffness_is_noted():
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    model.force("f", "joint_spring", "spin", stiffness=-2, damping=-0.1)
    notes = " ".join(model.simulate(0, 0.1, step=0.1).summary["warnings"])
    assert "force f: its stiffness is negative, -2" in notes
    assert "force f: its damping is negative, -0.1" in notes


def test_names_whose_columns_collide_are_refused(tmp_path):
    text = '[force.motor]\ntype = "body_torque"\nbody = "lever"\ntorque = "1"'
    with pytest.raises(ModelError, match="a driver has this name too"):
        load(tmp_path, text)


def test_points_that_meet_are_named_with_the_time():
    model = mubo.Model("lever", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("S", (1, 0))
    model.body("lever", points={"A": (0, 0), "B": (1, 0)}, mass=0, inertia=0)
    model.revolute("A", "ground.A", "lever.A")
    model.driver("motor", "A", "t - 0.5")
    model.force("strut", "spring", "ground.S", "lever.B", stiffness=10, length=0.2)
    with pytest.raises(mubo.MuboError, match=r"force strut: its two points meet at t = 0.5"):
        model.inverse(0, 1, step=0.25)
    free = model.replace("strut.length", 0)  # a pull that vanishes with the length needs no direction
    np.testing.assert_allclose(free.inverse(0, 1, step=0.25)["strut.force"][2], 0, atol=1e-12)


def test_a_function_of_time_is_only_asked_where_the_run_has_rows(tmp_path):
    """The size of a load needs no derivatives, so that nobody asks beside the rows."""
    asked = []
    model = load(tmp_path, "")
    model.force("f", "body_torque", "lever", torque=lambda t: asked.append(t) or 3.0)
    run = model.inverse(0, 1, step=0.25)
    np.testing.assert_array_equal(run["f.torque"], 3)
    assert min(asked) == 0
    assert max(asked) == 1
