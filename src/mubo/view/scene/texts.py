"""Points whose paths are drawn, and names with the places beside which they may stand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from mubo.arrays import Array
from mubo.geometry.polygons import hull
from mubo.model import GROUND, ModelDefinition
from mubo.view.scene.data import Dot, Kind, SceneShape, Text
from mubo.view.scene.outlines import left_of
from mubo.view.scene.plan import Plan
from mubo.view.scene.sites import Site

ALONG = (0.5, 0.35, 0.65, 0.2, 0.8)  # parts of a link at which its name may stand
MOST_SIDES = 6  # of a plate, beside which its name may stand
FEW_POINTS = 6  # of more, what names have in common before "_" is left out, and the names of joints at their places
Place = tuple[float, ...]


def points_of_interest(model: ModelDefinition) -> tuple[Dot, ...]:
    """Points of interest; where there is none, origins of bodies without points, else of the last bodies of a tree."""
    if model.points:
        return tuple(Dot(p.name, p.body, p.at) for p in model.points.values())
    moving = [name for name in model.bodies if name != GROUND]
    bare = [name for name in moving if not model.bodies[name].points]
    ends = Counter(end.partition(".")[0] for joint in model.joints.values() for end in joint.between)
    leaves = [name for name in moving if ends[name] == 1]
    return tuple(Dot(name, name, (0.0,) * model.dimension, named=False) for name in bare or leaves)


def texts_of(plan: Plan, shapes: list[SceneShape], sites: list[Site], points: tuple[Dot, ...]) -> tuple[Text, ...]:
    """Names of points, of bodies that move, and of joints; couplings are named by their wheels."""
    named = [dot for dot in points if dot.named]
    many = len(named) > FEW_POINTS
    heads = Counter(dot.name.partition("_")[0] for dot in named if "_" in dot.name)  # "path1" of a deck
    short = {dot.name: dot.name.partition("_")[2] for dot in named if heads[dot.name.partition("_")[0]] > FEW_POINTS}
    at_points = {(dot.body, dot.at) for dot in named} if many else set()
    out = [Text(short.get(dot.name) or dot.name, "point", dot.body, (dot.at,), 0.0) for dot in named]
    own, ends = _by_body(shapes, sites)
    barrels = {shape.frame: shape.numbers["length"] for shape in shapes if shape.kind == Kind.RAM}
    for body in plan.model.bodies:
        if body not in plan.standing:
            anchors = _anchors(body, own.get(body, []), ends.get(body, []), barrels)
            out.append(Text(body, "body", body, anchors, plan.ambient.clear * plan.thick))
    taken = {text.text for text in out}
    arrows = {shape.name: shape.numbers["radius"] for shape in shapes if shape.kind == Kind.TURN}
    for site in sites:
        joint = plan.model.joints.get(site.element)
        if at_points & {(end.body, end.at) for end in (site.first, site.second)}:
            continue
        if site.element not in taken and not (joint and plan.model.kinds[joint.kind].couples):
            clear = arrows.get(f"{site.label} drive", plan.thick)
            out.append(Text(site.element, "joint", site.second.body, (site.second.at,), clear))
    return tuple(out)


def link_lines(shape: SceneShape) -> list[Array]:
    """The straight pieces of a bar, and the longest sides of a plate of the plane."""
    if shape.kind == Kind.BAR:
        return [np.array(pair) for pair in pairwise(shape.numbers["points"])]
    if shape.kind != Kind.PLATE or shape.numbers["points"].shape[1] == 3:
        return []
    ring = hull(shape.numbers["points"])
    sides = [np.array(pair) for pair in pairwise(np.vstack([ring, ring[:1]]))]
    return sorted(sides, key=lambda side: -float(np.hypot(*(side[1] - side[0]))))[:MOST_SIDES]


def lines_to_clear(shapes: tuple[SceneShape, ...]) -> list[tuple[str, Array]]:
    """Lines, by frame, that names keep clear of: links and stands."""
    out = [(shape.frame, line) for shape in shapes for line in link_lines(shape)]
    for shape in shapes:
        if shape.kind == Kind.STAND:
            n, at = shape.numbers, np.array(shape.numbers["at"])
            foot = at + 1.3 * n["high"] * n["direction"]
            out.append((shape.frame, np.array([at, foot])))
            if len(at) == 2:
                out.append((shape.frame, foot + 1.2 * n["high"] * np.outer([-1, 1], left_of(n["direction"]))))
    return out


def _by_body(shapes: list[SceneShape], sites: list[Site]) -> tuple[dict[str, list[SceneShape]], dict[str, list[Site]]]:
    """The shapes fixed in every body, and the sites at it."""
    own: dict[str, list[SceneShape]] = {}
    at: dict[str, list[Site]] = {}
    for shape in shapes:
        own.setdefault(shape.frame, []).append(shape)
    for site in sites:
        for body in {site.first.body, site.second.body}:
            at.setdefault(body, []).append(site)
    return own, at


def _anchors(body: str, own: list[SceneShape], sites: list[Site], barrels: dict[str, float]) -> tuple[Place, ...]:
    """Where the name of a body may stand: along its links, at its wheels, else along a barrel, else at its joints."""
    out: list[Place] = []
    for shape in own:
        if shape.name == body:
            lines = link_lines(shape)
            out += [_tuple(shape.numbers["points"].mean(axis=0))] if shape.kind == Kind.PLATE else []
            out += [_tuple(a + part * (b - a)) for part in ALONG for a, b in lines]
    wheels = [s.numbers["outline"] for s in own if s.kind in (Kind.DISC, Kind.GEAR, Kind.RACK)]
    out += [_tuple(outline[k]) for outline in wheels for k in (0, len(outline) // 3, 2 * len(outline) // 3)]
    if not out:
        for site in sites:
            if site.label in barrels and site.first.body == body and len(site.bodies) > 1:
                out.append(_tuple(np.array(site.first.at) + 0.6 * barrels[site.label] * site.axis))
    if not out:
        out = [end.at for site in sites for end in (site.first, site.second) if end.body == body]
    return tuple(out) or ((0.0,) * (len(own[0].numbers["at"]) if own and "at" in own[0].numbers else 2),)


def _tuple(place: Array) -> Place:
    return tuple(float(x) for x in place)
