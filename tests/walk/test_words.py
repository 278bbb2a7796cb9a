"""Words of textbooks and other programs get the word of mubo; e may be a parameter; long chains of parameters."""

import math
import re
import signal
import subprocess
import sys

import pytest
from conftest import EXAMPLES

import mubo
from mubo.describe.equilibria import equilibrium_lines
from mubo.errors import MOST_WORDS, SYNONYMS, nearest
from mubo.laws.number_text import number

OFFSET = """
units = {{ length = "mm", angle = "deg" }}
[parameters]
e = 10
l = "5*e"
[body.ground]
points = {{ A = [0, 0], S = [0, "e"] }}
[body.crank]
points = {{ A = [0, 0], B = [20, 0] }}
[body.rod]
position = [20, 0]
points = {{ B = [0, 0], C = ["l", 0] }}
[body.piston]
position = [65, 10]
points = {{ C = [0, 0] }}
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "rod.B"]
[joint.C]
type = "revolute"
between = ["rod.C", "piston.C"]
[joint.guide]
type = "translational"
between = ["ground.S", "piston.C"]
axis = [1, 0]
angle = 0
[driver.motor]
of = "crank.phi"
motion = "{motion}"
[analysis]
start = 0
end = 1
step = 0.05
"""


@pytest.fixture
def offset(tmp_path):
    def write(motion="36*e*t", more=""):
        path = tmp_path / "offset.toml"
        path.write_text(OFFSET.format(motion=motion) + more)
        return path

    return write


def test_e_is_the_offset_of_a_slider_crank(offset):
    """Stroke √((l + r)² − e²) − √((l − r)² − e²), with r = 20, l = 50 and e = 10 mm; the crank turns once."""
    run = mubo.load(offset()).kinematics()
    stroke = math.sqrt(70**2 - 10**2) - math.sqrt(30**2 - 10**2)
    assert run.extremes["guide.q"]["range"] == pytest.approx(stroke, rel=1e-9)
    assert run["crank.phi"][-1] == pytest.approx(360)


def test_without_such_a_parameter_e_is_eulers_number():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.parameter("one", 1.0)
    model.parameter("base", "e*one")
    assert float(model.parameters["base"].value) == pytest.approx(math.e)


def test_a_measure_does_not_take_a_parameter_for_eulers_number(offset):
    with pytest.raises(mubo.ModelError, match='"e" is a parameter, and a measure consists of columns'):
        mubo.load(offset(more='[measure.far]\nvalue = "piston.x - e"\n')).kinematics()


@pytest.mark.parametrize("name", ["t", "pi", "sin"])
def test_other_names_are_reserved(name):
    with pytest.raises(
        mubo.ModelError, match=rf'"{name}" is reserved in expressions; rename the parameter, .*Reserved:'
    ):
        mubo.Model("m").parameter(name, 1.0)


@pytest.mark.parametrize(
    ("word", "allowed", "right"),
    [
        ("pin", ["revolute", "translational"], "revolute"),
        ("hinge", ["revolute", "translational"], "revolute"),
        ("slider", ["revolute", "translational"], "translational"),
        ("prismatic", ["revolute", "translational"], "translational"),
        ("translational", ["revolute", "prismatic"], "prismatic"),
        ("links", ["body", "joint", "pin"], "body"),
        ("rocker.angle", ["rocker.ay", "rocker.phi"], "rocker.phi"),
        ("revolut", ["revolute", "fixed"], "revolute"),
    ],
)
def test_the_right_word_is_offered(word, allowed, right):
    assert nearest(word, allowed) == f'Did you mean "{right}"?'


