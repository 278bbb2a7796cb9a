"""Motion files and motions by file that are wrong: each refusal says the file, the line and what is expected."""

import re

import numpy as np
import pytest
from marker_files import mot_text, trc_text

from mubo.errors import ModelError
from mubo.formats.motion_data import read_motion_data
from mubo.formats.motion_file import read_motion
from mubo.model import Units

T = np.arange(5) / 10  # the rows of a marker file are its lines 7 to 11, of a storage file 10 to 14
TRC, MOT = trc_text(T), mot_text(T)
CSV = "t,x [mm]\n0,1\n0.1,2\n0.2,4\n"


def cells(text, line, change):
    """The text with the cells of one line changed."""
    lines = text.split("\n")
    lines[line - 1] = "\t".join(change(lines[line - 1].split("\t")))
    return "\n".join(lines)


MARKERS = {
    "empty": ("\n\n", "walk.trc is empty"),
    "another kind": (MOT, 'line 1: expected "PathFileType 4 (X/Y/Z)"; found "Coordinates"'),
    "another type": (TRC.replace("4\t(X/Y/Z)", "3\t(X/Y)"), 'found "PathFileType 3 (X/Y)"'),
    "only a line": (TRC.split("\n")[0], "line 1: the file ends early; expected the line DataRate"),
    "no NumMarkers": (
        TRC.replace("NumMarkers\t", ""),
        "line 2: expected the line DataRate CameraRate NumFrames NumMarkers",
    ),
    "lost value": (
        TRC.replace("\tmm\t", "\t"),
        "line 3: expected 8 values, as many as there are words in line 2; found 7",
    ),
    "unknown unit": (TRC.replace("\tmm\t", "\tparsec\t"), 'line 3: Units "parsec" is not a unit of length'),
    "half a marker": (
        TRC.replace("5\t2\tmm", "5\t2.5\tmm"),
        "line 3: NumMarkers should be a whole number of 1 or more",
    ),
    "endless frames": (
        TRC.replace("5\t2\tmm", "inf\t2\tmm"),
        "line 3: NumFrames should be a whole number of 1 or more",
    ),
    "header only": ("\n".join(TRC.split("\n")[:3]), "line 3: the file ends early; expected the line Frame# Time"),
    "no Frame#": (TRC.replace("Frame#\tTime", "No\tTime"), 'line 4: expected "Frame#", "Time" and the names'),
    "more markers": (
        TRC.replace("5\t2\tmm", "5\t3\tmm"),
        "line 4: the header says NumMarkers = 3; found 2 names: HIP, KNEE",
    ),
    "labels": (TRC.replace("Z1\tX2", "X2\tZ1"), "line 5: expected X1 Y1 Z1 …, three for each of 2 markers"),
    "no rows": ("\n".join(TRC.split("\n")[:6]), "line 5: the file ends early; expected lines of numbers"),
    "fewer rows": (
        TRC.replace("\t5\t2\tmm", "\t6\t2\tmm"),
        "line 11: the file ends early: the header says NumFrames = 6; found 5",
    ),
    "more rows": (TRC.replace("\t5\t2\tmm", "\t4\t2\tmm"), "line 11: 1 row too many: the header says NumFrames = 4"),
    "a word": (cells(TRC, 9, lambda c: [*c[:5], "high", *c[6:]]), 'line 9: KNEE.x should be a number; found "high"'),
    "decimal comma": (
        cells(TRC, 9, lambda c: [*c[:5], "0,5", *c[6:]]),
        'line 9: KNEE.x should be a number; found "0,5"',
    ),
    "infinite": (cells(TRC, 9, lambda c: [*c[:5], "inf", *c[6:]]), 'line 9: KNEE.x should be a number; found "inf"'),
    "no time": (cells(TRC, 8, lambda c: [c[0], "", *c[2:]]), "line 8: Time is missing; expected a number"),
    "time stands": (cells(TRC, 8, lambda c: [c[0], "0.0", *c[2:]]), "line 8: times must increase; found 0 after 0"),
    "a cell too many": (cells(TRC, 8, lambda c: [*c, "1"]), "line 8: expected 8 cells, Frame# to KNEE.z; found 9"),
    "a cell lost": (cells(TRC, 8, lambda c: c[:-1]), "line 8: the line ends early: expected 8 cells; found 7"),
    "cut": (TRC[: TRC.rindex("\t")], "line 11: the file ends early: expected 8 cells; found 7"),
    "cut at a marker": ("\t".join(TRC.split("\t")[:-3]), "line 11: the file ends early: expected 8 cells; found 5"),
    "blanks and a gap": (trc_text(T, missing=[("KNEE", 1, 1)]).replace("\t", " "), "line 8: expected 8 cells"),
}

