"""The classic listing of KABIOS: a block per time step, three decimals (Flores 2010, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mubo.arrays import Array
from mubo.model import ModelDefinition

_BODY = ("x", "y", "phi", "vx", "vy", "omega", "ax", "ay", "alpha")
_POINT = ("x", "y", "vx", "vy", "ax", "ay")
_BODY_HEAD = ("X", "Y", "PHI", "XD", "YD", "PHID", "XDD", "YDD", "PHIDD")
_POINT_HEAD = ("X", "Y", "XD", "YD", "XDD", "YDD")
_RULE = 97  # hyphens, unless wide numbers need more
_CELL = 9  # characters of a number, unless one of the listing needs more
_LARGE = 1e9  # from here on numbers are written with an exponent


def model_listing(model: ModelDefinition, columns: Mapping[str, Array]) -> str:
    """The listing of a run: all bodies that it has columns of, and the points of interest."""
    return listing(columns, [name for name in model.bodies if f"{name}.x" in columns], [*model.points])


def listing(columns: Mapping[str, Array], bodies: Sequence[str], points: Sequence[str]) -> str:
    """The listing; KABIOS bodies and points appear by their numbers, others by their names.

    All columns are as wide as the widest number needs, so that they stay in line.
    """
    labels = [name.removeprefix("body") if _numbered(bodies, "body") else name for name in bodies]
    point_labels = [name.removeprefix("P") if _numbered(points, "P") else name for name in points]
    width = max(5, *(len(label) for label in (*labels, *point_labels)))
    cells = {f"{name}.{c}": _cells(columns[f"{name}.{c}"]) for name in bodies for c in _BODY}
    cells |= {f"{name}.{c}": _cells(columns[f"{name}.{c}"]) for name in points for c in _POINT}
    cell = max(_CELL, *(len(text) for texts in cells.values() for text in texts))
    rule = "-" * max(_RULE, width + len(_BODY) * (1 + cell))
    lines = []
    for k, t in enumerate(columns["t"].tolist()):
        lines += [f"TIME = {t:10.4f}", rule, _line("BODY", width, _BODY_HEAD, cell)]
        for label, name in zip(labels, bodies, strict=True):
            lines.append(_line(label, width, [cells[f"{name}.{c}"][k] for c in _BODY], cell))
        if points:
            lines += ["POINTS OF INTEREST", _line("NO.", width, _POINT_HEAD, cell)]
            for label, name in zip(point_labels, points, strict=True):
                lines.append(_line(label, width, [cells[f"{name}.{c}"][k] for c in _POINT], cell))
        lines.append("")
    return "\n".join(lines)


def _numbered(names: Sequence[str], prefix: str) -> bool:
    return all(name.removeprefix(prefix).isdigit() for name in names)


def _line(label: str, width: int, cells: Sequence[str], cell: int) -> str:
    return f"{label:>{width}}" + "".join(f" {text:>{cell}}" for text in cells)


def _cells(values: Array) -> list[str]:
    return [_fixed(value) for value in values.tolist()]


def _fixed(value: float) -> str:
    text = f"{value:.3f}" if abs(value) < _LARGE else f"{value:.3E}"
    return "0.000" if text == "-0.000" else text
