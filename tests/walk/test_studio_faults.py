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


def moves_a_little(page, path, reference="crank.B"):
    """Whether a drag of a pin is written, as on a page that is in order; it is taken back."""
    before, text = version(page), path.read_bytes()
    drag(page, pin(page, reference), (16, -12), steps=3)
    settle(page, before)
    moved = path.read_bytes() != text
    page.click("#undo")
    settle(page, before + 1)
    return moved and path.read_bytes() == text


def test_a_connection_that_breaks_under_the_hand_takes_the_drag_back(opened):
    page, path = opened("four_bar")
    text, start = path.read_bytes(), pin(page, "crank.B")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 30, start[1] - 20, steps=4)
    page.wait_for_function("() => studio.hand.busy")
    page.evaluate("studio.connection.socket.close()")
    page.wait_for_selector("#words:has-text('the drag is taken back')")
    page.wait_for_function("() => studio.connection.open")
    page.mouse.move(start[0] + 60, start[1] - 40, steps=4)
    page.mouse.up()
    assert path.read_bytes() == text
    assert pin(page, "crank.B") == pytest.approx(start, abs=0.5)
    assert moves_a_little(page, path)


def test_escape_takes_a_drag_back_and_other_buttons_and_fingers_do_not_hold_a_pin(opened):
    page, path = opened("four_bar", has_touch=True)
    text, start = path.read_bytes(), pin(page, "crank.B")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 30, start[1] - 20, steps=4)
    page.wait_for_function("() => studio.hand.busy")
    page.keyboard.press("Escape")
    page.mouse.move(start[0] + 50, start[1] - 20, steps=2)
    page.mouse.up()
    assert pin(page, "crank.B") == pytest.approx(start, abs=0.5)
    page.mouse.click(*start, button="right")
    page.mouse.move(*start)
    page.mouse.down(button="right")  # its release belongs to a menu of the browser, and is never seen
    assert not page.evaluate("studio.hand.busy")
    client = page.context.new_cdp_session(page)
    (ax, ay), other = start, {"x": start[0] + 150, "y": start[1] + 90, "id": 2}
    one = {"x": ax, "y": ay, "id": 1}
    for kind, points in (("touchStart", [one]), ("touchStart", [one, other]), ("touchEnd", [one]), ("touchEnd", [])):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert not page.evaluate("studio.hand.busy")
    page.mouse.up(button="right")
    assert path.read_bytes() == text
    assert moves_a_little(page, path)


def test_what_another_editor_writes_under_a_resting_hand_is_drawn_when_it_lets_go(opened):
    page, path = opened("four_bar")
    before, start = version(page), pin(page, "crank.B")
    page.evaluate("studio.connection.listen((one) => { if (one.is === 'answer' && !one.brief) window.came = true })")
    page.mouse.move(*start)
    page.mouse.down()
    path.write_text(path.read_text().replace("D = [2.5, 0]", "D = [2.75, 0]"))
    page.wait_for_function("() => window.came")
    page.mouse.up()
    settle(page, before)
    assert "D = [2.75, 0]" in page.evaluate("studio.editor.text")
    assert page.evaluate("studio.pins.find(([name]) => name === 'ground.D')[2][0]") == pytest.approx(2.75)


def test_typing_goes_on_while_another_editor_writes_elsewhere(opened):
    """Neither what is typed and not sent yet nor what the other wrote is lost."""
    page, path = opened("four_bar")
    page.locator(".cm-line").first.click()
    page.keyboard.press("Home")
    other = path.read_text().replace("at = [0.5, 1.5]", "at = [0.5, 1.25]")
    page.evaluate("() => (window.typing = setInterval(() => clearTimeout(studio.editor.timer), 5))")  # no rest yet
    page.keyboard.type("# mine ")
    path.write_text(other)
    page.wait_for_selector(".cm-line:has-text('at = [0.5, 1.25]')")
    page.evaluate("() => { clearInterval(window.typing); studio.editor.flush() }")
    page.wait_for_function("text => studio.state.text === text", arg=f"# mine {other}")
    assert path.read_text() == f"# mine {other}"
