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
    values = np.array(run.columns.raw(column), float)
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


def test_a_deck_is_verified_like_any_mechanism():
    """Its nine positions there; the way back is the reversibility check."""
    proof = mubo.load(EXAMPLES / "eleven_bar.deck").verify()
    assert proof.holds
    for name in ("certificate", "second formulation", "joint coordinates", "differences"):
        assert proof[name].holds


@pytest.fixture(scope="module")
def excavator():
    return solved("excavator.toml", 0, 2, 0.5, study="inverse")


def test_forces_hold(excavator):
    proof = excavator.verify()
    assert proof.holds
    assert all(check.holds for check in proof.checks)
    assert {"balance of bodies", "power", "virtual work", "efforts"} <= {check.name for check in proof.checks}


def test_forces_that_were_changed_are_found(excavator):
    effort = next(name for name in excavator.columns if name.endswith(".effort"))
    pin = next(name for name in excavator.columns if ".on_" in name and name.endswith(".fx"))
    largest = float(np.max(np.abs(excavator[pin])))
    found = {"balance of bodies", "every column", "half the step"}
    assert failing(tampered(excavator, pin, 1, 1e-4 * largest)) == found
    changed = tampered(excavator, effort, 1, 1e-3 * float(np.max(np.abs(excavator[effort]))))
    assert {"power", "virtual work", "efforts", "half the step"} <= failing(changed)


def test_a_mass_that_was_forgotten_is_found(excavator):
    """The table of another model: forces no longer balance what its bodies weigh."""
    model = excavator.record.model
    body = next(name for name, body in model.bodies.items() if body.mass)
    heavier = model.changed(
        bodies={**model.bodies, body: replace(model.bodies[body], mass=2 * model.bodies[body].mass)}
    )
    from mubo.solvers.assembly.start_analysis import analyse_start

    look = analyse_start(heavier, 0.0, 0.0, 20)
    other = replace(excavator, record=replace(excavator.record, model=heavier, inspection=look))
    assert "balance of bodies" in failing(other)


def test_holding_efforts_are_the_slope_of_the_potential():
    run = solved("loaded_four_bar.toml", 0, 1, 0.25, study="statics")
    proof = run.verify()
    assert proof.holds
    assert proof["potential"].holds
    wrong = tampered(run, "hold.effort", 2, 1e-3 * float(np.max(np.abs(run["hold.effort"]))))
    assert {"potential", "virtual work"} <= failing(wrong)


def test_equilibria_are_level_and_their_stability_is_the_bend_of_the_potential():
    run = mubo.load(EXAMPLES / "loaded_four_bar.toml").statics(free="hold", starts=6)
    proof = run.verify()
    assert proof.holds
    assert {"potential", "stiffness"} <= {check.name for check in proof.checks}
    assert "stiffness" in failing(tampered(run, "stability", 0, -2.0 * run["stability"][0]))
    assert "residual of positions" in failing(tampered(run, "rocker.phi", 0, 1e-3))


@pytest.fixture(scope="module")
def swinging():
    return solved("released_four_bar.toml", 0, 1, 0.1, study="simulate")


def test_a_simulation_holds(swinging):
    proof = swinging.verify()
    assert proof.holds
    assert {"equations of motion", "energy", "kinetic energy", "tighter tolerances"} <= {c.name for c in proof.checks}


@pytest.mark.parametrize(
    ("column", "change", "expected"),
    [
        ("rocker.phi", 1e-5, {"residual of positions", "tighter tolerances"}),
        ("coupler.vx", 1e-4, {"residual of velocities", "kinetic energy", "tighter tolerances"}),
        ("coupler.alpha", 1e-2, {"residual of accelerations", "equations of motion", "tighter tolerances"}),
        ("energy.total", 1e-3, {"energy"}),
        ("energy.kinetic", 1e-3, {"kinetic energy"}),
    ],
)
def test_a_number_of_a_simulation_that_was_changed_is_found(swinging, column, change, expected):
    assert expected <= failing(tampered(swinging, column, 4, change))


