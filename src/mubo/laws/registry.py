"""The laws that mubo knows. A line here is what a new law needs besides its class."""

from __future__ import annotations

from collections.abc import Callable

from mubo.errors import ModelError
from mubo.laws.expression import Expression
from mubo.laws.law import Law
from mubo.mappings import Registry

# The place of each law, and the first keys of its forms in a model file.
_PLACES = {
    "mubo.laws.expression:Expression": (),
    "mubo.laws.polynomial:Polynomial": ("polynomial", "rate"),
    "mubo.laws.harmonic:Harmonic": ("harmonic",),
    "mubo.laws.motion_program:Program": ("program",),
    "mubo.laws.table:Table": ("time",),
    "mubo.laws.function:Function": (),
}
LAWS: Registry[type[Law]] = Registry({place.partition(":")[2]: place for place in _PLACES})
FORMS: Registry[type[Law]] = Registry({form: place for place, forms in _PLACES.items() for form in forms})
"""The law that reads the form of a model file with this first key."""
LawLike = Law | str | float | Callable[[float], float]
"""The types that users write for a law in Python."""


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
            f"{type(motion).__name__} looks like a law of its own but does not say what laws say",
            suggestion="Derive the class from mubo.laws.Law and give it `words`.",
        )
    if callable(motion):
        from mubo.laws.function import Function

        return Function(motion)
    raise ModelError(f"a motion is an expression, a law, a table or a function; found {motion!r}")
