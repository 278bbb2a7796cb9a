"""Uniqueness of reactions: those not determined by equilibrium, the elements that share them, and unique resultants."""

from __future__ import annotations

from typing import Any

from mubo.mechanism.wording import join_words
from mubo.model.column_names import WRENCH
from mubo.results.forces import ForceRecord
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver
from mubo.solvers.forces.redundant_reactions import missing_stiffness_note, sharing_groups


def uniqueness_labels(solver: ForceSolver, found: ForceSolution) -> dict[str, Any]:
    """Components of reactions that are unique over the whole run, those that are not, and their rule."""
    words = WRENCH[solver.form.mechanism.dimension]
    out: dict[str, Any] = {"unique": [], "indeterminate": []}
    for k, place in enumerate(solver.exerted.places[: solver.exerted.shown]):
        for word, known in zip(words, found.unique[:, k].T, strict=True):
            out["unique" if known.all() else "indeterminate"].append(f"{place.owner}.{word}")
    for name, unique in zip(solver.form.model.drivers, unique_efforts(solver, found), strict=True):
        out["unique" if unique else "indeterminate"].append(f"{name}.effort")
    if found.shared is not None and found.shared.by_stiffness:
        out["by_stiffness"] = list(found.shared.by_stiffness)
    if not out["indeterminate"]:
        return out
    return {
        **out,
        "weighting": solver.weighting,
        "length_scale": solver.length_scale,
        "sharing": [list(names) for names in sharing_sets(solver, found)],
        "unique_sums": _unique_resultants(solver, found),
    }


def unique_efforts(solver: ForceSolver, found: ForceSolution) -> list[bool]:
    """Flags of the drivers whose effort equilibrium alone determines."""
    rows = [k for k, equation in enumerate(solver.form.equations) if equation.kind == "driver"]
    return [bool(known.all()) for known in found.unique_lam[:, rows].T]


def sharing_sets(solver: ForceSolver, found: ForceSolution) -> tuple[tuple[str, ...], ...]:
    """Joints and drivers that share a load which neither equilibrium nor stiffness divides among them."""
    if found.shared is None:
        return ()
    names, divided = [owner.split(" ", 1)[1] for owner in solver.sharing.owners], found.shared.by_stiffness
    sets = (tuple(names[k] for k in numbers) for numbers in sharing_groups(found.shared.together))
    return tuple(names for names in sets if not set(names) <= set(divided))


def force_record(solver: ForceSolver, found: ForceSolution) -> ForceRecord:
    """Record of the places of reactions, and of the rule that decided those that are not unique."""
    count = solver.exerted.shown
    open_ = found.shared.open[:, :count] if found.shared else None
    places = tuple(solver.exerted.places[:count])
    return ForceRecord(places, solver.length_scale, sharing_sets(solver, found), open_)


def _unique_resultants(solver: ForceSolver, found: ForceSolution) -> list[str]:
    """Texts such as "h1 + h2 on door: the resultant" where it is unique though its parts are not."""
    if found.shared is None:
        return []
    words, out = WRENCH[solver.form.mechanism.dimension], []
    for body, unique in found.shared.sums.items():
        mine = [k for k, place in enumerate(solver.exerted.places) if place.body == body and place.others]
        joints = [solver.exerted.places[k].joint for k in mine if not found.unique[:, k].all()]
        determined = [word for word, known in zip(words, unique, strict=True) if known]
        if determined and len(joints) > 1:
            what = "the resultant" if len(determined) == len(words) else ", ".join(determined)
            out.append(f"{' + '.join(joints)} on {body}: {what}")
    return out


def uniqueness_notes(solver: ForceSolver, found: ForceSolution) -> list[str]:
    """Notes on the uniqueness of reactions, as sentences."""
    if found.shared is None:
        return []
    out = []
    if found.shared.by_stiffness:
        names_text = join_words(found.shared.by_stiffness)
        out.append(f"{names_text} share loads that equilibrium does not divide among them: their stiffness does")
    for names in sharing_sets(solver, found):
        out.append(
            f"{join_words(names)} share loads that equilibrium does not divide among them: components marked "
            f"indeterminate are {solver.weighting}"
        )
        lack = missing_stiffness_note(solver.form, names)
        out += [lack] if lack else []
    return out + [f"unique although its parts are not: {text}" for text in _unique_resultants(solver, found)]
