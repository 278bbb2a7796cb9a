"""Updates a second while a pin is dragged in the studio, in Chromium, from pointer move to new picture.

    python benchmarks/studio.py [--smallest]

A scripted hand leads a pin round a small circle with one pointer move for every picture that the browser draws; the
page counts the milliseconds from each move that was answered to its picture. Updates a second, median and 95th
percentile, and what an update costs by itself: milliseconds of processor time of the server and of the page. Where the
machine is loaded by others, that cost is the measure: 16 ms of both together are 60 updates a second on one core.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mubo.studio.document import Document
from mubo.studio.session import Session

EXAMPLES = Path(__file__).parent.parent / "examples"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
RADIUS = 8  # pixels of the circle
# Moves the pointer round a circle, once for every picture, and gives the seconds that it took.
SCRIPT = """([x, y, radius, moves]) => new Promise((done) => {
  const svg = document.querySelector("#drawing");
  const begun = performance.now();
  let k = 0;
  const step = () => {
    const turn = (2 * Math.PI * k) / 60;
    const [clientX, clientY] = [x + radius * Math.sin(turn), y + radius * (1 - Math.cos(turn))];
    const about = { clientX, clientY, pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true, buttons: 1 };
    svg.dispatchEvent(new PointerEvent("pointermove", about));
    if (++k < moves) requestAnimationFrame(step);
    else done((performance.now() - begun) / 1000);
  };
  requestAnimationFrame(step);
})"""


@dataclass(frozen=True)
class Case:
    """A model to be dragged: its pin, its tab and how many updates a second are the goal."""

    model: str
    pin: str
    goal: int
    tab: str = "motion"


CASES = (
    Case("four_bar", "crank.B", 60),
    Case("jansen_leg", "shoulder.top", 60),
    Case("eight_body", "boom.D", 30, "forces"),
    Case("scissor_100", "up0.low", 5),
)


def write_models(folder: Path) -> None:
    """The models of all cases: examples, eight bodies with masses, and a scissor lift of a hundred stages."""
    for case in CASES:
        if (EXAMPLES / f"{case.model}.toml").exists():
            shutil.copy(EXAMPLES / f"{case.model}.toml", folder)
    session = Session(Document.open(folder / "eight_body.toml"))
    session.act({"do": "tool", "tool": "masses", "with": {"bodies": []}, "t": 0.0, "decimals": 4})
    sys.path.insert(0, str(EXAMPLES))
    from scissor_lift import scissor_lift

    path = folder / "scissor_100.toml"
    scissor_lift(100).save(path)
    path.write_text(path.read_text() + "\n[analysis]\nend = 1\nstep = 0.05\n")


def processor_seconds(pid: int) -> float:
    """User and system time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def renderer_seconds() -> float:
    """Processor time of all pages of browsers that this process started."""
    parents, renderers = {}, []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # a process that has ended meanwhile
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if b"--type=renderer" in (entry / "cmdline").read_bytes():
                    renderers.append(int(entry.name))

    def is_own(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_own(parents[pid]))

    return sum(processor_seconds(pid) for pid in renderers if is_own(pid))


def drag(page, case: Case, moves: int, pid: int) -> str:
    """The line of a drag round a circle."""
    circle = page.locator(f'#overlay [data-pin~="{case.pin}"]')
    box = page.locator("#overlay").bounding_box()
    x, y = box["x"] + float(circle.get_attribute("cx")), box["y"] + float(circle.get_attribute("cy"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 8)
    page.wait_for_timeout(600)  # the model is compiled
    page.evaluate("() => (window.studio.hand.updates.length = 0)")
    before = processor_seconds(pid), renderer_seconds()
    passed = page.evaluate(SCRIPT, [x, y, RADIUS, moves])
    after = processor_seconds(pid), renderer_seconds()
    updates = page.evaluate("() => window.studio.hand.updates")
    page.mouse.up()
    server, script = (1000 * (b - a) / max(len(updates), 1) for a, b in zip(before, after, strict=True))
    high = statistics.quantiles(updates, n=20)[-1] if len(updates) > 1 else math.nan
    median = statistics.median(updates) if updates else math.nan
    figures = f"{len(updates) / passed:>11.1f}{median:>11.1f}{high:>9.1f}{server:>11.1f}{script:>9.1f}{case.goal:>7}"
    return f"{case.model:<14}{len(updates):>8}{figures}"


def measure(cases, moves: int) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        write_models(Path(folder))
        program = Path(sys.executable).parent / "mubo"
        command = [program, "studio", folder, "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            address = re.search(r"http://\S+", server.stdout.readline())[0]
            chromium = shutil.which("chromium") or "/usr/bin/chromium"
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            heads = f"{'per second':>11}{'median ms':>11}{'95 % ms':>9}{'server ms':>11}{'page ms':>9}{'goal':>7}"
            print(f"{'model':<14}{'updates':>8}{heads}")
            for case in cases:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.set_default_timeout(120_000)
                page.goto(f"{address}?file={case.model}.toml")
                whole = "body[data-answered]:not([data-answered*=brief])"
                page.wait_for_selector(whole)
                if case.tab != "motion":
                    page.click(f"[data-tab={case.tab}]")
                    page.wait_for_selector("[data-layer=forces]:not([hidden])")
                    page.wait_for_selector(whole)
                print(drag(page, case, moves, server.pid))
                page.close()
            browser.close()
            server.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", action="store_true", help="a short drag of one model, to see that it runs")
    if parser.parse_args().smallest:
        measure(CASES[:1], 30)
    else:
        measure(CASES, 300)
