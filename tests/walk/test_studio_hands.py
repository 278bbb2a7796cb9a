"""More of what hands can do in the studio: tools at the selection, locks, typed dimensions, comparison, design."""

import base64
import json
import math
import re
import tomllib
from pathlib import Path

import pytest
from conftest import EXAMPLES
from studio_page import WHOLE, browser, drag, opened, pin, server, settle, version

import mubo
from mubo.studio.document import Document
from mubo.studio.exports import export_file
from mubo.studio.session import Session
from mubo.view import encode

__all__ = ["browser", "opened", "server"]  # fixtures
# a picture of one grey pixel (PNG, 1 × 1)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="


def middle(page, *references):
    ends = [pin(page, one) for one in references]
    return tuple(sum(at[k] for at in ends) / len(ends) for k in (0, 1))


def undo(page):
    before = version(page)
    page.click("#undo")
    settle(page, before)


def test_a_locked_length_stays_while_a_pin_is_dragged(opened):
    page, path = opened("four_bar")
    page.mouse.click(*middle(page, "crank.A", "crank.B"))
    page.click('[data-dimension="length crank AB"] + .lock')
    page.keyboard.press("Escape")
    before = version(page)
    drag(page, pin(page, "crank.B"), (45, 10))
    settle(page, before)
    points = tomllib.loads(path.read_text())["body"]["crank"]["points"]
    assert math.dist(points["A"], points["B"]) == pytest.approx(
        2, abs=1e-3
    )  # as in the file, three decimals are written
    page.mouse.click(*pin(page, "rocker.D"))
    page.click("#lengths .lock")
    page.keyboard.press("Escape")
    now = path.read_bytes()
    drag(page, pin(page, "rocker.D"), (30, 0))
    page.wait_for_selector("#words p:has-text('is locked')")
    assert path.read_bytes() == now


def test_angles_and_coordinates_are_typed_in_place_with_units(opened):
    page, path = opened("four_bar")
    page.mouse.click(*pin(page, "rocker.D"))
    before = version(page)
    x = page.locator('[data-dimension^="x "]')
    assert x.input_value() == "x 2.5 m"
    x.fill("260 cm")
    x.press("Enter")
    settle(page, before)
    assert "D = [2.6, 0]" in path.read_text()
    page.keyboard.press("Escape")
    page.mouse.click(*middle(page, "crank.A", "crank.B"))
    angle = page.locator('[data-dimension="angle crank"]')
    assert angle.input_value() == "60°"
    angle.fill("50")
    angle.press("Enter")
    settle(page, before + 1)
    (a, b) = pin(page, "crank.A"), pin(page, "crank.B")
    assert math.degrees(math.atan2(a[1] - b[1], b[0] - a[0])) == pytest.approx(50, abs=0.1)


def test_tools_at_the_selection(opened):
    """Each of the table's tools that needs no second part, at a joint, a link and a pin; undo takes each back."""
    page, path = opened("four_bar")
    entry = path.read_bytes()
    cases = {
        "weld": ("joint", "C", 'type = "fixed"'),
        "pull apart": ("joint", "C", None),
        "force": ("joint", "C", "[force.force1]"),
        "torque": ("body", "rocker", 'type = "body_torque"'),
        "mass": ("body", "rocker", "inertia ="),
        "mirror": ("body", "coupler", "at = [0.5, -1.5]"),
        "duplicate": ("body", "coupler", "[body.link1]"),
    }
    for tool, (kind, name, sign) in cases.items():
        page.evaluate("([kind, name]) => studio.store.change({ selected: { kind, name } })", [kind, name])
        before = version(page)
        page.click(f'[data-action="{tool}"]')
        page.wait_for_function("v => +document.body.dataset.version > v", arg=before)
        text = path.read_text()
        assert sign in text if sign else "[joint.C]" not in text, tool
        page.keyboard.press("Escape")
        page.click("#undo")
        page.wait_for_function("v => +document.body.dataset.version > v + 1", arg=before)
        assert path.read_bytes() == entry, tool


