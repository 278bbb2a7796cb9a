"""A part that is used several times moves as it moves alone: at another place, phase, mirrored, on another body."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

ROWS = 30
PENDULUM = """
name = "pendulums"
gravity = [0, -9.81]

[parameters]
long = 0.4

[part.pendulum.parameters]
a = 0.5

[part.pendulum.body.ground]
points = { O = [0.1, 0] }

[part.pendulum.body.arm]
position = [0.1, 0]
angle = "-60 deg"
points = { O = [0, 0], tip = ["a", 0] }
mass = 2.0
inertia = 0.1
center = ["a/2", 0]

[part.pendulum.joint.O]
type = "revolute"
between = ["ground.O", "arm.O"]

[part.pendulum.force.spring]
type = "joint_spring"
of = "O"
stiffness = 3.0
rest = 0.2

[part.pendulum.point.tip]
body = "arm"
at = ["a", 0]
"""


@pytest.fixture(scope="module")
def walker():
    return mubo.load(EXAMPLES / "six_legged_walker.toml").kinematics(0, 1, step=1 / ROWS)


@pytest.mark.parametrize(("side", "sign"), [("left", 1), ("right", -1)])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_leg_of_the_walker_moves_as_the_leg_alone_at_its_phase(walker, side, sign, number):
    """A mirrored leg has the crank at 180 degrees minus its angle."""
    alone = mubo.load(EXAMPLES / "jansen_leg.toml").kinematics(0, 1, step=1 / ROWS)
    ahead = np.arange(ROWS) + ROWS // 3 * (number - 1)
    rows = ahead % ROWS if sign > 0 else (ROWS // 2 - ahead) % ROWS
    for axis, factor in (("x", sign), ("y", 1)):
        found = walker[f"{side}_{number}_foot.{axis}"][:ROWS]
        assert found == pytest.approx(factor * alone[f"foot.{axis}"][:ROWS][rows], abs=1e-10)


def test_names_nest_in_the_tables_of_the_machine(walker):
    assert walker["step"] == pytest.approx(walker["left_1_foot.x"] - walker["left_2_foot.x"], abs=1e-12)


def machine(tmp_path, uses):
    path = tmp_path / "machine.toml"
    path.write_text(PENDULUM + uses)
    return mubo.load(path)


def test_parameters_of_a_use_and_places_in_the_ground(tmp_path):
    model = machine(
        tmp_path,
        """
[use.first]
part = "pendulum"

[use.second]
part = "pendulum"
position = [1, 2]
parameters = { a = "long" }
""",
    )
    run = model.simulate(0, 0.5, 0.1)
    single = machine(tmp_path, '[use.only]\npart = "pendulum"\nparameters = { a = 0.4 }\n').simulate(0, 0.5, 0.1)
    assert run["second_tip.x"] == pytest.approx(single["only_tip.x"] + 1, abs=1e-9)
    assert run["second_tip.y"] == pytest.approx(single["only_tip.y"] + 2, abs=1e-9)
    assert float(np.hypot(*(run[f"first_tip.{c}"][0] - run[f"first_arm.{c}"][0] for c in "xy"))) == pytest.approx(0.5)


def test_a_mirrored_pendulum_is_the_mirror_image_under_a_mirrored_gravity(tmp_path):
    """Reflected at the x axis and turned by half a turn: at the y axis, which leaves gravity as it is."""
    model = machine(
        tmp_path, '[use.one]\npart = "pendulum"\n[use.two]\npart = "pendulum"\nmirror = true\nangle = "180 deg"\n'
    )
    run = model.simulate(0, 0.5, 0.1)
    assert run["two_tip.x"] == pytest.approx(-run["one_tip.x"], abs=1e-9)
    assert run["two_tip.y"] == pytest.approx(run["one_tip.y"], abs=1e-9)
    assert run["two_O.q"] == pytest.approx(-run["one_O.q"], abs=1e-9)


def test_a_part_on_a_moving_body_goes_with_it(tmp_path):
    """On a carriage that moves steadily to the right the pendulum swings as on the ground (Galilei)."""
    model = machine(
        tmp_path,
        """
