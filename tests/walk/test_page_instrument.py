"""The page as an instrument: whatever is clicked, dragged or named answers everywhere, in a real browser."""

import math
import re

import numpy as np
import pytest
from conftest import EXAMPLES
from test_report_browser import browser, launch, point  # noqa: F401

import mubo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pages of a four-bar and of an engine with its forces."""
    place = tmp_path_factory.mktemp("pages")
    runs = {"four_bar": mubo.load(EXAMPLES / "four_bar.toml").kinematics(transmission=True)}
    runs["engine"] = mubo.load(EXAMPLES / "engine.toml").inverse()
    for name, run in runs.items():
        run.report(place / f"{name}.html")
    return place, runs


@pytest.fixture
def opened(browser, folder):  # noqa: F811
    """Opens a page without motion of its own; nothing may be complained of."""
    complaints, contexts = [], []

    def call(name, address="", size=(1440, 900), **options):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, **{"reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        # where no graphics processor is, the browser itself notes that reading a drawing in space takes time
        page.on("console", lambda m: complaints.append(m.text) if "GL Driver Message" not in m.text else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((folder[0] / f"{name}.html").as_uri() + address)
        page.wait_for_selector("#figure[data-time]")
        return page

    yield call
    for context in contexts:
        context.close()
    assert complaints == []


def time_of(page):
    return float(page.locator("#figure").get_attribute("data-time"))


def pixel(page, run, x, y):
    """Where a place of the plane is on the screen."""
    box = page.locator("#drawing").bounding_box()
    a, b, c, d, e, f = page.locator("#drawing > g").first.evaluate(
        "g => { const m = g.transform.baseVal[0].matrix; return [m.a, m.b, m.c, m.d, m.e, m.f] }"
    )
    return box["x"] + a * x + c * y + e, box["y"] + b * x + d * y + f


def test_the_headline_says_what_a_designer_signs(opened, folder):
    page, run = opened("four_bar"), folder[1]["four_bar"]
    shown = page.locator(".headline").inner_text()
    assert "crank-rocker" in shown
    worst = page.locator('.headline [data-judgement="bad"]')
    degrees = math.degrees(run.summary["transmission"]["minimum"])
    assert float(re.search(r"([\d.]+)°", worst.inner_text())[1]) == pytest.approx(degrees, rel=1e-3)
    worst.click()
    assert time_of(page) == pytest.approx(run.summary["transmission"]["t"], abs=1e-12)


def test_dragging_the_crank_goes_through_its_motion(opened):
    """A point of the crank is dragged by a quarter turn about A: the time that this takes at 1 turn a second."""
    page = opened("four_bar")
    start = 1.0472  # rad, the crank's first angle
    page.mouse.move(*pixel(page, None, 1.2 * math.cos(start), 1.2 * math.sin(start)))
    page.mouse.down()
    for k in range(1, 11):
        angle = start + math.pi / 2 * k / 10
        page.mouse.move(*pixel(page, None, 1.2 * math.cos(angle), 1.2 * math.sin(angle)))
    page.mouse.up()
    assert time_of(page) == pytest.approx(0.25, abs=0.01)


def test_a_click_selects_and_everything_answers(opened):
    page = opened("four_bar")
    page.mouse.click(*pixel(page, None, 1.2 * math.cos(1.0472), 1.2 * math.sin(1.0472)))
    assert page.locator("#facts h3").inner_text() == "body crank"
    assert "Joints: A, B." in page.locator("#facts").inner_text()
    assert page.locator('[data-frame="rocker"].calm').count() > 0
    page.click('#facts button[data-column="crank.omega"]')
    assert page.locator('.chart[data-columns="crank.omega"].lit').count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".calm").count() == 0


def test_an_instant_in_a_table_is_a_link(opened, folder):
    page, run = opened("four_bar"), folder[1]["four_bar"]
    value, t = run.extremes["P.x"]["max"]
    page.locator(f'#extremes a[data-t="{t!r}"]').first.click()
    assert time_of(page) == pytest.approx(t, abs=1e-12)
    assert point(page)[1] == pytest.approx(value, rel=1e-4)  # between rows the page draws a cubic


def test_the_address_holds_the_view(opened):
    page = opened("four_bar", "#t=0.25&charts=P.y~P.x,rocker.phi%2Bcrank.phi&over=crank.phi&part=body:rocker")
    assert time_of(page) == 0.25
    charts = page.locator(".chart")
    assert [charts.nth(k).get_attribute("data-chart") for k in range(charts.count())] == [
        "P.y~P.x",
        "rocker.phi+crank.phi",
    ]
    assert page.locator("#facts h3").inner_text() == "body rocker"
    page.click('#facts button[data-column="rocker.omega"]')
    page.wait_for_function("location.hash.includes('rocker.omega')")


def test_the_address_holds_units_layers_and_panes(opened):
    """What is switched by hand is written, and a page opened with it shows the same."""
    page = opened("four_bar", "#charts=P.x")
    page.click("#ghosts")
    page.keyboard.press("n")
    page.click('[data-pane="facts"]')
    page.locator(".menu summary").click()
    page.get_by_label("unit").select_option("mm")
    # the address follows a moment after each change: wait for the last one
    page.wait_for_function("decodeURIComponent(location.hash).includes('units=P.x:mm')")
    hash_ = page.evaluate("decodeURIComponent(location.hash)")
    assert "on=ghosts" in hash_
    assert "off=names,facts" in hash_
    again = opened("four_bar", page.evaluate("location.hash"))
    assert again.locator("#ghosts").get_attribute("aria-pressed") == "true"
    assert again.locator(".ghost").count() > 6
    assert again.locator(".labels").get_attribute("display") == "none"
    assert not again.locator("#facts").is_visible()
    assert "[mm]" in again.locator(".chart .legend").inner_text()
    wrong = opened("four_bar", "#charts=P.x&units=P.x:kg")  # no unit of a length
    assert "[m]" in wrong.locator(".chart .legend").inner_text()


def test_the_badge_counts_the_checks_and_leads_to_their_table(opened):
    page = opened("four_bar")
    badge = page.locator(".badge")
    assert badge.inner_text() == "4 of 4 checks hold ✓"
    badge.press("Enter")
    table = page.locator("#proof table").first
    assert table.locator("tbody tr").count() == 4
    assert table.locator("tbody").inner_text().count("holds") == 4
    page.wait_for_function("document.querySelector('#proof table').getBoundingClientRect().top < innerHeight")


@pytest.mark.parametrize(("size", "columns"), [((1440, 900), 1), ((1100, 800), 1), ((820, 1180), 2)])
def test_all_charts_are_in_sight(opened, size, columns):
    page = opened("four_bar", size=size)
    assert page.locator(".chart").count() == 5
    seen, whole = page.locator("#plots").evaluate("e => [e.clientHeight, e.scrollHeight]")
    assert whole <= seen
    assert page.locator("#plots").get_attribute("data-columns") == str(columns)
    heights = page.locator(".chart").evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert min(heights) >= 90


def test_a_chart_over_another_column_is_its_curve(opened, folder):
    """The path of P as y over x: its curve's ends and middle are where the table says."""
    page, run = opened("four_bar", "#charts=P.y~P.x"), folder[1]["four_bar"]
    d = page.locator(".chart .line").get_attribute("d")
    drawn = np.array(re.findall(r"[ML]([-\d.]+) ([-\d.]+)", d), float)
    spans = np.ptp(drawn, axis=0)
    assert spans[0] > 100
    part = (drawn[0] - drawn.min(axis=0)) / spans
    x, y = run["P.x"], run["P.y"]
    ends = run.extremes
    expected = (x[0] - ends["P.x"]["min"][0]) / ends["P.x"]["range"]
    assert part[0] == pytest.approx(expected, abs=2e-3)
    assert part[1] == pytest.approx(1 - (y[0] - ends["P.y"]["min"][0]) / ends["P.y"]["range"], abs=2e-3)


