"""Pictures a second while a page plays, in Chromium without a graphics processor, and the script's share of each.

    python benchmarks/page.py [--smallest] [--before FOLDER]

Pages are written, opened at 1440 × 900 and played; the page counts the pictures that the browser asks for and the
milliseconds that its own script takes for one. With `--before`, pages of the same names that another version of mubo
wrote are played in turn with the new ones, so that both meet the same load. The processor time of all processes of
the browser for one picture does not depend on the load: 33 ms on one core are 30 pictures a second.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from pathlib import Path

import mubo

EXAMPLES = Path(__file__).parent.parent / "examples"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
MAKERS = {
    "four_bar": lambda: mubo.load(EXAMPLES / "four_bar.toml").kinematics(),
    "engine": lambda: mubo.load(EXAMPLES / "engine.toml").inverse(),
    "excavator": lambda: mubo.load(EXAMPLES / "excavator.toml").inverse(),
    "walker": lambda: mubo.load(EXAMPLES / "walker.toml").gait().run,
    "stewart_platform": lambda: mubo.load(EXAMPLES / "stewart_platform.toml").kinematics(),
}
# requestAnimationFrame is wrapped before the page's script runs: what a picture takes is what its callbacks take
COUNT = """
() => {
  const real = window.requestAnimationFrame.bind(window);
  window.counted = { pictures: [], script: [] };
  window.requestAnimationFrame = (call) => real((now) => {
    const begun = performance.now();
    call(now);
    window.counted.script.push(performance.now() - begun);
    window.counted.pictures.push(now);
  });
}
"""


def processor_seconds() -> float:
    """Processor time so far of all processes that this one started, of Linux; 0 elsewhere."""
    parents, used = {}, {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        own = int(status.parent.name)
        parents[own], used[own] = int(words[1]), int(words[11]) + int(words[12])

    def descends(one: int) -> bool:
        while one in parents:
            one = parents[one]
            if one == os.getpid():
                return True
        return False

    return sum(ticks for one, ticks in used.items() if descends(one)) / os.sysconf("SC_CLK_TCK")


def play(browser, page_file: Path, seconds: float) -> tuple[float, float, float]:
    """Pictures a second, and the milliseconds of the script and of all processors for one."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page.add_init_script(f"({COUNT})()")
    page.goto(page_file.as_uri())
    page.wait_for_selector("#figure[data-time]")
    page.click("#play")
    page.wait_for_timeout(300)
    page.evaluate("() => { window.counted.pictures.length = window.counted.script.length = 0 }")
    before = processor_seconds()
    page.wait_for_timeout(1000 * seconds)
    counted = page.evaluate("() => window.counted")
    used = processor_seconds() - before
    page.close()
    times = sorted(set(counted["pictures"]))
    rate = 1000 * (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0.0
    own = sum(counted["script"]) / max(len(times), 1)
    return rate, own, 1000 * used / max(len(times), 1)


def measure(names: list[str], seconds: float, turns: int, before: Path | None) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        now = Path(folder)
        for name in names:
            MAKERS[name]().report(now / f"{name}.html")
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        head = f"{'pictures/s':>12}{'script ms':>11}{'all ms':>9}"
        print(f"{'page':<18}{'kB':>7}{head}{'  before:' + head if before else ''}")
        for name in names:
            places = [now, *([before] if before is not None and (before / f"{name}.html").exists() else [])]
            found = [[play(browser, place / f"{name}.html", seconds) for place in places] for _ in range(turns)]
            medians = [[statistics.median(turn[k][n] for turn in found) for n in range(3)] for k in range(len(places))]
            shown = (" " * 9).join(f"{rate:>12.1f}{own:>11.2f}{used:>9.1f}" for rate, own, used in medians)
            print(f"{name:<18}{(now / f'{name}.html').stat().st_size / 1000:>7.0f}{shown}")
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", action="store_true", help="one page for a moment, to see that it runs")
    parser.add_argument("--before", type=Path, help="a folder with pages of the same names by another version")
    given = parser.parse_args()
    small = given.smallest
    measure(["four_bar"] if small else list(MAKERS), 0.3 if small else 4.0, 1 if small else 3, given.before)
