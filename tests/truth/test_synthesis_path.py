"""Paths: known coupler curves found again, Roberts' cognates, exact derivatives, defects told as a run shows them."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mubo
from mubo.analyses.kinematics import kinematics
from mubo.design.synthesis.coupler import (
    Circle,
    Coupler,
    CouplerPointResiduals,
    Crank,
    RockerGuide,
    SlideGuide,
    StraightGuide,
)
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.function_task import Output
from mubo.design.synthesis.path_task import cognates
from mubo.design.synthesis.screen import screened
from mubo.quantities.output_times import OutputTimes

sys.path.insert(0, str(Path(__file__).parents[1] / "campaigns"))
import curves

RANDOM = np.random.default_rng(7)
PLACES = RANDOM.normal(size=6) + 1j * RANDOM.normal(size=6)
TURNED = np.linspace(0, 4, 6)
SIDE = np.ones((3, 6))
COUPLERS = {
    "circles": Coupler(PLACES, Circle(), Circle()),
    "a line": Coupler(PLACES, Circle(), StraightGuide()),
    "given cranks": Coupler(PLACES, Crank(TURNED), Circle()),
}
# A four-bar that can be assembled all round: crank, coupler, offset of P, rocker's pin and length.
FOUR_BAR = [0.1, 0.2, 0.5, 1.4, 0.6, 0.4, 1.3, 0.1, 1.1]
SLIDER = [0.1, 0.2, 0.5, 1.4, 0.6, 0.4, 1.5, 0.3]
PAIRS = np.column_stack([np.linspace(0, 2, 6), np.linspace(0, 1, 6)])
CLOSED = {
    "rocker": (CouplerPointResiduals(PLACES, RockerGuide(), SIDE), FOUR_BAR),
    "slide": (CouplerPointResiduals(PLACES, SlideGuide(), SIDE), SLIDER),
    "given cranks": (CouplerPointResiduals(PLACES, RockerGuide(), SIDE, TURNED), [*FOUR_BAR, 0.3]),
    "angle": (Output(PAIRS, False, 1.3, SIDE[:, 0], np.ones(5, bool)), [0.5, 1.4, 1.1, 0.2, 0.3]),
    "way": (Output(PAIRS, True, 1.0, SIDE[:, 0], np.ones(5, bool)), [0.5, 1.4, 0.2, 0.2, 0.3]),
}


def slopes_agree(residuals, x, theta):
    """Central differences of 1e-6 against the derivatives: both are right to about 1e-9."""
    numbers = np.arange(len(x))
    look = residuals(x, theta, numbers, True)
    for k in range(x.shape[1]):
        step = np.zeros_like(x)
        step[:, k] = 1e-6
        ends = [residuals(x + s * step, theta, numbers, False).r for s in (1, -1)]
        assert np.allclose((ends[0] - ends[1]) / 2e-6, look.by_x[..., k], atol=1e-7)
    ends = [residuals(x, theta + s * 1e-6, numbers, False).r for s in (1, -1)]
    assert np.allclose((ends[0] - ends[1]) / 2e-6, look.by_angle, atol=1e-7)


@pytest.mark.parametrize("name", COUPLERS)
def test_gaps_of_dyads_have_exact_derivatives(name):
    coupler = COUPLERS[name]
    count = coupler.first.unknowns + coupler.second.unknowns
    slopes_agree(coupler, RANDOM.normal(size=(3, count)), RANDOM.normal(size=(3, 6)))


@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms_have_exact_derivatives(name):
    point, x = CLOSED[name]
    slopes_agree(point, np.array(x) + 0.02 * RANDOM.normal(size=(3, len(x))), RANDOM.uniform(0, 6, (3, 6)))


@pytest.mark.parametrize(("seed", "family"), [(1, "turning"), (2, "rocking")])
def test_curves_are_found_again_from_twelve_points(seed, family):
    """`make campaigns` counts many of them; each is compared with the true curve at 400 other places."""
    assert curves.case(seed, family)[0] == "right"


def positions(A, a, D, b, c, offset, crank):
    """A four-bar at crank angles, by the law of cosines."""
    B = A + a * np.exp(1j * crank)
    C = curves.third_pin(B, D, b, c, 1)
    return FourBars(A=np.array([A]), B=B[None], C=C[None], D=np.array([D]), point=(B + (C - B) * offset)[None])


def test_three_cognates_draw_one_curve():
    crank = np.linspace(0, 6, 40)
    family = positions(0j, 0.5, 1.3 + 0j, 1.2, 1.0, 0.4 + 0.6j, crank)
    every = cognates(family)
    assert len(every) == 6
    shapes = {tuple(np.sort(one.bars[0]).round(9)) for one in every}
    assert len(shapes) == 3
    for one in every:
        for arm in (one.B[0] - one.A[0], one.C[0] - one.B[0], one.C[0] - one.D[0]):
            assert np.ptp(np.abs(arm)) < 1e-12
        for pin in (one.B, one.C):
            assert np.ptp(np.abs(one.point[0] - pin[0])) < 1e-12


def test_a_path_answers_designs_that_pass_all_points():
    crank = np.linspace(0.3, 5.8, 12)
    P = positions(0j, 0.5, 1.3 + 0j, 1.2, 1.0, 0.4 + 0.6j, crank).point[0]
    found = mubo.synthesize.path([(p.real, p.imag) for p in P])
    assert found.found == 6  # three cognates, each driven at either end
    assert found[1].errors["place"] < 1e-9
    timed = mubo.synthesize.path([(p.real, p.imag, f"{t!r} rad") for p, t in zip(P, crank.tolist(), strict=True)])
    own = [d for d in timed.designs if np.allclose(sorted(d.lengths.values()), [0.5, 1.0, 1.2, 1.3], atol=1e-7)]
    assert own
    assert own[0].errors["place"] < 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_closed_forms_and_runs_agree_on_defects(seed):
    """Random positions of a random four-bar, on random branches: whether a run from the first passes them all."""
    random = np.random.default_rng(seed)
    while True:
        a, b, c, d = np.exp(random.uniform(np.log(0.3), 0, 4))
        crank = np.cumsum(random.uniform(0.2, 0.8, 4)) + random.uniform(0, 6)
        with np.errstate(invalid="ignore"):
            family = positions(0j, a, d + 0j, b, c, 0.5 + 0j, crank)
            other = curves.third_pin(family.B, d + 0j, b, c, -1)
        if np.all(np.isfinite(family.C)) and seed % 2 == 0:
            break
        if np.all(np.isfinite(family.C)):
            family = replace(family, C=np.where(random.random(4) < 0.3, other, family.C))
            break
    seen = screened(family)
    model = family.model(0, "any", mubo.Model("x").units, (float(seen.crank[0, 0]), float(seen.crank[0, -1])))
    run = kinematics(model, OutputTimes(0.0, 1.0, 1 / 60))
    passes = run.summary["status"] == "ok"
    if passes:
        times = (seen.crank[0] - seen.crank[0, 0]) / (seen.crank[0, -1] - seen.crank[0, 0])
        if np.all((times >= 0) & (times <= 1)):
            turned = np.radians(run.record.between(times)["coupler.phi"])
            passes = bool(np.all(np.abs(np.exp(1j * turned) - (family.C[0] - family.B[0]) / b) < 1e-6))
    assert passes == bool(seen.sound[0] or (seen.circuit[0] and seen.branch[0] and not seen.order[0]))
