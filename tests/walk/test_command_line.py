"""From file to command to result and picture, as a person would use it."""

import json
import struct

import numpy as np
import pytest
from conftest import DATA, EXAMPLES, MOVED_EXAMPLES

from mubo.cli.main import cli

FOUR_BAR = DATA / "kabios_four_bar.dat"


def test_kinematics_writes_table_and_listing(command, tmp_path):
    done = command("kinematics", FOUR_BAR, "-o", "out.csv", "-o", "out.txt")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert len(lines) == 42
    assert lines[0].startswith("t,body1.x,body1.y,body1.phi,body1.vx")
    assert (tmp_path / "out.txt").read_text().count("TIME =") == 41
    assert "41 rows" in done.stdout


def test_csv_parquet_and_json_hold_the_same_numbers(command, tmp_path):
    import pandas

    assert command("kinematics", FOUR_BAR, "-o", "o.csv", "-o", "o.parquet", "-o", "o.json").returncode == 0
    csv = pandas.read_csv(tmp_path / "o.csv")
    parquet = pandas.read_parquet(tmp_path / "o.parquet")
    columns = json.loads((tmp_path / "o.json").read_text())["columns"]
    assert list(csv) == list(parquet) == list(columns)
    np.testing.assert_array_equal(csv.to_numpy(), parquet.to_numpy())
    np.testing.assert_array_equal(csv.to_numpy(), np.column_stack(list(columns.values())))


def test_json_summary_is_alone_on_standard_output(command):
    done = command("kinematics", DATA / "kabios_thigh.dat", "--json")
    summary = json.loads(done.stdout)
    assert done.returncode == 0
    assert summary["rows"] == 68
    assert summary["status"] == "ok"
    assert set(summary) >= {"model", "formulation", "mobility", "residual", "there_and_back", "events", "warnings"}
    assert summary["motion"]["guide1"]["smoothing"] == pytest.approx(2.0525687e-6, rel=1e-4)


def test_guides_interpolate_on_demand(command):
    summary = json.loads(command("kinematics", DATA / "kabios_thigh.dat", "--guide-smoothing", "none", "--json").stdout)
    assert [notes["smoothing"] for notes in summary["motion"].values()] == [0.0, 0.0, 0.0]