def test_files_python_and_columns_offer_it(tmp_path):
    text = (EXAMPLES / "four_bar.toml").read_text()
    (tmp_path / "a.toml").write_text(text.replace('"revolute"', '"pin"', 1))
    with pytest.raises(mubo.ModelError, match=r'there is no joint type "pin". Did you mean "revolute"'):
        mubo.load(tmp_path / "a.toml").check()
    (tmp_path / "b.toml").write_text(text.replace("[body.crank]", "[links.crank]"))
    with pytest.raises(mubo.ModelError, match=r'"links". Did you mean "body"'):
        mubo.load(tmp_path / "b.toml").check()
    with pytest.raises(mubo.ResultError, match=r'"rocker.angle". Did you mean "rocker.phi"'):
        mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, 0.5)["rocker.angle"]
    with pytest.raises(AttributeError, match=r'a model has no "hinge". Did you mean "revolute"'):
        _ = mubo.Model("m").hinge


def test_every_word_of_the_list_is_one_of_mubo():
    """Joints, tables, coordinates, functions or commands."""
    from mubo.cli.main import COMMANDS
    from mubo.elements import JOINTS, SPATIAL_JOINTS
    from mubo.formats.json_schema import schema_text
    from mubo.laws.jet import FUNCTIONS

    coordinates = {"phi", "omega", "alpha", "effort", "m"}
    known = {*COMMANDS, *JOINTS, *SPATIAL_JOINTS, *coordinates, *FUNCTIONS, "where"}
    schema = schema_text()
    assert [w for words in SYNONYMS.values() for w in words.split() if w not in known and f'"{w}"' not in schema] == []


def test_long_lists_are_cut():
    assert nearest("zzz", [f"a{k}" for k in range(100)]).endswith(f"and {100 - MOST_WORDS} more.")