def test_tools_with_a_second_part(opened):
    page, path = opened("four_bar")
    for tool, first, second, sign in (
        ("damper", "crank.A", "rocker.C", "damping ="),
        ("gears", "crank", ("rocker.C", "rocker.D"), 'type = "gears"'),
        ("belt", "crank", ("rocker.C", "rocker.D"), 'type = "belt"'),
        ("slot", "crank.B", ("rocker.C", "rocker.D"), 'type = "slot"'),
        ("ram", "crank.A", "rocker.C", "[body.cylinder]"),
        ("cam", "crank", "rocker.C", 'type = "cam_roller"'),
    ):
        kind = "point" if "." in first else "body"
        page.evaluate("([kind, name]) => studio.store.change({ selected: { kind, name } })", [kind, first])
        before = version(page)
        page.click(f'[data-action="{tool}"]')
        page.mouse.click(*(middle(page, *second) if isinstance(second, tuple) else pin(page, second)))
        page.wait_for_function("v => +document.body.dataset.version > v", arg=before)
        assert sign in path.read_text(), tool
        page.click("#undo")
        page.wait_for_function("v => +document.body.dataset.version > v + 1", arg=before)
    assert path.read_bytes() == (EXAMPLES / "four_bar.toml").read_bytes()


def test_a_former_design_is_a_ghost_and_dashed(opened):
    page, _ = opened("four_bar")
    page.click("#pin-design")
    before = version(page)
    drag(page, pin(page, "rocker.D"), (20, 0))
    settle(page, before)
    assert page.locator("#drawing .other [data-frame=crank]").count() > 0
    assert page.evaluate("studio.run.columns.some(({ reference }) => reference)")
    page.click("#pin-design")
    page.wait_for_function("() => !document.querySelector('#drawing .other')")


def test_what_is_not_driven_swings_and_modes_show_the_range(opened):
    page, path = opened("four_bar")
    page.click("#modes")
    page.wait_for_selector("#overlay .dial")
    page.keyboard.press("Escape")
    path.write_text(path.read_text().replace('[driver.motor]\nof = "crank.phi"\nmotion = "pi/3 + 2*pi*t"\n', ""))
    page.wait_for_selector("body[data-swings~=crank]")
    page.wait_for_selector("[data-cure=fix]")
    first = pin(page, "crank.B")
    page.wait_for_function(
        "x => Math.abs(document.querySelector('#overlay [data-pin~=\"crank.B\"]').getAttribute('cx') - x) > 1",
        arg=first[0] - page.locator("#overlay").bounding_box()["x"],
    )


def test_a_number_becomes_a_parameter_with_a_slider(opened):
    page, path = opened("four_bar")
    before = version(page)
    page.mouse.click(*pin(page, "rocker.D"))
    page.keyboard.press("Escape")
    page.mouse.click(*middle(page, "rocker.C", "rocker.D"))
    page.click('[aria-label="make body rocker points C 0 a parameter"]')
    settle(page, before)
    data = tomllib.loads(path.read_text())
    assert data["parameters"] == {"rocker_C_x": 2}
    assert data["body"]["rocker"]["points"]["C"] == ["rocker_C_x", 0]
    page.wait_for_selector('[data-parameter="rocker_C_x"]')
    undo(page)
    assert path.read_bytes() == (EXAMPLES / "four_bar.toml").read_bytes()


def test_a_linkage_by_its_lengths(opened):
    page = opened.visit(opened.address)
    page.click("#by-lengths summary")
    form = page.locator('[data-linkage="slider-crank"]')
    form.locator("input").nth(1).fill("150")
    form.locator("button").click()
    page.wait_for_selector('body[data-moving="true"]')
    name = re.search(r"file=([\w.]+)", page.url)[1]
    assert tomllib.loads((opened.folder / name).read_text())["body"]["rod"]["points"]["C"] == [150, 0]


