"""Wittenburg's equations A q̈ = B of a tree of rigid bodies, in plain numpy and in the letters of the book.

An independent second formulation: nothing here uses the core. Sources: J. Wittenburg, Dynamics of Systems of Rigid
Bodies (Teubner 1977), chapter 5, for hinges that only turn; Dynamics of Multibody Systems (Springer 2008), chapter 5,
for hinges that slide too. Numbers of equations are those of the coursework that examples/five_body_chain.toml is from.
"""

from mubo.legacy.wittenburg.integrate import integrate
from mubo.legacy.wittenburg.report import WittenburgReport, wittenburg_report
from mubo.legacy.wittenburg.system import System, wittenburg_accelerations, wittenburg_matrices

__all__ = [
    "System",
    "WittenburgReport",
    "integrate",
    "wittenburg_accelerations",
    "wittenburg_matrices",
    "wittenburg_report",
]
