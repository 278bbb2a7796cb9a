"""Every drawn curve is true: between the rows it equals what a run of a finer step solves, or it is drawn as dots.

Over all examples, by the study that their file names, and all columns: within a hundredth of the range of the column.
"""

import warnings

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.view.curves import column_curve
from mubo.view.refinement import refine_rows

MODELS = sorted(path for path in EXAMPLES.glob("*.*") if path.suffix in (".toml", ".dat", ".deck"))
MODELS = [path for path in MODELS if path.stem != "closure"]  # nothing moves
TRUE = 0.01
STUDIES = {"strong_four_bar": "strength"}
# The error of an integration is no function of time alone; residuals of a gait are those of measured rows.
ROWS_ALONE = ("energy.error", "residual.fx", "residual.fy", "residual.m")


def solved(model, study, *times):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a lock
        found = getattr(model, study)(*times)
    return getattr(found, "run", found)


@pytest.fixture(scope="module", params=MODELS, ids=lambda path: path.stem)
def pair(request):
    """A run with the rows for its drawing, and a run with a third of its step."""
    model = mubo.load(request.param)
    study = STUDIES.get(request.param.stem) or getattr(model.analysis, "type", None) or "kinematics"
    run = solved(model, study)
    times = run.record.times
    return refine_rows(run), solved(model, study, times.start, times.end, times.step / 3)


def test_curves_equal_what_a_finer_run_solves(pair):
    drawn, fine = pair
    t = fine["t"]
    inside = (t <= drawn["t"][-1]) & ~np.isin(t, t[1:][np.diff(t) == 0])  # a deck turns back with two rows at one time
    for name in fine.columns:
        truth = fine[name][inside]
        known = np.isfinite(truth)
        if name in ROWS_ALONE or not known.any() or np.ptp(truth[known]) < 1e-6 * fine.columns.scale(name):
            continue
        shown = np.interp(t[inside], *column_curve(drawn, name))
        here = known & np.isfinite(shown)
        assert np.max(np.abs(shown - truth)[here], initial=0.0) <= TRUE * np.ptp(truth[known]), name
        assert np.sum(here) >= 0.9 * np.sum(known), name
