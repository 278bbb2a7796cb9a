"""Four-bars and slider-cranks given by lengths alone: every one that closes is assembled, whatever the crank does.

All links lie on each other along x: a saddle of the gap where the crank stands at 0 or 180 degrees. A four-bar closes
if coupler b and rocker c reach over the distance r from the crank pin to the rocker's: |b − c| < r < b + c; a
slider-crank if the coupler is longer than the offset it has to cross.
"""

import math

import numpy as np
import pytest

import mubo


def feasible(rng, theta, slider):
    """Random lengths that close at the crank angle theta: crank, coupler, rocker, ground, offset."""
    while True:
        a, b, c, d = rng.uniform(0.3, 3, 4)
        offset = rng.uniform(-0.5, 0.5)
        r = math.hypot(d - a * math.cos(theta), a * math.sin(theta))
        closes = (
            abs(a * math.sin(theta) - offset) < 0.999 * b if slider else 1.001 * abs(b - c) + 1e-4 < r < 0.999 * (b + c)
        )
        if closes:
            return a, b, c, d, offset


def drawn_flat(lengths, slider):
    """The model with no position and no angle given."""
    a, b, c, d, offset = lengths
    model = mubo.Model("by lengths")
    model.ground.point("A", (0, 0))
    model.body("crank", points={"A": (0, 0), "B": (a, 0)})
    model.body("coupler", points={"B": (0, 0), "C": (b, 0)})
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("B", "crank.B", "coupler.B")
    if slider:
        model.ground.point("S", (0, offset))
        model.body("slider", points={"C": (0, 0)})
        model.revolute("C", "coupler.C", "slider.C")
        model.translational("S", "ground.S", "slider.C", axis=(1, 0), angle=0)
    else:
        model.ground.point("D", (d, 0))
        model.body("rocker", points={"D": (0, 0), "C": (c, 0)})
        model.revolute("C", "coupler.C", "rocker.C")
        model.revolute("D", "ground.D", "rocker.D")
    return model


@pytest.mark.parametrize("slider", [False, True], ids=["four-bar", "slider-crank"])
@pytest.mark.parametrize("degrees", [0, 90, 180, None], ids=["0", "90", "180", "any"])
def test_every_feasible_one_is_assembled(degrees, slider):
    rng = np.random.default_rng(17 + (degrees or 7))
    for _ in range(12):
        theta = rng.uniform(0, 2 * math.pi) if degrees is None else math.radians(degrees)
        model = drawn_flat(feasible(rng, theta, slider), slider)
        model.driver("motor", "crank.phi", f"{theta!r}")
        report = model.check()
        assert report.ok, report
        assert report.gap < 1e-9


@pytest.mark.parametrize("slider", [False, True], ids=["four-bar", "slider-crank"])
def test_without_a_driver_it_says_so(slider):
    """Collinear links have an instant degree of freedom more than they have; that is not what is wrong with them."""
    rng = np.random.default_rng(5)
    for lengths in ((1.0, 3.0, 2.5, 3.2, 0.0), *(feasible(rng, 0.0, slider) for _ in range(5))):
        assert "1 degree of freedom is not driven" in str(drawn_flat(lengths, slider).check().error)
