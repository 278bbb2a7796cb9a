"""Optimised designs against closed forms: transmission of a crank-rocker, its swing and time ratio, and the straight
lines of Chebyshev, Hoecken and Roberts found again."""

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import mubo
from mubo.design.optimize.step import Search

EXAMPLE = Path(__file__).parents[2] / "examples" / "parameters.toml"
A, B, C, D = 0.04, 0.12, 0.11, 0.12  # crank, coupler, rocker, ground
TIMES = {"start": 0, "end": 1, "step": 0.05}


@pytest.fixture(scope="module")
def model():
    return mubo.load(EXAMPLE)


def transmission(c, d):
    """Least angle between coupler and rocker, where crank and ground line up (law of cosines), in degrees."""
    angles = [math.degrees(math.acos((B**2 + c**2 - (d + s * A) ** 2) / (2 * B * c))) for s in (1, -1)]
    return min(min(angle, 180 - angle) for angle in angles)


def swing(c, d):
    """Between the rocker's angles where crank and coupler line up, in degrees."""
    first, second = (math.acos((c**2 + d**2 - (B + s * A) ** 2) / (2 * c * d)) for s in (1, -1))
    return math.degrees(first - second)


def time_ratio(c, d):
    """(180° + θ)/(180° − θ), θ between the crank's directions there."""
    ends = [math.acos((d**2 + (B + s * A) ** 2 - c**2) / (2 * d * (B + s * A))) for s in (1, -1)]
    theta = abs(math.degrees(ends[0] - ends[1]))
    return (180 + theta) / (180 - theta)


def test_the_best_transmission_lies_at_a_kink(model):
    """Where the least angle changes over from one position of the crank to the other: b² + c² = d² + a²."""
    found = model.replace(d=0.15).optimize({"c": [0.08, 0.12]}, maximize="transmission", starts=1, workers=1, **TIMES)
    c = math.sqrt(0.15**2 + A**2 - B**2)
    best = minimize_scalar(lambda c: -transmission(c, 0.15), bounds=(0.08, 0.12), method="bounded").x
    assert best == pytest.approx(c, abs=1e-5)
    assert found.parameters["c"][1] == pytest.approx(c, abs=1e-6)
    assert found.numbers["transmission"][1] == pytest.approx(transmission(c, 0.15), rel=1e-5)
    assert found.proof.holds


def test_swing_and_time_ratio_are_met(model):
    found = model.optimize(
        {"c": [0.08, 0.14], "d": [0.1, 0.16]}, fit={"swing": "45 deg", "time ratio": 1.2}, starts=1, workers=1, **TIMES
    )
    c, d = (after for _, after in found.parameters.values())
    assert swing(c, d) == pytest.approx(45, rel=1e-8)
    assert time_ratio(c, d) == pytest.approx(1.2, rel=1e-8)
    assert found.aim[1] < 1e-8
    assert found.active == []
    h = 1e-6
    slope = (swing(c + h, d) - swing(c - h, d)) / (2 * h)
    assert found.sensitivities["swing"]["c"] == pytest.approx(slope, rel=1e-5)


def test_designs_that_lock_are_never_answers(model):
    """A longer crank swings the rocker farther, up to a = 0.0575, where s + l = p + q (Grashof): beyond it locks."""
    found = model.optimize({"a": [0.03, 0.09]}, maximize="swing", starts=2, workers=1, **TIMES)
    a = found.parameters["a"][1]
    assert 0.055 < a < 0.0575
    assert found.lost > 0
    assert found.run.summary["status"] == "ok"


def test_contradictions_are_told_with_what_misses(model):
    """The swing grows with the crank: at its bound 0.05 it is nearest to 100°."""
    wide = math.degrees(
        math.acos((C**2 + D**2 - 0.2**2) / (2 * C * D)) - math.acos((C**2 + D**2 - 0.1**2) / (2 * C * D))
    )
    with pytest.raises(mubo.DesignError) as told:
        model.optimize(
            {"a": [0.03, 0.05]}, minimize="mass", constraints=["swing >= 100 deg"], starts=1, workers=1, **TIMES
        )
    assert f"missed by {100 - wide:.6g} deg" in str(told.value)
    assert "the bound a <= 0.05: just met" in str(told.value)
    assert told.value.exit_code == 3


