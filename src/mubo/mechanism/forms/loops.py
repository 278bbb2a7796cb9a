"""Vector loops from any planar model: angles, slides, a spanning tree, and one closed polygon per chord.

Every joint says how to get from one body to the other by vectors: a pin by two link vectors, a slider by a slide along
its axis as well, a massless link by a vector of fixed length and unknown angle. Walking the spanning tree from the
ground places all bodies; each joint outside the tree closes a loop (O'Kins 1964).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.elements import JOINTS
from mubo.mechanism.forms.absolute import Compiled
from mubo.mechanism.forms.angles import AngleClasses
from mubo.mechanism.forms.placing import how_placed
from mubo.mechanism.forms.vectors import NONE, Edge, Step, Term, merged, terms_along, used, way_back
from mubo.model import GROUND, target_of
from mubo.topology.blocks import Block, solve_order

Linear = tuple[list[int], list[float], float, int]


@dataclass
class Loops:
    """A model as vector loops. `bodies` are those that move, in the order in which the core places them."""

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


class NoLoops(Exception):
    """The model cannot be written as vector loops; the message says why."""


def compile_loops(compiled: Compiled, q: Array, points: bool = False) -> Loops:
    """Vector loops of a compiled model that is assembled at q; raises NoLoops where the form does not fit.

    With `points` the core places the points of interest after the bodies.
    """
    if compiled.model.dimension == 3:
        raise NoLoops("it is in space, and they lie in a plane")
    return _Builder(compiled, q, points).build()


class _Builder:
    def __init__(self, compiled: Compiled, q: Array, points: bool) -> None:
        self.compiled, self.model = compiled, compiled.model
        self.points = tuple(self.model.points.values()) if points else ()
        self.pose = {name: np.array([*b.position, b.angle]) for name, b in self.model.bodies.items()}
        self.pose |= {name: q[3 * k : 3 * k + 3] for k, name in enumerate(compiled.free)}
        self.classes = AngleClasses(compiled, self.pose)
        self._arm = self.classes.arm
        self.names = [f"angle of {name}" for name in self.classes.leaders]
        self.start = list(self.classes.start)
        self.slide_names: list[str] = []
        self.slide_start: list[float] = []
        self.edges: list[Edge] = []
        self.linear: list[Linear] = []
        self.slide_of: dict[str, int] = {}
        self.depth: dict[str, int] = {}
        self.first_slide = 0

    def build(self) -> Loops:
        links = self._count_links()
        self.first_slide = len(self.classes.leaders) + links
        for joint in self.model.joints.values():
            self._joint(joint.name)
        for column, driver in enumerate(self.model.drivers.values()):
            self._driver(driver.name, column)
        tree = self._spanning_tree()
        chords = [edge for edge in self.edges if tree.get(edge.second) is not edge and tree.get(edge.first) is not edge]
        chords.sort(key=lambda edge: max(self.depth[edge.first], self.depth[edge.second]))
        walks = self._short_loops(tree, chords)
        loops = [merged(terms_along(walk)) for walk in walks]
        unknowns = len(self.names) + len(self.slide_names)
        uses = [set(used(terms, row)) for terms in loops for row in (0, 1)] + [set(line[0]) for line in self.linear]
        blocks = solve_order(uses, unknowns)
        if blocks is None:
            raise NoLoops(f"its loops give {len(uses)} equations for {unknowns} unknowns, or some are not independent")
        placed = how_placed(self.compiled, self.classes, self.pose, tree, self.points)
        size = 1 / float(self.compiled.weight[0])
        angles = len(self.names)
        return Loops(
            system=_core.LoopSystem(angles, len(self.slide_names), loops, self.linear, blocks, placed),
            start=np.array([*self.start, *self.slide_start]),
            weight=np.array([1.0] * angles + [1 / size] * len(self.slide_names)),
            bodies=self.compiled.free,
            chords=tuple(edge.name for edge in chords),
            blocks=blocks,
            unknown_names=(*self.names, *self.slide_names),
            tree=tree,
            polygons=loops,
            linear=self.linear,
            walks=walks,
            edges=self.edges,
            leaders=tuple(self.classes.leaders),
        )

    def _count_links(self) -> int:
        """Massless links and driven distances have an angle of their own; angles are numbered before slides."""
        links = sum(joint.kind in ("distance", "circle") for joint in self.model.joints.values())
        return links + sum(isinstance(driver.of, tuple) for driver in self.model.drivers.values())

    def _place(self, body: str, at: list[float]) -> Array:
        x, y, phi = self.pose[body]
        c, s = math.cos(phi), math.sin(phi)
        return np.array([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]])

    def _slide(self, name: str, start: float) -> int:
        self.slide_names.append(f"slide of {name}")
        self.slide_start.append(start)
        return self.first_slide + len(self.slide_names) - 1

    def _link_angle(self, name: str, start: float) -> int:
        self.names.append(f"angle of {name}")
        self.start.append(start)
        return len(self.names) - 1

    def _joint(self, name: str) -> None:
        joint = self.model.joints[name]
        element, held = JOINTS[joint.kind], self.compiled.values.get(name, {})
        ends = [reference.partition(".")[0] for reference in joint.between]
        if joint.kind in ("revolute", "fixed"):
            first = list(self.model.place(joint.between[0])[1])
            for other in joint.between[1:]:
                body, at = self.model.place(other)
                self.edges.append(Edge(name, ends[0], body, (self._arm(ends[0], first), self._arm(body, list(at), -1))))
        elif joint.kind in ("translational", "slot"):
            self._sliding(name, ends, held)
        elif joint.kind in ("distance", "circle"):
            length = held["length" if joint.kind == "distance" else "radius"][0]
            self._link(name, ends, held["point_i"], held["point_j"], length, NONE)
        elif joint.kind == "rack":
            self._rack(name, ends, held)
        elif joint.kind in ("gears", "belt"):
            self._ratio(ends[0], ends[1], joint.options.get("carrier", GROUND), held["factors"], held["phase"][0])
        elif joint.kind == "coordinate":
            self._coordinate(joint.between[0], held["value"][0])
        elif not element.anchors:
            raise NoLoops(f"joint {name} is {element.summary}, which is no vector")

    def _sliding(self, name: str, ends: list[str], held: dict[str, list[float]]) -> None:
        axis, at, on = held["axis"], held["point_i"], held["point_j"]
        gap = self._place(ends[1], on) - self._place(ends[0], at)
        phi = self.pose[ends[0]][2]
        c, s = math.cos(phi), math.sin(phi)
        along = float(gap @ [c * axis[0] - s * axis[1], s * axis[0] + c * axis[1]])
        slide = self.slide_of[name] = self._slide(name, along)
        angle, _, _, x, y = self._arm(ends[0], axis)
        terms = (self._arm(ends[0], at), (angle, slide, NONE, x, y), self._arm(ends[1], on, -1))
        self.edges.append(Edge(name, ends[0], ends[1], terms))

    def _link(self, name: str, ends: list[str], at: list[float], on: list[float], length: float, driver: int) -> None:
        gap = self._place(ends[1], on) - self._place(ends[0], at)
        angle = self._link_angle(name, math.atan2(gap[1], gap[0]))
        terms = (self._arm(ends[0], at), (angle, NONE, driver, length, 0.0), self._arm(ends[1], on, -1))
        self.edges.append(Edge(name, ends[0], ends[1], terms))

    def _rack(self, name: str, ends: list[str], held: dict[str, list[float]]) -> None:
        """Along and across the rack by two slides; rolling ties the one along it to the angles."""
        axis, at, on = held["axis"], held["point_i"], held["point_j"]
        gap = self._place(ends[1], on) - self._place(ends[0], at)
        phi = self.pose[ends[0]][2] + math.atan2(axis[1], axis[0])
        u = np.array([math.cos(phi), math.sin(phi)])
        along = self._slide(name, float(gap @ u))
        across = self._slide(f"{name} across", float(gap @ [-u[1], u[0]]))
        angle, _, _, x, y = self._arm(ends[0], axis)
        terms = (self._arm(ends[0], at), (angle, along, NONE, x, y), (angle, across, NONE, -y, x))
        self.edges.append(Edge(name, ends[0], ends[1], (*terms, self._arm(ends[1], on, -1))))
        r = held["rolling"][0]
        self._linear({along: 1.0}, {ends[1]: r, ends[0]: -r}, held["offset"][0], NONE)

    def _ratio(self, first: str, second: str, carrier: str, factors: list[float], phase: float) -> None:
        p, q = factors
        self._linear({}, {first: p, second: q, carrier: -p - q}, phase, NONE)

    def _coordinate(self, of: str, value: float) -> None:
        body, _, picked = of.partition(".")
        if picked == "phi":
            self._linear({}, {body: 1.0}, value, NONE)
        else:
            fixed = (NONE, NONE, NONE, value, 0.0) if picked == "x" else (NONE, NONE, NONE, 0.0, value)
            self._on_line(of, body, picked, fixed, [0.0, 0.0])

    def _on_line(self, name: str, body: str, picked: str, fixed: Term, at: list[float]) -> None:
        """A point whose x (or y) is known: it may slide along the other axis."""
        place = self._place(body, at)
        slide = self._slide(name, float(place[1] if picked == "x" else place[0]))
        free = (NONE, slide, NONE, 0.0, 1.0) if picked == "x" else (NONE, slide, NONE, 1.0, 0.0)
        self.edges.append(Edge(name, GROUND, body, (fixed, free, self._arm(body, at, -1))))

    def _driver(self, name: str, column: int) -> None:
        driver = self.model.drivers[name]
        target = target_of(self.model, driver.of)
        kind = target.element.name
        if kind == "body_coordinate" and target.picked == "phi":
            self._linear({}, {target.bodies[0]: 1.0}, 0.0, column)
        elif kind == "joint_angle":
            self._linear({}, {target.bodies[1]: 1.0, target.bodies[0]: -1.0}, 0.0, column)
        elif kind == "joint_slide":
            self._linear({self.slide_of[str(driver.of)]: 1.0}, {}, 0.0, column)
        elif kind == "point_distance":
            self._link(name, list(target.bodies), list(target.points[0]), list(target.points[1]), 1.0, column)
        else:
            x = 1.0 if target.picked == "x" else 0.0
            at = list(target.points[0]) if target.points else [0.0, 0.0]
            self._on_line(name, target.bodies[0], target.picked, (NONE, NONE, column, x, 1.0 - x), at)

    def _linear(self, slides: dict[int, float], turns: dict[str, float], constant: float, driver: int) -> None:
        """Σ factor · unknown = constant + f: bodies' angles written by their classes."""
        factors: dict[int, float] = dict(slides)
        for body, factor in turns.items():
            angle, offset = self.classes.of(body)
            constant -= factor * offset
            if angle >= 0:
                factors[angle] = factors.get(angle, 0.0) + factor
        kept = {u: f for u, f in factors.items() if f}
        self.linear.append((list(kept), list(kept.values()), constant, driver))

    def _spanning_tree(self) -> dict[str, Edge]:
        """Bodies in the order in which a breadth-first walk from the ground reaches them, each with its edge."""
        around: dict[str, list[Edge]] = {name: [] for name in self.model.bodies}
        for edge in self.edges:
            around[edge.first].append(edge)
            around[edge.second].append(edge)
        tree: dict[str, Edge] = {}
        self.depth = {GROUND: 0}
        queue = [GROUND]
        for name in self.compiled.fixed:
            if name != GROUND:
                tree[name] = self._standing(name)
                self.depth[name] = 1
                queue.append(name)
        for body in queue:
            for edge in around[body]:
                other = edge.second if edge.first == body else edge.first
                if other not in self.depth:
                    self.depth[other] = self.depth[body] + 1
                    tree[other] = edge
                    queue.append(other)
        left = [name for name in self.model.bodies if name not in self.depth]
        if left:
            raise NoLoops(f"nothing connects {left[0]} to the ground by vectors")
        return tree

    def _standing(self, name: str) -> Edge:
        x, y, _ = self.pose[name]
        return Edge(name, GROUND, name, ((NONE, NONE, NONE, float(x), float(y)),))

    def _short_loops(self, tree: dict[str, Edge], chords: list[Edge]) -> list[list[Step]]:
        """One loop per chord: over the chord, and back by the shortest way over the tree and the chords before it.

        Each loop has a chord that the loops before it do not have, so that they are independent.
        """
        around: dict[str, list[Edge]] = {name: [] for name in self.model.bodies}
        for edge in tree.values():
            around[edge.first].append(edge)
            around[edge.second].append(edge)
        loops = []
        for chord in chords:
            loops.append([(chord, True), *way_back(around, chord.second, chord.first)])
            around[chord.first].append(chord)
            around[chord.second].append(chord)
        return loops
