"""The scene: frozen plain data, and its JSON form (docs/scene.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum, auto
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.view.scene.actions import ArrowScale, BodyPoint, Load, as_end, plain, rows_of
from mubo.view.scene.ambient import AMBIENTS, DrawingAmbient
from mubo.view.scene.colours import STEEL

FORMAT, VERSION = "mubo-scene", 2


class Kind(StrEnum):
    """The primitive shapes. Places and directions have two numbers in the plane, three in space."""

    BAR = auto()  # points along it, radius: half its width
    PLATE = auto()  # points that it holds, radius around them
    DISC = auto()  # outline
    GEAR = auto()  # outline over its teeth, at, pitch: radius of the pitch circle; of a ring gear also rim, around it
    RACK = auto()  # outline over its teeth, back: the foot of each corner
    LINE = auto()  # points, width
    BOX = auto()  # size, at, turned
    CYLINDER = auto()  # length, radius, inner, at, turned, around: corners
    BALL = auto()  # at, radius
    PIN = auto()  # at, radius; in space axis and length
    SLOT = auto()  # start, end, radius
    RAIL = auto()  # start, end, radius; in the plane gap: how far its sides are from the middle, and sides: 1, −1
    STAND = auto()  # at, direction: from there to its foot, high
    ROD = auto()  # radius
    SPRING = auto()  # radius
    RAM = auto()  # length and radius of its barrel
    ARROW = auto()  # from the origin along the axis: length, radius
    TURN = auto()  # at, radius, senses: 1, −1 or both; in space axis
    COIL = auto()  # at, radius; in space axis


class Paint(StrEnum):
    """The source of the colour of a shape."""

    OWN = auto()  # its body's
    FRAME = auto()  # fixed bodies
    STEEL = auto()
    INK = auto()
    LOAD = auto()  # applied loads and actuator forces
    FORCE = auto()  # a reaction, in the colour of the body that it acts on
    OPEN = auto()  # such a reaction that equilibrium alone does not determine: an outline, in space pale


class Stretch(StrEnum):
    """The effect of a reach on a shape: none, it is stretched along the reach, or enlarged altogether."""

    NONE = auto()
    ALONG = auto()
    ALL = auto()


@dataclass(frozen=True)
class SceneShape:
    """A primitive shape fixed in a frame, which is a body or a reach: kind, what it belongs to, numbers by name.

    On a reach x (in space z) is along it and the origin is its first end. `heights` are the lowest and highest z of a
    planar shape where it is shown as a solid: links lie in layers, so that they pass each other.
    """

    kind: Kind
    name: str
    frame: str
    numbers: Mapping[str, Any]
    paint: Paint = Paint.OWN
    stretch: Stretch = Stretch.NONE
    heights: tuple[float, float] = (0.0, 0.0)

    def as_json(self) -> dict[str, Any]:
        head = {key: str(getattr(self, key)) for key in ("kind", "name", "frame", "paint", "stretch")}
        numbers = {name: plain(value) for name, value in self.numbers.items()}
        return {**head, "heights": list(self.heights), **numbers}


@dataclass(frozen=True)
class SceneBody:
    """A body with its colour, the same in every picture of a run. A fixed body does not move."""

    name: str
    colour: str
    fixed: bool


@dataclass(frozen=True)
class SceneReach:
    """A connection from a point to a second one, or along an arrow that changes over time (rows, in ground axes).

    `start` is how far from the first place an arrow begins: its head begins where its shaft ends. An arrow of a force
    or torque is `to_scale`, and has the colour of the body that it acts `on`.
    """

    name: str
    first: BodyPoint
    second: BodyPoint | None = None
    along: Array | None = None
    start: Array | None = None
    to_scale: bool = False
    on: str = ""

    def as_json(self) -> dict[str, Any]:
        head: dict[str, Any] = {"name": self.name, "first": as_end(self.first)}
        if self.second:
            return {**head, "second": as_end(self.second)}
        head |= {"along": rows_of(self.along)} | ({} if self.start is None else {"start": rows_of(self.start)})
        return head | ({"to_scale": True, "on": self.on} if self.to_scale else {})

    def of_rows(self, kept: Any) -> SceneReach:
        """The reach at some of its rows."""
        rows = {name: value[kept] for name in ("along", "start") if (value := getattr(self, name)) is not None}
        return replace(self, **rows)


@dataclass(frozen=True)
class SceneJoint:
    """A joint: what it looks like, and between which places.

    `travel` is how far the second end slides along the axis over the whole motion, measured from the first.
    """

    name: str
    glyph: str
    first: BodyPoint
    second: BodyPoint
    axis: tuple[float, ...]  # in the first body's axes
    driven: bool
    grounded: bool
    travel: tuple[float, float] | None = None

    def as_json(self) -> dict[str, Any]:
        ends = {"first": as_end(self.first), "second": as_end(self.second), "axis": list(self.axis)}
        head = {"name": self.name, "glyph": self.glyph, **ends, "driven": self.driven, "grounded": self.grounded}
        return head if self.travel is None else {**head, "travel": list(self.travel)}


@dataclass(frozen=True)
class Dot:
    """A point whose path is drawn. One that is not `named` is the origin of a body without points of interest."""

    name: str
    body: str
    at: tuple[float, ...]
    named: bool = True


@dataclass(frozen=True)
class Text:
    """The name of a point, a body or a joint: places on a body beside which it may stand, the best first."""

    text: str
    of: str
    body: str
    anchors: tuple[tuple[float, ...], ...]
    clear: float  # how far it keeps away from them


@dataclass(frozen=True)
class Scene:
    """Model and motion as plain data. Poses: x, y, φ (radians), in space x, y, z and the quaternion w, x, y, z.

    A row of a pose that is not known is NaN (null in JSON). `rates` are the derivatives of the poses, where the run has
    them; they serve drawing between rows and are not part of the JSON form.
    """

    name: str
    dimension: int
    units: Mapping[str, str]
    size: float
    thick: float
    up: tuple[float, ...]
    box: tuple[tuple[float, ...], tuple[float, ...]]
    times: Array
    bodies: tuple[SceneBody, ...] = ()
    poses: Mapping[str, Array] = field(default_factory=dict)
    reaches: tuple[SceneReach, ...] = ()
    shapes: tuple[SceneShape, ...] = ()
    joints: tuple[SceneJoint, ...] = ()
    points: tuple[Dot, ...] = ()
    texts: tuple[Text, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    forces: tuple[Load, ...] = ()
    scale: ArrowScale | None = None  # of the arrows of its forces
    tips: tuple[tuple[float, ...], ...] = ()  # where these arrows reach to, over the motion
    rates: Mapping[str, Array] = field(default_factory=dict)

    @property
    def ambient(self) -> DrawingAmbient:
        """The plane or space that it is drawn in."""
        return AMBIENTS[self.dimension]

    def body(self, name: str) -> SceneBody:
        return self._bodies[name]

    @property
    def framed(self) -> tuple[Array, Array]:
        """The box with the arrows of its forces in it."""
        places = np.array([*self.box, *self.tips])
        return places.min(axis=0), places.max(axis=0)

    def frame_colour(self, frame: str) -> str:
        """The colour of the body that a shape is fixed in, or that an arrow acts on; another reach is steel."""
        return self._colours.get(frame, STEEL)

    def colour(self, column: str) -> str | None:
        """The colour of the body that a column such as "crank.phi" or "P.vx" belongs to; None if it has none.

        A reaction "A.on_crank.f" has the colour of the body it acts on, as its arrow has.
        """
        _, acts, rest = column.partition(".on_")
        if acts:
            return self._colours.get(rest.partition(".")[0])
        body = self._bodies.get(self._owners.get(column.partition(".")[0], ""))
        return None if body is None or body.fixed else body.colour

    def own(self, frame: str) -> list[SceneShape]:
        """The shapes fixed in a body or on a reach."""
        return self._shapes.get(frame, [])

    @cached_property
    def _shapes(self) -> dict[str, list[SceneShape]]:
        out: dict[str, list[SceneShape]] = {}
        for shape in self.shapes:
            out.setdefault(shape.frame, []).append(shape)
        return out

    @cached_property
    def _bodies(self) -> dict[str, SceneBody]:
        return {body.name: body for body in self.bodies}

    @cached_property
    def _colours(self) -> dict[str, str]:
        own = {body.name: body.colour for body in self.bodies}
        return own | {reach.name: own[reach.on] for reach in self.reaches if reach.on in own}

    @cached_property
    def _owners(self) -> dict[str, str]:
        """The body of every body, joint and point, by name."""
        owner = {joint.name: joint.second.body for joint in self.joints} | {name: name for name in self._bodies}
        return owner | {dot.name: dot.body for dot in self.points if dot.named}

    def static_json(self) -> dict[str, Any]:
        """The scene without its shapes and its motion, as plain data."""
        return {
            "name": self.name,
            "dimension": self.dimension,
            "units": dict(self.units),
            "size": self.size,
            "thick": self.thick,
            "up": list(self.up),
            "box": [list(corner) for corner in self.box],
            "framed": [corner.tolist() for corner in self.framed],
            "bodies": [vars(body) for body in self.bodies],
            "points": [{**vars(dot), "at": list(dot.at)} for dot in self.points],
            "texts": [{**vars(text), "anchors": plain(text.anchors)} for text in self.texts],
        }

    def as_json(self) -> dict[str, Any]:
        """Dictionaries, lists, numbers, text and None: what `json.dumps` takes."""
        return {
            "format": FORMAT,
            "version": VERSION,
            **self.static_json(),
            "times": plain(self.times),
            "poses": {name: rows_of(pose) for name, pose in self.poses.items()},
            "reaches": [reach.as_json() for reach in self.reaches],
            "shapes": [shape.as_json() for shape in self.shapes],
            "joints": [joint.as_json() for joint in self.joints],
            "events": [dict(event) for event in self.events],
            "forces": [force.as_json() for force in self.forces],
            **({} if self.scale is None else {"scale": vars(self.scale)}),
        }