def test_quiet_says_nothing(command):
    done = command("kinematics", FOUR_BAR, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_options_change_the_grid(command):
    summary = json.loads(command("kinematics", FOUR_BAR, "--end", "0.3", "--step", "0.1", "--json").stdout)
    assert summary["rows"] == 4  # 0.1 + 0.1 + 0.1 is above 0.3 in binary: the last row is not lost


def test_run_fills_a_folder(command, tmp_path):
    done = command("run", EXAMPLES / "four_bar.toml")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "four_bar_results"
    assert sorted(p.name for p in folder.iterdir()) == [
        "mechanism.png",
        "motion.png",
        "newton.png",
        "summary.json",
        "table.csv",
    ]
    assert (folder / "table.csv").read_text().startswith("t [s],crank.x [m]")
    assert json.loads((folder / "summary.json").read_text())["rows"] == 41


@pytest.mark.parametrize(
    "words",
    [
        ("P1.x", "P1.y"),
        ("body4.phi", "body4.omega", "body4.alpha"),
        ("--kind", "newton"),
        ("--kind", "newton-totals"),
        (),
    ],
)
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_pictures(command, tmp_path, words, ending):
    done = command("plot", FOUR_BAR, *words, "-o", f"picture.{ending}")
    assert done.returncode == 0, done.stderr
    data = (tmp_path / f"picture.{ending}").read_bytes()
    if ending == "png":
        width, height = struct.unpack(">II", data[16:24])
        assert data[:4] == b"\x89PNG"
        assert width > 800
        assert height > 300
    else:
        assert b"<svg" in data


def test_a_name_is_no_formula(command, tmp_path):
    """Dollar signs in a model's name are drawn as they are."""
    text = (EXAMPLES / "four_bar.toml").read_text().replace('name = "four bar"', 'name = "costs $5 and $x_$"')
    (tmp_path / "m.toml").write_text(text)
    done = command("run", "m.toml")
    assert done.returncode == 0, done.stderr


def test_conversion_keeps_every_number(command, tmp_path):
    assert command("convert", DATA / "kabios_thigh.dat", "-o", "a.toml").returncode == 0
    assert command("convert", "a.toml", "-o", "b.dat").returncode == 0
    for name in ("a.toml", "b.dat"):
        assert command("kinematics", name, "-o", f"{name}.csv").returncode == 0
    assert command("kinematics", DATA / "kabios_thigh.dat", "-o", "c.csv").returncode == 0
    first = (tmp_path / "c.csv").read_text()
    assert (tmp_path / "a.toml.csv").read_text() == first
    assert (tmp_path / "b.dat.csv").read_text() == first


def test_examples_are_listed_and_copied(command, tmp_path):
    listed = command("examples").stdout
    for path in EXAMPLES.glob("*.*"):
        if path.suffix in (".toml", ".dat", ".py"):
            assert path.stem in listed
    assert command("examples", "slider_crank").returncode == 0
    assert (tmp_path / "slider_crank.toml").read_text() == (EXAMPLES / "slider_crank.toml").read_text()
    assert "exists already" in command("examples", "slider_crank").stderr


@pytest.mark.parametrize("path", MOVED_EXAMPLES, ids=lambda p: p.name)
def test_every_example_checks_and_solves(command, path):
    checked = command("check", path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "ready: the motion is determined" in checked.stdout
    done = command("kinematics", path, "--json")
    summary = json.loads(done.stdout)
    assert (done.returncode, summary["status"]) == (0, "ok")
    assert summary["residual"]["position"] < 1e-10
    assert summary["there_and_back"] < 1e-8


def test_help_imports_nothing_heavy():
    import subprocess
    import sys

    code = (
        "import sys; sys.argv = ['mubo', '--help']\n"
        "from mubo.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = ('scipy', 'matplotlib', 'pandas', 'xml')\n"
        "print([m for m in sys.modules if m.split('.')[0] in heavy], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "kinematics" in done.stdout


def test_every_command_has_help_with_an_example(command):
    assert "..." not in command("--help").stdout.split("Model:")[1], "a line of the list is cut off"
    for name in cli.commands:
        done = command(name, "--help")
        assert done.returncode == 0
        assert f"mubo {name}" in done.stdout.split("Options:")[0].split("Usage:")[1].split("\n", 1)[1]


def test_transmission_columns_and_advantage(command, tmp_path):
    model = EXAMPLES / "slider_crank.toml"
    done = command("kinematics", model, "--transmission", "--advantage", "piston.x", "-o", "run.csv")
    assert done.returncode == 0, done.stderr
    assert (
        "transmission    angle 70.53 deg (it is 70.53 to 109.5 deg), worst at t = 0.625 s (motor = 270 deg), dyad RRP"
        in done.stdout
    )
    assert "advantage       0.0189" in done.stdout
    assert "1/mm" in done.stdout
    header = (tmp_path / "run.csv").read_text().splitlines()[0].split(",")
    assert header[-2:] == ["transmission.rod_cylinder.angle [deg]", "transmission.advantage"]
    told = json.loads(command("kinematics", model, "--json").stdout)["transmission"]
    assert told["group"] == "dyad RRP of rod and cylinder"
    assert told["drivers"] == {"motor": pytest.approx(270, abs=1e-6)}
    assert command("plot", model, "transmission.rod_cylinder.angle", "-o", "angle.png").returncode == 0


def test_advantage_says_what_it_needs(command):
    done = command("kinematics", EXAMPLES / "slider_crank.toml", "--advantage", "pistn.x")
    assert done.returncode == 1
    assert 'Did you mean "piston.x"?' in done.stderr
    done = command("kinematics", EXAMPLES / "five_bar.toml", "--advantage", "left_link.phi")
    assert done.returncode == 1
    assert "defined for one driver; the model has 2" in done.stderr


def test_times_may_carry_a_unit(command):
    done = command("kinematics", EXAMPLES / "four_bar.toml", "--start", "0", "--end", "500 ms", "--step", "100 ms")
    assert done.returncode == 0, done.stderr
    assert "6 rows" in done.stdout  # 0, 0.1 … 0.5 s
    for wrong, says in (
        ("soon", 'text such as "1 s"; found "soon"'),
        ("4 m", '"4 m" is what a driver moves, but no driver moves by a length'),
        ("4 kg", "end must be a time, but 4 kg has the unit kg"),
    ):
        done = command("kinematics", EXAMPLES / "four_bar.toml", "--end", wrong)
        assert done.returncode == 1
        assert says in done.stderr


def test_run_draws_bodies_where_there_is_no_joint(command, tmp_path):
    """A stone that falls freely has no joint coordinate: its own coordinates are drawn."""
    model = tmp_path / "stone.toml"
    lines = ["gravity = [0, -9.81]", "[body.stone]", "mass = 1", "inertia = 0.1", "[analysis]", 'type = "simulate"']
    model.write_text("\n".join([*lines, "start = 0", "end = 1", "step = 0.1"]))
    command("run", str(model), "-o", str(tmp_path / "out"))
    assert (tmp_path / "out" / "motion.png").exists()


def test_run_refuses_the_name_of_a_table_as_its_folder(command, tmp_path):
    done = command("run", EXAMPLES / "four_bar.toml", "-o", "x.csv")
    assert done.returncode == 2
    assert "is the name of a table, and run writes a folder" in done.stderr
    assert not (tmp_path / "x.csv").exists()


def test_a_range_that_no_memory_holds_is_refused_as_such(command):
    done = command("sweep", EXAMPLES / "parameters.toml", "--vary", f"a=0.03:0.05:{10**20}", "--measure", "stroke")
    assert done.returncode == 1
    assert "1e+20 values of one parameter" in done.stderr
    assert "step" not in done.stderr
