"""Stiff methods meet the same events and faults as the core's own integrator."""

from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo._core import Status
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.tree import tree_form

METHODS = ("DOP853", "Radau", "LSODA", "BDF")


def pendulum() -> mubo.Model:
    model = mubo.Model("pendulum", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("rod", points={"P": (0, 0, 0.5)}, mass=1.0, inertia=(0.1, 0.1, 0.02))
    model.joint("hinge", "revolute", "ground.O", "rod.P", axis=(0, 1, 0))
    return model


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_begins_on_an_event_goes_on(method):
    model = pendulum()
    model.initial("hinge", 1.0)
    model.event("start", "hinge", 1.0, stop=True)
    run = model.simulate(0, 0.5, 0.1, method=method, rtol=1e-7, atol=1e-7)
    assert len(run) == 6
    assert not run.events


@pytest.mark.parametrize("method", METHODS)
def test_a_driven_coordinate_is_watched(method):
    """q = sin 2t reaches 1/2 at t = π/12 on the way up and at 5π/12 on the way down."""
    model = pendulum()
    model.driver("motor", "hinge", "sin(2*t)")
    model.event("half", "hinge", 0.5)
    run = model.simulate(0, 1.5, 0.1, method=method)
    assert [event.t for event in run.events] == pytest.approx([np.pi / 12, 5 * np.pi / 12], abs=1e-9)
    assert run.summary["energy"]["relative"] < 1e-6  # every DOF is driven: the energies steer the step


@pytest.mark.parametrize("method", METHODS)
def test_a_fault_on_the_way_keeps_the_rows_before_it(method):
    """A mass moves evenly until a force without bounds sets in at t = 0.95; stiff methods may stop a step early."""
    model = mubo.Model("guide", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("guide", "prismatic", "ground.O", "mass.O", axis=(0, 0, 1))
    model.initial("guide", 1.0, -1.0)
    with pytest.warns(UserWarning, match="the simulation stops at t ="):
        run = model.simulate(0, 2, 0.1, method=method, force=lambda t, q, v: 0 * q if t < 0.95 else np.inf * np.ones(1))
    assert run.summary["status"] == "stopped"
    assert 2 <= len(run) <= 10
    assert run["guide.q"] == pytest.approx(1 - run["t"], abs=1e-12)


def test_a_jacobian_that_overflows_is_no_traceback():
    model = pendulum()
    model.force("push", "joint_effort", "hinge", effort="1e300*t")
    with pytest.warns(UserWarning, match="beyond all bounds"):
        run = model.simulate(0, 1, 0.1, method="Radau")
    assert run.summary["status"] == "stopped"


def governor() -> mubo.Model:
    """Two balls on arms that a spindle turns: nothing depends on the spindle's angle."""
    model = mubo.Model("flyball governor", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body(
        "spindle", points={"O": (0, 0, 0), "L": (-0.05, 0, 0), "R": (0.05, 0, 0)}, mass=1, inertia=(0.01, 0.01, 2e-3)
    )
    for name, end, axis in (("left", "L", (0, 1, 0)), ("right", "R", (0, -1, 0))):
        model.body(name, points={"P": (0, 0, 0.2)}, mass=0.5, inertia=(1e-4, 1e-4, 1e-4))
        model.revolute(f"{name}_arm", f"spindle.{end}", f"{name}.P", axis=axis)
        model.force(f"{name}_spring", "joint_spring", f"{name}_arm", stiffness=20, damping=5e-4)
        model.initial(f"{name}_arm", 0.3)
    model.revolute("shaft", "ground.O", "spindle.O", axis=(0, 0, 1))
    model.initial("shaft", 0.0, 15.0)
    return model


def tree_of(model):
    return tree_form(mechanism_of(model.build()), 0.0, 1.0)


def test_slopes_are_those_of_the_right_side():
    """J by differences of fourth order in numpy; the spindle's angle moves nothing, how often it has turned ever."""
    tree = tree_of(governor())
    y = np.concatenate([*tree.start(), [0.0, 0.0]]) + 0.1
    shaft = next(m for m in tree.links.motions if m.joint == "shaft").q.start
    for turned in (0.0, 1e5):
        y[shaft] = turned
        status, _, J = tree.system.jacobian(0.5, y, 0.2)
        assert status == Status.done
        for k, one in enumerate(np.eye(len(y))):
            ahead = [tree.system.rhs(0.5, y + h * one)[2] for h in (2e-3, 1e-3, -1e-3, -2e-3)]
            slope = np.array([-1, 8, -8, 1]) @ ahead / 12e-3
            np.testing.assert_allclose(J[:, k], slope, rtol=1e-6, atol=2e-5)
        np.testing.assert_allclose(J[:, shaft], 0, atol=1e-7)


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])
def test_an_ignorable_coordinate_is_not_blown_up(method):
    """Differences that grow until they see a change try angles without bounds; those asked for are those there are."""
    asked = []

    def watch(t, q, v):
        asked.append(np.max(np.abs(q)))
        return np.zeros(3)

    run = governor().simulate(0, 1, 0.1, method=method, rtol=1e-8, atol=1e-8, force=watch)
    assert run.summary["status"] == "ok"
    assert max(asked) < 1.05 * np.max(run["shaft.q"])
    assert run["shaft.q"] == pytest.approx(governor().simulate(0, 1, 0.1)["shaft.q"], abs=1e-4)


@pytest.mark.parametrize("method", ["DOP853", "Radau", "BDF"])
def test_a_fault_in_a_trial_step_shortens_it(method):
    """A mass runs with 1 against a wall of potential −c ln(1 − q), which cannot be evaluated from q = 1 on: it turns
    before, where c ln(1 − q) = −1/2, and comes back with −1. Trial steps reach beyond the wall."""
    model = mubo.Model("wall", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("guide", "prismatic", "ground.O", "mass.O", axis=(0, 0, 1))
    model.initial("guide", 0.0, 1.0)
    beyond = []

    def wall(t, q, v):
        if q[0] < 1:
            return -0.05 / (1 - q)
        beyond.append(t)
        return np.full(1, np.inf)

    run = model.simulate(0, 2.5, 0.05, method=method, rtol=1e-3, atol=1e-3, force=wall)
    assert beyond
    assert run.summary["status"] == "ok"
    energy = run["guide.v"] ** 2 / 2 - 0.05 * np.log(1 - run["guide.q"])
    assert energy == pytest.approx(0.5, abs=0.04)
    assert run["guide.v"][-1] == pytest.approx(-1, abs=0.1)


def stiff_rotor(speed: float) -> mubo.Model:
    """Two arms on a free spindle, which dampers hold so firmly that stability bounds the steps of explicit methods."""
    model = mubo.Model("stiff rotor", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    ends = {"O": (0, 0, 0), "left": (-0.05, 0, 0), "right": (0.05, 0, 0)}
    model.body("spindle", points=ends, mass=1, inertia=(0.01, 0.01, 2e-3))
    model.revolute("shaft", "ground.O", "spindle.O", axis=(0, 0, 1))
    for name, side in (("left", -1), ("right", 1)):
        arm = {"mass": 0.5, "inertia": (1e-4, 1e-4, 1e-4), "center": (0.1 * side, 0, 0)}
        model.body(name, (0.05 * side, 0, 0), points={"P": (0, 0, 0)}, **arm)
        model.revolute(f"{name}_arm", f"spindle.{name}", f"{name}.P", axis=(0, side, 0))
        model.force(f"{name}_spring", "joint_spring", f"{name}_arm", stiffness=100, damping=1e4, rest=0.3)
    model.initial("shaft", 0.0, speed)
    return model


@pytest.mark.parametrize(("speed", "method"), [(2.0, "Radau"), (2000.0, "BDF")])
def test_the_stiff_method_that_comes_to_the_end_is_chosen_and_stated(speed, method):
    """The angular momentum ω (I + 2 m (r + l cos β)² + 2 I_arm) about the spindle stays; at 2000 rad/s Radau in
    absolute coordinates would have to follow every turn, and joint coordinates need not."""
    run = stiff_rotor(speed).simulate(0, 5, 0.5)
    summary = run.summary
    assert (summary["status"], summary["method"]) == ("ok", method)
    assert f"by {method}" in summary["chosen"]
    assert summary["chosen"] in summary["warnings"]
    assert "it stops" not in summary["chosen"]  # no other method was tried in vain
    inertia = 2e-3 + 2 * 0.5 * (0.05 + 0.1 * np.cos(run["right_arm.q"])) ** 2 + 2e-4
    np.testing.assert_allclose(run["shaft.v"] * inertia, speed * inertia[0], rtol=1e-8)
    np.testing.assert_allclose(run["left_arm.q"], run["right_arm.q"], atol=1e-9)


def test_an_explicit_method_that_was_asked_for_names_the_choice():
    run = stiff_rotor(2.0).simulate(0, 1e-3, 1e-4, method="DOP853")
    assert any(
        "without --method and --formulation the method that needs least work" in w for w in run.summary["warnings"]
    )


@pytest.mark.parametrize("rtol", [1e-3, 1e-5])
def test_closing_the_loops_takes_kinetic_energy(rtol):
    """Without loads the step's matrix is a multiple of M: the rates v + x that close the loops are the nearest ones in
    the metric of the masses, (v + x)ᵀ M x = 0, so that the projection takes ½ xᵀ M x > 0."""
    model = mubo.load(Path(mubo.__file__).parent / "examples" / "released_four_bar.toml")
    model.gravity = (0, 0)
    model.initial("A", v=8)
    run = model.simulate(0, 1, 0.25, rtol=rtol, atol=rtol, method="Radau")
    assert 0 < run.summary["energy"]["projected"] < rtol * run["energy.kinetic"][0]
