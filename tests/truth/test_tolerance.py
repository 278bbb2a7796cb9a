"""Tolerances of an offset slider-crank against its closed form: worst case, three sigma, clearance, Monte Carlo.

x = r cos θ + u with u = √(l² − (r sin θ − e)²) has ∂x/∂r = cos θ − (r sin θ − e) sin θ / u, ∂x/∂l = l / u and ∂x/∂e =
(r sin θ − e) / u. A pin at the end of the rod that stands off by a vector moves the slider by that vector's part along
the rod over the cosine of the rod's angle: at most by its size over that cosine.
"""

import math

import numpy as np
import pytest
from test_sensitivity import SLIDER

import mubo
from mubo.design.tolerance import ToleranceSource, ToleranceStack, random_designs
from mubo.model.tolerances import Tolerance

R, ROD, OFF, THETA = 0.05, 0.15, 0.02, 0.7
SIZES = {"r": 1e-5, "rod": 2e-5, "off": 4e-5}
U = np.sqrt(ROD**2 - (R * np.sin(THETA) - OFF) ** 2)
SLOPES = np.array(
    [np.cos(THETA) - (R * np.sin(THETA) - OFF) * np.sin(THETA) / U, ROD / U, (R * np.sin(THETA) - OFF) / U]
)
MEASURE = "first slider.x"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("slider") / "slider.toml"
    path.write_text(SLIDER)
    return mubo.load(path)


def test_worst_case_and_three_sigma_are_sums_of_sensitivities(model):
    found = model.tolerance([MEASURE], SIZES, samples=0)
    parts = np.abs(SLOPES) * list(SIZES.values())
    told = found[MEASURE]
    assert told["worst"] == pytest.approx(parts.sum(), rel=1e-9)
    assert told["three sigma"] == pytest.approx(np.sqrt((parts**2).sum()), rel=1e-9)
    np.testing.assert_allclose(found.shares[0], parts**2 / (parts**2).sum(), rtol=1e-9)


def test_a_uniform_spread_counts_more_and_ends_at_the_worst_case(model):
    """σ = t / √3 instead of t / 3: alone, three sigma would lie beyond the limits."""
    found = model.tolerance([MEASURE], {"r": {"size": 1e-5, "spread": "uniform"}, "rod": 2e-5}, samples=0)
    parts = np.abs(SLOPES[:2]) * [1e-5 / np.sqrt(3), 2e-5 / 3]
    assert found.sigma[0] == pytest.approx(np.hypot(*parts), rel=1e-9)
    alone = model.tolerance([MEASURE], {"r": {"size": 1e-5, "spread": "uniform"}}, samples=0)[MEASURE]
    assert alone["three sigma"] == alone["worst"] == pytest.approx(abs(SLOPES[0]) * 1e-5, rel=1e-9)


def test_a_loose_pin_moves_the_slider_by_its_clearance_over_the_cosine(model):
    found = model.tolerance([MEASURE], clearance={"C": "20 um"}, samples=0)
    cosine = U / ROD
    assert found[MEASURE]["worst"] == pytest.approx(20e-6 / cosine, rel=1e-9)
    assert found.sigma[0] == pytest.approx(20e-6 / cosine / np.sqrt(2), rel=1e-9)
    assert found.sources == ("clearance of C",)


def test_samples_agree_with_the_first_order(model):
    """Deviations of n samples are known to 1/√(2n); seeds repeat them; every sample ran on the nominal branch."""
    asked = {"of": SIZES, "clearance": {"B": 1e-5}, "samples": 2000, "workers": 1}
    found = model.tolerance([MEASURE], **asked, seed=3)
    assert found.spread.ran == 2000
    assert found.spread.sigma[0] == pytest.approx(found.sigma[0], rel=5 / np.sqrt(2 * 2000))
    assert abs(found.spread.mean[0] - found[MEASURE]["nominal"]) < 5 * found.sigma[0] / np.sqrt(2000)
    off = np.linalg.norm(found.spread.points[:, 3:], axis=1)
    np.testing.assert_allclose(off, 1e-5, rtol=1e-12)
    again = model.tolerance([MEASURE], **asked, seed=3)
    np.testing.assert_array_equal(again.spread.values, found.spread.values)


def test_uniform_samples_fill_the_tolerance_on_both_sides(model):
    """± t about the nominal value: mean 0 within 5 σ/√n, σ = t/√3 (known to 1/√(2n) and better), nothing beyond t."""
    size, count = 1e-5, 1000
    asked = {"r": {"size": size, "spread": "uniform"}}
    spread = model.tolerance([MEASURE], asked, samples=count, workers=1).spread
    off = spread.points[:, 0] - R
    assert abs(off.mean()) < 5 * size / np.sqrt(3 * count)
    assert off.std() == pytest.approx(size / np.sqrt(3), rel=5 / np.sqrt(2 * count))
    assert -size <= off.min() < -0.95 * size
    assert 0.95 * size < off.max() <= size
    off_limits = spread.limits[0] - (R * np.cos(THETA) + U)  # 99.73 % of the samples: all but 0.135 % at each end
    assert off_limits / (SLOPES[0] * size) == pytest.approx([-0.9973, 0.9973], abs=0.012)
    np.testing.assert_allclose(spread.values[:, 0] - spread.mean[0], SLOPES[0] * (off - off.mean()), atol=1e-3 * size)


def test_files_keep_tolerances(model, tmp_path):
    model = model.copy()
    model.set_tolerance("r", "0.5 %")
    model.set_tolerance("rod", 1e-5, spread="uniform")
    model.set_tolerance("C", clearance="20 um")
    model.save(tmp_path / "again.toml")
    again = mubo.load(tmp_path / "again.toml")
    assert again == model
    assert again.tolerances["r"].size == pytest.approx(0.005 * R)
    assert again.tolerance([MEASURE], samples=0).sources == ("r", "rod", "clearance of C")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"of": {"q": 1}}, 'no parameter "q"'),
        ({"of": {"C": 1}}, "clearance = "),
        ({"of": {"r": -1}}, "must be positive"),
        ({"of": {"r": 0}}, "must be positive"),
        ({"of": {"r": "1 kg"}}, "written without a unit"),
        ({"of": {"r": {"size": 1, "spread": "normel"}}}, 'no spread "normel"'),
        ({"clearance": {"guide": 1e-5}}, "pin or ball between two bodies"),
        ({"clearance": {"Q": 1e-5}}, 'no joint "Q"'),
        ({}, "there are no tolerances"),
        ({"of": SIZES, "samples": -1}, "samples must be at least 0"),
        ({"of": SIZES, "analysis": "simulate"}, "analysis must be kinematics or inverse; found"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told(model, asked, words):
    with pytest.raises(mubo.ModelError, match=words):
        model.tolerance([MEASURE], **{"samples": 0, **asked})


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_clearance_spreads_its_radius_over_all_directions(dimension):
    """A component of a vector of length r whose direction is as likely everywhere has the variance r²/n: the squares
    of its n components have the sum r². First order and random designs agree in it."""
    names = tuple(f"B_{letter}" for letter in "xyz"[:dimension])
    source = ToleranceSource(Tolerance("B", 0.02, clearance=True), names)
    (sigma,) = ToleranceStack((source,), None).sigmas
    assert sigma == pytest.approx(0.02 / math.sqrt(dimension), rel=1e-12)
    drawn = random_designs(None, [source], 40_000, seed=1)
    np.testing.assert_allclose(np.linalg.norm(drawn, axis=1), 0.02, rtol=1e-12)
    np.testing.assert_allclose(np.std(drawn, axis=0), sigma, rtol=0.02)
