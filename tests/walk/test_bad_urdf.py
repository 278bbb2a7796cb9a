"""Robot descriptions that are wrong, and models that URDF cannot hold: all problems together, with lines and names."""

import warnings

import pytest
from conftest import EXAMPLES

import mubo


def robot(*lines):
    return "\n".join(["<robot name='r'>", "<link name='world'/>", "<link name='a'/>", *lines, "</robot>"])


def joint(kind="revolute", parent="world", child="a", inside="", name="j"):
    return f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inside}</joint>"


WRONG = {
    "no XML": ("<robot", "line 1: this is not XML"),
    "other root": ("<sdf/>", "expected <robot>; found <sdf>"),
    "entities": ('<!DOCTYPE r [<!ENTITY x "y">]>\n<robot/>', "line 1: a document type"),
    "nested": (
        "<robot name='r'>\n" + "<link>" * 501 + "</link>" * 501 + "</robot>",
        "line 2: <link> is nested 501 levels",
    ),
    "no links": ("<robot/>", "the robot has no links"),
    "unknown kind": (robot(joint("hinge")), 'line 4: joint j: there is no joint type "hinge"'),
    "unknown link": (robot(joint(child="b")), 'joint j: there is no link "b"'),
    "two parents": (robot(joint(), joint(name="k")), 'joint k: link "a" is a child of joint j already'),
    "loop": (robot(joint(), joint(parent="a", child="world", name="k")), "the joints close a loop"),
    "loop beside": (
        robot("<link name='b'/>", joint(parent="a", child="b"), joint(parent="b", name="k")),
        "the links a, b hang on each other only: their joints close a loop",
    ),
    "itself": (robot(joint(parent="a")), "the links a hang on each other only"),
    "two roots": (robot(), "the links world, a have no parent"),
    "no axis": (robot(joint(inside="<axis xyz='0 0 0'/>")), "joint j: its axis has zero length"),
    "two numbers": (robot(joint(inside="<origin xyz='0 0'/>")), 'joint j: xyz needs 3 numbers; found "0 0"'),
    "NaN": (robot(joint(inside="<origin xyz='0 0 nan'/>")), "xyz needs 3 numbers"),
    "no parent": (robot("<joint name='j' type='fixed'><child link='a'/></joint>"), 'j: <parent link="…"> is missing'),
    "two of a name": (robot("<link name='a'/>", joint()), 'there are two links "a"'),
    "no name": (robot("<link/>", joint()), "a link has no name"),
    "xacro": ("<robot xmlns:xacro='u'><xacro:macro name='m'/></robot>", "this is a xacro file"),
    "xacro expression": (robot(joint(inside="<origin xyz='0 0 ${h}'/>")), "line 4: this is a xacro file"),
    "damping": (robot(joint(inside="<dynamics damping='-1'/>")), "the damping cannot be negative"),
}
LINK = "<robot name='r'><link name='world'/><link name='a'>\n{}\n</link>" + joint() + "</robot>"
WRONG_LINKS = {
    "mass": ("<inertial><mass value='-1'/></inertial>", "line 2: link a: the mass cannot be negative"),
}
TENSOR = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial>"
LEFT_OUT = {
    "no geometry": ("<visual/>", "link a: left out: a <visual> without geometry"),
    "cone": ("<visual><geometry><cone/></geometry></visual>", 'link a: left out: geometry "cone"'),
    "no radius": ("<visual><geometry><sphere/></geometry></visual>", "link a: left out: sphere of its <visual>"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files(tmp_path, case):
    text, message = WRONG[case]
    refuse(tmp_path, text, message)


@pytest.mark.parametrize("case", WRONG_LINKS)
def test_wrong_links(tmp_path, case):
    inside, message = WRONG_LINKS[case]
    refuse(tmp_path, LINK.format(inside), message)


@pytest.mark.parametrize("case", LEFT_OUT)
def test_geometry_is_only_drawn(tmp_path, case):
    """A geometry that cannot be drawn is left out with a note; that of a collision, which is not used, without."""
    inside, note = LEFT_OUT[case]
    (tmp_path / "r.urdf").write_text(LINK.format(inside + inside.replace("visual", "collision")))
    with pytest.warns(UserWarning, match="left out"):
        model = mubo.load(tmp_path / "r.urdf")
    assert [line for line in model.notes if line.startswith(note)]
    assert not [line for line in model.notes if "collision" in line]


def test_the_name_of_xacro_alone_is_no_xacro(tmp_path):
    """Files that xacro wrote declare its namespace and name it in a comment; blank lines may stand before."""
    text = robot(joint()).replace("<robot", "<!-- by xacro:macro -->\n<robot xmlns:xacro='u'")
    (tmp_path / "r.urdf").write_text(f"\n\n<?xml version='1.0'?>\n{text}")
    assert mubo.load(tmp_path / "r.urdf").joints["j"].kind == "revolute"
    (tmp_path / "r.urdf").write_text(f"\n\n<?xml version='1.0'?>\n{text.replace('revolute', 'hinge')}")
    with pytest.raises(mubo.ModelError, match="line 8: joint j: there is no joint type"):
        mubo.load(tmp_path / "r.urdf")


def test_inertias_that_no_body_has(tmp_path):
    """Principal moments 1, 1, 3 exceed 1 + 1 by 1. Second moments ½ tr I − I = 1.5, 1.5, −0.5; the last set to zero
    gives I = 1.5, 1.5, 3."""
    (tmp_path / "r.urdf").write_text(LINK.format(TENSOR))
    with pytest.warns(UserWarning, match="principal inertias 1, 1, 3(?s:.*)by 1; used as given"):
        model = mubo.load(tmp_path / "r.urdf")
    assert model.bodies["a"].inertia == (1, 1, 3, 0, 0, 0)
    model.save(tmp_path / "r.toml")
    assert mubo.load(tmp_path / "r.toml") == model
    with pytest.warns(UserWarning, match="replaced by the inertia next to it"):
        mended = mubo.load(tmp_path / "r.urdf", inertia_check="mend")
    assert mended.bodies["a"].inertia == pytest.approx((1.5, 1.5, 3, 0, 0, 0))
    with pytest.raises(mubo.ModelError, match="line 2: link a: no body has the principal"):
        mubo.load(tmp_path / "r.urdf", inertia_check="refuse")
    with pytest.raises(mubo.ModelError, match='inertia_check is one of "note", "refuse", "mend"; found \'drop\''):
        mubo.load(tmp_path / "r.urdf", inertia_check="drop")


def refuse(tmp_path, text, message):
    (tmp_path / "r.urdf").write_text(text)
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(tmp_path / "r.urdf")
    assert message in str(caught.value)


def test_all_problems_come_together(tmp_path):
    (tmp_path / "r.urdf").write_text(robot(joint("hinge", child="b"), joint(inside="<origin xyz='1'/>", name="k")))
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(tmp_path / "r.urdf")
    assert "line 4" in str(caught.value)
    text = robot(joint("hinge"), "<link name='b'/>", joint(child="b", inside="<origin xyz='1'/>", name="k"))
    (tmp_path / "r.urdf").write_text(text)
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(tmp_path / "r.urdf")
    assert len(str(caught.value).splitlines()) == 2


def test_what_is_left_out_is_told(tmp_path):
    """Names that mubo does not allow, meshes, shapes elsewhere, friction, mimic, a root that is not the world."""
    text = """<robot name="r"><material name="m"/><gazebo/>
    <link name="base-link"/>
    <link name="x"><visual><geometry><mesh filename="x.stl"/></geometry></visual>
      <collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
    <link name="tool"/>
    <joint name="x" type="revolute"><parent link="base-link"/><child link="x"/>
      <limit effort="1" velocity="2"/><dynamics friction="0.1"/><mimic joint="y"/></joint>
    <joint name="y" type="floating"><parent link="x"/><child link="tool"/></joint></robot>"""
    (tmp_path / "r.urdf").write_text(text)
    with pytest.warns(UserWarning, match="r.urdf") as caught:
        model = mubo.load(tmp_path / "r.urdf")
    told = str(caught[0].message)
    for words in (
        "welded to the ground",
        "base-link is called base_link",
        "link x (x.stl): left out: a mesh",
        "joint x: left out: friction; `friction_rate = …` lets it act",
        "joint x: left out: effort, velocity",
        "joint x: left out: mimic of a joint without one",
        "left out: <gazebo>",
    ):
        assert words in "\n".join(model.notes)
    assert len(told.splitlines()) == 6
    assert told.splitlines()[-1] == "  and 2 more notes, all in model.notes"
    assert model.joints["base"].between == ("ground.base", "base_link.base")
    assert model.joints["x"].between == ("base_link.at_x", "x.at_x")
    assert model.joints["y"].kind == "free"
    model.save(tmp_path / "r.toml")
    assert mubo.load(tmp_path / "r.toml") == model


def test_loops_and_other_joints_are_refused_by_name(tmp_path):
    model = mubo.Model("loop", dimension=3)
    model.ground.point("A", (0, 0, 0))
    for name in ("a", "b"):
        model.body(name, points={"A": (0, 0, 0), "B": (1, 0, 0)})
    model.revolute("A", "ground.A", "a.A", axis=(0, 0, 1))
    model.revolute("B", "a.B", "b.B", axis=(0, 0, 1))
    model.revolute("C", "b.A", "ground.A", axis=(0, 0, 1))
    with pytest.raises(mubo.ModelError, match="close a loop"):
        model.save(tmp_path / "loop.urdf")
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(EXAMPLES / "five_body_chain.toml").save(tmp_path / "chain.urdf")
    for name in ("shoulder", "elbow"):
        assert f"joint {name}: URDF has no spherical joint" in str(caught.value)
    with pytest.raises(mubo.ModelError, match="planar"):
        mubo.load(EXAMPLES / "four_bar.toml").save(tmp_path / "four_bar.urdf")
    assert not list(tmp_path.glob("*.urdf"))


def test_convert_tells_what_it_leaves_out(command, tmp_path):
    (tmp_path / "r.urdf").write_text(robot(joint(inside="<dynamics friction='1'/>")))
    done = command("convert", "r.urdf", "-o", "r.toml")
    assert done.returncode == 0
    assert done.stdout == "r.toml\n"
    assert "note: r.urdf: joint j: left out: friction" in done.stderr
    done = command("convert", "r.toml", "-o", "again.urdf")
    assert done.returncode == 0, done.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mubo.load(tmp_path / "again.urdf").joints == mubo.load(tmp_path / "r.toml").joints


ARM = "".join(
    f"<link name='l{k}'><inertial><mass value='2'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/>"
    f"</inertial><visual><geometry><mesh filename='l{k}.stl'/></geometry></visual></link><joint name='j{k}' "
    f"type='revolute'><parent link='{'world' if k == 0 else f'l{k - 1}'}'/><child link='l{k}'/><origin xyz='0 0 0.4'/>"
    "<axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='100' velocity='2'/><dynamics friction='0.1'/></joint>"
    for k in range(6)
)


def test_a_sound_arm_is_no_problem_and_its_notes_are_told_once(command, tmp_path):
    """An arm has degrees of freedom that nothing drives, and no gravity: that is not wrong, and what to do is said."""
    (tmp_path / "arm.urdf").write_text(f"<robot name='arm'><link name='world'/>{ARM}</robot>")
    done = command("check", "arm.urdf")
    assert done.returncode == 0
    assert (
        "verdict       sound, with 6 degrees of freedom. To be simulated: arm.urdf: gravity is not stated"
        in done.stdout
    )
    assert "Kinematics needs a driver for each degree of freedom." in done.stdout
    assert done.stderr.splitlines() == [
        "note: arm.urdf: links l0, l1, l2, l3, l4, l5: left out: a mesh",
        "  joints j0, j1, j2, j3, j4, j5: left out: effort, velocity",
        "  joints j0, j1, j2, j3, j4, j5: left out: friction; `friction_rate = …` lets it act",
    ]
    done = command("kinematics", "arm.urdf", "--start", "0", "--end", "1", "--step", "1")
    assert done.stderr.startswith("note: 3 notes on the file: `mubo check arm.urdf` lists them\nerror: ")
    assert "not driven" in done.stderr
