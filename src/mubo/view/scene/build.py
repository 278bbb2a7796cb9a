"""From a run to its scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.model import GROUND
from mubo.results import Run
from mubo.view.equilibria import require_motion
from mubo.view.scene.arrows import arrows_of
from mubo.view.scene.bodies import bare_shapes, body_shapes
from mubo.view.scene.corners import corners_of
from mubo.view.scene.data import Reach, Scene, SceneBody, SceneJoint, Shape
from mubo.view.scene.deck import deck_scene
from mubo.view.scene.diagrams import with_diagrams
from mubo.view.scene.glyphs import drawn
from mubo.view.scene.loads import exerted
from mubo.view.scene.plan import Plan, box_of, plan_of, run_rates
from mubo.view.scene.reactions import efforts, reactions, weights
from mubo.view.scene.sites import Site, joint_sites, load_sites
from mubo.view.scene.supports import base_under
from mubo.view.scene.texts import points_of_interest, texts_of
from mubo.view.scene.wheels import teeth_of
from mubo.view.style import GROUND_COLOUR, colours_of


def scene_of(run: Run) -> Scene:
    """Model and motion of a run, planar or spatial, as plain data."""
    if len(run) == 0:
        raise ResultError("there is nothing to draw: the result has no rows")
    if run.model.linkage is not None:
        return deck_scene(run, _events(run))
    require_motion(run)
    model, plan = run.model, plan_of(run)
    sites = list(joint_sites(plan, teeth_of(model)))
    applied = list(load_sites(plan, run))
    shapes, reaches = _shapes(plan, sites, applied)
    loads = [load for site in applied for load in exerted(site)]
    loads += [*weights(plan, run), *efforts(plan, run), *reactions(plan, run)]
    points = points_of_interest(model)
    colours = colours_of([name for name in model.bodies if name not in plan.standing])
    dots = [(dot.body, dot.at) for dot in points]
    low, high = _box(plan, shapes, reaches, dots)
    if base := base_under(plan, shapes, (low, high)):
        shapes += base
        low, high = _box(plan, shapes, reaches, dots)
    units = {holds: run.units.of(holds) for holds in ("force", "torque")}
    arrows = with_diagrams(plan, run, arrows_of(plan, loads, units), units)
    return Scene(
        name=model.name,
        dimension=model.dimension,
        units=_units(run),
        size=plan.size,
        thick=plan.thick,
        up=tuple(float(x) for x in plan.up),
        box=(tuple(map(float, low)), tuple(map(float, high))),
        times=run["t"],
        bodies=tuple(SceneBody(name, colours.get(name, GROUND_COLOUR), name in plan.standing) for name in model.bodies),
        poses=plan.poses,
        reaches=(*reaches, *arrows.reaches),
        shapes=(*shapes, *arrows.shapes),
        joints=tuple(_joint(site) for site in sites),
        points=points,
        texts=texts_of(plan, shapes, sites, points),
        events=_events(run),
        forces=tuple(loads),
        scale=arrows.scale,
        tips=arrows.tips,
        rates=run_rates(run),
    )


def _events(run: Run) -> tuple[dict[str, Any], ...]:
    return tuple({"t": e.t, "kind": e.kind, "message": e.message} for e in run.events)


def _units(run: Run) -> dict[str, str]:
    if not run.units.declared:
        return {"length": "", "time": "", "angle": ""}
    return {"length": run.units.length or "m", "time": run.units.time or "s", "angle": run.units.angle or "rad"}


def _shapes(plan: Plan, sites: list[Site], loads: list[Site]) -> tuple[list[Shape], list[Reach]]:
    """Shapes of bodies, joints and loads; a stand that several joints share is drawn once."""
    shapes = [shape for name in plan.model.bodies for shape in body_shapes(plan, name)]
    reaches: list[Reach] = []
    stood = set()
    for entry in (entry for site in (*sites, *loads) for entry in drawn(site)):
        if isinstance(entry, Reach):
            reaches.append(entry)
            continue
        place = (entry.kind, entry.frame, tuple(np.round(entry.numbers.get("at", ()), 12)))
        if "way" not in entry.numbers or place not in stood:
            shapes.append(entry)
        stood.add(place)
    seen = {shape.frame for shape in shapes} | {end.body for s in sites for end in (s.first, s.second)}
    for name in plan.model.bodies:
        if name not in seen and name != GROUND:
            shapes += bare_shapes(plan, name)
    return shapes, reaches


def _joint(site: Site) -> SceneJoint:
    slides = np.any(site.high - site.low > 1e-9 * site.plan.reach)
    ends = (site.first, site.second, tuple(float(x) for x in site.axis))
    return SceneJoint(site.element, site.glyph, *ends, site.driven, site.grounded, site.travel if slides else None)


def _box(
    plan: Plan, shapes: list[Shape], reaches: list[Reach], dots: list[tuple[str, tuple[float, ...]]]
) -> tuple[Array, Array]:
    """The least and greatest coordinates of everything that is drawn, over all rows."""
    places: dict[str, list[Array]] = {}
    for shape in shapes:
        if shape.frame in plan.model.bodies:
            places.setdefault(shape.frame, []).append(corners_of(shape, plan.dimension))
    for body, at in (*dots, *((e.body, e.at) for r in reaches for e in (r.first, r.second) if e is not None)):
        places.setdefault(body, []).append(np.array([at], float))
    return box_of({name: np.concatenate(inner) for name, inner in places.items()}, plan.poses, plan.dimension)
