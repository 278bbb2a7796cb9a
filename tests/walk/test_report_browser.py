"""The one-file report in a real browser: Debian's Chromium, without a window and without a network."""

import numpy as np
import pytest
from conftest import CHROMIUM, EXAMPLES
from conftest import CHROMIUM_ARGUMENTS as ARGUMENTS

import mubo
from mubo.view.curves import column_slopes, hermite_curve
from mubo.view.refinement import refine_rows
from mubo.view.scene import scene_of

__all__ = ["ARGUMENTS", "CHROMIUM"]


@pytest.fixture(scope="session")
def launch(start_chromium):
    """Starts another Chromium, with more arguments."""
    return start_chromium


@pytest.fixture(scope="session")
def browser(chromium):
    return chromium


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Runs and their reports: a mechanism in the plane, one in space."""
    folder = tmp_path_factory.mktemp("reports")
    four_bar = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    chain = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 1, step=0.02)
    for name, run in (("four_bar", four_bar), ("chain", chain)):
        run.report(folder / f"{name}.html")
    return {"folder": folder, "four_bar": four_bar, "chain": chain}


@pytest.fixture
def opened(browser, pages):
    """Opens a report; at the end nothing may have been complained of, and nothing asked of a network."""
    complaints, asked, contexts = [], [], []

    def call(name, wide=1280, high=800, browser=browser, address="", **options):
        quiet = {"reduced_motion": "reduce", **options}  # else the page plays once when it is opened
        context = browser.new_context(viewport={"width": wide, "height": high}, **quiet)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((pages["folder"] / f"{name}.html").as_uri() + address)
        page.wait_for_selector("#figure[data-time]")
        return page

    yield call
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def point(page, name="P"):
    """Time, and where the traced point is drawn to be."""
    dot = page.locator(f'#figure .dot[data-point="{name}"]')
    time = float(page.locator("#figure").get_attribute("data-time"))
    return time, *(float(dot.get_attribute(f"data-{c}") or "nan") for c in "xyz")


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_rows_are_those_of_the_table(opened, pages):
    page, run = opened("four_bar"), pages["four_bar"]
    for row in range(4):
        time, x, y, _ = point(page)
        assert (time, x, y) == pytest.approx((run["t"][row], run["P.x"][row], run["P.y"][row]), abs=1e-12)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert point(page)[1] == pytest.approx(run["P.x"][-1], abs=1e-12)
    value = page.locator('.legend .value[data-column="P.y"]').inner_text()
    assert float(value.replace("−", "-")) == pytest.approx(run["P.y"][-1], rel=1e-3)


def test_play_moves_the_coupler_point_along_its_path(opened):
    page = opened("four_bar")
    page.keyboard.press(" ")
    page.wait_for_function("Number(document.getElementById('figure').dataset.time) > 0.05")
    page.click("#play")
    time, x, y, _ = point(page)
    assert page.locator("#play").get_attribute("data-playing") == "false"
    exact = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, time, step=time)
    # between rows the page draws a cubic: fourth derivative of 6.3 rad/s over 25 ms leaves about 1e-4 of the size
    assert (x, y) == pytest.approx((exact["P.x"][-1], exact["P.y"][-1]), abs=2e-3)
    page.wait_for_timeout(100)
    assert point(page)[0] == time  # it stands


def test_scrubbing_and_hovering_agree(opened, pages):
    page, run = opened("four_bar"), pages["four_bar"]
    plot = page.locator(".chart > svg").first
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    hovered = point(page)
    assert 0.5 < hovered[0] < 0.62  # the axis begins right of its labels
    page.mouse.move(2, 2)
    page.locator("#slider").evaluate("(s, t) => { s.value = t; s.dispatchEvent(new Event('input')) }", 0.0)
    assert point(page)[0] == 0
    page.locator("#slider").evaluate("(s, t) => { s.value = t; s.dispatchEvent(new Event('input')) }", hovered[0])
    assert point(page)[:3] == pytest.approx(hovered[:3], abs=1e-9)
    cursor = page.locator(".chart .cursor circle").first
    assert float(cursor.get_attribute("cx")) == pytest.approx(0.6 * box["width"], abs=1.0)
    assert len(run) == 41


def test_charts_are_chosen_and_gaps_stay_gaps(opened, pages):
    gap = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    rows = gap["t"] * 40 // 10 == 1
    gap.columns = gap.columns.replaced({n: np.where(rows, np.nan, c) for n, c in gap.columns.items() if n != "t"})
    assert np.isnan(gap["P.y"]).sum() == 10
    assert len(rows) == 41
    gap.report(pages["folder"] / "gap.html")
    page = opened("gap")
    assert page.locator(".chart .line").first.get_attribute("d").count("M") == 2
    before = page.locator(".chart").count()
    page.click("#picker summary")
    page.fill("#search", "rocker om")
    page.click('#columns button[data-column="rocker.omega"]')
    assert page.locator('.chart[data-columns="rocker.omega"]').count() == 1
    assert page.locator(".chart").count() == before + 1


@pytest.mark.parametrize("name", ["four_bar", "chain"])
def test_phone_and_paper_lay_out(opened, name):
    page = opened(name, 390, 844, is_mobile=True, has_touch=True)
    assert wide(page) == 0
    assert page.locator("#figure").bounding_box()["width"] > 350
    page.keyboard.press("End")
    page.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 dots per inch
    page.emulate_media(media="print")
    page.wait_for_timeout(150)
    assert wide(page) == 0
    for control in ("#player", ".tools", "#picker", "#facts"):
        assert not page.locator(control).is_visible()
    assert page.locator(".chart").first.is_visible()
    page.wait_for_selector("#stills figcaption")
    assert page.locator("#stills figcaption").first.inner_text().endswith("at the start")


def test_curves_on_the_page_are_those_of_charts(opened, pages):
    """One rule in Python and in the page's script, for a column with a derivative and for one without."""
    page, run = opened("four_bar"), refine_rows(pages["four_bar"])
    for name in ("P.vy", "P.ay"):
        t, y = hermite_curve(run["t"], run[name], column_slopes(run, name), pieces=64)
        spread = np.ptp(y)
        for place in np.linspace(0.0, 1.0, 23):
            page.locator("#slider").evaluate("(s, t) => { s.value = t; s.dispatchEvent(new Event('input')) }", place)
            shown = float(page.locator(f'.legend .value[data-column="{name}"]').inner_text().replace("−", "-"))
            # 64 straight pieces to a step on one side, four digits on the other
            assert shown == pytest.approx(np.interp(place, t, y), rel=6e-4, abs=1e-4 * spread), (name, place)


