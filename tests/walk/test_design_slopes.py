"""Sensitivity and tolerance as people use them: commands, tables, pictures, refusals and exit codes."""

import csv
import json
import math
import re

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import EXAMPLES

import mubo
from mubo.cli.main import cli


def run(*words, code=0):
    answer = CliRunner().invoke(cli, [str(word) for word in words])
    assert answer.exit_code == code, answer.output
    return answer.output + (str(answer.exception) if isinstance(answer.exception, mubo.MuboError) else "")


def test_the_table_is_sorted_by_effect_and_saved_with_all_digits(tmp_path):
    table, picture = tmp_path / "sensitivity.csv", tmp_path / "sensitivity.png"
    told = run("sensitivity", EXAMPLES / "parameters.toml", "--measure", "stroke", "-o", table, "-o", picture)
    assert told.splitlines()[0] == "stroke = 47.63 deg"
    assert [line.split()[0] for line in told.splitlines()[1:4]] == ["a", "c", "d"]
    assert "beta   0" in told
    with table.open() as file:
        lines = list(csv.DictReader(file))
    sizes = [abs(float(line["per percent"])) for line in lines]
    assert sizes == sorted(sizes, reverse=True)
    # by all parameters, as the command asks: a sum over fewer of them may round otherwise
    exact = mubo.load(EXAMPLES / "parameters.toml").sensitivity(["stroke"])["stroke"][0]
    assert float(lines[0]["derivative"]) == exact
    assert picture.stat().st_size > 5000


def test_programs_get_the_same_numbers(tmp_path):
    told = json.loads(run("sensitivity", EXAMPLES / "parameters.toml", "--measure", "mass", "--by", "c", "--json"))
    assert told["derivatives"][0]["derivative"] == pytest.approx(2.0)  # 2 kg per metre
    words = ("tolerance", EXAMPLES / "tolerances.toml", "--measure", "first P.x", "--samples", 0, "--json")
    told = json.loads(run(*words))["measures"]["first P.x"]
    assert sum(told["shares"].values()) == pytest.approx(1.0)
    assert told["worst"] > told["three sigma"] > 0


def test_tolerances_of_the_command_line_replace_those_of_the_file(tmp_path):
    table, picture = tmp_path / "limits.csv", tmp_path / "band.png"
    words = ["--of", "a=±0.05mm", "--of", "c=0.1 %,uniform", "--clearance", "B=20um", "--measure", "first P.x"]
    told = run("tolerance", EXAMPLES / "tolerances.toml", *words, "--samples", 20, "--workers", 1, "-o", table)
    assert "Monte Carlo" in told
    with table.open() as file:
        (line,) = csv.DictReader(file)
    assert [key for key in line if key.endswith("%")] == ["a %", "c %", "clearance of B %"]
    words += ["--samples", 0, "-o", picture, "--path", "P", "--quiet"]
    assert run("tolerance", EXAMPLES / "tolerances.toml", *words) == ""
    assert picture.stat().st_size > 5000


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("sensitivity", "--measure", "stroke", "--by", "q"), 1, 'no parameter "q"'),
        (("sensitivity", "--measure", "stroke", "--by", "a", "--by", "a"), 1, "asked for twice"),
        (("sensitivity", "--measure", "max motor.effort"), 1, "has no column"),
        (("sensitivity", "--measure", "stroke", "--analysis", "statics"), 2, "is not one of 'kinematics', 'inverse'"),
        (("sensitivity", "--column", "P.x"), 2, "--column goes with a picture"),
        (("tolerance", "--measure", "stroke"), 1, "there are no tolerances"),
        (("tolerance", "--of", "a"), 2, "NAME=SIZE"),
        (("tolerance", "--of", "a=1", "--of", "a=2"), 2, "is given twice"),
        (("tolerance", "--of", "a=1", "--path", "P"), 2, "--path goes with a picture"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told(words, code, told):
    command, *rest = words
    assert told in run(command, EXAMPLES / "parameters.toml", *rest, code=code)


def test_wrong_tolerances_of_a_file_are_told_with_their_line(tmp_path):
    text = (EXAMPLES / "tolerances.toml").read_text().replace('a = "0.05 mm" ', 'a = "-0.05 mm" ')
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace("clearance =", "clearence ="))
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(path)
    assert "line 14: tolerances a: the tolerance of a must be positive" in str(caught.value)
    assert 'no key "clearence". Did you mean "clearance"' in str(caught.value)


