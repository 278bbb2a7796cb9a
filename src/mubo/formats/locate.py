"""Line numbers in a TOML file, which the standard parser does not keep."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"^\s*([A-Za-z0-9_.-]+)\s*=")


def lines_of(text: str) -> dict[tuple[str, ...], int]:
    """Line of every table header and key: {("joint", "A"): 12, ("joint", "A", "between"): 14}."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = tuple(part.strip().strip('"') for part in header[1].split("."))
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *key[1].split(".")), number)
    return lines


def line_of(lines: dict[tuple[str, ...], int], where: tuple[str, ...]) -> int | None:
    """Line of an element, or of the nearest thing around it."""
    for length in range(len(where), 0, -1):
        if where[:length] in lines:
            return lines[where[:length]]
    return None
