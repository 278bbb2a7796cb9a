"""A deck whose loops close exactly: MAKEUP applied to a CLOSURE deck, closing rotations to a MAIN deck.

The make-up vectors take changes d with Σ ± d = −ε in every loop: one complex equation for each loop, solved together,
since a vector that closes one loop may stand in another. Program CLOSURE (O'Kins 1964) adjusts each loop by itself.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mubo.errors import AssemblyError, ModelError
from mubo.formats.files import file_bytes
from mubo.legacy.okins1964.cards import Deck
from mubo.legacy.okins1964.closing import closing_rotations, rotate_links
from mubo.legacy.okins1964.completion import misclosure
from mubo.legacy.okins1964.linkage import VectorLinkage, vector_name
from mubo.legacy.okins1964.read import deck_of
from mubo.model import ModelDefinition

PER_CARD = 10


def closed_deck(model: ModelDefinition) -> str:
    """The cards of a model's deck with lengths and directions that close all loops, separated by blanks."""
    whole = deck_of(model)
    if whole.problems:
        raise ModelError(f"{model.source}:\n  " + "\n  ".join(whole.problems))
    linkage = whole.linkage
    driven = linkage.drive is not None
    closed = rotate_links(linkage, closing_rotations(linkage)) if driven else closed_by_makeup(linkage)
    path = Path(model.source)
    text = file_bytes(path).decode("utf-8-sig")
    return _with_vectors(text, path, closed)


def closed_by_makeup(linkage: VectorLinkage) -> VectorLinkage:
    """The linkage with the make-up vector of every loop changed in length and angle, so that all loops close."""
    named = [abs(vector) for vector in linkage.makeup]
    signs = np.array(
        [[loop.vectors.count(m) - loop.vectors.count(-m) for m in named] for loop in linkage.loops], dtype=float
    )
    if np.linalg.matrix_rank(signs) < len(named):
        names = " ".join(vector_name(m) for m in named)
        raise AssemblyError(
            f"the make-up vectors {names} cannot close all loops: some loops would take the same changes",
            suggestion="Name a vector for each loop that no other loop has.",
        )
    errors = np.array([misclosure(linkage, loop) for loop in linkage.loops])
    lengths, angles = list(linkage.lengths), list(linkage.angles)
    for m, change in zip(named, np.linalg.solve(signs, -errors), strict=True):
        before = linkage.vector(m)
        lengths[m - 1] = abs(before + change)
        angles[m - 1] += math.degrees(cmath.phase((before + change) / before))
    return replace(linkage, lengths=tuple(lengths), angles=tuple(angles))


def _with_vectors(text: str, path: Path, linkage: VectorLinkage) -> str:
    """The text of a deck in which the cards of lengths and directions are replaced; comments stay."""
    deck = Deck(text, path)
    deck.next = 1
    ends = [1]
    for what in ("lengths", "directions"):
        deck.reals(what, len(linkage.lengths))
        ends.append(deck.next)
    lines: list[str | None] = [*text.splitlines()]
    for values, first, last in zip((linkage.lengths, linkage.angles), ends, ends[1:], strict=False):
        replaced = [card.line - 1 for card in deck.cards[first:last]]
        lines[replaced[0]] = "\n".join(_cards(values))
        for line in replaced[1:]:
            lines[line] = None
    return "\n".join(line for line in lines if line is not None) + "\n"


def _cards(values: Sequence[float]) -> list[str]:
    parts = [values[k : k + PER_CARD] for k in range(0, len(values), PER_CARD)]
    return [" ".join(f"{value:.10f}" for value in part) for part in parts]
