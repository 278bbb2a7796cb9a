"""A deck as the tables of a native model file: links become bodies, shared ends of vectors pins, numbers parameters.

Every length of the cards is a parameter, r1 of z1, and so is every direction that is a dimension: theta2 of a frame
vector, of a link with several vectors, of a crank at its start. To vary one is to punch another card. The axes of a
body begin at the tail of its first vector and lie along the first vector of its link.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from mubo.elements import OLDHAM, REVOLUTE, TRANSLATIONAL
from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.layout import DeckLayout, Place, PlacedVector
from mubo.legacy.okins1964.linkage import VectorLinkage, VectorPath, vector_name
from mubo.model import GROUND

UNITS = {"length": "unstated", "angle": "deg", "time": "s"}  # of its lengths a deck does not say the unit
RAM, ROD, SLIDE = "ram", "rod", "slide"
Sum = Mapping[int, float]  # how often each vector is in it


@dataclass
class LinkBody:
    """A body of a deck: the vectors of a link that hold together, and its points from the tail of the first of them."""

    name: str
    link: tuple[int, ...]
    vectors: list[PlacedVector]
    points: dict[Place, Sum] = field(default_factory=dict)

    @property
    def axis(self) -> int:
        """The vector along which its x axis lies."""
        return min(self.link)


def native_tables(linkage: VectorLinkage, closed: VectorLinkage, name: str) -> dict[str, Any]:
    """The tables of the native file that states the same as a deck whose loops are complete.

    `closed` is the same linkage with its links where they close the loops: the estimates.
    """
    return _Tables(linkage, closed, name).tables()


class _Tables:
    def __init__(self, linkage: VectorLinkage, closed: VectorLinkage, name: str) -> None:
        self.linkage, self.closed, self.name = linkage, closed, name
        self.layout = DeckLayout(closed)
        ram = linkage.drive is not None and linkage.drive.kind == RAM
        self.ram = self.layout.first(1) if ram else None
        self.bodies = [body for group in linkage.groups.items() for body in self._bodies(*group)]
        self.letters = {place: _letter(k) for k, place in enumerate(self.layout.positions)}

    def tables(self) -> dict[str, Any]:
        """All tables of the file."""
        tables: dict[str, Any] = {
            "name": self.name,
            "units": UNITS,
            "parameters": self._parameters(),
            "body": self._body_tables(),
            "joint": self._joints(),
            "driver": {},
            "point": dict(self._path_points()),
            "measure": {vector_name(k): self._measure(k) for k in self.linkage.vectors if self.layout.first(k)},
        }
        drive, positions = self.linkage.drive, self.linkage.positions
        if drive is not None and positions is not None:
            of, start = (SLIDE, "r1") if drive.kind == RAM else (f"{drive.kind}.phi", "theta1")
            tables["driver"][drive.kind] = {"of": of, "motion": {"polynomial": [start, "rate"]}}
            times = {"start": 0.0, "end": positions.end, "step": positions.step}
            tables["analysis"] = {"type": "kinematics", **times, "reverse": positions.back}
        return tables

    def _parameters(self) -> dict[str, float | str]:
        linkage = self.linkage
        values: dict[str, float | str] = {f"r{k}": linkage.lengths[k - 1] for k in linkage.vectors}
        several = {v for group in linkage.groups.values() if len(group) > 1 for v in group}
        shown = {*linkage.frame, *several, *((1,) if "crank" in linkage.groups else ())}
        values |= {f"theta{k}": f"{linkage.angles[k - 1]!r} deg" for k in sorted(shown)}
        for number, path in enumerate(linkage.paths, 1):
            if path.coupler is not None:
                values |= {f"rcoup{number}": path.coupler.length, f"delta{number}": f"{path.coupler.angle!r} deg"}
        return values | ({"rate": linkage.drive.rate} if linkage.drive is not None else {})

    def _bodies(self, name: str, link: tuple[int, ...]) -> Iterator[LinkBody]:
        """The vectors of a link that hang together; a ram has a body at each end. Further ones turn with the first."""
        vectors = [placed for placed in self.layout.placed if placed.number in link]
        parts: list[list[PlacedVector]] = []
        if self.ram in vectors:
            vectors = [placed for placed in vectors if placed.number != 1]
            parts = [_connected_vectors(PlacedVector(0, end, end), vectors) for end in self.ram.ends]
        while vectors:
            parts.append(_connected_vectors(vectors.pop(0), vectors))
        names = [name, *([ROD] if self.ram is not None and 1 in link else [])]
        names += [f"{name}_{k}" for k in range(2, len(parts) + 1)]
        for body_name, part in zip(names, parts, strict=False):
            body = LinkBody(body_name, link, part)
            body.points.update(_points(part))
            yield body

    def _body_tables(self) -> dict[str, Any]:
        fixed = {place: _terms(place) for place in self.layout.positions if self.layout.fixed(place)}
        tables: dict[str, Any] = {GROUND: {"points": self._points(fixed, 0)}}
        for body in self.bodies:
            at = self.layout.positions[next(iter(body.points))]
            points = self._points(body.points, body.axis)
            tables[body.name] = {
                "position": [at.real, at.imag],
                "angle": self.closed.angles[body.axis - 1],
                "points": points,
            }
        return tables

    def _points(self, points: Mapping[Place, Sum], axis: int) -> dict[str, list[float | str]]:
        return {self.letters[place]: coordinates(terms, axis) for place, terms in points.items()}

    def _joints(self) -> dict[str, Any]:
        """A pin wherever bodies share a place, the slide of a ram, and what turns further bodies of a link with it."""
        joints: dict[str, Any] = {}
        for place, letter in self.letters.items():
            bodies = [GROUND] * self.layout.fixed(place) + [body.name for body in self.bodies if place in body.points]
            if len(bodies) > 1:
                joints[letter] = {"type": REVOLUTE, "between": [f"{name}.{letter}" for name in bodies]}
        if self.ram is not None:
            between = self._ends(1)
            joints[SLIDE] = {"type": TRANSLATIONAL, "between": between, "axis": [1, 0], "angle": 0}
        for body in self.bodies:
            main = next(other for other in self.bodies if other.link == body.link)
            if body is not main and body.name != ROD:
                ends = [f"{one.name}.{self.letters[next(iter(one.points))]}" for one in (main, body)]
                joints[f"{body.name}_parallel"] = {"type": OLDHAM, "between": ends, "angle": 0}
        return joints

    def _measure(self, vector: int) -> dict[str, Any]:
        """A vector with its ends, and the full turns that the cards give it beside its body."""
        placed, angles = self.layout.first(vector), self.linkage.angles
        axis = next((body.axis for body in self.bodies if placed in body.vectors), 1 if placed == self.ram else 0)
        beside = angles[vector - 1] - (angles[axis - 1] if axis else 0.0)
        turns = math.ceil((beside - 180) / 360)
        return {"vector": self._ends(vector)} | ({"turns": turns} if turns else {})

    def _ends(self, vector: int) -> list[str]:
        """Both ends of a vector as points of bodies."""
        placed = self.layout.first(vector)
        assert placed is not None
        if placed == self.ram:
            tail, head = next(b for b in self.bodies if 1 in b.link), next(b for b in self.bodies if b.name == ROD)
            return [f"{tail.name}.{self.letters[placed.tail]}", f"{head.name}.{self.letters[placed.head]}"]
        name = next((body.name for body in self.bodies if placed in body.vectors), GROUND)
        return [f"{name}.{self.letters[place]}" for place in placed.ends]

    def _path_points(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The points that the paths ask for, on the body of the vector that leads there."""
        for number, path in enumerate(self.linkage.paths, 1):
            places = self.layout.walk(path.vectors, self.layout.origin)
            steps = list(zip(step_names(number, path), path.vectors, places, strict=True))
            for name, vector, place in steps if path.every else ():
                yield name, self._point(vector, place)
            _, vector, place = steps[-1]
            yield f"path{number}", self._point(vector, place)
            if path.coupler is not None:
                yield f"coupler{number}", self._point(vector, place, number)

    def _point(self, vector: int, place: Place, coupler: int = 0) -> dict[str, Any]:
        holding = [body for body in self.bodies if place in body.points]
        body = next((body for body in holding if abs(vector) in body.link), holding[0] if holding else None)
        fixed = body is None or (self.layout.fixed(place) and abs(vector) in self.linkage.frame)
        axis, terms = (0, _terms(place)) if fixed or body is None else (body.axis, body.points[place])
        at = coordinates(terms, axis)
        if coupler:
            beside = _beside(abs(vector), axis)
            turn = f"{beside} + delta{coupler}" if beside else f"delta{coupler}"
            pair = zip(at, ("cos", "sin"), strict=True)
            at = [f"{start} + rcoup{coupler}*{word}({turn})" for start, word in pair]
        return {"body": GROUND if fixed or body is None else body.name, "at": at}


