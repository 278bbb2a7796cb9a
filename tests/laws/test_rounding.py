"""Rounding is shown as zero: what is nothing beside the largest number of its kind in a run."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.describe.run_summary import PlaceText, range_lines
from mubo.model import Units
from mubo.results import Column
from mubo.results.rounding import ROUNDING, clear_extremes, clear_number, clear_rounding, column_scales
from mubo.view.curves import drawn_rows


def test_less_than_a_billionth_of_a_thousandth_of_the_largest_is_zero():
    values = clear_rounding(np.array([4.8e-20, -1e-9, 3.0]), 8631.0)
    assert values.tolist() == [0.0, 0.0, 3.0]  # 1e-9 < 1e-12 × 8631
    assert clear_number(-1.26e-15, 0.4, -2.0) == 0
    assert clear_number(np.inf, 1.0) == np.inf
    assert clear_number(4.8e-20) == 4.8e-20  # nothing is beside it


def test_extremes_are_cleared_beside_their_own_range():
    entry = {"min": [4.8e-20, 0.1], "max": [8000.0, 0.2], "range": 8000.0, "unit": "N"}
    assert clear_extremes(entry)["min"] == [0.0, 0.1]
    assert entry["min"] == [4.8e-20, 0.1]  # files keep it
    shown = range_lines({"extremes": {"gas": entry}}, PlaceText("s", {}))
    assert shown == [("gas", "range 8 kN, 0 N at t = 0.1 s to 8 kN at t = 0.2 s", "")]


@pytest.mark.parametrize("example", ["toggle_press", "strong_four_bar", "engine"])
def test_moments_of_pins_are_drawn_as_zero(example):
    """A pin transmits no moment: what is computed is rounding of forces times lengths."""
    run = mubo.load(EXAMPLES / f"{example}.toml").inverse()
    pins = [name for name, joint in run.model.joints.items() if joint.kind == "revolute"]
    moments = [
        c.name for c in run.columns.of_kind("reaction") if c.quantity == "m" and c.owner.partition(".")[0] in pins
    ]
    assert moments
    for name in moments:
        shown = drawn_rows(run, name)[1]
        assert np.all((shown == 0) | (np.abs(shown) > ROUNDING * run.columns.scale(name)))
        if np.max(np.abs(run[name])) < 1e-9:
            assert not shown.any(), name


def test_a_rate_is_judged_by_what_turns_and_a_moment_by_forces_at_their_distance():
    """Something of 2 m that turns at 10 rad/s has speeds of 20 m/s and accelerations of 200 m/s²: what is 1e-12 of
    these is rounding, though all the speeds of a run may be. A moment of 100 N at 2 m is 200 N m."""
    schema = [
        Column("p.x", "point", "p", "x", 0, "length"),
        Column("p.vx", "point", "p", "x", 1, "length"),
        Column("p.ax", "point", "p", "x", 2, "length"),
        Column("wheel.omega", "body", "wheel", "phi", 1, "angle"),
        Column("A.on_p.fx", "reaction", "A.on_p", "fx", 0, "force"),
        Column("A.on_p.m", "reaction", "A.on_p", "m", 0, "torque"),
    ]
    sizes = (2.0, 1e-13, 1e-13, 10.0, 100.0, 1e-14)
    values = {column.name: np.full(3, size) for column, size in zip(schema, sizes, strict=True)}
    scales = column_scales(schema, {"t": np.array([0.0, 1.0, 2.0]), **values}, Units())
    assert (scales["p.vx"], scales["p.ax"], scales["A.on_p.m"]) == pytest.approx((20.0, 200.0, 200.0))