@pytest.mark.parametrize(
    ("limits", "apart"),
    [
        (["swing == 60 deg", "swing <= 50 deg"], "10 deg"),
        (["swing >= 70 deg", "swing == 60 deg"], "10 deg"),
        (["a == 0.045", "a == 0.04"], "0.005"),
        (["a == 0.06"], "0.01"),  # beyond the bound 0.05
        (["a == 0.02"], "0.01"),
    ],
    ids=str,
)
def test_an_equality_is_a_limit_on_both_sides(model, limits, apart):
    with pytest.raises(mubo.ModelError, match=f"they are {apart} apart"):
        model.optimize({"a": [0.03, 0.05]}, minimize="mass", constraints=limits, starts=1, workers=1, **TIMES)


def test_an_equality_that_agrees_with_other_limits_is_met(model):
    """With a + c = 0.15 the least mass 2 (a + 3a + c) has the shortest crank, whose bound is 0.035."""
    found = model.optimize(
        {"a": [0.035, 0.045], "c": [0.1, 0.12]},
        minimize="mass", constraints=["a + c == 0.15", "a + c <= 0.15", "c >= 0.1"], starts=1, workers=1, **TIMES,
    )  # fmt: skip
    assert found.parameters["a"][1] == pytest.approx(0.035, abs=1e-8)
    assert found.parameters["c"][1] == pytest.approx(0.115, abs=1e-8)


def test_limits_on_parameters_and_active_ones(model):
    """Least mass 2 (a + b + c) with b = 3a under a + c >= 0.145 and c <= 0.11: the crank is as short as it may be."""
    found = model.optimize(
        {"a": [0.03, 0.05], "c": [0.1, 0.11]},
        minimize="mass", constraints=["a + c >= 0.145", "full turn of motor"], starts=1, workers=1, **TIMES,
    )  # fmt: skip
    assert found.parameters["a"][1] == pytest.approx(0.035, abs=1e-8)
    assert found.parameters["c"][1] == pytest.approx(0.11, abs=1e-8)
    assert found.active == ["a + c >= 0.145", "c <= 0.11"]
    assert found.sensitivities["mass"] == {"a": pytest.approx(8), "c": pytest.approx(2)}


def four_bar(name, crank, coupler, rocker, ground, point, angles, motion):
    """A four-bar on the x axis whose point is drawn by the coupler; lengths may be names of parameters."""
    bench = mubo.Model(name, units={"length": "m", "angle": "deg"})
    for word, value in point[0].items():
        bench.parameter(word, value)
    bench.ground.point("A", (0, 0))
    bench.ground.point("D", (ground, 0))
    bench.body("crank", angle=angles[0], points={"A": (0, 0), "B": (crank, 0)})
    bench.body("coupler", position=angles[3], angle=angles[1], points={"B": (0, 0), "C": (coupler, 0)})
    bench.body("rocker", position=(ground, 0), angle=angles[2], points={"D": (0, 0), "C": (rocker, 0)})
    bench.revolute("A", "ground.A", "crank.A")
    bench.revolute("B", "crank.B", "coupler.B")
    bench.revolute("C", "coupler.C", "rocker.C")
    bench.revolute("D", "ground.D", "rocker.D")
    bench.driver("motor", *motion)
    bench.point("P", "coupler", point[1])
    return bench


def test_hoecken_is_found_again(tmp_path):
    """Crank 1, ground 2, coupler = rocker = 2.5, tracing point at 5: at 90°, 180°, 270° of the crank it is at (4, 4),
    (2, 4), (0, 4) exactly, by the isosceles triangle B C D. Timed."""
    (tmp_path / "line.csv").write_text("# t x y\n0.25, 4, 4\n0.5, 2, 4\n0.75, 0, 4\n")
    bench = four_bar("Hoecken", 1, "b", "b", "d", ({"b": 2.2, "d": 1.9}, ("2*b", 0)),
                     (0, 70, 115, (1, 0)), ("crank.phi", "360*t"))  # fmt: skip
    path = f"timed path error of P from {tmp_path / 'line.csv'}"
    found = bench.optimize(
        {"b": [2.05, 3], "d": [1.6, 2.3]}, fit=path, constraints=["full turn of motor"], starts=1, workers=1,
        start=0, end=1, step=0.05,
    )  # fmt: skip
    assert [after for _, after in found.parameters.values()] == pytest.approx([2.5, 2.0], abs=1e-6)


