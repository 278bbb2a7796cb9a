"""The list of parts in lines: sizes of the blanks, areas and masses."""

from __future__ import annotations

from mubo.applications.workshop.parts import CutParts
from mubo.describe.layout import Tables, align_columns
from mubo.laws.number_text import number, unit_text


def describe_parts(found: CutParts) -> str:
    """A line for every part, and what all of them weigh."""
    rows = part_rows(found)
    masses = [plate.mass for plate in found.plates]
    out = [f'parts of "{found.model.name}"', ""]
    out += align_columns(rows, "<<" + ">" * (len(rows[0]) - 2), "  ")
    known = [mass for mass in masses if mass is not None]
    if known and len(known) == len(masses):
        unit = found.model.units.unit("mass")
        out += ["", f"  {len(masses)} parts, {number(sum(known) / unit.factor, 4)} {unit_text(unit.label)}".rstrip()]
    return "\n".join(out)


def part_cells(found: CutParts) -> Tables:
    """The list of parts."""
    return [part_rows(found)]


def part_rows(found: CutParts) -> list[tuple[str, ...]]:
    """The list with four digits, without the columns in which nothing is known."""
    lines = [[_cell(x) for x in row] for row in found.rows]
    kept = [k for k in range(len(found.header)) if any(line[k] for line in lines)]
    return [tuple(line[k] for k in kept) for line in ([unit_text(word) for word in found.header], *lines)]


def _cell(value: object) -> str:
    return "" if value is None else number(value, 4) if isinstance(value, float) else str(value)
