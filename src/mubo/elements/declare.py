"""The words in which joints and drivers are declared.

A declaration names the rows (primitive equations of the core) that an element adds, and for each row which of
the element's quantities fill the row's parameters, in the core's order. Quantities with names of their own:

    point_i, point_j    the points of `between`, in body axes
    coordinate          unit vector (3) that picks x, y or phi
    zero                0, the constant of a row that a driver moves

Everything else is an option of the element, such as `axis` or `angle`.
"""

from __future__ import annotations

from dataclasses import dataclass

COORDINATES = ("x", "y", "phi")


@dataclass(frozen=True)
class Row:
    """One use of a core row: its kind, and the quantities that fill its parameters."""

    kind: str
    quantities: tuple[str, ...]


@dataclass(frozen=True)
class Option:
    """A value the user gives with an element.

    `holds` is "direction" (two numbers), "angle", "length", "number", or "coordinate" (length or angle, by the
    coordinate it belongs to). `estimate` says where the value comes from if it is left out: "" (it must be given),
    "relative angle" or "coordinate" of the estimated poses.
    """

    name: str
    holds: str
    meaning: str
    estimate: str = ""


@dataclass(frozen=True)
class Element:
    """A kind of joint or driver.

    `key` is what the user writes to say what it acts on: "between" (two points), "body" (one body) or "of" (a
    coordinate such as "crank.phi"). `freedoms` lists what stays free between the two bodies.
    """

    name: str
    key: str
    rows: tuple[Row, ...]
    freedoms: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    summary: str = ""
    anchors: bool = False  # holds its body still, so that the body has no unknowns
