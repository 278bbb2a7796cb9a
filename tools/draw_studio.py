"""Draws the pictures of docs/studio.md: the newcomer's and the teacher's path, gone by a scripted hand in Chromium.

python tools/draw_studio.py
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
EXAMPLES = Path(__file__).parent.parent / "examples"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WHOLE = "body[data-answered]:not([data-answered*=brief])"


def settle(page: Any, version: int) -> None:
    page.wait_for_selector(f'body[data-answered="{version}"]')


def pin(page: Any, reference: str) -> tuple[float, float]:
    circle = page.locator(f'#overlay [data-pin~="{reference}"]')
    box = page.locator("#overlay").bounding_box()
    return box["x"] + float(circle.get_attribute("cx")), box["y"] + float(circle.get_attribute("cy"))


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    page.wait_for_timeout(200)
    page.mouse.up()


def places(page: Any, shares: list[tuple[float, float]]) -> list[tuple[float, float]]:
    box = page.locator("#figure").bounding_box()
    return [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]


def draw_newcomer(page: Any, address: str) -> None:
    """From nothing to a driven four-bar with its pin forces: a picture after each stage."""
    page.goto(address)
    page.click("#new-model")
    page.wait_for_selector("#grid path")
    at = places(page, [(0.25, 0.7), (0.3, 0.5), (0.62, 0.25), (0.66, 0.7)])
    for k in range(3):
        drag(page, at[k], at[k + 1])
        settle(page, k + 1)
    page.mouse.move(*places(page, [(0.9, 0.9)])[0])
    page.screenshot(path=PICTURES / "studio_links.png")
    for k, reference in enumerate(("link3.D", "link1.A")):
        page.mouse.click(*pin(page, reference))
        page.click("[data-action=ground]")
        settle(page, 4 + k)
    page.wait_for_selector("[data-action=drive]")
    page.mouse.move(*places(page, [(0.9, 0.9)])[0])
    page.screenshot(path=PICTURES / "studio_bar.png")
    page.click("[data-action=drive]")
    settle(page, 6)
    page.click("[data-tab=forces]")
    page.click("[data-cure=masses]")
    settle(page, 7)
    page.wait_for_selector(".force-value", state="attached")
    page.screenshot(path=PICTURES / "studio_forces.png")


def draw_teacher(page: Any, address: str) -> None:
    """Three poses to a working linkage."""
    page.goto(address)
    page.click("#new-model")
    page.wait_for_selector("#grid path")
    page.click("[data-tab=design]")
    page.click("[data-do='place poses']")
    for x, y, dx, dy in ((0.2, 0.6, 60, 0), (0.4, 0.45, 55, -25), (0.5, 0.4, 40, -45)):
        (start,) = places(page, [(x, y)])
        drag(page, start, (start[0] + dx, start[1] + dy))
    page.screenshot(path=PICTURES / "studio_poses.png")
    page.click("[data-do='linkages through 3 poses']")
    page.wait_for_selector("[data-design]", timeout=120_000)
    page.screenshot(path=PICTURES / "studio_designs.png")
    page.click('[data-design="0"]')
    page.wait_for_selector('body[data-moving="true"]')
    page.wait_for_selector(WHOLE)
    page.screenshot(path=PICTURES / "studio_design.png")


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXAMPLES / "four_bar.toml", folder)
        command = [Path(sys.executable).parent / "mubo", "studio", folder, "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            chromium = shutil.which("chromium") or "/usr/bin/chromium"
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(60_000)
            page.goto(f"{found[0]}?file=four_bar.toml")
            page.wait_for_selector(WHOLE)
            page.screenshot(path=PICTURES / "studio.png")
            draw_newcomer(page, found[0])
            draw_teacher(page, found[0])
            browser.close()
            server.terminate()


if __name__ == "__main__":
    main()
