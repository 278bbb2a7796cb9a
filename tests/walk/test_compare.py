"""Two tables on their common columns: numbers from formulas, other times, units, names, the command, the picture."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.applications.compare.comparison import ColumnDifference, Comparison
from mubo.view.compare import NAMED, draw_comparison

GOOD = "t,A.x\n0,1\n1,2\n"
T = np.arange(64) / 64  # one period, its end left out: means of cos and cos² over it are 0 and 1/2


def write(path, columns, separator=",", before=""):
    lines = [
        separator.join(columns),
        *(separator.join(map(repr, row)) for row in np.column_stack([*columns.values()]).tolist()),
    ]
    path.write_text(before + "\n".join(lines) + "\n")
    return path


@pytest.fixture
def table(tmp_path):
    return lambda name, columns, **options: write(tmp_path / name, columns, **options)


def rows(found):
    return {row.column: row for row in found.rows}


def test_offset_and_ripple_in_closed_form(table):
    """d = -(c + a cos 2πt): max |d| = c + a at t = 0, std d = a/√2."""
    c, a = 3e-9, 2e-9
    one = table("a.csv", {"t": T, "A.x": np.sin(T), "A.vx": np.cos(T)})
    other = table("b.csv", {"t": T, "A.x": np.sin(T) + c + a * np.cos(2 * np.pi * T), "A.vx": np.cos(T) + c})
    found = mubo.compare(one, other)
    assert found.times == "64 rows, row by row"
    x, v = found.rows
    assert (x.column, x.kind, x.t) == ("A.x", "positions", 0.0)
    assert x.maximum == pytest.approx(c + a, abs=1e-15)
    assert x.std == pytest.approx(a / math.sqrt(2), abs=1e-15)
    assert (v.kind, v.maximum, v.std) == ("velocities", pytest.approx(c, abs=1e-15), pytest.approx(0, abs=1e-15))
    np.testing.assert_allclose(found.differences["A.x"], -c - a * np.cos(2 * np.pi * T), atol=1e-15)


def test_overall_lines_name_the_largest_of_each_kind(table):
    ramp = np.linspace(-1, 1, 64)
    names = ["A.x", "B.phi", "A.vx", "A.alpha", "motor.value"]
    one = table("a.csv", {"t": T, **dict.fromkeys(names, 0 * T)})
    sizes = dict(zip(names, (1e-3, 2e-3, 1e-4, 1e-5, 0.0), strict=True))
    found = mubo.compare(one, table("b.csv", {"t": T, **{name: size * ramp for name, size in sizes.items()}}))
    largest = {kind: (a.column, a.maximum, n) for kind, (a, _, n) in found.overall().items()}
    assert largest == {
        "positions": ("B.phi", 2e-3, 2),
        "velocities": ("A.vx", 1e-4, 1),
        "accelerations": ("A.alpha", 1e-5, 1),
        "others": ("motor.value", 0.0, 1),
    }
    assert found.exceeding(1e-3) == ["B.phi"]
    text = str(found).splitlines()
    std = 2e-3 * math.sqrt(65 / 189)  # of n equal steps from -1 to 1: sqrt((n + 1) / (3 n - 3))
    assert text[-4].split() == ["positions,", "2", "columns", "2.000e-03", "0", f"{std:.3e}", "largest", "in", "B.phi"]
    assert text[-1].endswith("no difference")
    assert not any(line.startswith("motor.value") for line in text)  # what is the same is counted, not listed
    assert text[-6].split() == ["1", "other", "column", "no", "difference"]
    assert mubo.compare(one, one).text.count("0.000e+00") == 2 * 4  # a line for each kind of column


def cubic(t):
    return 2 * t**3 - t**2 + 0.5 * t - 1


def test_other_times_are_interpolated_and_it_is_said(table):
    """A not-a-knot spline is exact for cubics; the reference is above by 0.25 + 0.5 t."""
    t, ref = np.linspace(0, 1, 11), np.linspace(0.03, 1.03, 21)
    found = mubo.compare(
        table("a.csv", {"t": t, "A.x": cubic(t)}), table("b.csv", {"t": ref, "A.x": cubic(ref) + 0.25 + 0.5 * ref})
    )
    assert found.times == "RESULT interpolated at 20 times of REFERENCE; 1 outside t = 0 to 1 left out"
    assert found.interpolated
    assert found.doubtful == ()
    (row,) = found.rows
    assert (row.t, row.maximum) == (ref[19], pytest.approx(0.25 + 0.5 * ref[19], abs=1e-12))
    assert row.std == pytest.approx(0.5 * np.std(ref[:20]), abs=1e-12)


def test_rows_of_a_finer_grid_are_taken_as_they_are(table):
    t, rough = np.linspace(0, 1, 101), np.linspace(0, 1, 11)
    found = mubo.compare(
        table("a.csv", {"t": t, "A.x": np.sin(50 * t)}), table("b.csv", {"t": rough + 1e-11, "A.x": np.sin(50 * rough)})
    )
    assert found.times == "11 times of REFERENCE, all among the 101 rows of RESULT"
    assert (found.rows[0].maximum, found.interpolated) == (pytest.approx(0, abs=1e-13), False)


def test_times_within_1e9_of_the_span_are_the_same(table):
    one = table("a.csv", {"t": T, "A.x": T})
    assert not mubo.compare(one, table("b.csv", {"t": T + 9e-10, "A.x": T})).interpolated
    assert mubo.compare(one, table("c.csv", {"t": T + 2e-9, "A.x": T})).interpolated


def test_what_interpolation_may_account_for_is_said(table):
    """sin 6t at 11 times, compared with itself: all that differs is the spline."""
    t, ref = np.linspace(0, 1, 11), np.linspace(0, 1, 38)
    one = table("a.csv", {"t": t, "A.x": np.sin(6 * t), "A.y": t})
    found = mubo.compare(one, table("b.csv", {"t": ref, "A.x": np.sin(6 * ref), "A.y": ref}))
    assert found.doubtful == ("A.x",)
    assert "interpolation alone may account for the differences of 1 column: A.x; give RESULT the times" in found.text


def test_units_are_converted_and_it_is_said(table):
    deg = 180 / np.pi
    one = table(
        "a.csv", {"t [s]": T, "A.x [mm]": T, "A.vx [m/s]": T, "A.omega [rad/s]": T, "A.alpha [deg/s^2]": T, "q": T}
    )
    other = table(
        "b.csv",
        {
            "Time (ms)": 1000 * T,
            "A.x [m]": T / 1000,
            "A.vx [mm/sec]": 1000 * T,
            "A.omega [deg/s]": T * deg,
            "A.alpha [rad/sec**2]": T / deg,
            "q [-]": T,
        },
    )
    found = mubo.compare(one, other)
    assert [row.maximum for row in found.rows] == pytest.approx([0] * 5, abs=1e-15)
    assert [row.unit for row in found.rows] == ["mm", "m/s", "rad/s", "deg/s^2", "-"]
    assert found.notes == (
        "REFERENCE converted from ms to s (1 column), m to mm (1 column), mm/sec to m/s (1 column), "
        "deg/s to rad/s (1 column), rad/sec**2 to deg/s^2 (1 column)",
        "RESULT gives no unit of 1 column; compared as numbers: q",
    )


def test_mapping_also_of_the_time(table):
    one = table("a.csv", {"t": T, "A.x": T, "A.y": -T, "B.x": T})
    other = table("b.csv", {"step": np.arange(64.0), "clock": T, "X_CM": T + 1, "A.y": -T})
    found = mubo.compare(one, other, {"A.x": "X_CM", "t": "clock"})
    assert {name: (row.reference_column, row.maximum) for name, row in rows(found).items()} == {
        "A.x": ("X_CM", 1.0),
        "A.y": ("A.y", 0.0),
    }
    assert (found.only_in_result, found.only_in_reference) == (("B.x",), ("step",))
    assert "left out        1 column only in RESULT: B.x\n" in found.text
    assert "against X_CM" in found.text


def test_long_lists_are_shortened(table):
    one = table("a.csv", {"t": T, "x": T, **{f"q{k}": T for k in range(20)}})
    text = mubo.compare(one, table("b.csv", {"t": T, "x": T})).text
    assert "20 columns only in RESULT: q0, q1, q2, q3, q4, q5 … and 14 more\n" in text


def test_runs_are_compared_without_files(tmp_path):
    """The four-bar as KABIOS text has other names and the same motion."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    run = model.kinematics()
    found = mubo.compare(run, run, path=tmp_path / "error.png")
    assert (found.result, found.exceeding(0)) == (model.name, [])
    assert (tmp_path / "error.png").stat().st_size > 10_000
    model.save(tmp_path / "four_bar.dat")
    mapping = {f"P.{c}": f"P1.{c}" for c in ("x", "y", "vx", "vy", "ax", "ay")}
    found = mubo.compare(run, mubo.load(tmp_path / "four_bar.dat").kinematics(), mapping)
    assert len(found.rows) == 6
    assert found.exceeding(1e-9) == []


