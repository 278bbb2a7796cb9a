"""Positions under the hand: those of the whole study, in one array that is filled again at every call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mubo

EXAMPLES = Path(mubo.__file__).parent / "examples"


@pytest.mark.parametrize(
    ("example", "name", "numbers"),
    [
        ("four_bar", "coupler.C", [(2.05, 0.0), (1.95, 0.1)]),
        ("jansen_leg", "upper_rod.top", [(50.2, 0.0), (49.8, 0.1)]),
    ],
)
def test_live_positions_are_those_of_the_variant(example, name, numbers):
    model = mubo.load(EXAMPLES / f"{example}.toml")
    asked = model.build().output_times()
    step = (asked.end - asked.start) / 36
    live = model.live(name, step=step)
    first = live.positions(numbers[0])
    for point in (*numbers, numbers[0]):
        found = live.positions(point)
        assert found is first or np.shares_memory(found, first)
        run = model.replace(name, point).kinematics(step=step)
        assert live.message == ""
        for k, column in enumerate(live.names):
            scale = np.max(np.abs(run[column])) + 1
            assert np.max(np.abs(found[:, k] - run[column])) < 1e-9 * scale, column  # both within 1e-10 of the size


def test_a_batch_and_a_live_motion_are_equal_bit_by_bit():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    batch = model.batch({"coupler.C": [(2.05, 0.0)]}, 0, 1, 0.05, columns=["P.x", "rocker.phi"])
    live = model.live("coupler.C", 0, 1, 0.05, columns=["P.x", "rocker.phi"])
    assert np.array_equal(live.positions((2.05, 0.0)), batch.values[0])


def test_dimensions_that_cannot_be_assembled_say_so_and_the_next_ones_work():
    """With the crank at 60° its pin is 2.29 m from D: a coupler of 0.1 m does not reach the rocker of 4 m."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    live = model.live("coupler.C", 0, 1, 0.05, columns=["P.x"])
    good = live.positions((2.0, 0.0)).copy()
    assert np.isnan(live.positions((-1.9, 0.0))).all()
    assert live.message.startswith("not assembled")
    assert np.array_equal(live.positions((2.0, 0.0)), good)
    assert live.message == ""


def test_wrong_numbers_are_one_sentence():
    live = mubo.load(EXAMPLES / "four_bar.toml").live("coupler.C", 0, 1, 0.1)
    for wrong in ([1.0], [1.0, 2.0, 3.0], [float("nan"), 0.0]):
        with pytest.raises(mubo.ModelError, match=r"positions need finite numbers of coupler\.C 2; found"):
            live.positions(wrong)
    with pytest.raises(mubo.ModelError, match=r'"coupler\.X" cannot vary'):
        mubo.load(EXAMPLES / "four_bar.toml").live("coupler.X", 0, 1, 0.1)
