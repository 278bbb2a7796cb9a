"""Arrows of forces on the page, in a real browser: they are those of the table, move, and can be put away."""

import math
import re

import numpy as np
import pytest
from test_force_pages import ENGINE

import mubo

SEEN = "(name) => [...document.querySelectorAll(`[data-frame^='${name}']`)].map((g) => g.style.display !== 'none')"


@pytest.fixture(scope="module")
def engine(tmp_path_factory, chromium):
    """The run and its page, opened."""
    folder = tmp_path_factory.mktemp("forces")
    (folder / "engine.toml").write_text(ENGINE)
    run = mubo.load(folder / "engine.toml").inverse()
    run.report(folder / "engine.html")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((folder / "engine.html").as_uri())
    page.wait_for_selector("#figure[data-time]")
    yield run, page
    assert complaints == []
    page.close()


def go(page, time):
    page.locator("#slider").evaluate("(s, t) => { s.value = t; s.dispatchEvent(new Event('input')) }", time)


def test_an_arrow_is_where_the_table_says(engine):
    """Shaft and head: where it begins, its turn, and its length against the bar of the scale."""
    run, page = engine
    row = 35
    go(page, float(run["t"][row]))
    shaft = page.locator("[data-frame='reaction A.on_rod']").get_attribute("transform")
    head = page.locator("[data-frame='reaction A.on_rod head']").get_attribute("transform")
    x, y, turn, long = map(float, re.findall(r"-?[\d.]+(?:e-?\d+)?", shaft)[:4])
    crank = run["crank.phi"][row]
    assert (x, y) == pytest.approx((0.05 * math.cos(crank), 0.05 * math.sin(crank)), abs=1e-6)
    fx, fy = run["A.on_rod.fx"][row], run["A.on_rod.fy"][row]
    assert math.radians(turn) == pytest.approx(math.atan2(fy, fx), abs=1e-4)
    length = long + float(re.findall(r"scale\(([^ )]+)", head)[0])
    bar = page.locator(".force-scale path").first.get_attribute("d")
    start, end = float(re.findall(r"M([\d.]+)", bar)[0]), float(re.findall(r"H([\d.]+)", bar)[0])
    value, unit = page.locator(".force-scale text").first.text_content().split()[:2]
    value = float(value) * {"N": 1.0, "kN": 1000.0}[unit]
    pixels = page.locator("#drawing > g").first.evaluate("(g) => g.transform.baseVal[0].matrix.a")
    assert length * pixels / (end - start) == pytest.approx(math.hypot(fx, fy) / value, rel=1e-3)


def test_torques_turn_the_way_of_their_sign(engine):
    run, page = engine
    for row in (int(np.argmax(run["motor.effort"])), int(np.argmin(run["motor.effort"]))):
        go(page, float(run["t"][row]))
        sides = {}
        for side in ("left", "right"):
            group = page.locator(f"[data-frame='driver motor effort {side}']").first
            sides[side] = float(re.findall(r"scale\(([^)]+)\)", group.get_attribute("transform"))[0])
        seen = max(sides, key=sides.get)
        assert seen == ("left" if run["motor.effort"][row] > 0 else "right")
        assert min(sides.values()) < 1e-6 * max(sides.values())


def test_forces_can_be_put_away(engine):
    _, page = engine
    assert page.locator("#forces").get_attribute("aria-pressed") == "true"
    assert all(page.evaluate(SEEN, "reaction"))
    page.click("#forces")
    assert not any(page.evaluate(SEEN, "reaction"))
    assert page.locator(".force-scale").get_attribute("display") == "none"
    page.click("#forces")
    assert all(page.evaluate(SEEN, "reaction"))
