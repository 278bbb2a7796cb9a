"""Measured motion from files: markers, storage files and tables, in every unit, with and without gaps."""

import numpy as np
import pytest
from conftest import EXAMPLES
from marker_files import LENGTH, MM, RATE, markers, mot_text, trc_text

import mubo
from mubo.formats.motion_data import read_motion_data
from mubo.formats.motion_file import read_motion
from mubo.model import Units

T = np.arange(61) / 50  # 1.2 s at 50 Hz
SI = Units()


def law(folder, given, units=SI, holds="length"):
    return read_motion(given, folder, units, holds)


def segment(coordinate, **more):
    return {"segment": "walk.trc", "from": "HIP", "to": "KNEE", "coordinate": coordinate, **more}


def test_markers_become_columns(tmp_path):
    (tmp_path / "walk.trc").write_text(trc_text(T))
    data = read_motion_data(tmp_path / "walk.trc")
    assert (data.length_unit, data.time_unit, data.kind) == ("mm", "s", "markers")
    np.testing.assert_array_equal(data.time, T)
    for marker, expected in markers(T).items():
        for k, axis in enumerate("xyz"):
            np.testing.assert_array_equal(data.column(f"{marker}.{axis}"), expected[:, k])


FORMS = {
    "blanks instead of tabs": lambda text: text.replace("\t", "  "),
    "tabs at line ends": lambda text: text.replace("\n", "\t\n"),
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no blank line": lambda text: text.replace("\n\n", "\n"),
    "labels with other numbers": lambda text: text.replace("X2\tY2\tZ2", "X5\tY5\tZ5"),
    "fewer words in the header": lambda text: text.replace("\tOrigNumFrames", "").replace("\t100\t1\t61", "\t100\t1"),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_marker_files(tmp_path, form):
    (tmp_path / "walk.trc").write_bytes(FORMS[form](trc_text(T)).encode())
    np.testing.assert_array_equal(read_motion_data(tmp_path / "walk.trc").column("KNEE.y"), markers(T)["KNEE"][:, 1])


@pytest.mark.parametrize("file_unit", ["mm", "cm", "m"])
@pytest.mark.parametrize(("units", "per_mm"), [(SI, 1e-3), (Units(length="m"), 1e-3), (Units(length="mm"), 1.0)])
def test_lengths_come_in_the_unit_of_the_model(tmp_path, file_unit, units, per_mm):
    (tmp_path / "walk.trc").write_text(trc_text(T, file_unit))
    hip, knee = markers(T)["HIP"], markers(T)["KNEE"]
    for k, coordinate in enumerate("xy"):
        for at in (0, 0.433, 1):
            found = law(tmp_path, segment(coordinate, at=at), units)
            expected = (hip[:, k] + at * (knee[:, k] - hip[:, k])) * per_mm
            np.testing.assert_allclose(found.value, expected, rtol=1e-12, atol=1e-12)
    column = law(tmp_path, {"table": "walk.trc", "column": "KNEE.z"}, units)
    np.testing.assert_allclose(column.value, knee[:, 2] * per_mm, rtol=1e-12)
    assert "filled" not in column.notes()


@pytest.mark.parametrize(
    ("units", "per_rad"), [(SI, 1.0), (Units(angle="deg"), 180 / np.pi), (Units(angle="rad"), 1.0)]
)
def test_angles_of_segments_go_on_without_jumps(tmp_path, units, per_rad):
    """RATE · 1.2 s is more than a turn."""
    (tmp_path / "walk.trc").write_text(trc_text(T))
    found = law(tmp_path, segment("phi", at=0.5), units, "angle")
    np.testing.assert_allclose(found.value, (-1.5 + RATE * T) * per_rad, rtol=1e-9)


@pytest.mark.parametrize("plane", ["xy", "xz", "zx", "zy", "yz", "yx"])
def test_planes(tmp_path, plane):
    """The first letter is the model's x, the second its y."""
    (tmp_path / "walk.trc").write_text(trc_text(T))
    i, j = ("xyz".index(axis) for axis in plane)
    hip, knee = markers(T)["HIP"] / 1000, markers(T)["KNEE"] / 1000
    np.testing.assert_allclose(law(tmp_path, segment("x", plane=plane)).value, hip[:, i], rtol=1e-12)
    np.testing.assert_allclose(law(tmp_path, segment("y", plane=plane, at=1)).value, knee[:, j], rtol=1e-9, atol=1e-12)
    phi = np.array(law(tmp_path, segment("phi", plane=plane), holds="angle").value)
    side = np.hypot(*(knee - hip)[:, [i, j]].T)
    np.testing.assert_allclose(side * np.cos(phi), (knee - hip)[:, i], atol=1e-12)
    np.testing.assert_allclose(side * np.sin(phi), (knee - hip)[:, j], atol=1e-12)
    assert np.max(np.abs(np.diff(phi))) < np.pi


def test_times_come_in_the_unit_of_the_model(tmp_path):
    (tmp_path / "walk.trc").write_text(trc_text(T, missing=[("HIP", 20, 23)]))
    found = law(tmp_path, segment("x"), Units(time="ms"))
    np.testing.assert_allclose(found.time, 1000 * T, rtol=1e-12)
    with pytest.raises(mubo.ModelError, match=r"from t = 380 to 480 \(100 ms\), longer than max_gap = 90"):
        law(tmp_path, segment("x", max_gap=90), Units(time="ms"))
    assert law(tmp_path, segment("x", max_gap="0.1 s"), Units(time="ms")).filled == 4


@pytest.mark.parametrize("blank", ["", "NaN", "nan", " "])
def test_short_gaps_are_filled_by_the_spline(tmp_path, blank):
    """Away from its ends a cubic spline misses f by at most 5/384 h⁴ max|f''''| (C. A. Hall, J. Approx. Theory 1,
    1968); here h = 0.1 s and f = LENGTH cos φ."""
    (tmp_path / "walk.trc").write_text(trc_text(T, missing=[("KNEE", 20, 23), ("HIP.y", 22, 25)], blank=blank))
    bound = 5 / 384 * 0.1**4 * LENGTH * RATE**4 / 1000  # of KNEE; HIP.y is constant
    for k, coordinate in enumerate("xy"):
        found = law(tmp_path, segment(coordinate, at=1))
        expected = markers(T)["KNEE"][:, k] / 1000
        assert found.filled == found.notes()["filled"] == (4 if coordinate == "x" else 6)
        np.testing.assert_allclose(found.value, expected, rtol=0, atol=bound)
        measured = np.delete(np.arange(61), np.arange(20, 26))
        np.testing.assert_allclose(np.array(found.value)[measured], expected[measured], rtol=1e-12, atol=1e-12)
    turn = law(tmp_path, segment("phi"), holds="angle")
    assert turn.filled == 6
    np.testing.assert_allclose(turn.value, -1.5 + RATE * T, rtol=0, atol=2 * bound / (LENGTH / 1000))


def test_only_columns_that_are_used_must_be_complete(tmp_path):
    (tmp_path / "walk.trc").write_text(trc_text(T, missing=[("KNEE", 10, 40), ("HIP.z", 10, 40)]))
    assert law(tmp_path, segment("x")).filled == 0
    with pytest.raises(mubo.ModelError, match=r"walk.trc: marker KNEE.x: no data from t = 0.18 to 0.82 \(0.64 s\), "):
        law(tmp_path, segment("x", at=0.1))
    assert law(tmp_path, segment("x", at=0.1, max_gap=0.7)).filled == 31


def test_long_gaps_are_named_and_a_gap_of_max_gap_is_short(tmp_path):
    (tmp_path / "walk.trc").write_text(
        trc_text(T, missing=[("KNEE.x", 20, 23), ("KNEE.x", 40, 44), ("KNEE.x", 50, 55)])
    )
    with pytest.raises(mubo.ModelError) as caught:
        law(tmp_path, {"table": "walk.trc", "column": "KNEE.x"})
    said = "marker KNEE.x: no data from t = 0.78 to 0.9 (0.12 s), longer than max_gap = 0.1; 1 more such gap"
    assert said in str(caught.value)
    assert law(tmp_path, {"table": "walk.trc", "column": "KNEE.x", "max_gap": 0.14}).filled == 4 + 5 + 6


def test_ends_are_not_extrapolated(tmp_path):
    """Markers at the end of a line may be left out together with their tabs."""
    text = trc_text(T, missing=[("HIP", 0, 4), ("KNEE", 0, 9), ("KNEE", 56, 60)])
    (tmp_path / "walk.trc").write_text("\n".join(line.rstrip("\t") for line in text.split("\n")))
    found = law(tmp_path, segment("phi"), holds="angle")
    assert (found.domain, found.filled) == ((0.2, 1.1), 0)
    assert law(tmp_path, segment("x")).domain == (0.1, 1.2)


@pytest.mark.parametrize("ending", ["mot", "sto"])
@pytest.mark.parametrize("degrees", ["yes", "no"])
@pytest.mark.parametrize(("units", "per_rad"), [(SI, 1.0), (Units(angle="deg", length="mm"), 180 / np.pi)])
def test_storage_files(tmp_path, ending, degrees, units, per_rad):
    (tmp_path / f"walk.{ending}").write_text(mot_text(T, degrees))
    knee = law(tmp_path, {"table": f"walk.{ending}", "column": "knee"}, units, "angle")
    np.testing.assert_allclose(knee.value, (0.3 + 0.5 * np.sin(4 * T)) * per_rad, rtol=1e-12)
    tx = law(tmp_path, {"table": f"walk.{ending}", "column": "tx"}, units)
    np.testing.assert_allclose(tx.value, (0.1 + 1.2 * T) * (1000 if units.length == "mm" else 1), rtol=1e-12)


def test_storage_files_without_inDegrees_hold_lengths_only(tmp_path):
    (tmp_path / "old.sto").write_text(mot_text(T).replace("inDegrees=yes\n", ""))
    assert law(tmp_path, {"table": "old.sto", "column": "tx"}).value[0] == 0.1
    with pytest.raises(mubo.ModelError, match="does not say whether angles are in degrees"):
        law(tmp_path, {"table": "old.sto", "column": "knee"}, holds="angle")


def test_storage_files_of_version_3_need_no_counts(tmp_path):
    text = mot_text(T).replace("version=1", "DataType=double\nversion=3").replace("nRows=61\nnColumns=3\n", "")
    (tmp_path / "new.sto").write_text(text.replace("\t", " "))
    np.testing.assert_array_equal(read_motion_data(tmp_path / "new.sto").column("tx"), 0.1 + 1.2 * T)


@pytest.mark.parametrize("separator", [",", ";", "\t", " ; "])
@pytest.mark.parametrize(
    ("header", "units", "holds", "factor"),
    [
        ("x", SI, "length", 1.0),
        ("x", Units(length="mm"), "length", 1.0),
        ("x [mm]", SI, "length", 1e-3),
        ("x [mm]", Units(length="mm", angle="deg"), "length", 1.0),
        ("x [cm]", Units(length="m"), "length", 1e-2),
        ("x[deg]", SI, "angle", np.pi / 180),
        ("x [deg]", Units(angle="deg"), "angle", 1.0),
        ("x [rad]", Units(angle="deg"), "angle", 180 / np.pi),
        ("x", Units(angle="deg"), "angle", 1.0),
    ],
)
def test_tables_with_and_without_units(tmp_path, separator, header, units, holds, factor):
    """The samples are 2 + 3t; a column that is not used may hold words."""
    rows = [("who", "time [ms]", header)] + [("me", repr(1000 * t), repr(2 + 3 * t)) for t in T.tolist()]
    (tmp_path / "walk.csv").write_text("\n".join(separator.join(row) for row in rows))
    given = {"table": "walk.csv", "column": "x", "time_column": "time"}
    found = law(tmp_path, given, units, holds)
    np.testing.assert_allclose(found.value, (2 + 3 * T) * factor, rtol=1e-14)
    np.testing.assert_allclose(found.time, T, rtol=1e-14)


def test_blank_cells_of_tables_are_gaps(tmp_path):
    """A spline through points of a line is the line."""
    rows = [f"{t},{'' if 0.2 < t < 0.25 else 'nan' if t == 0.5 else 2 + 3 * t}" for t in T.tolist()]
    (tmp_path / "walk.csv").write_text("\n".join(["t,x", *rows]))
    found = law(tmp_path, {"table": "walk.csv", "column": "x"})
    assert found.filled == 3
    np.testing.assert_allclose(found.value, 2 + 3 * T, rtol=1e-12)


def test_segments_from_tables(tmp_path):
    rows = ["t,A.x [mm],A.y [mm],B.x [cm],B.y [cm]"] + [f"{t},0,0,{3 * t + 3},{4 * t + 4}" for t in T.tolist()]
    (tmp_path / "walk.csv").write_text("\n".join(rows))
    given = {"segment": "walk.csv", "from": "A", "to": "B", "coordinate": "phi"}
    np.testing.assert_allclose(law(tmp_path, given, holds="angle").value, np.arctan2(4, 3), rtol=1e-12)


MODEL = """
name = "leg"
units = {{ length = "{length}", angle = "{angle}" }}
[body.thigh]
[driver.x]
of = "thigh.x"
motion = {{ segment = "walk.trc", from = "HIP", to = "KNEE", coordinate = "x", at = 0.433 }}
[driver.y]
of = "thigh.y"
motion = {{ segment = "walk.trc", from = "HIP", to = "KNEE", coordinate = "y", at = 0.433, max_gap = "90 ms" }}
[driver.turn]
of = "thigh.phi"
motion = {{ segment = "walk.trc", from = "HIP", to = "KNEE", coordinate = "phi" }}
[analysis]
start = 0.3
end = 0.9
step = 0.01
"""


@pytest.mark.parametrize(("length", "angle"), [("mm", "deg"), ("m", "rad")])
def test_a_thigh_follows_its_markers(tmp_path, length, angle):
    """Positions and velocities of the formula; bounds 5/384 h⁴ and h³/24 times max|f''''| (Hall), h = 0.06 s."""
    (tmp_path / "walk.trc").write_text(trc_text(T, missing=[("KNEE", 20, 21)]))
    (tmp_path / "leg.toml").write_text(MODEL.format(length=length, angle=angle))
    model = mubo.load(tmp_path / "leg.toml")
    run = model.kinematics()
    per_mm, per_rad = 1 / MM[length], np.degrees(1) if angle == "deg" else 1.0
    t, h, reach = run["t"], 0.06, 0.433 * LENGTH
    phi = -1.5 + RATE * t
    near, slow = 5 / 384 * h**4 * RATE**4, h**3 / 24 * RATE**4
    close = {"rtol": 0, "atol": near * reach * per_mm}
    np.testing.assert_allclose(run["thigh.x"], (1200 * t + reach * np.cos(phi)) * per_mm, **close)
    np.testing.assert_allclose(run["thigh.y"], (900 + reach * np.sin(phi)) * per_mm, **close)
    np.testing.assert_allclose(run["thigh.phi"], phi * per_rad, rtol=0, atol=2 * near * per_rad)
    close = {"rtol": 0, "atol": slow * reach * per_mm}
    np.testing.assert_allclose(run["thigh.vx"], (1200 - reach * RATE * np.sin(phi)) * per_mm, **close)
    np.testing.assert_allclose(run["thigh.vy"], reach * RATE * np.cos(phi) * per_mm, **close)
    np.testing.assert_allclose(run["thigh.omega"], RATE * per_rad, rtol=0, atol=2 * slow * per_rad)
    assert {name: notes["filled"] for name, notes in run.summary["motion"].items()} == {"x": 2, "y": 2, "turn": 2}
    model.save(tmp_path / "again.toml")
    assert mubo.load(tmp_path / "again.toml") == model


def test_what_the_data_does_not_cover_is_refused(tmp_path):
    (tmp_path / "walk.trc").write_text(trc_text(T, missing=[("KNEE", 0, 19)]))
    (tmp_path / "leg.toml").write_text(MODEL.format(length="mm", angle="deg"))
    with pytest.raises(mubo.ModelError, match=r"driver x: its data covers t = 0.4 to 1.2( s)?; 0.3( s)? is asked for"):
        mubo.load(tmp_path / "leg.toml").kinematics()


def test_the_guided_shank_walks_as_its_formula_says():
    """The formula stands in examples/guided_shank.toml. The gap has h = 0.07 s, and |φ''''| ≤ 0.9 (2π)⁴; positions in
    metres differ by less, as the arms are shorter than 1 m."""
    run = mubo.load(EXAMPLES / "guided_shank.toml").kinematics()
    t = run["t"]
    a, b = 0.1 + 0.4 * np.cos(2 * np.pi * t), 0.55 - 0.5 * np.cos(2 * np.pi * (t - 0.2))
    phi = -np.pi / 2 + a - b
    x, y = 1.2 * t + 0.4 * np.sin(a), 0.9 + 0.02 * np.cos(4 * np.pi * t) - 0.4 * np.cos(a)
    bound = 5 / 384 * 0.07**4 * 0.9 * (2 * np.pi) ** 4
    np.testing.assert_allclose(np.radians(run["shank.phi"]), phi, rtol=0, atol=bound)
    np.testing.assert_allclose(run["knee.x"], x, rtol=0, atol=bound)
    np.testing.assert_allclose(run["ankle.x"], x + 0.42 * np.cos(phi), rtol=0, atol=bound)
    np.testing.assert_allclose(run["ankle.y"], y + 0.42 * np.sin(phi), rtol=0, atol=bound)
    assert all(notes["filled"] == 6 for notes in run.summary["motion"].values())


def test_examples_come_with_their_data(command, tmp_path):
    assert command("examples", "guided_shank").stdout.split() == ["guided_shank.toml", "shank_walk.trc"]
    assert (tmp_path / "shank_walk.trc").read_bytes() == (EXAMPLES / "shank_walk.trc").read_bytes()
    assert "6 filled" in command("kinematics", "guided_shank.toml").stdout
    (tmp_path / "guided_shank.toml").unlink()
    (tmp_path / "shank_walk.trc").write_text("another recording")
    assert "shank_walk.trc exists already" in command("examples", "guided_shank").stderr
    assert not (tmp_path / "guided_shank.toml").exists()
