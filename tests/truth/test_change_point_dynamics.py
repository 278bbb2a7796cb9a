"""Motions through change points: the N-four-bar (IFToMM A02) and the parallelogram go on along their smooth branch.

N-four-bar: θ'' = c g sin θ, c = 3 (3N + 1) / (2 (4N + 1)), solved by Jacobi functions (tests/data/dynamics). The
parallelogram under a constant torque: θ = θ₀ + (T/J) t²/2, J the inertia that both cranks feel, which is constant.
"""

import json
from itertools import pairwise

import numpy as np
import pytest
from conftest import DATA
from scipy.integrate import quad

import mubo

N_FOUR_BARS = json.loads((DATA / "dynamics" / "n_four_bars.json").read_text())
PIN_FORCES = json.loads((DATA / "dynamics" / "change_points.json").read_text())


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
    model.initial("A0", turned, -rate)
    return model


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.truth(f"forces_forward_loops/{name}")) for name in N_FOUR_BARS]
)
def test_n_four_bar(name, form):
    case = N_FOUR_BARS[name]
    model = n_four_bar(case["N"], case["angle"][0], case["rate"][0])
    run = model.simulate(0, case["times"][-1], case["times"][1], formulation=form)
    assert np.max(np.abs(np.pi / 2 - run["crank0.phi"] - case["angle"])) < 1e-7
    assert np.max(np.abs(run[f"crank{case['N']}.omega"] + case["rate"])) < 1e-6
    assert run.summary["energy"]["relative"] < 1e-9
    assert run.summary["loops"]["gap"] < 1e-13
    if name.endswith("hanging"):
        assert run.events == []
        return
    # θ = 90° and 270° of every turn, at the times that θ'² = θ₀'² + 2 c g (1 − cos θ) tells.
    assert {event.kind for event in run.events} == {"bifurcation"}
    turned = case["angle"][-1]
    expected = [time_to(case["N"], angle) for angle in np.arange(np.pi / 2, turned, np.pi)]
    np.testing.assert_allclose([event.t for event in run.events], expected, rtol=0, atol=1e-5)


def time_to(n, angle):
    """When the N-four-bar that leaves its upright place with 1 rad/s has turned by an angle."""
    stiffness = 3 * (3 * n + 1) / (2 * (4 * n + 1)) * 9.81
    parts = np.append(np.arange(0, angle, 0.5), angle)

    def slowness(x):
        return 1 / np.sqrt(1 + 2 * stiffness * (1 - np.cos(x)))

    return sum(quad(slowness, *ends, epsabs=1e-13)[0] for ends in pairwise(parts))


def largest_force(run):
    """Of all pins, at the last row."""
    return max(run[column.name][-1] for column in run.columns.of_kind("reaction") if column.name.endswith(".f"))


@pytest.mark.truth("forces_forward_loops/n_four_bar_change_point")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_pin_forces_before_a_change_point(n, form):
    """Bounded for N = 1, like 1/angle for more; so close that no digit is left, none is told."""
    for point in PIN_FORCES["n_four_bar"][f"N={n}"]:
        end = time_to(n, np.pi / 2 - np.radians(point["degrees_before"]))
        run = n_four_bar(n, 0.0, 1.0).simulate(0, end, end, reactions=True, formulation=form)
        force = largest_force(run)
        if point["degrees_before"] < 0.05 and np.isnan(force):
            assert any("reactions are not defined" in note for note in run.summary["warnings"])
        else:
            assert force == pytest.approx(point["largest_pin_force"], rel=1e-4)


def parallelogram(begin: float = 0.5) -> mubo.Model:
    """Cranks of 0.5 m, a coupler of 1.1 m, a torque of 4 N m on the crank; no gravity."""
    model = mubo.Model("parallelogram", gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("D", (1.1, 0))
    at = (0.5 * np.cos(begin), 0.5 * np.sin(begin))
    model.body("crank", (0, 0), begin, points={"A": (0, 0), "B": (0.5, 0)}, mass=2, inertia=1 / 24, center=(0.25, 0))
    model.body("coupler", at, 0, points={"B": (0, 0), "C": (1.1, 0)}, mass=3, inertia=0.3025, center=(0.55, 0))
    model.body("follower", (1.1, 0), begin, points={"D": (0, 0), "C": (0.5, 0)}, mass=1, inertia=1 / 48,
               center=(0.25, 0))  # fmt: skip
    for name, first, second in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "follower"),
                                ("D", "ground", "follower")):  # fmt: skip
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    model.force("motor", "body_torque", "crank", torque="4")
    return model


@pytest.mark.truth("forces_forward_loops/parallelogram_torque")
def test_parallelogram_under_constant_torque(form):
    """J = 1 kg m², T = 4 N m: through 180° and 360° on the parallelogram branch, both cranks alike."""
    inertia = 2 * 0.25**2 + 1 / 24 + 1 * 0.25**2 + 1 / 48 + 3 * 0.5**2
    run = parallelogram().simulate(0, 2, 0.05, formulation=form)
    angle = 0.5 + 4 / inertia * run["t"] ** 2 / 2
    for body in ("crank", "follower"):
        assert np.max(np.abs(run[f"{body}.phi"] - angle)) < 1e-6
    assert np.max(np.abs(run["coupler.phi"])) < 1e-6
    met = [event.t for event in run.events]
    assert met == pytest.approx([np.sqrt(2 * inertia / 4 * (k * np.pi - 0.5)) for k in (1, 2)], abs=1e-5)


@pytest.mark.parametrize("point", PIN_FORCES["parallelogram"][:3], ids=lambda point: str(point["degrees_before_180"]))
def test_pin_forces_of_the_parallelogram_grow(point, form):
    """At a given angle and rate, as they are at the start."""
    angle = np.pi - np.radians(point["degrees_before_180"])
    model = parallelogram(angle)
    model.initial("A", v=point["crank_rate"])
    run = model.simulate(0, 1e-4, 1e-4, reactions=True, formulation=form)
    force = max(run[column.name][0] for column in run.columns.of_kind("reaction") if column.name.endswith(".f"))
    assert force == pytest.approx(point["largest_pin_force"], rel=1e-8)


def test_a_start_in_a_change_point_is_refused():
    """All links on one line: the motion may go on either way."""
    model = n_four_bar(1, np.pi / 2, 0.0)
    del model.initial_joints["A0"]
    with pytest.raises(mubo.SingularityError, match="starts in a singular position"):
        model.simulate(0, 1, 0.1)
