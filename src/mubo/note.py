"""Notes: facts that a result reports beside its numbers.

Solvers and analyses state what happened as a code with named values. The sentence of a code "ROOM.FACT" is the function
FACT of `describe/sentences/ROOM.py`, which is loaded when somebody reads it.
"""

from __future__ import annotations

from typing import Any

from mubo.mappings import load_place


class Note:
    """A fact about a result: its code "ROOM.FACT", and by name the values that its sentence states."""

    def __init__(self, code: str, /, **values: Any) -> None:
        self.code, self.values = code, values

    def __str__(self) -> str:
        room, _, fact = self.code.partition(".")
        return str(load_place(f"mubo.describe.sentences.{room}:{fact}")(**self.values))

    def __repr__(self) -> str:
        return f"<note {self.code}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and (self.code, self.values) == (other.code, other.values)

    def __hash__(self) -> int:
        return hash(self.code)
