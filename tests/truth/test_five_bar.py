"""A five-bar with two drivers: the common pin is where the circles about the two crank ends meet."""

import numpy as np
from circles import agree, meet, still, turning
from conftest import EXAMPLES

import mubo


def test_every_pin():
    """Lengths of examples/five_bar.toml: frame 100, cranks 30 and 40, links 90 and 100 mm; rates as 1 to −2."""
    run = mubo.load(EXAMPLES / "five_bar.toml").kinematics()
    a, e = still(0, 0), still(100, 0)
    b = turning(a, 30, np.radians(90 + 360 * run["t"]), 2 * np.pi)
    d = turning(e, 40, np.radians(60 - 720 * run["t"]), -4 * np.pi)
    c = meet(b, 90, d, 100, 1)
    agree(run, {"left_crank.A": a, "left_crank.B": b, "left_link.B": b, "left_link.C": c})
    agree(run, {"right_crank.E": e, "right_crank.D": d, "right_link.D": d, "right_link.C": c, "P": c})
