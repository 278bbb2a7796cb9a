"""Motion laws: functions of time with their first two derivatives, exact wherever a formula is known.

A law is called with an array of times and answers an array of shape (times, 3): f, f', f''. It knows where it
is defined (`domain`) and, for the summary, what it did to its data (`notes`).
"""

from mubo.motion.expression import Expression
from mubo.motion.function import Function
from mubo.motion.law import Law
from mubo.motion.polynomial import Harmonic, Polynomial
from mubo.motion.program import Program, Segment
from mubo.motion.table import Table

__all__ = ["Expression", "Function", "Harmonic", "Law", "Polynomial", "Program", "Segment", "Table"]
