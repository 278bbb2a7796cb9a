"""What the page does by mouse, by a finger and by keys alone, on pages that are loaded in one browser."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES
from test_page_hands import fingers, view
from test_page_instrument import pixel, time_of
from test_report_browser import browser, launch  # noqa: F401

import mubo

INPUTS = ("mouse", "touch", "keys")
PLAYING = "Number(document.getElementById('figure').dataset.time) > {}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pages in the plane without and with forces, of an event, in space, and of a sweep."""
    place = tmp_path_factory.mktemp("inputs")
    load = lambda name: mubo.load(EXAMPLES / f"{name}.toml")  # noqa: E731
    made = {"four_bar": load("four_bar").kinematics(transmission=True)}
    made["engine"] = load("engine").inverse()
    made["stone"] = load("falling_stone").simulate()
    made["chain"] = load("five_body_chain").simulate(0, 0.4, step=0.02)
    made["sweep"] = load("parameters").sweep({"a": "0.03:0.05:3", "c": "0.1:0.14:3"}, ["range P.x"], step=0.1)
    made["gait"] = load("walker").gait()
    for name, one in made.items():
        one = one.run if name == "gait" else one
        one.report(place / f"{name}.html")
    return place, made


@pytest.fixture(scope="module")
def windows(browser):  # noqa: F811
    """One window for the mouse and the keys, one of a phone and one of a tablet; nothing may be complained of."""
    complaints, contexts, pages = [], [], {}
    for name, (width, height) in {"desk": (1440, 900), "phone": (390, 844), "tablet": (1280, 800)}.items():
        touch = {} if name == "desk" else {"has_touch": True, "is_mobile": name == "phone"}
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **touch)
        contexts.append(context)
        page = pages[name] = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda m: complaints.append(m.text) if "GL Driver Message" not in m.text else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
    yield pages
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def opened(folder, windows):
    """Loads a page anew into the window of an input."""

    def call(name, how="mouse", address=""):
        page = windows[{"touch": "phone", "tablet": "tablet"}.get(how, "desk")]
        page.goto("about:blank")
        page.goto((folder[0] / f"{name}.html").as_uri() + address)
        page.wait_for_selector("#figure[data-time]")
        return page

    return call


def press(target, how):
    """Presses a button or link: with the mouse, a finger, or Enter once it has the focus."""
    if how == "mouse":
        target.click()
    elif how == "touch":
        target.tap()
    else:
        target.press("Enter")


def drag(page, how, path):
    """Drags along places of the window, with the mouse or a finger."""
    if how != "mouse":
        fingers(page, path)
        return
    page.mouse.move(*path[0])
    page.mouse.down()
    for place in path[1:]:
        page.mouse.move(*place)
    page.mouse.up()


def middle(target):
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("how", INPUTS)
def test_the_headline_leads_to_its_instant(opened, folder, how):
    page, run = opened("four_bar", how), folder[1]["four_bar"]
    press(page.locator('.headline [data-judgement="bad"]'), how)
    assert time_of(page) == pytest.approx(run.summary["transmission"]["t"], abs=1e-12)


@pytest.mark.parametrize("how", ["mouse", "tablet"])
def test_the_bar_between_panes_is_drawn(opened, how):
    page = opened("four_bar", how)
    pane = page.locator("#charts")
    before = pane.bounding_box()["width"]
    x, y = middle(page.locator('[aria-controls="charts"][role=separator]'))
    drag(page, how, [(x, y), (x - 30, y), (x - 60, y)])
    assert pane.bounding_box()["width"] == pytest.approx(before + 60, abs=1)
    page.mouse.move(x - 200, y)  # let go is let go
    assert pane.bounding_box()["width"] == pytest.approx(before + 60, abs=1)


@pytest.mark.parametrize("how", INPUTS)
def test_a_pane_is_put_away_and_a_layer_switched(opened, how):
    page = opened("four_bar", how)
    names = page.locator("#names")
    press(names, how)
    assert names.get_attribute("aria-pressed") == "false"
    assert page.locator(".labels").get_attribute("display") == "none"
    if how != "touch":  # on a phone all stands under each other
        press(page.locator('[data-pane="charts"]'), how)
        assert not page.locator("#charts").is_visible()
    press(page.locator("#ghosts"), how)
    assert page.locator(".ghost").count() > 6
    scale = view(page)[0]
    press(page.locator("#nearer"), how)
    assert view(page)[0] == pytest.approx(1.4 * scale)