def test_units_and_merging(opened, folder):
    page, run = opened("four_bar", "#charts=rocker.phi,crank.phi"), folder[1]["four_bar"]
    page.locator('.chart[data-columns="rocker.phi"] .menu summary').click()
    page.locator('.chart[data-columns="rocker.phi"] .menu select').nth(1).select_option("deg")
    value = page.locator('.value[data-column="rocker.phi"]').first.inner_text().replace("−", "-")
    assert float(value) == pytest.approx(math.degrees(run["rocker.phi"][0]), rel=1e-3)
    name = page.locator('.chart[data-columns="crank.phi"] .legend').bounding_box()
    onto = page.locator('.chart[data-columns="rocker.phi"] > svg').bounding_box()
    page.mouse.move(name["x"] + 30, name["y"] + 8)
    page.mouse.down()
    page.mouse.move(onto["x"] + 80, onto["y"] + 30, steps=5)
    page.mouse.up()
    assert page.locator('.chart[data-columns="rocker.phi crank.phi"]').count() == 1


def test_forces_have_their_values_and_begin_where_they_are_largest(opened, folder):
    page, run = opened("engine"), folder[1]["engine"]
    value, t = run.extremes["C.on_piston.f"]["max"]
    assert time_of(page) == pytest.approx(t, abs=1e-12)
    shown = page.locator('.force-value[data-force="C.on_piston"]').text_content()
    assert float(shown.split()[0]) == pytest.approx(value / 1000, rel=5e-3)
    assert shown.endswith("kN")
    page.mouse.click(*pixel(page, run, float(run["crank.x"][0]), float(run["crank.y"][0])))  # joint A
    assert page.locator("#facts h3").inner_text() == "joint A"
    seen = page.locator(".force-value").evaluate_all(
        "all => all.filter(e => e.style.display !== 'none').map(e => e.dataset.force)"
    )
    assert seen == ["A.on_crank"]


