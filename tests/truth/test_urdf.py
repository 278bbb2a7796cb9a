"""Robot descriptions: a two-link arm against its closed form, and models written as URDF and read back."""

import re
import warnings

import numpy as np
import pytest

import mubo
from mubo.geometry.rotation import matrix

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial><origin xyz="0.25 0 0" rpy="0 0 0"/><mass value="2"/>
      <inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.25 0 0" rpy="0 1.5707963267948966 0"/>
      <geometry><cylinder radius="0.03" length="0.5"/></geometry></visual>
  </link>
  <link name="fore">
    <inertial><origin xyz="0.15 0 0" rpy="0 0 1.5707963267948966"/><mass value="1"/>
      <inertia ixx="0.02" iyy="0.003" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.15 0 0"/><geometry><box size="0.3 0.04 0.05"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="world"/><child link="upper"/>
    <origin xyz="0 0 0.1"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2.5" effort="10" velocity="3"/>
    <dynamics damping="0.3"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/>
    <origin xyz="0.5 0 0" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""
# Everything URDF can hold, in mm and g: joints written from child to parent, points off the origin, turned zeros.
TREE = """name = "tree"
units = { length = "mm", angle = "deg", mass = "g", time = "s" }
dimension = 3
gravity = [0, 0, -9810]
[body.ground]
points = { A = [10, 20, 30] }
[body.a]
points = { A = [5, -4, 3], B = [100, 10, 0], C = [0, 50, -20] }
center = [40, 5, 1]
mass = 500
inertia = [2e5, 9e5, 8e5, 1e4, -2e4, 3e4]
[body.b]
points = { B = [-7, 8, 9], D = [60, 0, 10] }
mass = 300
shape = { kind = "cylinder", length = 120, radius = 8, along = "y" }
[body.c]
points = { C = [1, 2, 3] }
mass = 200
shape = { kind = "box", a = 30, b = 40, c = 50 }
[body.d]
points = { D = [0, 0, 12] }
mass = 100
shape = { kind = "sphere", radius = 9 }
[joint.A]
type = "revolute"
between = ["ground.A", "a.A"]
axis = [0.48, 0.6, 0.64]
zero = [0.8, 0, 0.6, 0]
[joint.B]
type = "revolute"
between = ["b.B", "a.B"]
axis = [1, 2, 2]
zero = { euler = "zxz", angles = [20, 40, 70] }
[joint.C]
type = "prismatic"
between = ["c.C", "a.C"]
axis = [0, 3, 4]
zero = [0.5, 0.5, -0.5, 0.5]
[joint.D]
type = "fixed"
between = ["b.D", "d.D"]
zero = { euler = "xyz", angles = [0, 90, 0] }
[force.brake]
type = "joint_spring"
of = "A"
damping = 2e5
[force.drag]
type = "joint_spring"
of = "C"
damping = 700
[event.A_upper]
of = "A"
value = 170
direction = "up"
[initial.A]
q = 33
v = 100
[initial.B]
q = -71
v = -200
[initial.C]
q = 25
v = 300
[analysis]
type = "simulate"
start = 0
end = 0.5
step = 0.01
"""


def load(tmp_path, text, name):
    (tmp_path / name).write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mubo.load(tmp_path / name)


def save(model, path):
    with pytest.warns(UserWarning, match="does not hold"):
        model.save(path)


@pytest.mark.parametrize(("q1", "q2"), [(0.0, 0.0), (0.7, -1.1), (-2.0, 2.9)])
def test_two_link_arm(tmp_path, q1, q2):
    """The elbow's axis is turned by Rx(90°) to −y: tip = Rz(q1) (0.5 + 0.3 cos q2, 0, 0.3 sin q2) + (0, 0, 0.1)."""
    model = load(tmp_path, ARM, "arm.urdf")
    model.gravity = (0.0, 0.0, 0.0)
    model.point("tip", "fore", (0.3, 0, 0))
    model.initial("shoulder", q1)
    model.initial("elbow", q2)
    run = model.simulate(0, 0, 1)
    reach = 0.5 + 0.3 * np.cos(q2)
    expected = (reach * np.cos(q1), reach * np.sin(q1), 0.1 + 0.3 * np.sin(q2))
    assert [run[f"tip.{c}"][0] for c in "xyz"] == pytest.approx(expected, abs=1e-15)