@pytest.mark.parametrize("how", INPUTS)
def test_a_chart_is_added(opened, how):
    page = opened("four_bar", how, "#charts=P.x")
    press(page.locator("#picker summary"), how)
    if how == "keys":
        page.keyboard.press("Tab")
        page.keyboard.type("rocker om")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        page.fill("#search", "rocker om")
        press(page.locator('#columns button[data-column="rocker.omega"]'), how)
    assert page.locator('.chart[data-columns="rocker.omega"]').count() == 1


def test_the_axis_is_chosen_by_keys(opened):
    page = opened("four_bar", "keys", "#charts=P.x")
    axis = page.locator("#axis")
    assert axis.input_value() == "motor.value"
    axis.focus()
    page.keyboard.type("time")
    page.wait_for_function("location.hash.includes('over=t')")


def test_charts_are_merged_by_a_finger(opened):
    page = opened("four_bar", "touch", "#charts=rocker.phi,crank.phi")
    name = page.locator('.chart[data-columns="crank.phi"] .legend > *').first
    onto = page.locator('.chart[data-columns="rocker.phi"] > svg')
    name.scroll_into_view_if_needed()
    start, end = middle(name), middle(onto)
    fingers(page, [start, (start[0], start[1] - 20), ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end])
    assert page.locator('.chart[data-columns="rocker.phi crank.phi"]').count() == 1


def test_the_menu_of_a_chart_is_used_by_fingers(opened):
    page = opened("four_bar", "touch", "#charts=rocker.phi")
    page.locator(".menu summary").tap()
    entries = page.locator(".menu :is(button, select)").all()
    assert min(entry.bounding_box()["height"] for entry in entries) >= 44
    page.locator(".menu").get_by_label("unit").select_option("rad")
    assert "[rad]" in page.locator(".chart .legend").inner_text()
    page.locator(".menu summary").tap()
    page.get_by_role("button", name="phase portrait").tap()
    assert page.locator('[data-chart="rocker.omega~rocker.phi"]').count() == 1


@pytest.mark.parametrize("how", INPUTS)
def test_a_part_is_selected_and_let_go(opened, how):
    page = opened("engine", how)
    if how == "keys":
        press(page.locator('#sections a[data-part="joint:A"]').first, how)
    else:
        place = pixel(page, None, 0.0, 0.0)  # joint A is the origin
        page.mouse.click(*place) if how == "mouse" else page.touchscreen.tap(*place)
    assert page.locator("#facts h3").inner_text() == "joint A"
    seen = page.locator(".force-value").evaluate_all(
        "all => all.filter(e => e.style.display !== 'none').map(e => e.dataset.force)"
    )
    assert seen == ["A.on_crank"]
    if how == "keys":
        page.keyboard.press("Escape")
    else:
        press(page.get_by_role("button", name="clear (Esc)"), how)
    assert page.locator(".calm").count() == 0
    press(page.locator('#facts button[data-column="cylinder.v"]'), how)
    assert page.locator('.chart[data-columns="cylinder.v"]').count() == 1


def test_hovering_lights_the_charts_of_a_body_and_the_part_of_a_row(opened):
    page = opened("engine")
    page.mouse.move(*pixel(page, None, 0.0, 0.0))
    assert page.locator('.chart.lit[data-columns*="A.on_crank.f"]').count() == 1
    page.mouse.move(2, 2)
    assert page.locator(".chart.lit").count() == 0
    row = page.locator('#sections a[data-part="joint:B"]').first
    row.hover()
    assert page.locator('.chart.lit[data-columns*="B.on_rod.f"]').count() == 1


@pytest.mark.parametrize("how", INPUTS)
def test_forces_are_put_away(opened, how):
    page = opened("engine", how)
    arrows = page.locator(".force-value:visible")
    assert arrows.count() > 0
    if how == "keys":
        page.locator("#figure").press("F")
    else:
        press(page.locator("#forces"), how)
    assert arrows.count() == 0


@pytest.mark.parametrize("how", INPUTS)
def test_the_free_body_is_opened_and_its_link_chosen(opened, how):
    page = opened("engine", how)
    press(page.get_by_role("tab", name="Free body"), how)
    link = page.locator("#body-study select")
    if how == "keys":
        link.focus()
        page.keyboard.type("rod")
    else:
        link.select_option("rod")
    assert page.locator("#facts h3").inner_text() == "body rod"
    assert page.locator("#body-study").is_visible()


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_the_traced_point_is_drawn_along_its_path(opened, folder, how):
    """From the first row to that of 0.25 s, in the steps of the rows, and no further than a hand trembles."""
    page, run = opened("four_bar", how), folder[1]["four_bar"]
    rows = np.flatnonzero(run["t"] < 0.2501)
    drag(page, how, [pixel(page, None, run["P.x"][k], run["P.y"][k]) for k in rows])
    assert time_of(page) == pytest.approx(0.25, abs=0.01)


