"""The columns of bodies, points, joints and drivers by the names users read, in the order in which tables have them."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.model.coordinates import Freedom
from mubo.results.columns import Column

TIME = Column("t", "time", "", "t", 0, "time")
# Of each column its word, what it is a derivative of, which derivative, and what it holds.
_Words = tuple[tuple[str, str, int, str], ...]
_PLANE: _Words = tuple(
    (word, quantity, order, "angle" if quantity == "phi" else "length")
    for order, words in enumerate((("x", "y", "phi"), ("vx", "vy", "omega"), ("ax", "ay", "alpha")))
    for quantity, word in zip(("x", "y", "phi"), words, strict=True)
)
_SPACE: _Words = (
    *((letter, letter, 0, "length") for letter in "xyz"),
    *((f"q{letter}", f"q{letter}", 0, "number") for letter in "wxyz"),
    *((f"v{letter}", letter, 1, "length") for letter in "xyz"),
    *((f"w{letter}", f"turn {letter}", 1, "angle") for letter in "xyz"),
    *((f"a{letter}", letter, 2, "length") for letter in "xyz"),
    *((f"alpha{letter}", f"turn {letter}", 2, "angle") for letter in "xyz"),
)
BODY: dict[int, _Words] = {2: _PLANE, 3: _SPACE}


def body_columns(name: str, dimension: int) -> list[Column]:
    """x, y, φ with their rates; in space place, quaternion, velocities and accelerations in ground axes."""
    return [Column(f"{name}.{word}", "body", name, *rest) for word, *rest in BODY[dimension]]  # type: ignore[arg-type]


def point_columns(name: str, dimension: int) -> list[Column]:
    """x, y (and z), then velocities, then accelerations."""
    letters = "xyz"[:dimension]
    return [
        Column(f"{name}.{prefix}{letter}", "point", name, letter, order, "length")
        for order, prefix in enumerate(("", "v", "a"))
        for letter in letters
    ]


def joint_columns(name: str, freedoms: Sequence[Freedom], letter: str) -> list[Column]:
    """Coordinates q, rates v or accelerations a of a joint: q, or q1, q2, … of several.

    Rates of a quaternion are an angular velocity: the derivative of no coordinate.
    """
    order = "qva".index(letter)
    parts = [(freedom, holds) for freedom in freedoms for holds in (freedom.v if order else freedom.q)]
    columns = []
    for k, (freedom, holds) in enumerate(parts):
        number = "" if len(parts) == 1 else f"{k + 1}"
        spin = order > 0 and freedom.kind == "ball" and not freedom.euler
        quantity = f"turn {number}" if spin else f"q{number}"
        columns.append(Column(f"{name}.{letter}{number}", "joint", name, quantity, order, holds))
    return columns


def driver_columns(name: str, holds: str, effort: bool = False) -> list[Column]:
    """Value and rate of a driver, and the effort that it takes."""
    columns = [Column(f"{name}.value", "driver", name, "value", 0, holds)]
    columns.append(Column(f"{name}.rate", "driver", name, "value", 1, holds))
    if effort:
        columns.append(Column(f"{name}.effort", "driver", name, "effort", 0, "torque" if holds == "angle" else "force"))
    return columns


def energy_column(word: str) -> Column:
    return Column(f"energy.{word}", "energy", "energy", word, 0, "energy")
