"""The terminal: colours of results, and a progress line for work that takes long."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import click

STATUS_COLOURS = {"ok": "green", "stopped": "yellow", "failed": "red"}
WAIT, INTERVAL = 1.0, 0.2  # seconds until the first progress line, and between two


def coloured(text: str, colour: str) -> str:
    """The text in a colour, unless NO_COLOR is set (https://no-color.org); click strips colours from piped output."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=colour, bold=True)


class Progress:
    """A progress line on standard error, called with (rows done, rows in all).

    It appears on a terminal only, and only for work that takes longer than about a second."""

    def __enter__(self) -> Progress:
        self._start = self._shown = time.monotonic()
        self._printed = False
        return self

    def __call__(self, done: float, total: float) -> None:
        now = time.monotonic()
        if now - self._start < WAIT or now - self._shown < INTERVAL or not sys.stderr.isatty():
            return
        self._shown, self._printed = now, True
        part = done / total if total else 1.0
        bar = "█" * round(24 * part) + "░" * (24 - round(24 * part))
        sys.stderr.write(f"\r{bar} {100 * part:3.0f} %  {self._state(done, part, now - self._start)} ")
        sys.stderr.flush()

    def _state(self, done: float, part: float, spent: float) -> str:
        return f"{spent * (1 - part) / max(part, 1e-9):.0f} s left"

    def __exit__(self, *_: Any) -> None:
        if self._printed:
            sys.stderr.write("\r" + " " * 78 + "\r")


class SimulationProgress(Progress):
    """A progress line called with (time simulated, time in all): it also shows the time reached and the pace."""

    def _state(self, done: float, part: float, spent: float) -> str:
        return f"{done:.4g} simulated, {done / max(spent, 1e-9):.3g} per second, {super()._state(done, part, spent)}"
