"""The classic listing of KABIOS: a block per time step, three decimals (Flores 2010, sections 7 and 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mubo.arrays import Array

_BODY = ("x", "y", "phi", "vx", "vy", "omega", "ax", "ay", "alpha")
_POINT = ("x", "y", "vx", "vy", "ax", "ay")
_BODY_HEAD = ("X", "Y", "PHI", "XD", "YD", "PHID", "XDD", "YDD", "PHIDD")
_POINT_HEAD = ("X", "Y", "XD", "YD", "XDD", "YDD")
_RULE = "-" * 97


def listing(columns: Mapping[str, Array], bodies: Sequence[str], points: Sequence[str]) -> str:
    """The listing; KABIOS bodies and points appear by their numbers, others by their names."""
    labels = [name.removeprefix("body") if _numbered(bodies, "body") else name for name in bodies]
    point_labels = [name.removeprefix("P") if _numbered(points, "P") else name for name in points]
    width = max(5, *(len(label) for label in (*labels, *point_labels)))
    lines = []
    for k, t in enumerate(columns["t"].tolist()):
        lines += [f"TIME = {t:10.4f}", _RULE, _line("BODY", width, _BODY_HEAD)]
        for label, name in zip(labels, bodies, strict=True):
            lines.append(_line(label, width, [_fixed(columns[f"{name}.{c}"][k]) for c in _BODY]))
        if points:
            lines += ["POINTS OF INTEREST", _line("NO.", width, _POINT_HEAD)]
            for label, name in zip(point_labels, points, strict=True):
                lines.append(_line(label, width, [_fixed(columns[f"{name}.{c}"][k]) for c in _POINT]))
        lines.append("")
    return "\n".join(lines)


def _numbered(names: Sequence[str], prefix: str) -> bool:
    return all(name.removeprefix(prefix).isdigit() for name in names)


def _line(label: str, width: int, cells: Sequence[str]) -> str:
    return f"{label:>{width}}" + "".join(f" {cell:>9}" for cell in cells)


def _fixed(value: float) -> str:
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text
