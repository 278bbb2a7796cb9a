"""Masses of bodies from the table of a CAD program, `masses = "cad.csv"` or "cad.xlsx": a line for every part.

    part,mass [g],x [mm],y [mm],Izz [g mm^2]
    crank,12.5,7.5,0,812

`x`, `y` (and `z`) are the centre of mass and the moments those about it, in the axes of the body; in space Ixx, Iyy,
Izz and, where they are not zero, Ixy, Ixz, Iyz, the elements of the tensor. A cell is a number, in the unit of its
header or, where that has none, of the model. A part that is no body is noted.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.formats.cell_table import read_cells
from mubo.formats.column_units import split_unit

NAMES = ("part", "body", "name")
CENTER, MOMENTS = ("x", "y", "z"), ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
GIVEN = ("mass", "center", "inertia", "density", "shape")  # by the model file, which a table does not overrule


def with_masses(data: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The tables of a file with the masses of its table of parts."""
    out = {key: value for key, value in data.items() if key != "masses"}
    space = data.get("dimension", 2) == 3
    bodies = {name: dict(body) for name, body in data.get("body", {}).items()}
    others = []
    for line, name, cells in _lines(path.parent / str(data["masses"]), space):
        if name not in bodies:
            others.append(name)
            continue
        twice = [key for key in GIVEN if key in bodies[name]]
        if twice:
            raise ModelError(
                f"body {name}: its {twice[0]} stands in {data['masses']}, line {line}, and in the model file",
                suggestion="Leave one of them out.",
                names=[name],
            )
        bodies[name] |= _entries(cells, space)
    if others:
        hint = nearest(others[0], bodies)
        warnings.warn(f"{data['masses']}: {', '.join(others)}: no body has this name. {hint}", stacklevel=2)
    return {**out, "body": bodies}


def _entries(cells: Mapping[str, Any], space: bool) -> dict[str, Any]:
    """The keys of a body."""
    out: dict[str, Any] = {"mass": cells["mass"]} if "mass" in cells else {}
    axes = CENTER if space else CENTER[:2]
    if any(axis in cells for axis in axes):
        out["center"] = [cells.get(axis, 0) for axis in axes]
    if space and "Ixx" in cells:
        out["inertia"] = [cells.get(key, 0) for key in MOMENTS]
    elif not space and "Izz" in cells:
        out["inertia"] = cells["Izz"]
    return out


def _lines(path: Path, space: bool) -> list[tuple[int, str, dict[str, Any]]]:
    """Number, name and cells of every line."""
    lines = read_cells(path, "masses")
    if not lines:
        raise ModelError(f"{path} is empty")
    heads = [split_unit(cell) for cell in lines[0][1]]
    named = _name_column(path, [head for head, _ in heads], space)
    out = []
    for number, row in lines[1:]:
        if len(row) != len(heads):
            raise ModelError(f"{path}, line {number}: {len(heads)} cells are needed; found {len(row)}")
        cells = {
            head: _cell(cell, unit, f"{path}, line {number}, {head}")
            for k, ((head, unit), cell) in enumerate(zip(heads, row, strict=True))
            if k != named and cell
        }
        out.append((number, row[named], cells))
    return out


def _name_column(path: Path, heads: Sequence[str], space: bool) -> int:
    """The column with the names of parts; refuses what is no column of such a table."""
    known = (*NAMES, "mass", *CENTER[: 3 if space else 2], *(MOMENTS if space else ("Izz",)))
    for head in heads:
        if head not in known and head.lower() not in NAMES:
            raise ModelError(f'{path}: there is no column "{head}" in a table of masses. {nearest(head, known)}')
    named = [k for k, head in enumerate(heads) if head.lower() in NAMES]
    if len(named) != 1 or "mass" not in heads:
        raise ModelError(f'{path}: a table of masses has the columns "part" and "mass" with their header in line 1')
    return named[0]


def _cell(cell: str, unit: str, where: str) -> float | str:
    """A number, with the unit of its column as text."""
    try:
        value = float(cell)
    except ValueError:
        raise ModelError(f'{where}: expected a number; found "{cell}"') from None
    return f"{value!r} {unit}" if unit else value
