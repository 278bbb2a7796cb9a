"""A massless link and a circular slot stand in for coupler and rocker of a four-bar: the same motion."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def closed_form(theta):
    """Pin C of the four-bar 2, 4, 4 on a ground of 2.5: intersection of two circles, above the line B–D."""
    bx, by = 2 * np.cos(theta), 2 * np.sin(theta)
    dx, dy = 2.5 - bx, -by
    r2 = dx**2 + dy**2
    height = np.sqrt(16 / r2 - 0.25)  # both links are 4: the foot is half way
    return bx + dx / 2 - height * dy, by + dy / 2 + height * dx


def test_massless_link():
    run = mubo.load(EXAMPLES / "four_bar_link.toml").kinematics()
    x, y = closed_form(np.pi / 3 + 2 * np.pi * run["t"])
    np.testing.assert_allclose(run["C.x"], x, atol=1e-12)
    np.testing.assert_allclose(run["C.y"], y, atol=1e-12)


def test_circular_slot():
    run = mubo.load(EXAMPLES / "four_bar_arc.toml").kinematics()
    whole = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, 0.01)
    for column, limit in (("P.x", 1e-12), ("P.y", 1e-12), ("P.vx", 1e-10), ("P.ay", 1e-8)):
        np.testing.assert_allclose(run[column], whole[column], atol=limit)


def test_length_from_the_estimates_is_noted():
    model = mubo.load(EXAMPLES / "four_bar_link.toml")
    model.joints["coupler"] = replace(model.joints["coupler"], options={})
    run = model.kinematics()
    b, c = np.array([1, 3**0.5]), np.array([2.5 + 4 * np.cos(np.radians(57)), 4 * np.sin(np.radians(57))])
    assert f"joint coupler: length = {np.hypot(*(c - b)):.6g} m, taken from the estimates" in run.summary["warnings"]


def test_a_length_of_zero_is_not_taken_from_the_estimates():
    """Both pins on one place: a link of no length has no direction."""
    model = mubo.Model("no length")
    model.ground.point("A", (1, 2))
    model.body("block", (1, 2), 0, {"A": (0, 0)})
    model.joint("link", "distance", "ground.A", "block.A")
    with pytest.raises(mubo.ModelError, match="joint link: length is zero at the estimated positions; give it"):
        model.check()
