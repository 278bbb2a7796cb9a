"""A double universal shaft: even where the forks of its middle shaft lie in one plane, uneven twice over where not.

Hooke's joint at an angle β turns its second shaft by tan θ₂ = cos β tan θ₁. The second joint of a shaft with its forks
in one plane undoes that; with one fork turned by a right angle tan θ₃ = cos² β tan θ₁, whose rate lies between cos² β
and 1/cos² β. Source: Uicker, Pennock and Shigley, Theory of Machines and Mechanisms (2011), 3.13.
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def test_forks_in_phase_give_constant_velocity_and_forks_out_of_phase_do_not():
    run = mubo.load(EXAMPLES / "double_universal.toml").kinematics()
    turn = np.radians(run["bearing_even.q"])
    even, odd = (np.radians(run[f"sleeve_{name}.q1"]) for name in ("even", "odd"))
    assert np.allclose(np.exp(1j * even), np.exp(1j * turn), atol=1e-9)
    assert run["sleeve_even.v1"] == pytest.approx(np.full(len(run), 360.0), rel=1e-9)
    square = math.cos(math.radians(30)) ** 2
    expected = np.arctan2(square * np.sin(turn), np.cos(turn))
    assert np.allclose(np.exp(1j * odd), np.exp(1j * expected), atol=1e-9)
    rate = run["sleeve_odd.v1"] / 360
    assert (rate.min(), rate.max()) == (pytest.approx(square, rel=1e-3), pytest.approx(1 / square, rel=5e-3))  # at rows
