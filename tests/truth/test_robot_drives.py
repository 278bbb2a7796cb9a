"""Mimicking joints, equalities, tendons, actuators, friction and meshes of robots, by closed forms."""

import struct
import warnings
from itertools import product

import numpy as np
import pytest

import mubo
from mubo.geometry.triangle_meshes import read_mesh

MASS = "<inertial pos='0 0 -0.3' mass='2' diaginertia='0.1 0.2 0.15'/>"
ARMS = f"""<worldbody><body name='a'><joint name='j' axis='0 1 0'/>{MASS}<site name='tip' pos='0 0 -0.5'/></body>
<body name='b' pos='0 1 0'><joint name='k' axis='0 1 0' ref='0.1'/>{MASS}</body>
<site name='hook' pos='0 0 -0.2'/></worldbody>"""


def load(tmp_path, inside, name="robot.xml", **options):
    (tmp_path / name).write_text(
        f"<mujoco><compiler angle='radian'/>{inside}</mujoco>" if name[-3:] == "xml" else inside
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mubo.load(tmp_path / name, **options)


def test_an_equality_of_joints(tmp_path):
    """k − 0.1 = 0.2 + 0.5 j + j²: the second joint follows, from the start."""
    model = load(tmp_path, ARMS + "<equality><joint joint1='k' joint2='j' polycoef='0.2 0.5 1 0 0'/></equality>")
    run = model.simulate(0, 0.4, step=0.1)
    assert run["k.q"] == pytest.approx(0.3 + 0.5 * run["j.q"] + run["j.q"] ** 2, abs=1e-10)
    assert model.mass_matrix([0, 0]).shape == (2, 2)


def test_a_tendon_that_is_kept(tmp_path):
    """A fixed tendon of length 2 j − k that stays as it is drawn: k = 0.1 + 2 j."""
    tendon = "<tendon><fixed name='t'><joint joint='j' coef='2'/><joint joint='k' coef='-1'/></fixed></tendon>"
    model = load(tmp_path, ARMS + tendon + "<equality><tendon tendon1='t'/></equality>")
    options = next(joint.options for joint in model.joints.values() if joint.kind == "coupler")
    assert options["of"] == ("j", "k")
    assert (options["offset"], options["ratio"]) == pytest.approx((0.1, 2.0))


def test_actuators(tmp_path):
    """Inputs by default: the effort of the joint. With "act" a position servo is gear² kp and gear² kv in the joint,
    and its control signal is that of the keyframe: τ = gear (kp (u − gear q) − kv gear q̇)."""
    drives = """<actuator><motor name='m' joint='j' gear='3' ctrlrange='-1 1'/>
    <position name='p' joint='k' kp='10' kv='2' gear='2'/></actuator>
    <keyframe><key name='home' qpos='0 0.1' ctrl='0.5 0.7'/></keyframe>"""
    model = load(tmp_path, ARMS + drives)
    assert model.origin.data["actuators"]["m"]["ctrlrange"] == (-1, 1)
    plant = model.stepper(["m", "p"], ["j.q"])
    plant.step(0.01, {"m": 5.0})
    assert plant.outputs["j.q"] > 0
    acting = load(tmp_path, ARMS + drives, actuators="act", keyframe="home")
    bare = load(tmp_path, ARMS)
    q, v = {"j": 0.2, "k": 0.3}, np.array([0.5, -0.4])
    rest = np.zeros(2)
    applied = bare.inverse_dynamics(q, v, rest) - acting.inverse_dynamics(q, v, rest)
    assert applied == pytest.approx([3 * 0.5, 2 * (10 * (0.7 - 2 * 0.3) - 2 * 2 * -0.4)], rel=1e-12)


def test_an_actuator_on_a_tendon(tmp_path):
    """A fixed tendon of length 2 j − k pulls with gear u: a joint feels gear u times its coefficient. Over several
    joints it is an input of each, with that factor among the facts; over one joint it acts with its signal."""
    tendons = """<tendon><fixed name='t'><joint joint='j' coef='2'/><joint joint='k' coef='-1'/></fixed>
    <fixed name='s'><joint joint='j' coef='2'/></fixed></tendon>"""
    drives = """<actuator><motor name='m' tendon='t' gear='3'/><motor name='n' tendon='s' gear='3'/></actuator>
    <keyframe><key name='home' qpos='0 0.1' ctrl='0 0.5'/></keyframe>"""
    acting, bare = load(tmp_path, ARMS + tendons + drives, actuators="act", keyframe="home"), load(tmp_path, ARMS)
    facts = acting.origin.data["actuators"]
    assert (facts["m_j"]["gear"], facts["m_k"]["gear"]) == (3 * 2, 3 * -1)
    q, rest = {"j": 0.2, "k": 0.3}, np.zeros(2)
    applied = bare.inverse_dynamics(q, rest, rest) - acting.inverse_dynamics(q, rest, rest)
    assert applied == pytest.approx([3 * 2 * 0.5, 0.0], rel=1e-12)


def test_a_spatial_tendon_is_a_spring(tmp_path):
    """Two sites 0.3 apart, free length 0.1, stiffness 20: the tension turns the arm by nothing while it is in line, and
    pulls with 20 · 0.2 as drawn."""
    tendon = """<tendon><spatial name='s' stiffness='20' springlength='0.1'><site site='hook'/><site site='tip'/>
    </spatial><spatial name='over'><site site='hook'/><geom geom='g'/><site site='tip'/></spatial></tendon>"""
    model = load(tmp_path, ARMS + tendon)
    assert model.forces["s"].options == {"stiffness": 20.0, "length": 0.1}
    assert any("tendon over: left out: spatial" in note for note in model.notes)
    assert model.energy([0, 0.1], [0, 0]).potential - 2 * 2 * 9.81 * -0.3 == pytest.approx(0.5 * 20 * 0.2**2, rel=1e-9)


def test_friction_acts_on_request(tmp_path):
    """Coulomb's friction of 0.4 N m against the rate; left out by a note unless the rate of creep is given."""
    arms = ARMS.replace("name='j'", "name='j' frictionloss='0.4'")
    assert any("`friction_rate = …` lets it act" in note for note in load(tmp_path, arms).notes)
    model, bare = load(tmp_path, arms, friction_rate=0.01), load(tmp_path, ARMS)
    v, rest = [1.0, 0.0], [0.0, 0.0]
    more = model.inverse_dynamics([0.2, 0.1], v, rest) - bare.inverse_dynamics([0.2, 0.1], v, rest)
    assert more == pytest.approx([0.4, 0.0], rel=1e-12)


URDF = """<robot name='g'><link name='world'/><link name='a'>{m}</link><link name='b'>{m}</link>
<joint name='j' type='revolute'><parent link='world'/><child link='a'/><axis xyz='0 1 0'/><limit lower='-1' upper='1'/>
</joint><joint name='k' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/>
<limit lower='-1' upper='1'/><mimic joint='{leader}' multiplier='-0.2' offset='0.05'/></joint></robot>"""
INERTIA = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"


def test_mimic(tmp_path):
    """q = −0.2 q of the leader + 0.05, in file, motion and written file."""
    model = load(tmp_path, URDF.format(m=INERTIA, leader="j"), "g.urdf", gravity=(0, 0, -9.81))
    model.initial("j", 0.3)
    run = model.simulate(0, 0.2, step=0.1)
    assert run["k.q"] == pytest.approx(0.05 - 0.2 * run["j.q"], abs=1e-12)
    for name in ("again.urdf", "again.xml", "again.sdf"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.save(tmp_path / name)
            again = mubo.load(tmp_path / name, gravity=(0, 0, -9.81))
        options = next(joint.options for joint in again.joints.values() if joint.kind == "coupler")
        assert options["of"] == ("j", "k")
        assert (options["offset"], options["ratio"]) == pytest.approx((0.05, -0.2))
    left = load(tmp_path, URDF.format(m=INERTIA, leader="jj"), "g.urdf").notes
    assert any("mimic of a joint that is not there" in note for note in left)


def box(a, b, c):
    """Corners of the twelve triangles of a box about the origin, seen from outside."""
    places = np.array(list(product((-a / 2, a / 2), (-b / 2, b / 2), (-c / 2, c / 2))))
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return places, faces


def write_stl(path, places, faces):
    triangles = [(f[0], f[k], f[k + 1]) for f in faces for k in (1, 2)]
    data = b" " * 80 + struct.pack("<I", len(triangles))
    for corners in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *places[list(corners)].ravel(), 0)
    path.write_bytes(data)


def test_the_mass_of_a_mesh(tmp_path):
    """A box of 0.25 × 0.5 × 1 in millimetres, shifted and scaled: density times volume, and the table's inertia."""
    places, faces = box(250, 500, 1000)
    write_stl(tmp_path / "box.stl", places + np.array([1000, 0, 0]), faces)
    lines = [f"v {' '.join(map(str, p))}" for p in places + np.array([1000, 0, 0])]
    (tmp_path / "box.obj").write_text("\n".join([*lines, *(f"f {' '.join(str(k + 1) for k in f)}" for f in faces)]))
    for ending in ("stl", "obj"):
        volume, center, _ = read_mesh(tmp_path / f"box.{ending}").properties()
        assert volume == pytest.approx(250 * 500 * 1000, rel=1e-12)
        assert center == pytest.approx([1000, 0, 0], abs=1e-9)
        asset = f"<asset><mesh name='m' file='box.{ending}' scale='0.001 0.001 0.001'/></asset>"
        arm = "<worldbody><body name='b'><joint/><geom type='mesh' mesh='m' density='800'/></body></worldbody>"
        body = load(tmp_path, asset + arm).bodies["b"]
        assert body.mass == pytest.approx(100, rel=1e-12)
        assert body.center == pytest.approx((1, 0, 0))
        expected = [100 * (0.25 + 1) / 12, 100 * (0.0625 + 1) / 12, 100 * (0.0625 + 0.25) / 12]
        assert body.inertia[:3] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("ending", ["stl", "obj", "glb"])
def test_damaged_meshes_are_named(tmp_path, ending):
    (tmp_path / f"bad.{ending}").write_bytes(b"glTF\x02\x00")
    with pytest.raises(mubo.ModelError, match="bad"):
        read_mesh(tmp_path / f"bad.{ending}")
    asset = f"<asset><mesh name='m' file='bad.{ending}'/></asset>"
    arm = "<worldbody><body name='b'><joint/><geom type='mesh' mesh='m'/></body></worldbody>"
    with pytest.raises(mubo.ModelError, match="body b: its mass is that of the mesh m"):
        load(tmp_path, asset + arm)
