"""Models larger than a picture can show: the picture is there, and says what it leaves out."""

from __future__ import annotations

import math
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from page_numbers import embedded

import mubo
from mubo.view.painters.blender.script import _outermost_corners
from mubo.view.report import data, shapes

EXAMPLES = Path(__file__).parents[2] / "examples"
POINTS = 250


@pytest.fixture(scope="module")
def many_points(tmp_path_factory):
    """The four-bar with more points of interest than names can stand beside each other."""
    lines = [(EXAMPLES / "four_bar.toml").read_text()]
    for k in range(POINTS):
        lines += [f"[point.Q{k}]", 'body = "coupler"', f"at = [{math.cos(k)!r}, {math.sin(k)!r}]"]
    path = tmp_path_factory.mktemp("large") / "points.toml"
    path.write_text("\n".join(lines))
    return mubo.load(path).kinematics(0, 1, step=0.25)


def scripts(page: Path) -> dict[str, dict]:
    """What the page's script reads, by the name of its element."""
    text = page.read_text()
    return {name: embedded(text, name) for name in ("scene", "run")}


def test_a_page_of_many_points_shows_as_many_as_can_be_told_apart_and_says_so(many_points, tmp_path):
    page = tmp_path / "page.html"
    many_points.report(page)
    points = len(many_points.model.points)
    shown = scripts(page)["scene"]
    assert len(shown["points"]) == len(shown["texts"]) == 200
    assert f"200 of {points} points have dots and paths" in page.read_text()
    assert "names are shown" in page.read_text()


def test_a_picture_of_many_points_names_what_it_leaves_out(many_points, tmp_path):
    figure = many_points.plot(path=tmp_path / "many.png")
    assert (tmp_path / "many.png").stat().st_size > 0
    points = len(many_points.model.points)
    assert any(f"the names of {points} points are left out" in text.get_text() for text in figure.texts)


def test_a_page_keeps_as_many_positions_as_it_has_room_for(tmp_path, monkeypatch):
    """Three bodies move, and there is room for 30 poses: at most 11 rows, with the first and the last."""
    monkeypatch.setattr(shapes, "MOST_POSES", 30)
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.001)
    page = tmp_path / "page.html"
    run.report(page)
    shown = scripts(page)["scene"]
    times = np.frombuffer(b64decode(shown["times"]))
    assert len(times) <= 11
    assert times[[0, -1]].tolist() == run["t"][[0, -1]].tolist()
    assert f"{len(times)} of {len(run)} rows are animated" in page.read_text()
    assert len(b64decode(shown["rates"]["crank"])) == 3 * 4 * len(times)  # three numbers of four bytes a position


def test_charts_of_a_page_have_bounded_room(tmp_path, monkeypatch):
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.001)
    monkeypatch.setattr(data, "MOST_NUMBERS", 10 * len(run))
    page = tmp_path / "page.html"
    run.report(page)
    assert len(scripts(page)["run"]["columns"]) < len(run.columns) - 1
    assert "columns have charts" in page.read_text()


def test_the_outermost_corners_are_the_same_in_one_piece_and_in_many():
    """The farthest place of a convex set along an axis is one of its corners."""
    corners = np.random.default_rng(3).normal(size=(40_000, 3))
    whole, parts = _outermost_corners([corners]), _outermost_corners(np.array_split(corners, 37))
    assert np.array_equal(whole, parts)
    assert np.array_equal(whole.min(axis=0), corners.min(axis=0))
    assert np.array_equal(whole.max(axis=0), corners.max(axis=0))
