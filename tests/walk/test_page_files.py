"""Files of what a chart shows, the second cursor by the pointer, and polar charts, in a real browser."""

import csv
import io
import math
import re

import numpy as np
import pytest
from conftest import EXAMPLES
from PIL import Image
from test_page_hands import PHONE
from test_page_instrument import opened, time_of  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

import mubo

LOOKS = "e => { const s = getComputedStyle(e); return [s.stroke, s.strokeWidth, s.strokeLinecap, e.getAttribute('d')] }"
OTHER = "#charts=P.y~P.x,rocker.phi%2Bcrank.omega"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("files")
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    run.report(place / "four_bar.html")
    return place, {"four_bar": run}


def saved(page, kind, chart=0):
    panel = page.locator(".chart").nth(chart)
    panel.locator(".menu summary").click()
    with page.expect_download() as waiting:
        panel.get_by_role("button", name=f"save as {kind}").click()
    return waiting.value


def test_a_chart_is_saved_as_the_rows_of_the_table(opened, folder):  # noqa: F811
    """With full precision, in the units of the run, and with the column it is drawn over."""
    page, run = opened("four_bar", OTHER), folder[1]["four_bar"]
    file = saved(page, "CSV")
    assert file.suggested_filename == "P.y.csv"
    rows = list(csv.reader(io.StringIO(file.path().read_text())))
    assert rows[0] == ["t", "P.x [m]", "P.y [m]"]
    assert np.array_equal(np.array(rows[1:], float), np.column_stack([run["t"], run["P.x"], run["P.y"]]))
    both = list(csv.reader(io.StringIO(saved(page, "CSV", 1).path().read_text())))
    assert both[0] == ["t", "rocker.phi [rad]", "crank.omega [rad/s]"]
    assert np.array_equal(np.array(both[1:], float)[:, 1], run["rocker.phi"])


def test_a_chart_is_saved_as_a_drawing_that_stands_alone(opened, browser):  # noqa: F811
    """Without the page and its style sheet the curve has its colour, its width and the same places."""
    page = opened("four_bar", "#charts=P.y&over=t")
    curve = page.locator(".chart .line")
    shown = curve.evaluate(LOOKS)
    text = saved(page, "SVG").path().read_text()
    assert "var(" not in text
    alone = browser.new_page()
    alone.set_content(f"<body style='margin:0'>{text}</body>")
    found = alone.locator("svg .line").evaluate(LOOKS)
    assert found == shown
    assert alone.locator("svg").first.bounding_box()["width"] == pytest.approx(
        page.locator(".chart > svg").bounding_box()["width"], abs=1
    )
    alone.close()


def test_a_chart_is_saved_as_a_picture_of_twice_its_size(opened):  # noqa: F811
    page = opened("four_bar", "#charts=P.y&over=t")
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", rgb_of(page, ".chart .line"))[:3])
    box = page.locator(".chart > svg").bounding_box()
    picture = Image.open(io.BytesIO(saved(page, "PNG").path().read_bytes())).convert("RGB")
    assert picture.size == pytest.approx((2 * box["width"], 2 * box["height"]), abs=2)
    far = np.abs(np.asarray(picture, float) - (red, green, blue)).max(axis=2)
    columns = np.flatnonzero((far < 12).any(axis=0))
    assert np.ptp(columns) > 0.85 * picture.width  # the curve goes across all of it


def rgb_of(page, selector):
    """The colour of a stroke as the browser paints it, 0 to 255."""
    return page.locator(selector).evaluate(
        """e => {
            const paint = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
            paint.fillStyle = getComputedStyle(e).stroke;
            paint.fillRect(0, 0, 1, 1);
            return paint.getImageData(0, 0, 1, 1).data.join(" ");
        }"""
    )


def test_shift_and_a_click_pin_a_second_cursor(opened, folder):  # noqa: F811
    """The head shows the difference of the values at the two cursors; another click with Shift takes it away."""
    page, run = opened("four_bar", "#charts=P.y&over=t"), folder[1]["four_bar"]
    box = page.locator(".chart > svg").bounding_box()
    y = box["y"] + 60
    page.mouse.move(box["x"] + 0.4 * box["width"], y)
    page.keyboard.down("Shift")
    page.mouse.down()
    page.mouse.up()
    page.keyboard.up("Shift")
    pinned = time_of(page)
    page.keyboard.press("End")
    shown = page.locator(".legend .value").inner_text()
    there = np.interp(pinned, run["t"], run["P.y"])  # straight between 41 rows of a turn
    assert shown.startswith("Δ")
    assert float(shown[1:].replace("−", "-")) == pytest.approx(run["P.y"][-1] - there, abs=2e-2)
    assert page.locator(".pinned").count() == 1
    page.keyboard.down("Shift")
    page.mouse.down()
    page.mouse.up()
    page.keyboard.up("Shift")
    assert page.locator(".pinned").count() == 0


def test_a_polar_chart_has_angle_and_value_as_direction_and_distance(opened, folder):  # noqa: F811
    page, run = opened("four_bar", "#charts=rocker.phi"), folder[1]["four_bar"]
    page.locator(".chart .menu summary").click()
    page.get_by_role("button", name=re.compile("^polar over")).click()
    around = page.locator(".chart").get_attribute("data-chart").split("~")[1]
    found = []
    for row in (3, 17, 30):
        page.keyboard.press("Home")
        for _ in range(row):
            page.keyboard.press("ArrowRight")
        dot = page.locator(".chart .cursor circle").evaluate("e => [e.cx.baseVal.value, e.cy.baseVal.value]")
        rim = page.locator(".chart .rim").evaluate("e => [e.cx.baseVal.value, e.cy.baseVal.value, e.r.baseVal.value]")
        dx, dy = dot[0] - rim[0], rim[1] - dot[1]
        turn = math.atan2(dy, dx) - float(run[around][row])
        assert math.remainder(turn, 2 * math.pi) == pytest.approx(0, abs=1e-6)
        found.append((math.hypot(dx, dy), float(run["rocker.phi"][row])))
    for distance, value in found[1:]:
        assert distance / found[0][0] == pytest.approx(value / found[0][1], rel=1e-6)


def test_what_a_finger_presses_on_a_phone_is_large(opened):  # noqa: F811
    """44 pixels each way (WCAG 2.5.5), with words; the tools lie beside the figure, not over it."""
    page = opened("four_bar", **PHONE)
    for selector in (".tools button", "#player button", "#player select", ".tabs button"):
        for one in page.locator(selector).all():
            if not one.is_visible():
                continue
            box = one.bounding_box()
            assert min(box["width"], box["height"]) >= 44, (selector, one.inner_text(), box)
            assert one.inner_text().strip() or one.get_attribute("aria-label")
    tools, figure = page.locator(".tools").bounding_box(), page.locator("#figure").bounding_box()
    assert tools["y"] >= figure["y"] + figure["height"] - 1 or tools["y"] + tools["height"] <= figure["y"] + 1
