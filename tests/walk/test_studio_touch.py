"""The studio by touch alone, on a phone: every gesture with one finger."""

import tomllib

from studio_page import browser, opened, pin, server, settle, touch_drag, version

__all__ = ["browser", "opened", "server"]  # fixtures
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def data(path):
    return tomllib.loads(path.read_text())


def tap_tool(page, action, second=None):
    """Taps a tool of the bar at the selection, and the second part where it asks for one; waits for the answer."""
    before = version(page)
    page.locator(f'[data-action="{action}"]').tap()
    if second is not None:
        page.touchscreen.tap(*pin(page, second))
    settle(page, before)


def test_a_mechanism_is_built_by_touch(opened):
    """A link, join, slider, ground, force, spring and undo: neither mouse nor keys."""
    page, path = opened("four_bar", **PHONE)
    entry = path.read_bytes()
    page.locator("[data-tool=link]").tap()
    box = page.locator("#figure").bounding_box()
    free = (box["x"] + 0.62 * box["width"], box["y"] + 0.72 * box["height"])
    before = version(page)
    touch_drag(page, free, (60, 24))
    settle(page, before)
    assert "link1" in data(path)["body"]
    page.locator("[data-tool=select]").tap()
    page.touchscreen.tap(*pin(page, "link1.E"))
    tap_tool(page, "join", "rocker.C")
    assert any("link1.E" in one["between"] for one in data(path)["joint"].values())
    page.touchscreen.tap(*pin(page, "link1.F"))
    tap_tool(page, "slider")
    assert "slot" in [one["type"] for one in data(path)["joint"].values()]
    page.locator("#undo").tap()
    settle(page, before + 3)
    tap_tool(page, "ground")  # the pin is still selected
    tap_tool(page, "force")
    tap_tool(page, "spring", "crank.A")
    assert sorted(data(path)["force"]) == ["force1", "spring1"]
    while page.locator("#undo").is_enabled():
        now = version(page)
        page.locator("#undo").tap()
        settle(page, now)
    assert path.read_bytes() == entry


def test_drag_delete_drive_play_and_slide_by_touch(opened):
    page, path = opened("parameters", **PHONE)
    before = version(page)
    page.touchscreen.tap(*pin(page, "ground.D"))
    tap_tool(page, "drive")
    assert len(data(path)["driver"]) == 2
    page.locator("#undo").tap()
    settle(page, before + 1)
    start = page.locator("#figure").bounding_box()
    page.locator("#play").tap()
    page.wait_for_selector('#play[data-playing="true"]')
    page.locator("#play").tap()
    page.wait_for_selector('#play[data-playing="false"]')
    time = page.get_attribute("#figure", "data-time")
    slider = page.locator("#slider").bounding_box()
    touch_drag(page, (slider["x"] + 10, slider["y"] + slider["height"] / 2), (slider["width"] / 2, 0))
    page.wait_for_function("t => document.querySelector('#figure').dataset.time !== t", arg=time)
    page.locator("#edit").tap()
    assert page.locator("#figure").bounding_box() == start  # nothing jumps
    parameter = page.locator("[data-parameter]").first
    parameter.scroll_into_view_if_needed()
    line = parameter.bounding_box()
    entry = path.read_bytes()
    now = version(page)
    touch_drag(page, (line["x"] + line["width"] / 2, line["y"] + line["height"] / 2), (30, 0))
    settle(page, now)
    assert path.read_bytes() != entry


def test_a_pin_is_dragged_and_a_link_deleted_by_touch(opened):
    page, path = opened("four_bar", **PHONE)
    before, entry = version(page), path.read_bytes()
    touch_drag(page, pin(page, "crank.B"), (16, -12))
    settle(page, before)
    assert path.read_bytes() != entry
    page.locator("#undo").tap()
    settle(page, before + 1)
    assert path.read_bytes() == entry
    ends = [pin(page, one) for one in ("rocker.C", "rocker.D")]
    page.touchscreen.tap(*(sum(at[k] for at in ends) / 2 for k in (0, 1)))
    tap_tool(page, "delete")
    assert "rocker" not in data(path)["body"]


def test_what_a_finger_touches_is_large_enough(opened):
    page, _ = opened("four_bar", **PHONE)
    page.evaluate("studio.store.change({ selected: { kind: 'joint', name: 'C' } })")
    page.wait_for_selector("[data-action=delete]")
    bars = "#rail button:visible, #tabs button:visible, #bar-of-selection button:visible, #play, #edit, #undo"
    for button in page.locator(bars).all():
        assert button.bounding_box()["height"] >= 43.5  # a finger's width (WCAG 2.2, 2.5.5) but for rounding
