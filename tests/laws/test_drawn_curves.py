"""Every drawn curve is true: between the rows it equals what a run of a finer step solves, or it is drawn as dots.

Over all examples, by the study that their file names, and all columns: within a hundredth of the range of the column.
"""

import warnings

import numpy as np
import pytest
from conftest import EXAMPLES
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import mubo
from mubo.applications.strength.beams import pieces_of
from mubo.view.charts import draw_reference, plot_rows
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


FUNCTIONS = {
    "sine": lambda x: np.sin(2 * x),
    "peak": lambda x: 1 / (1 + 400 * (x - 2.03) ** 2),
    "corner": lambda x: np.abs(x - 1.71),
    "growth": np.exp,
    "wave": lambda x: np.sin(13 * x),  # with seven rows no two are on one wave
}


def lines_true(axes, function):
    """Whether every drawn line is within a hundredth of the range of the function; NaN are gaps between dots."""
    for line in axes.lines:
        x, y = (np.asarray(data, float) for data in line.get_data())
        fine = np.linspace(x[0], x[-1], 4001)
        truth, shown = function(fine), np.interp(fine, x, y)
        here = np.isfinite(shown)
        if line.get_linestyle() != "None" and here.any():
            assert np.max(np.abs(shown - truth)[here]) <= TRUE * np.ptp(truth)


@pytest.mark.parametrize("count", [7, 25, 90])
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_curves_of_tables_without_rates_are_true_or_dots(function, count):
    """Tables of compare, sweep, batch and --reference: every row is on a line or a dot, and no line goes astray."""
    x = np.linspace(0, 4, count)
    axes = Figure().subplots()
    plot_rows(axes, x, function(x))
    lines_true(axes, function)
    drawn = np.concatenate([np.column_stack(line.get_data()) for line in axes.lines])
    drawn = drawn[np.isfinite(drawn[:, 1])]
    assert all(np.any(np.all(np.isclose(drawn, row), axis=1)) for row in np.column_stack([x, function(x)]))


def test_charts_of_references_and_comparisons_are_true_or_dots(tmp_path):
    """Rows of a four-bar 40 degrees apart do not show its acceleration."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    coarse, fine = model.kinematics(0, 1, 0.11), model.kinematics(0, 1, 0.11 / 8)
    coarse.save(tmp_path / "rows.csv")
    axes = Figure().subplots()
    draw_reference([axes], fine, ["P.ay"], tmp_path / "rows.csv")
    lines_true(axes, lambda t: np.asarray(fine.at(t)["P.ay"]))
    assert len(axes.lines[-1].get_xdata()) > 2  # the dots
    other = model.replace("crank.B", (1.02, 0)).kinematics(0, 1, 0.11)
    found = mubo.compare(coarse, other)
    figure = found.plot()
    dots = [line for axes in figure.axes for line in axes.lines if line.get_linestyle() == "None"]
    assert dots


def test_the_band_round_a_path_does_not_depend_on_the_step():
    """Its middle is the path of P and its width that of a run of a finer step, a hundredth of their sizes at most."""
    model = mubo.load(EXAMPLES / "tolerances.toml")
    fine = model.tolerance(step=0.0025, samples=0)
    place, width = (np.concatenate(line.get_data()) for line in band_lines(fine))
    for step in (0.2, 0.05):
        at, wide = (np.concatenate(line.get_data()) for line in band_lines(model.tolerance(step=step, samples=0)))
        for coarse, truth in ((at, place), (wide, width)):
            x, y = coarse.reshape(2, -1)
            u, v = truth.reshape(2, -1)
            away = np.min(np.hypot(x[:, None] - u, y[:, None] - v), axis=1)
            assert np.max(away) < TRUE * max(np.ptp(u), np.ptp(v))


def band_lines(found):
    """The path in the picture of a band, and the outer side of its worst case, magnified ten times."""
    axes = found.plot("P", magnify=10).axes[0]
    path = max(axes.lines, key=lambda line: len(line.get_xdata()))
    corners = np.array([patch.get_xy()[0] for patch in axes.patches[: len(path.get_xdata()) - 1]])
    return path, Line2D(*corners.T)


def loaded_link():
    """A crank with a force on its point Q, which is no even station of its beam: V jumps there, M has a corner."""
    model = mubo.Model("loaded link", gravity=(0, -9.81), units={"length": "m", "force": "N"})
    model.ground.point("A", (0, 0))
    points = {"A": (0, 0), "Q": (0.3137, 0), "B": (1, 0)}
    model.body("crank", points=points, mass=2, inertia=0.2, center=(0.5, 0))
    model.revolute("A", "ground.A", "crank.A")
    model.force("push", "point_force", "crank.Q", force=500, direction=(0, 1))
    model.material("steel", yield_="250 MPa", E="210 GPa", ultimate="400 MPa", fatigue="160 MPa")
    model.section("crank", along=("A", "B"), shape="rectangle", height=0.04, width=0.02, material="steel")
    model.driver("motor", "A", "t")
    return model


def test_diagrams_along_links_are_true():
    """N, V, M of the picture of links at their worst instants, beside the polynomials that they are drawn from."""
    for model in (mubo.load(EXAMPLES / "strong_four_bar.toml"), loaded_link()):
        found = model.strength(0, 1, 0.1)
        for name, worst in found.worst.items():
            link = found.links[name]
            fine = np.linspace(0, link.beam.length, 4001)
            truth = pieces_of(link.beam, found.clearance.history.at(np.array([worst.t]))).at(fine)
            for curve, true in zip((worst.n, worst.v, worst.m), truth, strict=True):
                shown = np.interp(fine, worst.s, curve)
                assert np.max(np.abs(shown - true[0])) <= TRUE * np.ptp(true[0]) + 1e-9 * np.max(np.abs(truth)), name


def test_curves_over_the_cycle_do_not_depend_on_the_rows():
    """The figure of gait draws means over cycles by splines through rows: rows of half the step give the same."""
    model = mubo.load(EXAMPLES / "walker.toml")
    times = model.build().output_times()
    coarse, fine = (model.gait(step=part * times.step) for part in (1.0, 0.5))
    for side, cycles in fine.cycles.items():
        for name in cycles.of:
            truth, shown = cycles.mean(name), coarse.cycles[side].mean(name)
            assert np.max(np.abs(shown - truth)) <= TRUE * np.ptp(truth), name