def test_files_to_take_away(opened):
    page, path = opened("four_bar")
    page.click("#export summary")
    signs = {"dxf": b"ENTITIES", "glb": b"glTF", "csv": b"crank.x", "report": b"<!doctype html>", "toml": b"[body."}
    for kind, sign in signs.items():
        href = page.get_attribute(f'[data-export="{kind}"]', "href")
        answer = page.request.get(f"{opened.address}{href}")
        assert (answer.status, sign in answer.body()) == (200, True), kind
    page.select_option("#speed", "1")
    for button, ending in (("#save-svg", ".svg"), ("#save-png", ".png"), ("#save-gif", ".gif")):
        with page.expect_download() as saved:
            page.click(button)
        assert saved.value.suggested_filename.endswith(ending)
    page.click("#save-as")
    page.fill("#new-name", "my_copy")
    page.keyboard.press("Enter")
    page.wait_for_url("**my_copy.toml")
    assert (opened.folder / "my_copy.toml").read_bytes() == path.read_bytes()


def test_the_server_films_for_a_browser_without_encoder(opened, monkeypatch):
    """ISO 14496-12: an MP4 begins with a box "ftyp". Without imageio-ffmpeg on the server the reason is said."""
    page, path = opened("four_bar")
    page.evaluate("delete window.MediaRecorder")
    page.click("#export summary")
    with page.expect_download() as saved:
        page.click("#save-video")
    assert saved.value.suggested_filename.endswith(".mp4")
    assert Path(saved.value.path()).read_bytes()[4:8] == b"ftyp"
    page.route("**/export/*", lambda route: route.fulfill(status=409, body="no encoder. Install it with pip."))
    page.click("#save-video")
    page.wait_for_selector("#words p:has-text('Install it with pip')")
    session = Session(Document.open(path))
    monkeypatch.setattr(encode, "has_encoder", lambda: False)
    with pytest.raises(mubo.MuboError, match=r"pip install 'mubo\[video\]'"):
        export_file(session, "mp4")


def test_copied_python_builds_the_same_model(opened):
    page, path = opened("four_bar")
    page.click("#export summary")
    page.click("#copy-python")
    page.wait_for_selector("#python")
    names = {"print": lambda *_: None}
    exec(page.input_value("#python"), names)
    apart = {"analysis": None, "source": "", "origin": None}
    assert names["model"].build().changed(**apart) == mubo.load(path).build().changed(**apart)
    assert names["run"].status == "ok"


def test_three_poses_to_a_working_linkage(opened):
    """The teacher's path of docs/studio.md."""
    page = opened.visit(opened.address)
    page.click("#new-model")
    page.wait_for_selector("#grid path")
    page.click("[data-tab=design]")
    page.click("[data-do='place poses']")
    box = page.locator("#figure").bounding_box()
    for x, y, dx, dy in ((0.2, 0.6, 60, 0), (0.4, 0.45, 55, -25), (0.5, 0.4, 40, -45)):
        drag(page, (box["x"] + x * box["width"], box["y"] + y * box["height"]), (dx, dy), steps=3)
    assert page.locator("#overlay .pose").count() == 3
    page.click("[data-do='linkages through 3 poses']")
    page.wait_for_selector("[data-design]", timeout=60_000)
    page.click('[data-design="0"]')
    page.wait_for_selector('body[data-moving="true"]')
    page.wait_for_function("() => document.querySelectorAll('#drawing [data-frame]').length > 3")
    page.wait_for_selector(WHOLE)
    before = version(page)
    drag(page, pin(page, "crank.B"), (18, -14))  # the design is edited like any other
    settle(page, before)
    assert page.locator("#undo").get_attribute("title").startswith("undo drag")
    undo(page)
    undo(page)