STORAGE = {
    "empty": ("", "walk.mot is empty"),
    "no endheader": (MOT.replace("endheader\n", ""), 'line 13: the file ends early; expected the line "endheader"'),
    "no nRows": (MOT.replace("nRows=5\n", ""), 'line 7: the header has no "nRows="'),
    "SIMM": (
        MOT.replace("nRows=5", "datarows 5").replace("nColumns=3", "datacolumns 3"),
        "datarows and datacolumns are words of SIMM",
    ),
    "count in words": (
        MOT.replace("nRows=5", "nRows=five"),
        'line 3: nRows should be a whole number of 1 or more; found "five"',
    ),
    "neither yes nor no": (MOT.replace("=yes", "=maybe"), 'line 5: inDegrees should be yes or no; found "maybe"'),
    "vectors": (MOT.replace("version=1", "DataType=Vec3"), "line 2: DataType should be double"),
    "ends after the header": (
        MOT[: MOT.index("time")],
        "line 8: the file ends early; expected the line of column names",
    ),
    "no time": (MOT.replace("time\t", "frame\t"), 'line 9: the first column should be "time"; found "frame"'),
    "more columns": (MOT.replace("nColumns=3", "nColumns=4"), "line 9: the header says nColumns = 4; found 3 names"),
    "two of a name": (MOT.replace("\ttx", "\tknee"), 'line 9: there are two columns "knee"'),
    "nameless": (MOT.replace("knee\ttx", "\ttx"), "line 9: a column has no name"),
    "fewer rows": (
        MOT.replace("nRows=5", "nRows=7"),
        "line 14: the file ends early: the header says nRows = 7; found 5 rows",
    ),
    "more rows": (MOT.replace("nRows=5", "nRows=2"), "line 14: 3 rows too many: the header says nRows = 2; found 5"),
    "a word": (cells(MOT, 12, lambda c: [c[0], "bent", c[2]]), 'line 12: knee should be a number; found "bent"'),
    "short line": (cells(MOT, 12, lambda c: c[:2]), "line 12: expected 3 cells, time to tx; found 2"),
    "long line": (cells(MOT, 12, lambda c: [*c, "1"]), "line 12: expected 3 cells, time to tx; found 4"),
    "time goes back": (
        cells(MOT, 12, lambda c: ["0.05", *c[1:]]),
        "line 12: times must increase; found 0.05 after 0.1",
    ),
}

TABLES = {
    "empty": (" \n", "walk.csv is empty"),
    "no such column": (CSV.replace("x [", "y ["), 'walk.csv has no column "x"'),
    "two of a name": (CSV.replace("t,x [mm]", "t,x,x"), 'row 1: there are two columns "x"'),
    "a word": (CSV.replace("0.1,2", "0.1,two"), 'row 3: expected numbers in the columns used; found "two" in "x"'),
    "decimal comma": (
        CSV.replace(",", ";").replace("0.1", "0,1"),
        'row 3: expected numbers in the columns used; found "0,1"',
    ),
    "short row": (CSV.replace("0.1,2", "0.1"), 'row 3: expected numbers in the columns used; the row ends before "x"'),
    "no time": (CSV.replace("0.1,2", ",2"), 'row 3: expected numbers in the columns used; "t" is missing'),
    "time stands": (CSV.replace("0.1,2", "0,2"), "row 3: times must increase; found 0 after 0"),
    "not a length": (CSV.replace("mm", "deg"), 'column "x": its unit [deg] is not a unit of length'),
    "not a time": (CSV.replace("t,", "t [mm],"), "time: its unit [mm] is not a unit of time"),
    "one sample": (CSV.replace("0.1,2\n0.2,4", "0.1,\n0.2,"), 'column "x": expected at least two samples; found 1'),
}


@pytest.mark.parametrize("name", MARKERS)
def test_wrong_marker_files(tmp_path, name):
    refuse(tmp_path / "walk.trc", *MARKERS[name])


@pytest.mark.parametrize("name", STORAGE)
def test_wrong_storage_files(tmp_path, name):
    refuse(tmp_path / "walk.mot", *STORAGE[name])


def refuse(path, text, says):
    path.write_text(text)
    with pytest.raises(ModelError, match=re.escape(says)) as caught:
        read_motion_data(path)
    assert path.name in str(caught.value)


@pytest.mark.parametrize("name", TABLES)
def test_wrong_tables(tmp_path, name):
    text, says = TABLES[name]
    (tmp_path / "walk.csv").write_text(text)
    with pytest.raises(ModelError, match=re.escape(says)) as caught:
        read_motion({"table": "walk.csv", "column": "x"}, tmp_path, Units(), "length")
    assert "walk.csv" in str(caught.value)


