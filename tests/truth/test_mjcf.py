"""MJCF files of our own against closed forms: inertias of geoms, defaults, joints, equalities, keyframes."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

import mubo
from mubo.formats.robots.mjcf_geoms import principal, volume

R, H = 0.1, 0.3  # radius and half-length


def load(tmp_path, inside, name="robot.xml", **options):
    (tmp_path / name).write_text(f"<mujoco model='m'>{inside}</mujoco>")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mubo.load(tmp_path / name, **options)


def world(inside, before=""):
    return f"{before}<worldbody>{inside}</worldbody>"


def capsule():
    """A cylinder with two half spheres: a half sphere of mass m has 83/320 m r² across about its centre, which is 3/8 r
    from its face (any table of solids)."""
    rod, half = math.pi * R**2 * 2 * H, 2 / 3 * math.pi * R**3
    whole = rod + 2 * half
    across = rod * (R**2 / 4 + (2 * H) ** 2 / 12) + 2 * half * (83 / 320 * R**2 + (H + 3 / 8 * R) ** 2)
    return whole, [across / whole] * 2 + [(rod / 2 + 2 * half * 2 / 5) * R**2 / whole]


SOLIDS = {
    "sphere": ((R,), 4 / 3 * math.pi * R**3, [0.4 * R**2] * 3),
    "cylinder": ((R, H), math.pi * R**2 * 2 * H, [(3 * R**2 + 4 * H**2) / 12] * 2 + [R**2 / 2]),
    "box": ((R, 2 * R, H), 8 * R * 2 * R * H, [(4 * R**2 + H**2) / 3, (R**2 + H**2) / 3, 5 * R**2 / 3]),
    "ellipsoid": ((R, 2 * R, H), 4 / 3 * math.pi * 2 * R**2 * H, [(4 * R**2 + H**2) / 5, (R**2 + H**2) / 5, R**2]),
    "capsule": ((R, H), *capsule()),
}


@pytest.mark.parametrize("kind", SOLIDS)
def test_masses_and_inertias_of_geoms(tmp_path, kind):
    size, space, inertia = SOLIDS[kind]
    assert volume(kind, size) == pytest.approx(space, rel=1e-14)
    assert principal(kind, size, 3.0) == pytest.approx([3 * x for x in inertia], rel=1e-14)
    geom = f"<geom type='{kind}' size='{' '.join(map(str, size))}' pos='1 0 0' euler='0 90 0'/>"
    body = load(tmp_path, world(f"<body name='b'><freejoint/>{geom}</body>")).bodies["b"]
    assert body.mass == pytest.approx(1000 * space, rel=1e-14)
    assert body.center == pytest.approx((1, 0, 0))
    turned = [inertia[2], inertia[1], inertia[0]]  # x and z change places
    assert body.inertia[:3] == pytest.approx([body.mass * x for x in turned], rel=1e-12)


def test_a_capsule_between_two_points(tmp_path):
    """Its axis is along the points; the mass of two bodies side by side is summed with Steiner's terms."""
    geoms = "<geom type='capsule' size='0.1' fromto='0 0 0 0 0.6 0' mass='2'/><geom size='0.05' pos='0 1 0' mass='1'/>"
    body = load(tmp_path, world(f"<body name='b'><freejoint/>{geoms}</body>")).bodies["b"]
    _, (across, _, along) = capsule()
    middle = (2 * 0.3 + 1) / 3
    steiner = 2 * (0.3 - middle) ** 2 + (1 - middle) ** 2
    ball = 0.4 * 0.05**2
    assert body.center == pytest.approx((0, middle, 0))
    assert body.inertia[:3] == pytest.approx(
        [2 * across + ball + steiner, 2 * along + ball, 2 * across + ball + steiner]
    )


def test_defaults_and_classes(tmp_path):
    """A class has the attributes of the class around it; childclass stands for all below, class for one element."""
    default = """<default><geom density='10' type='box' size='1 1 1'/><joint armature='0.1'/><default class='leg'>
      <joint damping='2' axis='1 0 0'/><default class='toe'><joint armature='0.5'/></default></default></default>"""
    bodies = """<body name='a' childclass='leg'><joint name='j'/><geom/><body name='b'><joint name='k' class='toe'/>
      <geom density='1'/></body></body><body name='c'><joint name='l'/><geom mass='3'/></body>"""
    model = load(tmp_path, world(bodies, default))
    assert [model.bodies[name].mass for name in "abc"] == [80, 8, 3]
    armatures = {name: joint.options.get("armature") for name, joint in model.joints.items()}
    assert armatures == {"j": 0.1, "k": 0.5, "l": 0.1}
    assert model.joints["k"].options["axis"] == (1, 0, 0)
    assert model.joints["l"].options["axis"] == (0, 0, 1)
    assert set(model.forces) == {"j_damping", "k_damping"}


