"""Bending moments on moving links: lines across each beam to the side that is stretched, as long as the moment there.

Of a run whose strength was asked for. All links have one scale; the largest moment of the whole motion is a readable
part of the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mubo.applications.strength.beams import Beam, pieces_of
from mubo.arrays import Array
from mubo.results import Run
from mubo.view.scene.actions import ArrowScale
from mubo.view.scene.arrows import Arrows
from mubo.view.scene.data import End, Kind, Paint, Reach, Shape, Stretch
from mubo.view.scene.plan import Plan

STATIONS = 20  # parts of a beam
LARGEST = 0.1  # of the whole motion: the longest line
LINE, RULE = 0.3, 0.1  # of half a link's width: half the width of the outline, and of the lines across
Drawn = tuple[Reach, Shape]


def with_diagrams(plan: Plan, run: Run, arrows: Arrows, units: dict[str, str]) -> Arrows:
    """The arrows of a scene with the diagrams of its links among them, where the run has their strength."""
    found = run.record.strength
    links = () if found is None else tuple(link.beam for link in found.links.values())
    if not links:
        return arrows
    t = run.columns.solved("t")
    seen = found.budget.course.at(t)
    rows = np.flatnonzero(np.isin(t, seen.t))
    moments = {}
    for beam in links:
        s = _stations(beam)
        values = np.full((len(t), len(s)), np.nan)
        values[rows] = pieces_of(beam, seen).at(s)[2]
        moments[beam.body] = (beam, s, values)
    largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for _, _, values in moments.values())
    if not largest > 0:
        return arrows
    drawn = [pair for held in moments.values() for pair in _drawn(plan, *held, LARGEST * plan.reach / largest)]
    scale = replace(arrows.scale or ArrowScale(units=units), bending=largest)
    return Arrows(
        [*(s for _, s in drawn), *arrows.shapes], [*arrows.reaches, *(r for r, _ in drawn)], scale, arrows.tips
    )


def _stations(beam: Beam) -> Array:
    even = np.linspace(0, beam.length, STATIONS + 1)
    return np.unique(np.concatenate([even, beam.starts]))


def _drawn(plan: Plan, beam: Beam, s: Array, values: Array, per: float) -> Iterator[Drawn]:
    """Lines across the beam and the outline over their ends, in ground axes at every row."""
    pose = plan.rows(beam.body)
    c, sn = np.cos(pose[:, 2, None]), np.sin(pose[:, 2, None])

    def turned(at: Array) -> Array:
        x, y = at[..., 0], at[..., 1]
        return np.stack([c * x - sn * y, sn * x + c * y], -1)

    along = beam.along[beam.part(s)]
    right = np.stack([along[:, 1], -along[:, 0]], -1)
    places = beam.place(s)
    way = turned(per * values[..., None] * right)
    steps = turned(np.diff(places, axis=0)) + np.diff(way, axis=1)
    for k, at in enumerate(places):
        end = End(beam.body, (float(at[0]), float(at[1])))
        yield _line(plan, beam.body, f"bending {beam.body} {k}", end, way[:, k], None, RULE)
        if k < len(steps[0]):
            yield _line(plan, beam.body, f"bending {beam.body} over {k}", end, steps[:, k], way[:, k], LINE)


def _line(plan: Plan, body: str, name: str, end: End, along: Array, start: Array | None, wide: float) -> Drawn:
    reach = Reach(name, end, along=along, start=start, to_scale=True, on=body)
    numbers = {"radius": wide * plan.thick}
    return reach, Shape(Kind.ROD, name, name, numbers, Paint.FORCE, Stretch.ALONG, plan.layer(body))