def test_which_length_matters_at_a_point(opened):
    page, _ = opened("four_bar")
    page.evaluate("studio.store.change({ selected: { kind: 'point', name: 'P' } })")
    page.click("[data-action=sensitivity]")
    page.wait_for_selector("[data-influence]")
    assert page.locator("[data-influence]").count() == 4  # a four-bar has four lengths
    assert page.locator("#overlay .band").count() == 1


def test_a_photo_and_a_drawing_behind_the_grid(opened, tmp_path):
    page, path = opened("four_bar")
    photo, plan = tmp_path / "photo.png", tmp_path / "plan.dxf"
    photo.write_bytes(base64.b64decode(PIXEL))
    plan.write_text("0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n0\n20\n0\n11\n1000\n21\n0\n0\nENDSEC\n0\nEOF\n")
    entry = path.read_bytes()
    page.click("#photo-behind")
    page.set_input_files("#photo", photo)
    page.wait_for_selector("#background image", state="attached")
    page.click("[data-do='set the scale']")
    page.keyboard.press("Escape")
    box = page.locator("#figure").bounding_box()
    page.evaluate("studio.rail.choose('scale')")
    drag(page, (box["x"] + 100, box["y"] + 300), (100, 0))
    page.fill("#known", "3")
    page.keyboard.press("Enter")
    pixels = page.evaluate("studio.plane.scale")
    wide = 0.9 * box["width"] * 3 * pixels / 100  # nine tenths of the view; 100 pixels are now three metres
    scale = float(re.search(r"scale\(([\d.]+)", page.get_attribute("#background image", "transform"))[1])
    assert scale == pytest.approx(wide, rel=0.03)  # the line is drawn by a hand that steps
    page.reload()
    page.wait_for_selector("#background image", state="attached")
    page.click("#photo-behind")
    page.set_input_files("#photo", plan)
    page.wait_for_selector("#background path", state="attached")
    drawn = page.locator("#background path").bounding_box()["width"]
    assert drawn == pytest.approx(page.evaluate("studio.plane.scale"), rel=0.02)  # 1000 mm are one metre of the model
    assert path.read_bytes() == entry


def test_the_guide_follows_what_is_done(opened):
    page = opened.visit(opened.address)
    page.click("#new-model")
    page.wait_for_selector("#grid path")
    page.keyboard.press("?")
    page.click("#begin-guide")
    page.wait_for_selector('#guide[data-step="0"]')
    page.keyboard.press("l")
    box = page.locator("#figure").bounding_box()
    drag(page, (box["x"] + 200, box["y"] + 400), (40, -90))
    page.wait_for_selector('#guide[data-step="1"]')
    page.keyboard.press("Escape")
    page.wait_for_selector("#guide", state="hidden")


def test_play_backwards_and_layers(opened):
    page, _ = opened("four_bar")
    page.click("[data-layer=centres]")
    page.click("#direction")
    page.evaluate("studio.player.go(0.5)")
    page.click("#play")
    page.wait_for_function("() => studio.clock.playing && studio.clock.time < 0.5")
    page.click("#play")


def test_a_mechanism_in_space_is_turned_selected_and_edited(opened):
    page, path = opened("rssr")
    box = page.locator("#figure canvas").bounding_box()
    before = version(page)
    drag(page, (box["x"] + 30, box["y"] + 60), (60, 20), steps=4)
    body = next(name for name in tomllib.loads(path.read_text())["body"] if name != "ground")
    page.evaluate("name => studio.store.change({ selected: { kind: 'body', name } })", body)
    field = page.locator("#values input").first
    literal = json.loads(field.get_attribute("data-path"))
    value = field.input_value()
    field.fill(f"{float(value) * 1.0001:.6f}")
    field.press("Enter")
    settle(page, before)
    assert literal[:2] == ["body", body]
    page.click("[data-layer=velocity]")
    undo(page)
    assert path.read_bytes() == (EXAMPLES / "rssr.toml").read_bytes()