def test_what_the_arm_is_made_of(tmp_path):
    model = load(tmp_path, ARM, "arm.urdf")
    assert model.gravity is None
    upper, fore = model.bodies["upper"], model.bodies["fore"]
    assert (upper.mass, upper.center, upper.inertia) == (2.0, (0.25, 0.0, 0.0), (0.01, 0.05, 0.05, 0.0, 0.0, 0.0))
    # turned by 90° about z the tensor's x and y change places
    assert fore.inertia == pytest.approx((0.003, 0.02, 0.02, 0, 0, 0), abs=1e-17)
    assert (upper.shape.kind, upper.shape.along) == ("cylinder", "x")
    assert fore.shape.sizes == {"a": 0.3, "b": 0.04, "c": 0.05}
    assert model.forces["shoulder_damping"].options == {"damping": 0.3}
    limits = {(w.of, w.value, w.direction, w.stop) for w in model.events.values()}
    assert limits == {("shoulder", -2.0, "down", False), ("shoulder", 2.5, "up", False)}


def test_gravity_is_asked_for(tmp_path):
    with pytest.raises(mubo.ModelError, match="gravity is not stated"):
        load(tmp_path, ARM, "arm.urdf").simulate(0, 1, 0.1)


def test_toml_to_urdf_and_back_moves_the_same(tmp_path):
    """Same joint coordinates, same places of the joints and same axes to 1e-12; same motion under the same gravity."""
    own = load(tmp_path, TREE, "tree.toml")
    save(own, tmp_path / "tree.urdf")
    back = load(tmp_path, (tmp_path / "tree.urdf").read_text(), "tree.urdf")
    save_native = tmp_path / "again.toml"
    back.save(save_native)
    back = load(tmp_path, save_native.read_text(), "again.toml")
    back.gravity = (0.0, 0.0, -9.81)
    for name, start in own.initial_joints.items():
        slides = own.joints[name].kind == "prismatic"
        factor = 1e-3 if slides else 1.0
        back.initial(name, [factor * x for x in start.q], [factor * x for x in start.v])
    run, again = own.simulate(), back.simulate(0, 0.5, 0.01)
    origin = {"a": (5, -4, 3), "b": (-7, 8, 9), "c": (1, 2, 3), "d": (0, 0, 12)}
    for rows, tolerance in ((slice(1), 1e-12), (slice(None), 1e-7)):
        for name, at in origin.items():
            turn, other = (matrix(np.column_stack([r[f"{name}.q{c}"][rows] for c in "wxyz"])) for r in (run, again))
            place, moved = (np.column_stack([r[f"{name}.{c}"][rows] for c in "xyz"]) for r in (run, again))
            assert np.max(np.abs(turn - other)) < tolerance
            assert np.max(np.abs((place + turn @ np.array(at, float)) * 1e-3 - moved)) < tolerance
    assert set(back.events) == {"A_upper"}
    assert back.events["A_upper"].value == pytest.approx(np.radians(170), rel=1e-15)


