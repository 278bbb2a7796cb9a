"""The laws that mubo knows. A line here is what a new law needs besides its class."""

from __future__ import annotations

from collections.abc import Callable

from mubo.errors import ModelError
from mubo.laws.expression import Expression
from mubo.laws.function import Function
from mubo.laws.harmonic import Harmonic
from mubo.laws.law import Law
from mubo.laws.motion_program import Program
from mubo.laws.polynomial import Polynomial
from mubo.laws.table import Table

LAWS: tuple[type[Law], ...] = (Expression, Polynomial, Harmonic, Program, Table, Function)
FORMS: dict[str, type[Law]] = {form: law for law in LAWS for form in law.forms}
"""Which law reads the form of a model file that has this first key."""
LawLike = Law | str | float | Callable[[float], float]
"""What users write for a law in Python."""


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
        return Function(motion)
    raise ModelError(f"a motion is an expression, a law, a table or a function; found {motion!r}")
