"""CONTRIBUTING's recipes, tried: joints of the plane and of space, and loads, are a file and a registry line each.

The files are written here, imported as if they lay in `elements`, and put into the registries. Nothing else is touched;
every command must then know them.
"""

import importlib.util
import sys

import numpy as np
import pytest

import mubo
from mubo.elements import JOINTS, LOADS, PLANE_LOADS, SPATIAL_JOINTS

COUPLING = '''
"""Toy coupling: the bodies turn together and slide as they like.

Formula:      φ_j − φ_i − twist = 0
"""

from mubo.elements.declare import CLOSING, Element, Option, Row

TOY = Element(
    name="toy_coupling",
    key="between",
    rows=(Row("parallel", ("twist",), ("twist",)),),
    dofs=("slide x", "slide y"),
    options=(Option("twist", "angle", "second body minus first", CLOSING, required=False, example=0.2),),
    summary="a toy coupling",
    word="toy coupling",
    glyph="slot",
    hinge=True,
)
'''
CROSSHEAD = '''
"""Toy crosshead: a body slides along the first body's x axis, at a height over it.

Formula:      y_i · (P_j − P_i) − height = 0; φ_j − φ_i = 0
"""

from mubo.elements.declare import Element, Option, Row

TOY = Element(
    name="toy_crosshead",
    key="between",
    rows=(
        Row("slide", ("point_i", "upward", "point_j", "height"), ("height",)),
        Row("parallel", ("level",), ("tilt",)),
    ),
    dofs=("slide x",),
    options=(Option("height", "length", "of the second point over the first", example=0.4),),
    summary="a toy crosshead",
    word="toy crosshead",
    glyph="slider",
    hinge=True,
    coordinate="slide",
    derive=lambda options: {"upward": [0.0, 1.0], "level": [0.0]},
)
'''
PIN_IN_SLOT = '''
"""Toy pin in a slot: a body slides along x of the joint's frame and turns about its z.

Formula:      y_i · d = 0; z_i · d = 0 with d = P_j − P_i; x_i · z_j = y_i · z_j = 0
"""

from mubo.elements.declare import Element, Row
from mubo.elements.space.options import AXIS, ZERO

TOY = Element(
    name="toy_slot",
    key="between",
    rows=(
        Row("inplane", ("point_i", "y_i", "point_j"), ("across, y",)),
        Row("inplane", ("point_i", "z_i", "point_j"), ("across, z",)),
        Row("perpendicular", ("x_i", "z_j"), ("tilt about y",)),
        Row("perpendicular", ("y_i", "z_j"), ("tilt about x",)),
    ),
    dofs=("slide x", "turn z"),
    options=(AXIS, ZERO),
    summary="a toy pin in a slot",
    word="toy pin in a slot",
    glyph="slot",
    hinge=True,
)
'''
STRUT = '''
"""Toy strut between two points.

Formula:      F = rate (l − rest) + loss l′
"""

from mubo.elements.declare import Element, LoadFormula, Option

TOY = Element(
    name="toy_strut",
    key="between",
    rows=(),
    formula=LoadFormula("spring", ("rate", "rest", "loss")),
    options=(
        Option("rate", "number", "force per length", least=0.0, example=4.0),
        Option("rest", "length", "length without force", example=1.0),
        Option("loss", "number", "force per speed", default=0.0, required=False, example=0.1),
    ),
    summary="a toy strut",
    word="strut",
    glyph="spring",
)
'''
TORQUE = '''
"""Toy torque on a body of the plane.

Formula:      M = f(t)
"""

from mubo.elements.declare import Element, LoadFormula, Option

TOY = Element(
    name="toy_torque",
    key="body",
    rows=(),
    formula=LoadFormula("body_torque", law="moment"),
    options=(Option("moment", "law", "over time", example="1 + t"),),
    summary="a toy torque",
    word="torque",
    glyph="torque",
)
'''
SHAFTS = """
name = "shafts"
[body.ground]
points = { A = [0, 0], B = [0.3, 0.1] }
[body.input]
points = { O = [0, 0], P = [0.5, 0] }
[body.output]
position = [0.3, 0.1]
angle = 0.4
points = { O = [0, 0], P = [0.5, 0] }
[joint.A]
type = "revolute"
between = ["ground.A", "input.O"]
[joint.B]
type = "revolute"
between = ["ground.B", "output.O"]
[joint.toy]
type = "toy_coupling"
between = ["input.O", "output.O"]
[driver.motor]
of = "A"
motion = "2*t + t^2"
[force.strut]
type = "toy_strut"
between = ["input.P", "output.P"]
rate = 4
rest = 1
[force.load]
type = "toy_torque"
body = "output"
moment = "5*sin(t)"
[analysis]
type = "kinematics"
start = 0
end = 1
step = 0.1
"""
ENGINE = """
name = "engine"
[body.ground]
points = { O = [0, 0] }
[body.crank]
angle = 1.0
points = { O = [0, 0], B = [1, 0] }
[body.rod]
position = [0.5, 0.8]
angle = -0.2
points = { B = [0, 0], C = [3, 0] }
[body.head]
position = [3.5, 0.3]
points = { C = [0, 0] }
[joint.O]
type = "revolute"
between = ["ground.O", "crank.O"]
[joint.B]
type = "revolute"
between = ["crank.B", "rod.B"]
[joint.C]
type = "revolute"
between = ["rod.C", "head.C"]
[joint.toy]
type = "toy_crosshead"
between = ["ground.O", "head.C"]
height = 0.25
[driver.motor]
of = "O"
motion = "1 + 6*t"
[analysis]
type = "kinematics"
start = 0
end = 1
step = 0.05
"""
SLED = """
name = "sled"
dimension = 3
gravity = [0, 0, 0]
[body.ground]
points = { S = [-1, 0, 0], O = [0, 0, 0] }
[body.sled]
points = { O = [0, 0, 0], P = [0, 0.3, 0] }
mass = 2
inertia = [0.1, 0.1, 0.2]
[joint.toy]
type = "toy_slot"
between = ["ground.O", "sled.O"]
axis = [0, 0, 1]
"""
DRIVEN = """
[driver.slide]
of = "toy.q1"
motion = "0.2*sin(2*t)"
[driver.turn]
of = "toy.q2"
motion = "3*t"
[analysis]
type = "kinematics"
start = 0
end = 2
step = 0.1
"""
SIMULATED = """
[force.strut]
type = "toy_strut"
between = ["ground.S", "sled.O"]
rate = 8
rest = 1
[initial.toy]
q = [0.2, 0]
v = [0, 0.7]
[analysis]
type = "simulate"
start = 0
end = 2
step = 0.1
"""


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """Files as CONTRIBUTING asks for them, and their registry lines."""
    for place, text, registries in (
        ("plane.joints.toy_coupling", COUPLING, [JOINTS]),
        ("plane.joints.toy_crosshead", CROSSHEAD, [JOINTS]),
        ("space.joints.toy_slot", PIN_IN_SLOT, [SPATIAL_JOINTS]),
        ("loads.toy_strut", STRUT, [PLANE_LOADS, LOADS]),
        ("plane.loads.toy_torque", TORQUE, [PLANE_LOADS]),
    ):
        name = f"mubo.elements.{place}"
        path = tmp_path / f"{place}.py"
        path.write_text(text.lstrip())
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        for registry in registries:
            monkeypatch.setitem(registry, module.TOY.name, module.TOY)
    return tmp_path


