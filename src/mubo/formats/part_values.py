"""Values of a part as they are in a use of it: turned, shifted, of the other sign; numbers, or texts of parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from mubo.errors import ModelError


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for entry in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(entry)


def negative(value: Any) -> Any:
    """The value with the other sign."""
    return f"-({value})" if isinstance(value, str) else -value


def reflected(kind: str, value: Any) -> Any:
    """A value of a kind in the mirror of the x axis: of the other sign where it is an angle or an ordinate."""
    if kind == "points":
        return {name: reflected("place", place) for name, place in value.items()}
    if kind in ("polygon", "contour"):
        return [reflected("place", place) for place in reversed(value)]
    if kind == "angle":
        return negative(value)
    return [value[0], negative(value[1])] if isinstance(value, list | tuple) else value


def rotated(place: Any, angle: float) -> list[Any]:
    """A place turned by an angle; texts, in which parameters stand, become expressions."""
    c, s = math.cos(angle), math.sin(angle)
    x, y = place
    if isinstance(x, str) or isinstance(y, str):
        return [f"{c!r}*({x}) - {s!r}*({y})", f"{s!r}*({x}) + {c!r}*({y})"]
    return [c * x - s * y, s * x + c * y]


def shifted(value: Any, shift: float) -> Any:
    """The value and a number."""
    return f"({value}) + {shift!r}" if isinstance(value, str) and shift else value + shift if shift else value


def changed_law(name: str, law: Any, sign: int, phase: float) -> Any:
    """sign · f(t) + phase of a law that is an expression, a number or a constant rate."""
    if isinstance(law, Mapping) and set(law) == {"rate"} and not phase:
        return {"rate": negative(law["rate"])}
    if not isinstance(law, str | int | float):
        raise ModelError(
            f"driver {name}: its law is no expression, and this use changes it",
            suggestion='Write it as an expression such as "2*pi*t".',
            names=[name],
        )
    return f"{'-' if sign < 0 else ''}({law})" + (f" + {phase!r}" if phase else "")
