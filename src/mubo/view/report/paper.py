"""The page on paper: margins with name, origin and page numbers; printed to PDF by a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from mubo.errors import ResultError
from mubo.formats.files import replacing

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
SECONDS = 120  # that a browser may take
QUIET = (
    "--headless",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-prefers-reduced-motion",
    "--no-pdf-header-footer",
    "--virtual-time-budget=10000",
)


def page_margins(name: str, made: str) -> str:
    """The style of printed pages: the model's name above, program, day and fingerprint below, with page numbers."""
    above, below = (_css_text(text) for text in (name, made))
    look = "font: 8pt system-ui, sans-serif; color: #555"
    return (
        f"@page {{ @top-left {{ content: {above}; {look} }} @bottom-left {{ content: {below}; {look} }} "
        f'@bottom-right {{ content: counter(page) " / " counter(pages); {look} }} }}'
    )


def _css_text(text: str) -> str:
    """Text as a string of CSS that may stand inside a style element."""
    return json.dumps(text, ensure_ascii=False).replace("<", "\\3c ").replace("\\n", " ")


def find_browser(target: Path) -> str:
    """The program that prints pages; refuses where none is found."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    raise ResultError(
        f'cannot write "{target.name}": a PDF is printed by Chromium, Chrome or Edge, and none of '
        f"{', '.join(BROWSERS)} was found",
        suggestion="Install chromium, or write a page (.html) and print it with any browser.",
    )


def print_page(text: str, target: Path, browser: str) -> None:
    """Prints a page to PDF, without a window."""
    with tempfile.TemporaryDirectory(prefix="mubo-") as folder:
        source, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_text(text, encoding="utf-8")
        root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()  # Chromium asks root for it
        size = "--window-size=1280,900"  # in which letters are as large as on paper
        own = (size, f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", source.as_uri())
        try:
            done = subprocess.run(
                [browser, *QUIET, *root, *own], capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise ResultError(f'cannot write "{target.name}": {browser} did not end within {SECONDS} s') from None
        if not printed.is_file():
            reason = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            raise ResultError(f'cannot write "{target.name}": {browser} printed nothing ({reason[0]})')
        with replacing(target) as new:
            new.write_bytes(printed.read_bytes())
