"""The plan of a scene: poses, fixed bodies, the upward direction, the thickness of links, forks and faces of bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Body, Joint, ModelDefinition
from mubo.model.coordinates import grounded
from mubo.model.parts import STANDS_FOR
from mubo.results import Run
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.ambient import AMBIENTS, DrawingAmbient, require_drawable
from mubo.view.scene.data import Kind
from mubo.view.scene.motion import place, quaternion_rates

Face = tuple[Array, Array, float]  # a place on a flat face, its normal, how far the cam touches it to either side


@dataclass(frozen=True)
class Features:
    """The forks, the flat face and the joints of each body; and the bodies that are toothed bars, whose teeth are their
    bar."""

    crosses: dict[str, set[tuple[float, ...]]]
    faces: dict[str, Face]
    toothed: frozenset[str]
    joints: dict[str, list[Joint]]  # in the order of the model


def features_of(model: ModelDefinition) -> Features:
    return Features(_crosses(model), _faces(model), _racks(model), _joints(model))


def _joints(model: ModelDefinition) -> dict[str, list[Joint]]:
    out: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        for body in dict.fromkeys(end.partition(".")[0] for end in joint.between):
            out.setdefault(body, []).append(joint)
    return out


def _crosses(model: ModelDefinition) -> dict[str, set[tuple[float, ...]]]:
    out: dict[str, set[tuple[float, ...]]] = {}
    for joint in model.joints.values():
        if model.kinds[joint.kind].glyph == "cross":
            for body, at in map(model.place, joint.between):
                out.setdefault(body, set()).add(tuple(np.round(at, 12)))
    return out


def _racks(model: ModelDefinition) -> frozenset[str]:
    racks = (joint for joint in model.joints.values() if model.kinds[joint.kind].glyph == Kind.RACK)
    return frozenset(joint.between[0].partition(".")[0] for joint in racks)


def _faces(model: ModelDefinition) -> dict[str, Face]:
    """Flat faces on cams. The cam touches the face beside its middle by h', the slope of its lift."""
    out = {}
    for joint in model.joints.values():
        if model.kinds[joint.kind].glyph == "cam" and "normal" in joint.options:
            body, at = model.place(joint.between[1])
            reach, factor = 0.0, model.units.angle_factor()
            if "lift" in joint.options:
                turn = np.linspace(0, 2 * np.pi * (1 - 1e-9), 181) / factor
                reach = float(np.max(np.abs(joint.options["lift"](turn)[:, 1]))) / factor
            normal = np.array(joint.options["normal"], float)
            out[body] = (np.array(at), normal / np.hypot(*normal), reach)
    return out


LAYER, GAP = 1.8, 0.15  # height of a planar link, of its half width; between layers, of their height
APART = 0.01  # between bodies of one layer, of its height: faces in one plane would flicker
CHUNK = 4096  # rows that are placed at once


@dataclass(frozen=True)
class Plan:
    """A model with its motion. Lengths are the model's own; `heights` are the layers of planar bodies."""

    model: ModelDefinition
    poses: dict[str, Array]
    standing: frozenset[str]
    up: Array
    size: float
    reach: float
    thick: float
    heights: dict[str, tuple[float, float]]
    places: dict[str, Array]  # the different points of every body
    features: Features
    count: int  # rows of the run

    @property
    def dimension(self) -> int:
        return self.model.dimension

    @property
    def ambient(self) -> DrawingAmbient:
        return AMBIENTS[self.model.dimension]

    def first(self, body: str) -> Array:
        """The first pose of a body that is known; the origin where there is none."""
        return first_pose(self.poses.get(body), self.dimension)

    def rows(self, body: str) -> Array:
        """All poses of a body, or the one in which it stands."""
        return self.poses.get(body, self.ambient.standing[None])

    def places_of(self, end: BodyPoint) -> Array:
        """The places of a body point at every row, in ground axes."""
        return np.broadcast_to(place(self.rows(end.body), end.at)[:, 0], (self.count, self.dimension))

    def axes(self, body: str) -> Array:
        """The axes of a body in its first pose, as columns."""
        pose = self.first(body)
        return np.asarray((place(pose, np.eye(self.dimension)) - pose[: self.dimension]).T)

    def centre(self, body: str) -> Array:
        """The centre of mass in body axes; the origin where none is given."""
        given = self.model.bodies[body].own.center
        return np.array(given, float) if given else np.zeros(self.dimension)

    def points(self, body: str) -> Array:
        """The different points of a body, those of interest included, in body axes."""
        return self.places[body]

    def layer(self, *bodies: str) -> tuple[float, float]:
        """The lowest and the highest z of the layers of some bodies."""
        return min(self.heights[b][0] for b in bodies), max(self.heights[b][1] for b in bodies)


