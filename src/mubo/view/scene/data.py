"""The scene: frozen plain data, and its JSON form (docs/scene.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.model import GROUND

FORMAT, VERSION = "mubo-scene", 1


@dataclass(frozen=True)
class Shape:
    """A form fixed in a body: its kind, and its numbers by name, in body axes.

    In the plane "bar" and "plate" (points), "curve" (points, filled); in space "rod" (from, to, radius), "box" and
    "plate" (size, at, turned), "cylinder" and "tube" (length, radius, inner, at, turned), "sphere" (radius, at).
    """

    kind: str
    numbers: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, **{name: plain(value) for name, value in self.numbers.items()}}


@dataclass(frozen=True)
class SceneBody:
    """A body with its colour, the same in every picture of a run. A fixed body stands still."""

    name: str
    colour: str
    fixed: bool
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class End:
    """A place on a body, in its axes."""

    body: str
    at: tuple[float, ...]


@dataclass(frozen=True)
class SceneJoint:
    """A joint: what it looks like, and where. The glyph sits at the second end; rods and rams reach from the first.

    `travel` is how far the second end slides along the axis over the whole motion, measured from the first.
    """

    name: str
    kind: str
    glyph: str
    first: End
    second: End
    axis: tuple[float, ...]  # in the first body's axes
    driven: bool
    grounded: bool
    travel: tuple[float, float] | None = None


@dataclass(frozen=True)
class Spring:
    """A spring or damper between two places."""

    name: str
    first: End
    second: End


@dataclass(frozen=True)
class Dot:
    """A point whose path is drawn. One that is not `named` is the origin of a body without points of interest."""

    name: str
    body: str
    at: tuple[float, ...]
    named: bool = True


@dataclass(frozen=True)
class Load:
    """A force on a body at a place, in ground axes: one row of `values` per time."""

    name: str
    body: str
    at: tuple[float, ...]
    values: Array


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
    up: tuple[float, ...]
    box: tuple[tuple[float, ...], tuple[float, ...]]
    times: Array
    bodies: tuple[SceneBody, ...]
    poses: Mapping[str, Array]
    joints: tuple[SceneJoint, ...]
    springs: tuple[Spring, ...] = ()
    points: tuple[Dot, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    forces: tuple[Load, ...] = ()
    rates: Mapping[str, Array] = field(default_factory=dict)

    def body(self, name: str) -> SceneBody:
        return next(body for body in self.bodies if body.name == name)

    def colour(self, column: str) -> str | None:
        """The colour of the body that a column such as "crank.phi" or "P.vx" belongs to; None if it has none."""
        head = column.partition(".")[0]
        owner = {body.name: body.name for body in self.bodies}
        owner |= {joint.name: joint.second.body for joint in self.joints if joint.name not in owner}
        owner |= {dot.name: dot.body for dot in self.points if dot.named}
        name = owner.get(head)
        return None if name is None or name == GROUND else self.body(name).colour

    def as_json(self) -> dict[str, Any]:
        """Dictionaries, lists, numbers, text and None: what `json.dumps` takes."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "dimension": self.dimension,
            "units": dict(self.units),
            "size": self.size,
            "up": list(self.up),
            "box": [list(corner) for corner in self.box],
            "times": plain(self.times),
            "bodies": [
                {"name": b.name, "colour": b.colour, "fixed": b.fixed, "shapes": [s.as_json() for s in b.shapes]}
                for b in self.bodies
            ],
            "poses": {name: _rows(pose) for name, pose in self.poses.items()},
            "joints": [
                {
                    **{key: getattr(j, key) for key in ("name", "kind", "glyph")},
                    **{"first": _end(j.first), "second": _end(j.second), "axis": list(j.axis)},
                    **{"driven": j.driven, "grounded": j.grounded},
                    **({} if j.travel is None else {"travel": list(j.travel)}),
                }
                for j in self.joints
            ],
            "springs": [{"name": s.name, "first": _end(s.first), "second": _end(s.second)} for s in self.springs],
            "points": [{"name": p.name, "body": p.body, "at": list(p.at), "named": p.named} for p in self.points],
            "events": [dict(event) for event in self.events],
            "forces": [
                {"name": f.name, "body": f.body, "at": list(f.at), "values": _rows(f.values)} for f in self.forces
            ],
        }


def plain(value: Any) -> Any:
    """Arrays and tuples as lists of Python numbers."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def _rows(values: Array) -> list[Any]:
    """Rows as lists; one that holds a NaN is a gap, None."""
    gaps = np.isnan(values).any(axis=1)
    rows: list[Any] = values.tolist()
    for k in np.flatnonzero(gaps):
        rows[k] = None
    return rows


def _end(end: End) -> dict[str, Any]:
    return {"body": end.body, "at": list(end.at)}