def test_a_chain_of_a_thousand_parameters_in_reverse_order(tmp_path):
    """Each is the next; the derivative of the first with respect to the last is 1."""
    text = (EXAMPLES / "four_bar.toml").read_text()
    chain = "\n".join(f'p{k} = "p{k + 1}"' for k in range(984))
    head, rest = text.split("[body.ground]")
    rest = rest.replace("[2.5, 0]", '["p0", 0]')
    model = f"{head}[parameters]\n{chain}\np984 = 2.5\n[body.ground]{rest}"
    (tmp_path / "chain.toml").write_text(model)
    loaded = mubo.load(tmp_path / "chain.toml")
    assert float(loaded.build().units.parameters["p0"].value) == 2.5
    assert loaded.build().units.parameters["p0"].value.slope("p984") == 1.0
    assert loaded.check().ok


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_interruption_ends_the_command_without_traceback(number):
    """The second comes while the first is handled: when the command says that it was interrupted."""
    code = (
        "import os, time; from mubo.cli import main\n"
        f"def interrupt(*words, **more):\n    os.kill(os.getpid(), {int(number)})\n    time.sleep(5)\n"
        "main.cli.main = main.click.echo = interrupt\nmain.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 128 + number
    assert done.stderr == "interrupted\n"


def test_a_wrong_unit_is_named_as_a_unit(tmp_path):
    """2 π / n is a time over an angle where n is an angle per time."""
    text = (
        (EXAMPLES / "four_bar.toml")
        .read_text()
        .replace("[body.ground]", '[parameters]\nn = "60 rpm"\n[body.ground]', 1)
    )
    (tmp_path / "a.toml").write_text(text.replace("end = 1", 'end = "2*pi/n"'))
    with pytest.raises(mubo.ModelError, match=r"end: must be a time, but 2\*pi/n has the unit s/rad"):
        mubo.load(tmp_path / "a.toml").check()


def undriven(units, **more):
    """A bar of length 2 on a pin: 1 rad of it moves its centre, at (1, 0), by (0, 1)."""
    model = mubo.Model("bar", units=units)
    model.ground.point("A", (0, 0))
    model.body("bar", (1, 0), 0, {"A": (-1, 0)}, **more)
    model.revolute("A", "ground.A", "bar.A")
    return model


@pytest.mark.parametrize(
    ("angle", "shown"),
    [("rad", "for 1 rad of bar.phi: bar turns 1 rad and moves by (0, 1) mm"),
     ("deg", "for 1 deg of bar.phi: bar turns 1 deg and moves by (0, 0.0175) mm")],
)  # fmt: skip
def test_undriven_motions_are_in_the_units_of_the_model(angle, shown):
    report = str(undriven({"length": "mm", "angle": angle}).check())
    assert "1 degree of freedom is not driven; it moves bar (mobility 1, 0 drivers)" in report
    assert shown in report


def test_statics_of_several_undriven_dofs_names_a_missing_driver_or_joint():
    """Two equilibria that differ in coordinates that are not shown have one line."""
    same = {"stability": "stable", "coordinates": {"A.q": 1.0}, "units": {"A.q": "deg"}, "stiffness": [1.0, 2.0]}
    entries = [{**same, "number": k, "unstable_motions": 0} for k in (1, 2)]
    lines = equilibrium_lines({"equilibria": entries})
    assert lines[0] == ("undriven", "2 degrees of freedom: if you expected fewer, a driver or a joint is missing")
    assert lines[1:] == [("equilibrium 1", "stable at A.q = 1 deg (2 that differ in other coordinates: 1, 2)")]


def in_unit(angle):
    """A bar on a pin, drawn level, in radians or degrees; and how many of them a radian is."""
    model = mubo.Model("bar", gravity=(0, -9.81), units={"length": "m", "angle": angle, "mass": "kg", "time": "s"})
    model.ground.point("O", (0, 0))
    model.body("bar", points={"O": (0, 0), "B": (1, 0)}, mass=1, inertia=0.25, center=(0.5, 0))
    model.revolute("O", "ground.O", "bar.O")
    return model, math.degrees(1) if angle == "deg" else 1.0


@pytest.mark.parametrize("angle", ["rad", "deg"])
def test_notes_on_rates_are_in_the_units_of_the_model(angle):
    """I α = −m g l: α = −9.81 rad/s². Two bars on one pin cannot turn at 1 and −1 rad/s: of least squares they rest."""
    model, radian = in_unit(angle)
    (note,) = model.linearize(about="position").notes
    assert f"the loads accelerate O.q by {number(-9.81 * radian, 4)} {angle}/s²" in note
    model.body("twin", points={"O": (0, 0), "B": (1, 0)}, mass=1, inertia=0.25)
    model.revolute("P", "ground.O", "twin.O")
    model.revolute("B", "bar.B", "twin.B")
    model.initial("bar", omega=radian)
    model.initial("twin", omega=-radian)
    (note,) = [note for note in model.simulate(0, 0.01, 0.01).summary["warnings"] if "do not fit" in note]
    assert note.endswith(f"starts with 0 {angle}/s, not with {number(radian, 4)} {angle}/s")


@pytest.mark.parametrize("angle", ["rad", "deg"])
def test_a_driver_of_too_many_revolutions_is_refused_in_its_unit(angle):
    model, _ = in_unit(angle)
    model.driver("motor", "O", "1e13 + t")
    with pytest.raises(mubo.ModelError, match=rf"its angle at t = 0 s is 1e\+13 {angle}: more revolutions"):
        model.kinematics(0, 1, 1)


def test_screens_have_one_minus_sign():
    """No number of a result begins with a hyphen: of equilibria, modes, derivatives, tolerances, variants, gait."""
    parameters = mubo.load(EXAMPLES / "parameters.toml")
    found = [
        mubo.load(EXAMPLES / "loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}),
        mubo.load(EXAMPLES / "loaded_four_bar.toml").statics(free="hold", start=0),
        parameters.sensitivity(["min P.x", "swing"]),
        parameters.sweep({"a": [0.03, 0.05]}, ["min P.x"], workers=1),
        mubo.load(EXAMPLES / "tolerances.toml").tolerance(["stroke"], samples=5),
        mubo.load(EXAMPLES / "four_bar.toml").modes(),
        mubo.load(EXAMPLES / "walker.toml").gait(),
    ]
    texts = [str(one) for one in found]
    assert sum("−" in text for text in texts) >= 4
    assert [line for text in texts for line in text.splitlines() if re.search(r"(^|[ (=])-\d", line)] == []
