"""Redundant equations of a decomposed mechanism, each with the smallest set that imposes it (a circuit of the matroid).

A combination of equations that is zero is a vector w with wᵀ J = 0. Bodies taken off one by one give as many of them as
equations are repeated. Made so that each has a last equation of its own, which no other has, that last one is the
combination of earlier ones that are none themselves: what a walk through all equations in their order would call
dependent (the greedy basis of a matroid and that of its dual complete each other: Oxley 2011, section 2.1).
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush

from mubo.solvers.assembly.block_rank import NOTHING, BlockDecomposition

NO_SHARE = 1e-7  # of the largest factor of a combination
Combination = dict[int, float]  # equation → its factor


def dependent_sets(apart: BlockDecomposition) -> dict[int, Combination]:
    """Each equation that is a combination of earlier ones, with the factors of the independent ones."""
    vectors = _zero_combinations(apart)
    having: dict[int, set[int]] = defaultdict(set)  # equation → combinations that have it
    for number, vector in enumerate(vectors):
        for row in vector:
            having[row].add(number)
    waiting = sorted(-row for row in having)
    last_of: dict[int, int] = {}
    while waiting and len(last_of) < len(vectors):
        row = -heappop(waiting)
        free = [number for number in having[row] if number not in last_of]
        if not free:
            continue
        chosen = max(free, key=lambda number: abs(vectors[number][row]))
        last_of[chosen] = row
        pivot = _scale_to_row(vectors[chosen], row)
        vectors[chosen] = pivot
        for number in [number for number in having[row] if number != chosen]:
            _eliminate_row(vectors[number], pivot, row, number, having)
    return {
        last_of[number]: {row: -factor for row, factor in vector.items() if row != last_of[number]}
        for number, vector in enumerate(vectors)
    }


def _zero_combinations(apart: BlockDecomposition) -> list[Combination]:
    """Vanishing combination of each repeated equation with those that placed bodies."""
    subtracted: dict[int, list[int]] = defaultdict(list)  # equation → where something was subtracted from it
    for number, one in enumerate(apart.taken):
        for row in one.others:
            subtracted[row].append(number)
    return [_trace_back(apart, subtracted, row) for row in apart.repeated]


def _trace_back(apart: BlockDecomposition, subtracted: dict[int, list[int]], repeated: int) -> Combination:
    """The multiples subtracted from an equation until it vanished, expressed by the original equations."""
    out: Combination = {repeated: 1.0}
    waiting = sorted(-number for number in subtracted[repeated])
    while waiting:  # the last body first: what its equations were is known by then
        number = -heappop(waiting)
        if waiting and -waiting[0] == number:
            continue
        one = apart.taken[number]
        for row, factors in zip(one.others, one.factors, strict=True):
            share = out.get(row, 0.0)
            for placing, factor in zip(one.rows, factors.tolist(), strict=True) if share else ():
                if abs(share * factor) > NOTHING:
                    if placing not in out:
                        for earlier in subtracted[placing]:
                            heappush(waiting, -earlier)
                    out[placing] = out.get(placing, 0.0) - share * factor
    largest = max(abs(factor) for factor in out.values())
    return {row: factor for row, factor in out.items() if abs(factor) > NO_SHARE * largest}


def _scale_to_row(vector: Combination, row: int) -> Combination:
    """The combination with the factor 1 at a row."""
    return {key: factor / vector[row] for key, factor in vector.items()}


def _eliminate_row(vector: Combination, pivot: Combination, row: int, number: int, having: dict[int, set[int]]) -> None:
    """The combination without the row, and the positions of its rows."""
    factor = vector[row]
    largest = max(abs(value) for value in vector.values())
    for key, value in pivot.items():
        left = vector.get(key, 0.0) - factor * value
        if key != row and abs(left) > NO_SHARE * largest:
            vector[key] = left
            having[key].add(number)
        elif key in vector:
            del vector[key]
            having[key].discard(number)
