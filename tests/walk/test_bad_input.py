"""Wrong files, wrong arguments, wrong physics: one clear message, the promised exit code, nothing half-written."""

import json

import pytest
from conftest import DATA, EXAMPLES

FOUR_BAR = (DATA / "kabios_four_bar.dat").read_text()
THIGH = (DATA / "kabios_thigh.dat").read_text()
NATIVE = (EXAMPLES / "four_bar.toml").read_text()

KABIOS = {
    "ends early": (FOUR_BAR.rsplit("\n", 2)[0], "ends early: T0 of the time parameters"),
    "a word": (FOUR_BAR.replace("1.0472", "fast"), 'line 11: driver 1: the position should be a number; found "fast"'),
    "body out of range": (
        FOUR_BAR.replace("3 4 2.0000", "3 7 2.0000"),
        "line 8: revolute joint 3: body number J must be 1 to 4; found 7",
    ),
    "more lines than counts": (FOUR_BAR + "1 2 3\n", "line 14: 3 values too many"),
    "fewer equations": (FOUR_BAR.replace("4 4 0 1 0 1 1", "4 4 0 1 0 0 1"), "fewer equations than coordinates: M = 11"),
    "more equations": (FOUR_BAR.replace("4 4 0 1 0 1 1", "4 4 0 1 0 2 1"), "more equations than coordinates: M = 13"),
    "not a number": (FOUR_BAR.replace("1.0472", "nan"), "driver 1: the position is nan"),
    "infinite": (FOUR_BAR.replace("2.5000", "inf"), "revolute joint 4: ETA-P-J"[:16]),
    "zero step": (FOUR_BAR.replace("1.0000 0.0250", "1.0000 0.0"), "line 13: the time step DT must be positive"),
    "negative step": (FOUR_BAR.replace("1.0000 0.0250", "1.0000 -0.1"), "the time step DT must be positive"),
    "end before start": (FOUR_BAR.replace("0.0000 1.0000 0.0250", "2.0 1.0 0.1"), "is before the starting time"),
    "joins to itself": (FOUR_BAR.replace("2 3 1.0000", "2 2 1.0000"), "it joins body 2 to itself"),
    "half a body": (FOUR_BAR.replace("\n2 3 1.0472", "\n2.5 3 1.0472"), "should be a whole number; found 2.5"),
    "negative count": (FOUR_BAR.replace("4 4 0 1", "4 -4 0 1"), "NR must be 0 to"),
    "grounded twice": (
        "2 1 0 1 0 1 0 0 0\n0 0 0\n1 0 0\n1 2 0 0 -1 0\n1\n1 3 0 1 0\n0 1 .1",
        "driver1",
    ),
    "equal guide times": (THIGH.replace("0.0570", "0.0290"), "guide sample 3: its time 0.029 equals"),
    "decreasing guide times": (THIGH.replace("0.0570", "0.0190"), "guide sample 3: its time 0.019 is before"),
    "one guide sample": (
        "1 0 0 0 0 0 0 3 1\n0 0 0\n1 1\n1 2\n1 3\n0 1 2 3\n0 1 .1",
        "guides need at least two samples; NDATA is 1",
    ),
    "guide too short": (THIGH.replace("0.0000 0.9720 0.0145", "0.0 1.2 0.0145"), "its data covers t = 0 to 0.972"),
    "empty": ("\n", "the file is empty"),
}

TOML = {
    "misspelt body": (NATIVE.replace('"crank.A"]', '"crnak.A"]'), 'line 25: joint A: there is no body "crnak"'),
    "misspelt point": (NATIVE.replace('"coupler.C"', '"coupler.c"'), 'body "coupler" has no point "c"'),
    "misspelt key": (NATIVE.replace("angle = ", "angel = ", 1), 'there is no key "angel". Did you mean "angle"?'),
    "misspelt type": (NATIVE.replace('"revolute"', '"revolut"', 1), 'Did you mean "revolute"?'),
    "unknown unit": (NATIVE.replace("60 deg", "60 dge", 1), 'unknown unit "dge". Did you mean "deg"?'),
    "wrong number": (NATIVE.replace("[0.5, 0.8]", "[0.5]"), "expected two numbers"),
    "text for a number": (NATIVE.replace("[0.5, 0.8]", '[0.5, "high"]'), 'found "high"'),
    "broken expression": (NATIVE.replace("pi/3 + 2*pi*t", "pi/3 + 2*pi*"), "is not an expression in t"),
    "unknown function": (NATIVE.replace("pi/3 + 2*pi*t", "sine(t)"), 'Did you mean "sin"?'),
    "law without value": (NATIVE.replace("pi/3 + 2*pi*t", "1/t"), "driver motor: its value at t = 0 s is"),
    "zero step": (NATIVE.replace("step = 0.025", "step = 0"), "the time step must be positive"),
    "syntax": (NATIVE.replace("[joint.A]", "[joint.A"), "line 23"),
    "loose body": (NATIVE + "\n[body.extra]\nposition = [1, 1]\n", "one moves extra"),
    "missing type": (NATIVE.replace('type = "revolute"', "", 1), '"type" is missing'),
    "ground moved": (NATIVE.replace("[body.ground]", "[body.ground]\nposition = [1, 0]"), "the ground is the origin"),
    "driven ground": (NATIVE.replace('"crank.phi"', '"ground.phi"'), "the ground cannot be driven"),
    "no coordinate": (NATIVE.replace('"crank.phi"', '"crank.angle"'), "is not a coordinate of a body"),
    "bad name": (NATIVE.replace("[joint.A]", '[joint."A b"]'), "letters, digits and underscores"),
    "one thing for two": (NATIVE.replace('"ground.A", "crank.A"', '"ground.A"'), "between needs 2 entries"),
    "missing table": (
        NATIVE.replace('"pi/3 + 2*pi*t"', '{ table = "no.csv", column = "x" }'),
        "No such file",
    ),
}


