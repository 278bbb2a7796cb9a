"""Forces of a planar model are read, checked and written by the registry of the plane."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.errors import ModelError

LEVER = """
name = "lever"
[body.ground]
points = { A = [0, 0], S = [0, 1] }
[body.lever]
position = [0.5, 0]
points = { A = [-0.5, 0], B = [0.5, 0] }
[joint.A]
type = "revolute"
between = ["ground.A", "lever.A"]
[driver.motor]
of = "A"
motion = "t"
"""
FORCES = """
[force.gas]
type = "point_force"
at = "lever.B"
direction = [1, 0]
axes = "body"
force = "-4000*cos(t)"
[force.spin]
type = "body_torque"
body = "lever"
torque = "0.3"
[force.return_spring]
type = "spring"
between = ["ground.S", "lever.B"]
stiffness = 1200
length = 0.1
[force.stop]
type = "cubic_spring"
between = ["ground.S", "lever.B"]
cubic = 5000
[force.twist]
type = "joint_spring"
of = "A"
stiffness = 2
rest = "30 deg"
[force.motor_effort]
type = "joint_effort"
of = "A"
effort = "2 - t"
"""


def load(tmp_path, text):
    path = tmp_path / "lever.toml"
    path.write_text(text)
    return mubo.load(path)


def test_planar_forces_are_read_and_written(tmp_path):
    model = load(tmp_path, LEVER + FORCES)
    assert list(model.forces) == ["gas", "spin", "return_spring", "stop", "twist", "motor_effort"]
    assert model.forces["gas"].options["direction"] == (1, 0)
    assert model.forces["twist"].options["rest"] == pytest.approx(np.pi / 6)
    assert model.check().ok
    model.save(tmp_path / "again.toml")
    again = mubo.load(tmp_path / "again.toml")
    for name, force in model.forces.items():
        same = again.forces[name]
        assert (same.kind, same.on) == (force.kind, force.on)
        assert {key: str(value) for key, value in same.options.items()} == {k: str(v) for k, v in force.options.items()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[force.f]\ntype = "body_torque"\nbody = "lever"\ntorque = "1"\ndirection = [0, 0, 1]', "direction"),
        ('[force.f]\ntype = "point_force"\nat = "lever.B"\nforce = "1"\ndirection = [0, 0, 1]', "two numbers"),
        ('[force.f]\ntype = "sprnig"\nbetween = ["ground.S", "lever.B"]', 'Did you mean "spring"'),
        ('[force.f]\ntype = "joint_spring"\nof = "A"', 'neither "stiffness" nor "damping"'),
        (
            '[force.f]\ntype = "spring"\nbetween = ["lever.A", "lever.B"]\nstiffness = 2',
            '"lever" and itself: it',
        ),
        ('[force.f]\ntype = "cubic_spring"\nbetween = ["ground.S", "lever.B"]', '"cubic" is missing'),
    ],
)
def test_wrong_planar_forces_are_refused(tmp_path, text, words):
    with pytest.raises(ModelError, match=words):
        load(tmp_path, LEVER + text).kinematics(0, 1, step=0.5)


def test_kabios_holds_no_forces_and_says_so(tmp_path):
    """Of links, drivers and times nothing is lost."""
    model = mubo.load(EXAMPLES / "kabios_four_bar.dat")
    plain = tmp_path / "plain.dat"
    model.save(plain)
    heavy = model.copy()
    heavy.gravity = (0.0, -9.81)
    heavy.force("push", "body_torque", "body2", torque="1")
    with pytest.warns(UserWarning, match="loaded.dat does not hold: gravity; force push"):
        heavy.save(tmp_path / "loaded.dat")
    assert (tmp_path / "loaded.dat").read_text() == plain.read_text()


def test_what_is_missing_for_forces_is_told_in_the_units_of_the_model():
    """Gravity is asked for as 9810 mm/s² in a model of millimetres; without masses and loads all is zero, and said."""
    model = mubo.Model("lever", units={"length": "mm", "time": "s"})
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)})
    model.revolute("A", "ground.A", "lever.A")
    model.driver("motor", "A", "t")
    (note,) = model.inverse(0, 1, step=0.5).summary["warnings"]
    assert note.startswith("no body has a mass and no load acts: all forces are zero. Give bodies a mass")
    model.body("weight", points={"A": (0, 0)}, mass=1, inertia=1)
    model.joint("weld", "fixed", "lever.A", "weight.A", angle=0)
    with pytest.raises(ModelError, match="gravity is not stated, but weight has mass") as found:
        model.inverse(0, 1, step=0.5)
    assert "gravity = [0, -9810] at the top of the model, or [0, 0] for none" in str(found.value)
