"""A hand on a pin, a point or a link: the coordinates that follow it, the motion that follows them, and the text.

At the time that is shown, all ends of the joint (and of joints that share them) move by the same displacement d in
ground axes: a point s of a body in the pose (r, A) becomes s + Aᵀ d. Equations between these ends contain differences
of places alone, so they keep holding, and the branch is kept. The motion before and after follows from `LiveMotion`.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.design.live import LiveMotion, live_motion
from mubo.errors import ModelError, MuboError
from mubo.geometry.points_from_lengths import with_figure
from mubo.mechanism.formulations.loops import NoLoops
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import grounded
from mubo.quantities.output_times import OutputTimes
from mubo.results import Run
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.studio.edits import Patch, replace_value, respelled
from mubo.studio.locks import Lock, Place, allowed_shift
from mubo.studio.spans import Spans

MOST_TIMES = 400  # of a motion that follows a hand


@dataclass(frozen=True)
class Moved:
    """The answer to a hand: coordinates by "body.point", poses of all moving bodies (times × 3), and what is wrong."""

    points: dict[str, tuple[float, float]]
    poses: dict[str, Array] | None
    message: str = ""
    possible: bool = True


@dataclass
class Drag:
    """A running gesture on a part of a model at the time that is shown."""

    model: ModelDefinition
    run: Run
    kind: str
    name: str
    time: float
    spans: Spans
    decimals: int = 6
    locks: tuple[Lock, ...] = ()
    last: Moved | None = None
    _poses: dict[str, Array] = field(default_factory=dict)
    _live: LiveMotion | None = None

    def __post_init__(self) -> None:
        if self.model.dimension != 2:
            raise ModelError("in space numbers are edited in the text and in the list of the part")
        at = self.run.at(self.time) if len(self.run) > 1 else self.run.columns
        factor = self.model.units.angle_factor()
        standing = {*grounded(self.model)}
        for name, body in self.model.bodies.items():
            if f"{name}.x" in at and name not in standing:
                x, y, phi = (float(at[f"{name}.{word}"][0]) for word in ("x", "y", "phi"))
                self._poses[name] = np.array([x, y, phi * factor])
            else:
                self._poses[name] = np.array([*(body.position or (0.0, 0.0)), body.angle])
        self.moved = self._places()
        for place in sorted(self.moved):
            self._require_numbers(place)
        self.traced = self._traced()

    def _places(self) -> set[Place]:
        """The body points that move together: those of the part, and of every joint that has one of them."""
        model = self.model
        if self.kind == "body":
            found = {(self.name, point) for point in model.bodies[self.name].points}
        elif self.kind == "point":
            found = self._of_point()
        else:
            joint = model.joints.get(self.name.split(".on_")[0])
            if joint is None:
                raise ModelError(f'there is no joint "{self.name}"')
            found = {_place(end) for end in joint.between if "." in end}
        before = 0
        while len(found) != before:
            before = len(found)
            for joint in model.joints.values():
                ends = {_place(end) for end in joint.between if "." in end}
                if ends & found and _coincide(model, joint.kind):
                    found |= ends
        return {place for place in found if place[1] in model.bodies[place[0]].points}

    def _of_point(self) -> set[Place]:
        """The body point that a point of interest names; none where it has coordinates of its own."""
        name, dot, inner = self.name.partition(".")
        if dot:
            return {(name, inner)}
        given = self._literal_of_point()
        point = self.model.points[self.name]
        return {(point.body, given)} if given else set()

    def _literal_of_point(self) -> str:
        path = ("point", self.name, "at")
        if self.name not in self.model.points:
            raise ModelError(f'there is no point "{self.name}"')
        return "" if (*path, 0) in self.spans.entries else self.spans.value(path).strip("\"'")

    def _require_numbers(self, place: Place) -> None:
        """Refuses points that a formula defines before the hand moves, and says which."""
        body, point = place
        for path in self._paths(body, point):
            try:
                respelled(self.spans.value(path), 1.0, lambda unit: 1.0)
            except ModelError as error:
                raise ModelError(f"{body}.{point} cannot be dragged: {error}") from None

    def _paths(self, body: str, point: str) -> list[tuple[str | int, ...]]:
        """Where the numbers of a point stand in the text: its coordinates, or the lengths that name it."""
        own = ("body", body, "points", point)
        if (*own, 0) in self.spans.entries:
            return [(*own, 0), (*own, 1)]
        lengths = ("body", body, "lengths")
        found = [one for one in self.spans.under(lengths) if point in _ends(str(one[-1]))]
        if not found or any(point in _ends(str(one[-1])) for one in self.spans.under(("body", body, "angles"))):
            raise ModelError(f"{body}.{point} is not given by coordinates or lengths of this file: edit the text")
        return found

    def to(self, wanted: Sequence[float]) -> Moved:
        """The mechanism with the part moved by a displacement; an impossible one keeps the last position."""
        shift, locked = allowed_shift((wanted[0], wanted[1]), self.locks, self.moved, self.places)
        points = self._points(shift)
        try:
            moved = self._solved(points)
        except NoLoops:
            moved = Moved(points, None)
        moved = replace(moved, message=locked) if locked and moved.possible else moved
        if moved.possible:
            self.last = moved
        return moved

    def _points(self, shift: tuple[float, float]) -> dict[str, tuple[float, float]]:
        """New coordinates by "body.point", rounded as they will be written."""
        out: dict[str, tuple[float, float]] = {}
        by_lengths: dict[str, dict[str, tuple[float, float]]] = {}
        for body, point in self.moved:
            x, y = self.model.bodies[body].points[point][:2]
            c, s = math.cos(self._poses[body][2]), math.sin(self._poses[body][2])
            at = (x + c * shift[0] + s * shift[1], y - s * shift[0] + c * shift[1])
            if ("body", body, "points", point, 0) in self.spans.entries:
                out[f"{body}.{point}"] = (round(at[0], self.decimals), round(at[1], self.decimals))
            else:
                by_lengths.setdefault(body, {})[point] = at
        for body, places in by_lengths.items():
            out |= self._from_lengths(body, places)
        for name in self.traced:
            dot = self.model.points[name]
            c, s = math.cos(self._poses[dot.body][2]), math.sin(self._poses[dot.body][2])
            at = (dot.at[0] + c * shift[0] + s * shift[1], dot.at[1] - s * shift[0] + c * shift[1])
            out[name] = (round(at[0], self.decimals), round(at[1], self.decimals))
        return out

    @property
    def places(self) -> dict[Place, Array]:
        """Where all points of all bodies are in ground axes, at the time that is shown."""
        out = {}
        for body, (x, y, phi) in self._poses.items():
            c, s = math.cos(phi), math.sin(phi)
            for name, at in self.model.bodies[body].points.items():
                out[body, name] = np.array([x + c * at[0] - s * at[1], y + s * at[0] + c * at[1]])
        return out

    def _traced(self) -> list[str]:
        """Points of interest with coordinates of their own that move along: the dragged one, or those on moved pins."""
        if self.kind == "point" and not self.moved:
            return [self.name]
        out = []
        for name, dot in self.model.points.items():
            own = [self.model.bodies[body].points[point][:2] for body, point in self.moved if body == dot.body]
            near = any(math.dist(at, dot.at[:2]) < 10.0**-self.decimals for at in own)
            paths = [("point", name, "at", k) for k in (0, 1)]
            if near and all(path in self.spans.entries and self.spans.value(path)[0] not in "\"'" for path in paths):
                out.append(name)
        return out

    def lengths(self, body: str, places: Mapping[str, tuple[float, float]]) -> dict[str, float]:
        """Lengths of a body with some of its points elsewhere, by their keys."""
        at = {name: tuple(point[:2]) for name, point in self.model.bodies[body].points.items()} | dict(places)
        keys = [str(one[-1]) for one in self.spans.under(("body", body, "lengths"))]
        return {key: round(math.dist(*(at[end] for end in _ends(key))), self.decimals) for key in keys}

    def _from_lengths(self, body: str, places: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        given: dict[str, Any] = {"lengths": self.lengths(body, places)}
        right = ("body", body, "right")
        if right in self.spans.entries:
            given["right"] = tomllib.loads(f"a = {self.spans.value(right)}")["a"]
        found = with_figure(self.model.units, 2, {}, given)
        return {f"{body}.{name}": (at[0], at[1]) for name, at in found.items()}

    def _solved(self, points: dict[str, tuple[float, float]]) -> Moved:
        """The motion with these coordinates, at the times of the drawing and at the one that is shown."""
        own = {name: at for name, at in points.items() if "." in name}
        if not own or len(self.run) < 2:
            return Moved(points, None)
        live = self._compiled(list(own))
        table = live.positions([x for name in live.dimensions for x in own[name]])
        row = int(np.argmin(np.abs(live.t - self.time)))
        if np.isnan(table[row]).any():
            return Moved(points, None, self._gap(own), possible=False)
        column = {name: k for k, name in enumerate(live.names)}
        factor = self.model.units.angle_factor()
        poses = {}
        for name in self._poses:
            if f"{name}.x" in column:
                poses[name] = table[:, [column[f"{name}.{word}"] for word in ("x", "y", "phi")]] * [1, 1, factor]
        return Moved(points, poses, live.message)

    def poses_of(self, moved: Moved) -> dict[str, Array]:
        """Poses of the moving bodies at the time that is shown, where the hand has led them."""
        row = int(np.argmin(np.abs(self.times - self.time)))
        return {name: table[row] for name, table in (moved.poses or {}).items()} or self._poses

    @property
    def times(self) -> Array:
        """The times of the motion that follows the hand."""
        t = self.run["t"]
        every = max(1, math.ceil(len(t) / MOST_TIMES))
        return np.union1d(np.append(t[::every], t[-1]), [self.time])

    def _compiled(self, names: list[str]) -> LiveMotion:
        if self._live is None:
            moving = [name for name in self._poses if name not in {*grounded(self.model)} and name != GROUND]
            columns = [f"{name}.{word}" for name in moving for word in ("x", "y", "phi")]
            try:
                self._live = live_motion(self.model, names, OutputTimes.listed(self.times), columns)
            except MuboError as error:
                raise NoLoops(str(error)) from None
        return self._live

    def variant(self, points: Mapping[str, tuple[float, float]]) -> ModelDefinition:
        """The model with these coordinates of pins."""
        model = self.model
        for name, at in points.items():
            model = model.replace(name, at) if "." in name else model
        return model

    def _gap(self, points: Mapping[str, tuple[float, float]]) -> str:
        """A sentence on the joint that opens, and by how much, at the start or at the time that is shown."""
        for time, when in ((self.model.start_time, " at the start"), (self.time, "")):
            look = analyse_start(self.variant(points), time)
            if not look.closed:
                found = look.open_element
                return f"{found.owner} opens by {found.gap.describe(self.model.units)}{when}: the drag stops here"
        return "the mechanism locks before it reaches this time: the drag stops here"

    def patches(self, moved: Moved) -> list[Patch]:
        """The changes of the text that this position takes: the numbers of the points, in their own spelling."""
        out: list[Patch] = []
        done: set[str] = set()
        for name, at in moved.points.items():
            body, dot, point = name.partition(".")
            if not dot:
                out += self._numbers(("point", name, "at"), at)
            elif ("body", body, "points", point, 0) in self.spans.entries:
                out += self._numbers(("body", body, "points", point), at)
            elif body not in done:
                done.add(body)
                places = {p: moved.points[f"{b}.{p}"] for b, p in self.moved if b == body}
                for key, value in self.lengths(body, places).items():
                    out += self._number(("body", body, "lengths", key), value)
        return out

    def _numbers(self, path: tuple[str | int, ...], at: tuple[float, float]) -> list[Patch]:
        return [patch for k in (0, 1) for patch in self._number((*path, k), at[k])]

    def _number(self, path: tuple[str | int, ...], value: float) -> list[Patch]:
        old = self.spans.value(path)
        units = self.model.units
        new = respelled(old, value, lambda unit: units.read(f"1 {unit}", "length") if unit else 1.0, self.decimals)
        return [] if new == old else replace_value(self.spans, path, new)


def _coincide(model: ModelDefinition, kind: str) -> bool:
    """Whether the ends of a joint of this kind are at one place."""
    return any(row.kind == "coincide" for row in model.kinds[kind].rows)


def _place(end: str) -> Place:
    body, _, point = end.partition(".")
    return body, point


def _ends(key: str) -> tuple[str, ...]:
    """The points that the key of a length names: AB, or A1-B2."""
    return tuple(key.split("-")) if "-" in key else tuple(key)
