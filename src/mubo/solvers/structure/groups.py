"""Structural groups of a machine as designers name them: driver, dyad RRR, RRP, …, larger groups.

A block of the solver is a group. Two blocks of one equation that are the x and the y equation of the same loop, such as
those of a slider-crank, are one dyad to a designer. R is a pin, P a slider; the joint between the two links of a dyad
stands in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import used_unknowns
from mubo.model import GROUND


@dataclass(frozen=True)
class StructuralGroup:
    """Equations solved together and the unknowns they give, by number."""

    kind: str
    rows: tuple[int, ...]
    unknowns: tuple[int, ...]

    def gives(self, loops: Loops) -> tuple[str, ...]:
        return tuple(loops.unknown_names[u] for u in self.unknowns)

    def parts(self, loops: Loops) -> tuple[str, ...]:
        """Names of the links and sliders whose angles and slides it gives."""
        return tuple(dict.fromkeys(name.partition(" of ")[2] for name in self.gives(loops)))

    def loops(self, loops: Loops) -> tuple[int, ...]:
        """Numbers of the loops it closes."""
        return tuple(dict.fromkeys(row // 2 for row in self.rows if row < 2 * len(loops.polygons)))


def structural_groups(loops: Loops) -> list[StructuralGroup]:
    """All groups, in an order in which each needs only those before it."""
    place = {rows[0]: k for k, (rows, _) in enumerate(loops.blocks) if len(rows) == 1}
    given = {u: k for k, (_, unknowns) in enumerate(loops.blocks) for u in unknowns}
    joined: dict[int, int | None] = {}  # block → the block joined to it; None: it is shown there
    for number, terms in enumerate(loops.polygons):
        if 2 * number not in place or 2 * number + 1 not in place:
            continue
        first, second = sorted((2 * number, 2 * number + 1), key=place.__getitem__)
        i, j = place[first], place[second]
        if all(given[u] <= i or given[u] == j for u in used_unknowns(terms, second % 2)):
            joined |= {i: j, j: None}
        elif not any(set(loops.blocks[i][1]) & _block_unknowns(loops, k) for k in range(i + 1, j)):
            joined |= {j: i, i: None}
    out = []
    for k, (rows, unknowns) in enumerate(loops.blocks):
        other = joined.get(k, -1)
        if other is not None:
            more = loops.blocks[other] if other >= 0 else ([], [])
            out.append(_structural_group(loops, tuple(sorted([*rows, *more[0]])), tuple(sorted([*unknowns, *more[1]]))))
    return out


def _block_unknowns(loops: Loops, block: int) -> set[int]:
    """Unknowns in the equations of a block."""
    vectors = 2 * len(loops.polygons)
    out: set[int] = set()
    for row in loops.blocks[block][0]:
        out |= set(
            used_unknowns(loops.polygons[row // 2], row % 2) if row < vectors else loops.linear[row - vectors][0]
        )
    return out


def _structural_group(loops: Loops, rows: tuple[int, ...], unknowns: tuple[int, ...]) -> StructuralGroup:
    vectors = 2 * len(loops.polygons)
    linear = [loops.linear[row - vectors] for row in rows if row >= vectors]
    if len(rows) == 1:
        if linear:
            kind = "locked" if len(linear[0][0]) == 1 else "ratio"
            return StructuralGroup("driver" if linear[0][3] >= 0 else kind, rows, unknowns)
        driven = any(driver >= 0 and (x, y)[rows[0] % 2] for _, _, driver, x, y in loops.polygons[rows[0] // 2])
        return StructuralGroup("driver" if driven else "projection", rows, unknowns)
    if len(linear) == len(rows):
        return StructuralGroup("gear train", rows, unknowns)
    if len(rows) == 2 and not linear and rows[0] // 2 == rows[1] // 2:
        return StructuralGroup(_dyad_kind(loops, rows[0] // 2, unknowns), rows, unknowns)
    return StructuralGroup(f"group of {len(rows)} equations", rows, unknowns)


def _dyad_kind(loops: Loops, number: int, unknowns: tuple[int, ...]) -> str:
    """Kind of a dyad by its unknowns: two angles, an angle and a slide, or two slides."""
    angles = [u for u in unknowns if loops.unknown_names[u].startswith("angle")]
    if len(angles) == 2:
        return "dyad RRR"
    terms = loops.polygons[number]
    if angles:
        slides = [angle for angle, slide, *_ in terms if slide in unknowns]
        return "dyad RPR" if slides == angles else "dyad RRP"
    if any(angle < 0 and driver >= 0 for angle, _, driver, _, _ in terms):
        return "driver"  # of x and y of a point
    return _two_slide_kind(loops, number, unknowns)


def _two_slide_kind(loops: Loops, number: int, unknowns: tuple[int, ...]) -> str:
    """Kind RPP where one slider runs on the other link's slider, PRP where a pin joins the two."""
    walk = loops.walks[number]
    standing = {GROUND} | {edge.name for name, edge in loops.tree.items() if edge.name == name}  # see _standing
    if any(sum(term[1] >= 0 for term in edge.terms) == 2 for edge, _ in walk):
        return "rack"
    slides = [k for k, (edge, _) in enumerate(walk) if any(term[1] in unknowns for term in edge.terms)]
    if len(slides) == 2:
        i, j = slides
        for part in (walk[i : j + 1], [*walk[j:], *walk[: i + 1]]):
            inner = [edge.second if forward else edge.first for edge, forward in part[:-1]]
            if not standing & set(inner) and len(part) <= 3:
                return "dyad RPP" if len(part) == 2 else "dyad PRP"
    return "dyad with two sliders"
