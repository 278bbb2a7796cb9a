"""Arrows of forces and torques, all of a scene to one scale.

A force is an arrow from where it acts, as long as it is large, its head of one size; a torque is an arrow around where
it acts, its radius as large as the torque. The largest of the whole motion is a readable part of the mechanism; torques
that are as good as nothing beside the forces look so, and forces beside torques.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array, distinct
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass
from mubo.results import Run
from mubo.view.scene.actions import ArrowScale, Load
from mubo.view.scene.data import Kind, Paint, Scene, SceneReach, SceneShape, Stretch
from mubo.view.scene.motion import place, pose_at
from mubo.view.scene.plan import Plan

LARGEST = {"force": 0.25, "torque": 0.07}  # of the whole motion: the longest arrow, the largest radius
HEAD, SHAFT, THIN = 5.0, 0.5, 0.007  # of half a link's width: length of a head, radius of a shaft; least of the motion
STEEP, CUT = 20.0, 1.5  # of what nine rows of ten stay below: a peak beyond is cut; of the largest, the longest then
LEAST = 1e-2  # of the largest force times the size of the motion: the largest arrow of torques shows at least that
SAMPLES = 200  # rows that are looked at to frame a motion
MOST = 200  # arrows: more cannot be distinguished


@dataclass(frozen=True)
class Arrows:
    """Shapes and reaches of arrows, their scale, and the places that they reach to."""

    shapes: list[SceneShape]
    reaches: list[SceneReach]
    scale: ArrowScale | None
    tips: tuple[tuple[float, ...], ...]


def arrows_of(plan: Plan, loads: Sequence[Load], units: Mapping[str, str], known: ArrowScale | None = None) -> Arrows:
    """The arrows of loads; only the largest where there are very many. A scale that is known is kept."""
    sizes = [np.linalg.norm(load.values, axis=1) for load in loads]
    peaks = [float(np.max(size, where=np.isfinite(size), initial=0.0)) for size in sizes]
    most = {
        holds: max((peaks[k] for k, load in enumerate(loads) if load.holds == holds), default=0.0) for holds in LARGEST
    }
    per, cut = _chosen_scale(plan, loads, sizes, most)
    if known is not None:
        per = {"force": known.force, "torque": known.torque}
        longest = {holds: CUT * LARGEST[holds] * plan.reach * per[holds] for holds in LARGEST}
        cut = longest | dict(known.cut)
    seen = [k for k, load in enumerate(loads) if per[load.holds]]
    kept = sorted(sorted(seen, key=lambda k: -peaks[k] / (most[loads[k].holds] or 1.0))[:MOST])
    drawn: list[tuple[SceneReach, SceneShape]] = []
    tips: list[Array] = []
    for load, size in ((loads[k], sizes[k]) for k in kept):
        values = _lengths(load, size, per, cut)
        drawn += _drawn(plan, load, values)
        at = plan.places_of(load.end) + (0.0 if load.start is None else load.start)
        tips += _tips(at, values, load.holds, _sampled_rows(size))
    scale = ArrowScale(per["force"], per["torque"], units, cut, len(seen) - len(kept)) if kept else None
    ends = (tuple(tip) for tip in np.concatenate(tips).tolist()) if tips else ()
    return Arrows([shape for _, shape in drawn], [reach for reach, _ in drawn], scale, tuple(ends))


def reaches_of(plan: Plan, loads: Sequence[Load], scale: ArrowScale) -> Iterator[SceneReach]:
    """The reaches of the arrows of loads to a known scale, without their shapes."""
    per, cut = {"force": scale.force, "torque": scale.torque}, dict(scale.cut)
    for load in loads:
        if per[load.holds]:
            values = _lengths(load, np.linalg.norm(load.values, axis=1), per, cut)
            yield from (reach for reach, _ in _drawn(plan, load, values))


def _lengths(load: Load, size: Array, per: Mapping[str, float], cut: Mapping[str, float]) -> Array:
    """The arrows of a load in lengths of the drawing; those that are too large are cut."""
    shown = np.minimum(1.0, cut.get(load.holds, np.inf) / np.where(size > 0, size, 1.0))
    return np.asarray(load.values * shown[:, None] / per[load.holds])


def _drawn(plan: Plan, load: Load, values: Array) -> Iterator[tuple[SceneReach, SceneShape]]:
    return _force(plan, load, values) if load.holds == "force" else _torque(plan, load, values)


def _chosen_scale(
    plan: Plan, loads: Sequence[Load], sizes: Sequence[Array], most: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Force and torque per length of the drawing, and the sizes beyond which arrows are cut."""
    small = {"force": most["torque"] / plan.reach, "torque": most["force"] * plan.reach}
    per, cut = dict.fromkeys(LARGEST, 0.0), {}
    for holds in LARGEST:
        if most[holds] > 0:
            own = [size for size, load in zip(sizes, loads, strict=True) if load.holds == holds]
            largest = _largest(own, most[holds])
            per[holds] = max(largest, LEAST * small[holds]) / (LARGEST[holds] * plan.reach)
            if largest < most[holds]:
                cut[holds] = CUT * largest
    return per, cut


def _tips(at: Array, values: Array, holds: str, rows: Any) -> Iterator[Array]:
    """The tips of an arrow at some rows; the arrow of a torque reaches to all sides."""
    at, values = at[rows], values[rows]
    whole = np.isfinite(at).all(axis=1) & np.isfinite(values).all(axis=1)
    at, values = at[whole], values[whole]
    far = np.linalg.norm(values, axis=1, keepdims=True)
    yield from [at + values] if holds == "force" else [at - far, at + far]


