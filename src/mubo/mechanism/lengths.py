"""Lengths of a mechanism: its typical size, and whether they lie too far apart to be computed with together.

Only lengths in the equations count: points of bodies at which a joint, a driver or a force acts, and lengths of the
joints themselves. A point that is only drawn, measured or named does not change the motion, nor any tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, starmap
from operator import is_

import numpy as np

from mubo.arrays import Array
from mubo.mappings import found_once
from mubo.mechanism.rows import Values
from mubo.model import ModelDefinition, target_of
from mubo.model.coordinates import CENTER, point_of
from mubo.model.options import written_lengths
from mubo.model.parts import Body, Vector
from mubo.note import Note

FEW_POINTS = 60  # of a body: all pairs are measured
MOST_DIGITS = 8  # between the longest and the shortest: of 16 that numbers have, half are left to the shortest


def typical_length(model: ModelDefinition) -> float:
    """The largest length that the equations use; without any, the largest distance of two points of a body; or 1.

    Those are distances of two points of a body, and what joints have of their own: a rod, the radii of a cam or wheel.
    """
    return found_once(model.derived_values, "typical length", lambda: _typical_length(model))


def _typical_length(model: ModelDefinition) -> float:
    """The typical length of a model; lengths of joints and of bodies are kept for its variants."""
    elsewhere = (model.joints, model.points, model.drivers)
    kept = model.structure.get("typical length")
    if kept is None or not all(map(is_, kept[0], elsewhere)):
        own = max((length for _, _, length in written_lengths(model)), default=0.0)
        kept = model.structure["typical length"] = elsewhere, own, {}
    return max(kept[1], *_used_lengths(model, kept[2])) or _largest_drawn(model) or 1.0


def _largest_drawn(model: ModelDefinition) -> float:
    """The largest distance of two points of a body, used or not."""
    return max(_lengths([*body.points.values()] for body in model.bodies.values()), default=0.0)


def _used_lengths(model: ModelDefinition, known: dict[str, tuple[Body, float]]) -> Iterator[float]:
    """The largest length used of each body; `known` are bodies of a variant with theirs, and are brought up to date."""
    references, driven = _references(model), None
    for name, body in model.bodies.items():
        found = known.get(name)
        if found is None or found[0] is not body:
            driven = _driven_points(model) if driven is None else driven
            places = [point_of(model, reference)[1] for reference in references.get(name, ())]
            places += driven.get(name, {}).values()
            found = known[name] = body, max(_lengths([places]), default=0.0)
        yield found[1]


def used_points(model: ModelDefinition) -> dict[str, dict[str, Vector]]:
    """Points of every body at which joints, drivers and forces act, each by the name given to it."""
    used: dict[str, dict[str, Vector]] = {}
    for name, references in _references(model).items():
        for reference in references:
            used.setdefault(name, {})[reference] = point_of(model, reference)[1]
    for name, places in _driven_points(model).items():
        used.setdefault(name, {}).update(places)
    return used


def _driven_points(model: ModelDefinition) -> dict[str, dict[str, Vector]]:
    """Points of bodies at which drivers act, each by a name."""
    found: dict[str, dict[str, Vector]] = {}
    for driver in model.drivers.values():
        target = target_of(model, driver.of)
        for body, place in zip(target.bodies, target.points, strict=False):
            found.setdefault(body, {})[f"{body}, where driver {driver.name} acts"] = place
    return found


def _references(model: ModelDefinition) -> dict[str, list[str]]:
    """The points at which joints and forces act, as they are written there, by body; the same in every variant."""

    def find() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for reference in _point_references(model):
            found.setdefault(point_of(model, reference)[0], []).append(reference)
        return found

    return found_once(model.structure, "references to points", find)


def _point_references(model: ModelDefinition) -> Iterator[str]:
    """The points at which joints and forces act, as they are written there."""
    references = [end for joint in model.joints.values() for end in joint.between]
    references += [end for force in model.forces.values() for end in force.on]
    for reference in references:
        body, _, point = reference.partition(".")
        if reference in model.points or (body in model.bodies and point in (*model.bodies[body].points, CENTER)):
            yield reference


def geometry_notes(model: ModelDefinition, values: Mapping[str, Values]) -> Iterator[Note]:
    """Notes on lengths too far apart, on gears that do not touch, and on crosses not square to their shafts."""
    yield from spread_notes(model)
    kinds = {joint.kind for joint in model.joints.values()}
    if any(model.kinds[kind].meshes for kind in kinds):
        from mubo.mechanism.gear_centers import center_distance_notes

        yield from center_distance_notes(model)
    if any("pin" in joint.options for joint in model.joints.values()):
        from mubo.mechanism.gear_centers import geneva_notes

        yield from geneva_notes(model)
    if any(model.kinds[kind].dofs == ("turn x", "turn y") for kind in kinds):
        from mubo.mechanism.cross_axes import cross_axis_notes

        yield from cross_axis_notes(model, values)


def spread_notes(model: ModelDefinition) -> Iterator[Note]:
    """Notes on the shortest and the longest length, where rounding of the long one hides the short one."""
    named = {name: math.hypot(*at) for points in used_points(model).values() for name, at in points.items()}
    named |= {f"{joint}.{option}": length for joint, option, length in written_lengths(model)}
    named = {name: length for name, length in named.items() if length}
    if not named:
        return
    short, long = min(named, key=named.__getitem__), max(named, key=named.__getitem__)
    digits = math.log10(named[long]) - math.log10(named[short])
    if digits > MOST_DIGITS:
        pair = {"short": (short, named[short]), "long": (long, named[long])}
        yield Note("mechanism.lengths_apart", digits=digits, **pair, units=model.units)


def _lengths(bodies: Iterable[list[Vector]]) -> Iterator[float]:
    """Distances between points of the same body; of many points that of two far ones."""
    for places in bodies:
        if len(places) > FEW_POINTS:
            yield _farthest_distance(np.array(places, float))
            continue
        yield from starmap(math.dist, combinations(places, 2))


def _farthest_distance(points: Array) -> float:
    """The distance of two points, each farthest from the other: the largest one, or at least its √3-th part."""
    with np.errstate(over="ignore"):
        distances = [0.0, float(np.max(away := np.linalg.norm(points - points[0], axis=1)))]
        while distances[-1] > distances[-2]:
            away = np.linalg.norm(points - points[int(np.argmax(away))], axis=1)
            distances.append(float(np.max(away)))
    return distances[-1]


def decade(size: float) -> float:
    """The power of ten at or below a size: 1 for 4, 0.01 for 0.05."""
    return float(10.0 ** math.floor(math.log10(size)))
