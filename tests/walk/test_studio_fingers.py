"""What was tested by mouse alone, by one finger: gallery, design, release, files, backgrounds, and motion in space."""

import base64
import re
import tomllib

import pytest
from playwright.sync_api import TimeoutError
from studio_page import WHOLE, browser, opened, pin, server, settle, touch_along, touch_drag, version

import mubo

__all__ = ["browser", "opened", "server"]  # fixtures
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
LINE = "0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n0\n20\n0\n11\n1000\n21\n0\n0\nENDSEC\n0\nEOF\n"  # 1000 mm


def tap(page, selector):
    page.locator(selector).first.tap()


def begun(opened):
    """A new model's empty grid."""
    page = opened.visit(opened.address, **PHONE)
    tap(page, "#new-model")
    page.wait_for_selector("#grid path")
    return page


def at(page, x, y):
    """A place of the drawing, by parts of its width and height."""
    box = page.locator("#figure").bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_an_example_of_the_gallery_is_opened_by_a_tap(opened):
    page = opened.visit(opened.address, **PHONE)
    page.fill("#search-examples", "four bar")
    tap(page, '[data-example="four_bar"]')
    page.wait_for_url("**file=four_bar*")
    page.wait_for_selector(WHOLE)
    assert page.get_attribute("body", "data-moving") == "true"
    name = re.search(r"file=([\w.]+)", page.url)[1]
    assert set(tomllib.loads((opened.folder / name).read_text())["body"]) == {"ground", "crank", "coupler", "rocker"}


def test_three_poses_lead_to_a_linkage_by_touch(opened):
    """The design that is tapped is inserted, moves, and passes the poses: its driver turns without an error."""
    page = begun(opened)
    tap(page, "[data-tab=design]")
    tap(page, "[data-do='place poses']")
    x, y = at(page, 0.25, 0.4)
    for right, up, dx, dy in ((0, 0, 42, 0), (70, 35, 42, -19), (105, 47, 33, -37)):
        touch_drag(page, (x + right, y - up), (dx, dy))
    assert page.locator("#overlay .pose").count() == 3
    poses = page.evaluate("studio.overlay.wanted.poses.map((one) => one[2])")
    assert poses == pytest.approx([0, 24.3, 48.3], abs=3)  # degrees: atan(19/42), atan(37/33)
    tap(page, "[data-do='linkages through 3 poses']")
    page.wait_for_selector("[data-design]")
    tap(page, '[data-design="0"]')
    page.wait_for_selector('body[data-moving="true"]')
    page.wait_for_selector("#drawing [data-frame=coupler]", state="attached")
    while page.locator("#undo").is_enabled():
        now = version(page)
        tap(page, "#undo")
        page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=now)


def test_a_path_is_drawn_and_followed_by_touch(opened):
    page = begun(opened)
    tap(page, "[data-tab=design]")
    tap(page, "[data-do='draw a path']")
    places = [(0.30, 0.30), (0.36, 0.25), (0.44, 0.22), (0.52, 0.24), (0.58, 0.31)]
    touch_along(page, [at(page, *one) for one in places])
    page.wait_for_selector("#overlay .drawn-path", state="attached")
    assert page.evaluate("studio.overlay.wanted.path.length") == len(places)
    tap(page, "[data-do='linkages along this path']")
    page.wait_for_selector("[data-design] svg [data-frame]", state="attached")
    tap(page, '[data-design="0"]')
    page.wait_for_selector('body[data-moving="true"]')


def test_a_target_of_the_coupler_curve_is_dragged_by_touch(opened):
    page, path = opened("four_bar", **PHONE)
    entry, before = path.read_bytes(), version(page)
    x, y = page.evaluate("studio.selection.where({ kind: 'point', name: 'P' })")
    place = "([x, y]) => { const at = studio.plane.pixel([x, y]); return [at.x, at.y] }"
    box = page.locator("#overlay").bounding_box()
    px, py = page.evaluate(place, [x, y])
    page.touchscreen.tap(box["x"] + px, box["y"] + py)
    tap(page, "[data-action=targets]")
    page.wait_for_selector('#overlay [data-target="2"]', state="attached")
    px, py = page.evaluate(place, page.evaluate("studio.targets.places[2]"))
    touch_drag(page, (box["x"] + px, box["y"] + py), (9, 6), steps=3)
    settle(page, before)
    assert page.get_attribute("body", "data-follows").startswith("path error of P: ")
    assert path.read_bytes() != entry
    tap(page, "#undo")
    settle(page, before + 1)
    assert path.read_bytes() == entry


