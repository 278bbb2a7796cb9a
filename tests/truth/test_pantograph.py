"""The pantograph: the copy is the original enlarged about the fixed pivot, in position, velocity and acceleration."""

import numpy as np
from circles import agree, meet, still
from conftest import EXAMPLES

import mubo

SCALE, SHORT = 2.5, 60.0  # of examples/pantograph.toml: 150 to 60 mm
W = 2 * np.pi


def clover(t):
    """(80, −20) + (12 + 4 cos 3s) exp is with s = 2πt, written as a sum of exp iks, of which each is differentiated."""
    terms = {1: 12.0, 4: 2.0, -2: 2.0}
    parts = [sum(c * (1j * k * W) ** n * np.exp(1j * k * W * t) for k, c in terms.items()) for n in range(3)]
    return still(80, -20) + np.array(parts)


def test_copy_is_the_scaled_original():
    run = mubo.load(EXAMPLES / "pantograph.toml").kinematics()
    pen = clover(run["t"])
    a = meet(still(0, 0), SHORT, pen, SHORT, 1)
    b, copy = SCALE * a, SCALE * pen
    c = b + pen - a
    agree(run, {"original": pen, "copy": copy})
    agree(run, {"near_arm.A": a, "near_arm.B": b, "far_arm.B": b, "far_arm.C": c, "far_arm.pen": copy})
    agree(run, {"stylus.pin": pen, "stylus.A": a, "brace.pin": pen, "brace.C": c})
