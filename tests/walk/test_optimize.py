"""Optimisation as people ask for it: model files that read back, bad input in words, the command and its files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import mubo
from mubo.cli.main import cli

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = (EXAMPLES / "parameters.toml").read_text()
TABLE = """
[optimize]
vary = { a = [0.03, 0.055], beta = ["10 deg", 40] }
maximize = "transmission"
constraints = ["swing >= 40 deg", "a + c <= 0.3", "full turn of motor", "no change of branch"]
starts = 3
"""


def written(tmp_path, text):
    path = tmp_path / "model.toml"
    path.write_text(text)
    return path


def test_what_is_asked_reads_back(tmp_path):
    model = mubo.load(written(tmp_path, TEXT + TABLE))
    assert model.optimization.vary["a"] == (0.03, 0.055)
    for ending in ("toml", "json"):
        model.save(tmp_path / f"copy.{ending}")
        assert mubo.load(tmp_path / f"copy.{ending}") == model
    for cases in ('"tolerances"', '{ b = [0.1, "12 cm"], c = "0.1:0.12:3" }'):
        more = mubo.load(written(tmp_path, f"{TEXT}{TABLE}cases = {cases}\n[tolerances]\na = 0.001\n"))
        more.save(tmp_path / "copy.toml")
        assert mubo.load(tmp_path / "copy.toml") == more
    fit = TABLE.replace('maximize = "transmission"', 'fit = { "stroke of D" = "60 deg", "time ratio" = 1.2 }')
    model = mubo.load(written(tmp_path, TEXT + fit))
    model.save(tmp_path / "copy.toml")
    assert mubo.load(tmp_path / "copy.toml") == model


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[0.03, 0.055]", "[0.055, 0.03]", "line 75: optimize vary: a: its bounds are reversed"),
        ("[0.03, 0.055]", "[0.045, 0.05]", "a = 0.04, from which the search starts, is below its bound 0.045"),
        ("[0.03, 0.055]", "[0.04, 0.04]", "nothing between its bounds"),
        ("[0.03, 0.055]", "[0.04]", "write two bounds"),
        ('["10 deg", 40]', '["10 deg", "40 kg"]', "is an angle"),
        ("vary = { a", "vary = { aa", 'no parameter "aa". Did you mean "a"?'),
        ("maximize", "maximise", 'line 76: optimize maximise: there is no key "maximise". Did you mean "maximize"?'),
        ('"transmission"', '"transmision"', 'Did you mean "transmission"?'),
        ("swing >=", "swnig >=", 'Did you mean "swing"?'),
        ("of motor", "of moter", 'Did you mean "motor"?'),
        ("swing >= 40 deg", "swing is 40", "a limit is written such as"),
        ("swing >= 40 deg", "swing >= P.x", "on the right stands a number"),
        ("starts = 3", "starts = 0", "starts is a whole number, at least 1"),
        ("starts = 3", 'method = "evolutoin"', 'Did you mean "evolution"?'),
        ('maximize = "transmission"', "", "one of minimize, maximize, fit"),
        ("starts = 3", "cases = { bb = [1] }", 'line 78: optimize cases: there is no parameter "bb"'),
        ("starts = 3", "cases = 3", "values of parameters"),
    ],
)
def test_bad_tables_are_told_with_line_and_nearest_word(tmp_path, old, new, words):
    assert old in TABLE
    with pytest.raises(mubo.ModelError) as told:
        mubo.load(written(tmp_path, TEXT + TABLE.replace(old, new)))
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"minimize": "max motor.effort"}, "--analysis inverse"),
        ({"minimize": "max P.z"}, 'Did you mean "P'),
        ({"maximize": "swing", "constraints": ["swing >= 60 deg", "swing <= 50 deg"]}, "they are 10 deg apart"),
        ({"maximize": "swing", "constraints": ["a >= 0.07"]}, "contradicts the bounds of a, 0.03 to 0.05"),
        ({"maximize": "swing", "constraints": ["transmission >= 4 kg"]}, 'is in deg; found "4 kg"'),
        ({"fit": "stroke of D"}, "fit is a table of targets"),
        ({"fit": "path error of P from nowhere.csv"}, "cannot read the points"),
        ({}, "one of minimize, maximize, fit"),
        ({"maximize": "swing", "cases": {"a": [0.03]}}, "a varies already"),
        ({"maximize": "swing", "cases": {"bb": [0.03]}}, 'no parameter "bb"'),
        ({"maximize": "swing", "cases": {"b": "0.1:0.2"}}, "has no count"),
        ({"maximize": "swing", "cases": "tolerances"}, "no tolerance of a parameter"),
        ({"maximize": "swing", "cases": "corners"}, 'or "tolerances"; found'),
        ({"maximize": "swing", "cases": {"b": [0.3]}}, "at b = 0.3"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_sought(asked, words):
    model = mubo.load(EXAMPLES / "parameters.toml")
    with pytest.raises(mubo.ModelError) as told:
        model.optimize({"a": [0.03, 0.05]}, **asked, workers=1, start=0, end=1, step=0.1)
    assert words in str(told.value)


def test_a_parameter_that_nothing_uses_stays_and_is_told():
    model = mubo.load(EXAMPLES / "parameters.toml")
    model.parameter("spare", 1.0)
    options = {"minimize": "mass", "starts": 1, "workers": 1, "start": 0, "end": 1, "step": 0.1}
    found = model.optimize({"c": [0.1, 0.12], "spare": [0, 2]}, **options)
    assert list(found.parameters) == ["c"]
    assert "nothing uses the parameter spare" in str(found)
    with pytest.raises(mubo.ModelError, match="no design differs from another"):
        model.optimize({"spare": [0, 2]}, **options)


def test_the_command_writes_model_and_picture(tmp_path):
    files = tmp_path / "better.toml", tmp_path / "better.png"
    words = [
        "optimize",
        str(EXAMPLES / "parameters.toml"),
        "--vary",
        "c=0.1:0.12",
        "--minimize",
        "mass",
        "--starts",
        "1",
    ]
    words += ["--constraint", "full turn of motor", "--step", "0.1", "--workers", "1", "--json"]
    done = CliRunner().invoke(cli, [*words, "-o", str(files[0]), "-o", str(files[1])])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["holds"] is True
    assert told["reached"] == ["c >= 0.1"]
    assert told["numbers"]["mass"]["after"] == pytest.approx(2 * (0.04 + 0.12 + 0.1))
    again = mubo.load(files[0])
    assert again.parameters["c"].value == 0.1
    assert again.parameters["b"].text == "3*a"
    assert again.optimization.goal == "minimize"
    assert again.kinematics().summary["status"] == "ok"
    assert files[1].stat().st_size > 10_000


def test_no_answer_is_exit_code_3():
    words = [
        "optimize",
        str(EXAMPLES / "parameters.toml"),
        "--vary",
        "a=0.03:0.05",
        "--minimize",
        "mass",
        "--starts",
        "1",
    ]
    done = CliRunner().invoke(cli, [*words, "--constraint", "swing >= 100 deg", "--step", "0.1", "--workers", "1"])
    assert done.exit_code == 3 or getattr(done.exception, "exit_code", None) == 3
    told = done.output + str(done.exception)
    assert "swing >= 100 deg" in told
    assert "missed by" in told


def test_evolution_and_cma_find_the_same_corner(monkeypatch):
    """The path of P is as narrow as the crank is short."""
    monkeypatch.setattr("mubo.design.optimize.starts.GENERATIONS", 2)
    model = mubo.load(EXAMPLES / "parameters.toml")
    pytest.importorskip("cma")
    for method in ("evolution", "cma"):
        found = model.optimize(
            {"a": [0.039, 0.041]}, minimize="range P.x", method=method, starts=2, workers=1,
            start=0, end=1, step=0.1,
        )  # fmt: skip
        assert found.parameters["a"][1] == pytest.approx(0.039)
        assert found.tried > 12


def test_loading_mubo_loads_no_scipy():
    code = "import sys, mubo; mubo.load(sys.argv[1]); print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, str(EXAMPLES / "wiper.toml")], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
