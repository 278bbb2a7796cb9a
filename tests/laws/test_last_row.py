"""The last row of every study is `end`, and what a summary states of a motion does not depend on the step."""

import numpy as np
import pytest
from conftest import EXAMPLES, MOVED_EXAMPLES

import mubo
from mubo.quantities.output_times import OutputTimes

UNEVEN = (0.61, 1.3)  # of the example's own step: they divide none of their times
FORCED_EXAMPLES = [path for path in MOVED_EXAMPLES if mubo.load(path).gravity is not None]


@pytest.mark.parametrize(("end", "step"), [(1, 0.4), (1, 0.3), (0.3, 0.1), (1, 1 / 3), (0.972, 0.0145), (1, 3), (0, 1)])
def test_rows_begin_at_start_keep_the_step_and_end_at_end(end, step):
    grid = OutputTimes(0.0, end, step).grid()
    assert grid[0] == 0
    assert abs(grid[-1] - end) <= 1e-9 * step
    assert np.all(np.diff(grid) > 1e-9 * step)
    assert np.allclose(np.diff(grid)[:-1], step, rtol=1e-12)


@pytest.mark.parametrize("study", ["kinematics", "inverse", "statics", "simulate"])
def test_every_study_ends_at_its_end(study):
    name = {"kinematics": "four_bar", "simulate": "released_four_bar"}.get(study, "engine")
    run = getattr(mubo.load(EXAMPLES / f"{name}.toml"), study)(0, 0.01, 0.004)
    assert run["t"].tolist() == [0, 0.004, 0.008, 0.01]


def largest_of_each_order(extremes):
    """The largest value of all extremes of one kind, such as every `.a`: it sets what rounding is."""
    sizes = {}
    for name, entry in extremes.items():
        kind = name.rpartition(".")[2].rstrip("123456")
        values = [abs(entry[end][0]) for end in ("min", "max") if end in entry]
        sizes[kind] = max(sizes.get(kind, 0.0), *values)
    return sizes


def assert_same_extremes(one, two):
    sizes = largest_of_each_order(one)
    assert two.keys() == one.keys()
    for name, entry in one.items():
        for end in ("min", "max"):
            if end in entry:
                size = sizes[name.rpartition(".")[2].rstrip("123456")]
                ends = entry[end][0], two[name][end][0]
                assert ends[0] == ends[1] or abs(ends[1] - ends[0]) <= 1e-7 * size + 1e-11, (name, end, *ends)


@pytest.mark.parametrize("path", MOVED_EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:the motion stops")
def test_swings_ratios_and_extremes_do_not_depend_on_the_step(path):
    model = mubo.load(path)
    asked = model.build().output_times()
    one = model.kinematics(step=asked.step)
    for factor in UNEVEN:
        two = model.kinematics(step=factor * asked.step)
        assert_same_extremes(one.extremes, two.extremes)
        for output, found in one.summary.get("outputs", {}).items():
            again = two.summary["outputs"][output]
            ratios = [entry.get("time_ratio") or 0.0 for entry in (found, again)]
            assert ratios[1] == pytest.approx(ratios[0], rel=1e-9), output
            places = [[place["value"] for place in entry["toggle_positions"]] for entry in (found, again)]
            assert places[1] == pytest.approx(places[0], rel=1e-7, abs=1e-9), output  # a dwell has no time of its own


@pytest.mark.parametrize("path", FORCED_EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:the motion stops")
def test_extremes_of_forces_do_not_depend_on_the_step(path):
    """Peaks of reactions and accelerations are narrower than rows, and forces jump between them."""
    model = mubo.load(path)
    step = model.build().output_times().step
    one, *others = (model.inverse(step=factor * step).extremes for factor in (1, *UNEVEN))
    for two in others:
        assert_same_extremes(one, two)
