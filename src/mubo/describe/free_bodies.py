"""The equations of Newton and Euler of every body in symbols, with the forces and moments that act on it.

    m C̈ = m g + Σ F,       J φ̈ = Σ (P − C) × F + Σ M,       in space  J ω̇ + ω × J ω = Σ (P − C) × F + Σ M

C is the centre of mass, J the inertia about it, P the point of a joint. Source: Nikravesh, Computer-Aided Analysis of
Mechanical Systems (1988), chapter 8; Haug (1989), chapters 6 and 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from unicodedata import normalize

from mubo.analyses.acting_wrenches import ActingWrench
from mubo.describe.formulas import latex_name, latex_symbols
from mubo.model import GROUND, ModelDefinition

Write = Callable[[str, str], str]  # a letter with the name below it
MEANING = (
    "F_A.on_B and M_A.on_B: force and moment that joint, driver or load A exerts on body B, as in the columns of "
    "`mubo inverse`; P the joint point at which F acts, C the centre of mass, J the inertia about it; moments of "
    "drivers and loads about C"
)


def text_symbol(letter: str, name: str) -> str:
    """ "F_gas.on_piston"."""
    return f"{letter}_{name}"


def latex_symbol(letter: str, name: str) -> str:
    """The symbol with an upright index, for mathematics mode."""
    return f"{latex_symbols(letter).strip()}_{{\\mathrm{{{latex_name(name)}}}}}"


def free_body_equations(
    model: ModelDefinition, acting: Sequence[ActingWrench], write: Write = text_symbol
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every moving body with its equations of forces and of moments."""
    weighs = model.gravity is not None and any(model.gravity)
    for name, body in model.bodies.items():
        on = [one for one in acting if one.body == name]
        if name == GROUND or not (on or body.whole.mass):
            continue
        mass, turns = bool(body.whole.mass), any(body.whole.inertia or ())
        m = write("m", name)
        left = f"{m} {write('C̈', name)}" if mass else "0"
        forces = [(1, f"{m} g")] if mass and weighs else []
        forces += [(one.sign, write("F", one.owner)) for one in on if one.force]
        moments = [part for one in on for part in _moments(one, write)]
        yield name, (f"{left} = {_sum(forces)}", f"{_inertia(model, name, turns, write)} = {_sum(moments)}")


def _inertia(model: ModelDefinition, name: str, turns: bool, write: Write) -> str:
    if not turns:
        return "0"
    J = write("J", name)
    if model.dimension == 2:
        return f"{J} {write(normalize('NFC', 'φ̈'), name)}"
    spin = write("ω", name)
    return f"{J} {write('ω̇', name)} + {spin} × {J} {spin}"


def _moments(one: ActingWrench, write: Write) -> Iterator[tuple[int, str]]:
    """The moments of a wrench about the centre of mass, with their signs."""
    if one.at:
        arm = f"({write('P', one.at)} − {write('C', one.body)})"
        yield one.sign, f"{arm} × {write('F', one.owner)}"
    if one.moment:
        yield one.sign, write("M", one.owner)


def _sum(terms: Sequence[tuple[int, str]]) -> str:
    text = "".join(f" {'+' if sign > 0 else '−'} {term}" for sign, term in terms)
    return (
        text.removeprefix(" + ").replace(" − ", "−", 1) if text.startswith(" − ") else text.removeprefix(" + ") or "0"
    )
