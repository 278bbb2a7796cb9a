"""Every planar row as vectors of a loop, or as a linear equation of angles and slides.

A row of two points is an edge of the vector graph: from body i to body j by arms of the bodies, a slide along an axis,
or a link of known length and unknown angle. A row of angles only is linear in them. Numbers are read in the core's
order: what a declaration calls them does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from mubo.arrays import Array
from mubo.elements import COORDINATES
from mubo.mechanism.formulations.vectors import NONE, AngleClasses, Edge, Term
from mubo.mechanism.rows import NamedRow, pack
from mubo.model import GROUND

Linear = tuple[list[int], list[float], float, int]  # unknowns, factors, constant, driver
Pair = tuple[float, ...]
Line = tuple[str, tuple[str, ...], Pair, Pair, Pair]  # a joint, its bodies, point, axis and point: what slides there


class NoLoops(Exception):
    """Raised where the model cannot be written as vector loops; the message says why."""


class VectorGraph:
    """Unknown angles and slides, edges between bodies and linear equations, as rows are added.

    `links` is how many rows bring an angle of their own: angles are numbered before slides.
    """

    def __init__(self, classes: AngleClasses, pose: Mapping[str, Array], links: int) -> None:
        self.classes, self.pose = classes, pose
        self.angle_names = [f"angle of {name}" for name in classes.leaders]
        self.angle_start = list(classes.start)
        self.slide_names: list[str] = []
        self.slide_start: list[float] = []
        self.edges: list[Edge] = []
        self.linear: list[Linear] = []
        self.slide_of: dict[Line, int] = {}
        self._first_slide = len(classes.leaders) + links

    def add(self, row: NamedRow) -> bool:
        """Add a row as vectors of its kind, or as linear in the angles; False where it is neither."""
        if row.kind in ROW_VECTORS:
            ROW_VECTORS[row.kind](self, row)
            return True
        return _linear_in_angles(self, row)

    def slide(self, name: str, start: float) -> int:
        """Number of a new unknown slide; the second of a joint is distinguished from its first."""
        while f"slide of {name}" in self.slide_names:
            name = f"{name}_2"
        self.slide_names.append(f"slide of {name}")
        self.slide_start.append(start)
        return self._first_slide + len(self.slide_names) - 1

    def link_angle(self, name: str, start: float) -> int:
        """The number of the unknown angle of a link without a body."""
        self.angle_names.append(f"angle of {name}")
        self.angle_start.append(start)
        return len(self.angle_names) - 1

    def place(self, body: str, at: tuple[float, ...]) -> Array:
        """A point of a body where it is assembled."""
        x, y, phi = self.pose[body]
        c, s = math.cos(phi), math.sin(phi)
        return np.array([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]])

    def equate(self, slides: dict[int, float], turns: dict[str, float], constant: float, driver: int) -> None:
        """Add Σ factor · unknown = constant + f: bodies' angles written by their classes."""
        factors: dict[int, float] = dict(slides)
        for body, factor in turns.items():
            angle, offset = self.classes.angle_of(body)
            constant -= factor * offset
            if angle >= 0:
                factors[angle] = factors.get(angle, 0.0) + factor
        kept = {u: f for u, f in factors.items() if f}
        self.linear.append((list(kept), list(kept.values()), constant, driver))


def _pairs(row: NamedRow, count: int) -> list[Pair]:
    """The points and directions with which the core's parameters of a row begin, as plain numbers."""
    numbers = [*map(float, row.parameters)]
    return [(numbers[2 * k], numbers[2 * k + 1]) for k in range(count)]


def _coincide(graph: VectorGraph, row: NamedRow) -> None:
    (first, second), arm = row.bodies, graph.classes.arm
    at, on = _pairs(row, 2)
    graph.edges.append(Edge(row.owner.name, first, second, (arm(first, at), arm(second, on, -1))))


def _along(graph: VectorGraph, row: NamedRow) -> None:
    """A slide along the axis of the first body."""
    at, axis, on = _pairs(row, 3)
    _guide(graph, row, at, axis, on)


def _guide(graph: VectorGraph, row: NamedRow, at: Pair, axis: Pair, on: Pair, height: float = 0.0) -> None:
    """A slide along the axis of the first body, at a height on its left."""
    (first, second), arm = row.bodies, graph.classes.arm
    gap = graph.place(second, on) - graph.place(first, at)
    slide = graph.slide(row.owner.name, float(gap @ _turned(graph, first, axis)))
    graph.slide_of[row.owner.name, row.bodies, at, axis, on] = slide
    angle, _, _, x, y = arm(first, axis)
    above = ((angle, NONE, NONE, -height * y, height * x),) if height else ()
    terms = (arm(first, at), *above, (angle, slide, NONE, x, y), arm(second, on, -1))
    graph.edges.append(Edge(row.owner.name, first, second, terms))


def _turned(graph: VectorGraph, body: str, axis: tuple[float, ...]) -> Array:
    phi = graph.pose[body][2]
    c, s = math.cos(phi), math.sin(phi)
    return np.array([c * axis[0] - s * axis[1], s * axis[0] + c * axis[1]])


def _parallel(graph: VectorGraph, row: NamedRow) -> None:
    """A fixed angle has made one class of its two bodies; a driven one is an equation."""
    if row.driver >= 0:
        first, second = row.bodies
        graph.equate({}, {second: 1.0, first: -1.0}, 0.0, row.driver)


