"""Equilibria drawn: rows that are no motion stand beside each other, by their numbers instead of by time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.errors import ResultError
from mubo.results import Run


def are_equilibria(run: Run) -> bool:
    """Whether the rows are equilibria at one time."""
    return bool(run.columns.of("equilibrium"))


def by_number(run: Run) -> Run:
    """Equilibria with their numbers for times, so that each can be shown; other runs as they are."""
    if not are_equilibria(run):
        return run
    return replace(run, columns=run.columns.replaced({"t": run.columns.solved("equilibrium")}))


WORDS = {-1.0: "unstable", 0.0: "neutral", 1.0: "stable"}  # by the sign in the column "stability"


def title_of(run: Run, number: float | None) -> str:
    """What a picture of one equilibrium, or of all, is called."""
    if number is None:
        return f"{len(run)} equilibria" if len(run) > 1 else title_of(run, 1.0)
    nearest = int(np.argmin(np.abs(run["equilibrium"] - number)))
    return f"equilibrium {nearest + 1}, {WORDS[float(run['stability'][nearest])]}"


def require_motion(run: Run) -> None:
    """Refuses to move from one equilibrium to the next."""
    if are_equilibria(run) and np.ptp(run["t"]) == 0:
        raise ResultError(
            "equilibria are no motion: there is nothing between them to film or to page through",
            suggestion="`mubo plot` draws them all in one picture, `mubo statics -o` writes them as a table.",
        )
