"""Result tables as mubo and other programs write them, their units, and what is wrong with bad ones."""

import json
import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.formats.column_units import conversion, split_unit
from mubo.formats.result_tables import read_result

VALUES = np.array([[0.0, 1.5, -2.0], [0.5, 1.25, 3e-7], [1.0, 1e5, 0.0]])
HEADER = ["Time", "A.x [mm]", "my angle"]


def lines(separator, form="{!r}", names=HEADER, end=""):
    body = [separator.join(form.format(float(v)) for v in row) + end for row in VALUES]
    return "\n".join([separator.join(names) + end, *body]) + "\n"


QUOTED = [f'"{name}"' for name in HEADER]
FORMS = {
    "commas": lines(","),
    "semicolons": lines(";"),
    "semicolons and decimal commas": lines(";").replace(".", ",").replace("A,x", "A.x"),
    "tabs": lines("\t"),
    "a line that ends with a tab": lines("\t", end="\t"),
    "ADAMS": '"Table 1"\n"Last_Run   2024-05-12 10:11:12"\n\n' + lines("\t", "{:+.9E}", QUOTED),
    "ADAMS, with comment lines": "# four_bar, 3 rows\n#\n" + lines("\t", "{:+.9E}"),
    "blanks": "Four bar\n\n" + lines("   ", "{:14.7e}", QUOTED),
    "names two blanks apart": lines("   ", "{:14.7e}"),
    "a rule below the names": lines("  ").replace("\n", "\n----  ----  ----\n", 1),
    "a commented header": "% " + lines(" ", names=QUOTED),
    "FORTRAN exponents": lines("  ", "{:.8e}", QUOTED)
    .replace("e", "D")
    .replace("TimD", "Time")
    .replace("anglD", "angle"),
    "units below the names": "run, 5\n"
    + lines(",", names=["Time", "A.x", "my angle"]).replace("\n", "\nsec,mm,deg\n", 1),
    "Windows": "\ufeff" + lines(",").replace("\n", "\r\n"),
    "quoted numbers": "".join(f'"{line}"\n' for line in lines('","').splitlines()),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ending", ["csv", "tab", "txt"])
def test_forms_of_text_tables(tmp_path, form, ending):
    path = tmp_path / f"table.{ending}"
    path.write_bytes(FORMS[form].encode())
    read = read_result(path)
    assert list(read.columns) == ["Time", "A.x", "my angle"]
    assert (read.time, read.units["A.x"]) == ("Time", "mm")
    np.testing.assert_array_equal(np.column_stack([*read.columns.values()]), VALUES)


def test_what_the_reader_decided_is_said(tmp_path):
    def notes(text, encoding="utf-8"):
        (tmp_path / "x.txt").write_bytes(text.encode(encoding))
        return [note.split(": ", 1)[1] for note in read_result(tmp_path / "x.txt").notes]

    assert notes("a,b\nt,x\n0,1\n") == ["lines 1 and 2 could both be the header; line 2 is taken"]
    assert notes("t,x\ns,mm\n0,1\n") == ["the header is line 1, line 2 has its units"]
    assert notes("p,x\n0,1\n") == ['it has no column t or time, its first column "p" is taken as the time']
    assert notes("Time,t,x\n0,1,2\n") == ['of the columns t, Time "t" is taken as the time']
    assert notes("t;x\n0,5;1\n") == ["commas are read as decimal points"]
    assert notes("t,x [°]\n0,1\n", "latin-1") == ["it is not UTF-8 text and is read as Latin-1"]
    assert notes("t\tx\n0\t1\n", "utf-16") == []
    assert notes("title\nt,x\n0,1\n") == []


def test_own_files_hold_the_same(command, tmp_path):
    endings = ("csv", "json", "parquet")
    outputs = [word for ending in endings for word in ("-o", f"o.{ending}")]
    assert command("kinematics", EXAMPLES / "four_bar.toml", *outputs).returncode == 0
    for ending in endings[1:]:
        found = mubo.compare(tmp_path / "o.csv", tmp_path / f"o.{ending}")
        assert {row.maximum for row in found.rows} == {0.0}
        assert (found.notes, found.only_in_result, found.only_in_reference) == ((), (), ())
        assert {row.column: row.t for row in found.rows}.keys() >= {"crank.x", "rocker.alpha", "P.ay"}
        assert {row.column: row.unit for row in found.rows}["P.ay"] == "m/s^2"


@pytest.mark.parametrize(
    ("unit", "into", "factor"),
    [
        ("mm", "m", 1e-3),
        ("m/s²", "mm/s^2", 1e3),
        ("rpm", "rad/s", math.pi / 30),
        ("deg/sec**2", "rad/s^2", math.pi / 180),
        ("N*mm", "N*m", 1e-3),
        ("newton-mm", "J", 1e-3),
        ("kg*m/s^2", "N", 1.0),
        ("meters", "m", 1.0),
        ("1/s", "1/min", 60.0),
        ("mm", "deg", None),
        ("m/s", "m/s^2", None),
        ("furlong", "m", None),
        ("m//s", "m/s", None),
    ],
)
def test_conversions(unit, into, factor):
    assert conversion(unit, into) == (None if factor is None else pytest.approx(factor, rel=1e-15))


def test_names_and_units_of_header_cells():
    assert split_unit("A.x [mm]") == ("A.x", "mm")
    assert split_unit("X_CM(mm)") == ("X_CM", "mm")
    assert split_unit("force (left)") == ("force (left)", "")
    assert split_unit("q[3]") == ("q[3]", "")


GOOD = "t,A.x\n0,1\n1,2\n"
BAD_FILES = {
    "empty": ("a.csv", "\n", "a.csv is empty"),
    "no numbers": ("a.csv", "t,x\n", "has no line of numbers"),
    "no header": ("a.csv", "0,1\n1,2\n", "line 1: there is no header line above the numbers"),
    "short header": ("a.csv", "t,x\n0,1,2\n", "line 1: as the last line before the numbers it should name their 3"),
    "cut short": ("a.csv", "t,x,y\n0,1,2\n1,2\n", 'line 3: expected 3 numbers as in the header; found 2: "1,2"'),
    "a word": ("a.csv", "t,x\n0,1\n1,two\n", 'line 3, column "x": expected a number; found "two"'),
    "two blocks": ("a.tab", "t\tx\n0\t1\nt\ty\n0\t1\n", 'line 3, column "t": expected a number'),
    "twice": ("a.csv", "t,x [m],x [mm]\n0,1,2\n", 'has the column "x" twice'),
    "points and commas": (
        "a.csv",
        "t;x\n0.5;1\n1;1,5\n",
        "line 2: it has decimal points, other lines have decimal commas",
    ),
    "a listing": ("a.txt", "TIME =     0.0000\n", "is the classic listing"),
    "binary": ("a.csv", "t,x\0\n", "is not a text file"),
    "a model": ("a.toml", "", "mubo kinematics a.toml -o a.csv"),
    "unknown kind": ("a.xlsx", "", "Allowed: .csv, .tab, .tsv, .txt, .json, .parquet."),
    "broken JSON": ("a.json", "{\n", "line 2: this is not JSON"),
    "other JSON": ("a.json", "[1]", "has no columns as mubo writes them"),
    "deep JSON": ("a.json", "[" * 200_000, "is nested too deeply for a table"),
    "huge JSON": ("a.json", f'{{"columns": {{"t": [0], "A.x": [1{5000 * "0"}]}}}}', "has no finite number at t = 0"),
    "JSON with words": ("a.json", '{"columns": {"t": [0, "a"]}}', 'column "t" is not a list of numbers'),
    "JSON of two lengths": ("a.json", '{"columns": {"t": [0, 1], "x": [1]}}', "need one length above 0; found 1, 2"),
    "broken Parquet": ("a.parquet", "PAR1", "is not a Parquet table of numbers"),
    "no time": ("a.csv", "t,A.x\n0,1\nnan,2\n", "the time of RESULT has no number in row 2"),
    "an empty cell": (
        "a.csv",
        "t,A.x\n0,1\n1,\n",
        'column "A.x" of RESULT has no finite number at t = 1 (1 of 2 rows)',
    ),
    "time twice": ("a.csv", "t,A.x\n0,1\n0.5,2\n0.5,3\n", "its time goes from 0.5 to 0.5 (rows 2 and 3)"),
    "no overlap": ("a.csv", "t,A.x\n2,1\n3,2\n", "no time of REFERENCE (t = 0 to 1) lies within RESULT (t = 2 to 3)"),
    "nothing common": ("a.csv", "t,B.x\n0,1\n1,2\n", "have no column in common: RESULT (a.csv) has B.x; REFERENCE"),
    "too large": ("a.csv", "t,A.x\n0,1e308\n1,-1e308\n", "too large for a number"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files(command, tmp_path, case):
    name, text, words = BAD_FILES[case]
    (tmp_path / name).write_text(text)
    (tmp_path / "good.csv").write_text(GOOD)
    done = command("compare", name, "good.csv", "-o", "error.png")
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "error.png").exists()
    failed = json.loads(command("compare", name, "good.csv", "--json").stdout)
    assert (failed["status"], failed["error"]) == ("failed", "ResultError")


def test_missing_files(command, tmp_path):
    (tmp_path / "four_bar.csv").write_text(GOOD)
    done = command("compare", "four_bar.csv", "four_bra.csv")
    assert (done.returncode, done.stderr) == (
        1,
        'error: there is no file four_bra.csv\n  Did you mean "four_bar.csv"?\n',
    )
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in command("compare", "folder.csv", "four_bar.csv").stderr
    assert command("compare", "four_bar.csv").returncode == 2


def test_a_run_answers_which_columns_it_has():
    """As a table of pandas does: `in` and a loop take names of columns, `len` counts rows; a unit may be asked for."""
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.5)
    assert "P.x" in run
    assert "P.x [mm]" in run
    assert "P.z" not in run
    assert 3 not in run
    assert [*run] == [*run.columns]
    assert len(run) == 3
