"""The loop equations of a model written out: ± length · cos(angle) and ± length · sin(angle), with names and numbers.

A vector of a link has a fixed length and turns with its body: its angle is φ of the body plus a constant. The slide of a
slider is an unknown length along an axis of its first body. Vectors of the ground are numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from mubo.model import Model
from mubo.studies.inspect import inspect
from mubo.studies.loop_report import LoopReport
from mubo.studies.loop_table import Vector
from mubo.view.report.markup import Markup, html, number

SMALL = 1e-12  # radians and parts of the length that are rounding


@dataclass(frozen=True)
class Term:
    """sign · length · (cos, sin)(angle of `turns` + constant); a length without a number has a name: an unknown."""

    sign: int
    length: float | str
    turns: str  # body whose angle it has, or the rod whose own angle it is; "" for the ground
    constant: float

    def text(self, function: str, first: bool) -> str:
        """ "+ 4 cos φ_coupler" as HTML; empty where it is zero."""
        sign, size = self.sign, self.length
        if not self.turns:
            value = math.cos(self.constant) if function == "cos" else math.sin(self.constant)
            if abs(value) < SMALL:
                return ""
            sign = sign if value > 0 else -sign
            if isinstance(size, float):
                return _signed(sign, number(size * abs(value)), first)
            factor = "" if abs(abs(value) - 1) < SMALL else f"{number(abs(value))} "
            return _signed(sign, factor + symbol("s", size), first)
        head = number(size) if isinstance(size, float) else symbol("s", size)
        angle = symbol("φ", self.turns)
        if abs(self.constant) > SMALL:
            shift = f"{'+' if self.constant > 0 else '−'} {number(abs(math.degrees(self.constant)), 5)}°"
            angle = f"({angle} {shift})"
        return _signed(sign, f"{head} {function} {angle}", first)


def symbol(letter: str, name: str) -> str:
    """A letter with the name of what it belongs to below it."""
    return f"<i>{letter}</i><sub>{html(name)}</sub>"


def _signed(sign: int, text: str, first: bool) -> str:
    mark = "− " if sign < 0 else "" if first else "+ "
    return f"{mark}{text} "


def loop_terms(model: Model, report: LoopReport) -> dict[str, list[Term]]:
    """The terms of every loop, by its name."""
    look = inspect(model, model.analysis.start if model.analysis else 0.0)  # the position of the loop table
    angles = {name: float(look.assembly.q[3 * k + 2]) for k, name in enumerate(look.compiled.free)}
    angles |= {name: model.bodies[name].angle for name in look.compiled.fixed}
    vectors = {vector.name: vector for vector in report.vectors}
    still = set(look.compiled.fixed)
    axes = {name: joint.options["axis"] for name, joint in model.joints.items() if "axis" in joint.options}
    return {
        loop.name: [_term(vectors[name], sign, angles, axes, still) for name, sign in loop.walk]
        for loop in report.loops
    }


def _term(
    vector: Vector, sign: int, angles: Mapping[str, float], axes: Mapping[str, tuple[float, ...]], still: set[str]
) -> Term:
    body = {"link": vector.link, "ground": "", "slide": vector.tail}.get(vector.kind, vector.link)
    if vector.kind == "slide" and vector.link in axes:  # a slide may be negative: its direction is that of the axis
        own = math.atan2(axes[vector.link][1], axes[vector.link][0])
        constant = own + (angles[body] if body in still else 0.0)
    elif vector.kind in ("rod", "driver"):
        constant = 0.0  # its own angle is an unknown
    else:
        constant = vector.angle - (angles[body] if body and body not in still else 0.0)
    constant = math.remainder(constant, 2 * math.pi)
    length = vector.link if vector.kind in ("slide", "driver") else vector.length
    return Term(sign, length, "" if body in still else body, 0.0 if abs(constant) < SMALL else constant)


def equation(terms: list[Term], function: str) -> Markup:
    """One scalar equation of a loop."""
    out = ""
    for term in terms:
        out += term.text(function, not out)
    return Markup(f'<span class="math">{out or "0 "}= 0</span>')
