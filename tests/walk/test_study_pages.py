"""Pages of studies in a real browser: a walk, links and pins, vibration modes, and the designs of sweeps, tolerances,
optimisations and syntheses, each of which can be seen to move."""

import math
import re

import numpy as np
import pytest
from conftest import EXAMPLES
from test_report_browser import browser, launch  # noqa: F401

import mubo

AXE = EXAMPLES.parent / "web/node_modules/axe-core/axe.min.js"

GROUP = "# source: nobody, for the test\npercent,quantity,mean,sd\n0,knee_angle,20,10\n100,knee_angle,20,10\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The results behind the pages, and a function that writes the page of one when it is first opened."""
    place = tmp_path_factory.mktemp("pages")
    (place / "group.csv").write_text(GROUP)
    load = lambda name: mubo.load(EXAMPLES / name)  # noqa: E731
    makers = {
        "plane": lambda: load("four_bar.toml").kinematics(),
        "gait": lambda: load("walker.toml").gait(normative=str(place / "group.csv")),
        "strength": lambda: load("strong_four_bar.toml").strength(),
        "modes": lambda: load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"}),
        "sweep": lambda: load("parameters.toml").sweep(
            {"a": "0.03:0.05:3", "c": "0.1:0.14:3"}, ["range P.x"], step=0.05
        ),
        "tolerance": lambda: load("tolerances.toml").tolerance(["stroke"], samples=0),
        "optimize": lambda: load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1),
        "synthesis": lambda: mubo.synthesize.path([(0, 0), (10, 0), (20, 5), (10, 10), (2, 10)], most=4),
        "planetary": lambda: mubo.synthesize.planetary(4, planets=3, module=2, length="mm"),
        "cam": lambda: mubo.synthesize.cam([(120, 20), (60,), (120, -20), (60,)], roller=8, length="mm"),
        "cognates": lambda: mubo.synthesize.cognates(load("parameters.toml")),
        "mission": lambda: load("strong_four_bar.toml").strength(mission={"runs": [9, 1]}),
    }
    found = {}

    def make(name):
        if name not in found:
            found[name] = makers[name]()
            owner = found[name].run if name in ("gait", "strength", "mission") else found[name]
            owner.report(place / f"{name}.html")
        return found[name], place / f"{name}.html"

    return make


@pytest.fixture
def opened(browser, made):  # noqa: F811
    """Opens a page; nothing may be complained of."""
    complaints, contexts = [], []

    def call(name, address="", size=(1440, 900), **options):
        result, path = made(name)
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, **{"reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri() + address)
        page.wait_for_selector("#figure[data-time]")
        return page, result

    yield call
    for context in contexts:
        context.close()
    assert complaints == []


def number(text):
    return float(text.replace("−", "-"))


def centre(page, selector):
    return page.locator(selector).evaluate("e => { const b = e.getBoundingClientRect(); return b.x + b.width / 2 }")


def test_the_view_goes_along_with_the_walker(opened):
    page, found = opened("gait", "#t=0.5")
    walked = found.run["trunk.x"][-1] - found.run["trunk.x"][0]
    assert walked > 3
    before = centre(page, '[data-frame="trunk"]')
    page.keyboard.press("End")
    assert centre(page, '[data-frame="trunk"]') == pytest.approx(before, abs=20)
    tall = page.locator('[data-frame="trunk"]').bounding_box()
    view = page.locator("#figure").bounding_box()
    assert tall["height"] > 0.2 * view["height"]  # the walker fills the view, not the walk
    ground = page.locator(".ground-line path").first.bounding_box()
    assert ground["width"] >= view["width"]
    assert tall["y"] < ground["y"] < view["y"] + view["height"]


def test_only_the_forces_of_the_ground_are_arrows(opened):
    """At mid-stance of the right foot its force, and no other, is that of the table."""
    page, found = opened("gait")
    start, end = found.cycles["r"].times[0]
    t = start + 0.3 * (end - start)
    page.goto(page.url.partition("#")[0] + f"#t={t}")
    page.reload()
    page.wait_for_selector("#figure[data-time]")
    shown = page.locator('.ground-reaction[data-reaction="right"] text').text_content()
    run = found.run
    row = int(np.argmin(np.abs(run["t"] - t)))
    force = math.hypot(run["ground_r_force_x"][row], run["ground_r_force_y"][row])
    assert float(shown.split()[0]) == pytest.approx(force, rel=0.03)  # the nearest row
    drawn = page.locator("[data-frame^=reaction], [data-frame^=weight], [data-frame^=driver]")
    assert drawn.evaluate_all("all => all.filter(e => e.style.display !== 'none').length") == 0


def test_joints_are_live_charts_over_the_cycle(opened):
    page, found = opened("gait")
    assert page.locator("#study-pane .plot").count() == 9
    assert page.locator("#sections svg[aria-label='gait cycle']").count() == 0  # no figure of another style
    start, end = found.cycles["r"].times[0]
    page.evaluate(f"location.hash = 't={start + 0.25 * (end - start)}'")
    page.reload()
    page.wait_for_selector("#figure[data-time]")
    values = page.locator('.plot[data-figure="knee angle"] .readout').text_content()
    assert number(values.split(" · ")[0]) == pytest.approx(found.mean("knee_angle_r")[25], rel=0.02)
    plot = page.locator('.plot[data-figure="knee angle"] > svg')
    assert "right" in plot.get_attribute("aria-label")
    box = plot.bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.5 * box["height"])
    assert start + 0.6 * (end - start) < float(page.locator("#figure").get_attribute("data-time")) < end
    table = page.locator("#gait").inner_text()
    lowest = found.mean("ankle_angle_r_moment").min()
    assert f"{lowest:.3g}" in table.replace("−", "-")
    assert "moments that flex or dorsiflex are positive" in table
    assert "dorsi ↑" in plot.page.locator('.plot[data-figure="ankle moment"]').inner_html()


