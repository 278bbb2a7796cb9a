"""Studies and design by hand in the studio, in a real browser: forces, equilibria, release, strength, synthesis."""

import pytest
from playwright.sync_api import TimeoutError
from studio_page import browser, choose_tab, drag, opened, pin, server, settle, version

__all__ = ["browser", "opened", "server"]  # fixtures


def test_every_tab_says_what_stands_in_its_way(opened):
    """Forces, statics, dynamics and strength of a four-bar without masses, and the tool that mends each."""
    page, path = opened("four_bar")
    for tab, cures in {"forces": ["masses"], "statics": ["masses"], "dynamics": ["masses"]}.items():
        choose_tab(page, tab)
        assert page.locator("#words [data-cure]").evaluate_all("all => all.map((one) => one.dataset.cure)") == cures
        assert "no mass" in page.inner_text("#words")
    choose_tab(page, "strength")
    assert page.locator("#words [data-cure]").evaluate_all("all => all.map((one) => one.dataset.cure)") == [
        "masses",
        "sections",
    ]
    before = version(page)
    page.click("[data-cure=masses]")
    settle(page, before)
    page.click("[data-cure=sections]")
    settle(page, before + 1)
    assert "[section.rocker]" in path.read_text()
    page.wait_for_selector("#drawing [data-frame=crank][data-use]", state="attached")  # coloured by its use
    used = page.locator("#drawing [data-use]").evaluate_all("all => [...new Set(all.map((one) => one.dataset.frame))]")
    assert sorted(used) == ["coupler", "crank", "rocker"]
    choose_tab(page, "dynamics")
    page.wait_for_selector("[data-cure=release]")


def test_forces_follow_while_the_hand_drags(opened):
    page, path = opened("loaded_four_bar")
    choose_tab(page, "forces")
    entry = path.read_bytes()
    shown = "() => [...document.querySelectorAll('.force-value')].filter((one) => one.style.display !== 'none')"
    words = f"({shown})().map((one) => one.textContent).join()"
    page.wait_for_function(f"() => {words} !== ''")
    before = page.evaluate(words)
    start = pin(page, "crank.B")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 25, start[1] - 20, steps=5)
    # the button is down: values of forces are seen, and are others than before
    page.wait_for_function(f"old => {words} !== '' && {words} !== old", arg=before)
    assert page.evaluate("studio.hand.busy")
    assert path.read_bytes() == entry
    page.mouse.up()
    page.wait_for_function("() => !studio.hand.busy")


def pull(page, reference):
    """Presses on a pin that moves, until the pull of the pointer is drawn: a slow browser may be late."""
    for _ in range(30):
        page.mouse.move(*pin(page, reference))
        page.mouse.down()
        try:
            page.wait_for_selector("#overlay .guide", state="attached", timeout=1500)
        except TimeoutError:
            page.mouse.up()
        else:
            return
    pytest.fail(f"{reference} was not caught")


def test_a_released_mechanism_falls_and_is_pulled_by_the_pointer(opened):
    page, path = opened("released_four_bar")
    entry = path.read_bytes()
    choose_tab(page, "dynamics")
    first = pin(page, "crank.B")
    page.click("[data-cure=release]")
    page.wait_for_function("() => Number(document.body.dataset.released) > 3")
    page.wait_for_function(
        "([x, y]) => { const one = document.querySelector('#overlay [data-pin~=\"crank.B\"]');"
        " const box = document.querySelector('#overlay').getBoundingClientRect();"
        " return Math.hypot(box.x + +one.getAttribute('cx') - x, box.y + +one.getAttribute('cy') - y) > 4 }",
        arg=list(first),
    )
    pull(page, "crank.B")
    page.mouse.up()
    page.wait_for_selector("#overlay .guide", state="detached")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.body.dataset.released === undefined")
    assert path.read_bytes() == entry
    assert pin(page, "crank.B") == pytest.approx(first, abs=1)  # the drawing as before


def test_equilibria_are_drawn_named_and_gone_to(opened):
    """A four-bar that hangs has two equilibria on each of its two circuits, a highest and a lowest position."""
    page, path = opened("released_four_bar")
    entry, before = path.read_bytes(), version(page)
    choose_tab(page, "statics")
    page.wait_for_selector("#overlay [data-rest]", state="attached")
    names = page.locator("#panel [data-stability]").evaluate_all("all => all.map((one) => one.dataset.stability)")
    assert sorted(names) == ["stable", "stable", "unstable", "unstable"]
    assert page.locator("#overlay [data-rest]").count() == 4
    assert page.locator("#drawing .ghosts > g").count() == 4
    page.locator('#panel [data-stability="stable"]').first.click()
    settle(page, before)
    assert path.read_bytes() != entry
    page.keyboard.press("Escape")
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == entry


def test_linkages_along_a_drawn_path_and_for_pairs_of_a_function(opened):
    page = opened.visit(opened.address)
    page.click("#new-model")
    page.wait_for_selector("#grid path")
    page.click("[data-tab=design]")
    page.click("[data-do='draw a path']")
    box = page.locator("#figure").bounding_box()
    places = [(0.30, 0.5), (0.36, 0.44), (0.44, 0.42), (0.52, 0.45), (0.58, 0.52)]
    at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    page.mouse.move(*at[0])
    page.mouse.down()
    for to in at[1:]:
        page.mouse.move(*to, steps=4)
    page.mouse.up()
    page.click("[data-do='linkages along this path']")
    page.wait_for_selector("[data-design]")
    page.wait_for_selector("[data-design] svg [data-frame]", state="attached")  # a small picture that moves
    page.click("[data-tab=design]")
    page.click("[data-do='linkages for these pairs of angles']")
    page.wait_for_selector("#panel:has-text('linkages') [data-design]")
    page.click('[data-design="0"]')
    page.wait_for_selector('body[data-moving="true"]')


def test_a_target_of_the_coupler_curve_is_followed(opened):
    page, path = opened("four_bar")
    entry, before = path.read_bytes(), version(page)
    page.evaluate("studio.store.change({ selected: { kind: 'point', name: 'P' } })")
    page.click("[data-action=targets]")
    page.wait_for_selector('#overlay [data-target="2"]', state="attached")
    box = page.locator("#overlay").bounding_box()
    x, y = page.evaluate("(() => { const { x, y } = studio.plane.pixel(studio.targets.places[2]); return [x, y] })()")
    old = page.get_attribute('[data-path="P"]', "d")
    drag(page, (box["x"] + x, box["y"] + y), (20, 12), steps=4)
    settle(page, before)
    assert page.get_attribute("body", "data-follows").startswith("path error of P: ")
    assert page.get_attribute('[data-path="P"]', "d") != old
    assert page.locator("#undo").get_attribute("title").startswith("undo targets")
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == entry


def test_the_tolerance_band_is_at_the_pin_under_the_pointer(opened):
    page, _ = opened("four_bar")
    page.click("[data-tab=design]")
    page.click("[data-do='tolerance bands under the pointer']")
    for reference in ("rocker.C", "crank.B"):
        page.mouse.move(*pin(page, reference), steps=2)
        page.wait_for_function(
            "name => document.querySelector('#overlay .band')?.dataset.band.endsWith(name)", arg=reference[-2:]
        )
    assert "matters most" in page.inner_text("#words")
