"""The script for Blender and the table of poses, run against a stand-in for `bpy`; `make blender` renders for real."""

import ast
import math
import runpy
import sys

import fake_bpy
import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.geometry.rotation import matrix
from mubo.view.painters.blender.script import IMPORTER, fitting_rate


def film(tmp_path, monkeypatch, run, *words, **options):
    """Runs the written script; answers the stand-in, and the names that the script defines."""
    run.export(tmp_path / "film.py", **options)
    bpy = fake_bpy.module()
    monkeypatch.setitem(sys.modules, "bpy", bpy)
    monkeypatch.setattr(sys, "argv", ["film.py", *words])
    return bpy, runpy.run_path(str(tmp_path / "film.py"), run_name="__main__")


@pytest.fixture(scope="module")
def chain():
    return mubo.load(EXAMPLES / "five_body_chain.toml").simulate()


@pytest.fixture(scope="module")
def four_bar():
    return mubo.load(EXAMPLES / "four_bar.toml").kinematics()


def test_the_script_needs_nothing_but_blender(tmp_path, chain):
    chain.export(tmp_path / "film.py")
    found = set()
    for node in ast.walk(ast.parse((tmp_path / "film.py").read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
    assert found == {"__future__", "argparse", "bpy", "math", "os", "sys", "typing"}


def test_key_frames_are_the_rows_of_the_table(tmp_path, monkeypatch, chain):
    """At 100 rows a second the film has 50 frames a second: frame k is row 2 k."""
    bpy, names = film(tmp_path, monkeypatch, chain)
    assert names["FILM"]["fps"] == (50, 1)
    assert names["FILM"]["frames"] == 250
    for body in ("upper", "lower", "cross", "right", "left"):
        thing = bpy.made[body]
        assert thing.parent is bpy.made["five body chain"]
        for frame in (0, 1, 77, 250):
            place = [chain[f"{body}.{c}"][2 * frame] for c in "xyz"]
            turn = [chain[f"{body}.q{c}"][2 * frame] for c in "wxyz"]
            assert thing.at("location", frame) == pytest.approx(place, abs=1e-7)
            assert thing.at("rotation_quaternion", frame) == pytest.approx(turn, abs=1e-8)
        assert {p.interpolation for c in thing.curves for p in c.keyframe_points} == {"LINEAR"}
    assert bpy.made["joint elbow"].parent.name == "lower"
    assert bpy.made["five body chain"].rotation_quaternion == pytest.approx((1, 0, 0, 0), abs=1e-12)


def test_a_planar_mechanism_stands_upright(tmp_path, monkeypatch, four_bar):
    """Blender has z upwards: the root turns y there, Rx(90°)."""
    bpy, names = film(tmp_path, monkeypatch, four_bar)
    half = math.sqrt(0.5)
    assert bpy.made["four bar"].rotation_quaternion == pytest.approx((half, half, 0, 0), abs=1e-8)
    assert names["FILM"]["fps"] == (40, 1)
    crank = bpy.made["crank"]
    assert crank.at("location", 10) == pytest.approx((four_bar["crank.x"][10], four_bar["crank.y"][10], 0), abs=1e-8)


@pytest.mark.parametrize("size", ["960x540", "300x900"])
@pytest.mark.parametrize("model", ["chain", "four_bar"])
def test_the_camera_sees_the_whole_motion(tmp_path, monkeypatch, request, model, size):
    """Every point of every body at every row projects into the picture, and the motion fills most of it."""
    run = request.getfixturevalue(model)
    bpy, names = film(tmp_path, monkeypatch, run, "--size", size)
    width, height = map(int, size.split("x"))
    camera = bpy.made["camera"]
    tilt, _, turn = camera.rotation_euler
    axes = matrix([math.cos(turn / 2), 0, 0, math.sin(turn / 2)]) @ matrix(
        [math.cos(tilt / 2), math.sin(tilt / 2), 0, 0]
    )
    root = matrix(np.array(bpy.made[run.model.name].rotation_quaternion))
    seen = []
    for name in run.model.bodies:
        places = np.concatenate(
            [part["places"] for a in names["FILM"]["actors"] if a["name"] == name for part in a["parts"]]
        )
        for row in range(0, len(run), 5):
            if name == "ground":
                place, spin = np.zeros(3), np.eye(3)
            elif model == "chain":
                place = np.array([run[f"{name}.{c}"][row] for c in "xyz"])
                spin = matrix(np.array([run[f"{name}.q{c}"][row] for c in "wxyz"]))
            else:
                place = np.array([run[f"{name}.x"][row], run[f"{name}.y"][row], 0])
                spin = matrix([math.cos(run[f"{name}.phi"][row] / 2), 0, 0, math.sin(run[f"{name}.phi"][row] / 2)])
            seen.append(((places @ spin.T + place) @ root.T - camera.location) @ axes)
    x, y, z = np.concatenate(seen).T  # a camera looks along its −z
    assert np.all(z < 0)
    half = 18 / 50 / max(width, height)  # sensor 36 mm over the longer side, lens 50 mm
    across, up = np.abs(x / -z) / (half * width), np.abs(y / -z) / (half * height)
    assert max(across.max(), up.max()) < 1
    assert max(across.max(), up.max()) > 0.75


def test_render_frame_and_film(tmp_path, monkeypatch, four_bar):
    bpy, _ = film(
        tmp_path, monkeypatch, four_bar, "--render", "a.png", "--frame", "7", "--film", "b.mp4", "--save", "c.blend"
    )
    (_, still), (_, whole) = bpy.ops.render.render.calls
    assert still["write_still"]
    assert whole["animation"]
    ((_, saved),) = bpy.ops.wm.save_as_mainfile.calls
    assert saved["filepath"].endswith("/c.blend")


def test_frame_rates_fall_on_rows():
    assert fitting_rate(np.arange(501) / 100) == 50
    assert fitting_rate(np.arange(41) / 40) == 40
    assert fitting_rate(np.arange(2001) / 1000) == 50
    assert fitting_rate(np.arange(11) / 2) == 30  # too few rows for a film: they are joined by straight lines
    assert fitting_rate(np.zeros(1)) == 30


def test_other_frame_rates_keep_all_rows(tmp_path, monkeypatch, four_bar):
    """25 frames a second of 40 rows: keys lie between frames, every row is one."""
    bpy, names = film(tmp_path, monkeypatch, four_bar, fps=24.975)
    rate, base = names["FILM"]["fps"]
    assert rate / base == pytest.approx(24.975, rel=1e-9)
    points = bpy.made["rocker"].curves[0].keyframe_points.co
    assert [frame for frame, _ in points] == pytest.approx(four_bar["t"] * 24.975, abs=1e-6)
    with pytest.raises(mubo.ResultError, match="frame rate must be from 1 to 1000"):
        four_bar.export(tmp_path / "film.py", fps=0)


def test_poses_and_their_importer(tmp_path, monkeypatch, four_bar):
    """The importer moves an object that has a body's name, and makes a cross of axes for the others."""
    four_bar.export(tmp_path / "poses.csv")
    table = np.genfromtxt(tmp_path / "poses.csv", delimiter=",", names=True, deletechars="")
    assert list(table["crank.x"]) == list(four_bar["crank.x"])
    assert table["crank.qw"] == pytest.approx(np.cos(four_bar["crank.phi"] / 2), abs=1e-15)
    assert not table["crank.z"].any()
    bpy = fake_bpy.module()
    moved = []
    crank = bpy.data.objects.new("crank", None)
    monkeypatch.setattr(
        fake_bpy.Thing, "keyframe_insert", lambda self, data_path, frame: moved.append((self.name, frame))
    )
    bpy.context.scene = bpy.data.scenes.new("open")
    monkeypatch.setitem(sys.modules, "bpy", bpy)
    monkeypatch.setattr(sys, "argv", ["blender", "--", str(tmp_path / "poses.csv"), "20"])
    runpy.run_path(str(IMPORTER), run_name="__main__")
    assert set(bpy.made) == {"crank", "coupler", "rocker"}
    assert crank.location == [four_bar["crank.x"][-1], four_bar["crank.y"][-1], 0]
    assert sum(name == "rocker" for name, _ in moved) == 2 * 41
    assert bpy.context.scene.frame_end == 20
