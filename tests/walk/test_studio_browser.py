"""The studio in a real browser: what hands can do, by mouse, touch and keyboard."""

import re
import subprocess

import pytest
from conftest import EXAMPLES
from studio_page import PROGRAM, WHOLE, browser, drag, opened, pin, server, settle, version

__all__ = ["browser", "opened", "server"]  # fixtures


def test_a_pin_follows_the_hand_and_undo_gives_the_bytes_back(opened):
    page, path = opened("four_bar")
    bytes_before, before = path.read_bytes(), version(page)
    path_before = page.get_attribute('[data-path="P"]', "d")
    start = pin(page, "crank.B")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 30, start[1] - 25, steps=6)
    page.wait_for_function("d => document.querySelector('[data-path=P]').getAttribute('d') !== d", arg=path_before)
    assert path.read_bytes() == bytes_before  # the button is down
    page.mouse.up()
    settle(page, before)
    after = pin(page, "crank.B")
    assert after[0] - start[0] == pytest.approx(30, abs=6.5)  # snapping reaches six pixels
    assert after[1] - start[1] == pytest.approx(-25, abs=6.5)
    assert path.read_bytes() != bytes_before
    page.keyboard.press("Control+z")
    settle(page, before + 1)
    assert path.read_bytes() == bytes_before
    page.click("#redo")
    settle(page, before + 2)
    assert path.read_bytes() != bytes_before


def test_a_link_and_a_traced_point_are_dragged(opened):
    page, path = opened("four_bar")
    before = version(page)
    box = page.locator("#figure").bounding_box()
    dot = page.locator('[data-point="P"]')
    at = (box["x"] + float(dot.get_attribute("cx")), box["y"] + float(dot.get_attribute("cy")))
    drag(page, at, (20, 20))
    settle(page, before)
    assert "at = [0.5, 1.5]" not in path.read_text()
    c, d = pin(page, "rocker.C"), pin(page, "rocker.D")
    drag(page, ((c[0] + d[0]) / 2, (c[1] + d[1]) / 2), (15, 0))
    settle(page, before + 1)
    new = pin(page, "rocker.C"), pin(page, "rocker.D")
    assert new[0][0] - c[0] == pytest.approx(new[1][0] - d[0], abs=1.5)  # both ends alike


def test_playing_and_editing_are_separate_states(opened):
    page, path = opened("four_bar")
    before = path.read_bytes()
    page.keyboard.press("Space")
    page.wait_for_selector("#watch[aria-checked=true]")
    page.wait_for_selector('#play[data-playing="true"]')
    page.keyboard.press("Space")
    start = page.locator("#figure").bounding_box()
    time = page.get_attribute("#figure", "data-time")
    page.mouse.move(start["x"] + 300, start["y"] + 300)
    dot = page.locator('[data-point="P"]')
    at = (start["x"] + float(dot.get_attribute("cx")), start["y"] + float(dot.get_attribute("cy")))
    drag(page, at, (-80, 30))
    assert page.get_attribute("#figure", "data-time") != time  # it went through time
    assert path.read_bytes() == before
    page.keyboard.press("e")
    page.wait_for_selector("#edit[aria-checked=true]")


def test_text_takes_effect_as_it_is_typed_and_errors_stand_at_their_lines(opened):
    page, path = opened("four_bar")
    before = version(page)
    line = page.locator(".cm-line", has_text="points = { A = [-1, 0], B = [1, 0] }")
    line.click()
    page.keyboard.press("End")
    drawn = page.inner_html("#drawing g")
    page.keyboard.type(" x")
    page.wait_for_selector(".cm-lint-marker-error")
    page.wait_for_selector("#words .error")
    assert page.locator("#drawing [data-frame=crank]").count() > 0  # the last good drawing
    assert page.inner_html("#drawing g") == drawn
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.wait_for_selector(".cm-lint-marker-error", state="detached")
    assert version(page) > before
    assert path.read_bytes() == (EXAMPLES / "four_bar.toml").read_bytes()


def test_another_editor_is_seen(opened):
    page, path = opened("four_bar")
    before = version(page)
    path.write_bytes(path.read_bytes().replace(b"at = [0.5, 1.5]", b"at = [0.5, 2.5]"))
    settle(page, before)
    assert page.locator(".cm-line", has_text="at = [0.5, 2.5]").count() == 1


def test_lengths_and_values_are_typed_in_place(opened):
    page, path = opened("four_bar")
    before = version(page)
    c, d = pin(page, "rocker.C"), pin(page, "rocker.D")
    page.mouse.click((c[0] + d[0]) / 2, (c[1] + d[1]) / 2)
    field = page.locator('[data-dimension="length rocker CD"]')
    assert field.input_value() == "4 m"  # from −2 to 2
    field.fill("4.2")
    field.press("Enter")
    settle(page, before)
    assert "points = { C = [2, 0], D = [-2.2, 0] }" in path.read_text()
    angle = page.locator("#values label", has_text="angle").locator("input")
    assert angle.input_value() == "60 deg"
    angle.fill("65 deg")
    angle.press("Enter")
    settle(page, before + 1)
    assert path.read_text().count('angle = "65 deg"') == 1


def test_a_slider_moves_a_parameter_and_is_one_entry(opened):
    page, path = opened("parameters")
    before, entry = version(page), path.read_bytes()
    slider = page.locator("[data-parameter]").first
    box = slider.bounding_box()
    drag(page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (6, 0), steps=4)
    settle(page, before)
    assert path.read_bytes() != entry
    page.keyboard.press("Escape")
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == entry


