"""A table in which any column was changed by a millionth of its size is not verified, whatever the study."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.analyses.verify.repetition import compare_columns, repeat_analysis

STUDIES = {
    "kinematics": ("four_bar", {}),
    "inverse": ("engine", {}),
    "statics": ("engine", {}),
    "simulate": ("motor_slider_crank", {"reactions": True}),
}


@pytest.fixture(scope="module", params=STUDIES)
def run(request):
    name, how = STUDIES[request.param]
    model = mubo.load(EXAMPLES / f"{name}.toml")
    end = model.build().output_times().end / 20
    return getattr(model, request.param)(0, end, end / 3, **how)


def altered(run, name):
    """The run with one row of a column changed by a millionth of the column's size."""
    values = run.columns.raw(name).copy()
    values[-1] = np.nan_to_num(values[-1]) + 1e-6 * (np.nanmax(np.abs(values), initial=0.0) or 1.0)
    return replace(run, columns=run.columns.replaced({name: values}))


def test_a_run_as_it_was_solved_is_verified(run):
    assert run.verify().holds


def test_every_column_that_was_changed_is_found(run):
    again = repeat_analysis(run)
    assert compare_columns(run, again).holds
    for name in run.columns:
        check = compare_columns(altered(run, name), again)
        assert not check.holds, name
        assert name in check.note


def test_the_verdict_of_a_changed_table_is_that_it_does_not_hold(run):
    assert not altered(run, "t").verify().holds