def test_keys_go_through_the_rows(opened, folder):
    page, t = opened("four_bar", "keys"), folder[1]["four_bar"]["t"]
    page.locator("#figure").focus()
    for keys, row in (("ArrowRight", 1), ("Shift+ArrowRight", 11), ("ArrowLeft", 10), ("End", -1), ("Home", 0)):
        page.keyboard.press(keys)
        assert time_of(page) == t[row]
    page.keyboard.press("c")
    assert page.locator("#centres").get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_a_design_is_chosen_in_its_map_and_a_range_brushed(opened, folder, how):
    """The upper half of the axis of a keeps two of three values of it: 6 of 9 variants, and the model in the middle."""
    page = opened("sweep", how)
    dot = page.locator('.map-designs [data-design="0"]')
    dot.evaluate("e => e.scrollIntoView({ block: 'end' })")  # above it on a phone the drawing stays
    place = middle(dot)
    page.mouse.click(*place) if how == "mouse" else page.touchscreen.tap(*place)
    assert page.locator("#study-pane").get_attribute("data-design") == "0"
    parallel = page.locator(".parallel")
    parallel.evaluate("e => e.scrollIntoView({ block: 'end' })")
    box = parallel.locator(".brush").first.bounding_box()
    x = box["x"] + box["width"] / 2
    drag(page, how, [(x, box["y"] + part * box["height"]) for part in (0.6, 0.4, 0.2, 0.005)])
    assert parallel.get_attribute("data-inside") == "7"


@pytest.mark.parametrize("how", INPUTS)
def test_designs_are_stepped_through(opened, how):
    page = opened("sweep", how)
    before = page.locator("#study-pane").get_attribute("data-design")
    forth = page.locator(".stepper button").last
    page.keyboard.press("]") if how == "keys" else press(forth, how)
    assert page.locator("#study-pane").get_attribute("data-design") != before
    row = page.locator('.design-list tr[data-design="3"] button')
    press(row, how)
    assert page.locator("#study-pane").get_attribute("data-design") == "3"


@pytest.mark.parametrize("how", ["touch", "keys"])
def test_extremes_are_sorted_and_their_instants_are_links(opened, folder, how):
    page, found = opened("four_bar", how), folder[1]["four_bar"].extremes
    press(page.locator("#extremes thead button", has_text="greatest"), how)
    names = page.locator("[data-extremes] tbody tr:not(.group) > th").all_inner_texts()
    assert names == sorted(found, key=lambda name: -found[name]["max"][0])
    t = found["P.x"]["max"][1]
    press(page.locator(f'#extremes a[data-t="{t!r}"]').first, how)
    assert time_of(page) == pytest.approx(t, abs=1e-12)


@pytest.mark.parametrize("how", INPUTS)
def test_it_plays_stops_and_steps(opened, how):
    page = opened("four_bar", how, "#t=0.25")
    play = page.locator("#play")
    page.keyboard.press(" ") if how == "keys" else press(play, how)
    page.wait_for_function(PLAYING.format(0.3))
    page.keyboard.press(" ") if how == "keys" else press(play, how)
    stands = time_of(page)
    page.wait_for_timeout(60)
    assert time_of(page) == stands
    if how != "touch":  # a phone has the slider
        press(page.locator("#forth"), how)
        assert time_of(page) == pytest.approx(math.floor(stands / 0.025 + 1) * 0.025)


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_the_slider_is_drawn(opened, how):
    page = opened("four_bar", how)
    box = page.locator("#slider").bounding_box()
    y = box["y"] + box["height"] / 2
    drag(page, how, [(box["x"] + 8 + part * (box["width"] - 16), y) for part in (0.0, 0.1, 0.3, 0.5)])
    assert time_of(page) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("how", INPUTS)
def test_a_flag_leads_to_its_event(opened, folder, how):
    page, run = opened("stone", how), folder[1]["stone"]
    press(page.locator("#marks button").first, how)
    assert time_of(page) == pytest.approx(run.events[0].t, abs=1e-9)


def end(page, how, ending):
    """Chooses what follows at the end, by the list or by the first letter of its name, and plays."""
    if how == "keys":
        page.locator("#ending").focus()
        page.keyboard.type({"once": "o", "swing": "t"}[ending])
        assert page.locator("#ending").input_value() == ending
    else:
        page.select_option("#ending", ending)
    press(page.locator("#play"), how)