def test_whole_turns_are_pointed_out(table):
    wrapped = (10 * T + np.pi) % (2 * np.pi) - np.pi
    found = mubo.compare(table("a.csv", {"t": T, "A.phi": 10 * T}), table("b.csv", {"t": T, "A.phi": wrapped}))
    assert found.rows[0].maximum == pytest.approx(4 * np.pi, abs=1e-12)
    assert found.notes == ("whole turns are all that differs in A.phi, up to 0.001 of a turn",)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("t,A.x [deg]", 'column "A.x" is in [m] in RESULT and in [deg] in REFERENCE: these do not convert'),
        ("t,A.x [ell]", '"ell" is not a unit that mubo knows'),
        ("t [m],A.x [m]", 'column "t" is in [s] in RESULT and in [m] in REFERENCE'),
    ],
)
def test_units_that_do_not_convert(tmp_path, header, words):
    (tmp_path / "a.csv").write_text(GOOD.replace("t,A.x", "t [s],A.x [m]"))
    (tmp_path / "b.csv").write_text(GOOD.replace("t,A.x", header))
    with pytest.raises(mubo.ResultError) as caught:
        mubo.compare(tmp_path / "a.csv", tmp_path / "b.csv")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--map", "A.y=A.x"), 1, 'RESULT (a.csv) has no column "A.y". Did you mean "A.x"?'),
        (("--map", "A.x=A.z"), 1, 'REFERENCE (b.csv) has no column "A.z". Did you mean "A.x"?'),
        (("--map", "A.x"), 2, 'expected NAME=REFNAME; found "A.x"'),
        (("--map", "A.x=B", "--map", "A.x=C"), 2, '"A.x" is given twice: as "B" and as "C"'),
        (("--max-difference", "-1"), 2, "expected a number from 0; found -1"),
        (("--max-difference", "nan"), 2, "expected a number from 0; found nan"),
        (("--max-difference", "small"), 2, "not a valid float"),
        (
            ("-o", "error.gif"),
            1,
            'cannot write "error.gif": the ending must be .csv, .parquet, .xlsx, .tex, .json, .txt, .png, .svg, .pdf',
        ),
        (("-o", "nowhere/error.png"), 1, "cannot write nowhere/error.png"),
        (("c.csv",), 2, "unexpected extra argument"),
    ],
)
def test_wrong_words(command, tmp_path, words, code, said):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(GOOD)
    done = command("compare", "a.csv", "b.csv", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert {p.name for p in tmp_path.iterdir()} == {"a.csv", "b.csv"}


def test_tolerance_json_and_quiet(command, tmp_path):
    (tmp_path / "a.csv").write_text("t,A.x,A.y\n0,1,1\n1,2,2\n")
    (tmp_path / "b.csv").write_text("t,A.x,A.y\n0,1,1\n1,2,2.5\n")
    done = command("compare", "a.csv", "b.csv", "--max-difference", "0.5")
    assert (done.returncode, done.stderr) == (0, "")
    assert "allowed         0.5, not exceeded by any of 2 columns" in done.stdout
    done = command("compare", "a.csv", "b.csv", "--max-difference", "0.4")
    assert done.returncode == 1
    assert "allowed         0.4, exceeded by 1 of 2 columns: A.y" in done.stdout
    done = command("compare", "a.csv", "b.csv", "--max-difference", "0.4", "--quiet")
    assert (done.returncode, done.stdout) == (1, "")
    assert "exceeded by 1 of 2 columns: A.y" in done.stderr
    done = command("compare", "a.csv", "b.csv", "--max-difference", "0.4", "--json", "-o", "error.svg")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["status"], told["exceeded"]) == (1, "", "exceeded", ["A.y"])
    assert told["files"] == ["error.svg"]
    y = {"column": "A.y", "reference_column": "A.y", "unit": "", "kind": "positions", "max": 0.5, "t": 1.0, "std": 0.25}
    assert told["columns"][1] == y
    assert told["overall"]["positions"]["max_in"] == "A.y"


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_picture_files(command, tmp_path, ending):
    (tmp_path / "a.csv").write_text(GOOD)
    done = command("compare", "a.csv", "a.csv", "-o", f"error.{ending}", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert (tmp_path / f"error.{ending}").read_bytes().startswith(starts[ending])


def of_sizes(sizes):
    """A comparison whose lines have the sizes given."""
    lines = {name: size * np.sin(2 * np.pi * T) for name, size in sizes.items()}
    found = tuple(ColumnDifference(name, name, "", size, 0.25, size / math.sqrt(2)) for name, size in sizes.items())
    return Comparison("a", "b", ("", ""), found, T, lines, "", "64 rows, row by row", False, (), (), (), ())


def test_the_legend_is_short_and_beside_the_lines(tmp_path):
    found = of_sizes({f"body{k}.x": 1e-12 * (k + 1) for k in range(NAMED + 5)})
    figure = draw_comparison(found, tmp_path / "error.png")
    (axes,) = figure.axes
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert len(names) == NAMED + 1
    assert names[-1] == "... and 5 more, up to 5e−12"
    assert names[0] == "body5.x  6e−12"
    assert axes.get_legend().get_window_extent().x0 > axes.get_window_extent().x1
    assert axes.get_legend().get_window_extent().x1 < figure.bbox.x1
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert "1e−11" in labels


def test_the_axis_has_decades_where_sizes_differ(tmp_path):
    sizes = {"A.x": 1e-12, "B.x": 1e-9, "A.vx": 1e-12, "B.vx": 2e-12, "A.ax": 0.0, "A.value": 1e-15, "B.value": 1.0}
    charts = draw_comparison(of_sizes(sizes), tmp_path / "error.png").axes
    assert [axes.get_yscale() for axes in charts] == ["symlog", "linear", "linear", "linear"]
    titles = [axes.get_title(loc="left") for axes in charts]
    assert titles[0] == "positions: at most 1e−9, B.x at t = 0.25"
    assert titles[2] == "accelerations: no difference in 1 column"


def test_scipy_and_matplotlib_load_when_needed(tmp_path):
    (tmp_path / "a.csv").write_text(GOOD)
    code = (
        "import sys, mubo; mubo.compare('a.csv', 'a.csv')\n"
        "print([m for m in ('scipy.interpolate', 'matplotlib', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_has_an_example(command):
    done = command("compare", "--help")
    assert (done.returncode, "mubo compare four_bar.csv" in done.stdout) == (0, True)