@pytest.mark.parametrize("name", KABIOS)
def test_wrong_kabios_files(command, tmp_path, name):
    text, says = KABIOS[name]
    refuse(command, tmp_path, "model.dat", text, says)


@pytest.mark.parametrize("name", TOML)
def test_wrong_native_files(command, tmp_path, name):
    text, says = TOML[name]
    refuse(command, tmp_path, "model.toml", text, says)


def refuse(command, folder, file, text, says):
    """The command fails with exit code 1, one message that says where, no traceback and no result."""
    (folder / file).write_text(text)
    done = command("kinematics", file, "-o", "out.csv")
    assert done.returncode == 1, done.stdout + done.stderr
    assert says in done.stderr
    assert file in done.stderr or "driver" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert [p.name for p in folder.iterdir()] == [file]


def test_all_problems_come_together(command, tmp_path):
    text = NATIVE.replace('"crank.A"]', '"crnak.A"]').replace('body = "coupler"', 'body = "copler"')
    (tmp_path / "model.toml").write_text(text)
    said = command("check", "model.toml").stderr
    assert "crnak" in said
    assert "copler" in said


def test_failure_with_json_is_a_summary(command):
    done = command("kinematics", "nothing.toml", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "failed"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("kinematic", "x.toml"), 'Did you mean "kinematics"?'),
        (("kinematics",), "Missing argument"),
        (("kinematics", "x.toml", "--tolerence", "1"), "--tolerance"),
        (("kinematics", "x.toml", "--tolerance", "small"), "not a valid float"),
        (
            ("kinematics", DATA / "kabios_thigh.dat", "--guide-smoothing", "some"),
            'smooth must be "none", "gcv", a number',
        ),
        (("plot", "x.toml", "--kind", "drawing"), "mechanism"),
        (("kinematics", "x.toml", "--max-iterations", "0"), "not in the range"),
    ],
)
def test_wrong_usage_is_exit_code_2(command, words, says):
    done = command(*words)
    assert done.returncode == 2
    assert says in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("kinematics", "four_bra.toml"), 'Did you mean "four_bar.toml"?'),
        (("kinematics", "model.xyz"), "there is no file model.xyz"),
        (("kinematics", "four_bar.toml", "--step", "-1"), "must be positive"),
        (("kinematics", "four_bar.toml", "--end", "-1"), "is before"),
        (("kinematics", "four_bar.toml", "--step", "nan"), "finite"),
        (("kinematics", "four_bar.toml", "--tolerance", "0"), "must be positive"),
        (("kinematics", "four_bar.toml", "-o", "out.xls"), "the ending must be"),
        (("kinematics", "four_bar.toml", "-o", "no/such/folder/out.csv"), "cannot write"),
        (("plot", "four_bar.toml", "P.z"), 'there is no column "P.z"'),
        (("plot", "four_bar.toml", "-o", "p.bmp"), "the ending must be"),
        (("examples", "four_bars"), 'Did you mean "four_bar"?'),
        (("run", "."), "is a folder, not a model file"),
        (("convert", "four_bar.toml", "-o", "x.doc"), "is not a kind of model file"),
    ],
)
def test_wrong_requests_are_exit_code_1(command, tmp_path, words, says):
    (tmp_path / "four_bar.toml").write_text(NATIVE)
    done = command(*words)
    assert done.returncode == 1, done.stdout
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["four_bar.toml"]


def test_a_locked_mechanism_stops_with_exit_code_3_and_keeps_its_rows(command, tmp_path):
    """Crank 2, coupler 1, rocker 1.5, ground 2.5 closes only while the distance B–D is at most 2.5."""
    text = NATIVE.replace("B = [-2, 0], C = [2, 0]", "B = [-0.5, 0], C = [0.5, 0]")
    text = text.replace("C = [2, 0], D = [-2, 0]", "C = [0.75, 0], D = [-0.75, 0]")
    text = text.replace("position = [2.6, 2.6]", "position = [1.9, 0.9]").replace(
        "position = [3.5, 1.8]", "position = [2.4, 0.7]"
    )
    text = text.replace('motion = "pi/3 + 2*pi*t"', 'motion = "0.5 + t"').replace("end = 1", "end = 2")
    (tmp_path / "model.toml").write_text(text)
    done = command("kinematics", "model.toml", "-o", "out.csv", "--json")
    summary = json.loads(done.stdout)
    assert done.returncode == 3, done.stdout
    assert summary["status"] == "stopped"
    event = summary["events"][0]
    # Stretched dyad: |BD|² = 2² + 2.5² − 2·2·2.5 cos θ = 2.5², so cos θ = 0.4.
    from math import acos

    assert event["kind"] == "limit"
    assert event["drivers"]["motor"] == pytest.approx(acos(0.4), abs=1e-8)
    assert len((tmp_path / "out.csv").read_text().splitlines()) == summary["rows"] + 1
    assert summary["rows"] == int((acos(0.4) - 0.5) / 0.025) + 1