MASS = "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>"


def test_joints_of_one_body_move_one_after_the_other(tmp_path):
    """Two hinges about z, half a metre apart, and a slide along x: the origin is where the angles add up."""
    joints = "<joint name='a' pos='-1 0 0'/><joint name='b' pos='-0.5 0 0'/><joint name='c' type='slide' axis='1 0 0'/>"
    model = load(tmp_path, world(f"<body name='arm' pos='1 0 0'>{joints}{MASS}</body>"))
    a, b, c = 0.3, -0.8, 0.25
    at = [0.5 * np.cos(a) + (0.5 + c) * np.cos(a + b), 0.5 * np.sin(a) + (0.5 + c) * np.sin(a + b), 0]
    assert model.forward_kinematics("arm", {"a": a, "b": b, "c": c})[:3] == pytest.approx(at, abs=1e-15)


def test_a_joint_stands_as_drawn_at_its_reference(tmp_path):
    """Degrees by default: at ref hinge and slide are as drawn, and the simulation begins there."""
    joints = "<joint name='h' ref='30' range='-90 90' springref='10' stiffness='2'/>"
    joints += "<joint name='s' type='slide' axis='0 1 0' ref='0.2'/>"
    model = load(tmp_path, world(f"<body name='b' pos='1 2 3' euler='0 0 90'>{joints}{MASS}</body>"))
    drawn = model.forward_kinematics("b", {"h": "30 deg", "s": 0.2})
    assert drawn == pytest.approx([1, 2, 3, math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    assert model.initial_joints["h"].q == pytest.approx([math.radians(30)])
    assert {one.value for one in model.events.values()} == {-math.pi / 2, math.pi / 2}
    assert model.forces["h_stiffness"].options["rest"] == pytest.approx(math.radians(10))


@pytest.mark.parametrize("word", ["euler='0 0 90'", "axisangle='0 0 2 90'", "xyaxes='0 2 0 -1 1 0'", "quat='2 0 0 2'"])
def test_orientations(tmp_path, word):
    model = load(tmp_path, world(f"<body name='b' {word}><joint axis='1 0 0'/>{MASS}</body>"))
    assert model.joints["b_joint"].options["axis"] == pytest.approx((0, 1, 0), abs=1e-15)


def test_euler_sequences(tmp_path):
    """Lower case turns about axes that move along: xyz is Rx Ry Rz; upper case about the parent's: XYZ is Rz Ry Rx."""
    turns = {}
    for sequence in ("xyz", "ZYX"):
        compiler = f"<compiler angle='radian' eulerseq='{sequence}'/>"
        angles = "0.1 0.2 0.3" if sequence == "xyz" else "0.3 0.2 0.1"
        model = load(tmp_path, world(f"<body name='b' euler='{angles}'><joint/>{MASS}</body>", compiler))
        turns[sequence] = model.joints["b_joint"].options["zero"]
    assert turns["xyz"] == pytest.approx(turns["ZYX"])


def test_free_and_ball_joints(tmp_path):
    """A free body begins where it is drawn; the ball's quaternion is in the axes of the body as drawn: q = 90° about
    its z takes its x to its y, which is the world's −x after the drawn turn of 90° about z."""
    bodies = f"<body name='a' pos='1 2 3'><freejoint name='root'/>{MASS}<body name='b' pos='0 0 1' euler='0 0 90'>"
    model = load(
        tmp_path, world(f"{bodies}<joint name='ball' type='ball'/>{MASS}<site name='tip' pos='1 0 0'/></body></body>")
    )
    assert model.initial_joints["root"].q == (1, 2, 3, 1, 0, 0, 0)
    half = math.sqrt(0.5)
    q = {"root": [0, 0, 0, 1, 0, 0, 0], "ball": [half, 0, 0, half]}
    assert model.forward_kinematics("b.tip", q) == pytest.approx([-1, 0, 1], abs=1e-15)
    assert model.gravity == (0, 0, -9.81)
    fixed = load(tmp_path, world(f"{bodies}<joint name='ball' type='ball'/>{MASS}</body></body>"), base="fixed")
    assert fixed.joints["root"].kind == "fixed"
    assert len(fixed.state_names.v) == 3


def test_connect_closes_a_loop(tmp_path):
    """A four-bar linkage as a parallelogram with cranks of 1 m: the tree has three hinges, one motion remains.
    Of equal bars 2, 1, 2 kg as point masses at the middles the kinetic energy is ½ (2/4 + 1 + 2/4) ω²."""

    def bar(name, at, mass, inside=""):
        inertial = f"<inertial pos='0.5 0 0' mass='{mass}' diaginertia='1e-9 1e-9 1e-9'/>"
        return f"<body name='{name}' {at}><joint name='j_{name}' axis='0 0 1'/>{inertial}{inside}</body>"

    second = bar("rocker", "pos='2 0 0' euler='0 0 90'", 2)
    chain = bar("crank", "euler='0 0 90'", 2, bar("coupler", "pos='1 0 0' euler='0 0 -90'", 1))
    equality = "<equality><connect name='close' body1='coupler' body2='rocker' anchor='2 0 0'/></equality>"
    model = load(tmp_path, world(chain + second) + equality + "<option gravity='0 0 0'/>")
    assert model.joints["close"].options["role"] == "cut"
    assert len(model.state_names.v) == 3
    assert model.bodies["rocker"].points["close"] == pytest.approx((1, 0, 0), abs=1e-12)
    q, v = [0.0] * 3, {"j_crank": 1.0, "j_coupler": -1.0, "j_rocker": 1.0}
    assert model.loop_jacobian(q) @ np.array([v[name[:-2]] for name in model.state_names.v]) == pytest.approx(
        0, abs=1e-12
    )
    assert model.energy(q, v).kinetic == pytest.approx(0.5 * (0.5 + 1 + 0.5), rel=1e-6)
    model.initial("j_crank", 0.0, 1.0)
    run = model.simulate(0, 0.5, step=0.1)
    assert np.ptp(run["energy.kinetic"]) < 1e-6


def test_a_weld_between_bodies(tmp_path):
    """Without a pose of its own it welds the bodies as they are drawn."""
    bodies = f"<body name='a' pos='1 0 0'><freejoint/>{MASS}</body>"
    bodies += f"<body name='b' pos='0 2 0' euler='0 0 90'><freejoint/>{MASS}</body>"
    model = load(tmp_path, world(bodies) + "<equality><weld name='w' body1='a' body2='b'/></equality>")
    assert model.bodies["a"].points["w"] == pytest.approx((-1, 2, 0))
    assert model.joints["w"].options["zero"] == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))


