"""The page under fingers and keys, and its texts, which keep clear of each other, in a real browser."""

import math

import pytest
from test_page_instrument import folder, opened, pixel, time_of  # noqa: F401
from test_report_browser import browser, launch  # noqa: F401

PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}
START = 1.0472  # rad, the first angle of the crank of four_bar, which makes a turn a second
# boxes of the texts over the drawing that are seen
TEXTS = """() => [...document.querySelectorAll("#drawing :is(.label, .force-value, .force-scale text, .scale text)")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "none")
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .map(([text, box]) => [text, box.left, box.top, box.right, box.bottom])"""


def fingers(page, *paths):
    """Lays fingers on the screen, draws each along its path, and lifts them."""
    session = page.context.new_cdp_session(page)

    def send(kind, places):
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", [path[0] for path in paths])
    for places in zip(*(path[1:] for path in paths), strict=True):
        send("touchMove", places)
    send("touchEnd", [])


def view(page):
    """Pixels per length, and where the origin is."""
    return page.locator("#drawing > g").first.evaluate(
        "g => { const m = g.transform.baseVal[0].matrix; return [m.a, m.e, m.f] }"
    )


def test_a_finger_drags_the_crank(opened):  # noqa: F811
    page = opened("four_bar", **PHONE)
    angles = [START + math.pi / 2 * k / 10 for k in range(11)]
    fingers(page, [pixel(page, None, 1.2 * math.cos(angle), 1.2 * math.sin(angle)) for angle in angles])
    assert time_of(page) == pytest.approx(0.25, abs=0.01)


def test_fingers_move_the_view_both_ways_and_enlarge_it(opened):  # noqa: F811
    page = opened("four_bar", **PHONE)
    box = page.locator("#drawing").bounding_box()
    x, y = box["x"] + 30, box["y"] + box["height"] - 60  # beside the mechanism
    scale, across, down = view(page)
    fingers(page, [(x, y), (x + 20, y - 10), (x + 60, y - 50)])
    moved = view(page)
    assert moved[1] - across > 40
    assert down - moved[2] > 30
    assert page.evaluate("scrollY") == 0
    fingers(page, [(x + 40, y), (x + 30, y), (x, y)], [(x + 100, y), (x + 110, y), (x + 140, y)])
    assert view(page)[0] == pytest.approx(scale * 140 / 60, rel=0.05)


def test_a_finger_on_a_chart_goes_through_time(opened):  # noqa: F811
    page = opened("four_bar", "#over=t", **PHONE)
    plot = page.locator(".chart > svg").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    fingers(page, [(box["x"] + box["width"] * part, box["y"] + 40) for part in (0.3, 0.4, 0.6)])
    assert 0.2 < time_of(page) < 0.8


def test_keys_enlarge_a_chart_and_pin_a_second_cursor(opened):  # noqa: F811
    """+ halves the axis about the time shown, up enlarges the values, Enter pins a cursor, Escape shows all."""
    page = opened("four_bar", "#t=0.25&charts=D.q&over=t")
    page.locator(".chart > svg").focus()
    ticks = "() => [...document.querySelectorAll('.chart .grid text')].map((one) => one.textContent)"
    whole = page.evaluate(ticks)
    page.keyboard.press("+")
    page.wait_for_selector("#whole:not([hidden])")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(ticks) != whole
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.locator(".legend .value").first.inner_text().startswith("Δ")
    assert page.locator(".pinned").count() == 1
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.evaluate(ticks) == whole
    assert page.locator(".pinned").count() == 0


def test_charts_are_merged_by_keys(opened):  # noqa: F811
    page = opened("four_bar", "#charts=P.x,P.y")
    page.locator(".menu summary").nth(1).press("Enter")
    page.get_by_role("button", name="merge with the chart above").press("Enter")
    assert page.locator(".chart").get_attribute("data-columns") == "P.x P.y"


def test_tabs_are_one_list_and_answer_the_arrows(opened):  # noqa: F811
    page = opened("four_bar", "#t=0.25")
    assert page.locator('[role="tablist"]').count() == 1
    page.get_by_role("tab", name="Charts").press("ArrowRight")
    assert page.get_by_role("tab", name="Free body").get_attribute("aria-selected") == "true"
    assert time_of(page) == 0.25


def test_keys_move_and_enlarge_the_drawing(opened):  # noqa: F811
    page = opened("four_bar")
    scale, across, _ = view(page)
    page.locator("#figure").focus()
    page.keyboard.press("Alt+ArrowLeft")
    assert view(page)[1] > across
    page.keyboard.press("+")
    assert view(page)[0] == pytest.approx(1.2 * scale)
    page.keyboard.press("f")
    assert view(page)[:2] == pytest.approx([scale, across])


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_texts_of_the_drawing_keep_clear_of_each_other(opened, size):  # noqa: F811
    """Names, values of forces and legends never cover each other, wherever the engine stands."""
    page = opened("engine", size=size)
    for _ in range(5):
        texts = page.evaluate(TEXTS)
        assert len(texts) > 5
        for k, (one, left, top, right, bottom) in enumerate(texts):
            for other, a, b, c, d in texts[:k]:
                shared = (min(right, c) - max(left, a), min(bottom, d) - max(top, b))
                assert min(shared) <= 4, f"{one} over {other}"  # halos and descenders may touch
        page.keyboard.press("Shift+ArrowRight")


def test_charts_whose_heads_wrap_share_the_height(opened):  # noqa: F811
    page = opened("engine", "#charts=A.q%2BB.q%2BC.q%2Bpin.x%2Bpin.y%2BA.v%2BB.v,pin.vx,pin.ax", size=(1100, 800))
    assert page.locator(".chart figcaption").first.evaluate("e => e.clientHeight") > 40
    assert page.locator("#plots").evaluate("e => e.scrollHeight <= e.clientHeight + 1")


def test_columns_stand_under_their_owners(opened):  # noqa: F811
    page = opened("engine")
    line = page.locator('#facts button[data-column="A.on_crank.fx"]')
    assert line.locator("span").first.inner_text() == "fx"
    assert line.get_attribute("aria-label") == "A.on_crank.fx"
    assert "A.on_crank" in page.locator("#facts h4").all_inner_texts()


def test_the_player_stays_below_the_drawing_of_a_phone(opened):  # noqa: F811
    page = opened("four_bar", **PHONE)
    assert page.locator("#player").bounding_box()["height"] < 60  # one row
    page.evaluate("window.scrollBy(0, 500)")
    view_box, player = page.locator("#view").bounding_box(), page.locator("#player").bounding_box()
    assert player["y"] == pytest.approx(view_box["y"] + view_box["height"], abs=1.5)
