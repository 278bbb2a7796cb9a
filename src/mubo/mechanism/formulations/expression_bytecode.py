"""Programs of the core: operations over a stack of numbers, and the points of their curves."""

from __future__ import annotations

from collections.abc import Sequence

from mubo import _core
from mubo.laws.stack_code import CURVE
from mubo.lazy_dataclass import dataclass

OPERATIONS = {name: number for number, name in enumerate(_core.operations())}


@dataclass(frozen=True)
class Bytecode:
    """A program of the core: operations, and the points of its curves."""

    steps: tuple[tuple[int, int, float], ...]
    points: tuple[float, ...] = ()

    def __add__(self, other: Bytecode) -> Bytecode:
        shift, curve = len(self.points) // 2, OPERATIONS[CURVE]
        moved = tuple((o, at + shift if o == curve else at, number) for o, at, number in other.steps)
        return Bytecode(self.steps + moved, self.points + other.points)

    def arrays(self) -> tuple[list[tuple[int, int, float]], list[float]]:
        return list(self.steps), list(self.points)


def operation(word: str, at: int = 0, number: float = 0.0, points: Sequence[float] = ()) -> Bytecode:
    """One step."""
    return Bytecode(((OPERATIONS[word], at, number),), tuple(points))
