"""Completion of the loops of a deck: missing frame vectors, gaps of the loops, and dependent loops.

A MAIN card lists the moving vectors of a loop only; the frame vectors follow from closure: of all choices
(with sign + or -, or not at all) the one that closes the loop is meant, if no other comes near it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.linkage import VectorLinkage, VectorLoop, signed_names, vector_name
from mubo.topology.independence import dependent_rows

FINE, GROSS = 0.01, 0.05  # of the longest vector of a loop: gaps that may be, and that cannot be, errors of measurement
CLEAR = 10.0  # how many times larger the next best gap must be
MOST_FRAME = 10


@dataclass(frozen=True)
class CompletedLinkage:
    """A linkage whose loops are complete, notes on how they were completed, and problems of the loops."""

    linkage: VectorLinkage
    notes: tuple[str, ...]
    problems: tuple[str, ...]


def complete(linkage: VectorLinkage) -> CompletedLinkage:
    """Adds the frame vectors, and looks for open and for dependent loops."""
    loops, notes, problems = [], [], []
    for number, loop in enumerate(linkage.loops, 1):
        if loop.complete:
            loops.append(loop)
            continue
        best, rival = _frame(linkage, loop)
        loops.append(replace(loop, vectors=loop.vectors + best, complete=True))
        added = _added(best)
        if rival is not None:
            problems.append(
                f"line {loop.line}: loop {number} closes equally well with {added} and with {_added(rival)}: write the "
                "frame vectors with their signs behind the fields of the links"
            )
        else:
            if best:
                notes.append(f"L{number} {added}")
    whole = replace(linkage, loops=tuple(loops))
    problems += [text for number in range(1, len(loops) + 1) if (text := describe_gap(whole, number))]
    problems += describe_dependence(whole)
    inferred = (f"signs of the frame vectors inferred from closure: {'; '.join(notes)}",) if notes else ()
    return CompletedLinkage(whole, inferred, tuple(problems))


def _sum(linkage: VectorLinkage, vectors: Sequence[int]) -> complex:
    return sum(map(linkage.vector, vectors), 0j)


def misclosure(linkage: VectorLinkage, loop: VectorLoop) -> complex:
    """The sum of the signed vectors, x + i y; zero where the loop closes."""
    return _sum(linkage, loop.vectors)


def _gross(linkage: VectorLinkage, vectors: Sequence[int]) -> float:
    """A gap that is no error of measurement: a vector that is missing or reversed leaves more than half its length."""
    lengths = [linkage.lengths[abs(v) - 1] for v in vectors]
    return max(FINE * max(lengths), min(GROSS * max(lengths), 0.5 * min(lengths)))


def _frame(linkage: VectorLinkage, loop: VectorLoop) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """The frame vectors that close a loop best, and others that close it nearly as well, if there are."""
    frame = linkage.frame[:MOST_FRAME]
    moving = _sum(linkage, loop.vectors)
    choices = []
    for signs in itertools.product((0, 1, -1), repeat=len(frame)):
        added = tuple(s * v for s, v in zip(signs, frame, strict=True) if s)
        choices.append((abs(moving + _sum(linkage, added)), len(added), added))
    choices.sort(key=lambda choice: choice[:2])
    best, second = choices[0], choices[1]
    gross = _gross(linkage, loop.vectors)
    near = best[0] < gross and second[0] < gross and second[0] < max(CLEAR * best[0], 1e-6 * gross)
    return best[2], second[2] if near else None


def describe_gap(linkage: VectorLinkage, number: int) -> str:
    """The problem of a loop that is grossly open, with the reversal that would close it; "" where it is not open."""
    loop = linkage.loops[number - 1]
    gap, gross = abs(misclosure(linkage, loop)), _gross(linkage, loop.vectors)
    if gap <= gross:
        return ""
    fixed = tuple(v for v in loop.vectors if abs(v) in linkage.frame)
    closing = []
    for vector in loop.vectors:
        if linkage.drive is not None and vector in fixed:
            continue
        turned = tuple(-v if v == vector else v for v in loop.vectors if v not in fixed)
        frame = fixed if linkage.drive is None else _frame(linkage, VectorLoop(turned, loop.line))[0]
        left = abs(_sum(linkage, turned + frame))
        if left <= gross and left < gap / CLEAR:
            with_frame = f" and {_added(frame)}" if frame != fixed else ""
            closing.append((left, f"{vector_name(vector)} reversed{with_frame}"))
    problem = f"line {loop.line}: loop {number}, {signed_names(loop.vectors)}, is open by {gap:.4g}"
    if not closing:
        return f"{problem}; no single reversed vector explains it: look at its lengths and directions"
    left, change = min(closing)
    return f"{problem}; with {change} it would be open by {left:.2g}"


def _added(frame: tuple[int, ...]) -> str:
    """ "+ z2 - z5", or that there is none."""
    return f"{'+ ' if frame[0] > 0 else ''}{signed_names(frame)}" if frame else "no frame vector"


def describe_dependence(linkage: VectorLinkage) -> list[str]:
    """Loops that are sums of others: "loop 3 = loop 1 + loop 2"."""
    problems = []
    for k, combination in dependent_rows([_signs(loop.vectors) for loop in linkage.loops]).items():
        terms = sorted(combination.items())
        words = " ".join(f"{'-' if f < 0 else '+'} {_times(abs(f))}loop {n + 1}" for n, f in terms).removeprefix("+ ")
        problems.append(
            f"line {linkage.loops[k].line}: loop {k + 1} is not independent: it is {words or 'zero'}. "
            "Write a loop with a vector that the others do not have"
        )
    return problems


def _signs(vectors: tuple[int, ...]) -> Counter[str]:
    """How often each vector is in a loop, with its sign."""
    signs: Counter[str] = Counter()
    for vector in vectors:
        signs[vector_name(abs(vector))] += 1 if vector > 0 else -1
    return signs


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f"{factor} "
