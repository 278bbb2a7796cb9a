"""Playing, layers, charts, culprits, gallery, help, space and contrast of the studio in a real browser."""

from pathlib import Path

import pytest
from conftest import EXAMPLES
from studio_page import browser, choose_tab, drag, opened, server

__all__ = ["browser", "opened", "server"]  # fixtures
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def time_of(page):
    return float(page.get_attribute("#figure", "data-time"))


def test_step_scrub_speed_and_the_crank_by_hand(opened):
    page, path = opened("four_bar")
    page.locator("#figure").focus()
    page.keyboard.press("ArrowRight")
    assert time_of(page) == pytest.approx(0.025)  # the step of the file
    page.keyboard.press("End")
    assert time_of(page) == pytest.approx(1)  # its end
    page.keyboard.press("Home")
    assert time_of(page) == 0
    page.locator("#slider").fill("0.5")
    assert time_of(page) == pytest.approx(0.5)
    page.select_option("#speed", "1")
    assert page.evaluate("studio.clock.speed") == pytest.approx(1)  # true time: one second in one
    page.keyboard.press("Home")
    page.click("#watch")
    entry, start, at = path.read_bytes(), pin_in_play(page), time_of(page)
    drag(page, start, (-60, 10))
    page.wait_for_function("t => Math.abs(document.querySelector('#figure').dataset.time - t) > 0.01", arg=at)
    assert path.read_bytes() == entry


WHERE = """(() => {
  const joint = studio.scene.joints.find(({ name }) => name === "B");
  const [x, y, phi] = studio.poses[joint.body];
  const [c, s, [u, v]] = [Math.cos(phi), Math.sin(phi), joint.at];
  const at = studio.plane.pixel([x + c * u - s * v, y + s * u + c * v]);
  return [at.x, at.y];
})()"""


def pin_in_play(page):
    """The pin B, which is not circled in the state Play, by the drawing's own scale."""
    box = page.locator("#figure").bounding_box()
    x, y = page.evaluate(WHERE)
    return box["x"] + x, box["y"] + y


def test_arrows_centres_and_charts_of_what_is_selected(opened):
    page, _ = opened("four_bar")
    for layer in ("velocity", "acceleration", "centres"):
        page.click(f"[data-layer={layer}]")
    assert page.locator('#drawing [data-arrow="P.v"]').count() == 1
    assert page.locator('#drawing [data-arrow="P.a"]').count() == 1
    page.evaluate("studio.store.change({ selected: { kind: 'body', name: 'rocker' } })")
    page.click("#more summary")
    page.click('#columns [data-column="rocker.omega"]')
    page.wait_for_function("() => studio.store.state.charts.some(({ columns }) => columns.includes('rocker.omega'))")
    page.select_option("#axis", "motor.value")
    assert page.evaluate("studio.store.state.axis") == "motor.value"


def test_the_culprit_is_ringed(opened):
    page, path = opened("four_bar")
    path.write_text(path.read_text().replace("D = [2.5, 0]", "D = [25, 0]"))
    page.wait_for_selector("#overlay [data-opens]", state="attached")
    assert page.locator("#words .error").count() == 1
    path.write_bytes((EXAMPLES / "four_bar.toml").read_bytes())
    page.wait_for_selector("#overlay [data-opens]", state="detached")


def test_the_gallery_moves_on_hover_and_has_ten_linkages(opened):
    page = opened.visit(opened.address)
    card = page.locator('[data-example="four_bar"]')
    card.scroll_into_view_if_needed()
    page.wait_for_selector('[data-example="four_bar"] svg [data-frame=crank]', state="attached")
    crank = page.locator('[data-example="four_bar"] svg [data-frame=crank]').first
    before = crank.get_attribute("transform")
    card.hover()
    place = "document.querySelector('[data-example=four_bar] svg [data-frame=crank]').getAttribute('transform')"
    page.wait_for_function(f"old => {place} !== old", arg=before)
    assert page.locator("[data-linkage]").count() >= 10
    page.close()


def test_help_names_the_keys(opened):
    page, _ = opened("four_bar")
    page.locator("#figure").focus()
    page.keyboard.press("?")
    assert "Ctrl-Z" in page.inner_text("#panel")
    assert page.locator("#begin-guide").is_visible()


def test_a_mechanism_in_space_is_simulated_and_charted(opened):
    page, _ = opened("released_rssr")
    choose_tab(page, "dynamics")
    assert page.get_attribute("body", "data-moving") == "true"
    assert page.locator("#plots canvas, #plots svg").count() > 0
    page.click("#play")
    page.wait_for_function("() => studio.clock.time > 0")
    page.click("#play")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_names_and_focus(opened, scheme):
    """axe-core: contrast of text (WCAG 2.2, 1.4.3), names of controls, roles; and the focus is seen."""
    page, _ = opened("four_bar", color_scheme=scheme, bypass_csp=True)
    page.evaluate("studio.store.change({ selected: { kind: 'joint', name: 'C' } })")
    page.add_script_tag(path=AXE)
    rules = ["color-contrast", "button-name", "label", "aria-valid-attr", "aria-required-attr", "select-name"]
    found = page.evaluate("rules => axe.run(document, { runOnly: rules })", rules)
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]] == []
    page.locator("#undo").evaluate("one => { one.disabled = false; one.focus() }")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