def test_a_reference_group_is_a_band_behind_the_curves(opened):
    """The band of knee flexion, 20 ± 10 deg, lies between the heights of its two numbers, behind all curves."""
    page, found = opened("gait")
    assert page.locator(".normative").count() == 1
    plot = page.locator('.plot[data-figure="knee angle"]')
    band = plot.locator(".normative")
    assert band.locator("title").text_content() == found.normative.source == "nobody, for the test"
    assert found.normative.source in page.locator("#study-pane .note").inner_text()
    drawn = band.bounding_box()
    marks = plot.locator(".grid text").evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().y]).filter(([t]) => t === '20' || t === '40')"
    )
    twenty, forty = (y for _, y in sorted(marks))  # the first two are of the values, in degrees
    assert drawn["height"] == pytest.approx(twenty - forty, abs=2)  # from 10 to 30 are as many degrees
    assert plot.locator(".normative ~ .curve").count() == 2


def test_use_is_the_colour_of_links_and_pins(opened):
    """At the instant of its largest stress the crank uses required over found safety of what is allowed."""
    page, found = opened("strength")
    check = found.check("section crank", "largest stress")
    page.evaluate(f"location.hash = 't={check.t}'")
    page.reload()
    page.wait_for_selector("#figure[data-time]")
    words = page.locator('[data-frame="crank"][data-use]').first.get_attribute("data-use")
    used = float(re.search(r"([\d.]+) %", words)[1])
    assert used == pytest.approx(100 * check.asked / check.safety, rel=2e-3)
    pin = min(
        c.safety / c.asked
        for c in found.parts["pin A"]
        if c.what in ("shear of the pin", "bearing pressure") and c.safety
    )
    load = found.check("pin A", "largest load")
    page.evaluate(f"location.hash = 't={load.t}'")
    page.reload()
    page.wait_for_selector("#figure[data-time]")
    ring = page.locator('.pin-use[data-joint="A"]')
    assert float(ring.get_attribute("data-use")) == pytest.approx(1 / pin, rel=2e-3)
    page.keyboard.press("u")
    assert page.locator("[data-frame][data-use]").count() == 0


def test_section_forces_follow_the_clock(opened):
    """N, V, M have axes, values and allowed lines; the largest stress of the crank is drawn at its instant."""
    page, found = opened("strength")
    assert page.locator("#study-pane .plot").count() == 4 * len(found.links)
    moment = page.locator('.plot[data-figure="crank M"]')
    page.keyboard.press("Home")
    before = moment.locator(".line").get_attribute("d")
    page.keyboard.press("ArrowRight")
    assert moment.locator(".line").get_attribute("d") != before
    check = found.check("section crank", "largest stress")
    stress = page.locator('.plot[data-figure="crank σ"]')
    allowed = stress.locator("text.limit").first.text_content()
    assert float(allowed.split()[1]) == pytest.approx(check.limit / check.asked / 1e6, rel=1e-3)
    assert "from A to B [m]" in stress.inner_html()


def test_modes_swing_about_their_rest_position(opened):
    page, found = opened("modes")
    words = page.locator(".stepper span").inner_text()
    assert "mode 1" in words
    assert float(re.search(r"frequency ([\d.]+)", words)[1]) == pytest.approx(found.frequencies[0], rel=1e-3)
    assert "damping ratio 0" in words
    assert page.locator(".ghost").count() > 0
    rest = page.locator(".ghosts .ghost[data-frame=crank]").first.get_attribute("transform")
    angle = float(re.search(r"rotate\(([-\d.]+)", rest)[1])
    assert angle == pytest.approx(math.degrees(found.values[0]), abs=1e-3)  # A.q is the angle of the crank


