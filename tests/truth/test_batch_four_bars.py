"""Four-bar linkages of any lengths against the two circles that make them, and against the rule that ends them.

C lies on a circle about B and one about D, to the left of the way from B to D, which is the assembly mode of the model.
It exists where | coupler − rocker | < |BD| < coupler + rocker. A variant is assembled if that holds all along the
straight way from the model's lengths to its own; its motion ends where the crank first leaves the range.
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

VARIANTS = 400
LENGTHS = np.array([2.0, 4.0, 4.0, 2.5])  # crank, coupler, rocker and ground of the model


@pytest.fixture(scope="module")
def links():
    """Crank, coupler, rocker, ground."""
    return np.random.default_rng(7).uniform((0.3, 0.3, 0.3, 1.0), (6.0, 8.0, 8.0, 6.0), (VARIANTS, 4))


def dimensions(links):
    """In the points of examples/four_bar.toml, whose bodies have their origins in the middle."""

    def along(k, part):
        return np.column_stack([part * links[:, k], np.zeros(VARIANTS)])

    return {
        "crank.A": along(0, -0.5),
        "crank.B": along(0, 0.5),
        "coupler.B": along(1, -0.5),
        "coupler.C": along(1, 0.5),
        "rocker.C": along(2, 0.5),
        "rocker.D": along(2, -0.5),
        "ground.D": along(3, 1.0),
    }


def circles(links, t):
    """Middle of the coupler (variants × times × 2), NaN where the circles do not meet."""
    a, b, c, d = (links[:, k, None] for k in range(4))
    angle = np.pi / 3 + 2 * np.pi * t
    bx, by = a * np.cos(angle), a * np.sin(angle)
    dx, dy = d - bx, -by
    square = dx**2 + dy**2
    foot = 0.5 + 0.5 * (b**2 - c**2) / square
    with np.errstate(invalid="ignore"):
        height = np.sqrt(b**2 / square - foot**2)
    return np.stack([bx + 0.5 * (foot * dx - height * dy), by + 0.5 * (foot * dy + height * dx)], axis=2)


@pytest.mark.filterwarnings("ignore:400 variants")
@pytest.mark.parametrize("step", [0.01, 0.1])
def test_any_four_bar_is_built_moved_and_ended_as_its_circles_say(links, step):
    batch = mubo.load(EXAMPLES / "four_bar.toml").batch(
        dimensions(links), 0, 1, step, columns=["coupler.x", "coupler.y"]
    )
    fine = np.linspace(0, 1, 20_001)
    exists = np.isfinite(circles(links, fine)[:, :, 0])
    ends = np.where(exists.all(axis=1), len(fine), np.argmin(exists, axis=1)) - 1  # the last fine instant, −1: none
    ways = LENGTHS + np.linspace(0, 1, 2001)[:, None, None] * (links - LENGTHS)
    led = np.all([np.isfinite(circles(way, np.zeros(1))[:, 0, 0]) for way in ways], axis=0)
    expected = np.where((ends < 0) | ~led, -1, np.floor(fine[np.maximum(ends, 0)] / step + 1e-9)).astype(int)
    np.testing.assert_array_equal(batch.reached, expected)
    assert (expected < 0).any()
    assert batch.ok.any()
    truth = circles(links, batch.t)
    late = np.arange(len(batch.t)) > batch.reached[:, None]
    truth[late] = np.nan
    np.testing.assert_allclose(batch.values, truth, atol=1e-11, equal_nan=True)
