"""Independence of loops: the rank of the loop table, in exact numbers (O'Kins 1964, Table I)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

Signs = Mapping[str, int]  # vector → +1 or −1
Combination = dict[int, Fraction]  # row → its factor
_Key = TypeVar("_Key", str, int)


def dependent_rows(rows: Sequence[Signs]) -> dict[int, Combination]:
    """Each row that is a combination of earlier ones, with the combination; empty if all are independent.

    Gaussian elimination by fractions: no rounding decides what is zero. The pivot is the vector that the fewest rows
    have, so that the rows of a long machine stay short.
    """
    uses = Counter(name for row in rows for name, sign in row.items() if sign)
    dependent: dict[int, Combination] = {}
    kept: dict[str, tuple[int, dict[str, Fraction], Combination]] = {}  # pivot → when, reduced row, how it was made
    for number, row in enumerate(rows):
        rest = {name: Fraction(sign) for name, sign in row.items() if sign}
        made: Combination = {number: Fraction(1)}
        while pivots := [name for name in rest if name in kept]:
            pivot = min(pivots, key=lambda name: kept[name][0])
            _, other, how = kept[pivot]
            factor = rest[pivot] / other[pivot]
            _subtract(rest, other, factor)
            _subtract(made, how, factor)
        if rest:
            kept[min(rest, key=lambda name: uses[name])] = (number, rest, made)
        else:
            dependent[number] = {k: -factor for k, factor in made.items() if k != number}
    return dependent


def _subtract(row: dict[_Key, Fraction], other: Mapping[_Key, Fraction], factor: Fraction) -> None:
    """Row minus factor times the other row, without zeros."""
    for key, value in other.items():
        left = row.get(key, Fraction(0)) - factor * value
        if left:
            row[key] = left
        else:
            row.pop(key, None)
