"""Certificates of positions against what is known in closed form (Ortega and Rheinboldt 1970, 12.6)."""

import math

import mpmath
import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.analyses.verify.poses import _within, certificate
from mubo.solvers.assembly.assemble import assemble
from mubo.solvers.assembly.start_analysis import analyse_start


def test_radii_are_the_roots_of_the_quadratic():
    """Sharp for ω x²/2 − x + η = 0, whose roots are (1 ∓ √(1 − 2 ω η)) / ω."""
    eta, omega = 0.1, 3.0
    found = _within(eta, omega, 1.0)
    roots = np.roots([omega / 2, -1, eta])
    assert found.exists == pytest.approx(min(roots), rel=1e-12)
    assert found.unique == pytest.approx(max(roots), rel=1e-12)
    assert found.h == pytest.approx(0.3)
    assert not _within(0.2, omega, 1.0).holds  # h = 0.6
    assert _within(eta, omega, 0.2).unique == 0.2  # nothing is told beyond the ball
    assert not _within(eta, omega, 0.1).holds  # the solution may lie outside of it


def four_bar():
    model = mubo.load(EXAMPLES / "textbook_four_bar.toml").build()
    look = analyse_start(model, 0.0, 0.0, 20)
    active = np.arange(len(look.form.equations), dtype=np.int32)
    return look, active


def exact(look, q):
    """The position near q in fifty digits, by Newton on the rows of pins, written here once more."""
    form, model = look.form, look.form.model
    names = list(form.free)

    def place(x, reference):
        body, at = model.place(reference)
        if body not in names:
            return at
        k = 3 * names.index(body)
        c, s = mpmath.cos(x[k + 2]), mpmath.sin(x[k + 2])
        return x[k] + c * at[0] - s * at[1], x[k + 1] + s * at[0] + c * at[1]

    driven = 3 * names.index("crank") + 2
    law = float(look.motion[0])

    def equations(*x):
        gaps = [[place(x, end) for end in joint.between] for joint in model.joints.values()]
        return [a[k] - b[k] for a, b in gaps for k in range(2)] + [x[driven] - law]

    with mpmath.workdps(50):
        found = mpmath.findroot(equations, tuple(mpmath.mpf(float(value)) for value in q), tol=1e-60)
        return [found[k] for k in range(len(q))]


def test_the_exact_position_lies_within_the_radius():
    look, active = four_bar()
    form = look.form
    true = exact(look, look.assembly.q)
    for shift in (0.0, 1e-9, 1e-5):
        q = look.assembly.q + shift * np.cos(np.arange(len(look.assembly.q)) + 1)
        found = certificate(form, active, q, look.motion)
        away = max(
            abs(float(x - y)) * w for x, y, w in zip(true, map(mpmath.mpf, map(float, q)), form.weight, strict=True)
        )
        assert found.holds
        assert away <= found.exists
        assert found.exists <= max(3 * away, 1e-13)  # and is of its size


@pytest.mark.parametrize("name", ["textbook_four_bar", "slider_crank", "watt_six_bar", "stewart_platform", "rssr"])
def test_no_other_way_of_assembling_lies_within_the_radius_of_uniqueness(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    look = analyse_start(model.build(), 0.0, 0.0, 20)
    form = look.form
    active = np.array(look.diagnosis.independent, np.int32)
    found = certificate(form, active, look.assembly.q, look.motion)
    assert found.holds
    assert 1e-4 < found.unique <= 1
    rng, others = np.random.default_rng(1), 0
    for _ in range(30):
        start = look.assembly.q + rng.uniform(-3, 3, len(form.weight)) / form.weight
        reached = assemble(form, look.motion, look.tolerance, 50, start)
        away = np.max(np.abs((reached.q - look.assembly.q) * form.weight))
        if reached.gap <= look.tolerance and away > 1e-6:
            others += 1
            assert away > found.unique
    if name in ("textbook_four_bar", "slider_crank", "watt_six_bar"):
        assert others


def test_a_dead_position_is_not_certified():
    """Crank and coupler in line: two ways of assembling meet there (a = 1, b = 2, c = 2, d = 3 at the crank's 0)."""
    look, active = four_bar()
    q = look.assembly.q.copy()
    singular = certificate(look.form, np.zeros(len(active), np.int32), q, look.motion)  # one equation again and again
    assert not singular.holds
    assert singular.unique == 0.0


def test_a_wrong_position_is_not_certified():
    look, active = four_bar()
    q = look.assembly.q.copy()
    q[2] += 1.0
    found = certificate(look.form, active, q, look.motion)
    assert not found.holds
    assert found.h > 0.5 or math.isinf(found.h)
