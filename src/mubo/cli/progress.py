"""A progress line on standard error: only on a terminal, only for work longer than about a second."""

from __future__ import annotations

import sys
import time
from typing import Any

WAIT, INTERVAL = 1.0, 0.2  # seconds


class Progress:
    """Called with (rows done, rows in all)."""

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
        sys.stderr.write(f"\r{bar} {100 * part:3.0f} %  {self._told(done, part, now - self._start)} ")
        sys.stderr.flush()

    def _told(self, done: float, part: float, spent: float) -> str:
        return f"{spent * (1 - part) / max(part, 1e-9):.0f} s left"

    def __exit__(self, *_: Any) -> None:
        if self._printed:
            sys.stderr.write("\r" + " " * 78 + "\r")


class SimulationProgress(Progress):
    """Called with (time simulated, time in all): reports both the time reached and how fast it runs."""

    def _told(self, done: float, part: float, spent: float) -> str:
        return f"{done:.4g} simulated, {done / max(spent, 1e-9):.3g} per second, {super()._told(done, part, spent)}"
