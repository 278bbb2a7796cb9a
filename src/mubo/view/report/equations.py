"""The equations that were solved for a run, in the formulation it used."""

from __future__ import annotations

from mubo.analyses.loops import LoopReport
from mubo.mechanism.formulations.loops import Loops
from mubo.model import GROUND
from mubo.results import Run
from mubo.view.report.joint_rows import joint_rows, load_rows
from mubo.view.report.loop_equations import linear_equations, polygon_equations, symbol
from mubo.view.report.markup import Markup, heading, html, paragraph, section, table
from mubo.view.report.units import law_words

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
    """What was solved, first; then the equations of all joints, on which the proof is computed."""
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
        columns = [column.name for column in run.columns.of("joint", joint.name) if column.order == 0]
        math = Markup(f'<span class="math">{place}<br>{turned}</span>')
        rows.append((joint.name, math, ", ".join(element.freedoms), ", ".join(columns)))
    by = "Wittenburg's equations A q̈ = B" if summary["formulation"] == "wittenburg" else "articulated bodies"
    dynamics = Markup(
        '<p class="display"><span class="math"><i>M</i>(<i>q</i>) <i>q̈</i> + <i>h</i>(<i>q</i>, <i>q̇</i>) = '
        f"<i>τ</i>(<i>q</i>, <i>q̇</i>, <i>t</i>)</span></p><p>Solved for q̈ at every step by {html(by)}; M holds "
        "masses and inertias, h gyroscopic terms and gravity, τ springs, dampers and forces. "
        f"Integrated by {html(summary['method'])}.</p>"
    )
    return [dynamics, heading("Joint coordinates", table(("joint", "places the second body", "free", "columns"), rows))]
