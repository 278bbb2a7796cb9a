"""Watt's six-bar by two circle intersections; its point runs straight for nearly half a turn."""

import numpy as np
from circles import agree, meet, still, turning
from conftest import EXAMPLES

import mubo


def test_every_pin():
    """Lengths of examples/watt_six_bar.toml: crank 30, coupler 95, rocker 100, links 75 and 80 mm."""
    run = mubo.load(EXAMPLES / "watt_six_bar.toml").kinematics()
    a, d = still(0, 0), still(75, 0)
    b = turning(a, 30, np.radians(60 + 360 * run["t"]), 2 * np.pi)
    c = meet(b, 95, d, 100, 1)
    e = b + (c - b) * (80 - 50j) / 95
    f = d + (c - d) * (115 + 20j) / 100
    h = meet(e, 75, f, 80, -1)
    p = e + (h - e) * 120 / 75
    agree(run, {"crank.A": a, "crank.B": b, "coupler.B": b, "coupler.C": c, "coupler.E": e})
    agree(run, {"rocker.D": d, "rocker.C": c, "rocker.F": f, "brace.F": f, "brace.H": h})
    agree(run, {"tracer.E": e, "tracer.H": h, "P": p})


def test_point_runs_nearly_straight():
    """As the example says: while the crank turns from 90° to 252° the height changes by less than 1 % of the way."""
    run = mubo.load(EXAMPLES / "watt_six_bar.toml").kinematics()
    part = (run["crank.phi"] >= 90) & (run["crank.phi"] <= 252)
    assert np.ptp(run["P.y"][part]) < 0.01 * np.ptp(run["P.x"][part])
