"""Marker files of motion capture (.c3d), written here by ezc3d from the same formulas as the other marker files."""

import re
import sys

import numpy as np
import pytest
from marker_files import markers

import mubo
from mubo.formats.motion_data import read_motion_data
from mubo.formats.motion_file import read_motion
from mubo.model import Units

T = np.arange(61) / 50


def write(path, unit="mm", names=("HIP", "KNEE"), missing=(), first=0):
    ezc3d = pytest.importorskip("ezc3d")
    found = markers(T, "mm")
    points = np.ones((4, 2, len(T)))
    for k, marker in enumerate(found.values()):
        points[:3, k] = marker.T
    content = ezc3d.c3d()
    content["header"]["points"]["first_frame"] = first
    for name, value in (("RATE", [50.0]), ("LABELS", names), ("UNITS", [unit])):
        content["parameters"]["POINT"][name]["value"] = value
    residuals = np.zeros((1, 2, len(T)))
    for k, frames in missing:
        points[:3, k, frames] = np.nan
        residuals[0, k, frames] = -1
    content["data"]["points"] = points
    content["data"]["meta_points"]["residuals"] = residuals
    content.write(str(path))


def test_markers_become_columns(tmp_path):
    """C3D holds single precision."""
    write(tmp_path / "walk.c3d")
    data = read_motion_data(tmp_path / "walk.c3d")
    assert (data.length_unit, data.time_unit, data.kind) == ("mm", "s", "markers")
    np.testing.assert_allclose(data.time, T, rtol=1e-12)
    for marker, expected in markers(T).items():
        for k, axis in enumerate("xyz"):
            np.testing.assert_allclose(data.column(f"{marker}.{axis}"), expected[:, k], rtol=1e-6, atol=1e-4)


def test_a_segment_in_the_units_of_the_model_with_a_gap_filled(tmp_path):
    write(tmp_path / "walk.c3d", missing=[(1, slice(20, 23))])
    given = {"segment": "walk.c3d", "from": "HIP", "to": "KNEE", "coordinate": "x", "at": 1}
    law = read_motion(given, tmp_path, Units(length="m", angle="deg"), "length")
    assert law.filled == 3
    kept = np.delete(np.arange(61), [20, 21, 22])
    np.testing.assert_allclose(np.array(law.value)[kept], markers(T, "m")["KNEE"][kept, 0], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"unit": "furlong"}, 'POINT:UNITS "furlong" is not a unit of length'),
        ({"names": ("HIP", "")}, "a marker has no name"),
    ],
)
def test_wrong_files(tmp_path, change, says):
    write(tmp_path / "walk.c3d", **change)
    with pytest.raises(mubo.ModelError, match=re.escape(says)):
        read_motion_data(tmp_path / "walk.c3d")


def test_labels_that_occur_again_are_numbered(tmp_path):
    """Labels cut at four letters coincide, RKNE of the lateral and RKNE of the medial side of a knee."""
    write(tmp_path / "walk.c3d", names=("RKNE", "RKNE"))
    data = read_motion_data(tmp_path / "walk.c3d")
    assert {name.rpartition(".")[0] for name in data.columns} == {"RKNE", "RKNE_2"}
    np.testing.assert_allclose(data.column("RKNE_2.x"), markers(T)["KNEE"][:, 0], rtol=1e-6, atol=1e-4)


def test_what_is_no_c3d_file(tmp_path):
    pytest.importorskip("ezc3d")
    (tmp_path / "walk.c3d").write_text("Frame# Time\n")
    for name in ("walk.c3d", "none.c3d"):
        with pytest.raises(mubo.ModelError, match=f"cannot read .*{name}"):
            read_motion_data(tmp_path / name)


def test_a_damaged_file_cannot_end_the_process(tmp_path):
    """The reader of C3D files crashes on some damaged ones; here bytes of the parameters become 255."""
    write(tmp_path / "walk.c3d")
    good = (tmp_path / "walk.c3d").read_bytes()
    refused = 0
    for place in range(512, 560, 6):
        (tmp_path / "walk.c3d").write_bytes(good[:place] + b"\xff" + good[place + 1 :])
        try:
            read_motion_data(tmp_path / "walk.c3d")
        except mubo.ModelError:
            refused += 1
    assert refused


def test_without_ezc3d_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "ezc3d", raising=False)
    monkeypatch.setattr("mubo.formats.motion_data.c3d_file.find_spec", lambda name: None)
    with pytest.raises(mubo.ModelError, match=re.escape('pip install "mubo[gait]"')):
        read_motion_data(tmp_path / "walk.c3d")


def test_force_plates_of_type_2(tmp_path):
    """A plate of type 2 gives F and M at its origin, below the surface, in its own axes, of which z points down.

    By its corners the plate's x is against that of the laboratory, from its middle (300, 200) mm. The push of the
    ground on a foot at x = 100 mm of the plate is F = (0, 0, −500) N, and M = r × F = (0, 50, 0) N m: in the
    laboratory 500 N up at (200, 200, 0) mm.
    """
    ezc3d = pytest.importorskip("ezc3d")
    write(tmp_path / "walk.c3d")
    content = ezc3d.c3d(str(tmp_path / "walk.c3d"))
    count = 4 * len(T)
    analogs = np.zeros((1, 6, count))
    analogs[0, 2], analogs[0, 4] = -500.0, 50_000.0  # N and N mm
    analogs[0, :, : count // 2] = 0.0  # nobody stands on it
    content["data"]["analogs"] = analogs
    names = ["Fx", "Fy", "Fz", "Mx", "My", "Mz"]
    parameters = content["parameters"]
    for name, value in (("RATE", [200.0]), ("LABELS", names), ("UNITS", ["N"] * 3 + ["Nmm"] * 3), ("SCALE", [1.0] * 6)):
        parameters["ANALOG"][name]["value"] = value
    parameters["ANALOG"]["OFFSET"]["value"] = [0] * 6
    parameters["ANALOG"]["GEN_SCALE"]["value"] = [1.0]
    corners = np.array([[600, 400, 0], [600, 0, 0], [0, 0, 0], [0, 400, 0]], float).T[:, [3, 0, 1, 2]]
    for name, value in (
        ("USED", [1]),
        ("TYPE", [2]),
        ("ZERO", [0, 0]),
        ("CORNERS", corners[:, :, None]),
        ("ORIGIN", np.array([[0.0], [0.0], [-40.0]])),
        ("CHANNEL", np.arange(1, 7)[:, None]),
    ):
        parameters["FORCE_PLATFORM"][name]["value"] = value
    content.write(str(tmp_path / "plates.c3d"))
    data = read_motion_data(tmp_path / "plates.c3d", ["plate1.fz", "plate1.px"])
    stands = slice(count // 2 + 1, None)
    np.testing.assert_allclose(data.column("plate1.fz")[stands], 500.0, rtol=1e-6)
    assert np.isnan(data.column("plate1.px")[: count // 2 - 1]).all()
    for axis, known in zip("xyz", (200.0, 200.0, 0.0), strict=True):
        np.testing.assert_allclose(data.column(f"plate1.p{axis}")[stands], known, atol=1e-3)
    assert data.column_units["plate1.tz"] == "N mm"
    assert "analog.Mz" in data.columns
    with pytest.raises(mubo.ModelError, match="times of their own"):
        read_motion_data(tmp_path / "plates.c3d", ["plate1.fz", "HIP.x"])