def plan_of(run: Run) -> Plan:
    """The plan of a run."""
    model, poses, places = run.model, run_poses(run), points_of(run.model)
    corners = {name: _corners(model, body, places[name]) for name, body in model.bodies.items()}
    standing = frozenset(grounded(model))
    size = _longest_side(corners, poses, slice(0, 1), model.dimension)
    reach = max(_longest_side(corners, poses, slice(None), model.dimension), *_diameters(model), 0.0) or 1.0
    require_drawable(reach, _distances(corners, poses))
    of_body, least, most = AMBIENTS[model.dimension].thick
    lengths = [float(np.max(np.ptp(inner, axis=0))) for name, inner in corners.items() if name != GROUND]
    ordered = sorted(length for length in lengths if length > 0) or [0.3 * reach]
    typical = 0.5 * float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2])  # the median
    thick = float(np.clip(of_body * typical, least * reach, most * reach))
    heights = _layers(model, standing, 0.0 if AMBIENTS[model.dimension].solid else LAYER * thick)
    sizes = (size or reach, reach, thick, heights)
    return Plan(model, poses, standing, up_of(model), *sizes, places, features_of(model), len(run))


def up_of(model: ModelDefinition) -> Array:
    """Against gravity, along the axis where it is largest; y in the plane and z in space where none is stated."""
    up = np.eye(model.dimension)[-1]
    if model.gravity is not None and any(model.gravity):
        against = -np.array(model.gravity, float)
        k = int(np.argmax(np.abs(against)))
        up = np.sign(against[k]) * np.eye(model.dimension)[k]
    return np.asarray(up)


def run_poses(run: Run) -> dict[str, Array]:
    """Poses of the bodies that the table has, angles in radians."""
    words = run.model.ambient.pose
    out = {}
    for name in run.model.bodies:
        pose = _columns(run, name, words) if name != GROUND else None
        if pose is not None:
            out[name] = pose
    return out


def run_rates(run: Run) -> dict[str, Array]:
    """Derivatives of the poses, where the run has the velocities."""
    out, space = {}, run.model.ambient
    for name in run.model.bodies:
        rate, pose = _columns(run, name, space.twist), _columns(run, name, space.pose)
        if rate is not None and pose is not None:
            turned = quaternion_rates(pose[:, 3:], rate[:, 3:]) if space.dimension == 3 else rate[:, 2:]
            out[name] = np.concatenate([rate[:, : space.dimension], turned], axis=1)
    return out


def first_pose(pose: Array | None, dimension: int) -> Array:
    """The first pose that is known; the origin where there is none."""
    known = None if pose is None else pose[~np.isnan(pose).any(axis=1)]
    return AMBIENTS[dimension].standing if known is None or not len(known) else known[0]


