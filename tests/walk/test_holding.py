"""Statics as a user meets them: what is printed, what is refused, and in which words."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import mubo

EXAMPLE = "loaded_four_bar.toml"


@pytest.fixture
def lever() -> mubo.Model:
    model = mubo.Model("lever")
    model.ground.point("O", (0, 0))
    model.body("lever", angle=0.4, points={"O": (0, 0), "P": (0.5, 0)}, mass=2, center=(0.3, 0))
    model.revolute("O", "ground.O", "lever.O")
    return model


def test_equilibria_on_the_command_line(command: Any, tmp_path: Path) -> None:
    command("examples", "loaded_four_bar")
    done = command("statics", EXAMPLE, "--free", "hold", "-o", "equilibria.csv")
    assert done.returncode == 0
    assert done.stdout.count("\nequilibrium ") == 8
    assert "equilibrium 2   stable at A.q = 212.4 deg" in done.stdout
    assert "N m/rad" in done.stdout
    assert "every equilibrium on 2 paths" in done.stdout
    header, *rows = (tmp_path / "equilibria.csv").read_text().splitlines()
    assert len(rows) == 8
    assert "A.on_crank.fx [N]" in header
    assert header.endswith("stiffness [J]")


def test_json_has_the_equilibria(command: Any, tmp_path: Path) -> None:
    command("examples", "loaded_four_bar")
    summary = json.loads(command("statics", EXAMPLE, "--free", "hold", "--json").stdout)
    assert summary["status"] == "ok"
    assert summary["dofs"] == 1
    assert len(summary["equilibria"]) == 8
    assert summary["residual"]["force"] < 1e-12
    assert summary["newton_euler"]["largest"] < 1e-12


def test_run_check_and_picture(command: Any, tmp_path: Path) -> None:
    lines = (ROOT / "examples" / EXAMPLE).read_text().split("[driver.hold]")[0]
    loads = (ROOT / "examples" / EXAMPLE).read_text().split("\n\n[force.load]")[1].split("start = 0")[0]
    (tmp_path / "free.toml").write_text(lines + "[force.load]" + loads)
    done = command("run", "free.toml")
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "free_results").iterdir()} == {
        "table.csv",
        "mechanism.png",
        "summary.json",
    }
    assert "1 degree of freedom has no driver" in command("check", "free.toml").stdout
    film = command("animate", "free.toml", "-o", "film.gif")
    assert film.returncode != 0
    assert "equilibria are no motion" in film.stderr
    moved = command("kinematics", "free.toml")
    assert moved.returncode == 1
    assert "Use `mubo statics`: the model asks for its static equilibria" in moved.stderr


def test_a_driver_is_released(lever: mubo.Model) -> None:
    lever.gravity = (0, -9.81)
    lever.driver("hand", "O", 0.3)
    assert len(lever.statics()) == 1
    assert lever.statics()["hand.effort"][0] == pytest.approx(2 * 9.81 * 0.3 * 0.955336489125606)  # m g c cos 0.3
    free = lever.statics(free="hand")
    assert sorted(entry["stability"] for entry in free.summary["equilibria"]) == ["stable", "unstable"]
    with pytest.raises(mubo.ModelError, match=r'no driver "hnd" to leave free\. Did you mean "hand"'):
        lever.statics(free="hnd")


def test_gravity_is_asked_for(lever: mubo.Model) -> None:
    with pytest.raises(mubo.ModelError, match="gravity is not stated, but lever has mass"):
        lever.statics()


def test_no_equilibrium_says_what_was_tried(command: Any, lever: mubo.Model, tmp_path: Path) -> None:
    lever.gravity = (0, 0)
    lever.force("spin", "body_torque", "lever", torque=2)
    lever.save(tmp_path / "spin.toml")
    done = command("statics", "spin.toml")
    assert done.returncode == 3
    assert "no equilibrium on the 1 path of the mechanism" in done.stderr
    assert "act in one direction everywhere" in done.stderr


def test_no_equilibrium_of_several_freedoms(lever: mubo.Model) -> None:
    lever.gravity = (0, 0)
    lever.body("tail", position=(0.5, 0.2), points={"P": (0, 0)})
    lever.revolute("P", "lever.P", "tail.P")
    lever.force("spin", "body_torque", "lever", torque=2)
    with pytest.raises(mubo.SimulationError, match="from 6 positions"):
        lever.statics(starts=5)


def test_a_freedom_without_load_is_neutral(lever: mubo.Model) -> None:
    lever.gravity = (0, 0)
    run = lever.statics()
    assert [entry["stability"] for entry in run.summary["equilibria"]] == ["neutral"]
    assert any("every position that was tried is in equilibrium" in note for note in run.summary["warnings"])


def test_laws_of_time_are_taken_at_the_start(lever: mubo.Model) -> None:
    lever.gravity = (0, -9.81)
    lever.force("push", "point_force", "lever.P", direction=(1, 0), force="1 + t")
    run = lever.statics(2.0)
    # m g c cos q = −F l sin q: tan q = −m g c / (F l), F = 3 N
    assert any("push changes with time: taken at t = 2" in note for note in run.summary["warnings"])
    slope = run["lever.phi"][0]
    assert pytest.approx(-math.tan(slope), rel=1e-9) == 2 * 9.81 * 0.3 / (3 * 0.5)


def test_friction_is_left_out_and_said(lever: mubo.Model) -> None:
    lever.gravity = (0, -9.81)
    lever.force("rub", "friction", "O", coulomb=0.1, radius=0.02)
    assert any("rub is left out: at rest friction takes" in note for note in lever.statics().summary["warnings"])


def test_a_torsion_spring_counts_turns(lever: mubo.Model) -> None:
    """m g c = 5.886, k = 0.2: k (q − 9) = −m g c cos q has roots on more than one turn."""
    lever.gravity = (0, -9.81)
    lever.force("coil", "joint_spring", "O", stiffness=0.2, rest=9.0)
    run = lever.statics(revolutions=7)
    q = np.linspace(-39, 39, 400_001)
    changes = np.sum(np.diff(np.sign(-0.2 * (q - 9) - 5.886 * np.cos(q))) != 0)
    assert len(run) == changes > 4


def test_a_sweep_counts_neither_masses_in_motion_nor_dampers(lever: mubo.Model) -> None:
    """Held at q the hand takes m g c cos q, however fast the law goes and whatever the dampers are."""
    lever.gravity = (0, -9.81)
    lever.force("brake", "joint_spring", "O", damping=5.0)
    lever.driver("hand", "O", "3*t + 2*t^2")
    run = lever.statics(0, 1, 0.1)
    assert run["hand.effort"] == pytest.approx(2 * 9.81 * 0.3 * np.cos(run["O.q"]), rel=1e-12)
    assert run["O.v"][1] > 3
    assert not np.any(run["hand.power"])
    assert not np.any(run["energy.kinetic"])


def test_balance_needs_drivers(lever: mubo.Model) -> None:
    lever.gravity = (0, -9.81)
    with pytest.raises(mubo.ModelError, match="balance needs drivers"):
        lever.statics(balance="lever.mass")
    lever.driver("hand", "O", "t")
    with pytest.raises(mubo.ModelError, match=r'no number "lever\.mas" to balance with'):
        lever.statics(0, 1, 0.1, balance="lever.mas")


def test_modes_and_loops_are_for_sweeps(lever: mubo.Model) -> None:
    lever.gravity = (0, -9.81)
    with pytest.raises(mubo.ModelError, match="searched in all assembly modes"):
        lever.statics(mode=2)
    with pytest.raises(mubo.ModelError, match="searched in absolute coordinates"):
        lever.statics(formulation="loops")


def test_a_picture_of_one_equilibrium_says_which(lever: mubo.Model, tmp_path: Path) -> None:
    lever.gravity = (0, -9.81)
    run = lever.statics()
    both = run.plot(path=tmp_path / "both.png").axes[0].get_title(loc="left")
    one = run.plot(path=tmp_path / "one.png", at=1).axes[0].get_title(loc="left")
    assert both == "lever, 2 equilibria"
    assert one == f"lever, equilibrium 1, {run.summary['equilibria'][0]['stability']}"


def test_a_load_over_positions_has_no_potential(lever: mubo.Model) -> None:
    """m g c cos q = k sin q, k = 8 N m: tan q = m g c / k."""
    lever.gravity = (0, -9.81)
    lever.force("law", "joint_effort", "O", effort="8*sin(O.q)")
    run = lever.statics()
    assert sorted(np.tan(run["O.q"])) == pytest.approx([2 * 9.81 * 0.3 / 8] * 2, rel=1e-9)
    assert all("potential" not in entry for entry in run.summary["equilibria"])


def test_a_card_deck_without_masses_takes_no_effort() -> None:
    run = mubo.load(Path(mubo.__file__).parent / "examples" / "eleven_bar.deck").statics()
    assert run["ram.effort"] == pytest.approx(0, abs=1e-12)