def test_urdf_written_again_is_the_same_text(tmp_path):
    own = load(tmp_path, TREE, "tree.toml")
    save(own, tmp_path / "first.urdf")
    texts = [(tmp_path / "first.urdf").read_text()]
    for name in ("second.urdf", "third.urdf"):
        model = load(tmp_path, texts[-1], name)
        model.save(tmp_path / name)
        texts.append((tmp_path / name).read_text())
    numbers = [[float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", text)] for text in texts]
    assert numbers[1] == pytest.approx(numbers[0], rel=1e-12, abs=1e-15)
    assert numbers[2] == pytest.approx(numbers[1], rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("along", ["x", "y", "z"])
def test_a_cylinder_keeps_its_axis(tmp_path, along):
    """A cylinder of URDF lies along its own z: roll, pitch and yaw turn that to the axis of the shape."""
    model = mubo.Model("roller", dimension=3)
    model.ground.point("O", (0, 0, 0))
    shape = {"kind": "cylinder", "length": 1.0, "radius": 0.1, "along": along}
    model.body("roller", points={"O": (0, 0, 0)}, mass=2, shape=shape)
    model.joint("A", "revolute", "ground.O", "roller.O", axis=(0, 0, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.save(tmp_path / "roller.urdf")
    back = load(tmp_path, (tmp_path / "roller.urdf").read_text(), "roller.urdf")
    assert back.bodies["roller"].shape.along == along


BRICK = """<robot name="brick"><link name="brick"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def test_base_and_gravity_are_given(tmp_path):
    """A body that floats falls: its mass matrix in ground axes is m 1 over I + m (|c|² 1 − c cᵀ), its bias −m g and the
    moment of its weight about the origin, c × (−m g) = (0, −0.1·2·9.81·(−1), 0) with the sign of a bias."""
    (tmp_path / "brick.urdf").write_text(BRICK)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a base that is asked for is no note
        floating = mubo.load(tmp_path / "brick.urdf", base="free", gravity=(0, 0, "-9.81 m/s^2"))
    M = floating.mass_matrix([0, 0, 0, 1, 0, 0, 0])
    assert M[:3, :3] == pytest.approx(2 * np.eye(3))
    assert np.diag(M[3:, 3:]) == pytest.approx([0.1, 0.2 + 0.02, 0.25 + 0.02])
    assert floating.bias([0, 0, 0, 1, 0, 0, 0], [0.0] * 6) == pytest.approx([0, 0, 19.62, 0, -1.962, 0])
    fixed = mubo.load(tmp_path / "brick.urdf", base="fixed", gravity=(0, 0, -9.81))
    assert fixed.joints["base"].kind == "fixed"
    with pytest.raises(mubo.ModelError, match='base is one of "free", "fixed"; found \'loose\''):
        mubo.load(tmp_path / "brick.urdf", base="loose")


def test_limits_as_stops(tmp_path):
    """At 0.1 rad beyond the limit 2.5 a stop of 400 N m/rad pushes back with 40 N m; the damper 0.3 N m s/rad acts."""
    (tmp_path / "arm.urdf").write_text(ARM)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arm = mubo.load(tmp_path / "arm.urdf", stops=(400, 0), gravity=(0, 0, 0))
    assert not arm.events
    assert arm.bias({"shoulder": 2.6, "elbow": 0}, {"shoulder": 0, "elbow": 0})[0] == pytest.approx(40)


PARTS = (
    "<link name='world'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
)


@pytest.mark.parametrize(
    ("kind", "q", "place"),
    [("planar", [0.3, 0.5, 0], (-0.5, 0.3, 1)), ("floating", [0.3, 0.5, 0.2, 1, 0, 0, 0], (-0.5, 0.3, 1.2))],
)
def test_coordinates_are_along_the_axes_of_a_turned_origin(tmp_path, kind, q, place):
    """The joint's frame is turned by 90° about z against the world: its x is the world's y, its y the world's −x."""
    inside = "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 1'/>"
    joint = f"<joint name='j' type='{kind}'><parent link='world'/><child link='a'/>{inside}</joint>"
    model = load(tmp_path, f"<robot name='r'>{PARTS}{joint}</robot>", "r.urdf")
    model.gravity = (0.0, 0.0, 0.0)
    assert model.forward_kinematics("a", {"j": q})[:3] == pytest.approx(place)


def test_options_of_robots_are_for_robots(tmp_path, command):
    from conftest import EXAMPLES

    with pytest.raises(mubo.ModelError, match="base is for robot descriptions"):
        mubo.load(EXAMPLES / "four_bar.toml", base="free")
    assert mubo.load(EXAMPLES / "four_bar.toml", gravity=(0, -1)).gravity == (0, -1)
    (tmp_path / "brick.urdf").write_text(BRICK)
    done = command(
        "simulate", "brick.urdf", "--base", "free", "--gravity", "0,0,-2", "--end", "1", "--step", "1", "-o", "-"
    )
    assert done.returncode == 0, done.stderr
    header, _, last = done.stdout.strip().splitlines()
    names = [name.split()[0] for name in header.split(",")]
    assert float(last.split(",")[names.index("brick.z")]) == pytest.approx(-1, abs=1e-9)  # ½ g t²
