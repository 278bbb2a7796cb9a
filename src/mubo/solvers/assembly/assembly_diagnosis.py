"""Why a mechanism does not close, in geometry: which element stays open, by how much at least, and what decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.mechanism.wording import elements_of, join_words
from mubo.solvers.assembly.closest_position import Opening
from mubo.solvers.assembly.feasible_range import Reach, reach_of
from mubo.solvers.assembly.mobility import Dependence
from mubo.solvers.assembly.unclosed_group import Group, open_group
from mubo.solvers.continuation.equation_scales import Gap, Scales, gap_of, rows_of
from mubo.solvers.continuation.linear_algebra import Part

MOST_CANDIDATES = 8  # elements of a group that are opened, one after the other
MOST_REACHES = 3  # drivers and lengths whose range is told
MOST_UNKNOWNS = 240  # of a group, or of a contradiction, whose closest position is sought
SAME = 1e-6  # part by which gaps must differ to count as different


@dataclass(frozen=True)
class Misfit:
    """The element that is left open and its gap while the `others` are closed, with what its equations could reach."""

    owner: str
    gap: Gap
    others: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    reaches: tuple[Reach, ...] = ()


def misfit(form: Absolute, motion: Array, tolerance: float, q: Array) -> Misfit:
    """Of the first group that does not close: the joint that opens least, drivers held; q is a position near."""
    scales = Scales.of(form)
    group = open_group(form, scales, motion, tolerance, q) or Group.whole(form, q)
    elements = elements_of(e for e, own in zip(form.equations, group.rows, strict=True) if own and e.kind != "body")
    joints = [name for name in elements if name.startswith("joint ")]
    opening = Opening(form, motion, tolerance, group.part(scales), group.rows)
    starts = (np.where(group.columns, q, group.q), group.q)
    best: tuple[Gap, str, Array] | None = None
    small = int(np.sum(group.columns)) <= MOST_UNKNOWNS
    for name in (joints or elements)[:MOST_CANDIDATES] if small else ():
        at = _opened(opening, scales, [name], starts)
        if at is not None:
            gap = gap_of(form, scales, form.system.phi(at, motion), name)
            best = (gap, name, at) if best is None or _smaller(form, gap, best[0]) else best
    if best is None:  # too large, or no element alone lets the rest close: the largest gap where all are closest
        phi = form.system.phi(q, motion)
        name = form.equations[int(np.argmax(np.abs(scales.weight * phi * group.rows)))].owner
        return Misfit(name, gap_of(form, scales, phi, name))
    gap, name, at = best
    others = tuple(other for other in elements if other != name)
    return Misfit(name, gap, others, _moved(form, group), _reaches(form, scales, motion, tolerance, group, at))


def _opened(opening: Opening, scales: Scales, owners: Sequence[str], starts: Iterable[Array]) -> Array | None:
    """The closest position with some elements open: in their lengths only, where the rest closes so, else in all."""
    own = rows_of(opening.form.equations, owners)
    choices = [own & ~scales.turning, own] if np.any(own & ~scales.turning) and np.any(own & scales.turning) else [own]
    for rows in choices:
        at = replace(opening, own=rows).closest(starts)
        if at is not None:
            return at
    return None


def _smaller(form: Absolute, one: Gap, other: Gap) -> bool:
    """Whether a gap is really smaller, lengths counted in sizes of the mechanism."""
    sizes = [gap.length * float(form.weight[0]) + gap.angle for gap in (one, other)]
    return sizes[0] < (1 - SAME) * sizes[1]


def _moved(form: Absolute, group: Group) -> tuple[str, ...]:
    """Bodies that the group places."""
    return tuple(form.free[b] for b in np.flatnonzero(group.columns.reshape(-1, form.width).any(axis=1)))


def _reaches(
    form: Absolute, scales: Scales, motion: Array, tolerance: float, group: Group, q: Array
) -> tuple[Reach, ...]:
    """The ranges of the drivers that the group rests on, and of its own lengths."""
    drivers = np.array([equation.kind == "driver" for equation in form.equations])
    if int(np.sum(group.basis_rows)) != int(np.sum(group.basis_columns)):
        return ()
    opening = Opening(form, motion, tolerance, group.basis(scales), drivers)
    found: list[Reach] = []
    for equation in (*np.flatnonzero(group.basis_rows & drivers), *np.flatnonzero(group.rows & ~drivers)):
        if len(found) < MOST_REACHES and (reach := reach_of(opening, int(equation), q)) is not None:
            found.append(reach)
    return tuple(found)


def contradictions(
    form: Absolute, motion: Array, tolerance: float, q: Array, sets: Sequence[Dependence]
) -> tuple[Misfit, ...]:
    """Elements that are too many, each with its smallest gap and the others of its sets.

    Where one element opened lets all others close, it alone is told; else the last of each set.
    """
    scales, names = Scales.of(form), list(dict.fromkeys(d.name for d in sets))

    def closest(owners: Sequence[str]) -> Array | None:
        opening = Opening(form, motion, tolerance, Part.whole(form), rows_of(form.equations, owners))
        at = _opened(opening, scales, owners, [form.estimate])  # on the branch of the estimates, where it closes
        return _opened(opening, scales, owners, [q]) if at is None else at

    def told(name: str, at: Array, among: Sequence[Dependence]) -> Misfit:
        others = dict.fromkeys(other for d in among for other in (*d.others, d.name) if other != name)
        return Misfit(name, gap_of(form, scales, form.system.phi(at, motion), name), tuple(others))

    for name in names if len(q) <= MOST_UNKNOWNS else ():
        at = closest([name])
        if at is not None:
            return (told(name, at, sets),)
    at = closest(names) if len(q) <= MOST_UNKNOWNS else None
    return tuple(told(name, q if at is None else at, [d for d in sets if d.name == name]) for name in names)


def contradiction_words(form: Absolute, one: Misfit) -> str:
    gap = one.gap.words(form.model.units)
    if not one.others:
        return f"{one.owner} cannot hold: its gap is {gap}"
    return f"{join_words([*one.others, one.owner])} contradict each other by {gap}"