def test_a_part_of_the_time_is_cut_off_at_the_frame(opened):
    page = opened("four_bar", address="#over=t")
    plot = page.locator(".chart > svg").first
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 40, steps=4)
    page.mouse.up()
    inner = page.locator(".chart > svg svg").first
    assert inner.evaluate("svg => getComputedStyle(svg).overflow") == "hidden"
    assert 40 < inner.evaluate("svg => svg.x.baseVal.value") < 80  # right of the numbers of the axis
    assert inner.locator(".line").count() == 1


def test_arrows_are_the_columns_and_paths_grow(opened, pages):
    page, run = opened("four_bar"), pages["four_bar"]
    whole = len(page.locator('path[data-path="P"]').get_attribute("d"))
    for button in ("velocity", "acceleration", "growing"):
        page.click(f"#{button}")
    page.keyboard.press("ArrowRight")
    for quantity in "va":
        arrow = page.locator(f'[data-arrow="P.{quantity}"]')
        shown = [float(arrow.get_attribute(f"data-{c}")) for c in "xy"]
        assert shown == pytest.approx([run[f"P.{quantity}{c}"][1] for c in "xy"], rel=1e-12)
    assert 0 < len(page.locator('path[data-path="P"]').get_attribute("d")) < 0.2 * whole
    page.keyboard.press("End")
    assert len(page.locator('path[data-path="P"]').get_attribute("d")) == whole
    colour = page.locator('path[data-path="P"]').evaluate("path => path.style.getPropertyValue('--c')")
    assert colour == scene_of(run).body("coupler").colour


def test_turning_keeps_upright_what_is_up(opened):
    """However a mechanism is turned by a hand that moves sideways, its z axis stands on the screen."""
    page = opened("chain")
    box = page.locator("#figure").bounding_box()
    x, y = box["x"] + 20, box["y"] + 20  # beside the mechanism, whose parts go along their motion
    letters = page.locator(".compass text")
    before = [float(letters.nth(k).get_attribute("x")) for k in range(3)]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 240, y, steps=6)
    page.mouse.up()
    page.wait_for_timeout(200)
    after = [float(letters.nth(k).get_attribute("x")) for k in range(3)]
    origin = float(page.locator(".compass line").first.get_attribute("x1"))
    assert abs(after[0] - before[0]) > 5  # x went round
    assert (before[2], after[2]) == pytest.approx((origin, origin), abs=1e-6)


def test_paper_does_not_stretch_space(opened):
    page = opened("chain")
    page.emulate_media(media="print")
    assert page.locator("#figure canvas").evaluate("c => getComputedStyle(c).objectFit") == "contain"
    assert page.locator("#drawing").evaluate("svg => svg.preserveAspectRatio.baseVal.align") == 6  # xMidYMid


@pytest.mark.parametrize("name", ["four_bar", "chain"])
def test_without_a_script_the_first_position_and_all_tables_are_there(browser, pages, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((pages["folder"] / f"{name}.html").as_uri())
    assert page.locator(".still").is_visible()
    assert page.locator(".still path").count() > 10
    for hidden in ("#drawing", "#player", ".tools", "#charts", "#facts"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#proof").is_visible()
    context.close()


def test_contents_lead_to_every_section(opened):
    page = opened("four_bar")
    links = page.locator("#contents a")
    found = [links.nth(k).get_attribute("href") for k in range(links.count())]
    sections = page.locator("#sections > section")
    assert found == [f"#{sections.nth(k).get_attribute('id')}" for k in range(sections.count())]
    assert not page.locator(".still").is_visible()


def test_space_is_drawn(opened, pages):
    page, run = opened("chain"), pages["chain"]
    page.keyboard.press("ArrowRight")
    page.wait_for_function("Number(document.getElementById('figure').dataset.time) > 0")
    page.wait_for_timeout(100)
    time, *place = point(page, "right")
    assert time == pytest.approx(run["t"][1], abs=1e-12)
    assert place == pytest.approx([run[f"right.{c}"][1] for c in "xyz"], abs=1e-12)
    colours = page.evaluate(
        """() => { const canvas = document.querySelector('#figure canvas'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const brush = copy.getContext('2d'); brush.drawImage(canvas, 0, 0);
        const seen = new Set(new Uint32Array(brush.getImageData(0, 0, copy.width, copy.height).data.buffer));
        return seen.size }"""
    )
    assert colours > 100  # an empty picture has one


def test_without_webgl_it_says_so_and_the_charts_work(opened, launch):
    bare = launch("--disable-3d-apis")
    page = opened("chain", browser=bare)
    assert "WebGL is not available" in page.locator(".missing").inner_text()
    page.keyboard.press("ArrowRight")
    assert float(page.locator("#figure").get_attribute("data-time")) > 0
    assert page.locator(".chart .line").count() > 5
    bare.close()
