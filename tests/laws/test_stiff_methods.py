"""Stiff methods meet the same events and faults as the core's own integrator."""

import numpy as np
import pytest

import mubo

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
    model.start("hinge", 1.0)
    model.watch("start", "hinge", 1.0, stop=True)
    run = model.simulate(0, 0.5, 0.1, method=method, rtol=1e-7, atol=1e-7)
    assert len(run) == 6
    assert not run.events


@pytest.mark.parametrize("method", METHODS)
def test_a_driven_coordinate_is_watched(method):
    """q = sin 2t reaches 1/2 at t = π/12 on the way up and at 5π/12 on the way down."""
    model = pendulum()
    model.drive("motor", "hinge", "sin(2*t)")
    model.watch("half", "hinge", 0.5)
    run = model.simulate(0, 1.5, 0.1, method=method)
    assert [event.t for event in run.events] == pytest.approx([np.pi / 12, 5 * np.pi / 12], abs=1e-9)
    assert run.summary["energy"]["relative"] < 1e-6  # every freedom is driven: the energies steer the step


@pytest.mark.parametrize("method", METHODS)
def test_a_fault_on_the_way_keeps_the_rows_before_it(method):
    """A mass moves evenly until a force without bounds sets in at t = 0.95; stiff methods may stop a step early."""
    model = mubo.Model("guide", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.joint("guide", "prismatic", "ground.O", "mass.O", axis=(0, 0, 1))
    model.start("guide", 1.0, -1.0)
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