def test_every_variant_of_a_sweep_moves(opened):
    page, found = opened("sweep")
    rows = page.locator(".design-list tbody tr")
    assert rows.count() == len(found) + 1  # and the model
    assert "the model" in page.locator(".map").first.inner_html()
    page.locator('.design-list tr[data-design="8"] button').click()
    longest = found.run(8)
    x = float(page.locator('[data-point="P"]').get_attribute("data-x"))
    assert x == pytest.approx(longest["P.x"][0], abs=1e-9)
    page.keyboard.press("[")
    assert page.locator("#study-pane").get_attribute("data-design") == "7"
    dot = page.locator('.map-designs [data-design="0"]').bounding_box()
    page.mouse.click(dot["x"] + 2, dot["y"] + 2)
    x = float(page.locator('[data-point="P"]').get_attribute("data-x"))
    assert x == pytest.approx(found.run(0)["P.x"][0], abs=1e-9)


def test_brushing_an_axis_fades_the_others(opened):
    """The upper half of the axis of a keeps two of three values of it: 6 of 9 variants, and the model in the middle."""
    page, _ = opened("sweep")
    parallel = page.locator(".parallel")
    parallel.scroll_into_view_if_needed()
    box = parallel.locator(".brush").first.bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + 0.6 * box["height"])
    page.mouse.down()
    page.mouse.move(x, box["y"], steps=4)
    page.mouse.up()
    assert parallel.get_attribute("data-inside") == "7"
    page.mouse.click(x, box["y"] + 0.5 * box["height"])
    assert parallel.get_attribute("data-inside") == "10"
    brush = parallel.locator(".brush").first
    brush.focus()
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    assert parallel.get_attribute("data-inside") == "7"
    parallel.locator(".title").first.focus()
    page.keyboard.press("Enter")
    assert parallel.locator(".colour-bar").inner_text().endswith("a")


def test_the_designs_of_an_optimisation_can_be_compared(opened):
    page, found = opened("optimize")
    assert "the best design" in page.locator(".stepper span").inner_text()
    page.locator('.design-list tr[data-design="0"] button').click()
    words = page.locator(".stepper span").inner_text()
    assert float(re.search(r"mass ([\d.]+)", words)[1]) == pytest.approx(found.numbers["mass"][0], rel=1e-3)


def test_limits_and_contributions_of_tolerances(opened):
    page, found = opened("tolerance")
    shares = page.locator(".bars dd").all_inner_texts()
    assert sum(float(text.split()[-2]) for text in shares) == pytest.approx(100, abs=0.2)
    head = page.locator('.plot[data-figure="stroke"] figcaption b').inner_text()
    nominal, worst = re.search(r": ([\d.]+) ± ([\d.]+)", head).groups()
    assert float(nominal) == pytest.approx(found["stroke"]["nominal"], rel=1e-4)
    assert float(worst) == pytest.approx(found["stroke"]["worst"], rel=1e-2)


def test_cognates_are_named_and_draw_the_same_curve(opened):
    """Roberts: cognates draw one coupler curve, so the second one passes every place of the first one's point."""
    page, found = opened("synthesis")
    note = page.locator('.design-list tr[data-design="0"]').inner_text()
    other = int(re.search(r"cognate of design_(\d+)", note)[1])
    first, second = (found.run(k) for k in (1, other))
    places = np.column_stack([first["P.x"], first["P.y"]])
    curve = np.column_stack([second["P.x"], second["P.y"]])
    steps = np.max(np.linalg.norm(np.diff(curve, axis=0), axis=1))
    far = np.min(np.linalg.norm(places[:, None] - curve[None], axis=2), axis=1)
    assert far.max() < steps
    assert page.locator(".asked text").all_text_contents() == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("kind", ["planetary", "cognates"])
def test_every_design_has_its_line_whatever_numbers_it_lacks(opened, kind):
    """A train has no transmission angle, a five-bar no rocker."""
    page, found = opened(kind)
    assert page.locator(".parallel path.design").count() == len(found)
    assert "–" not in page.locator("#study-pane").inner_text().partition("\ndesign")[0]


def test_the_page_of_a_cam_has_its_diagrams(opened):
    page, _ = opened("cam")
    figures = page.locator(".plot[data-figure]").evaluate_all("all => all.map((one) => one.dataset.figure)")
    assert figures == ["follower", "pressure angle", "radius of curvature"]


def test_the_page_of_a_mission_has_its_cases(opened):
    page, _ = opened("mission")
    rows = page.locator("#strength tr").all_inner_texts()
    assert any(row.split("\t")[:2] == ["1", "9"] for row in rows)
    assert any(row.split("\t") == ["pin A", "90 %", "10 %"] for row in rows)