def points_of(model: ModelDefinition) -> dict[str, Array]:
    """The different points of every body, those of interest included, in body axes."""
    made = {end for joint in model.joints.values() if STANDS_FOR in joint.options for end in joint.between}
    named = {
        name: dict.fromkeys(at for point, at in body.points.items() if f"{name}.{point}" not in made)
        for name, body in model.bodies.items()
    }
    for point in model.points.values():
        named[point.body][point.at] = None
    return {name: np.array(list(inner), float).reshape(-1, model.dimension) for name, inner in named.items()}


def box_of(points: dict[str, Array], poses: dict[str, Array], dimension: int) -> tuple[Array, Array]:
    """The least and greatest coordinates of body-fixed points over all rows; rows with gaps are left out."""
    low, high = np.full(dimension, np.inf), np.full(dimension, -np.inf)
    for name, inner in points.items():
        rows = poses.get(name, AMBIENTS[dimension].standing[None])
        rows = rows[np.isfinite(rows).all(axis=1)]
        for start in range(0, len(rows), CHUNK):
            placed = place(rows[start : start + CHUNK], inner).reshape(-1, dimension)
            low, high = np.minimum(low, placed.min(axis=0)), np.maximum(high, placed.max(axis=0))
    return (low, high) if np.isfinite(low).all() else (np.zeros(dimension), np.zeros(dimension))


def _columns(run: Run, body: str, words: tuple[str, ...]) -> Array | None:
    names = [f"{body}.{word}" for word in words]
    return np.column_stack([run.columns.raw(n) for n in names]) if all(n in run.columns for n in names) else None


def _corners(model: ModelDefinition, body: Body, points: Array) -> Array:
    """Points of a body, its centre, and how far its shape reaches: where it can be seen."""
    given = body.own.center
    centre = np.array(given, float) if given else np.zeros(model.dimension)
    inner = [*points, *([centre] if body.name != GROUND else [])]
    if body.shape is not None:
        reach = body.shape.reach
        inner += [centre + side * row for side in (-reach, reach) for row in np.eye(model.dimension)]
    return np.array(inner).reshape(-1, model.dimension)


def _longest_side(corners: dict[str, Array], poses: dict[str, Array], rows: slice, dimension: int) -> float:
    """The longest side of the box of everything that can be seen, over some rows."""
    known = {name: pose[np.isfinite(pose).all(axis=1)][rows] for name, pose in poses.items()}
    low, high = box_of({name: inner for name, inner in corners.items() if len(inner)}, known, dimension)
    return float(np.max(high - low))


def _distances(corners: dict[str, Array], poses: dict[str, Array]) -> Iterator[tuple[str, float]]:
    """Labels and distances of bodies and their points from the origins of their axes."""
    for name, inner in corners.items():
        yield f"a point of {name}", float(np.max(np.abs(inner), initial=0.0))
        yield name, float(np.nanmax(np.abs(poses[name]), initial=0.0)) if name in poses else 0.0


def _diameters(model: ModelDefinition) -> list[float]:
    """Diameters of wheels and circles, which have no points."""
    options = [joint.options for joint in model.joints.values()]
    return [2 * float(r) for o in options for r in (*o.get("radii", ()), *([o["radius"]] if "radius" in o else []))]


def _layers(model: ModelDefinition, standing: frozenset[str], height: float) -> dict[str, tuple[float, float]]:
    """Lowest and highest z of every body: standing ones at the back, bodies that share a joint in different layers."""
    near: dict[str, set[str]] = {name: set() for name in model.bodies}
    for joint in model.joints.values():
        ends = {reference.partition(".")[0] for reference in joint.between}
        for name in ends:
            near[name] |= ends - {name}
    level: dict[str, int] = {}
    for name in model.bodies:
        taken = {level[other] for other in near[name] if other in level and other not in standing}
        level[name] = -1 if name in standing else next(k for k in range(len(near) + 1) if k not in taken)
    middle = max(level.values()) / 2
    out = {}
    for number, (name, k) in enumerate(level.items()):
        low = (k - middle - 0.5) * height * (1 + GAP) + number * APART * height
        out[name] = (low, low + height)
    return out