def test_a_released_mechanism_is_pulled_by_a_finger(opened):
    page, path = opened("released_four_bar", **PHONE)
    entry = path.read_bytes()
    tap(page, "[data-tab=dynamics]")
    tap(page, "[data-cure=release]")
    page.wait_for_function("() => Number(document.body.dataset.released) > 3")
    client = page.context.new_cdp_session(page)

    def touch(kind, *points):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    for _ in range(30):  # a slow browser may touch where the pin was
        x, y = pin(page, "crank.B")
        touch("touchStart", (x, y))
        touch("touchMove", (x + 30, y - 40))
        try:
            page.wait_for_selector("#overlay .guide", state="attached", timeout=1500)
        except TimeoutError:
            touch("touchEnd")
        else:
            break
    else:
        pytest.fail("the pin was not caught")
    page.wait_for_timeout(80)  # the finger rests: no fling
    touch("touchEnd")
    page.wait_for_selector("#overlay .guide", state="detached")
    tap(page, "[data-cure=leave]")
    page.wait_for_function("() => document.body.dataset.released === undefined")
    assert path.read_bytes() == entry


def test_files_are_taken_away_by_touch(opened):
    page, path = opened("four_bar", **PHONE)
    tap(page, "#export summary")
    sheet = page.locator("#export .sheet").bounding_box()
    assert sheet["x"] >= 0
    assert sheet["x"] + sheet["width"] <= PHONE["viewport"]["width"]
    for button, ending in (("#save-svg", ".svg"), ("#save-png", ".png"), ('[data-export="toml"]', ".toml")):
        with page.expect_download() as saved:
            tap(page, button)
        assert saved.value.suggested_filename.endswith(ending)
    tap(page, "#save-as")
    name = f"{path.stem}_copy"
    page.fill("#new-name", name)
    page.keyboard.press("Enter")  # of the keyboard on the screen
    page.wait_for_url(f"**{name}.toml")
    assert (opened.folder / f"{name}.toml").read_bytes() == path.read_bytes()


def test_a_photo_and_a_drawing_are_put_behind_the_grid_by_touch(opened, tmp_path):
    """A line of 60 pixels over the photo is said to be 2 m long; the line of 1000 mm of the DXF is one metre."""
    page, path = opened("four_bar", **PHONE)
    photo, plan = tmp_path / "photo.png", tmp_path / "plan.dxf"
    photo.write_bytes(base64.b64decode(PIXEL))
    plan.write_text(LINE)
    entry = path.read_bytes()
    tap(page, "#photo-behind")
    page.set_input_files("#photo", photo)
    page.wait_for_selector("#background image", state="attached")
    old = page.evaluate("studio.background.picture.length")
    tap(page, "[data-do='set the scale']")
    if page.locator("#close-panel").is_visible():
        tap(page, "#close-panel")
    touch_drag(page, at(page, 0.3, 0.25), (60, 0), steps=12)
    page.fill("#known", "2")
    tap(page, "[data-do=set]")
    pixels = page.evaluate("studio.plane.scale")
    assert page.evaluate("studio.background.picture.length") / old == pytest.approx(2 * pixels / 60, rel=0.08)
    page.set_input_files("#photo", plan)
    page.wait_for_selector("#background path", state="attached")
    drawn = page.locator("#background path").bounding_box()["width"]
    assert drawn == pytest.approx(pixels, abs=1.5)  # and the width of its stroke
    assert path.read_bytes() == entry


PLACE = """(name) => {
  const one = studio.scene.joints.find((joint) => joint.name === name);
  const [x, y, z, w, a, b, c] = studio.motion.at(studio.clock.time)[one.body];
  const [u, v, s] = one.at;
  const t = [2 * (b * s - c * v), 2 * (c * u - a * s), 2 * (a * v - b * u)];
  const { x: px, y: py } = studio.viewer.pixel([x + u + w * t[0] + b * t[2] - c * t[1],
    y + v + w * t[1] + c * t[0] - a * t[2], z + s + w * t[2] + a * t[1] - b * t[0]]);
  return [px, py];
}"""


def test_a_mechanism_in_space_is_turned_selected_and_dragged_by_touch(opened):
    """One finger turns the view over empty space, selects by a tap, and drags the crank along its joint A."""
    page, path = opened("released_rssr", **PHONE)
    entry, before = path.read_bytes(), version(page)
    box = page.locator("#figure canvas").bounding_box()

    def joint(name):
        x, y = page.evaluate(PLACE, name)
        return box["x"] + x, box["y"] + y

    eye = "studio.viewer.eye.camera.position.toArray().join()"
    first = page.evaluate(eye)
    touch_drag(page, (box["x"] + 70, box["y"] + 0.3 * box["height"]), (40, 12))
    page.wait_for_function(f"old => {eye} !== old", arg=first)
    page.touchscreen.tap(*joint("B"))
    page.wait_for_function("() => studio.store.state.selected !== null")
    assert page.locator("#values input").count() > 0
    start = joint("B")
    touch_drag(page, start, (0, -12), steps=4)
    settle(page, before)
    q = tomllib.loads(path.read_text())["initial"]["A"]["q"]
    assert q != 0.3
    assert mubo.load(path).simulate()["A.q"][0] == pytest.approx(q, abs=1e-6)
    assert joint("B")[1] < start[1] - 3  # with the finger, which moved up
    tap(page, "#undo")
    settle(page, before + 1)
    assert path.read_bytes() == entry