def test_compiler(tmp_path):
    """Bounds, balance and total mass: principal moments 1, 1, 4, which no body has, become their mean 2."""
    inertial = "<inertial pos='0 0 0' mass='0.1' diaginertia='1 1 4'/>"
    body = f"<body name='b'><joint/>{inertial}<geom size='0.1' mass='7'/></body>"
    found = load(tmp_path, world(body, "<compiler balanceinertia='true' boundmass='0.5'/>")).bodies["b"]
    assert (found.mass, found.inertia[:3]) == (0.5, pytest.approx((2, 2, 2)))
    assert load(tmp_path, world(body, "<compiler inertiafromgeom='true'/>")).bodies["b"].mass == 7
    scaled = load(tmp_path, world(body, "<compiler balanceinertia='true' settotalmass='1'/>")).bodies["b"]
    assert (scaled.mass, scaled.inertia[0]) == (pytest.approx(1), pytest.approx(20))
    other = body.replace("mass='7'", "mass='7' group='3'").replace(inertial, "<geom size='0.2' mass='2'/>")
    assert load(tmp_path, world(other, "<compiler inertiagrouprange='0 1'/>")).bodies["b"].mass == 2


def test_frames_and_copies(tmp_path):
    """Frames turn what stands in them; copies are a step apart, with numbers behind their names."""
    inside = f"<frame pos='0 0 1' euler='0 0 90'><body name='b' pos='1 0 0'><joint name='j'/>{MASS}</body></frame>"
    model = load(tmp_path, world(f"<replicate count='3' offset='0 5 0'>{inside}</replicate>"))
    places = [model.bodies["ground"].points[f"j{k}"] for k in range(3)]
    assert np.array(places) == pytest.approx(np.array([[0, 1, 1], [0, 6, 1], [0, 11, 1]]), abs=1e-15)


