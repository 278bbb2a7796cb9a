"""Body frames in pictures, films and pages: arrows along the axes of every body that move with it, x the longest."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.view.scene import poses_at, scene_of
from mubo.view.scene.frames import with_frames


@pytest.mark.parametrize("name", ["eight_body.toml", "rssr.toml"])
def test_axes_point_along_the_columns_of_the_rotation(name):
    """r and A of the table against the ends of the arrows, at every row."""
    model = mubo.load(EXAMPLES / name)
    run = model.kinematics(0, 0.4, 0.1)
    bare = scene_of(run)
    scene = with_frames(bare, True)
    poses = poses_at(scene, run["t"])
    for body in model.bodies:
        lengths = []
        for k, letter in enumerate("xyz"[: model.dimension]):
            reach = poses[f"frame {body} {letter}"]
            lengths.append(next(r for r in scene.reaches if r.name == f"frame {body} {letter} head").second.at[k])
            if body == "ground":
                continue
            assert reach[:, :2] == pytest.approx(np.stack([run[f"{body}.x"], run[f"{body}.y"]], 1), abs=1e-9)
            if model.dimension == 2:
                turned = reach[:, 2] - run[f"{body}.phi"] - k * np.pi / 2
                assert np.cos(turned) == pytest.approx(np.ones(len(run)), abs=1e-9)
        assert lengths == sorted(lengths, reverse=True)
    assert with_frames(bare, False) is bare


def test_frames_are_drawn_filmed_and_reported(command, tmp_path):
    """`--frames` of the three commands, and the same argument in Python."""
    model = str(EXAMPLES / "eight_body.toml")
    for words in (
        ("plot", model, "--frames", "-o", "frames.svg"),
        ("animate", model, "--frames", "--end", "0.2", "--fps", "5", "--size", "160x120", "-o", "frames.gif"),
        ("report", model, "--frames", "--end", "0.5", "-o", "frames.html"),
    ):
        done = command(*words)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "frames.gif").stat().st_size > 0
    page = (tmp_path / "frames.html").read_text()
    assert "frame lever x" in page
    run = mubo.load(model).kinematics(0, 0.1, 0.05)
    assert len(run.plot(frames=True).axes) == 1
    run.report(tmp_path / "own.html", frames=True)
    assert "frame lever x" in (tmp_path / "own.html").read_text()
