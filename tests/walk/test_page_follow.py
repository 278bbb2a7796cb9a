"""The view that goes along with what travels: in the plane and in space, by button, key, finger and address."""

import numpy as np
import pytest
from conftest import EXAMPLES
from test_page_hands import PHONE, fingers
from test_page_instrument import opened  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A hoop that rolls seven times its width, a car that drives three times its length, and what stays."""
    place = tmp_path_factory.mktemp("travels")
    runs = {name: mubo.load(EXAMPLES / f"{name}.toml").simulate() for name in ("rolling_hoop", "car_with_trailer")}
    runs["four_bar"] = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    for name, run in runs.items():
        run.report(place / f"{name}.html")
    return place, runs


def middle(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2


HOOP = '#drawing [data-frame="hoop"]'


def test_what_stays_has_no_button(opened):  # noqa: F811
    assert not opened("four_bar").locator("#follow").is_visible()


def test_a_rolling_hoop_stays_where_it_is_until_the_view_stays(opened, folder):  # noqa: F811
    """Its centre is 4.2 m further at the end: none of it on the screen with the view that follows, all without."""
    page, run = opened("rolling_hoop"), folder[1]["rolling_hoop"]
    width = page.locator("#figure").bounding_box()["width"]
    start = middle(page, HOOP)
    tall = page.locator(HOOP).first.bounding_box()["height"]
    page.keyboard.press("End")
    assert middle(page, HOOP) == pytest.approx(start, abs=0.25 * tall)  # its spoke goes round
    page.locator("#figure").focus()
    page.keyboard.press("l")
    assert page.locator("#follow").get_attribute("aria-pressed") == "false"
    scale = page.locator("#drawing > g").first.evaluate("g => g.transform.baseVal[0].matrix.a")
    end = middle(page, HOOP)
    assert page.locator(HOOP).first.bounding_box()["height"] < 0.4 * tall
    page.keyboard.press("Home")
    gone = run["hoop.x"][-1] - run["hoop.x"][0]
    assert end - middle(page, HOOP) == pytest.approx(gone * scale, abs=0.2 * gone * scale)
    assert gone * scale > 0.5 * width
    page.click("#follow")
    assert page.locator(HOOP).first.bounding_box()["height"] == pytest.approx(tall, rel=0.05)


def test_the_address_says_whether_it_follows(opened):  # noqa: F811
    page = opened("rolling_hoop", "#off=follow")
    assert page.locator("#follow").get_attribute("aria-pressed") == "false"
    page.click("#follow")
    page.wait_for_function("decodeURIComponent(location.hash).includes('on=follow')")


def test_a_view_that_follows_is_moved_and_enlarged_by_fingers(opened):  # noqa: F811
    """What a hand has moved and enlarged goes along as it is."""
    page = opened("rolling_hoop", **PHONE)
    box = page.locator("#drawing").bounding_box()
    x, y = box["x"] + 20, box["y"] + 30
    before = middle(page, HOOP)
    fingers(page, [(x, y), (x + 20, y + 10), (x + 60, y + 10)])
    moved = middle(page, HOOP)
    assert moved - before == pytest.approx(60, abs=3)
    page.locator("#slider").evaluate("s => { s.value = 1; s.dispatchEvent(new Event('input')) }")
    tall = page.locator(HOOP).first.bounding_box()["height"]
    assert middle(page, HOOP) == pytest.approx(moved, abs=0.25 * tall)


def test_a_car_in_space_is_followed_with_its_shadow(opened, folder):  # noqa: F811
    """Where points of the car are drawn at the end is where they were at first, but for its turn."""
    page = opened("car_with_trailer")
    label = '#drawing .label:has-text("car")'
    start = middle(page, label)
    page.keyboard.press("End")
    page.wait_for_timeout(100)
    width = page.locator("#figure").bounding_box()["width"]
    assert abs(middle(page, label) - start) < 0.15 * width
    page.locator("#figure").focus()
    page.keyboard.press("l")
    page.wait_for_timeout(100)
    end = middle(page, label)
    page.keyboard.press("Home")
    page.wait_for_timeout(100)
    assert abs(end - middle(page, label)) > 0.4 * width
    assert np.ptp(folder[1]["car_with_trailer"]["floor.q1"]) > 10  # m
