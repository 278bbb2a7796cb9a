"""The equations that were solved for a run, in the formulation it used.

A term of a vector loop is scale · (cos, sin)(φ + constant): the scale is a length, an unknown slide s or a motion law
f(t).
"""

from __future__ import annotations

import math

from mubo.analyses.loops import LoopReport
from mubo.describe.formulas import Ends, SymbolicEquations, symbolic_equations, with_names
from mubo.elements import loads_of
from mubo.elements.derivatives import MEANING
from mubo.elements.formula import formula_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import Term
from mubo.model import GROUND, Joint, ModelDefinition
from mubo.results import Run
from mubo.view.report.markup import (
    Markup,
    heading,
    html,
    law_text,
    number,
    paragraph,
    section,
    table,
    unit_of,
    vector,
    with_unit,
)
from mubo.view.report.model_tables import option_text

DERIVATIVES = Markup(
    "<p>Velocities and accelerations follow from the same equations: "
    '<span class="math"><i>J</i> <i>v</i> = <i>ν</i></span> and '
    '<span class="math"><i>J</i> <i>a</i> = <i>γ</i></span>, with <span class="math"><i>J</i> = ∂Φ/∂q</span>. '
    "Their numbers at any time: <code>mubo equations</code>.</p>"
)
POSES = {
    2: '<span class="math"><i>r</i> = (<i>x</i>, <i>y</i>)</span>, <span class="math"><i>φ</i></span>',
    3: '<span class="math"><i>r</i></span> and a unit quaternion <span class="math"><i>p</i></span>',
}


SMALL = 1e-12  # radians and parts of a length that are rounding


def equations_section(run: Run, loops: LoopReport | None, solved_by: Loops | None) -> Markup:
    """The equations that were solved; then those of all joints, from which the residuals are computed."""
    formulation = run.summary["formulation"]
    model = run.model
    if formulation in ("tree", "wittenburg"):
        return section("equations", "Equations", *_tree(run), heading("Loads", load_rows(model)))
    solved = _loops(run, loops, solved_by) if solved_by is not None and loops is not None else []
    rows = heading("Equations of joints and drivers", joint_rows(run))
    meaning = explain_rows(model.dimension, bool(solved))
    rates = heading("Velocities and accelerations", rate_rows(model))
    letters = paragraph(MEANING[model.dimension] + ".")
    return section("equations", "Equations", *solved, rows, meaning, rates, DERIVATIVES, letters)


def explain_rows(dimension: int, second: bool) -> Markup:
    role = "The residuals of the proof are those of these equations" if second else "These equations were solved"
    return Markup(
        f"<p>{role}, in absolute coordinates: every moving body has {POSES[dimension]}; A turns vectors of a body into "
        "the ground axes, s is a point in body axes, P = r + A s.</p>"
    )


def _loops(run: Run, loops: LoopReport, solved: Loops) -> list[Markup]:
    drivers = list(run.model.drivers)
    rows: list[tuple[str, str, Markup]] = []
    named = {loop.joint: f"{loop.name}: {loop.equation.replace('-', '−')}" for loop in loops.loops if loop.joint}
    for k, joint in enumerate(solved.chords):  # the loops of cards are others than those that are solved
        along_x, along_y = polygon_equations(solved, k, drivers)
        rows += [(named.get(joint, f"closed by {joint}"), "x", along_x), ("", "y", along_y)]
    rows += [("linear", "", equation) for equation in linear_equations(solved, drivers)]
    laws = [
        (Markup(f'<span class="math">{symbol("f", d.name)}(t)</span>'), law_text(run, d.name))
        for d in run.model.drivers.values()
    ]
    groups = [(k, kind, ", ".join(gives)) for k, (kind, gives) in enumerate(loops.groups, 1)]
    method = paragraph(
        "The motion was solved by vector loops, group after group. Unknown are the angles φ of bodies and the slides s."
    )
    return [
        method,
        heading("Equations solved", table(("loop", "along", "equation"), rows)),
        heading("Laws", table(("law", "is"), laws)),
        heading("Order of solution", table(("", "group", "gives"), groups)),
    ]


