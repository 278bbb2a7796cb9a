"""What statics make of loads that do not stand still: laws of time, dampers and friction."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.model import Model


def load_notes(model: Model, time: float | None) -> Iterator[str]:
    """Loads that change with time, and what is left out of loads that need a speed."""
    yield from ()
