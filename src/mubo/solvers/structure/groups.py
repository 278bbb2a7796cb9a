"""Structural groups of a machine as designers name them, driver, dyad RRR, RRP, …, larger groups, and Grashof's rule.

A block of the solver is a group. Two blocks of one equation that are the x and the y equation of the same loop, such as
those of a slider-crank, are one dyad to a designer. R is a pin, P a slider; the joint between the two links of a dyad
stands in the middle.

Grashof's rule states which links of a planar four-bar can make full revolutions. With the shortest link s, the longest
l and the others p and q, some link turns fully against its neighbours exactly if s + l ≤ p + q (Grashof 1883). Which
one is shortest decides what the frame sees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from mubo.elements import REVOLUTE
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.loops import Loops
from mubo.mechanism.formulations.vectors import used_unknowns
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import grounded


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


EQUAL = 1e-9  # of the longest link: how close s + l and p + q are where they count as equal
MOST_BODIES = 60  # of a model that is searched
MOST_LOOPS = 12
Pin = tuple[str, str, str]  # joint, and its two ends


def four_bars(model: ModelDefinition) -> list[dict[str, Any]]:
    """Every loop of four pins through the ground: its links, their lengths, and its Grashof class."""
    if model.dimension != 2 or len(model.bodies) > MOST_BODIES:
        return []
    return [_four_bar_entry(model, loop) for _, loop in zip(range(MOST_LOOPS), _loops(model), strict=False)]


def _loops(model: ModelDefinition) -> Iterator[tuple[Pin, Pin, Pin, Pin]]:
    """Four pins in turn around a loop, the first and the last at the ground."""
    still = grounded(model)
    pins = [
        (joint.name, *pair)
        for joint in model.joints.values()
        if joint.kind == REVOLUTE
        for pair in combinations(joint.between, 2)
    ]

    def body(end: str) -> str:
        name = end.partition(".")[0]
        return GROUND if name in still else name

    both = [pin for name, one, two in pins for pin in ((name, one, two), (name, two, one))]
    onward: dict[str, list[Pin]] = {}
    for pin in both:
        onward.setdefault(body(pin[1]), []).append(pin)
    for first in onward.get(GROUND, []):
        for second in onward.get(body(first[2]), []):
            for third in onward.get(body(second[2]), []):
                for last in onward.get(body(third[2]), []):
                    links = [body(pin[2]) for pin in (first, second, third)]
                    distinct = len(set(links)) == 3 and GROUND not in links and body(last[2]) == GROUND
                    if distinct and len({p[0] for p in (first, second, third, last)}) == 4 and first[0] < last[0]:
                        yield first, second, third, last


def _four_bar_entry(model: ModelDefinition, loop: tuple[Pin, Pin, Pin, Pin]) -> dict[str, Any]:
    first, second, third, last = loop
    pairs = [(first[2], second[1]), (second[2], third[1]), (third[2], last[1]), (last[2], first[1])]
    names = [one.partition(".")[0] for one, _ in pairs[:3]]
    lengths = [math.dist(*(_point_in_body(model, end) for end in pair)) for pair in pairs]
    return {"joints": [pin[0] for pin in loop], "links": dict(zip([*names, GROUND], lengths, strict=True))} | {
        "class": grashof_class(names, lengths)
    }


def grashof_class(names: list[str], lengths: list[float]) -> str:
    """Grashof class as text, from the names of input link, coupler and output link, and the lengths of these and of the
    frame."""
    s, p, q, longest = sorted(lengths)
    gap = p + q - s - longest
    if abs(gap) <= EQUAL * longest:
        return "change point: the links can fall into one line, where the motion may branch"
    if gap < 0:
        return "no Grashof four-bar: no link turns round (triple rocker)"
    shortest = lengths.index(s)
    if shortest == 3:
        return f"double crank: {names[0]} and {names[2]} turn round"
    if shortest == 1:
        return f"double rocker: {names[1]} turns round, {names[0]} and {names[2]} rock"
    rocker = names[2 - shortest]
    return f"crank-rocker: {names[shortest]} turns round, {rocker} rocks"


def _point_in_body(model: ModelDefinition, reference: str) -> tuple[float, float]:
    """A point in its body's axes; on a body that is fixed to the ground, in the ground's."""
    body, (x, y) = model.place(reference)
    if body not in grounded(model):
        return x, y
    c, s = math.cos(model.bodies[body].angle), math.sin(model.bodies[body].angle)
    left, up = model.bodies[body].position
    return left + c * x - s * y, up + s * x + c * y