def test_chebyshev_is_found_again(tmp_path):
    """Ground 4, links 5, coupler 2, crossed; its middle is at (0, 4), (2, 4), (4, 4): in between the coupler is level,
    at the ends it stands upright on a link that does."""
    (tmp_path / "line.csv").write_text("0 4\n2 4\n4 4\n")
    bench = four_bar("Chebyshev", "r", "c", "r", 4, ({"r": 4.8, "c": 1.8}, ("c/2", 0)),
                     (90, 90, 60, (0, 3.2)), ("coupler.phi", "85 + 190*t"))  # fmt: skip
    found = bench.optimize(
        {"r": [4.5, 5.6], "c": [1.5, 2.5]}, fit=f"path error of P from {tmp_path / 'line.csv'}", starts=1, workers=1,
        start=0, end=1, step=0.05,
    )  # fmt: skip
    assert [after for _, after in found.parameters.values()] == pytest.approx([5, 2], abs=1e-6)


def test_roberts_is_found_again(tmp_path):
    """Ground 2, links and sides of the coupler r = 1.2, its base 1: the apex is at both fixed pins and midway."""
    (tmp_path / "line.csv").write_text("0 0\n1 0\n2 0\n")
    bench = four_bar("Roberts", 1.2, "c", 1.2, 2, ({"c": 0.9, "h": 1.0}, ("c/2", "-h")),
                     (35, 35, 80, (1, 0.7)), ("coupler.phi", "35 - 70*t"))  # fmt: skip
    found = bench.optimize(
        {"c": [0.7, 1.3], "h": [0.8, 1.4]}, fit=f"path error of P from {tmp_path / 'line.csv'}", starts=1, workers=1,
        start=0, end=1, step=0.05,
    )  # fmt: skip
    assert [after for _, after in found.parameters.values()] == pytest.approx([1, math.sqrt(1.44 - 0.25)], abs=1e-6)


def test_path_errors_are_distances(tmp_path):
    """The crank pin goes round a circle of radius a: points at other radii are |r − a| away, whatever the step."""
    turns = np.radians([10.0, 50.0, 200.0, 333.0])
    radii = np.array([0.05, 0.03, 0.045, 0.04])
    points = np.stack([radii * np.cos(turns), radii * np.sin(turns)], -1)
    (tmp_path / "points.csv").write_text("\n".join(f"{x!r}, {y!r}" for x, y in points.tolist()))
    model = mubo.load(EXAMPLE)
    model.point("pin", "crank", (A, 0))
    sweep = model.sweep({"a": [A, 0.039]}, [f"path error of pin from {tmp_path / 'points.csv'}"], workers=1, **TIMES)
    assert sweep.values[0, 0] == pytest.approx(np.sqrt(np.mean((radii - A) ** 2)), rel=1e-7)


def test_an_equality_counts_on_both_sides_and_a_limit_on_one():
    """The merit of a step is goal + weight · Σ violation: |c| of an equality, max(c, 0) of a limit (Nocedal and Wright,
    Numerical Optimization, 2006, equation 15.24)."""
    problem = SimpleNamespace(equal=np.array([True, True, False, False]))
    search = Search(problem, None, np.eye(1), 1.0, stiff=10.0)
    assert search.merit(2.0, np.array([-0.25, 0.5, -0.75, 1.0])) == pytest.approx(2 + 10 * (0.25 + 0.5 + 1.0))


def test_a_robust_design_meets_its_limits_at_every_corner_of_its_tolerances():
    """The swing grows with the crank and with the ground: at most 45° at the worst corner, so that the nominal crank
    stays shorter than the one that reaches 45°."""
    tight = mubo.load(EXAMPLE)
    tight.set_tolerance("a", 0.0005)
    tight.set_tolerance("d", 0.0002)
    asked = {"maximize": "swing", "constraints": ["swing <= 45 deg"], "starts": 1, "workers": 1, **TIMES}
    found = tight.optimize({"a": [0.03, 0.05]}, cases="tolerances", **asked)

    def wide(a, d):
        """The coupler is three times as long as the crank."""
        first, second = (math.acos((C**2 + d**2 - (3 * a + s * a) ** 2) / (2 * C * d)) for s in (1, -1))
        return math.degrees(first - second)

    a = brentq(lambda a: max(wide(a + 0.0005, D + s * 0.0002) for s in (-1, 1)) - 45, 0.03, 0.05)
    assert found.parameters["a"][1] == pytest.approx(a, rel=1e-6)
    corners = [after for text, (_, after) in found.numbers.items() if text.startswith("swing at ")]
    assert len(corners) == 4
    assert max(corners) == pytest.approx(45, rel=1e-6)
    assert tight.optimize({"a": [0.03, 0.05]}, **asked).parameters["a"][1] == pytest.approx(
        brentq(lambda a: wide(a, D) - 45, 0.03, 0.05), rel=1e-6
    )
