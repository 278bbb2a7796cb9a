"""SDF files of our own: poses by relative_to, frames, models in models, axes in other frames, loops, static models."""

import math
import warnings

import numpy as np
import pytest

import mubo

HALF = math.sqrt(0.5)


def load(tmp_path, inside, version="1.9", **options):
    (tmp_path / "robot.sdf").write_text(f"<sdf version='{version}'><model name='m'>{inside}</model></sdf>")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mubo.load(tmp_path / "robot.sdf", gravity=(0, 0, -9.81), **options)


def link(name, pose="", inside=""):
    inertia = "<mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
    return f"<link name='{name}'>{pose}<inertial>{inside}{inertia}</inertial></link>"


def joint(name, parent, child, axis="<xyz>0 0 1</xyz>", kind="revolute", more=""):
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f"<joint name='{name}' type='{kind}'>{ends}<axis>{axis}</axis>{more}</joint>"


def test_poses_by_other_frames(tmp_path):
    """The hip turns by 90° about z at (1, 0, 0); the knee is 1 m along its x, that is at (1, 1, 0)."""
    frames = "<frame name='hip' attached_to='base'><pose>1 0 0 0 0 1.5707963267948966</pose></frame>"
    upper = link("upper", "<pose relative_to='hip'/>")
    lower = link("lower", "<pose relative_to='upper' degrees='true'>1 0 0 0 0 90</pose>")
    joints = joint("weld", "world", "base", kind="fixed") + joint("h", "base", "upper") + joint("k", "upper", "lower")
    model = load(tmp_path, link("base") + frames + upper + lower + joints)
    at = model.forward_kinematics("lower", {"h": 0, "k": 0})
    assert at == pytest.approx([1, 1, 0, 0, 0, 0, 1], abs=1e-15)  # turned by 180° about z
    moved = model.forward_kinematics("lower", {"h": -math.pi / 2, "k": 0})
    assert moved[:3] == pytest.approx([2, 0, 0], abs=1e-15)


@pytest.mark.parametrize(
    ("axis", "version", "expected"),
    [
        ("<xyz>1 0 0</xyz>", "1.9", (0, 1, 0)),  # of the joint, which is turned as its child
        ("<xyz expressed_in='__model__'>1 0 0</xyz>", "1.9", (1, 0, 0)),
        ("<xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6", (1, 0, 0)),
        ("<xyz>1 0 0</xyz>", "1.4", (1, 0, 0)),  # before 1.5 always of the model
    ],
)
def test_axes_are_in_the_frame_that_is_named(tmp_path, axis, version, expected):
    turned = link("arm", "<pose>0 0 0 0 0 1.5707963267948966</pose>")
    model = load(tmp_path, turned + joint("j", "world", "arm", axis), version)
    assert model.joints["j"].options["axis"] == pytest.approx(expected, abs=1e-15)


def test_models_in_models(tmp_path):
    """Names inside have the model before them; its pose, by the frame that is to stand there, moves all of it."""
    frame = "<frame name='grip'><pose>0 0 -1 0 0 0</pose></frame>"
    hand = f"<model name='hand' placement_frame='grip'><pose>0 0 3 0 0 0</pose>{link('palm')}{frame}</model>"
    model = load(tmp_path, link("arm") + hand + joint("wrist", "arm", "hand::palm"))
    assert set(model.bodies) == {"ground", "arm", "hand__palm"}
    place = model.forward_kinematics("hand__palm", {"base": [0, 0, 0, 1, 0, 0, 0], "wrist": 0})
    assert place[:3] == pytest.approx([0, 0, 4])


def test_what_hangs_on_nothing_floats(tmp_path):
    """One free joint for each part; it begins as drawn, and is welded where the model is static or the base fixed."""
    text = link("a", "<pose>1 2 3 0 0 0</pose>") + link("b") + joint("j", "a", "b")
    model = load(tmp_path, text)
    assert model.joints["base"].kind == "free"
    assert model.initial_joints["base"].q == pytest.approx((1, 2, 3, 1, 0, 0, 0))
    assert len(model.state_names.v) == 7
    assert load(tmp_path, text, base="fixed").bodies["ground"].points["base"] == (1, 2, 3)
    assert load(tmp_path, "<static>true</static>" + text).joints["base"].kind == "fixed"


