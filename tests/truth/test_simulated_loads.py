"""Loads whose size depends on the motion, in a simulation.

Run-up with a motor curve T0 (1 − ω/ω0) and a viscous torque c ω on the inertia I: ω = ω_s (1 − e^(−t/τ)) with
ω_s = T0 / (T0/ω0 + c), τ = I / (T0/ω0 + c). A load by an expression is the load of the same formula. A stop that may
pull, spring and damper as long as there is contact, lets the mass of test_stops.py go at 1.1119076784321122 m/s (shared
reference; the one that only pushes at 1.1322).
"""

import numpy as np
import pytest
from conftest import DATA

import mubo

STALL, NO_LOAD, VISCOUS, INERTIA = 3.0, 150.0, 0.004, 0.02


def rotor(dimension, units=None):
    flat = dimension == 2
    model = mubo.Model("rotor", units=units or {}, dimension=dimension, gravity=(0,) * dimension)
    model.ground.point("A", (0,) * dimension)
    model.body("rotor", points={"A": (0,) * dimension}, mass=1, inertia=INERTIA if flat else (1, 1, INERTIA))
    model.joint("A", "revolute", "ground.A", "rotor.A", **({} if flat else {"axis": (0, 0, 1)}))
    model.force("drag", "friction", "A", viscous=VISCOUS)
    return model


def run_up(t):
    slope = STALL / NO_LOAD + VISCOUS
    return STALL / slope * (1 - np.exp(-t * slope / INERTIA))


CURVE = {"points": [[0, STALL], [60, STALL * 0.6], [NO_LOAD, 0]], "over": "v"}  # a straight line in two pieces


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize(
    "effort", [CURVE, f"{STALL}*(1 - v/{NO_LOAD})", lambda t, state: STALL * (1 - state["A.v"] / NO_LOAD)]
)
def test_motor_curve(dimension, effort, form):
    model = rotor(dimension)
    model.force("motor", "joint_effort", "A", effort=effort)
    run = model.simulate(0, 2, 0.1, formulation=form)
    np.testing.assert_allclose(run["A.v"], run_up(run["t"]), rtol=1e-8, atol=1e-9)
    assert run.summary["energy"]["relative"] < 1e-9
    told = any("every evaluation calls it" in note for note in run.summary["warnings"])
    assert told == callable(effort)


def test_a_curve_that_ends_stops_the_run_and_says_where(form):
    model = rotor(2)
    model.force("motor", "joint_effort", "A", effort={"points": [[0, STALL], [40, 2.2]], "over": "A.v"})
    with pytest.warns(UserWarning, match=r"force motor has no size there: a curve of 2 points over A.v = 0 … 40"):
        run = model.simulate(0, 2, 0.01, formulation=form)
    assert run.summary["status"] == "stopped"
    assert run["A.v"][-1] == pytest.approx(40, rel=0.05)


@pytest.mark.parametrize(
    ("name", "kind", "on", "built", "size"),
    [
        ("released", "spring", ("ground.A", "coupler.C"), {"stiffness": 300, "length": 0.4, "damping": 5},
         "-300*(length - 0.4) - 5*rate"),
        ("released", "joint_spring", ("C",), {"stiffness": 8, "rest": 0.3, "damping": 0.5}, "-8*(q - 0.3) - 0.5*v"),
        ("rsup", "spring", ("ground.A", "conrod.C"), {"stiffness": 300, "length": 0.1, "damping": 2},
         "-300*(length - 0.1) - 2*rate"),
        ("rsur", "spring", ("ground.O1", "coupler.B"), {"stiffness": 300, "length": 0.1}, "-300*(reach - 0.1)"),
    ],
)  # fmt: skip
def test_an_expression_is_the_load_of_its_formula(name, kind, on, built, size, form):
    """In closed loops of the plane and of space, along distances and along a joint that closes a loop."""
    one = mubo.load(DATA / "dynamics" / f"{name}.toml")
    other = one.copy()
    one.force("f", kind, *on, **built)
    if "reach" in size:
        other.measure("reach", distance=on)
    by = "joint_effort" if kind == "joint_spring" else "force_between"
    other.force("f", by, *on, **{"effort" if by == "joint_effort" else "force": size})
    runs = [model.simulate(0, 0.3, 0.05, formulation=form) for model in (one, other)]
    for column in ("x", "vx"):
        body = next(b for b in one.bodies if b != "ground")
        np.testing.assert_allclose(runs[0][f"{body}.{column}"], runs[1][f"{body}.{column}"], rtol=0, atol=1e-9)
    assert all(run.summary["energy"]["relative"] < 1e-9 for run in runs)


def test_rates_of_measures_that_are_expressions(form):
    """f = −c d/dt(2 l) / 2 is a damper along l."""
    one, other = (mubo.load(DATA / "dynamics" / "released.toml") for _ in range(2))
    one.force("f", "spring", "ground.A", "coupler.C", stiffness=0, length=1, damping=20)
    other.measure("reach", distance=("ground.A", "coupler.C"))
    other.measure("twice", value="2*reach")
    other.force("f", "force_between", "ground.A", "coupler.C", force="-10*twice.rate")
    runs = [model.simulate(0, 0.5, 0.1, formulation=form) for model in (one, other)]
    np.testing.assert_allclose(runs[0]["crank.phi"], runs[1]["crank.phi"], rtol=0, atol=1e-9)


def test_an_acceleration_steers_no_load(form):
    model = rotor(2)
    model.force("motor", "joint_effort", "A", effort="-0.1*A.a")
    with pytest.raises(mubo.ModelError, match=r"force motor: A\.a is known only after the forces"):
        model.simulate(0, 1, 0.1, formulation=form)


def test_a_stop_that_pulls_lets_go_slower(form):
    model = mubo.Model("carriage", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("mass", points={"O": (0, 0, 0)}, mass=2, inertia=(1, 1, 1))
    model.joint("rail", "prismatic", "ground.O", "mass.O", axis=(1, 0, 0))
    model.initial("rail", v=1.5)
    model.force("end", "joint_effort", "rail", effort="where(q > 0.015, -50000*(q - 0.015) - 60*v, 0)")
    run = model.simulate(0, 0.05, 0.001, formulation=form)
    assert run["rail.v"][-1] == pytest.approx(-1.1119076784321122, rel=1e-6)


def test_angles_are_in_the_models_unit(form):
    """The same torque in a model that counts degrees."""
    model = rotor(2, {"length": "m", "angle": "deg", "mass": "kg", "time": "s"})
    model.force("motor", "joint_effort", "A", effort=f"{STALL}*(1 - A.v*{np.pi / 180}/{NO_LOAD}) + 0*sin(A.q)")
    run = model.simulate(0, 1, 0.1, formulation=form)
    np.testing.assert_allclose(np.radians(run["A.v"]), run_up(run["t"]), rtol=1e-8, atol=1e-9)