def model_of(folder, text):
    """The model of a file, by way of every kind of native file."""
    (folder / "model.toml").write_text(text)
    mubo.load(folder / "model.toml").save(folder / "again.json")
    mubo.load(folder / "again.json").save(folder / "again.toml")
    return mubo.load(folder / "again.toml")


def shown(run, folder, *texts):
    """Every picture of a run: the element must be in each."""
    run.plot(path=folder / "picture.svg")
    run.report(folder / "page.html")
    run.export(folder / "film.glb")
    run.export(folder / "film.py")
    page, film = (folder / "page.html").read_text(), (folder / "film.glb").read_bytes()
    for text in texts:
        assert text in page
    for label in ("joint toy", *(f"force {name}" for name in run.model.forces)):
        assert label.encode() in film
        assert label in (folder / "film.py").read_text()


def formulations(model):
    """The motion by both formulations, which must agree; loops is what `auto` takes."""
    loops, absolute = (model.kinematics(formulation=name) for name in ("loops", "absolute"))
    assert model.kinematics().summary["formulation"] == "loops"
    for name in absolute.columns:
        if not name.startswith("transmission"):
            np.testing.assert_allclose(loops[name], absolute[name], atol=1e-11, err_msg=name)
    assert loops.summary["status"] == "ok"
    return loops


