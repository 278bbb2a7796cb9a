"""Films and pictures made by the page itself, in a real browser; its speed in turns."""

import io
from itertools import pairwise

import numpy as np
import pytest
from conftest import EXAMPLES
from PIL import Image
from test_page_instrument import opened, time_of  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("films")
    runs = {"four_bar": mubo.load(EXAMPLES / "four_bar.toml").kinematics()}
    runs["eight_body"] = mubo.load(EXAMPLES / "eight_body.toml").kinematics()
    runs["chain"] = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 1, step=0.05)
    for name, run in runs.items():
        run.report(place / f"{name}.html")
    return place, runs


def saved(page, name):
    page.click("#picture")
    with page.expect_download(timeout=60_000) as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return waiting.value


def test_a_film_of_the_page_is_a_gif_that_moves(opened):  # noqa: F811
    page = opened("four_bar", "#t=0.25", size=(700, 560))
    page.select_option("#speed", "1")
    file = saved(page, "film (GIF)")
    assert file.suggested_filename == "four_bar.gif"
    with Image.open(file.path()) as film:
        assert film.n_frames == 20  # a second at 20 pictures a second
        assert film.info["duration"] == 50
        frames = []
        for k in range(0, 20, 5):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB"), float))
        assert all(np.abs(a - b).max() > 100 for a, b in pairwise(frames))
        colours = film.convert("RGB").getcolors(1 << 24)
        assert len(colours) > 20  # links, paths and names, not one grey
    assert time_of(page) == 0.25


def test_pictures_are_what_is_seen(opened):  # noqa: F811
    """The saved picture is that of the screen but for the tools over it: lines have their widths, names their halos."""
    page = opened("four_bar", "#off=facts")
    picture = Image.open(io.BytesIO(saved(page, "PNG").path().read_bytes())).convert("RGB")
    box = page.locator("#drawing").bounding_box()
    assert picture.size == pytest.approx((box["width"], box["height"]), abs=2)
    seen = Image.open(io.BytesIO(page.screenshot(clip=box))).convert("RGB").resize(picture.size)
    left = np.s_[: picture.height - 70, : picture.width - 60]  # clear of the tools and of the files offered
    apart = np.abs(np.asarray(picture, float)[left] - np.asarray(seen, float)[left]).max(axis=2)
    assert np.mean(apart > 60) < 0.004  # some pixels of smoothed edges


def test_a_film_in_space_moves_and_has_its_names(opened):  # noqa: F811
    page = opened("chain", size=(700, 560))
    page.select_option("#speed", "1")
    with Image.open(saved(page, "film (GIF)").path()) as film:
        frames = []
        for k in (0, 8, 16):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB"), float))
    assert all(np.mean(np.abs(a - b).max(axis=2) > 40) > 0.002 for a, b in pairwise(frames))
    page.keyboard.press("Escape")  # closes the sheet
    page.click("#names")
    bare = Image.open(io.BytesIO(saved(page, "PNG").path().read_bytes())).convert("L")
    page.keyboard.press("Escape")
    page.click("#names")
    named = Image.open(io.BytesIO(saved(page, "PNG").path().read_bytes())).convert("L")
    assert np.mean(np.asarray(bare, int) != np.asarray(named, int)) > 0.002


def test_a_video_is_recorded_where_the_browser_can(opened):  # noqa: F811
    page = opened("four_bar", size=(700, 560))
    page.select_option("#speed", "1")
    names = page.locator("#files button").evaluate_all("all => all.map(e => e.textContent)")
    video = [name for name in names if name in ("film (mp4)", "film (webm)")]
    assert video
    head = saved(page, video[0]).path().read_bytes()[:12]
    assert head[:4] == b"\x1aE\xdf\xa3" or head[4:8] == b"ftyp"  # EBML of WebM, or MP4


def test_speed_is_in_turns_where_the_driver_turns(opened):  # noqa: F811
    assert opened("four_bar").locator("#speed option:checked").inner_text() == "one turn in 5 s"
    assert opened("eight_body").locator("#speed option:checked").inner_text().startswith(("all in", "real"))