def _distance(graph: VectorGraph, row: NamedRow) -> None:
    """A link without mass: a vector of known or driven length and unknown angle."""
    (first, second), arm = row.bodies, graph.classes.arm
    (at, on), length = _pairs(row, 2), row.parameters[-1]
    gap = graph.place(second, on) - graph.place(first, at)
    angle = graph.link_angle(row.owner.name, math.atan2(gap[1], gap[0]))
    along = (angle, NONE, row.driver, 1.0 if row.driver >= 0 else length, 0.0)
    graph.edges.append(Edge(row.owner.name, first, second, (arm(first, at), along, arm(second, on, -1))))


def _roll(graph: VectorGraph, row: NamedRow) -> None:
    """Along and across the rack by two slides; rolling ties the one along it to the angles."""
    (first, second), arm, name = row.bodies, graph.classes.arm, row.owner.name
    at, axis, on = _pairs(row, 3)
    gap, u = graph.place(second, on) - graph.place(first, at), _turned(graph, first, axis)
    along = graph.slide(name, float(gap @ u))
    across = graph.slide(f"{name} across", float(gap @ [-u[1], u[0]]))
    angle, _, _, x, y = arm(first, axis)
    terms = (arm(first, at), (angle, along, NONE, x, y), (angle, across, NONE, -y, x), arm(second, on, -1))
    graph.edges.append(Edge(name, first, second, terms))
    radius, offset = row.parameters[-2:]
    graph.equate({along: 1.0}, {second: radius, first: -radius}, offset, NONE)


def _ratio(graph: VectorGraph, row: NamedRow) -> None:
    first, second, carrier = row.bodies
    p, q, phase = row.parameters
    turns = dict.fromkeys(row.bodies, 0.0)
    for body, factor in ((first, p), (second, q), (carrier, -p - q)):
        turns[body] += factor
    graph.equate({}, turns, q * phase, row.driver)


def _coordinate(graph: VectorGraph, row: NamedRow) -> None:
    *picks, value = row.parameters
    picked = COORDINATES[picks.index(1.0)]
    if picked == "phi":
        graph.equate({}, {row.bodies[0]: 1.0}, value, row.driver)
    else:
        name = row.owner.name if row.driver >= 0 else f"{row.bodies[0]}.{picked}"
        _on_line(graph, row, name, picked, value, (0.0, 0.0))


def _place(graph: VectorGraph, row: NamedRow) -> None:
    (at, direction), value = _pairs(row, 2), row.parameters[-1]
    _on_line(graph, row, row.owner.name, COORDINATES[direction.index(1.0)], value, at)


def _on_line(graph: VectorGraph, row: NamedRow, name: str, picked: str, value: float, at: tuple[float, ...]) -> None:
    """A point whose x (or y) is known or driven: it may slide along the other axis."""
    body, across = row.bodies[0], picked == "x"
    place, size = graph.place(body, at), 1.0 if row.driver >= 0 else value
    fixed: Term = (NONE, NONE, row.driver, size if across else 0.0, 0.0 if across else size)
    slide = graph.slide(name, float(place[1] if across else place[0]))
    free: Term = (NONE, slide, NONE, 0.0, 1.0) if across else (NONE, slide, NONE, 1.0, 0.0)
    graph.edges.append(Edge(name, GROUND, body, (fixed, free, graph.classes.arm(body, at, -1))))


def _slide(graph: VectorGraph, row: NamedRow) -> None:
    """The slide of a joint follows its driver; of a joint it is a height, free along its foot."""
    (at, axis, on), height = _pairs(row, 3), row.parameters[-1]
    if row.driver < 0:
        foot = (axis[1], -axis[0])
        _guide(graph, row, at, foot, on, height)
        return
    line = (row.of, row.bodies, at, axis, on)
    if line not in graph.slide_of:
        raise NoLoops(f"{row.owner.owner} moves the slide of {row.of}, which is no vector")
    graph.equate({graph.slide_of[line]: 1.0}, {}, height, row.driver)


def _linear_in_angles(graph: VectorGraph, row: NamedRow) -> bool:
    """Whether a row is linear in the angles of its bodies, by its J at two positions; then it is added."""
    if row.profile is not None or len(row.words) != 1:
        return False
    bodies = list(dict.fromkeys(row.bodies))
    system = pack([row], 2, bodies, {})
    still = np.zeros(3 * (row.driver + 1))
    here = np.concatenate([graph.pose[name] for name in bodies])
    J, other = (system.jacobian(q, still)[0].reshape(-1, 3) for q in (here, here + 0.7))
    if not np.array_equal(J, other) or np.any(J[:, :2]):
        return False
    constant = float(J[:, 2] @ here.reshape(-1, 3)[:, 2] - system.phi(here, still)[0])
    graph.equate({}, dict(zip(bodies, J[:, 2].tolist(), strict=True)), constant, row.driver)
    return True


ROW_VECTORS: dict[str, Callable[[VectorGraph, NamedRow], None]] = {
    "coincide": _coincide,
    "along": _along,
    "parallel": _parallel,
    "distance": _distance,
    "roll": _roll,
    "ratio": _ratio,
    "coordinate": _coordinate,
    "place": _place,
    "slide": _slide,
}
OWN_ANGLE = ("distance",)  # rows that bring an unknown angle of their own