@pytest.mark.parametrize("how", INPUTS)
def test_at_the_end_it_stops_or_turns(opened, how):
    """By a finger on a tablet: a phone has no room for the list."""
    window = "tablet" if how == "touch" else how
    page = opened("four_bar", window, "#t=0.97")
    end(page, how, "once")
    page.wait_for_selector('#play[data-playing="false"]')
    assert time_of(page) == 1
    again = opened("four_bar", window, "#t=0.97")
    end(again, how, "swing")
    again.wait_for_function("Number(document.getElementById('figure').dataset.time) > 0.985")
    again.wait_for_function("Number(document.getElementById('figure').dataset.time) < 0.975")
    assert time_of(again) > 0.3  # it went back, and did not begin anew


def compass(page):
    return [float(x) for x in page.locator(".compass text").evaluate_all("all => all.map(e => e.getAttribute('x'))")]


def spread(page):
    """How far the names in the drawing are apart."""
    at = page.locator("#drawing .label").evaluate_all("all => all.map(e => e.getBoundingClientRect().x)")
    return max(at) - min(at)


@pytest.mark.parametrize("how", INPUTS)
def test_space_is_turned_and_enlarged(opened, how):
    page = opened("chain", how)
    page.wait_for_selector("#drawing .label")
    figure, before = page.locator("#figure"), compass(page)
    box = figure.bounding_box()
    x, y = box["x"] + 24, box["y"] + 60  # beside the mechanism
    if how == "keys":
        figure.focus()
        page.keyboard.press("Alt+Shift+ArrowLeft")
        page.keyboard.press("Alt+Shift+ArrowUp")
    else:
        drag(page, how, [(x + part, y) for part in (0, 30, 80, 140)])
    page.wait_for_timeout(250)
    assert max(abs(one - other) for one, other in zip(compass(page), before, strict=True)) > 5
    apart = spread(page)
    if how == "keys":
        page.keyboard.press("+")
        page.keyboard.press("+")
    elif how == "mouse":
        page.mouse.wheel(0, -400)  # the drawing has the focus: it was dragged
    else:
        fingers(page, [(x + 60, y), (x + 40, y), (x, y)], [(x + 100, y), (x + 120, y), (x + 160, y)])
    page.wait_for_timeout(250)
    assert spread(page) > 1.1 * apart


def test_keys_turn_space_by_their_angle(opened):
    """24 steps of 15° are a turn, one of them turns the letters, there and back none; Alt alone moves the view."""
    page = opened("chain", "keys")
    page.wait_for_selector("#drawing .label")
    first = compass(page)
    page.locator("#figure").focus()
    for keys, times, same in (
        ("Alt+ArrowLeft", 2, True),
        ("Alt+Shift+ArrowLeft", 1, False),
        ("Alt+Shift+ArrowLeft", 23, True),
        ("Alt+Shift+ArrowRight", 1, False),
        ("Alt+Shift+ArrowLeft", 1, True),
    ):
        for _ in range(times):
            page.keyboard.press(keys)
        page.wait_for_timeout(250)
        assert (compass(page) == pytest.approx(first, abs=0.2)) is same, keys


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_a_place_of_the_gait_cycle_is_gone_to(opened, folder, how):
    """A share of the axis of a joint's angle is that of the cycle of its foot in which the clock stands."""
    found = folder[1]["gait"]
    start, stop = found.cycles["r"].times[1]
    page = opened("gait", how, f"#t={(start + stop) / 2}")
    plot = page.locator('.plot[data-figure="knee angle"] > svg')
    plot.evaluate("e => e.scrollIntoView({ block: 'end' })")
    grid = plot.locator(".grid line.zero, .grid line").first.evaluate(
        "e => { const b = e.getBoundingClientRect(); return [b.x, b.width] }"
    )
    box = plot.bounding_box()
    for part in (0.3, 0.62):
        x, y = grid[0] + part * grid[1], box["y"] + 0.4 * box["height"]
        page.mouse.click(x, y) if how == "mouse" else page.touchscreen.tap(x, y)
        assert time_of(page) == pytest.approx(start + part * (stop - start), abs=0.01 * (stop - start))


@pytest.mark.parametrize("how", INPUTS)
def test_the_view_lets_the_walker_go(opened, how):
    page = opened("gait", how)
    follow = page.locator("#follow")
    assert follow.get_attribute("aria-pressed") == "true"
    before = page.locator('[data-frame="trunk"]').bounding_box()["height"]
    if how == "keys":
        page.locator("#figure").press("l")
    else:
        press(follow, how)
    assert page.locator('[data-frame="trunk"]').bounding_box()["height"] < 0.7 * before  # the whole walk is seen
