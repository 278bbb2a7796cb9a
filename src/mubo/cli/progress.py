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
        left = (now - self._start) * (1 - part) / max(part, 1e-9)
        bar = "█" * round(24 * part) + "░" * (24 - round(24 * part))
        sys.stderr.write(f"\r{bar} {100 * part:3.0f} %  {left:.0f} s left ")
        sys.stderr.flush()

    def __exit__(self, *_: Any) -> None:
        if self._printed:
            sys.stderr.write("\r" + " " * 48 + "\r")
