"""Theo Jansen's leg by circle intersections, from the lengths that he calls his "holy numbers"."""

from types import SimpleNamespace

import numpy as np
import pytest
from circles import agree, meet, still, turning
from conftest import EXAMPLES

import mubo

S = SimpleNamespace(
    a=38, b=41.5, c=39.3, d=40.1, e=55.8, f=39.4, g=36.7, h=65.7, i=49, j=50, k=61.9, l=7.8, m=15
)  # a and l: hip from shaft; m: crank; the others as in examples/jansen_leg.toml


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "jansen_leg.toml").kinematics()


def test_every_pin(run):
    shaft, hip = still(0, 0), still(-S.a, -S.l)
    pin = turning(shaft, S.m, np.radians(360 * run["t"]), 2 * np.pi)
    top = meet(pin, S.j, hip, S.b, -1)
    back = meet(top, S.e, hip, S.d, -1)
    knee = meet(pin, S.k, hip, S.c, 1)
    ankle = meet(back, S.f, knee, S.g, -1)
    foot = meet(ankle, S.h, knee, S.i, -1)
    agree(run, {"crank.shaft": shaft, "crank.pin": pin, "upper_rod.pin": pin, "upper_rod.top": top})
    agree(run, {"shoulder.hip": hip, "shoulder.top": top, "shoulder.back": back, "strut.back": back})
    agree(run, {"lower_rod.pin": pin, "lower_rod.knee": knee, "link.hip": hip, "link.knee": knee})
    agree(run, {"strut.ankle": ankle, "leg.knee": knee, "leg.ankle": ankle, "foot": foot})


def test_foot_path_is_flat(run):
    """As the example says: in one half of the turn, without a break, the foot is within 2 mm of its lowest place."""
    low = run["foot.y"] < np.min(run["foot.y"]) + 2
    assert np.mean(low[:-1]) >= 0.5  # the last row is the first again
    assert np.count_nonzero(np.diff(low.astype(int))) == 2