def test_a_motion_that_locks_has_no_slopes():
    model = mubo.load(EXAMPLES / "parameters.toml").replace(a=0.06)
    with pytest.raises(mubo.ModelError, match="does not run to its end"):
        model.sensitivity(["stroke"], ["a"])


def test_a_law_with_corners_that_move_has_no_slope_at_them(tmp_path):
    """The greatest angle of a crank that turns back at a time that the parameter says stands at that corner."""
    text = (EXAMPLES / "parameters.toml").read_text()
    text = text.replace('motion = "60 + speed*t"', 'motion = "60 + speed*where(t < c*5, t, c*10 - t)"')
    path = tmp_path / "corner.toml"
    path.write_text(text)
    model = mubo.load(path)
    with pytest.raises(mubo.ResultError, match="a corner of the law of driver motor"):
        model.sensitivity(["max crank.phi"], ["c"], 0, 1, 0.02)
    assert np.isfinite(model.sensitivity(["max crank.phi"], ["d"], 0, 1, 0.02)["max crank.phi"]).all()


OFFSET = """
name = "offset slider-crank"
units = { length = "mm", angle = "deg" }
[parameters]
r = "50 mm"
l = "150 mm"
off = "0 mm"
[body.ground]
points = { O = [0, 0], G = [0, "off"] }
[body.crank]
lengths = { OA = "r" }
[body.rod]
lengths = { AB = "l" }
[body.piston]
points = { B = [0, 0] }
position = [180, 0]
[joint]
O = { type = "revolute", between = ["ground.O", "crank.O"] }
A = { type = "revolute", between = ["crank.A", "rod.A"] }
B = { type = "revolute", between = ["rod.B", "piston.B"] }
guide = { type = "translational", between = ["ground.G", "piston.B"], axis = [1, 0] }
[driver.motor]
of = "crank.phi"
motion = 60
[analysis]
start = 0
end = 0
step = 1
"""


def test_a_parameter_whose_nominal_value_is_zero_has_its_derivative_and_no_percentage(tmp_path):
    """x = r cos φ + √(l² − (e − r sin φ)²): at e = 0 dx/de = r sin φ / √(l² − r² sin² φ)."""
    path = tmp_path / "offset.toml"
    path.write_text(OFFSET)
    high = 50 * math.sin(math.radians(60))
    slope = high / math.sqrt(150**2 - high**2)
    found = mubo.load(path).sensitivity(["first piston.x"])
    assert found["first piston.x"][found.parameters.index("off")] == pytest.approx(slope, rel=1e-9)
    (line,) = [line for line in str(found).splitlines() if line.startswith("  off")]
    assert f"{slope:+.4g}" in line
    assert "%" not in line
    assert "nothing" not in str(found)
    assert "(nominal value is 0: no percentage)" in found._repr_html_()


def test_the_measures_of_the_help_are_understood():
    """Every measure that the help names can be asked for; a force only where the analysis has it."""
    from mubo.model.objectives import read_objective
    from mubo.studies.design import MEASURES

    named = ["stroke", "mass", *re.findall(r'"([^"]+)"', MEASURES)]
    assert "min transmission" in named
    for text in named:
        read_objective(text)
    told = run("sensitivity", EXAMPLES / "parameters.toml", "--measure", "min transmission", "--by", "c")
    same = run("sensitivity", EXAMPLES / "parameters.toml", "--measure", "transmission", "--by", "c")
    assert told.splitlines()[1:] == same.splitlines()[1:]


def test_only_analyses_that_can_be_differentiated_are_offered():
    for command in ("sensitivity", "tolerance"):
        told = run(command, "--help")
        assert "[kinematics|inverse]" in told
        assert "simulate" not in told


def test_the_linear_part_is_there_before_the_random_designs(monkeypatch):
    """It is shown before any design is run, and the result has the same numbers."""
    seen = []
    monkeypatch.setattr("mubo.design.tolerance.sweep", lambda *args, **more: seen.append("sweep") or stop())

    def stop():
        raise KeyboardInterrupt

    model = mubo.load(EXAMPLES / "tolerances.toml")
    with pytest.raises(KeyboardInterrupt):
        model.tolerance(["stroke"], samples=5, linear=seen.append)
    first, second = seen
    assert second == "sweep"
    assert str(first) == str(model.tolerance(["stroke"], samples=0))
