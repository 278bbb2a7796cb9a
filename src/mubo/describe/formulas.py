"""The equations of the joints and drivers of a model in symbols: positions, velocities and accelerations.

A formula has letters with an index, "r_i + A_i s_i": i and j are the first and the second end of an element, c is a
carrier. Writers put the names of bodies and points in their place, as text, LaTeX or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from unicodedata import normalize

from mubo.elements import Element
from mubo.elements.derivatives import DOT, TWO_DOTS, rate_equations
from mubo.elements.formula import formula_of
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Joint, ModelDefinition, target_of

Ends = Mapping[str, tuple[str, str]]  # of an index: its body, and its point where it has one
PLACES = ("s", "P", "C")  # letters that belong to a point, not to its body
_INDEXED = re.compile(rf"((?:[^\W\d_][{DOT}{TWO_DOTS}]?)+)_([ijc])(?![A-Za-z0-9_])")
_GREEK = {
    **{"φ": r"\varphi", "ψ": r"\psi", "θ": r"\theta", "ω": r"\omega", "δ": r"\delta", "κ": r"\kappa", "ρ": r"\rho"},
    **{"Φ": r"\Phi", "ν": r"\nu", "γ": r"\gamma", "λ": r"\lambda", "α": r"\alpha", "π": r"\pi"},
}
_SIGNS = {
    **{"·": r"\cdot ", "×": r"\times ", "−": "-", "±": r"\pm ", "′": "'", "″": "''", "²": "^2", "⊥": r"^{\perp}"},
    **{"ᵀ": r"^{\top}", "√": r"\sqrt ", "₀": "_0", "′": "'"},
}


@dataclass(frozen=True)
class SymbolicEquations:
    """The equations of a joint between two of its ends, or of a driver, in symbols."""

    owner: str  # "joint A"
    ends: Ends
    references: tuple[str, ...]  # the points that it joins, "crank.A"
    position: str
    velocity: tuple[str, ...]
    acceleration: tuple[str, ...]


def symbolic_equations(model: ModelDefinition) -> Iterator[SymbolicEquations]:
    """The equations of all joints, then of all drivers; a joint of three and more ends has them for each end."""
    formulas = {kind: formula_of(model.kinds[kind]) for kind in {joint.kind for joint in model.joints.values()}}
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        for ends, references, picked in _joint_ends(joint, element):
            yield _equations(model, f"joint {joint.name}", element, formulas[joint.kind], ends, references, picked)
    for driver in model.drivers.values():
        target = target_of(model, driver.of)
        ends = _driver_ends(driver.of, target.bodies, model)
        formula = formula_of(target.element)
        yield _equations(model, f"driver {driver.name}", target.element, formula, ends, (), target.picked)


def _joint_ends(joint: Joint, element: Element) -> Iterator[tuple[Ends, tuple[str, ...], str]]:
    if element.key != "between":
        body, _, picked = joint.between[0].partition(".")
        yield {"i": (body, body)}, (), picked
        return
    carrier = joint.options.get("carrier", GROUND)
    for end in joint.between[1:]:
        ends = {"i": _end(joint.between[0]), "j": _end(end), "c": (carrier, carrier)}
        yield ends, tuple(reference for reference in (joint.between[0], end) if "." in reference), ""


def _equations(
    model: ModelDefinition,
    owner: str,
    element: Element,
    formula: str,
    ends: Ends,
    references: tuple[str, ...],
    picked: str,
) -> SymbolicEquations:
    driven = owner.startswith("driver")
    rates = [rate_equations(row, model.dimension, driven) for row in element.rows]
    velocity = tuple(_on_ground(_pick_rate(one.velocity, picked), ends) for one in rates)
    acceleration = tuple(_on_ground(_pick_rate(one.acceleration, picked), ends) for one in rates)
    position = "; ".join(_on_ground(one.strip(), ends) for one in _pick_coordinate(formula, picked).split(";"))
    return SymbolicEquations(owner, ends, references, position, velocity, acceleration)


def _on_ground(formula: str, ends: Ends) -> str:
    """The formula without what vanishes where an end is on the ground: r = 0, φ = 0, A = 1, and nothing moves."""
    fixed = "".join(index for index, (body, _) in ends.items() if body == GROUND)
    if not fixed:
        return formula
    equation, tail = re.fullmatch(r"(.*?)((?: with |, ).*)?", normalize("NFD", formula), re.DOTALL).groups("")  # type: ignore[union-attr]
    zero = re.compile(rf"(?<!\w)(?:[rφω]|\w[{DOT}{TWO_DOTS}])_[{fixed}](?![A-Za-z0-9_])")
    sides = [_without(side, zero) for side in equation.split(" = ")]
    return normalize("NFC", re.sub(rf"(?<!\w)A_[{fixed}] (?=s)", "", " = ".join(sides)) + tail)


def _without(side: str, zero: re.Pattern[str]) -> str:
    """One side of an equation without the terms that have a factor of zero; a term with brackets stays."""
    terms = re.findall(r"(^|[+−] )((?:\([^)]*\)|\|[^|]*\||(?! [+−] ).)+)", side)
    kept = [(sign, term.strip()) for sign, term in terms if "(" in term or not zero.search(term)]
    text = " ".join(f"{sign}{term}" for sign, term in kept).removeprefix("+ ")
    return re.sub("^− ", "−", text) or "0"


def _pick_coordinate(formula: str, picked: str) -> str:
    """The coordinate meant by "x − f(t) = 0, or y, or φ"; other formulas as they are."""
    if not formula.endswith(", or y, or φ") or not picked:
        return formula
    head = formula.removesuffix(", or y, or φ")
    return f"{'φ' if picked == 'phi' else picked}_i{head[1:]}"


def _pick_rate(formula: str, picked: str) -> str:
    """The rate of the coordinate meant where the rates are those of x."""
    letter = {"phi": "φ", "y": "y"}.get(picked, "")
    if not letter:
        return formula
    bare = normalize("NFD", formula)
    return normalize("NFC", re.sub(rf"^x([{DOT}{TWO_DOTS}])_i", rf"{letter}\1_i", bare))


def _end(reference: str) -> tuple[str, str]:
    return reference.partition(".")[0], reference


def _driver_ends(of: str | tuple[str, str], bodies: tuple[str, ...], model: ModelDefinition) -> Ends:
    if isinstance(of, tuple):
        references: tuple[str, ...] = of
    elif of.partition(".")[0] in model.joints:
        references = model.joints[of.partition(".")[0]].between
    else:
        return {"i": (bodies[0], bodies[0])}
    owners = [model.points[name].body if name in model.points else name.partition(".")[0] for name in references]
    return {key: (body, name) for key, body, name in zip("ij", owners, references, strict=False)}


def with_names(formula: str, ends: Ends, write: Callable[[str, str], str]) -> str:
    """The formula with `write(letter, name)` in the place of every letter with an index."""

    def named(found: re.Match[str]) -> str:
        letter, index = normalize("NFC", found[1]), found[2]
        if index not in ends:
            return write(letter, index)
        body, point = ends[index]
        return write(letter, point if found[1][0] in PLACES else body)

    return normalize("NFC", _INDEXED.sub(named, normalize("NFD", formula)))


def text_formula(formula: str, ends: Ends) -> str:
    """ "r_i + A_i s_i" becomes "r_crank + A_crank s_crank.A"."""
    return with_names(formula, ends, lambda letter, name: f"{letter}_{name}")


def latex_formula(formula: str, ends: Ends) -> str:
    """The formula in LaTeX, for mathematics mode; words stand in \\text."""
    named = with_names(formula, ends, lambda letter, name: f"{letter}_{{\\mathrm{{{latex_name(name)}}}}}")
    return latex_symbols(named)


def latex_symbols(text: str) -> str:
    """Letters with dots, Greek letters and signs as commands of LaTeX."""
    bare = normalize("NFD", text)
    word = r"(?:[^\W\d_]{3,}|to|at|of|is|in|it)"
    bare = re.sub(rf"(?<![\\\w{{]){word}(?: {word})*(?![}}\w])", r"\\text{ \g<0> }", bare)
    bare = re.sub(rf"(.)([{DOT}{TWO_DOTS}])", lambda m: f"\\{'dot' if m[2] == DOT else 'ddot'}{{{m[1]}}}", bare)
    for sign, command in {**_GREEK, **_SIGNS}.items():
        bare = bare.replace(normalize("NFD", sign), f"{command} " if sign in _GREEK else command)
    return bare


def latex_name(name: str) -> str:
    """A name as text of LaTeX."""
    return name.replace("_", r"\_")