def _connected_vectors(seed: PlacedVector, vectors: list[PlacedVector]) -> list[PlacedVector]:
    """The vectors that hang on the first by shared ends; they are taken out of the list."""
    part, places = [seed], {*seed.ends}
    while found := next((placed for placed in vectors if places & {*placed.ends}), None):
        vectors.remove(found)
        part.append(found)
        places |= {*found.ends}
    return part


def _points(part: list[PlacedVector]) -> dict[Place, Sum]:
    """Every place of a body as a sum of its vectors, from the tail of the first."""
    points: dict[Place, Counter[int]] = {part[0].tail: Counter()}
    for placed in part:
        for one, other, sign in ((placed.tail, placed.head, 1), (placed.head, placed.tail, -1)):
            if one in points and other not in points:
                points[other] = Counter(points[one])
                points[other][placed.number] += sign
    return dict(points)


def _terms(place: Place) -> Sum:
    return {k: times.numerator if times.denominator == 1 else float(times) for k, times in enumerate(place, 1) if times}


def coordinates(terms: Sum, axis: int) -> list[float | str]:
    """x and y of a sum of vectors in axes along one of them, as expressions; in ground axes where that is 0."""
    out: list[float | str] = []
    for word in ("cos", "sin"):
        text = ""
        for k, times in terms.items():
            if not times or (k == axis and word == "sin"):
                continue
            size = f"r{k}" if abs(times) == 1 else f"{abs(times)}*r{k}"
            term = size if k == axis else f"{size}*{word}({_beside(k, axis)})"
            text += f" {'-' if times < 0 else '+'} {term}" if text else f"{'-' * (times < 0)}{term}"
        out.append(text or 0.0)
    return out


def _beside(vector: int, axis: int) -> str:
    """The angle of a vector in axes along another, as an expression; "" along itself."""
    return "" if vector == axis else f"theta{vector} - theta{axis}" if axis else f"theta{vector}"


def step_names(number: int, path: VectorPath) -> list[str]:
    """ "path1_z4" for the point that z4 leads to; a vector walked twice gets its turn behind it."""
    names: list[str] = []
    for vector in path.vectors:
        name = f"path{number}_{vector_name(vector)}"
        turn = sum(known == name or known.startswith(f"{name}_") for known in names)
        names.append(f"{name}_{turn + 1}" if turn else name)
    return names


def _letter(number: int) -> str:
    """A, B … Z, A1, B1 …"""
    return chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
