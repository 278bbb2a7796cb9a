"""Limits of contacts along a known motion: where one would have to pull, or needs more than its static friction.

The margins N and μ N − |T| of a contact that is modelled as kept are positive while it can be kept. They are continuous
in time, so that the instants at which they change sign are located between the rows, by solving the forces there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model.column_names import has_kept_contacts
from mubo.model.parts import STANDS_FOR
from mubo.note import Note
from mubo.solvers.forces.force_columns import coupling_force, rolling_forces
from mubo.solvers.forces.force_solution import ForceSolution, ForceSolver

ROUNDING = 1e-9  # of the largest force of the contact: a margin below is zero
LOOKS = 60  # at most, for one instant
Margins = Callable[[Array], tuple[Array, Array]]  # times that were reached, and margins there


@dataclass(frozen=True)
class ContactLimit:
    """A margin of a contact over the rows; `kind` is that of the event where it ends: "part" or "slip"."""

    name: str
    owner: str  # "contact lift", "joint road"
    kind: str
    margin: Array
    largest: float  # force of the contact


def contact_limits(solver: ForceSolver, solution: ForceSolution) -> Iterator[ContactLimit]:
    """Limits of kept contacts, of what rolls, and of cams; of forces that equilibrium does not determine none."""
    model, map_ = solver.form.model, solver.reaction_map
    known = {place.joint: bool(flags.all()) for place, flags in zip(map_.places, _unique(solution), strict=True)}
    for name, joint in model.joints.items():
        element = model.kinds[joint.kind]
        if STANDS_FOR in joint.options or not known.get(name, False):
            continue
        if element.contact or element.profiled:
            force = (
                rolling_forces(solver, solution, name)[0] if element.contact else coupling_force(solver, solution, name)
            )
            yield ContactLimit(name, f"joint {name}", "part", force, float(np.nanmax(np.abs(force), initial=0.0)))
    if not has_kept_contacts(model):
        return
    from mubo.solvers.forces.kept_contacts import contact_forces

    for name, parts in contact_forces(solver, solution).items():
        largest = max(float(np.nanmax(np.abs(one.normal), initial=0.0)) for one in parts)
        if all(one.is_known(solution) for one in parts):
            normal = np.min([one.normal for one in parts], axis=0)
            yield ContactLimit(name, f"contact {name}", "part", normal, largest)
        contact = parts[0].motion.contact
        if contact.sticks:
            from mubo.solvers.forces.kept_contacts import friction_needed

            pressed = np.asarray(sum(one.normal for one in parts))
            margin = (contact.static - np.nan_to_num(friction_needed(parts), nan=contact.static)) * pressed
            yield ContactLimit(name, f"contact {name}", "slip", margin, largest)


def _unique(solution: ForceSolution) -> Array:
    """Whether every component of each place is unique: places × components."""
    return np.asarray(solution.unique.all(axis=0))


def ends_of_margin(t: Array, limit: ContactLimit, margins: Margins) -> Iterator[tuple[float, bool]]:
    """Instants at which a margin ends or comes back, and whether it ends; the start where it is below zero there."""
    least = ROUNDING * limit.largest
    below = limit.margin < -least
    if len(t) and below[0]:
        yield float(t[0]), True
    for row in np.flatnonzero(below[1:] != below[:-1]):
        pair = (float(t[row]), float(t[row + 1])), (float(limit.margin[row]), float(limit.margin[row + 1]))
        yield _root(*pair, margins), bool(below[row + 1])


def contact_limit_notes(solver: ForceSolver, solution: ForceSolution) -> list[Note]:
    """Notes on contacts that would have to pull or slip, with the rows between which that begins first."""
    out, t = [], solution.columns.raw("t")
    for limit in contact_limits(solver, solution):
        below = np.flatnonzero(limit.margin < -ROUNDING * limit.largest)
        if len(below):
            between = (float(t[max(below[0] - 1, 0)]), float(t[below[0]]))
            units = solver.form.model.units
            out.append(Note("forces.contact_ends", owner=limit.owner, kind=limit.kind, between=between, units=units))
    return out


def _root(ends: tuple[float, float], values: tuple[float, float], margins: Margins) -> float:
    """Root of a margin between two times of opposite sign, by the method of Anderson and Björck (Illinois type)."""
    (a, b), (fa, fb) = ends, values
    start, width = b, abs(b - a)
    for _ in range(LOOKS):
        if fa == fb or abs(b - a) <= 4e-16 * max(abs(a), abs(b)) + 1e-14 * width:
            break
        c = b - fb * (b - a) / (fb - fa)
        reached, found = margins(np.array([c]))
        if not len(reached):
            return start
        fc = float(found[0])
        if fc == 0.0:
            return c
        if (fc > 0) != (fb > 0):
            a, fa = b, fb
        else:
            factor = 1 - fc / fb
            fa *= factor if factor > 0 else 0.5
        if abs(c - b) <= 1e-15 * max(abs(c), width):
            return c
        b, fb = c, fc
    return b