def test_the_stage_fills_the_window_and_the_phone_stacks_it(opened):
    page = opened("four_bar")
    stage = page.locator("#stage").bounding_box()
    assert stage["y"] + stage["height"] == pytest.approx(900, abs=1)
    assert page.locator("#plots").evaluate("e => e.scrollHeight <= e.clientHeight + 1")  # all charts are in sight
    phone = opened("four_bar", size=(390, 844), has_touch=True, is_mobile=True)
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    for tool in phone.locator(".tools button:visible").all():
        assert tool.bounding_box()["height"] >= 44
    below = phone.locator("#charts").bounding_box()["y"]
    assert phone.locator("#player").bounding_box()["y"] < below


def test_it_plays_once_unless_motion_is_unwelcome(opened):
    page = opened("four_bar", reduced_motion="no-preference")
    page.wait_for_function("Number(document.getElementById('figure').dataset.time) > 0")
    page.click("#play")
    still = opened("four_bar")
    still.wait_for_timeout(200)
    assert time_of(still) == 0


def test_panes_and_keys(opened):
    page = opened("four_bar")
    before = page.locator("#charts").bounding_box()["width"]
    page.locator('[aria-controls="charts"]').press("ArrowLeft")
    assert page.locator("#charts").bounding_box()["width"] == pytest.approx(before + 24, abs=1)
    page.click('[data-pane="facts"]')
    assert not page.locator("#facts").is_visible()
    page.locator("#figure").focus()
    page.keyboard.press("n")
    assert page.locator("#names").get_attribute("aria-pressed") == "false"
    assert page.locator(".labels").get_attribute("display") == "none"
    page.keyboard.press("g")
    assert page.locator(".ghost").count() > 6
