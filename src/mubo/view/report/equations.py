"""The equations that were solved for a run, in the formulation it used."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mubo.analyses.loops import LoopReport
from mubo.elements import Element, loads_of
from mubo.elements.formula import formula_of
from mubo.mechanism.formulations.loops import Loops
from mubo.model import GROUND, Joint, ModelDefinition, target_of
from mubo.results import Run
from mubo.view.report.loop_equations import linear_equations, polygon_equations, symbol
from mubo.view.report.markup import (
    Markup,
    heading,
    html,
    law_words,
    paragraph,
    section,
    table,
    unit_of,
    vector,
    with_unit,
)
from mubo.view.report.model_tables import option_words

DERIVATIVES = Markup(
    "<p>Velocities and accelerations follow from the same equations: "
    '<span class="math"><i>J</i> <i>v</i> = <i>ν</i></span> and '
    '<span class="math"><i>J</i> <i>a</i> = <i>γ</i></span>, with <span class="math"><i>J</i> = ∂Φ/∂q</span>.</p>'
)
POSES = {
    2: '<span class="math"><i>r</i> = (<i>x</i>, <i>y</i>)</span>, <span class="math"><i>φ</i></span>',
    3: '<span class="math"><i>r</i></span> and a unit quaternion <span class="math"><i>p</i></span>',
}


def equations_section(run: Run, loops: LoopReport | None, solved_by: Loops | None) -> Markup:
    """The equations that were solved; then those of all joints, from which the residuals are computed."""
    formulation = run.summary["formulation"]
    model = run.model
    if formulation in ("tree", "wittenburg"):
        return section("equations", "Equations", *_tree(run), heading("Loads", load_rows(model)))
    solved = _loops(run, loops, solved_by) if solved_by is not None and loops is not None else []
    rows = heading("Equations of joints and drivers", joint_rows(run))
    meaning = paragraph_of_rows(model.dimension, bool(solved))
    return section("equations", "Equations", *solved, rows, meaning, DERIVATIVES)


def paragraph_of_rows(dimension: int, second: bool) -> Markup:
    role = "The residuals of the proof are those of these equations" if second else "These equations were solved"
    return Markup(
        f"<p>{role}, in absolute coordinates: every moving body has {POSES[dimension]}; A turns vectors of a body into "
        "the ground axes, s is a point in body axes, P = r + A s.</p>"
    )


def _loops(run: Run, loops: LoopReport, solved: Loops) -> list[Markup]:
    drivers = list(run.model.drivers)
    rows: list[tuple[str, str, Markup]] = []
    for k, loop in enumerate(loops.loops):
        along_x, along_y = polygon_equations(solved, k, drivers)
        rows += [(f"{loop.name}: {loop.equation.replace('-', '−')}", "x", along_x), ("", "y", along_y)]
    rows += [("linear", "", equation) for equation in linear_equations(solved, drivers)]
    laws = [
        (Markup(f'<span class="math">{symbol("f", d.name)}(t)</span>'), law_words(run, d.name))
        for d in run.model.drivers.values()
    ]
    groups = [(k, kind, ", ".join(gives)) for k, (kind, gives) in enumerate(loops.groups, 1)]
    said = paragraph(
        "The motion was solved by vector loops, group after group. Unknown are the angles φ of bodies and the slides s."
    )
    return [
        said,
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


_INDEXED = re.compile(r"([A-Za-zφψθ]+)_([ijc])\b")
PLACES = ("s", "P", "C")  # letters that belong to a point, not to its body


def joint_rows(run: Run) -> Markup:
    """Joints and drivers with their equations."""
    model = run.model
    rows = []
    formulas = {kind: formula_of(model.kinds[kind]) for kind in {joint.kind for joint in model.joints.values()}}
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        for formula, where in _of_joint(joint, element, formulas[joint.kind], model):
            rows.append((f"joint {joint.name}", formula, where))
    for driver in model.drivers.values():
        target = target_of(model, driver.of)
        ends = _ends(driver.of, target.bodies, model)
        formula = substitute_names(_pick_coordinate(formula_of(target.element), target.picked, target.bodies[0]), ends)
        rows.append((f"driver {driver.name}", formula, f"f(t) = {law_words(run, driver.name)}"))
    return table(("of", "equations", "where"), rows)


def load_rows(model: ModelDefinition) -> Markup:
    """Forces and torques with their formulas."""
    rows, known = [], loads_of(model.dimension)
    formulas = {kind: formula_of(known[kind]) for kind in {force.kind for force in model.forces.values()}}
    for force in model.forces.values():
        element = known[force.kind]
        rows.append(
            (f"force {force.name}", substitute_names(formulas[force.kind], {}), option_words(model, element, force))
        )
    return table(("of", "formula", "where"), rows)


def _of_joint(joint: Joint, element: Element, formula: str, model: ModelDefinition) -> list[tuple[Markup, str]]:
    """A joint of three and more ends has its equations for each end after the first."""
    if element.key != "between":
        body, _, picked = joint.between[0].partition(".")
        return [
            (
                substitute_names(_pick_coordinate(formula, picked, body), {"i": (body, body)}),
                option_words(model, element, joint),
            )
        ]
    out = []
    carrier = joint.options.get("carrier", GROUND)
    for end in joint.between[1:]:
        ends = {"i": _end(joint.between[0]), "j": _end(end), "c": (carrier, carrier)}
        places = [reference for reference in (joint.between[0], end) if "." in reference]
        unit = unit_of(model.units, "length")
        places_text = [with_unit(f"{reference} = {vector(model.place(reference)[1])}", unit) for reference in places]
        out.append(
            (
                substitute_names(formula, ends),
                ", ".join(filter(None, [*places_text, option_words(model, element, joint)])),
            )
        )
    return out


def substitute_names(formula: str, ends: Mapping[str, tuple[str, str]]) -> Markup:
    """The formula as HTML; x_i becomes x with the name of the first body, or its point, below it."""

    def named(found: re.Match[str]) -> str:
        letter, index = found[1], found[2]
        if index not in ends:
            return f"<i>{letter}</i><sub>{index}</sub>"
        body, point = ends[index]
        return f"<i>{letter}</i><sub>{html(point if letter in PLACES else body)}</sub>"

    parts = [_INDEXED.sub(named, html(part.strip())) for part in formula.split(";")]
    return Markup('<span class="math">' + "<br>".join(parts) + "</span>")


def _pick_coordinate(formula: str, picked: str, body: str) -> str:
    """The coordinate meant by "x − f(t) = 0, or y, or φ"; other formulas as they are."""
    if not formula.endswith(", or y, or φ") or not picked:
        return formula
    head = formula.removesuffix(", or y, or φ")
    return f"{'φ' if picked == 'phi' else picked}_i{head[1:]}"


def _end(reference: str) -> tuple[str, str]:
    return reference.partition(".")[0], reference


def _ends(of: str | tuple[str, str], bodies: tuple[str, ...], model: ModelDefinition) -> dict[str, tuple[str, str]]:
    if isinstance(of, tuple):
        references: tuple[str, ...] = of
    elif of.partition(".")[0] in model.joints:
        references = model.joints[of.partition(".")[0]].between
    else:
        return {"i": (bodies[0], bodies[0])}
    held = [model.points[name].body if name in model.points else name.partition(".")[0] for name in references]
    return {key: (body, name) for key, body, name in zip("ij", held, references, strict=False)}
