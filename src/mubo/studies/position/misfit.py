"""Why a mechanism does not close, in geometry: which element stays open, by how much at least, and what decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.studies.position.closest import Opening
from mubo.studies.position.diagnose import Dependence
from mubo.studies.position.groups import Group, open_group
from mubo.studies.position.linear import Part
from mubo.studies.position.reach import Reach, reach_of
from mubo.studies.position.scales import Gap, Scales, gap_of, rows_of
from mubo.studies.position.words import elements_of, join_words

MOST_CANDIDATES = 8  # elements of a group that are opened, one after the other
MOST_REACHES = 3  # drivers and lengths whose range is told
MOST_UNKNOWNS = 600  # of a contradiction whose closest position is sought
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
    """Of the first group that does not close: the joint that needs to open least, drivers held; q is a position near."""
    scales = Scales.of(form)
    group = open_group(form, scales, motion, tolerance, q)
    everything = np.ones(len(form.equations), bool)
    whole = Group(everything, np.ones(len(q), bool), everything, np.ones(len(q), bool), q)
    group = group or whole
    elements = elements_of(e for e, own in zip(form.equations, group.rows, strict=True) if own and e.kind != "body")
    joints = [name for name in elements if name.startswith("joint ")]
    starts = (np.where(group.columns, q, group.q), group.q)
    best = None
    for name in (joints or elements)[:MOST_CANDIDATES]:
        at = _opened(Opening(form, motion, tolerance, group.part(scales), everything), scales, [name], starts)
        size = None if at is None else gap_of(form, scales, form.system.phi(at, motion), name)
        if at is not None and size is not None and (best is None or _smaller(form, size, best[0])):
            best = size, name, at
    if best is None:  # several faults: the largest gap of the position that is closest in all
        phi = scales.weight * form.system.phi(q, motion) * group.rows
        name, closest = form.equations[int(np.argmax(np.abs(phi)))].owner, q
    else:
        _, name, closest = best
    gap = gap_of(form, scales, form.system.phi(closest, motion), name)
    others = tuple(other for other in elements if other != name)
    return Misfit(name, gap, others, _moved(form, group), _reaches(form, scales, motion, tolerance, group, closest))


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
    drivers = [e.kind == "driver" for e in form.equations]
    asked = np.flatnonzero(group.basis_rows & drivers).tolist() + np.flatnonzero(group.rows & ~np.array(drivers)).tolist()
    opening = Opening(form, motion, tolerance, group.basis(scales), np.zeros(len(form.equations), bool))
    if int(np.sum(group.basis_rows)) != int(np.sum(group.basis_columns)):
        return ()
    found: list[Reach] = []
    for equation in asked:
        if len(found) < MOST_REACHES and (reach := reach_of(opening, equation, q)) is not None:
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
