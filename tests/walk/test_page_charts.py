"""Kinds of charts in a real browser: equal axes of paths and hodographs, phase portraits, limits, vertical zoom."""

import re

import numpy as np
import pytest
from conftest import EXAMPLES
from test_page_instrument import opened  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("charts")
    runs = {"four_bar": mubo.load(EXAMPLES / "four_bar.toml").kinematics(transmission=True)}
    runs["stone"] = mubo.load(EXAMPLES / "falling_stone.toml").simulate()
    for name, run in runs.items():
        run.report(place / f"{name}.html")
    return place, runs


def drawn(page):
    d = page.locator(".chart .line").first.get_attribute("d")
    return np.array(re.findall(r"[ML]([-\d.]+) ([-\d.]+)", d), float)


def test_a_path_has_equal_axes(opened, folder):  # noqa: F811
    """Pixels per metre are the same along both axes: the extent of the curve is that of the table."""
    page, run = opened("four_bar", "#charts=P.y"), folder[1]["four_bar"]
    page.locator(".chart .menu summary").click()
    page.get_by_role("button", name="path (y over x)").click()
    assert page.locator(".chart").get_attribute("data-chart") == "P.y~P.x"
    spans = np.ptp(drawn(page), axis=0)
    assert spans[0] / spans[1] == pytest.approx(run.extremes["P.x"]["range"] / run.extremes["P.y"]["range"], rel=5e-3)


def test_a_hodograph_and_a_phase_portrait(opened):  # noqa: F811
    """The spans of the hodograph are those of both velocities, solved at a thousand times."""
    page = opened("four_bar", "#charts=P.vx,rocker.phi")
    fine = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.001)
    page.locator(".chart .menu summary").first.click()
    page.get_by_role("button", name="hodograph of the velocity").click()
    spans = np.ptp(drawn(page), axis=0)
    assert spans[0] / spans[1] == pytest.approx(np.ptp(fine["P.vx"]) / np.ptp(fine["P.vy"]), rel=1e-2)
    page.locator('.chart[data-columns="rocker.phi"] .menu summary').click()
    page.get_by_role("button", name="phase portrait").last.click()
    assert page.locator('[data-chart="rocker.omega~rocker.phi"]').count() == 1


def test_limits_are_bands_and_lines(opened):  # noqa: F811
    page = opened("four_bar")
    assert page.locator('[data-columns^="transmission"] .band').count() == 1
    stone = opened("stone", "#charts=stone.y")
    assert "landing" in stone.locator(".chart .limit title").evaluate("e => e.textContent")


def test_ctrl_and_the_wheel_enlarge_the_values(opened):  # noqa: F811
    page = opened("four_bar", "#charts=P.y")
    before = np.ptp(drawn(page)[:, 1])
    box = page.locator(".chart > svg").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 60)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    assert np.ptp(drawn(page)[:, 1]) == pytest.approx(before * np.exp(0.9), rel=1e-2)
    page.locator(".chart > svg").dblclick()
    assert np.ptp(drawn(page)[:, 1]) == pytest.approx(before, rel=1e-6)
