"""Motion laws: functions of time with their first two derivatives, exact wherever a formula is known.

A law is called with an array of times and returns an array of shape (times, 3): f, f', f''. It knows where it is
defined (`domain`), where it has corners (`breaks`), how it treated its data (`notes`), how people read it (`words`) and
how model files write it (`to_file`, `from_file`). `registry.py` lists the laws; each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mubo.mappings import load_place

if TYPE_CHECKING:
    from mubo.laws.expression import Expression
    from mubo.laws.function import Function
    from mubo.laws.harmonic import Harmonic
    from mubo.laws.law import Law
    from mubo.laws.motion_program import Program, Segment
    from mubo.laws.polynomial import Polynomial
    from mubo.laws.smoothing import Smoothing
    from mubo.laws.table import Table

_MODULES = {
    "Expression": "expression",
    "Function": "function",
    "Harmonic": "harmonic",
    "Law": "law",
    "Polynomial": "polynomial",
    "Program": "motion_program",
    "Segment": "motion_program",
    "Smoothing": "smoothing",
    "Table": "table",
}


def __getattr__(name: str) -> Any:
    """Import a law when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module 'mubo.laws' has no attribute {name!r}")
    globals()[name] = load_place(f"mubo.laws.{_MODULES[name]}:{name}")
    return globals()[name]


__all__ = ["Expression", "Function", "Harmonic", "Law", "Polynomial", "Program", "Segment", "Smoothing", "Table"]