def _sampled_rows(size: Array) -> Any:
    """Rows that suffice to frame a motion, with that of the largest value."""
    even = np.linspace(0, len(size) - 1, min(len(size), SAMPLES)).astype(int)
    return distinct([*even, int(np.argmax(np.where(np.isfinite(size), size, -1.0)))])


def _largest(sizes: list[Array], peak: float) -> float:
    """The size that the largest arrow shows: the peak, or the usual size where the peak is a spike."""
    known = np.array([np.where(np.isfinite(size), size, 0.0) for size in sizes]).max(axis=0)
    usual = float(np.quantile(known, 0.9))
    return usual if 0 < STEEP * usual < peak else peak


def _force(plan: Plan, load: Load, values: Array) -> Iterator[tuple[SceneReach, SceneShape]]:
    """A shaft that stretches, and a head where it ends; a force shorter than a head is a smaller head alone."""
    length = np.linalg.norm(values, axis=1, keepdims=True)
    thick = max(plan.thick, THIN * plan.reach)
    head = np.minimum(length, HEAD * thick)
    part = head / np.where(length > 0, length, 1.0)
    shaft, name = (1 - part) * values, load.name
    common: dict[str, Any] = {"to_scale": True, "on": load.on}
    rod = {"radius": SHAFT * thick}
    start = shaft if load.start is None else load.start + shaft
    yield (
        SceneReach(name, load.end, along=shaft, start=load.start, **common),
        _shape(plan, load, Kind.ROD, name, rod, Stretch.ALONG),
    )
    tip = {"length": 1.0, "radius": SHAFT / HEAD}
    reach = SceneReach(f"{name} head", load.end, along=part * values, start=start, **common)
    yield reach, _shape(plan, load, Kind.ARROW, reach.name, tip)


def _torque(plan: Plan, load: Load, values: Array) -> Iterator[tuple[SceneReach, SceneShape]]:
    """An arc that grows; in the plane one for each sense, of which one is seen at a time."""
    common: dict[str, Any] = {"to_scale": True, "on": load.on}
    if plan.ambient.solid:
        arc = {"at": np.zeros(3), "radius": 1.0, "senses": (1.0,), "axis": np.eye(3)[2]}
        reach = SceneReach(load.name, load.end, along=values, start=load.start, **common)
        yield reach, _shape(plan, load, Kind.TURN, reach.name, arc)
        return
    for sense, word in ((1.0, "left"), (-1.0, "right")):
        if np.any(sense * values > 0):
            size = np.where(np.isfinite(values), np.maximum(sense * values, 0.0), np.nan)
            reach = SceneReach(
                f"{load.name} {word}", load.end, along=np.hstack([size, 0 * size]), start=load.start, **common
            )
            arc = {"at": np.zeros(2), "radius": 1.0, "senses": (sense,)}
            yield reach, _shape(plan, load, Kind.TURN, reach.name, arc)


def _shape(
    plan: Plan, load: Load, kind: Kind, frame: str, numbers: dict[str, Any], stretch: Stretch = Stretch.ALL
) -> SceneShape:
    return SceneShape(kind, load.name, frame, numbers, _paint(load), stretch, plan.layer(load.end.body))


def _paint(load: Load) -> Paint:
    return (Paint.FORCE if load.unique else Paint.OPEN) if load.reaction else Paint.LOAD


def with_forces(scene: Scene, wanted: bool | None) -> Scene:
    """The scene with the arrows of its forces, without them where they are not wanted; refused where it has none."""
    if wanted and scene.scale is None:
        if scene.forces:
            raise ResultError(
                "there are no forces to draw: all are zero",
                suggestion="Give bodies a mass, the model gravity or loads.",
            )
        raise ResultError("this result has no forces to draw: kinematics computes motion only")
    if wanted is None or wanted:
        return scene
    gone = {reach.name for reach in scene.reaches if reach.to_scale}
    shapes = tuple(shape for shape in scene.shapes if shape.frame not in gone)
    reaches = tuple(reach for reach in scene.reaches if not reach.to_scale)
    return replace(scene, shapes=shapes, reaches=reaches, forces=(), scale=None, tips=())


def largest_force_time(run: Run) -> float | None:
    """The time of the largest joint reaction of a run; None where it has none."""
    ends = run.summary.get("extremes", {})
    peaks = [entry["max"] for name, entry in ends.items() if ".on_" in name and name.endswith(".f")]
    finite = [peak for peak in peaks if np.isfinite(peak).all()]
    return float(max(finite)[1]) if finite else None


def frame_at(scene: Scene, time: float) -> Scene:
    """The scene framed for one picture: with its arrows as they are at a time."""
    poses, tips = pose_at(scene, time), []
    along = scene.ambient.along
    for reach in scene.reaches:
        pose = poses[reach.name]
        if reach.to_scale and np.isfinite(pose).all():
            around = any(shape.kind == Kind.TURN for shape in scene.own(reach.name))
            sides = [np.full(scene.dimension, side) for side in (-1.0, 1.0)]
            at = pose[: scene.dimension]
            tips += [at + pose[-1] * side for side in sides] if around else [*place(pose[:-1], pose[-1] * along)]
    return replace(scene, tips=tuple(tuple(map(float, tip)) for tip in tips))
