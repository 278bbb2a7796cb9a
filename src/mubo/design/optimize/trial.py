"""A design that was tried, and what is wanted of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mubo.arrays import Array
from mubo.design.variants import RAN
from mubo.model import ModelDefinition
from mubo.model.objectives import PATH, TIMED
from mubo.model.optimization import Term
from mubo.results import Run

PEAKS = ("max", "largest", "range", "stroke", "pin load", PATH, TIMED)  # the greatest of several pieces
DIPS = ("min", "transmission")  # the least of several


@dataclass(frozen=True)
class Wanted:
    """A term with the value that it is to reach and its size; a `sign` as limits have it."""

    term: Term
    value: float
    size: float
    sign: int
    text: str


@dataclass(frozen=True)
class Trial:
    """A design that was tried: where, its parameters, in words how it went, and its numbers where it ran."""

    x: Array
    values: Array
    status: str
    numbers: Mapping[str, float] = field(default_factory=dict)  # of every term by its text
    gaps: Mapping[str, Array] = field(default_factory=dict)  # of paths that are fitted, relative
    model: ModelDefinition | None = None
    run: Run | None = None

    @property
    def ran(self) -> bool:
        return self.status == RAN

    def bare(self) -> Trial:
        """Without its run, to be sent to another process or kept."""
        return Trial(self.x, self.values, self.status, self.numbers, self.gaps)


def is_path(term: Term) -> bool:
    """Whether it is a path error, of which a fit sees every point."""
    return term.objective is not None and term.objective.how in (PATH, TIMED)


def bends(term: Term, sign: float) -> bool:
    """Whether a term is the greatest of several smooth pieces, which change over at a kink; the least, of sign −1."""
    return term.objective is not None and term.objective.how in (PEAKS if sign > 0 else DIPS)
