"""The equations of vector loops as the core solves them: closed polygons and linear equations, with names and numbers.

A term is scale · (cos, sin)(φ + constant): the scale is a length, an unknown slide s or a motion law f(t).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import Term
from mubo.view.report.markup import Markup, html, number

SMALL = 1e-12  # radians and parts of a length that are rounding


@dataclass(frozen=True)
class Summand:
    """factor · symbols · (cos or sin)(angle + constant) as HTML; without an angle a number times its symbols."""

    factor: float
    symbols: str
    angle: str
    constant: float

    def value(self, function: str) -> float:
        """The number in front, where no angle is unknown."""
        turned = math.cos(self.constant) if function == "cos" else math.sin(self.constant)
        return self.factor * (0.0 if abs(turned) < SMALL else turned)

    def text(self, function: str) -> tuple[float, str]:
        """Sign and the rest; a sign of zero where the summand has no part in the equation."""
        if not self.angle:
            size = self.value(function)
            return size, _product(abs(size), self.symbols)
        inner = self.angle
        if self.constant:
            sign = "+" if self.constant > 0 else "−"
            inner = f"({inner} {sign} {number(abs(math.degrees(self.constant)), 5)}°)"
        return self.factor, f"{_product(abs(self.factor), self.symbols, True)} {function} {inner}".strip()


def _product(size: float, symbols: str, followed: bool = False) -> str:
    """A number times symbols; a one in front of something is not written."""
    if abs(size - 1) < SMALL and (symbols or followed):
        return symbols
    return f"{number(size)} {symbols}".strip()


def summands(loops: Loops, terms: list[Term], drivers: list[str]) -> list[Summand]:
    """The terms of a polygon; those that keep their direction come last, the first one is positive."""
    held = []
    for angle, slide, driver, x, y in sorted(terms, key=lambda term: term[0] < 0):
        factor, constant = math.hypot(x, y), math.atan2(y, x)
        if abs(constant) > math.pi / 2 + SMALL:  # a small angle and a minus are read more easily
            factor, constant = -factor, math.remainder(constant + math.pi, 2 * math.pi)
        symbols = [_unknown(loops, slide)] if slide >= 0 else []
        symbols += [_law(drivers[driver])] if driver >= 0 else []
        turned = _unknown(loops, angle) if angle >= 0 else ""
        held.append(Summand(factor, " ".join(symbols), turned, 0.0 if abs(constant) < SMALL else constant))
    if held and held[0].factor < 0:
        held = [Summand(-s.factor, s.symbols, s.angle, s.constant) for s in held]
    return held


def polygon_equations(loops: Loops, number_of_loop: int, drivers: list[str]) -> tuple[Markup, Markup]:
    """The two equations of a loop, along x and y."""
    terms = summands(loops, loops.polygons[number_of_loop], drivers)
    along_x, along_y = (_equation([term.text(function) for term in terms]) for function in ("cos", "sin"))
    return along_x, along_y


def linear_equations(loops: Loops, drivers: list[str]) -> list[Markup]:
    """Equations of drivers, gears and held coordinates."""
    out = []
    for unknowns, factors, constant, driver in loops.linear:
        terms = [(f, _product(abs(f), _unknown(loops, u))) for u, f in zip(unknowns, factors, strict=True)]
        if abs(constant) > SMALL:
            terms.append((-constant, number(abs(constant))))
        if driver >= 0:
            terms.append((-1.0, _law(drivers[driver])))
        out.append(_equation(terms))
    return out


def _equation(terms: list[tuple[float, str]]) -> Markup:
    out = ""
    for size, text in terms:
        if size:
            out += ("− " if size < 0 else "+ " if out else "") + text + " "
    return Markup(f'<span class="math">{out or "0 "}= 0</span>')


def symbol(letter: str, name: str) -> str:
    """A letter with the name of what it belongs to below it."""
    return f"<i>{letter}</i><sub>{html(name)}</sub>"


def _unknown(loops: Loops, number_of_unknown: int) -> str:
    kind, _, name = loops.unknown_names[number_of_unknown].partition(" of ")
    return symbol("φ" if kind == "angle" else "s", name)


def _law(driver: str) -> str:
    return f"{symbol('f', driver)}(<i>t</i>)"
