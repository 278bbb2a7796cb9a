"""From a run to its scene, with the bending moments on moving links; equilibria are numbered instead of timed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.applications.strength.beams import Beam, pieces_of
from mubo.arrays import Array, is_among
from mubo.errors import ResultError
from mubo.model import GROUND
from mubo.results import Run
from mubo.view.scene.actions import ArrowScale, BodyPoint, Load
from mubo.view.scene.arrows import Arrows, arrows_of
from mubo.view.scene.bodies import bare_shapes, body_shapes
from mubo.view.scene.colours import GROUND_COLOUR, colours_of
from mubo.view.scene.data import Kind, Paint, Scene, SceneBody, SceneJoint, SceneReach, SceneShape, Stretch
from mubo.view.scene.glyphs import glyph_shapes
from mubo.view.scene.loads import contact_forces, efforts, reactions, site_loads, weights
from mubo.view.scene.outlines import corners_of
from mubo.view.scene.plan import Plan, box_of, plan_of, run_rates
from mubo.view.scene.sites import Site, joint_sites, load_sites
from mubo.view.scene.supports import base_under
from mubo.view.scene.surfaces import surface_shapes
from mubo.view.scene.texts import points_of_interest, texts_of
from mubo.view.scene.wheels import teeth_of


def are_equilibria(run: Run) -> bool:
    """Whether the rows are equilibria at one time."""
    return bool(run.columns.of_kind("equilibrium"))


def number_equilibria(run: Run) -> Run:
    """Equilibria with their numbers for times, so that each can be shown; other runs as they are."""
    if not are_equilibria(run):
        return run
    return replace(run, columns=run.columns.replaced({"t": run.columns.raw("equilibrium")}))


WORDS = {-1.0: "unstable", 0.0: "neutral", 1.0: "stable"}  # by the sign in the column "stability"


def equilibrium_title(run: Run, number: float | None) -> str:
    """The title of a picture of one equilibrium, or of all."""
    if number is None:
        return f"{len(run)} equilibria" if len(run) > 1 else equilibrium_title(run, 1.0)
    nearest = int(np.argmin(np.abs(run["equilibrium"] - number)))
    return f"equilibrium {nearest + 1}, {WORDS[float(run['stability'][nearest])]}"


def require_motion(run: Run) -> None:
    """Refuses to move from one equilibrium to the next."""
    if are_equilibria(run) and np.ptp(run["t"]) == 0:
        raise ResultError(
            "equilibria are no motion: a film or page needs a motion",
            suggestion="`mubo plot` draws them all in one picture, `mubo statics -o` writes them as a table.",
        )


STATIONS = 20  # parts of a beam
LARGEST = 0.1  # of the whole motion: the longest line
LINE, RULE = 0.3, 0.1  # of half a link's width: half the width of the outline, and of the lines across
Drawn = tuple[SceneReach, SceneShape]


def with_diagrams(plan: Plan, run: Run, arrows: Arrows, units: dict[str, str]) -> Arrows:
    """The arrows of a scene with the diagrams of its links among them, where the run has their strength."""
    found = run.record.strength
    links = () if found is None else tuple(link.beam for link in found.links.values())
    if not links:
        return arrows
    t = run.columns.raw("t")
    seen = found.clearance.history.at(t)
    rows = np.flatnonzero(is_among(t, seen.t))
    moments = {}
    for beam in links:
        pieces = pieces_of(beam, seen)
        s = pieces.sample_lengths(STATIONS)
        values = np.full((len(t), len(s)), np.nan)
        values[rows] = pieces.at(s)[2]
        moments[beam.body] = (beam, s, values)
    largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for _, _, values in moments.values())
    if not largest > 0:
        return arrows
    drawn = [pair for one in moments.values() for pair in _bending_lines(plan, *one, LARGEST * plan.reach / largest)]
    scale = replace(arrows.scale or ArrowScale(units=units), bending=largest)
    return Arrows(
        [*(s for _, s in drawn), *arrows.shapes], [*arrows.reaches, *(r for r, _ in drawn)], scale, arrows.tips
    )


def _bending_lines(plan: Plan, beam: Beam, s: Array, values: Array, per: float) -> Iterator[Drawn]:
    """Lines across the beam and the outline over their ends, in ground axes at every row."""
    pose = plan.rows(beam.body)
    c, sn = np.cos(pose[:, 2, None]), np.sin(pose[:, 2, None])

    def turned(at: Array) -> Array:
        x, y = at[..., 0], at[..., 1]
        return np.stack([c * x - sn * y, sn * x + c * y], -1)

    along = beam.along[beam.part(s)]
    right = np.stack([along[:, 1], -along[:, 0]], -1)
    places = beam.place(s)
    offset = turned(per * values[..., None] * right)
    steps = turned(np.diff(places, axis=0)) + np.diff(offset, axis=1)
    for k, at in enumerate(places):
        end = BodyPoint(beam.body, (float(at[0]), float(at[1])))
        yield _line(plan, beam.body, f"bending {beam.body} {k}", end, offset[:, k], None, RULE)
        if k < len(steps[0]):
            yield _line(plan, beam.body, f"bending {beam.body} over {k}", end, steps[:, k], offset[:, k], LINE)


def _line(plan: Plan, body: str, name: str, end: BodyPoint, along: Array, start: Array | None, wide: float) -> Drawn:
    reach = SceneReach(name, end, along=along, start=start, to_scale=True, on=body)
    numbers = {"radius": wide * plan.thick}
    return reach, SceneShape(Kind.ROD, name, name, numbers, Paint.FORCE, Stretch.ALONG, plan.layer(body))


def scene_of(run: Run) -> Scene:
    """Model and motion of a run, planar or spatial, as plain data."""
    if len(run) == 0:
        raise ResultError("there is nothing to draw: the result has no rows")
    require_motion(run)
    run = _without_repeated_times(run)
    model, plan = run.model, plan_of(run)
    sites = list(joint_sites(plan, teeth_of(model)))
    applied = list(load_sites(plan, run))
    shapes, reaches = _shapes(plan, sites, applied)
    loads = scene_loads(plan, run, applied)
    points = points_of_interest(model)
    colours = colours_of([name for name in model.bodies if name not in plan.standing])
    dots = [(dot.body, dot.at) for dot in points]
    low, high = _box(plan, shapes, reaches, dots)
    if base := base_under(plan, shapes, (low, high)):
        shapes += base
        low, high = _box(plan, shapes, reaches, dots)
    units = {holds: run.units.unit_of(holds) for holds in ("force", "torque")}
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


def scene_loads(plan: Plan, run: Run, applied: list[Site] | None = None) -> list[Load]:
    """Applied loads, weights, efforts of drivers and reactions of a run, each as it acts at every row."""
    sites = list(load_sites(plan, run)) if applied is None else applied
    loads = [load for site in sites for load in site_loads(site)]
    return [*loads, *weights(plan, run), *efforts(plan, run), *reactions(plan, run), *contact_forces(plan, run)]


def _events(run: Run) -> tuple[dict[str, Any], ...]:
    return tuple({"t": e.t, "kind": e.kind, "message": e.message} for e in run.events)


def _without_repeated_times(run: Run) -> Run:
    """The run without rows that repeat a time: where the drivers are reversed, a film shows their position once."""
    if not getattr(run.record.settings, "reverse", False):
        return run
    kept = np.concatenate([[True], np.diff(run.columns.raw("t")) > 0])
    return replace(run, columns=run.columns.replaced({name: run.columns.raw(name)[kept] for name in run.columns}))


def _units(run: Run) -> dict[str, str]:
    if not run.units.declared:
        return {"length": "", "time": "", "angle": ""}
    return {kind: run.units.unit_of(kind) for kind in ("length", "time", "angle")}


def _shapes(plan: Plan, sites: list[Site], loads: list[Site]) -> tuple[list[SceneShape], list[SceneReach]]:
    """Shapes of bodies, joints and loads; a stand that several joints share is drawn once."""
    shapes = [shape for name in plan.model.bodies for shape in body_shapes(plan, name)]
    shapes += surface_shapes(plan)
    reaches: list[SceneReach] = []
    stood = set()
    for entry in (entry for site in (*sites, *loads) for entry in glyph_shapes(site)):
        if isinstance(entry, SceneReach):
            reaches.append(entry)
            continue
        place = (entry.kind, entry.frame, tuple(np.round(entry.numbers.get("at", ()), 12)))
        if "direction" not in entry.numbers or place not in stood:
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
    plan: Plan, shapes: list[SceneShape], reaches: list[SceneReach], dots: list[tuple[str, tuple[float, ...]]]
) -> tuple[Array, Array]:
    """The least and greatest coordinates of everything that is drawn, over all rows."""
    places: dict[str, list[Array]] = {}
    for shape in shapes:
        if shape.frame in plan.model.bodies:
            places.setdefault(shape.frame, []).append(corners_of(shape, plan.dimension))
    for body, at in (*dots, *((e.body, e.at) for r in reaches for e in (r.first, r.second) if e is not None)):
        places.setdefault(body, []).append(np.array([at], float))
    return box_of({name: np.concatenate(inner) for name, inner in places.items()}, plan.poses, plan.dimension)
