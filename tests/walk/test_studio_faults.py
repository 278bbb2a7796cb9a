"""Faults and small gestures of the studio in a real browser: a connection that breaks, pins, guides, locked angles."""

import math
import tomllib

import pytest
from conftest import EXAMPLES
from studio_page import browser, drag, opened, pin, server, settle, version

__all__ = ["browser", "opened", "server"]  # fixtures


def middle(page, *references):
    ends = [pin(page, one) for one in references]
    return tuple(sum(at[k] for at in ends) / len(ends) for k in (0, 1))


def test_a_broken_connection_is_told_and_comes_back_with_what_happened_meanwhile(opened):
    page, path = opened("four_bar")
    before = version(page)
    page.evaluate(
        "() => { const c = studio.connection; const again = c.connect.bind(c); c.connect = () => {};"
        " window.again = again; c.socket.close(); }"
    )
    page.wait_for_selector("#notice:not([hidden]):has-text('does not answer')")
    page.click("[data-tool=pin]")
    page.mouse.click(*middle(page, "rocker.C", "rocker.D"))
    page.wait_for_selector("#notice:has-text('nothing was changed')")
    assert path.read_bytes() == (EXAMPLES / "four_bar.toml").read_bytes()
    page.evaluate("window.again()")
    page.wait_for_selector("#notice", state="hidden")
    page.click("[data-tool=pin]")
    page.mouse.click(*middle(page, "rocker.C", "rocker.D"))  # a ternary link
    settle(page, before)
    assert len(tomllib.loads(path.read_text())["body"]["rocker"]["points"]) == 3
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == (EXAMPLES / "four_bar.toml").read_bytes()


def test_guides_and_the_pin_to_be_joined_are_seen_and_an_angle_stays_locked(opened):
    page, _ = opened("four_bar")
    d, c = pin(page, "rocker.D"), pin(page, "rocker.C")
    page.mouse.move(*c)
    page.mouse.down()
    page.mouse.move(d[0] + 2, d[1] - 60, steps=6)  # nearly above D
    page.wait_for_selector("#overlay .guide", state="attached")
    x = page.locator("#overlay .guide").first.get_attribute("d")
    assert x.startswith("M")
    page.mouse.move(*[a + 3 for a in pin(page, "crank.A")], steps=4)
    page.wait_for_selector("#overlay .target", state="attached")  # it would be joined to A
    page.mouse.move(*c, steps=4)
    page.mouse.up()
    page.wait_for_function("() => !studio.hand.busy")
    page.mouse.click(*middle(page, "crank.A", "crank.B"))
    page.click('[data-dimension="angle crank"] + .lock')
    page.keyboard.press("Escape")
    a, b, before = pin(page, "crank.A"), pin(page, "crank.B"), version(page)
    drag(page, b, (30, 30))
    settle(page, before)
    new = pin(page, "crank.B")
    assert math.dist(new, b) > 3
    angle = [math.atan2(at[1] - a[1], at[0] - a[0]) for at in (b, new)]
    assert angle[1] == pytest.approx(angle[0], abs=0.005)


def test_a_trace_is_drawn_and_centres_of_the_selected_link_are_seen(opened):
    page, path = opened("four_bar")
    before = version(page)
    page.click("[data-tool=trace]")
    page.mouse.click(*middle(page, "rocker.C", "rocker.C", "rocker.D"))
    settle(page, before)
    (name,) = set(tomllib.loads(path.read_text())["point"]) - {"P"}
    assert page.locator(f'[data-path="{name}"]').get_attribute("d").startswith("M")
    page.evaluate("studio.store.change({ selected: { kind: 'body', name: 'coupler' } })")
    page.click("[data-layer=centres]")
    page.wait_for_function("() => document.querySelectorAll('#drawing .centre-name').length > 0")


def test_a_file_that_is_deleted_is_told_and_written_again_by_the_next_gesture(opened):
    page, path = opened("four_bar")
    text, before = path.read_bytes(), version(page)
    path.unlink()
    page.wait_for_selector("#notice:has-text('was deleted')")
    drag(page, pin(page, "crank.B"), (20, -10))
    settle(page, before)
    page.wait_for_selector("#notice", state="hidden")
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == text