def test_the_pane_stacks_on_a_phone(opened):
    page, _ = opened("gait", size=(390, 844), has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    boxes = [plot.bounding_box() for plot in page.locator("#study-pane .plot").all()[:2]]
    assert boxes[1]["y"] > boxes[0]["y"] + 100


def test_what_scrolls_on_a_phone_is_not_squeezed_into_tall_lines(opened):
    """The last column of a table, which lies beyond the edge, has room for its words: rows of five lines at most."""
    page, _ = opened("strength", size=(390, 844), has_touch=True, is_mobile=True)
    page.wait_for_selector("#proof .wide[data-scrolls]")
    line = page.locator("#proof td").first.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)")
    rows = page.locator("#sections .wide[data-scrolls] tbody tr").evaluate_all("all => all.map(e => e.clientHeight)")
    assert 20 < max(rows) < 5.5 * line
    assert "× 10⁻¹" in page.locator("#proof table").first.inner_text()  # powers as everywhere else


# What watches sizes answers in the frame after the one that lays the page out anew.
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
KINDS = ("plane", "gait", "strength", "modes", "sweep", "tolerance", "optimize", "synthesis", "planetary", "cam")


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(opened, kind):
    """Light on a desk, dark on a phone."""
    page, _ = opened(kind)
    page.add_script_tag(path=AXE)
    for size, scheme in (((1440, 900), "light"), ((390, 844), "dark")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(TWO_FRAMES)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(scheme, one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_lies_within_screen_and_paper(opened, kind):
    """No page scrolls sideways on any screen; on A4 every section is open, nothing is wider than the sheet, and each
    figure of the study has its height."""
    page, _ = opened(kind)
    for size in ((1920, 1080), (1440, 900), (1100, 800), (820, 1180), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size
    page.set_viewport_size({"width": 680, "height": 1010})  # 180 mm of an A4 sheet
    page.emulate_media(media="print")
    page.wait_for_selector("#stills figure")
    assert page.locator("#sections details:not([open])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 681
    for plot in page.locator("#study-pane .plot:not(.bars) > svg").all():
        assert plot.bounding_box()["height"] > 60


def test_live_regions_are_quiet_while_it_plays(opened):
    """Nothing that a screen reader announces by itself changes while the motion plays."""
    page, _ = opened("sweep")
    page.evaluate(
        """() => {
            window.spoken = 0;
            const live = "output, [aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
            const watch = new MutationObserver((all) => (window.spoken += all.length));
            for (const one of document.querySelectorAll(live))
                watch.observe(one, { childList: true, characterData: true, subtree: true });
        }"""
    )
    page.keyboard.press("Space")
    page.wait_for_function("Number(document.getElementById('figure').dataset.time) > 0.1")
    page.keyboard.press("Space")
    assert page.evaluate("window.spoken") == 0
    page.keyboard.press("]")
    page.wait_for_function("window.spoken > 0")  # another design is announced


def test_space_has_edges_a_cut_and_names_that_know_what_hides_them(browser, tmp_path):  # noqa: F811
    """The cut takes away what is before the middle: fewer pixels of the plate are left, and a key brings them back."""
    path = tmp_path / "pump.html"
    mubo.load(EXAMPLES / "swash_plate_pump.toml").kinematics().report(path)
    page = browser.new_context(viewport={"width": 1024, "height": 700}, reduced_motion="reduce").new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("#figure[data-time]")
    covered = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const canvas = document.querySelector("canvas"), copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const paint = copy.getContext("2d");
        paint.drawImage(canvas, 0, 0);
        const { data } = paint.getImageData(0, 0, copy.width, copy.height);
        let count = 0;
        for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 200 && data[k + 2] > data[k] + 20) count++;
        done(count / (copy.width * copy.height));
    })))"""
    whole = page.evaluate(covered)  # the plate is blue
    assert page.locator("canvas").evaluate("e => e.style.touchAction") == "none"  # a finger turns it both ways
    page.locator("#figure").focus()
    page.keyboard.press("x")
    half = page.evaluate(covered)
    assert 0.2 * whole < half < 0.8 * whole
    page.keyboard.press("x")
    assert page.evaluate(covered) == pytest.approx(whole, rel=0.01)
    page.wait_for_selector(".label.behind", state="detached")  # names follow within a fraction of a second
    page.mouse.move(20, 120)  # beside the mechanism
    page.mouse.down()
    page.mouse.move(270, -30, steps=3)
    page.mouse.up()
    page.wait_for_timeout(250)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".label.behind", state="attached")  # seen from behind, the plate hides what is before it
    assert errors == []
    page.context.close()
