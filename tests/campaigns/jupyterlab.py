"""JupyterLab itself: a notebook shows `model.studio()`, a pin is dragged in its cell, and the Python object follows.

`python tests/campaigns/jupyterlab.py [--lab build/jupyterlab] [--picture cell.png]`. JupyterLab is installed by pip
into an environment of its own, unless the folder `--lab` has one already; the kernel is the Python that runs this
script, so the notebook works on this checkout. The server listens on the loopback interface alone. What is checked is
printed, and the exit status is 0 if all of it held.
"""

import argparse
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from contextlib import closing, suppress
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
WHOLE = "body[data-answered]:not([data-answered*=brief])"
CELLS = (
    'import mubo\nmodel = mubo.load("four_bar.toml")\nmodel.studio()',
    'print("B is at", *model.bodies["crank"].points["B"][:2], "and the run is", model.kinematics().status)',
)


def jupyter_of(folder: Path) -> Path:
    """The `jupyter` of an environment, which is made where it is missing."""
    program = folder / "bin" / "jupyter"
    if not program.exists():
        print(f"JupyterLab is installed into {folder}")
        venv.create(folder, with_pip=True)
        packages = ("jupyterlab>=4", "ipykernel>=6", "anywidget>=0.9")
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", *packages], check=True)
    return program


def write_notebook(folder: Path, settings: Path) -> None:
    """A notebook of two cells, its model, the kernel that runs it, and JupyterLab without its news."""
    shutil.copy(ROOT / "examples" / "four_bar.toml", folder)
    cells = [
        {"cell_type": "code", "id": f"cell{k}", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
        for k, text in enumerate(CELLS)
    ]
    kernel = {"name": "checkout", "display_name": "checkout", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "model.ipynb").write_text(json.dumps(notebook))
    place, pages = settings / "share" / "kernels" / "checkout", settings / "config" / "labconfig"
    for one in (place, pages):
        one.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (place / "kernel.json").write_text(json.dumps({"argv": command, **kernel}))
    quiet = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (pages / "page_config.json").write_text(json.dumps(quiet))


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(address: str, seconds: float) -> None:
    """Waits until a server answers."""
    last = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            if time.monotonic() > last:
                raise
            time.sleep(0.5)
        else:
            return


class Lab:
    """A notebook in JupyterLab, opened in a browser."""

    def __init__(self, page, address: str) -> None:
        self.page, self.errors = page, []
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        chosen = page.locator(".jp-Dialog .jp-mod-accept")  # JupyterLab may ask for the kernel that the file names
        page.add_locator_handler(chosen, lambda: chosen.click())
        page.goto(address)
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        self.frame = page.frame_locator(".jp-OutputArea iframe[title='mubo studio']")

    def run(self, number: int):
        """Runs a cell until it has ended; the cell. A kernel that is just starting drops what it is asked."""
        cell = self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        ran = re.compile(rf"^(?!{re.escape(before)}$)\[\d+\]")
        for patience in (20_000, 60_000, 120_000):
            cell.locator(".cm-content").click()
            self.page.keyboard.press("Shift+Enter")
            with suppress(AssertionError):
                expect(prompt).to_have_text(ran, timeout=patience)
                break
        expect(prompt).to_have_text(ran)
        return cell

    def printed(self) -> tuple[float, float, str]:
        """Where the pin B is in Python, as the last cell prints it, and how its run ended."""
        cell = self.run(len(CELLS) - 1)
        told = cell.locator("[data-mime-type='application/vnd.jupyter.stdout']").inner_text()
        words = told.split()
        return float(words[3]), float(words[4]), words[-1]

    def drag(self, dx: float, dy: float) -> None:
        """Drags the pin B of the crank in the cell."""
        circle, overlay = self.frame.locator('#overlay [data-pin~="crank.B"]'), self.frame.locator("#overlay")
        overlay.scroll_into_view_if_needed()
        box = overlay.bounding_box()
        x, y = (box[axis] + float(circle.get_attribute(f"c{axis}")) for axis in ("x", "y"))
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + dx, y + dy, steps=6)
        self.page.mouse.up()

    def answered(self, version: int) -> None:
        """Waits for the whole answer to a version of the text."""
        self.frame.locator(f'body[data-answered="{version}"]').wait_for(state="attached")


def walk(lab: Lab) -> list[tuple[bool, str]]:
    """What a person does in the notebook, and what has to hold."""
    begun = time.monotonic()
    lab.run(0)
    lab.frame.locator(WHOLE).wait_for(state="attached")
    found = [(True, f"the studio is in the cell, {time.monotonic() - begun:.1f} s after Shift+Enter")]
    first = lab.printed()
    found.append((first[2] == "ok", f"before: B at {first[:2]}, its run ends {first[2]}"))
    lab.drag(-24, 10)
    lab.answered(1)
    second = lab.printed()
    found.append((second[:2] != first[:2] and second[2] == "ok", f"after the drag: B at {second[:2]}, {second[2]}"))
    lab.frame.locator("#undo").click()
    lab.answered(2)
    third = lab.printed()
    found.append((third[:2] == first[:2], f"after undo: B at {third[:2]}"))
    lab.frame.locator("#play").click()
    lab.frame.locator('#play[data-playing="true"]').wait_for()
    lab.frame.locator("#play").click()
    found.append((True, "it plays in the cell"))
    lab.run(0)  # the cell is run anew: another widget takes the place of the first
    lab.frame.locator(WHOLE).wait_for(state="attached")
    lab.drag(-30, -5)
    lab.answered(1)
    fourth = lab.printed()
    found.append((fourth[:2] != first[:2], f"in the cell that was run again: B at {fourth[:2]}"))
    found.append((not lab.errors, f"errors of the page: {lab.errors}"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lab", type=Path, default=ROOT / "build" / "jupyterlab", help="environment with JupyterLab")
    parser.add_argument("--picture", type=Path, help="picture of the notebook at its end")
    given = parser.parse_args()
    jupyter, port, token = jupyter_of(given.lab.absolute()), free_port(), secrets.token_urlsafe(24)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder, settings = Path(place) / "notebooks", Path(place) / "settings"
        folder.mkdir()
        write_notebook(folder, settings)
        places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_PATH": "share", "JUPYTER_RUNTIME_DIR": "runtime"}
        places |= {"JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython"}
        own = {name: str(settings / one) for name, one in places.items()}
        own["PYTHONPATH"] = os.environ.get("PYTHONPATH", str(ROOT / "src"))
        command = [jupyter, "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
        command += [f"--ServerApp.root_dir={folder}", f"--IdentityProvider.token={token}", "--log-level=ERROR"]
        with subprocess.Popen(command, env={**os.environ, **own}) as server:
            try:
                wait_for(f"http://127.0.0.1:{port}/api?token={token}", 120)
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
                page = browser.new_page(viewport={"width": 1500, "height": 1000})
                lab = Lab(page, f"http://127.0.0.1:{port}/lab/tree/model.ipynb?token={token}")
                try:
                    found = walk(lab)
                finally:
                    if given.picture:
                        page.screenshot(path=given.picture)
                browser.close()
            finally:
                server.terminate()
    for holds, words in found:
        print("holds " if holds else "FAILS ", words)
    return 0 if all(holds for holds, _ in found) else 1


if __name__ == "__main__":
    sys.exit(main())