def _tree(run: Run) -> list[Markup]:
    model, summary = run.model, run.summary
    rows = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        (first, at), (second, on) = ((r.partition(".")[0], r) for r in joint.between[:2])
        place = (
            f"{symbol('r', second)} = {symbol('r', first) + ' + ' if first != GROUND else ''}"
            f"{symbol('A', first) + ' ' if first != GROUND else ''}{symbol('s', at)} − "
            f"{symbol('A', second)} {symbol('s', on)}"
        )
        turned = (
            f"{symbol('A', second)} = {symbol('A', first) + ' ' if first != GROUND else ''}{symbol('R', joint.name)}(q)"
        )
        columns = [column.name for column in run.columns.of_kind("joint", joint.name) if column.order == 0]
        math = Markup(f'<span class="math">{place}<br>{turned}</span>')
        rows.append((joint.name, math, ", ".join(element.dofs), ", ".join(columns)))
    by = "Wittenburg's equations A q̈ = B" if summary["formulation"] == "wittenburg" else "articulated bodies"
    dynamics = Markup(
        '<p class="display"><span class="math"><i>M</i>(<i>q</i>) <i>q̈</i> + <i>h</i>(<i>q</i>, <i>q̇</i>) = '
        f"<i>τ</i>(<i>q</i>, <i>q̇</i>, <i>t</i>)</span></p><p>Solved for q̈ at every step by {html(by)}; M holds "
        "masses and inertias, h gyroscopic terms and gravity, τ springs, dampers and forces. "
        f"Integrated by {html(summary['method'])}.</p>"
    )
    return [dynamics, heading("Joint coordinates", table(("joint", "places the second body", "free", "columns"), rows))]


def joint_rows(run: Run) -> Markup:
    """Joints and drivers with their equations."""
    model, rows = run.model, []
    for one in symbolic_equations(model):
        kind, name = one.owner.split(" ", 1)
        where = f"f(t) = {law_text(run, name)}" if kind == "driver" else _joint_data(model, model.joints[name], one)
        rows.append((one.owner, substitute_names(one.position, one.ends), where))
    return table(("of", "equations", "where"), rows)


def rate_rows(model: ModelDefinition) -> Markup:
    """Velocity and acceleration equations of joints and drivers."""
    rows = [
        (one.owner, substitute_names("; ".join((*one.velocity, *one.acceleration)), one.ends))
        for one in symbolic_equations(model)
        if one.velocity
    ]
    return table(("of", "J v = ν; below, J a = γ"), rows)


def _joint_data(model: ModelDefinition, joint: Joint, one: SymbolicEquations) -> str:
    """Points and options of a joint that its equations use."""
    unit = unit_of(model.units, "length")
    places = [with_unit(f"{reference} = {vector(model.place(reference)[1])}", unit) for reference in one.references]
    return ", ".join(filter(None, [*places, option_text(model, model.kinds[joint.kind], joint)]))


def load_rows(model: ModelDefinition) -> Markup:
    """Forces and torques with their formulas."""
    rows, known = [], loads_of(model.dimension)
    formulas = {kind: formula_of(known[kind]) for kind in {force.kind for force in model.forces.values()}}
    for force in model.forces.values():
        formula = substitute_names(formulas[force.kind], {})
        rows.append((f"force {force.name}", formula, option_text(model, known[force.kind], force)))
    return table(("of", "formula", "where"), rows)


def substitute_names(formula: str, ends: Ends) -> Markup:
    """The formula as HTML; x_i becomes x with the name of the first body, or its point, below it."""

    def below(letter: str, name: str) -> str:
        return f"<i>{letter}</i><sub>{html(name)}</sub>"

    parts = [with_names(html(part.strip()), ends, below) for part in formula.split(";")]
    return Markup('<span class="math">' + "<br>".join(parts) + "</span>")


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
    out = []
    for angle, slide, driver, x, y in sorted(terms, key=lambda term: term[0] < 0):
        factor, constant = math.hypot(x, y), math.atan2(y, x)
        if abs(constant) > math.pi / 2 + SMALL:  # a small angle and a minus are read more easily
            factor, constant = -factor, math.remainder(constant + math.pi, 2 * math.pi)
        symbols = [_unknown(loops, slide)] if slide >= 0 else []
        symbols += [_law(drivers[driver])] if driver >= 0 else []
        turned = _unknown(loops, angle) if angle >= 0 else ""
        out.append(Summand(factor, " ".join(symbols), turned, 0.0 if abs(constant) < SMALL else constant))
    if out and out[0].factor < 0:
        out = [Summand(-s.factor, s.symbols, s.angle, s.constant) for s in out]
    return out


def polygon_equations(loops: Loops, number_of_loop: int, drivers: list[str]) -> tuple[Markup, Markup]:
    """The two equations of a loop, along x and y."""
    terms = summands(loops, loops.polygons[number_of_loop], drivers)
    along_x, along_y = (_equation([term.text(function) for term in terms]) for function in ("cos", "sin"))
    return along_x, along_y


def linear_equations(loops: Loops, drivers: list[str]) -> list[Markup]:
    """Equations of drivers, gears and locked coordinates."""
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
