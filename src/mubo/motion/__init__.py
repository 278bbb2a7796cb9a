"""Motion laws: functions of time with their first two derivatives, exact wherever a formula is known.

A law is called with an array of times and answers an array of shape (times, 3): f, f', f''. It knows where it is
defined (`domain`), where it has corners (`breaks`), what it did to its data (`notes`), how people read it (`words`) and
how model files write it (`to_file`, `from_file`). `registry.py` lists the laws.
"""

from mubo.motion.expression import Expression
from mubo.motion.function import Function
from mubo.motion.harmonic import Harmonic
from mubo.motion.law import Law
from mubo.motion.polynomial import Polynomial
from mubo.motion.program import Program, Segment
from mubo.motion.registry import FORMS, LAWS, LawLike, law_of
from mubo.motion.smoothing import Smoothing
from mubo.motion.table import Table

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
