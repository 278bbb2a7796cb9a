"""Standard deviations by point as in Table 4 of Tartari (2019), names by pattern, coarse tables, other columns."""

import csv

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.errors import ResultError

WORDS = ("x", "y", "vx", "vy", "ax", "ay")
T = np.linspace(0, 1, 41)


def write(path, columns):
    lines = [",".join(columns), *(",".join(map(repr, row)) for row in np.column_stack([*columns.values()]).tolist())]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def tables(tmp_path):
    """Points A and B, and a reference with other names whose differences are known: a cos for A, b for B."""
    one = {"t": T} | {f"{point}.{word}": np.sin(T) for point in "AB" for word in WORDS}
    wave = np.cos(2 * np.pi * np.arange(41) / 41)  # 41 places of a period: mean 0, mean square 1/2
    other = {"Time": T} | {
        f"{point}_{word.upper()}": np.sin(T) - (3e-6 * wave if point == "A" else 4e-6)
        for point in "AB"
        for word in WORDS
    }
    return write(tmp_path / "one.csv", one), write(tmp_path / "other.csv", other)


PATTERNS = {f"*.{word}": f"*_{word.upper()}" for word in WORDS}


def test_overall_is_the_deviation_over_all_points(tables, tmp_path):
    """A differs by a cos, B by the constant b: std a/√2 and 0; together, from the mean b/2, √(a²/4 + b²/4)."""
    table = tmp_path / "table4.csv"
    found = mubo.compare(*tables, PATTERNS, path=[table, tmp_path / "errors.png"], by="point")
    a, b = 3e-6, 4e-6
    expected = {"Overall": np.sqrt(a**2 / 4 + b**2 / 4), "A": a / np.sqrt(2), "B": 0.0}
    with table.open() as file:
        rows = {row.pop("point"): row for row in csv.DictReader(file)}
    assert list(rows) == ["Overall", "A", "B"]
    for name, line in rows.items():
        assert list(line) == [f"std_{word}" for word in WORDS]
        assert [float(x) for x in line.values()] == pytest.approx([expected[name]] * 6, abs=1e-15)
    assert found.deviations()["A"]["vx"] == pytest.approx(expected["A"], abs=1e-15)
    assert "std by point" in str(found)
    assert (tmp_path / "errors.png").stat().st_size > 10_000


def test_a_pattern_that_joins_nothing_is_refused(tables):
    with pytest.raises(ResultError, match=r'"\*\.x=\*_Q" joins no columns: RESULT has 2 columns of this form'):
        mubo.compare(*tables, {"*.x": "*_Q"})
    with pytest.raises(ResultError, match="is no pattern: it needs one"):
        mubo.compare(*tables, {"*.x": "A_X"})


def test_a_coarse_table_is_not_interpolated_where_its_times_are_in_the_finer_one():
    """Five rows against 41 that contain them, in both orders: the same rows, nothing but rounding."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    coarse, fine = model.kinematics(0, 1, 0.25), model.kinematics(0, 1, 0.025)
    for one, other in ((coarse, fine), (fine, coarse)):
        found = mubo.compare(one, other)
        assert not found.interpolated
        assert len(found.t) == 5
        assert max(row.maximum / (1 + 300 * (row.kind != "positions")) for row in found.rows) < 1e-9
    assert mubo.compare(coarse, fine).times == "5 rows of RESULT, all among the 41 times of REFERENCE"


def test_tables_are_compared_over_another_column(tmp_path):
    """x = sin φ at other times: over φ they agree, over time they do not; φ may decrease."""
    phi = np.linspace(0, 2, 81)
    one = write(tmp_path / "one.csv", {"t": phi**2, "crank.phi": phi, "P.x": np.sin(phi)})
    other = write(tmp_path / "other.csv", {"t": phi, "crank.phi": phi[::-1], "P.x": np.sin(phi[::-1])})
    found = mubo.compare(one, other, over="crank.phi")
    assert {row.column: row.maximum for row in found.rows}["P.x"] == 0
    assert "at crank.phi" in str(found)
    assert mubo.compare(one, other).exceeding(0.1)


def test_the_command_takes_patterns_tables_and_columns(command, tables, tmp_path):
    maps = [word for a, b in PATTERNS.items() for word in ("--map", f"{a}={b}")]
    done = command("compare", *map(str, tables), *maps, "-o", "table4.csv", "-o", "table4.txt")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "table4.csv").read_text().startswith("point,std_x,std_y,std_vx")
    assert "std by point" in (tmp_path / "table4.txt").read_text()
    refused = command("compare", *map(str, tables), "-o", "table4.doc")
    assert refused.returncode == 1
    assert "the ending must be .csv, .parquet, .xlsx, .tex, .json, .txt, .png, .svg, .pdf" in refused.stderr


@pytest.mark.parametrize("ending", ["adm", "cmd"])
def test_models_of_adams_are_named_where_they_are_refused(command, tmp_path, ending):
    (tmp_path / f"model.{ending}").write_text("PART/1, GROUND\n")
    (tmp_path / "one.csv").write_text("t,A.x\n0,1\n1,2\n")
    for words in (("check", f"model.{ending}"), ("compare", "one.csv", f"model.{ending}")):
        done = command(*words)
        assert done.returncode == 1
        assert "of ADAMS" in done.stderr
        assert "`mubo compare` reads result tables that ADAMS exports" in done.stderr