def test_assembly_modes_side_by_side(opened):
    page, path = opened("four_bar")
    before = version(page)
    page.click("#modes")
    page.wait_for_selector("[data-mode]")
    assert page.locator("[data-mode]").count() == 2  # a four-bar has two (Norton, section 4.5)
    old = pin(page, "rocker.C")
    page.click('[data-mode="2"]')
    settle(page, before)
    assert pin(page, "rocker.C") != old
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == (EXAMPLES / "four_bar.toml").read_bytes()


def test_the_checkers_fix_is_a_button(opened):
    page, path = opened("four_bar")
    before = version(page)
    old = path.read_text()
    path.write_text(old.replace('[driver.motor]\nof = "crank.phi"\nmotion = "pi/3 + 2*pi*t"\n', ""))
    page.click("[data-cure=fix]")
    settle(page, before + 1)
    assert "[driver." in path.read_text()
    assert page.get_attribute("body", "data-moving") == "true"


def test_from_nothing_to_a_driven_four_bar_with_its_forces(opened):
    """The newcomer's path of docs/studio.md: no TOML is typed."""
    page = opened.visit(opened.address)
    page.click("#new-model")
    page.wait_for_selector("body[data-answered]")
    page.wait_for_selector("#grid path")
    box = page.locator("#figure").bounding_box()
    places = [(0.25, 0.7), (0.3, 0.5), (0.62, 0.25), (0.66, 0.7)]
    at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    assert page.locator(".cm-lint-marker-error").count() == 0  # nothing is wrong with an empty grid
    for k in range(3):  # the tool "link" is chosen
        drag(page, at[k], (at[k + 1][0] - at[k][0], at[k + 1][1] - at[k][1]))
        settle(page, k)
    assert page.locator("#drawing [data-frame=link3]").count() > 0
    assert "press ground" in page.inner_text("#words")
    for k, reference in enumerate(("link3.D", "link1.A")):
        page.mouse.click(*pin(page, reference))
        page.click("[data-action=ground]")
        settle(page, 3 + k)
    page.click("[data-action=drive]")  # the pin is a joint now, and is still selected
    settle(page, 5)
    assert page.get_attribute("body", "data-moving") == "true"
    assert "swing" in page.inner_text("#headline") or "crank" in page.inner_text("#headline")
    page.click("[data-tab=forces]")
    page.click("[data-cure=masses]")
    settle(page, 6)
    page.wait_for_selector(".force-value", state="attached")
    assert "largest joint force" in page.inner_text("#headline")
    shown = page.locator(".force-value").evaluate_all("all => all.filter((one) => one.style.display !== 'none').length")
    assert shown >= 4  # those of all pins, for nothing is selected


def test_pins_are_joined_by_a_drop(opened):
    page, path = opened("four_bar")
    before = version(page)
    page.click("[data-tool=link]")
    box = page.locator("#figure").bounding_box()
    here = (box["x"] + 0.75 * box["width"], box["y"] + 0.75 * box["height"])
    drag(page, here, (60, 30))
    settle(page, before)
    page.click("[data-tool=select]")
    start, target = pin(page, "link1.E"), pin(page, "rocker.C")
    drag(page, start, (target[0] - start[0] + 4, target[1] - start[1] + 3), steps=12)
    settle(page, before + 1)
    assert '"link1.E"' in path.read_text()
    assert page.locator("#undo").get_attribute("title").startswith("undo join")


def test_a_part_is_renamed_and_deleted(opened):
    page, path = opened("four_bar")
    before = version(page)
    page.locator("#drawing [data-frame=rocker] path").first.click(force=True)
    page.wait_for_selector("[data-action=rename]")
    page.click("[data-action=rename]")
    field = page.locator("#bar-of-selection input")
    field.fill("follower")
    field.press("Enter")
    settle(page, before)
    assert 'between = ["coupler.C", "follower.C"]' in path.read_text()
    page.keyboard.press("Escape")
    page.locator("#drawing [data-frame=follower] path").first.click(force=True)
    page.keyboard.press("Delete")
    settle(page, before + 1)
    assert "follower" not in path.read_text()


def test_a_pin_is_dragged_by_touch_and_by_keys(opened):
    page, path = opened("four_bar", has_touch=True)
    before, entry = version(page), path.read_bytes()
    x, y = pin(page, "crank.B")
    client = page.context.new_cdp_session(page)
    point = {"x": x, "y": y}
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    for k in range(1, 6):
        moved = {"x": x + 6 * k, "y": y - 4 * k}
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [moved]})
        page.wait_for_timeout(30)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(page, before)
    assert path.read_bytes() != entry
    page.mouse.click(*pin(page, "rocker.D"))
    page.locator("#figure").focus()
    page.keyboard.press("Alt+ArrowRight")
    settle(page, before + 1)
    assert re.search(r"D = \[(?!2\.5,)[\d.]+, 0\]", path.read_text())  # one line of the grid to the right


def served(path, *more):
    process = subprocess.Popen([PROGRAM, "studio", path, "--no-browser", *more], stdout=subprocess.PIPE, text=True)
    return process, re.search(r"http://\S+", process.stdout.readline())[0]


def test_a_server_that_is_killed_is_stated_and_so_is_another_at_its_address(browser, tmp_path):
    """A server that was killed takes its token along: a new one at the same port does not know the page."""
    path = tmp_path / "four_bar.toml"
    path.write_bytes((EXAMPLES / path.name).read_bytes())
    process, address = served(path)
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector(WHOLE)
    address = page.url
    process.kill()
    page.wait_for_selector("#notice:has-text('does not answer')")
    page.wait_for_selector("#notice:has-text('has stopped')")
    with process, served(path, "--port", address.split("/")[2].split(":")[1])[0] as anew:
        page.wait_for_selector("#notice:has-text('started anew')")
        assert page.goto(address).status == 403
        assert "open the address that `mubo studio` printed" in page.content()
        anew.terminate()
    page.close()
