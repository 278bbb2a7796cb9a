"""The studio by keys alone, by one finger on a phone, and its grid, chart cursor and cam lift."""

import math
import re
import tomllib

import pytest
from studio_page import browser, opened, pin, server, settle, touch_drag, version

__all__ = ["browser", "opened", "server"]  # fixtures
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def selected(page):
    return page.evaluate("studio.store.state.selected?.name")


def select(page, name):
    """Goes through the parts by keys until one is selected."""
    for _ in range(20):
        if selected(page) == name:
            return
        press(page, "]")
    pytest.fail(f"{name} was not reached")


def test_parts_are_selected_joined_moved_and_deleted_by_keys(opened):
    page, path = opened("four_bar")
    entry, before = path.read_bytes(), version(page)
    page.locator("#figure").focus()
    press(page, "]", "]")
    second = selected(page)
    press(page, "[")
    assert selected(page) != second
    select(page, "rocker")
    press(page, "Enter")  # to the bar, whose first button has the focus
    assert page.evaluate("document.activeElement.dataset.action") == "mass"
    press(page, "Enter")
    settle(page, before)
    assert "mass" in tomllib.loads(path.read_text())["body"]["rocker"]
    press(page, "Control+z")
    settle(page, before + 1)
    select(page, "D")
    step = page.evaluate("studio.overlay.step()")
    press(page, *["Alt+ArrowRight"] * 3)  # quicker than the first is written
    page.wait_for_function("x => studio.state.text.includes(`D = [${x}, 0]`)", arg=2.5 + 3 * step)
    while page.locator("#undo").is_enabled():
        now = version(page)
        press(page, "Control+z")
        settle(page, now)
    assert path.read_bytes() == entry
    now = version(page)
    select(page, "A")
    page.locator("[data-action=spring]").focus()
    press(page, "Enter")
    select(page, "C")
    press(page, "Enter")  # the second part of the tool
    settle(page, now)
    (spring,) = tomllib.loads(path.read_text())["force"].values()
    assert sorted(end.split(".")[1] for end in spring["between"]) == ["A", "C"]
    select(page, "P")
    press(page, "Delete")
    settle(page, now + 1)
    assert "point" not in tomllib.loads(path.read_text())


def test_a_pin_snaps_to_lines_of_the_grid_which_are_drawn(opened):
    page, path = opened("four_bar")
    before, start = version(page), pin(page, "rocker.D")
    step, scale = page.evaluate("[studio.overlay.step(), studio.plane.scale]")
    page.mouse.move(*start)
    page.mouse.down()
    # two lines of the grid up and one to the right, each missed by three pixels
    to = (start[0] + step * scale + 3, start[1] - 2 * step * scale + 3)
    page.mouse.move(*to, steps=6)
    page.wait_for_function("() => document.querySelectorAll('#overlay .guide').length === 2")
    page.mouse.up()
    settle(page, before)
    x, y = tomllib.loads(path.read_text())["body"]["ground"]["points"]["D"]
    assert (x / step, y / step) == pytest.approx((round(x / step), round(y / step)), abs=1e-9)
    assert (x, y) == pytest.approx((2.5 + step, 2 * step), abs=0.51 * step)


def test_the_cursor_of_a_chart_goes_through_time(opened):
    """By mouse, finger and keys; the number beside the curve is that of the column at the cursor."""
    page, _ = opened("four_bar", has_touch=True)
    plot = page.locator("#plots svg[role=img]").first
    box = plot.bounding_box()
    middle = (box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
    time = "() => Number(document.querySelector('#figure').dataset.time)"
    page.mouse.move(*middle)
    page.wait_for_function(f"() => ({time})() > 0.3")
    at = page.evaluate(time)
    assert float(plot.locator(".cursor line").first.get_attribute("x1")) > 0.4 * box["width"]
    words = page.locator('#plots .value[data-column="P.x"]').inner_text()
    times, values = page.evaluate(
        "() => { const one = studio.run.columns.find(({ name }) => name === 'P.x'); return [[...one.t], [...one.v]] }"
    )
    near = min(range(len(times)), key=lambda k: abs(times[k] - at))
    assert float(words.replace("−", "-")) == pytest.approx(values[near], rel=0.05)  # metres
    touch_drag(page, (box["x"] + 0.3 * box["width"], middle[1]), (20, 0))
    page.wait_for_function("t => Number(document.querySelector('#figure').dataset.time) < t", arg=at)
    plot.focus()
    now = page.evaluate(time)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("t => Number(document.querySelector('#figure').dataset.time) > t", arg=now)


def test_the_lift_of_a_cam_is_typed_at_its_joint(opened):
    """A lift of 4 (1 − cos θ) rises by 8 mm; of 5 (1 − cos θ), by 10."""
    page, path = opened("tappet_cam")
    entry, before = path.read_bytes(), version(page)
    tip = "studio.run.columns.find((one) => one.name === 'tip.y').v"
    rise = f"() => Math.max(...{tip}) - Math.min(...{tip})"
    assert page.evaluate(rise) == pytest.approx(8, abs=1e-3)
    (cam,) = (name for name, one in tomllib.loads(path.read_text())["joint"].items() if "lift" in one)
    page.evaluate("name => studio.store.change({ selected: { kind: 'joint', name } })", cam)
    field = page.locator("#values label", has_text="lift").locator("input")
    field.fill("5*(1 - cos(theta*pi/180))")
    field.press("Enter")
    settle(page, before)
    assert page.evaluate(rise) == pytest.approx(10, abs=1e-3)
    page.locator("#figure").focus()
    press(page, "Control+z")
    settle(page, before + 1)
    assert path.read_bytes() == entry


def tap(page, selector):
    page.locator(selector).first.tap()


def test_what_was_tested_by_mouse_alone_goes_by_one_finger(opened):
    """Tabs, masses, typed lengths, locks, tracing, welding, modes, comparison, layers, and two fingers that enlarge."""
    page, path = opened("four_bar", **PHONE)
    entry, before = path.read_bytes(), version(page)
    ends = [pin(page, one) for one in ("rocker.C", "rocker.D")]
    middle = [sum(at[k] for at in ends) / 2 for k in (0, 1)]
    page.touchscreen.tap(*middle)
    field = page.locator('[data-dimension="length rocker CD"]')
    field.tap()
    field.fill("4.2")
    field.press("Enter")
    settle(page, before)
    tap(page, '[data-dimension="length rocker CD"] + .lock')
    assert page.evaluate("studio.hand.locks.all.length") == 1
    tap(page, '[data-dimension="length rocker CD"] + .lock')
    tap(page, "[data-tool=trace]")
    ends = [pin(page, one) for one in ("rocker.C", "rocker.D")]
    page.touchscreen.tap(*[0.4 * ends[0][k] + 0.6 * ends[1][k] for k in (0, 1)])
    settle(page, before + 1)
    assert len(tomllib.loads(path.read_text())["point"]) == 2
    page.touchscreen.tap(*pin(page, "rocker.C"))
    tap(page, "[data-action=weld]")
    settle(page, before + 2)
    tap(page, "#undo")
    settle(page, before + 3)
    tap(page, "#modes")
    tap(page, '[data-mode="2"]')
    settle(page, before + 4)
    tap(page, "#close-panel")
    tap(page, "#pin-design")
    page.wait_for_function("() => document.querySelector('#drawing .other')")
    scale, client = page.evaluate("studio.plane.scale"), page.context.new_cdp_session(page)
    box = page.locator("#figure").bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.92 * box["height"]
    for kind, apart in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60), ("touchEnd", 0)):
        points = [{"x": x + sign * apart, "y": y, "id": k} for k, sign in enumerate((-1, 1))] if apart else []
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.evaluate("studio.plane.scale") > 1.5 * scale
    tap(page, "[data-tab=forces]")
    tap(page, "[data-cure=masses]")
    settle(page, before + 5)
    page.wait_for_selector(".force-value", state="attached")
    while page.locator("#undo").is_enabled():
        now = version(page)
        tap(page, "#undo")
        settle(page, now)
    assert path.read_bytes() == entry