def segment(**more):
    return {"segment": "walk.trc", "from": "HIP", "to": "KNEE", "coordinate": "x", **more}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"table": "walk.xls", "column": "x"}, '".xls" is not a kind of motion file'),
        ({"table": "none.trc", "column": "x"}, "No such file"),
        ({"table": "latin.csv", "column": "x"}, "line 2: expected text in UTF-8"),
        ({"table": "walk.trc"}, 'needs "column"'),
        ({"table": "walk.trc", "column": "HPI.x"}, 'has no marker "HPI". Did you mean "HIP"?'),
        ({"table": "walk.trc", "column": "HIP.w"}, 'has no column "HIP.w"'),
        ({"table": "walk.mot", "column": "kne"}, 'has no column "kne". Did you mean "knee"?'),
        ({"table": "walk.mot", "column": "knee", "time_column": "t"}, "a .mot file has its own time column"),
        ({"table": "walk.trc", "column": "HIP.x", "max_gap": -1}, "max_gap must not be negative; found -1"),
        ({"table": "walk.trc", "column": "HIP.x", "max_gap": "1 mm"}, '"1 mm" is no time'),
        ({"table": "walk.trc", "column": "HIP.x", "plane": "xy"}, 'a motion by table has no "plane"'),
        (segment(to="ANKLE"), 'has no marker "ANKLE"'),
        (segment(to="HIP"), 'from and to are both "HIP": a segment needs two markers'),
        (segment(coordinate="z"), 'coordinate should be "x", "y" or "phi"; found "z"'),
        (segment(coordinate="phi"), "phi of a segment is an angle; a length is driven here"),
        (segment(plane="xx"), 'plane should be one of xy, xz, yx, yz, zx, zy; found "xx"'),
        (segment(at="half"), "at should be a number, 0 at the first marker and 1 at the second; found 'half'"),
        (segment(column="x"), 'a motion by segment has no "column"'),
        ({"segment": "walk.trc", "from": "HIP", "coordinate": "x"}, 'a motion by segment needs "to", a marker'),
        (segment(segment="walk.mot"), 'has no column "HIP.x"'),
    ],
)
def test_wrong_motions_by_file(tmp_path, given, says):
    (tmp_path / "walk.trc").write_text(TRC)
    (tmp_path / "walk.mot").write_text(MOT)
    (tmp_path / "latin.csv").write_bytes("t,x\n0,größer".encode("latin-1"))
    with pytest.raises(ModelError, match=re.escape(says)):
        read_motion(given, tmp_path, Units(), "length")


def test_wrong_motions_of_angles(tmp_path):
    (tmp_path / "walk.trc").write_text(TRC)
    (tmp_path / "apart.trc").write_text(trc_text(T, missing=[("HIP", 0, 2), ("KNEE", 2, 4)]))
    (tmp_path / "one.csv").write_text("t,A.x,A.y,B.x,B.y\n0,0,0,0,1\n1,2,2,2,2\n")
    turn = {"coordinate": "phi"}
    for given, says in (
        ({"table": "walk.trc", "column": "HIP.x"}, "marker HIP.x is a length; an angle is driven here"),
        (segment(), "x of a segment is a length; an angle is driven here"),
        (segment(segment="apart.trc", **turn), "apart.trc: the columns used have fewer than two times in common"),
        ({"segment": "one.csv", "from": "A", "to": "B", **turn}, "one.csv: A and B coincide in the plane xy at t = 1"),
    ):
        with pytest.raises(ModelError, match=re.escape(says)):
            read_motion(given, tmp_path, Units(), "angle")


def test_a_wrong_file_is_reported_with_the_line_of_the_model(command, tmp_path):
    (tmp_path / "walk.trc").write_text(TRC.replace("\t5\t2\tmm", "\t6\t2\tmm"))
    motion = '{ segment = "walk.trc", from = "HIP", to = "KNEE", coordinate = "phi" }'
    (tmp_path / "leg.toml").write_text(f'[body.leg]\n[driver.turn]\nof = "leg.phi"\nmotion = {motion}\n')
    done = command("check", "leg.toml")
    assert done.returncode == 1
    assert "leg.toml, line 4: driver turn: walk.trc, line 11: the file ends early" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_is_judged_by_its_size_before_it_is_read(tmp_path, monkeypatch):
    """Three numbers to a row, each ended by a mark."""
    from mubo.formats.motion_data import data

    monkeypatch.setattr(data, "MOST_NUMBERS", 3000)
    law = {"table": "long.csv", "column": "x"}
    (tmp_path / "long.csv").write_text("t,x,y\n" + "".join(f"{k},{k % 7},0\n" for k in range(999)))
    assert read_motion(law, tmp_path, Units(), "length").domain == (0, 998)
    (tmp_path / "long.csv").write_text("t,x,y\n" + "".join(f"{k},{k % 7},no number\n" for k in range(1000)))
    with pytest.raises(ModelError, match=r"long.csv has about 0.003 million numbers; at most 0.003 million are read"):
        read_motion(law, tmp_path, Units(), "length")