def test_copies_turn_step_by_step(tmp_path):
    """Copy k is turned by k times the angle and stands where the steps before end: on a square for 90°."""
    body = f"<body name='b'><joint name='j'/>{MASS}</body>"
    model = load(tmp_path, world(f"<replicate count='4' offset='1 0 0' euler='0 0 90' sep='-'>{body}</replicate>"))
    places = [model.bodies["ground"].points[f"j_{k}"] for k in range(4)]
    assert np.array(places) == pytest.approx(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]), abs=1e-15)


def test_included_and_attached_files(tmp_path):
    """The children of an included file stand in its place; an attached body has a prefix and its own angles."""
    (tmp_path / "leg.xml").write_text(
        f"<mujoco><compiler angle='radian'/><worldbody><body name='leg' euler='0 0 {math.pi / 2}'><joint name='j'/>"
        f"{MASS}"
        "</body></worldbody></mujoco>"
    )
    (tmp_path / "mass.xml").write_text(f"<mujocoinclude>{MASS}</mujocoinclude>")
    asset = "<asset><model name='leg' file='leg.xml'/></asset>"
    attach = "<attach model='leg' body='leg' prefix='left_'/>"
    hip = f"<body name='hip'><joint name='h'/><include file='mass.xml'/>{attach}</body>"
    model = load(tmp_path, world(hip, asset))
    assert model.bodies["hip"].mass == 2
    assert model.joints["left_j"].options["zero"] == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    with pytest.raises(mubo.ModelError, match=r'line 1: there is no file "none\.xml" to include'):
        load(tmp_path, "<include file='none.xml'/>")


def test_keyframes(tmp_path):
    key = "<keyframe><key name='home' qpos='0.5'/></keyframe>"
    body = f"<body name='b'><joint name='j'/>{MASS}</body>"
    assert "keyframes, to begin in one by keyframe=: home" in load(tmp_path, world(body) + key).notes
    assert load(tmp_path, world(body) + key, keyframe="home").initial_joints["j"].q == (0.5,)
    with pytest.raises(mubo.ModelError, match=r'there is no keyframe "hom"\. Did you mean "home"'):
        load(tmp_path, world(body) + key, keyframe="hom")