def test_a_motion_of_other_masses_does_not_hold(swinging):
    """The motion of a heavier crank is no motion of this model: only the equations of motion see it at every row."""
    model = swinging.record.model
    body = next(name for name, body in model.bodies.items() if body.mass)
    heavier = model.changed(
        bodies={**model.bodies, body: replace(model.bodies[body], mass=2 * model.bodies[body].mass)}
    )
    other = replace(swinging, record=replace(swinging.record, model=heavier))
    assert {"equations of motion", "tighter tolerances", "kinetic energy"} <= failing(other)


def test_a_tree_in_space_is_simulated_by_wittenburgs_equations_too():
    proof = solved("five_body_chain.toml", 0, 0.05, 0.01, study="simulate").verify()
    assert proof.holds
    assert proof["Wittenburg"].holds
    assert proof["absolute coordinates"].holds


def test_the_command_prints_a_table(command, tmp_path):
    done = command("verify", EXAMPLES / "four_bar.toml", "--step", "0.25", "-o", "proof.csv", "-o", "proof.json")
    assert done.returncode == 0, done.stderr
    assert "verdict         holds: 10 of 10 hold" in done.stdout
    told = json.loads((tmp_path / "proof.json").read_text())
    assert told["status"] == "ok"
    names = [check["check"] for check in told["checks"]]
    lines = (tmp_path / "proof.csv").read_text().splitlines()
    assert lines[0] == "check,compared,found,allowed,verdict,note"
    assert [line.split(",")[0] for line in lines[1:]] == names


def test_the_command_refuses_other_endings(command):
    done = command("verify", EXAMPLES / "four_bar.toml", "-o", "proof.pdf")
    assert done.returncode == 1
    assert ".csv, .parquet, .xlsx, .tex, .json, .txt" in done.stderr


def test_what_does_not_hold_ends_with_code_three(monkeypatch, four_bar):
    from click.testing import CliRunner

    from mubo.cli.main import cli
    from mubo.studies import STUDIES

    wrong = tampered(four_bar, "rocker.phi", 4, 1e-3)
    monkeypatch.setitem(STUDIES["verify"].__dict__, "function", lambda definition, asked: wrong.verify())
    done = CliRunner().invoke(cli, ["verify", str(EXAMPLES / "four_bar.toml")])
    assert done.exit_code == 3
    assert "FAILS" in done.output
    as_json = CliRunner().invoke(cli, ["verify", str(EXAMPLES / "four_bar.toml"), "--json"])
    assert as_json.exit_code == 3
    assert json.loads(as_json.output)["status"] == "failed"


def test_a_chaotic_motion_is_compared_over_a_horizon():
    """A double pendulum from the horizontal forgets its start: the horizon is told, a wrong row still found."""
    model = mubo.Model("double pendulum", units={"length": "m", "angle": "rad", "mass": "kg", "time": "s"})
    model.gravity = (0, -9.81)
    model.ground.point("A", (0, 0))
    model.body("upper", position=(0.5, 0), points={"A": (-0.5, 0), "B": (0.5, 0)}, mass=1, inertia=1 / 12)
    model.body("lower", position=(1.5, 0), points={"B": (-0.5, 0)}, mass=1, inertia=1 / 12)
    model.revolute("A", "ground.A", "upper.A")
    model.revolute("B", "upper.B", "lower.B")
    run = model.simulate(0, 20, 0.1, rtol=1e-8, atol=1e-8)
    proof = run.verify()
    assert proof.holds
    assert "over a horizon, to t = " in proof["tighter tolerances"].note
    assert "tighter tolerances" in failing(tampered(run, "lower.phi", 30, 1e-2))


def test_too_many_unknowns_for_a_certificate_are_told(four_bar, monkeypatch):
    from mubo.analyses.verify import poses

    monkeypatch.setattr(poses, "MOST_UNKNOWNS", 5)
    check = four_bar.verify()["certificate"]
    assert (check.holds, check.note) == (None, "more than 5 unknowns: it takes the whole inverse of J")


def test_a_uniform_motion_in_space_that_passes_half_turns_is_verified():
    """Its accelerations are rounding, without a size of their own; angles of its wheels jump where no motion does."""
    found = mubo.load(EXAMPLES / "bevel_gears.toml").verify()
    assert found.holds, str(found)
