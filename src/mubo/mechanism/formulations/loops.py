"""Vector loops from any planar mechanism: angles, slides, a spanning tree, and one closed polygon per chord.

Every row says how to get from one body to the other by vectors: a pin by two link vectors, a slider by a slide along
its axis as well, a massless link by a vector of fixed length and unknown angle. Walking the spanning tree from the
ground places all bodies; each edge outside the tree closes a loop (O'Kins 1964).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mechanism.formulations.row_vectors import OWN_ANGLE, Linear, NoLoops, VectorGraph
from mubo.mechanism.formulations.vectors import (
    NONE,
    AngleClasses,
    Edge,
    Fixed,
    Step,
    Term,
    merge_terms,
    negate_terms,
    shortest_walk,
    terms_along,
    used_unknowns,
)
from mubo.mechanism.mechanism import Mechanism
from mubo.mechanism.rows import NamedRow
from mubo.model import GROUND, ModelDefinition, Point
from mubo.topology import Block, solve_order

__all__ = ["Linear", "Loops", "NoLoops", "vector_loops"]
Placed = tuple[int, int, float, float, float, list[Term]]  # parent, angle, offset, x, y, terms
Polygon = tuple[list[Term], list[set[int]]]  # vectors of a loop, and the unknowns in each of its two equations
OF_ANGLES_ALONE = ("coincide", "parallel", "ratio", "coordinate")  # rows whose vectors no position is needed for


@dataclass
class Loops:
    """A mechanism as vector loops. `bodies` are those that move, in the order in which the core places them."""

    system: _core.LoopSystem
    start: Array  # of the unknowns, from an assembled position
    weight: Array
    bodies: tuple[str, ...]
    chords: tuple[str, ...]  # the joint that closes each loop
    blocks: list[Block]
    unknown_names: tuple[str, ...]
    tree: dict[str, Edge] = field(default_factory=dict)
    polygons: list[list[Term]] = field(default_factory=list)  # the vectors of each loop
    linear: list[Linear] = field(default_factory=list)
    walks: list[list[Step]] = field(default_factory=list)  # each loop from body to body, its closing joint first
    edges: list[Edge] = field(default_factory=list)
    leaders: tuple[str, ...] = ()  # bodies whose angles are the first unknowns


def vector_loops(mechanism: Mechanism, q: Array, points: bool = False) -> Loops:
    """Vector loops of a mechanism that is assembled at q; raises NoLoops where this formulation does not fit.

    With `points` the core places the points of interest after the bodies.
    """
    if mechanism.dimension == 3:
        raise NoLoops("it is in space, and they lie in a plane")
    pose = {**mechanism.poses, **{name: q[3 * k : 3 * k + 3] for k, name in enumerate(mechanism.free)}}
    shared = SharedVectors.of_mechanism(mechanism, pose)
    graph = _graph(mechanism, pose, shared)
    every = [*graph.edges, *shared.standing]
    plan = _loop_plan(mechanism, every, len(graph.edges))
    tree = {name: every[k] for name, k in plan.tree}
    chords = [every[k] for k in plan.chords]
    walks = [[(every[k], forward) for k, forward in walk] for walk in plan.walks]
    closed = [shared.polygon(k, walk) for k, walk in enumerate(walks)]
    polygons = [terms for terms, _ in closed]
    angles, slides = len(graph.angle_names), len(graph.slide_names)
    uses = [used for _, pair in closed for used in pair] + [set(line[0]) for line in graph.linear]
    blocks = _solve_order(mechanism.model, uses, angles + slides)
    if blocks is None:
        raise NoLoops(f"its loops give {len(uses)} equations for {angles + slides} unknowns, or some depend on others")
    named = tuple(mechanism.model.tracked_points.values()) if points else ()
    placed = body_placement(mechanism.free, graph.classes, pose, tree, named, shared)
    return Loops(
        system=_core.LoopSystem(angles, slides, polygons, graph.linear, blocks, placed),
        start=np.array([*graph.angle_start, *graph.slide_start]),
        weight=np.array([1.0] * angles + [1 / mechanism.size] * slides),
        bodies=mechanism.free,
        chords=tuple(edge.name for edge in chords),
        blocks=blocks,
        unknown_names=(*graph.angle_names, *graph.slide_names),
        tree=tree,
        polygons=polygons,
        linear=graph.linear,
        walks=walks,
        edges=graph.edges,
        leaders=tuple(graph.classes.leaders),
    )


def _solve_order(model: ModelDefinition, uses: list[set[int]], unknowns: int) -> list[Block] | None:
    """The blocks of equations, which the variants of a model share as long as the same unknowns are in them."""
    kept = model.structure.get("solve order")
    if kept is None or kept[0] != (uses, unknowns):
        kept = model.structure["solve order"] = (uses, unknowns), solve_order(uses, unknowns)
    blocks: list[Block] | None = kept[1]
    return blocks


def _graph(mechanism: Mechanism, pose: dict[str, Array], shared: SharedVectors) -> VectorGraph:
    """All rows of the mechanism as vectors and linear equations."""
    rows = mechanism.rows
    graph = VectorGraph(shared.classes(pose), pose, sum([row.kind in OWN_ANGLE for row in rows]))
    for k, row in enumerate(rows):
        if not shared.add(graph, k, row):
            joint = mechanism.model.joints.get(row.owner.name if row.owner.kind == "joint" else "")
            what = f" is {mechanism.model.kinds[joint.kind].summary}" if joint else " has an equation"
            raise NoLoops(f"{row.owner.owner}{what}, which is no vector")
    return graph


@dataclass(frozen=True)
class LoopPlan:
    """Tree, closing edges and loops by the numbers of the edges: the same for every variant with the same edges."""

    ends: list[tuple[str, str, str]]
    tree: list[tuple[str, int]]
    chords: list[int]
    walks: list[list[tuple[int, bool]]]


def _loop_plan(mechanism: Mechanism, every: list[Edge], joining: int) -> LoopPlan:
    """The plan of edges, of which the first ones join bodies and the others place fixed bodies."""
    ends = [(edge.name, edge.first, edge.second) for edge in every]
    kept: LoopPlan | None = mechanism.model.structure.get("loop plan")
    if kept is not None and kept.ends == ends:
        return kept
    tree, depth = _spanning_tree(mechanism, every[:joining], every[joining:])
    chords = [
        edge for edge in every[:joining] if tree.get(edge.second) is not edge and tree.get(edge.first) is not edge
    ]
    chords.sort(key=lambda edge: max(depth[edge.first], depth[edge.second]))
    number = {id(edge): k for k, edge in enumerate(every)}
    walks = [[(number[id(edge)], on) for edge, on in walk] for walk in _short_loops(mechanism, tree, chords)]
    in_tree = [(name, number[id(edge)]) for name, edge in tree.items()]
    kept = LoopPlan(ends, in_tree, [number[id(edge)] for edge in chords], walks)
    mechanism.model.structure["loop plan"] = kept
    return kept


def _spanning_tree(
    mechanism: Mechanism, edges: list[Edge], standing: list[Edge]
) -> tuple[dict[str, Edge], dict[str, int]]:
    """Bodies in the order of a breadth-first walk from the ground, each with its edge, and their distances from the
    ground."""
    around: dict[str, list[Edge]] = {name: [] for name in mechanism.poses}
    for edge in edges:
        around[edge.first].append(edge)
        around[edge.second].append(edge)
    tree = {edge.second: edge for edge in standing}
    depth, queue = {GROUND: 0} | dict.fromkeys(tree, 1), [GROUND, *tree]
    for body in queue:
        for edge in around[body]:
            other = edge.second if edge.first == body else edge.first
            if other not in depth:
                depth[other] = depth[body] + 1
                tree[other] = edge
                queue.append(other)
    left = [name for name in around if name not in depth]
    if left:
        raise NoLoops(f"nothing connects {left[0]} to the ground by vectors")
    return tree, depth


def _short_loops(mechanism: Mechanism, tree: dict[str, Edge], chords: list[Edge]) -> list[list[Step]]:
    """One loop per chord: over the chord, and back by the shortest walk over the tree and the chords before it.

    Each loop has a chord that the loops before it do not have, so that they are independent.
    """
    around: dict[str, list[Edge]] = {name: [] for name in mechanism.model.bodies}
    for edge in tree.values():
        around[edge.first].append(edge)
        around[edge.second].append(edge)
    loops = []
    for chord in chords:
        loops.append([(chord, True), *shortest_walk(around, chord.second, chord.first)])
        around[chord.first].append(chord)
        around[chord.second].append(chord)
    return loops


def body_placement(
    free: tuple[str, ...],
    classes: AngleClasses,
    pose: Mapping[str, Array],
    tree: dict[str, Edge],
    points: tuple[Point, ...],
    shared: SharedVectors,
) -> list[Placed]:
    """Placement of every moving body from its parent in the tree, or from a fixed body; then the points."""
    number = {name: k for k, name in enumerate(free)}

    def placed(parent: str, angle: int, offset: float, terms: tuple[Term, ...]) -> Placed:
        x, y = (0.0, 0.0) if parent in number else (float(value) for value in pose[parent][:2])
        return number.get(parent, NONE), angle, offset, x, y, list(terms)

    def along(name: str, edge: Edge) -> Placed:
        forward = edge.second == name
        terms = edge.terms if forward else negate_terms(edge.terms)
        return placed(edge.first if forward else edge.second, *classes.angle_of(name), terms)

    out = [shared.placement(name, tree[name], along) for name in free]
    out += [placed(point.body, NONE, 0.0, (classes.arm(point.body, point.at),)) for point in points]
    return out


class SharedVectors:
    """Vectors of rows, loops and placements, for models with the same classes of angles and the same fixed bodies.

    A variant in which a point of one body is elsewhere has the same rows at all other joints. Their vectors, the loops
    of such vectors alone and the placement of bodies by them are kept, each beside the objects that it follows from.
    """

    def __init__(self, fixed: list[Fixed], standing: Mapping[str, Array], pose: Mapping[str, Array]) -> None:
        self.fixed, self.numbers = fixed, _numbers(standing)
        self._classes = AngleClasses(pose, standing, fixed)
        self.standing = [_standing_edge(name, place) for name, place in standing.items() if name != GROUND]
        self._rows: dict[int, tuple[NamedRow, list[Edge], list[Linear]]] = {}
        self._polygons: dict[int, tuple[list[Step], Polygon]] = {}
        self._placed: dict[str, tuple[Edge, Placed]] = {}

    @classmethod
    def of_mechanism(cls, mechanism: Mechanism, pose: Mapping[str, Array]) -> SharedVectors:
        """The vectors shared by the variants of a model, as long as fixed bodies and fixed angles are the same."""
        rows = mechanism.rows
        fixed = [(*row.bodies, *row.parameters) for row in rows if row.kind == "parallel" and row.driver < 0]
        standing = {name: pose[name] for name in mechanism.fixed}
        kept: SharedVectors | None = mechanism.model.structure.get("loop vectors")
        if kept is None or kept.fixed != fixed or kept.numbers != _numbers(standing):
            kept = mechanism.model.structure["loop vectors"] = cls(fixed, standing, pose)  # type: ignore[arg-type]
        return kept

    def classes(self, pose: Mapping[str, Array]) -> AngleClasses:
        """The classes of angles, with those of a pose as estimates."""
        return self._classes.replace_start(pose)

    def add(self, graph: VectorGraph, number: int, row: NamedRow) -> bool:
        """Add a row to a graph of vectors, as `VectorGraph.add` does."""
        kept = self._rows.get(number)
        if kept is not None and kept[0] is row:
            graph.edges += kept[1]
            graph.linear += kept[2]
            return True
        edges, lines, slides = len(graph.edges), len(graph.linear), len(graph.slide_names)
        if not graph.add(row):
            return False
        if row.kind in OF_ANGLES_ALONE and len(graph.slide_names) == slides:
            self._rows[number] = row, graph.edges[edges:], graph.linear[lines:]
        return True

    def polygon(self, number: int, walk: list[Step]) -> Polygon:
        """The vectors of a loop, and the unknowns in its equations."""
        kept = self._polygons.get(number)
        if kept is None or not _same_walk(kept[0], walk):
            terms = merge_terms(terms_along(walk))
            kept = self._polygons[number] = walk, (terms, [set(used_unknowns(terms, row)) for row in (0, 1)])
        return kept[1]

    def placement(self, name: str, edge: Edge, place: Callable[[str, Edge], Placed]) -> Placed:
        """The placement of a body by an edge of the tree."""
        kept = self._placed.get(name)
        if kept is None or kept[0] is not edge:
            kept = self._placed[name] = edge, place(name, edge)
        return kept[1]


def _same_walk(one: list[Step], other: list[Step]) -> bool:
    """Whether two walks go along the same objects."""
    if len(one) != len(other):
        return False
    return all(a is b and forward is on for (a, forward), (b, on) in zip(one, other, strict=True))


def _numbers(poses: Mapping[str, Array]) -> list[tuple[str, bytes]]:
    """Names and numbers of poses, to be compared."""
    return [(name, pose.tobytes()) for name, pose in poses.items()]


def _standing_edge(name: str, pose: Array) -> Edge:
    """The edge from the ground to a fixed body."""
    x, y, _ = pose
    return Edge(name, GROUND, name, ((NONE, NONE, NONE, float(x), float(y)),))
