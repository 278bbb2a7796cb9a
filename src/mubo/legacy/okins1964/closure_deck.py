"""The deck of program CLOSURE (O'Kins 1964, appendix A).

MATRIX MAXR                      2I3      twice the number of loops; number of vectors
R(1) … R(MAXR)                   10F8.2   lengths
THETA(1) … THETA(MAXR)           10F8.2   directions in degrees
NUM NORDER(1) … NORDER(NUM)      20I3     one card per loop: how many vectors, and their signed numbers
MAKEUP(1) … MAKEUP(MATRIX/2)     5I3      the signed vector of each loop that absorbs its error
"""

from __future__ import annotations

from typing import Any

from mubo.legacy.okins1964.cards import Deck
from mubo.legacy.okins1964.linkage import VectorLoop, signed_names, vector_name


def read_closure(deck: Deck) -> dict[str, Any]:
    """Vectors, loops and make-up vectors."""
    matrix, count = deck.integers("MATRIX and MAXR", lambda values: (2, 2), per_card=2)
    loops = loop_count(deck, matrix)
    require_count(deck, "MAXR", count)
    lengths, angles = read_vectors(deck, count)
    found = tuple(_loop(deck, number, count) for number in range(1, loops + 1))
    makeup = deck.integers("MAKEUP", lambda values: (loops, loops), per_card=max(5, loops))
    for number, (vector, loop) in enumerate(zip(makeup, found, strict=True), 1):
        if vector not in loop.vectors:
            hint = f"write {-vector}" if -vector in loop.vectors else f"the loop is {signed_names(loop.vectors)}"
            deck.problem(f"MAKEUP of loop {number}: {vector} is not in it; {hint}")
    used = {abs(v) for loop in found for v in loop.vectors}
    notes = [f"{vector_name(v)} is in no loop" for v in range(1, count + 1) if v not in used]
    return {"lengths": lengths, "angles": angles, "loops": found, "makeup": tuple(makeup), "notes": tuple(notes)}


def _loop(deck: Deck, number: int, vectors: int) -> VectorLoop:
    what = f"loop {number}"

    def wanted(values: list[int]) -> tuple[int, int]:
        size = 1 + max(values[0], 1)
        return size, size

    values = deck.integers(what, wanted)
    line = deck.line
    if values[0] < 2:
        deck.problem(f"{what}: NUM is {values[0]}; a loop has at least two vectors")
    found = require_vectors(deck, what, values[1:], vectors)
    return VectorLoop(tuple(found), line)


def require_vectors(deck: Deck, what: str, values: list[int], vectors: int) -> list[int]:
    """Vector numbers that exist and do not repeat; others are problems."""
    good: list[int] = []
    for value in values:
        if not 1 <= abs(value) <= vectors:
            deck.problem(f"{what}: there is no vector {value}; vectors are 1 to {vectors}")
        elif abs(value) in map(abs, good):
            deck.problem(f"{what}: {vector_name(value)} is in it twice")
        else:
            good.append(value)
    return good


def loop_count(deck: Deck, matrix: int) -> int:
    """MATRIX / 2, two equations per loop."""
    if matrix < 2 or matrix % 2:
        raise deck.broken(f"MATRIX is {matrix}; it is twice the number of loops: 2, 4, 6 …")
    return matrix // 2


def require_count(deck: Deck, name: str, value: int, least: int = 1) -> None:
    if value < least:
        raise deck.broken(f"{name} is {value}; it is at least {least}")


def read_vectors(deck: Deck, count: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Lengths and directions; lengths are positive."""
    lengths = deck.reals(f"the lengths R(1) to R({count})", count)
    for k, length in enumerate(lengths, 1):
        if length <= 0:
            deck.problem(f"{vector_name(k)} has the length {length:g}; lengths are positive")
    return tuple(lengths), tuple(deck.reals(f"the directions THETA(1) to THETA({count})", count))