WRONG = {
    "mesh": (
        "<body name='b'><joint/><geom type='mesh' mesh='shell'/></body>",
        "body b: its mass is that of the mesh shell",
    ),
    "type": (f"<body name='b'><joint type='screw'/>{MASS}</body>", 'joint b_joint: there is no joint type "screw"'),
    "class": (f"<body name='b'><joint class='c'/>{MASS}</body>", 'there is no default class "c"'),
    "axis": (f"<body name='b'><joint axis='0 0 0'/>{MASS}</body>", "joint b_joint: its axis has zero length"),
    "geom": ("<body name='b'><joint/><geom type='cone'/></body>", 'there is no geom "cone"'),
    "flex": (f"<body name='b'><joint/>{MASS}<flexcomp/></body>", "body b: <flexcomp> is not read"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files(tmp_path, case):
    inside, message = WRONG[case]
    with pytest.raises(mubo.ModelError) as caught:
        load(tmp_path, world(inside))
    assert message in str(caught.value)
    assert "line 1" in str(caught.value)


def test_parts_that_the_model_has_not_are_named(tmp_path):
    rest = """<actuator><motor name='m' joint='j'/></actuator><tendon>
      <fixed name='t' stiffness='2'><joint joint='j' coef='1'/>
      </fixed></tendon><sensor><jointpos joint='j'/></sensor>"""
    notes = load(
        tmp_path, world(f"<body name='b' gravcomp='1'><joint name='j' frictionloss='1'/>{MASS}</body>") + rest
    ).notes
    assert set(notes) == {
        "actuator m: an input: the effort of its joint in N m or N, zero until it is set; gear, gains and ranges are "
        'in model.origin.data["actuators"]',
        "tendon t: left out: stiffness",
        "left out: <sensor>",
        "link b: left out: gravity compensation",
        "joint j: left out: friction; `friction_rate = …` lets it act",
    }


@pytest.mark.parametrize("name", ["six_axis_arm.urdf", "quadruped.xml"])
def test_the_shipped_robots_conserve_energy(name):
    """Without the dampers of their joints, the arm on its base and the quadruped in its fall."""
    from conftest import EXAMPLES

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = mubo.load(EXAMPLES / name, gravity=(0, 0, -9.81))
    robot.forces.clear()
    robot.initial("lift" if "lift" in robot.joints else "rear_left_knee", -0.9, 2.0)
    run = robot.simulate(0, 0.2, step=0.1)
    assert np.ptp(run["energy.total"]) < 1e-6
    assert np.ptp(run["energy.kinetic"]) > 1


def bare(joint):
    """A joint without reflected inertia."""
    return replace(joint, options={key: value for key, value in joint.options.items() if key != "armature"})


@pytest.mark.parametrize("ending", [".xml", ".sdf"])
def test_a_written_model_moves_the_same(tmp_path, ending):
    """Mass matrix and bias at a state of a tree with turned axes, joints written in either direction, in mm and g, and
    of the shipped robots, to rounding. In SDF a floating base has no name, and armature no place."""
    from conftest import EXAMPLES
    from test_urdf import TREE

    (tmp_path / "tree.toml").write_text(TREE)
    rng = np.random.default_rng(5)
    for source in (tmp_path / "tree.toml", EXAMPLES / "six_axis_arm.urdf", EXAMPLES / "quadruped.xml"):
        native = source.suffix == ".toml"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            own = mubo.load(source) if native else mubo.load(source, gravity=(0, 0, -9.81))
            if ending == ".sdf":
                own.joints = {name: bare(joint) for name, joint in own.joints.items()}
            own.save(tmp_path / f"copy{ending}")
            back = mubo.load(tmp_path / f"copy{ending}", gravity=(0, 0, -9.81))
        base = "base" if ending == ".sdf" else "root"
        names = [[name.replace("root", base) for name in order] for order in own.state_names]
        to_q, to_v = (
            [order.index(name) for name in found] for order, found in zip(back.state_names, names, strict=True)
        )
        q, v = rng.uniform(-1, 1, len(names[0])), rng.uniform(-1, 1, len(names[1]))
        if "root" in own.joints:
            q[3:7] /= np.linalg.norm(q[3:7])
        mm = 1e-3 if native else 1.0
        slides = [own.joints[name[: name.index(".")]].kind == "prismatic" for name in own.state_names.v]
        unit = np.where(slides, mm, 1.0)
        scale = mm**3 if native else 1.0  # g mm²
        at, rate = np.zeros(len(q)), np.zeros(len(v))
        at[to_q], rate[to_v] = q * unit if native else q, v * unit
        M, h = own.mass_matrix(q) * scale / np.outer(unit, unit), own.bias(q, v) * scale / unit
        assert np.max(np.abs(back.mass_matrix(at)[np.ix_(to_v, to_v)] - M)) < 1e-12 * np.max(np.abs(M))
        assert np.max(np.abs(back.bias(at, rate)[to_v] - h)) < 1e-12 * np.max(np.abs(h))


def test_loops_and_other_joints_as_mjcf(tmp_path):
    from conftest import EXAMPLES

    bodies = f"<body name='a' pos='1 0 0'><joint name='j'/>{MASS}</body>"
    bodies += f"<body name='b' euler='0 0 90'><joint name='k'/>{MASS}</body>"
    model = load(
        tmp_path, world(bodies) + "<equality><connect name='c' body1='a' body2='b' anchor='0 1 0'/></equality>"
    )
    model.save(tmp_path / "loop.xml")
    back = mubo.load(tmp_path / "loop.xml")
    assert back.joints["c"].options["role"] == "cut"
    assert back.bodies["b"].points["c"] == pytest.approx(model.bodies["b"].points["c"])
    with pytest.raises(mubo.ModelError, match="MJCF holds spatial models"):
        mubo.load(EXAMPLES / "four_bar.toml").save(tmp_path / "plane.xml")
    with pytest.raises(mubo.ModelError, match=r"MJCF has no universal joint|a loop of MJCF is closed by"):
        mubo.load(EXAMPLES / "hooke_joint.toml").save(tmp_path / "hooke.xml")


@pytest.mark.parametrize("ending", [".urdf", ".xml", ".sdf"])
def test_a_body_that_floats_is_written(tmp_path, ending):
    """It hangs on a free joint that the model does not have: its bias is its weight, m g = 9.81 N."""
    model = mubo.Model("stone", dimension=3, gravity=(0, 0, -9.81))
    model.body("a", mass=1, inertia=(1, 1, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.save(tmp_path / f"stone{ending}")
        back = mubo.load(tmp_path / f"stone{ending}", gravity=(0, 0, -9.81))
    assert back.bias([0, 0, 0, 1, 0, 0, 0], [0.0] * 6) == pytest.approx([0, 0, 9.81, 0, 0, 0])
