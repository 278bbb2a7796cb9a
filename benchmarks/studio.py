"""Updates a second while a pin is dragged in the studio, in Chromium, from pointer move to new picture.

    python benchmarks/studio.py [--smallest]

A scripted hand leads a pin round a small circle; the page counts the milliseconds from each move that was answered to
its picture. Median and 95th percentile; the goal is 60 updates a second for the four-bar and the Jansen leg, 30 for
eight bodies.
"""

from __future__ import annotations

import argparse
import math
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"
MODELS = {"four_bar": ("crank.B", 60), "jansen_leg": ("shoulder.top", 60), "eight_body": ("boom.D", 30)}
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
RADIUS = 12  # pixels of the circle


def drag(page, pin: str, moves: int) -> tuple[list[float], float]:
    """Milliseconds of each update of a drag round a circle, and updates a second."""
    circle = page.locator(f'#overlay [data-pin~="{pin}"]')
    box = page.locator("#overlay").bounding_box()
    x, y = box["x"] + float(circle.get_attribute("cx")), box["y"] + float(circle.get_attribute("cy"))
    page.mouse.move(x, y)
    page.mouse.down()
    begun = time.perf_counter()
    for k in range(moves):
        turn = 2 * math.pi * k / 60
        page.mouse.move(x + RADIUS * math.sin(turn), y + RADIUS * (1 - math.cos(turn)))
    page.wait_for_timeout(100)
    passed = time.perf_counter() - begun - 0.1
    updates = page.evaluate("() => window.studio.hand.updates")
    page.mouse.up()
    return updates, len(updates) / passed


def measure(moves: int) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            shutil.copy(EXAMPLES / f"{name}.toml", folder)
        program = Path(sys.executable).parent / "mubo"
        command = [program, "studio", folder, "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            address = re.search(r"http://\S+", server.stdout.readline())[0]
            chromium = shutil.which("chromium") or "/usr/bin/chromium"
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            print(f"{'model':<14}{'updates':>8}{'per second':>12}{'median ms':>11}{'95 % ms':>9}{'goal':>7}")
            for name, (pin, goal) in MODELS.items():
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(f"{address}?file={name}.toml")
                page.wait_for_selector("body[data-answered]:not([data-answered*=brief])", timeout=60_000)
                updates, rate = drag(page, pin, moves)
                high = statistics.quantiles(updates, n=20)[-1] if len(updates) > 1 else math.nan
                median = statistics.median(updates) if updates else math.nan
                print(f"{name:<14}{len(updates):>8}{rate:>12.1f}{median:>11.1f}{high:>9.1f}{goal:>7}")
                page.close()
            browser.close()
            server.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", action="store_true", help="a short drag, to see that it runs")
    measure(30 if parser.parse_args().smallest else 300)
