"""The equations of joints, drivers and loads of a model: the formula of the registry with the model's names in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mubo.elements import Element, loads_of
from mubo.elements.formula import formula_of
from mubo.model import GROUND, Joint, ModelDefinition, target_of
from mubo.results import Run
from mubo.view.report.markup import Markup, html, table, vector
from mubo.view.report.options import option_words
from mubo.view.report.units import law_words, unit_of, with_unit

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
        formula = written(_picked(formula_of(target.element), target.picked, target.bodies[0]), ends)
        rows.append((f"driver {driver.name}", formula, f"f(t) = {law_words(run, driver.name)}"))
    return table(("of", "equations", "where"), rows)


def load_rows(model: ModelDefinition) -> Markup:
    """Forces and torques with their formulas."""
    rows, known = [], loads_of(model.dimension)
    formulas = {kind: formula_of(known[kind]) for kind in {force.kind for force in model.forces.values()}}
    for force in model.forces.values():
        element = known[force.kind]
        rows.append((f"force {force.name}", written(formulas[force.kind], {}), option_words(model, element, force)))
    return table(("of", "formula", "where"), rows)


def _of_joint(joint: Joint, element: Element, formula: str, model: ModelDefinition) -> list[tuple[Markup, str]]:
    """A joint of three and more ends has its equations for each end after the first."""
    if element.key != "between":
        body, _, picked = joint.between[0].partition(".")
        return [(written(_picked(formula, picked, body), {"i": (body, body)}), option_words(model, element, joint))]
    out = []
    carrier = joint.options.get("carrier", GROUND)
    for end in joint.between[1:]:
        ends = {"i": _end(joint.between[0]), "j": _end(end), "c": (carrier, carrier)}
        places = [reference for reference in (joint.between[0], end) if "." in reference]
        unit = unit_of(model.units, "length")
        told = [with_unit(f"{reference} = {vector(model.place(reference)[1])}", unit) for reference in places]
        out.append((written(formula, ends), ", ".join(filter(None, [*told, option_words(model, element, joint)]))))
    return out


def written(formula: str, ends: Mapping[str, tuple[str, str]]) -> Markup:
    """The formula as HTML; x_i becomes x with the name of the first body, or its point, below it."""

    def named(found: re.Match[str]) -> str:
        letter, index = found[1], found[2]
        if index not in ends:
            return f"<i>{letter}</i><sub>{index}</sub>"
        body, point = ends[index]
        return f"<i>{letter}</i><sub>{html(point if letter in PLACES else body)}</sub>"

    parts = [_INDEXED.sub(named, html(part.strip())) for part in formula.split(";")]
    return Markup('<span class="math">' + "<br>".join(parts) + "</span>")


def _picked(formula: str, picked: str, body: str) -> str:
    """Of "x − f(t) = 0, or y, or φ" the coordinate meant; of other formulas, the formula."""
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
