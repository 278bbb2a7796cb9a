"""Stephenson's six-bar by two circle intersections; its output dwells while the coupler point runs on a circle."""

import numpy as np
import pytest
from circles import agree, meet, still, turning
from conftest import EXAMPLES

import mubo


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "stephenson_six_bar.toml").kinematics()


def test_every_pin(run):
    """Lengths of examples/stephenson_six_bar.toml: crank 40, coupler and rocker 100, rod 100, output 70 mm."""
    a, d, g = still(0, 0), still(80, 0), still(53, 90)
    b = turning(a, 40, np.radians(60 + 360 * run["t"]), 2 * np.pi)
    c = meet(b, 100, d, 100, 1)
    p = b + (c - b) * (40 + 80j) / 100
    e = meet(p, 100, g, 70, -1)
    agree(run, {"crank.A": a, "crank.B": b, "coupler.B": b, "coupler.C": c, "coupler.P": p, "P": p})
    agree(run, {"rocker.D": d, "rocker.C": c, "rod.P": p, "rod.E": e, "output.G": g, "output.E": e, "tip": e})


def test_output_dwells(run):
    """As the example says: while the crank turns from 135° to 225° the output moves by less than 1 % of its swing."""
    part = (run["crank.phi"] >= 135) & (run["crank.phi"] <= 225)
    assert np.ptp(run["output.phi"][part]) < 0.01 * np.ptp(run["output.phi"])