def test_links_are_drawn_by_keys(opened):
    """The cross of the tool link goes by lines of the grid and to pins; Enter sets the ends; a chain follows itself."""
    page = opened.visit(opened.address)
    page.wait_for_selector("#new-model")
    page.locator("#new-model").focus()
    press(page, "Enter")
    page.wait_for_selector("#grid path")
    page.locator("#figure").focus()
    press(page, "l")
    page.wait_for_selector("#overlay .cross", state="attached")
    step, start = page.evaluate("[studio.overlay.step(), studio.overlay.cross]")
    press(page, "Enter", *["Alt+ArrowRight"] * 3)
    page.wait_for_selector("#overlay .under-way", state="attached")
    now = version(page)
    press(page, "Alt+ArrowUp", "Enter")
    settle(page, now)
    press(page, "Enter", *["Alt+ArrowRight"] * 4, "Enter")  # from the end of the first
    settle(page, now + 1)
    path = opened.folder / page.evaluate("studio.file")
    data = tomllib.loads(path.read_text())
    lengths = [math.dist(*one["points"].values()) for name, one in data["body"].items() if name != "ground"]
    assert sorted(lengths) == pytest.approx([math.hypot(3, 1) * step, 4 * step], rel=1e-3)
    assert len(data["joint"]) == 1  # where the chain goes on
    assert start == pytest.approx([round(x / step) * step for x in start])
    press(page, "Enter", "Alt+ArrowDown", "Escape")  # a link that is left
    assert page.locator("#overlay .cross, #overlay .under-way").count() == 0
    assert page.evaluate("studio.rail.chosen") == "select"
    press(page, "l", "]")  # the cross goes to the pin that is selected
    written = pytest.approx([start[0] + 3 * step, start[1] + step], abs=1e-3 * step)
    assert page.evaluate("studio.overlay.cross") == written
    press(page, "Escape", "Control+z")
    settle(page, now + 2)
    assert page.locator("#overlay .cross").count() == 0


def test_fields_on_a_short_link_do_not_touch(opened):
    """Whichever way it lies: no box of a field covers another."""
    page, _ = opened("four_bar")
    page.evaluate("studio.store.change({ selected: { kind: 'body', name: 'crank' } })")
    page.evaluate("for (let k = 0; k < 6; k++) studio.viewer.zoom(1 / 1.2)")
    for time in (0, 0.15, 0.4, 0.65, 0.9):
        page.evaluate("t => studio.player.go(t)", time)
        boxes = [one.bounding_box() for one in page.locator("#lengths > span").all()]
        assert len(boxes) == 2
        a, b = boxes
        apart = [
            abs(a[x] + a[w] / 2 - b[x] - b[w] / 2) - (a[w] + b[w]) / 2 for x, w in (("x", "width"), ("y", "height"))
        ]
        assert max(apart) >= 0, time


def test_a_sentence_has_four_digits_and_its_title_all(opened):
    page, path = opened("four_bar")
    path.write_text(path.read_text().replace("B = [1, 0]", "B = [5, 0]"))  # 6 + 2.5 > 4 + 4: it locks
    page.wait_for_selector("#words :text('the motion stops at')")
    one = page.locator("#words :text('the motion stops at')").first
    (shown,), (whole,) = (re.findall(r"t = (\S+) s", text) for text in (one.inner_text(), one.get_attribute("title")))
    assert len(whole) > 8
    assert shown == f"{float(whole):.4g}"
