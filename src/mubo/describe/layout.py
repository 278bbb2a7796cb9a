"""Layout of text: columns below each other, and labels before lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Row = Sequence[str]
Tables = list[Sequence[Row]]  # each begins with its header
NO_HEADER: Row = ()  # of a table whose lines begin with their labels


def align_columns(rows: Sequence[Row], sides: str = "", indent: str = "") -> list[str]:
    """Lines of a table, its columns as wide as their widest cell.

    `sides` has "<" (left) or ">" (right) for every column; all are left-aligned where it is empty.

    >>> align_columns([("pin", "load"), ("A", "5")], "<>")
    ['pin  load', 'A       5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    formats = [f"{side}{width}" for side, width in zip(sides or "<" * len(widths), widths, strict=True)]
    return [
        (indent + "  ".join(f"{cell:{how}}" for cell, how in zip(row, formats, strict=True))).rstrip() for row in rows
    ]


def label_lines(lines: Iterable[tuple[str, str]], width: int = 15, indent: str = "") -> list[str]:
    """Lines that begin with their labels, padded to one width; further lines of a text are indented as the first."""
    margin = "\n" + " " * (len(indent) + width + 1)
    return [f"{indent}{label:<{width}} {text}".rstrip().replace("\n", margin) for label, text in lines]