def test_a_coupling_of_the_plane(toys):
    """φ_out = φ_in + the angle of the estimates; a load of the plane is drawn and told as not used."""
    model = model_of(toys, SHAFTS)
    assert "joint toy: twist = 0.4, taken from the estimates" in str(model.check())
    run = formulations(model)
    np.testing.assert_allclose(run["output.phi"] - run["input.phi"], 0.4, atol=1e-14)
    np.testing.assert_allclose(run["output.omega"], 2 + 2 * run["t"], atol=1e-12)
    assert any("not used: forces " in note for note in run.summary["warnings"])
    assert len(model.modes(path=toys / "modes.png").modes) == 1
    shown(run, toys, "toy_coupling", "<sub>input</sub> − twist = 0", "toy_strut", "toy_torque")


def test_a_slider_of_the_plane(toys):
    """An engine with offset h: x = r cos φ + √(l² − (r sin φ − h)²)."""
    model = model_of(toys, ENGINE)
    run = formulations(model)
    phi = 1 + 6 * run["t"]
    expected = np.cos(phi) + np.sqrt(9 - (np.sin(phi) - 0.25) ** 2)
    np.testing.assert_allclose(run["head.x"], expected, atol=1e-12)
    np.testing.assert_allclose(run["toy.q"], expected, atol=1e-12)
    assert "slide of toy" in str(model.loops(path=toys / "loops.png"))
    assert len(model.modes().modes) == 2  # the rod to the right of the crank, and to its left
    batch = model.batch({"rod.C": [(2.5, 0.0), (3.0, 0.0)]}, columns=["head.x"])
    np.testing.assert_allclose(batch["head.x"][1], expected, atol=1e-10)
    shown(run, toys, "toy_crosshead", "height")


def test_a_joint_of_space_moved_by_drivers(toys):
    model = model_of(toys, SLED + DRIVEN)
    assert "ready" in str(model.check())
    run = model.kinematics()
    np.testing.assert_allclose(run["sled.x"], 0.2 * np.sin(2 * run["t"]), atol=1e-12)
    np.testing.assert_allclose(run["sled.wz"], 3, atol=1e-12)
    shown(run, toys, "toy_slot")


@pytest.mark.parametrize("formulation", ["tree", "wittenburg"])
def test_a_joint_and_a_load_of_space_simulated(toys, formulation):
    """A mass 2 on a spring 8 along the slot: q₁ = 0.2 cos 2t; nothing turns it: q₂ = 0.7 t."""
    model = model_of(toys, SLED + SIMULATED)
    run = model.simulate(formulation=formulation)
    np.testing.assert_allclose(run["toy.q1"], 0.2 * np.cos(2 * run["t"]), atol=1e-8)
    np.testing.assert_allclose(run["toy.q2"], 0.7 * run["t"], atol=1e-8)
    if formulation == "tree":
        shown(run, toys, "toy_slot", "toy_strut")
