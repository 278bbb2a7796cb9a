"""Motion laws: functions of time with their first two derivatives, exact wherever a formula is known.

A law is called with an array of times and returns an array of shape (times, 3): f, f', f''. It knows where it is
defined (`domain`), where it has corners (`breaks`), how it treated its data (`notes`), its `description` for readers
and its form in model files (`to_file`, `from_file`). A line in `_PLACES` is what a new law needs besides its class;
each is loaded when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError
from mubo.laws.expression import Expression
from mubo.laws.law import Law
from mubo.mappings import Registry, load_place

if TYPE_CHECKING:
    from mubo.laws.function import Function
    from mubo.laws.harmonic import Harmonic
    from mubo.laws.motion_program import Program, Segment
    from mubo.laws.moves import Moves
    from mubo.laws.polynomial import Polynomial
    from mubo.laws.smoothing import Smoothing
    from mubo.laws.table import Table

__all__ = [
    "Expression",
    "Function",
    "Harmonic",
    "Law",
    "Moves",
    "Polynomial",
    "Program",
    "Segment",
    "Smoothing",
    "Table",
]

# The place of each law, and the first keys of its forms in a model file.
_PLACES = {
    "mubo.laws.expression:Expression": (),
    "mubo.laws.polynomial:Polynomial": ("polynomial", "rate"),
    "mubo.laws.harmonic:Harmonic": ("harmonic",),
    "mubo.laws.motion_program:Program": ("program",),
    "mubo.laws.moves:Moves": ("moves",),
    "mubo.laws.table:Table": ("time",),
    "mubo.laws.function:Function": (),
}
LAWS: Registry[type[Law]] = Registry({place.partition(":")[2]: place for place in _PLACES})
FORMS: Registry[type[Law]] = Registry({form: place for place, forms in _PLACES.items() for form in forms})
"""The law that reads the form of a model file with this first key."""
LawLike = Law | str | float | Callable[[float], float]
"""The types that users write for a law in Python."""
_PARTS = {"Segment": "mubo.laws.motion_program:Segment", "Smoothing": "mubo.laws.smoothing:Smoothing"}


def __getattr__(name: str) -> Any:
    """Import a law, or a part of one, when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'mubo.laws' has no attribute {name!r}")
    globals()[name] = load_place(_PARTS[name]) if name in _PARTS else LAWS[name]
    return globals()[name]


def law_of(motion: LawLike) -> Law:
    """A motion law from what users write in Python: a law, an expression, a constant or a function."""
    if isinstance(motion, str):
        return Expression(motion)
    if isinstance(motion, int | float):
        return Expression(repr(float(motion)))
    if isinstance(motion, Law):
        return motion
    if hasattr(motion, "domain") and hasattr(motion, "notes"):
        raise ModelError(
            f"{type(motion).__name__} has the methods of a law but is not derived from one",
            suggestion="Derive the class from mubo.laws.Law and give it a `description`.",
        )
    if callable(motion):
        from mubo.laws.function import Function

        return Function(motion)
    raise ModelError(f"a motion is an expression, a law, a table or a function; found {motion!r}")
