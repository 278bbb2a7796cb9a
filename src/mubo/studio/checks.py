"""Forms of values in messages: whether a value has the form that a request declares."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]
MOST_NAME = 200
LOCKS = ("length", "angle", "pin")


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_NAME and "\0" not in value


def is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_place(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def is_vector(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(map(is_number, value))


def is_shift(value: Any) -> bool:
    """A displacement in the plane or in space."""
    return is_place(value) or is_vector(value)


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def is_path(value: Any) -> bool:
    return isinstance(value, list) and 0 < len(value) <= 12 and all(is_name(one) or is_whole(one) for one in value)


def is_names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 1000 and all(map(is_name, value))


def is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)


def is_rows(value: Any) -> bool:
    """Lines of two or three numbers."""

    def is_row(one: Any) -> bool:
        return isinstance(one, list) and len(one) in (2, 3) and all(map(is_number, one))

    return isinstance(value, list) and len(value) <= 200 and all(map(is_row, value))


def is_numbers(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 20 and all(map(is_number, value))


def is_locks(value: Any) -> bool:
    def is_lock(one: Any) -> bool:
        return isinstance(one, list) and len(one) == 4 and all(map(is_name, one)) and one[0] in LOCKS

    return isinstance(value, list) and len(value) <= 200 and all(map(is_lock, value))
