"""mubo export as a person types it."""

from pathlib import Path

import pytest
from conftest import EXAMPLES
from glb import Glb

FOUR_BAR = EXAMPLES / "four_bar.toml"


def test_three_files_in_one_call(command, tmp_path):
    done = command(
        "export", EXAMPLES / "five_body_chain.toml", "-o", "a.glb", "-o", "a.csv", "--blender", "a.py", "--end", 0.2
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["a.glb", "a.csv", "a.py"]
    film = Glb(tmp_path / "a.glb")
    times, _ = film.tracks[film.names().index("upper"), "translation"]
    assert len(times) == 21
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 22


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "nothing to write"),
        (
            ["-o", "a.gltf"],
            1,
            "the ending must be .glb (binary glTF), .py (a script for Blender), .csv (a table of poses)",
        ),
        (["-o", "film"], 1, 'cannot export to "film"'),
        (["--blender", "a.glb"], 2, "the script must end in .py"),
        (["-o", "nowhere/a.glb"], 1, "cannot write nowhere/a.glb: No such file or directory"),
        (["-o", "a.glb", "--speed", "0"], 1, "the speed must be positive"),
        (["-o", "a.glb", "--step", "-1"], 1, "the time step must be positive"),
    ],
)
def test_wrong_words(command, tmp_path, words, code, message):
    done = command("export", FOUR_BAR, *words)
    assert done.returncode == code
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_one_time_is_told(command, tmp_path):
    done = command("export", FOUR_BAR, "-o", "a.glb", "--end", 0)
    assert done.returncode == 0
    assert done.stderr == "note: one time only: the mechanism does not move\n"


def test_a_model_without_analysis_says_what_it_needs(command, tmp_path):
    """One turn of a driver of constant rate needs no end; a driver that swings does not say how long."""
    text = FOUR_BAR.read_text().partition("[analysis]")[0]
    (tmp_path / "model.toml").write_text(text)
    assert command("export", "model.toml", "-o", "turn.glb").returncode == 0
    assert "pi/3 + 2*pi*t" in text
    (tmp_path / "model.toml").write_text(text.replace("pi/3 + 2*pi*t", "pi/3 + sin(t)"))
    done = command("export", "model.toml", "-o", "a.glb", "--start", 0)
    assert done.returncode == 1
    assert "the model has no [analysis]" in done.stderr
    assert "end is missing" in done.stderr
    assert command("export", "model.toml", "-o", "a.glb", "--start", 0, "--end", 1, "--step", 0.1).returncode == 0


def test_a_run_that_stops_early_is_written_and_told(command, tmp_path):
    """A rocker cannot turn fully: the run ends at its limit with exit code 3, and the film shows what was reached."""
    text = FOUR_BAR.read_text().replace('of = "crank.phi"', 'of = "rocker.phi"')
    (tmp_path / "model.toml").write_text(text)
    done = command("export", "model.toml", "-o", "a.glb")
    assert done.returncode == 3
    assert done.stderr
    assert Glb(tmp_path / "a.glb").tracks


def test_the_importer_has_a_place(command):
    done = command("export", "--importer")
    assert done.returncode == 0
    assert "import bpy" in Path(done.stdout.strip()).read_text()


def test_a_robot_falls_when_gravity_is_stated(command, tmp_path):
    (tmp_path / "arm.urdf").write_text(
        "<robot name='arm'><link name='world'/><link name='a'><inertial><origin xyz='0.5 0 0'/><mass value='1'/>"
        "<inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link><joint name='j' type='continuous'>"
        "<parent link='world'/><child link='a'/><axis xyz='0 1 0'/></joint></robot>"
    )
    times = ("--start", 0, "--end", 0.5, "--step", 0.1)
    done = command("export", "arm.urdf", "-o", "arm.glb", *times)
    assert done.returncode == 1
    assert "gravity is not stated" in done.stderr
    assert command("convert", "arm.urdf", "-o", "arm.toml").returncode == 0
    text = (tmp_path / "arm.toml").read_text().replace("dimension = 3", "dimension = 3\ngravity = [0, 0, -9.81]")
    (tmp_path / "arm.toml").write_text(text)
    assert command("export", "arm.toml", "-o", "arm.glb", *times).returncode == 0
