"""The proof of a run: holds for what was solved, fails for what was tampered with."""

import json
from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def solved(name, *times, study="kinematics"):
    return getattr(mubo.load(EXAMPLES / name), study)(*times)


def tampered(run, column, row, change):
    """The run with one number of one column changed."""
    values = np.array(run.columns.solved(column), float)
    values[row] += change
    return replace(run, columns=run.columns.replaced({column: values}))


@pytest.fixture(scope="module")
def four_bar():
    return solved("four_bar.toml", 0, 1, 0.1)


def failing(run):
    return {check.name for check in run.verify().checks if check.holds is False}


def test_a_motion_holds(four_bar):
    proof = four_bar.verify()
    assert proof.holds
    assert all(check.holds for check in proof.checks)
    assert {"certificate", "second formulation", "joint coordinates", "differences"} <= {c.name for c in proof.checks}


@pytest.mark.parametrize(
    ("column", "change", "expected"),
    [
        ("rocker.phi", 1e-6, {"residual of positions", "second formulation", "joint coordinates", "half the step"}),
        ("coupler.vx", 1e-5, {"residual of velocities", "second formulation", "joint coordinates", "half the step"}),
        ("coupler.alpha", 1e-3, {"residual of accelerations", "second formulation", "joint coordinates"}),
        ("P.y", 1e-6, {"second formulation", "joint coordinates", "half the step"}),
    ],
)
def test_a_number_that_was_changed_is_found(four_bar, column, change, expected):
    assert expected <= failing(tampered(four_bar, column, 4, change))


def test_a_velocity_that_is_not_the_derivative_of_its_position_is_found(four_bar):
    assert "differences" in failing(tampered(four_bar, "coupler.omega", 4, 1e-4))


def test_a_pose_far_from_any_solution_is_not_certified(four_bar):
    proof = tampered(four_bar, "coupler.phi", 4, 1.0).verify()
    assert proof["certificate"].holds is False
    assert "not certified at t = 0.4" in proof["certificate"].note


def test_a_pose_near_a_solution_has_a_radius_of_that_size(four_bar):
    """What the certificate tells is true of the numbers given: a solution is within the radius, which is larger now."""
    note = tampered(four_bar, "coupler.phi", 4, 1e-4).verify()["certificate"].note
    assert "exists within" in note
    radius = float(note.split(" and ")[1].split(" rad")[0])
    assert 1e-5 < radius < 1e-2


def test_space_is_verified_by_joint_coordinates():
    proof = solved("rssr.toml", 0, 1, 0.1).verify()
    assert proof.holds
    assert proof["joint coordinates"].holds
    assert proof["second formulation"].verdict == "not judged"
    assert "space" in proof["second formulation"].note


def test_a_deck_is_verified_by_its_loops():
    proof = mubo.load(EXAMPLES / "eleven_bar.deck").verify()
    assert proof.holds
    assert proof["certificate"].verdict == "not judged"


def test_the_command_prints_a_table(command, tmp_path):
    done = command("verify", EXAMPLES / "four_bar.toml", "--step", "0.25", "-o", "proof.csv", "-o", "proof.json")
    assert done.returncode == 0, done.stderr
    assert "verdict         holds: 9 holds" in done.stdout
    told = json.loads((tmp_path / "proof.json").read_text())
    assert told["status"] == "ok"
    names = [check["check"] for check in told["checks"]]
    lines = (tmp_path / "proof.csv").read_text().splitlines()
    assert lines[0] == "check,compared,found,allowed,verdict,note"
    assert [line.split(",")[0] for line in lines[1:]] == names


def test_the_command_refuses_other_endings(command):
    done = command("verify", EXAMPLES / "four_bar.toml", "-o", "proof.xlsx")
    assert done.returncode == 1
    assert ".json, .csv, .txt" in done.stderr


def test_what_does_not_hold_ends_with_code_three(monkeypatch, four_bar):
    from click.testing import CliRunner

    from mubo.cli.main import cli
    from mubo.face import Model

    wrong = tampered(four_bar, "rocker.phi", 4, 1e-3)
    monkeypatch.setattr(Model, "verify", lambda self, **settings: wrong.verify())
    done = CliRunner().invoke(cli, ["verify", str(EXAMPLES / "four_bar.toml")])
    assert done.exit_code == 3
    assert "FAILS" in done.output
    as_json = CliRunner().invoke(cli, ["verify", str(EXAMPLES / "four_bar.toml"), "--json"])
    assert as_json.exit_code == 3
    assert json.loads(as_json.output)["status"] == "failed"
