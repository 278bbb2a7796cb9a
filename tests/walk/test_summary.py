"""The summary of a run: the designer's answers first, the accuracy of the solution last, marks where to look."""

import re

import pytest
from conftest import EXAMPLES
from test_terminal import on_a_terminal

import mubo
from mubo.describe.equilibria import balance_lines
from mubo.describe.run_summary import PlaceText, summary_lines, worst_transmission

YELLOW = "\x1b[33m"


def labels(run):
    return [line.label for line in summary_lines(run)]


def test_answers_come_before_the_accuracy():
    run = mubo.load(EXAMPLES / "strong_four_bar.toml").inverse()
    shown = labels(run)
    wanted = ["model", "status", "four-bar", "D.q", "transmission", "torque", "power", "reaction", "solved by"]
    assert [shown.index(label) for label in wanted] == sorted(shown.index(label) for label in wanted)
    assert shown[-6:] == ["solved by", "mobility", "residual", "reversibility", "Newton", "force check"]


def test_a_run_that_stops_gives_the_reason_below_its_status():
    lines = summary_lines(mubo.load(EXAMPLES / "type2.deck").kinematics())
    assert [line.label for line in lines[1:3]] == ["status", "event"]
    assert "locks" in lines[2].text
    assert lines[2].mark == "bad"


@pytest.mark.parametrize(("example", "mark"), [("four_bar", "look"), ("slider_crank", "")])
def test_poor_transmission_is_marked(example, mark):
    """Below 40 degrees: 7.2 degrees of the four-bar, 70.5 of the slider-crank (the cosine of its 1:3 rod)."""
    lines = summary_lines(mubo.load(EXAMPLES / f"{example}.toml").kinematics())
    (found,) = [line for line in lines if line.label == "transmission"]
    assert found.mark == mark
    assert ("below 40 deg" in found.text) == bool(mark)


def test_a_model_without_masses_lists_no_forces():
    run = mubo.load(EXAMPLES / "four_bar.toml").inverse()
    assert not {"torque", "power", "reaction", "force check"} & set(labels(run))
    assert "all forces are zero" in " ".join(run.summary["warnings"])


def test_a_singular_value_of_rounding_is_zero():
    """A singular position is located to the root of rounding: a smaller singular value there is 0."""
    entry = {"measure": "singular value", "minimum": 3e-9, "group": "a loop", "t": 0.5, "drivers": {}}
    found = worst_transmission({**entry, "near_singular_below": 0.07}, PlaceText("s", {}))
    assert found.text.startswith("quality 0 (1 best, 0 singular), worst at t = 0.5 s")
    assert found.mark == "look"


def test_a_terminal_shows_lines_that_fit_and_colours(tmp_path):
    asked = ("kinematics", EXAMPLES / "four_bar.toml", "--step", "0.1")
    shown = on_a_terminal(asked, tmp_path, COLUMNS="80")
    assert f"{YELLOW}\x1b[1mangle 7.167 deg" in shown
    plain = on_a_terminal(asked, tmp_path, COLUMNS="80", NO_COLOR="1")
    assert "\x1b" not in plain
    lines = plain.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith(" " * 16) for line in lines), "a long line continues below its text"


@pytest.mark.parametrize(("example", "marked"), [("four_bar", True), ("slider_crank", False)])
def test_the_page_marks_poor_transmission(example, marked):
    page = mubo.load(EXAMPLES / f"{example}.toml").kinematics().show().text
    assert ("below 40°</span>" in page) == marked


def test_numbers_of_rounding_are_zero_in_equations_and_balances():
    """Φ of an assembled mechanism, parts of forces beside the whole, efforts beside reactions."""
    tiny = re.compile(r"\d[eE]-(1[3-9]|[2-9]\d)\b")
    text = str(mubo.load(EXAMPLES / "engine.toml").equations(at=0.01))
    assert not tiny.search(text.split("Constraint equations")[1])
    chosen = {"arm_spring.stiffness": {"before": 1.0, "after": 2.0}}
    efforts = {"lower": {"before": 1.8e-13, "after": 2.0e-13}}
    extremes = {"O.on_arm.f": {"max": [113.5, 0.0]}}
    lines = balance_lines({"balance": {"parameters": chosen, "largest_effort": efforts}, "extremes": extremes})
    assert lines[-1] == ("largest effort", "lower: 0 instead of 0")