[body.carriage]
points = { C = [0, 0] }
mass = 1
inertia = 1
[joint.rail]
type = "translational"
between = ["ground.C", "carriage.C"]
axis = [1, 0]
angle = 0
[body.ground]
points = { C = [0, 0] }
[driver.tow]
of = "rail"
motion = "0.3*t"
[initial.riding_O]
v = 0
[use.riding]
part = "pendulum"
on = "carriage"
position = [0, 0.2]
[use.resting]
part = "pendulum"
position = [0, 0.2]
""",
    )
    run = model.simulate(0, 0.5, 0.1)
    assert run["riding_tip.x"] == pytest.approx(run["resting_tip.x"] + 0.3 * run["t"], abs=1e-9)
    assert run["riding_O.q"] == pytest.approx(run["resting_O.q"], abs=1e-9)


def test_a_six_legged_walker_of_sixty_bodies_in_eighty_lines(tmp_path):
    """Six legs with ten links each, two of them telescopic dampers, and their shaft; the feet go as without dampers."""
    text = (EXAMPLES / "six_legged_walker.toml").read_text().replace('"jansen_leg.toml"', '"damped_leg.toml"')
    for name in ("jansen_leg.toml", "damped_leg.toml"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
    path = tmp_path / "walker.toml"
    path.write_text(text)
    assert len(text.splitlines()) <= 80
    model = mubo.load(path)
    assert len(model.bodies) - 1 == 61  # without the ground
    run = model.kinematics(0, 0.5, step=0.1)
    assert run.status == "ok"
    single = mubo.load(EXAMPLES / "jansen_leg.toml").kinematics(0, 0.5, step=0.1)
    for axis in "xy":
        assert run[f"left_1_foot.{axis}"] == pytest.approx(single[f"foot.{axis}"], abs=1e-10)


@pytest.mark.parametrize(
    ("uses", "message"),
    [
        ('[use.x]\npart = "pendulun"\n', 'there is no part "pendulun". Did you mean "pendulum"'),
        ('[use.x]\npart = "pendulum"\nsame = { arn = "arm" }\n', 'the part has no body "arn". Did you mean "arm"'),
        ('[use.x]\npart = "pendulum"\non = "chassis"\n', 'there is no body "chassis"'),
        ('[use.x]\npart = "pendulum"\nparameters = { b = 1 }\n', 'the part has no parameter "b"'),
        ('[use.x]\npart = "pendulum"\nmiror = true\n', 'there is no key "miror". Did you mean "mirror"'),
        ("[use.x]\nmirror = true\n", '"part" is missing'),
        ('[part.other]\nfile = "none.toml"\n[use.x]\npart = "other"\n', "none.toml"),
    ],
)
def test_what_a_use_does_not_have_is_named(tmp_path, uses, message):
    with pytest.raises(mubo.ModelError) as refused:
        machine(tmp_path, uses)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("more", "use"),
    [
        ("[part.pendulum.initial.arm]\nangle = 0.3\n", "position = [1, 0]"),
        (
            '[part.pendulum.force.push]\ntype = "point_force"\nat = "arm.tip"\ndirection = [1, 0]\nforce = "2"\n',
            'angle = "90 deg"',
        ),
        (
            '[part.pendulum.force.push]\ntype = "body_torque"\nbody = "arm"\ntorque = "-2*arm.phi"\n',
            'angle = "90 deg"',
        ),
    ],
)
def test_what_is_stated_in_the_ground_is_refused_where_the_use_stands_elsewhere(tmp_path, more, use):
    with pytest.raises(mubo.ModelError, match="stated by axes or coordinates in the ground"):
        machine(tmp_path, f'{more}[use.x]\npart = "pendulum"\n{use}\n')


def test_an_initial_angle_is_that_in_the_frame_of_the_use(tmp_path):
    """A joint with the ground starts at its angle from the frame, which is turned by a right angle."""
    more = "[part.pendulum.initial.O]\nq = 0.3\n"
    run = machine(tmp_path, f'{more}[use.x]\npart = "pendulum"\nangle = "90 deg"\n').simulate(0, 0.1, 0.1)
    assert run["x_O.q"][0] == pytest.approx(0.3, abs=1e-12)
    assert run["x_arm.phi"][0] == pytest.approx(0.3 + np.pi / 2, abs=1e-12)


def test_points_in_common_and_of_the_ground_follow_the_parameters_of_a_use(tmp_path):
    """A pin at radius r on the machine's shaft, and a bearing at height h: of the part, or as the use gives them."""
    path = tmp_path / "machine.toml"
    path.write_text(
        """
name = "pins"
[body.ground]
points = { O = [0, 0] }
[body.shaft]
points = { O = [0, 0] }
[joint.O]
type = "revolute"
between = ["ground.O", "shaft.O"]
[driver.motor]
of = "O"
motion = "2*pi*t"
[part.arm.parameters]
r = 0.3
h = 0.5
[part.arm.body.ground]
points = { A = [0, "h"] }
[part.arm.body.wheel]
points = { B = ["r", 0] }
[part.arm.body.arm]
points = { A = [0, 0], B = [0.6, 0] }
[part.arm.joint.A]
type = "revolute"
between = ["ground.A", "arm.A"]
[use.one]
part = "arm"
same = { wheel = "shaft" }
[use.two]
part = "arm"
same = { wheel = "shaft" }
phase = "90 deg"
parameters = { r = 0.2, h = 0.7 }
"""
    )
    bodies = mubo.load(path).build().bodies
    assert bodies["shaft"].points["one_B"] == pytest.approx((0.3, 0))
    assert bodies["shaft"].points["two_B"] == pytest.approx((0, 0.2))
    assert bodies["ground"].points["one_A"] == pytest.approx((0, 0.5))
    assert bodies["ground"].points["two_A"] == pytest.approx((0, 0.7))


CRANKS = """
name = "cranks"

[part.crank.body.ground]
points = { O = [0, 0] }

[part.crank.body.arm]
points = { O = [0, 0], tip = [0.5, 0] }

[part.crank.joint.O]
type = "revolute"
between = ["ground.O", "arm.O"]

[part.crank.driver.motor]
of = "arm.phi"
motion = "0.3 + 2*t"

[part.crank.point.tip]
body = "arm"
at = [0.5, 0]

[use.turned]
part = "crank"
position = [1, 0]
angle = "90 deg"

[use.mirrored]
part = "crank"
mirror = true
"""


def test_a_driver_counts_from_the_frame_of_its_use(tmp_path):
    """The angle 0.3 + 2 t of a crank is that to the ground of its part: turned by 90 degrees, or mirrored at its x."""
    path = tmp_path / "cranks.toml"
    path.write_text(CRANKS)
    run = mubo.load(path).kinematics(0, 1, step=0.1)
    c, s = 0.5 * np.cos(0.3 + 2 * run["t"]), 0.5 * np.sin(0.3 + 2 * run["t"])
    for name, place in {"turned_tip": (1 - s, c), "mirrored_tip": (c, -s)}.items():
        for axis, expected in zip("xy", place, strict=True):
            assert run[f"{name}.{axis}"] == pytest.approx(expected, abs=1e-12)
