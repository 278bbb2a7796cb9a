"""Motion laws: functions of time with their first two derivatives, exact wherever a formula is known.

A law is called with an array of times and answers an array of shape (times, 3): f, f', f''. It knows where it is
defined (`domain`), where it has corners (`breaks`), what it did to its data (`notes`), how people read it (`words`) and
how model files write it (`to_file`, `from_file`). `registry.py` lists the laws.
"""

from mubo.laws.expression import Expression
from mubo.laws.function import Function
from mubo.laws.harmonic import Harmonic
from mubo.laws.law import Law
from mubo.laws.motion_program import Program, Segment
from mubo.laws.polynomial import Polynomial
from mubo.laws.registry import FORMS, LAWS, LawLike, law_of
from mubo.laws.smoothing import Smoothing
from mubo.laws.table import Table

__all__ = [
    "FORMS",
    "LAWS",
    "Expression",
    "Function",
    "Harmonic",
    "Law",
    "LawLike",
    "Polynomial",
    "Program",
    "Segment",
    "Smoothing",
    "Table",
    "law_of",
]