def test_a_link_without_inertia_has_one_kilogram(tmp_path):
    """The specification gives a link without <inertial> a mass of 1 kg and principal inertias of 1 kg m²."""
    body = load(tmp_path, "<link name='a'/>").bodies["a"]
    assert (body.mass, body.inertia) == (1, (1, 1, 1, 0, 0, 0))


def test_loops(tmp_path):
    """A square of hinges about x: the joint whose links are connected already closes the loop, closed as drawn."""
    links = link("crank") + link("coupler", "<pose>0 1 0 0 0 0</pose>") + link("rocker", "<pose>0 2 0 0 0 0</pose>")
    x = "<xyz>1 0 0</xyz>"
    joints = joint("A", "world", "crank", x) + joint("B", "crank", "coupler", x) + joint("D", "world", "rocker", x)
    closing = joint("C", "rocker", "coupler", x, more="<pose>0 1 0.5 0 0 0</pose>")
    model = load(tmp_path, links + joints + closing)
    assert model.joints["C"].options["role"] == "cut"
    assert model.state_names.v == ("A.v", "D.v", "B.v")
    assert np.linalg.matrix_rank(model.loop_jacobian([0, 0, 0])) == 2


def test_springs_limits_rotors_and_screws(tmp_path):
    """Damping and springs act; a rotor of 2 kg m² behind a gear of 3 adds 18 kg m²; a screw advances per revolution."""
    spring = "<spring_stiffness>4</spring_stiffness><spring_reference>5</spring_reference>"
    dynamics = f"<dynamics><damping>3</damping>{spring}</dynamics>"
    axis = f"<xyz>0 0 1</xyz>{dynamics}<limit><lower>-1</lower><upper>1e16</upper></limit>"
    rotor = "<drake:rotor_inertia>2</drake:rotor_inertia><drake:gear_ratio>3</drake:gear_ratio>"
    screw = joint("s", "a", "b", kind="screw", more="<screw_thread_pitch>0.1</screw_thread_pitch>")
    model = load(tmp_path, link("a") + link("b") + joint("j", "world", "a", axis, more=rotor) + screw)
    assert model.forces["j_damping"].options == {"damping": 3, "stiffness": 4, "rest": 5}
    assert [(one.of, one.value) for one in model.events.values()] == [("j", -1)]
    assert model.joints["j"].options["armature"] == 18
    assert model.forward_kinematics("b", {"j": 0, "s": 2 * math.pi})[2] == pytest.approx(0.1)


WRONG = {
    "frame": (link("a", "<pose relative_to='b'>0 0 0 0 0 0</pose>"), 'link a: there is no frame "b"'),
    "circle": (
        link("a", "<pose relative_to='b'/>") + link("b", "<pose relative_to='a'/>"),
        "depends on itself",
    ),
    "link": (link("a") + joint("j", "a", "c"), 'joint j: there is no link "c"'),
    "kind": (link("a") + joint("j", "world", "a", kind="gearbox"), 'joint j: joint type "gearbox" cannot be read'),
    "pose": (link("a", "<pose>1 2 3</pose>"), 'link a: a pose has 6 numbers; found "1 2 3"'),
    "twice": (link("a") + link("a"), 'there are two links "a"'),
    "auto": ("<link name='a'><inertial auto='true'/></link>", "link a: an inertia from its collisions"),
    "other joints": (link("a") + "<drake:joint name='j' type='planar'/>", "<drake:joint> is no joint of SDF: planar"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files(tmp_path, case):
    inside, message = WRONG[case]
    with pytest.raises(mubo.ModelError) as caught:
        load(tmp_path, inside)
    assert message in str(caught.value)


def test_included_files_are_named(tmp_path):
    model = load(tmp_path, link("a") + "<include><uri>model://table</uri></include>")
    assert "include model://table: left out: the model of another file" in model.notes
