"""Mechanisms in space under the hand, in a real browser: a drag along the joint's motion, and through time."""

import math
import tomllib

import pytest
from conftest import EXAMPLES
from studio_page import browser, drag, opened, server, settle, version

import mubo

__all__ = ["browser", "opened", "server"]  # fixtures
PLACE = """(name) => {
  const one = studio.scene.joints.find((joint) => joint.name === name);
  const [x, y, z, w, a, b, c] = studio.motion.at(studio.clock.time)[one.body];
  const [u, v, s] = one.at;
  const t = [2 * (b * s - c * v), 2 * (c * u - a * s), 2 * (a * v - b * u)];
  const at = [x + u + w * t[0] + b * t[2] - c * t[1], y + v + w * t[1] + c * t[0] - a * t[2],
    z + s + w * t[2] + a * t[1] - b * t[0]];
  const { x: px, y: py } = studio.viewer.pixel(at);
  return [px, py, ...at];
}"""


def joint(page, name):
    """A joint in pixels of the window, and in space."""
    box = page.locator("#figure canvas").bounding_box()
    x, y, *at = page.evaluate(PLACE, name)
    return (box["x"] + x, box["y"] + y), at


def test_a_link_is_dragged_along_its_joint_and_its_initial_coordinate_is_written(opened):
    """A released RSSR linkage in the state Edit: its crank turns about A, whose initial angle the file gives."""
    page, path = opened("released_rssr")
    assert page.get_attribute("#edit", "aria-checked") == "true"
    entry, before = path.read_bytes(), version(page)
    start, at = joint(page, "B")
    drag(page, start, (0, -14), steps=4)
    settle(page, before)
    q = tomllib.loads(path.read_text())["initial"]["A"]["q"]
    assert q != 0.3
    run = mubo.load(path).simulate()
    assert run["A.q"][0] == pytest.approx(q, abs=1e-6)
    there, now = joint(page, "B")
    radius = mubo.load(path).bodies["crank"].points["B"]
    assert math.dist(now, at) > 0.01 * math.hypot(*radius)  # it moved
    assert there[1] < start[1] - 3  # with the hand, which moved up
    page.click("#undo")
    settle(page, before + 1)
    assert path.read_bytes() == entry


def test_a_driven_link_goes_through_time_and_empty_space_turns_the_view(opened):
    page, path = opened("rssr")
    time = page.get_attribute("#figure", "data-time")
    start, _ = joint(page, "rod")
    page.evaluate("() => (window.eye = studio.viewer.eye.camera.position.toArray().join())")
    drag(page, start, (-60, 0), steps=5)  # along the path of the pin
    page.wait_for_function("t => document.querySelector('#figure').dataset.time !== t", arg=time)
    assert page.evaluate("() => studio.viewer.eye.camera.position.toArray().join() === window.eye")
    box = page.locator("#figure canvas").bounding_box()
    drag(page, (box["x"] + 20, box["y"] + 80), (60, 10), steps=4)
    page.wait_for_function("() => studio.viewer.eye.camera.position.toArray().join() !== window.eye")
    assert path.read_bytes() == (EXAMPLES / "rssr.toml").read_bytes()
