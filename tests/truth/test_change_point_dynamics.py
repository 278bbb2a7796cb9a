"""Motions through change points: the N-four-bar (IFToMM A02) and the parallelogram go on along their smooth branch.

N-four-bar: θ'' = c g sin θ, c = 3 (3N + 1) / (2 (4N + 1)), solved by Jacobi functions (tests/data/dynamics). The
parallelogram under a constant torque: θ = θ₀ + (T/J) t²/2, J the inertia that both cranks feel, which is constant.
"""

import json

import numpy as np
import pytest
from conftest import DATA

import mubo

N_FOUR_BARS = json.loads((DATA / "dynamics" / "n_four_bars.json").read_text())


def n_four_bar(n: int, angle: float, rate: float) -> mubo.Model:
    """Rods of 1 m and 1 kg; cranks lean by `angle` clockwise from upright and turn with `rate`."""
    model = mubo.Model("n_four_bar", gravity=(0, -9.81))
    rod = {"mass": 1, "inertia": 1 / 12, "center": (0.5, 0)}
    turned = np.pi / 2 - angle
    for k in range(n + 1):
        model.ground.point(f"A{k}", (k, 0))
        model.body(f"crank{k}", (k, 0), turned, points={f"A{k}": (0, 0), f"B{k}": (1, 0)}, **rod)
        model.revolute(f"A{k}", f"ground.A{k}", f"crank{k}.A{k}")
    for k in range(n):
        at = (k + np.cos(turned), np.sin(turned))
        model.body(f"coupler{k}", at, 0, points={f"B{k}": (0, 0), f"B{k + 1}": (1, 0)}, **rod)
        model.revolute(f"L{k}", f"crank{k}.B{k}", f"coupler{k}.B{k}")
        model.revolute(f"R{k}", f"coupler{k}.B{k + 1}", f"crank{k + 1}.B{k + 1}")
    model.start("A0", turned, -rate)
    return model


@pytest.mark.parametrize("name", N_FOUR_BARS)
def test_n_four_bar(name):
    case = N_FOUR_BARS[name]
    model = n_four_bar(case["N"], case["angle"][0], case["rate"][0])
    run = model.simulate(0, case["times"][-1], case["times"][1])
    assert np.max(np.abs(np.pi / 2 - run["crank0.phi"] - case["angle"])) < 1e-7
    assert np.max(np.abs(run[f"crank{case['N']}.omega"] + case["rate"])) < 1e-6
    assert run.summary["energy"]["relative"] < 1e-9
    assert run.summary["loops"]["gap"] < 1e-13
    if name.endswith("hanging"):
        assert run.events == []
        return
    # θ = 90° and 270° of every turn are met at the times that θ(t) tells: each event lies on the reference curve.
    assert {event.kind for event in run.events} == {"bifurcation"}
    angles = np.interp([event.t for event in run.events], run["t"], np.pi / 2 - run["crank0.phi"])
    assert np.max(np.abs(np.cos(angles))) < 0.5  # rows are coarse: a straight line between them
    whole = n_four_bar(case["N"], case["angle"][0], case["rate"][0]).simulate(0, 1, 0.01)
    first = np.interp(whole.events[0].t, whole["t"], np.pi / 2 - whole["crank0.phi"])
    assert first == pytest.approx(np.pi / 2, abs=1e-3)


@pytest.mark.filterwarnings("ignore:the simulation stops")
@pytest.mark.parametrize("name", N_FOUR_BARS)
def test_absolute_coordinates_agree_as_far_as_they_go(name):
    """They need not pass a change point; where they stop they say so."""
    case = N_FOUR_BARS[name]
    model = n_four_bar(case["N"], case["angle"][0], case["rate"][0])
    run = model.simulate(0, case["times"][-1], case["times"][1], formulation="absolute", rtol=1e-10, atol=1e-10)
    assert np.max(np.abs(np.pi / 2 - run["crank0.phi"] - case["angle"][: len(run)])) < 1e-6
    assert len(run) > 1
    assert run.summary["status"] == "ok" or "singular position" in run.events[-1].message


def parallelogram() -> mubo.Model:
    """Cranks of 0.5 m, a coupler of 1.1 m, a torque of 4 N m on the crank; no gravity."""
    model = mubo.Model("parallelogram", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("D", (1.1, 0))
    begin, at = 0.5, (0.5 * np.cos(0.5), 0.5 * np.sin(0.5))
    model.body("crank", (0, 0), begin, points={"A": (0, 0), "B": (0.5, 0)}, mass=2, inertia=1 / 24, center=(0.25, 0))
    model.body("coupler", at, 0, points={"B": (0, 0), "C": (1.1, 0)}, mass=3, inertia=0.3025, center=(0.55, 0))
    model.body("follower", (1.1, 0), begin, points={"D": (0, 0), "C": (0.5, 0)}, mass=1, inertia=1 / 48,
               center=(0.25, 0))  # fmt: skip
    for name, first, second in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "follower"),
                                ("D", "ground", "follower")):  # fmt: skip
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    model.force("motor", "body_torque", "crank", torque="4")
    return model


def test_parallelogram_under_constant_torque():
    """J = 1 kg m², T = 4 N m: through 180° and 360° on the parallelogram branch, both cranks alike."""
    inertia = 2 * 0.25**2 + 1 / 24 + 1 * 0.25**2 + 1 / 48 + 3 * 0.5**2
    run = parallelogram().simulate(0, 2, 0.05)
    angle = 0.5 + 4 / inertia * run["t"] ** 2 / 2
    for body in ("crank", "follower"):
        assert np.max(np.abs(run[f"{body}.phi"] - angle)) < 1e-6
    assert np.max(np.abs(run["coupler.phi"])) < 1e-6
    met = [event.t for event in run.events]
    assert met == pytest.approx([np.sqrt(2 * inertia / 4 * (k * np.pi - 0.5)) for k in (1, 2)], abs=1e-5)


def test_a_start_in_a_change_point_is_refused():
    """All links on one line: the motion may go on either way."""
    model = n_four_bar(1, np.pi / 2, 0.0)
    del model.initial["A0"]
    with pytest.raises(mubo.SingularityError, match="starts in a singular position"):
        model.simulate(0, 1, 0.1)
