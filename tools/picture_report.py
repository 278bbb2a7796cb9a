"""Writes the pictures of docs/report.md: pages of the examples as Chromium shows them.

PYTHONPATH=src python tools/picture_report.py [NAME ...]

Needs the built page (`make report-assets`), playwright and Chromium; without names every picture is made.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mubo

ROOT = Path(__file__).parent.parent
PICTURES, EXAMPLES = ROOT / "docs" / "pictures", ROOT / "examples"
COLOURS = 128
DESK, PHONE = (1280, 800), (390, 844)
POINTS = [(0, 0), (10, 0), (20, 5), (10, 10), (2, 10)]
MAKERS: dict[str, Callable[[], Any]] = {
    "four_bar": lambda: _load("four_bar").kinematics(),
    "engine": lambda: _load("engine").inverse(),
    "strong_four_bar": lambda: _load("strong_four_bar").strength().run,
    "walker": lambda: _load("walker").gait().run,
    "modes": lambda: _load("loaded_four_bar").linearize(free="hold", at={"hold": "200 deg"}),
    "sweep": lambda: _load("parameters").sweep({"a": "0.03:0.05:7", "c": "0.1:0.14:7"}, ["range P.x"]),
    "synthesis": lambda: mubo.synthesize.path(POINTS),
    "stewart_platform": lambda: _load("stewart_platform").kinematics(),
}
# name of the picture: page, address, size, scheme, keys
SHOTS: dict[str, tuple[str, str, tuple[int, int], str, str]] = {
    "report_page": ("four_bar", "#t=0.83333", DESK, "light", ""),
    "report_dark": ("engine", "", DESK, "dark", ""),
    "report_phone": ("four_bar", "#t=0.2", PHONE, "light", ""),
    "report_free_body": ("engine", "#t=0.0046&study=body&part=body:rod", DESK, "light", ""),
    "report_velocities": ("four_bar", "#t=0.2&study=velocities&part=body:coupler", DESK, "light", "c"),
    "report_strength": ("strong_four_bar", "", DESK, "light", ""),
    "report_gait": ("walker", "", DESK, "light", ""),
    "report_modes": ("modes", "", DESK, "light", ""),
    "report_sweep": ("sweep", "", DESK, "light", ""),
    "report_synthesis": ("synthesis", "", DESK, "light", ""),
    "report_space": ("stewart_platform", "#t=0.15", DESK, "light", ""),
}


def _load(name: str) -> Any:
    return mubo.load(EXAMPLES / f"{name}.toml")


def main(names: list[str]) -> None:
    """Makes the pages that are needed and photographs them."""
    from playwright.sync_api import sync_playwright

    unknown = [name for name in names if name not in SHOTS]
    if unknown:
        sys.exit(f"there is no picture {unknown[0]}: there are {', '.join(SHOTS)}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
        for name in names or SHOTS:
            made, address, (wide, high), scheme, keys = SHOTS[name]
            file = Path(folder) / f"{made}.html"
            if not file.exists():
                MAKERS[made]().report(file)
            page = browser.new_page(
                viewport={"width": wide, "height": high}, color_scheme=scheme, reduced_motion="reduce"
            )
            page.goto(file.as_uri() + address)
            page.wait_for_selector("#figure[data-time]")
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(400)
            _save(page.screenshot(), PICTURES / f"{name}.png")
            page.close()
            print(f"docs/pictures/{name}.png")
        browser.close()


def _save(picture: bytes, path: Path) -> None:
    """Writes a picture with few colours: a third of the bytes, and nobody sees it."""
    from PIL import Image

    plain = Image.open(io.BytesIO(picture)).convert("RGB")
    plain.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
