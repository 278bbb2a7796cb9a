"""Synthesis as people use it: commands and task files in, model files, tables and pictures out; bad input told."""

import json

import pytest
from click.testing import CliRunner

import mubo
from mubo.cli.main import cli

FUNCTION = ["function", "0,0", "30,20", "60,50", "--crank-start", "40", "--rocker-start", "70"]


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words):
    return CliRunner().invoke(cli, ["synthesize", *words])


def test_designs_are_models_that_load_run_and_draw(there):
    done = call(*FUNCTION, "-o", "designs", "-o", "designs.png")
    assert done.exit_code == 0, done.output
    assert "1 solution, 1 without a defect" in done.output
    assert (there / "designs.png").stat().st_size > 10_000
    run = mubo.load("designs/design_1.toml").kinematics()
    assert run.summary["status"] == "ok"
    table = (there / "designs" / "designs.csv").read_text().splitlines()
    assert table[0].startswith("design,kind,angle error [deg],transmission [deg]")
    assert len(table) == 2
    run.plot(path="drawn.png")


def test_json_and_table_alone(there):
    done = call(
        "swing", "60", "--ratio", "1.2", "--rocker", "8cm", "--length", "mm", "--most", "2", "--json", "-o", "t.csv"
    )
    told = json.loads(done.output)
    assert told["without_defect"] == told["solutions"] > 100
    assert [line["rocker [mm]"] for line in told["designs"]] == [pytest.approx(80), pytest.approx(80)]
    assert told["files"] == ["t.csv"]
    assert len((there / "t.csv").read_text().splitlines()) == 3


def test_a_task_file_and_a_table_with_units(there):
    (there / "poses.csv").write_text("x [cm],y [mm],angle [rad]\n0,0,0\n1,5,0.35\n2,6,0.87\n")
    (there / "task.toml").write_text(
        'task = "motion"\nposes = "poses.csv"\nlength = "mm"\npivots = [[0, -20], [20, -20]]\n'
    )
    done = call("task.toml", "-o", "found")
    assert done.exit_code == 0, done.output
    assert "motion through 3 poses: 2 solutions" in done.output
    run = mubo.load("found/design_1.toml").kinematics()
    assert (run["coupler.x"][-1], run["coupler.y"][-1]) == (pytest.approx(20), pytest.approx(6))


def test_no_design_without_a_defect_is_said_plainly(there):
    """The one solution of these five pairs passes a dead position."""
    done = call("function", "0,0", "30,20", "60,50", "80,75", "100,90", "-o", "designs")
    assert done.exit_code == 3
    assert "none without a defect" in done.output
    assert "1 with a defect of branch" in done.output
    assert not list((there / "designs").glob("*.toml"))


def test_rejected_designs_can_be_looked_at(there):
    found = mubo.synthesize.function([(0, 0), (30, 20), (60, 50), (80, 75), (100, 90)])
    assert len(found) == 0
    assert found.rejected[0].verdict().startswith("branch")
    found.plot(path="rejected.png", rejected=True)
    with pytest.raises(mubo.ResultError, match="nothing to draw"):
        found.plot(path="none.png")
    with pytest.raises(mubo.ResultError, match="no design 1"):
        found.model(1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["function", "0,0", "30,20"], "at least 3 pairs; found 2"),
        (["function", "0,0", "30,20", "30,40"], "pairs 2 and 3 have the same crank angle"),
        (["function", "0,0", "30,20", "20,40"], "all increase or all decrease"),
        (["function", "0,0", "30,0", "60,0"], "nothing moves"),
        (["function", "0,0", "200,20", "400,40"], "less than a turn"),
        (["function", "0,0", "30"], 'expected 2 numbers with commas between them, or a table; found "30"'),
        (["function", "0,0", "30,2x", "60,4"], "unknown unit"),
        (["function", "0,0", "30,20", "60,50", "--ground", "0"], "longer than zero"),
        (["function", "0,0", "30,2", "60,5", "--linkage", "slider-crank", "--rocker-start", "3"], "has no rocker"),
        (["motion", "0,0,0"], "motion generation takes 2 to 5 poses; 1 given"),
        (["motion", "0,0,0", "1,1,10", "0,0,0"], "poses 1 and 3 coincide"),
        (["motion", "0,0,5", "1,1,5", "2,1,5"], "do not turn"),
        (
            ["motion", "0,0,0", "1,1,10", "2,1,30", "3,0,40", "--pivot", "0,0", "--pivot", "1,0"],
            "for two or three poses",
        ),
        (["motion", "0,0,0", "1,1,10", "2,1,30", "--pivot", "0,0"], "two different fixed pins"),
        (["formula", "log(x", "--x", "1", "2", "--crank", "60", "--swing", "90"], "log(x"),
        (["formula", "log(y)", "--x", "1", "2", "--crank", "60", "--swing", "90"], "y"),
        (["formula", "log(x)", "--x", "0", "2", "--crank", "60", "--swing", "90"], "no finite value at x = 0"),
        (["formula", "x", "--x", "1", "1", "--crank", "60", "--swing", "90"], "from one number to another"),
        (["formula", "sin(x)", "--x", "0", "0", "--crank", "60", "--swing", "90"], "from one number to another"),
        (["formula", "(x-1)^2", "--x", "0", "2", "--crank", "60", "--swing", "90"], "the same at both ends"),
        (["formula", "x", "--x", "0", "2", "--crank", "0", "--swing", "90"], "must not be zero"),
        (["path", "0,0", "1,0"], "3 to 500 points; found 2"),
        (["path", "0,0", "1,0", "1,1", "0,0"], "points 1 and 4 coincide"),
        (["path", "0,0,0", "1,0,50", "1,1,20"], "all increase or all decrease"),
        (["path", "0,0", "1,0,50", "1,1,20"], "lines of [2, 3]"),
        (["path", "nothing.csv"], "there is no file nothing.csv"),
        (["path", "bad.csv"], 'has no column "y"'),
        (["swing", "180"], "less than 180 deg"),
        (["swing", "60", "--ratio", "0.8"], "Ask for 1.25"),
        (["swing", "60", "--rocker", "-1"], "longer than zero"),
        (["quick-return", "100", "--ratio", "0.5"], "1 or more; found 0.5"),
        (["quick-return", "0", "--ratio", "1.5"], "longer than zero"),
        (["quick-return", "100", "--ratio", "9"], "no room"),
        (["funktion"], 'Did you mean "function"?'),
        (["task.toml"], 'has no "pois". Did you mean "points"?'),
        (["empty.toml"], 'task = "" is none'),
        (["needs.toml"], 'needs "ratio"'),
        ([*FUNCTION, "-o", "designs.xyz"], "give a folder"),
        ([*FUNCTION, "-o", "designs.xyz"], ".csv"),
    ],
)
def test_bad_input_is_told(arguments, words, there):
    (there / "bad.csv").write_text("x,z\n0,0\n1,0\n1,1\n")
    (there / "task.toml").write_text('task = "path"\npois = [[0, 0]]\n')
    (there / "empty.toml").write_text("")
    (there / "needs.toml").write_text('task = "quick return"\nstroke = 100\n')
    before = sorted(there.iterdir())
    done = call(*arguments)
    assert done.exit_code in (1, 2)
    assert words in done.output + str(done.exception)
    assert sorted(there.iterdir()) == before
