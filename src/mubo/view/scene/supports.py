"""Stands of fixed bodies at the points that carry joints, on the side where no body hangs."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.view.scene.actions import BodyPoint
from mubo.view.scene.data import Kind, Paint, SceneShape
from mubo.view.scene.motion import place
from mubo.view.scene.outlines import corners_of_plate, plane_of
from mubo.view.scene.plan import Plan
from mubo.view.scene.sites import Site

LEVEL = 0.5  # of the height of a stand: feet that differ by less are level, and at the bottom
HANGS = 0.5  # part of the distance by which a body's middle lies below its point on average: then it hangs


def stand(site: Site) -> list[SceneShape]:
    """A stand at the end of a joint that is in the frame."""
    ends = [end for end in (site.first, site.second) if end.body in site.plan.standing]
    return [stand_at(site, ends[0])] if len(ends) == 1 else []


def stand_at(site: Site, end: BodyPoint, of: str = "", may_hang: bool = True) -> SceneShape:
    """A stand at a place of a standing body: below it, above where the bodies that the joint carries hang."""
    plan = site.plan
    carried = [body for body in site.bodies if body not in plan.standing]
    at = place(plan.first(end.body), end.at)[0]
    direction = plan.up if may_hang and _hangs(site, carried, at) else -plan.up
    name = f"support {site.element} {of}".rstrip()
    of_link, of_all = plan.ambient.stand
    high = max(of_link * plan.thick, of_all * plan.reach)
    numbers = {"at": end.at, "direction": plan.axes(end.body).T @ direction, "high": high}
    return SceneShape(Kind.STAND, name, end.body, numbers, Paint.FRAME, heights=plan.heights[end.body])


def base_under(plan: Plan, shapes: list[SceneShape], box: tuple[Array, Array]) -> list[SceneShape]:
    """A plate in space under the stands of a body, where three or more are level below all other shapes."""
    out = []
    for body in sorted(plan.standing) if plan.ambient.solid else ():
        stands = [shape.numbers for shape in shapes if shape.kind == Kind.STAND and shape.frame == body]
        feet = np.array([n["at"] + n["high"] * n["direction"] for n in stands]).reshape(-1, 3)
        if len(feet) < 3 or plane_of(feet) is None:
            continue
        high = stands[0]["high"]
        lowest = float(np.min(np.array(box) @ plan.up))
        if np.any(np.abs(place(plan.first(body), feet) @ plan.up - lowest) > LEVEL * high):
            continue
        numbers = {"points": corners_of_plate(feet, 3), "radius": 1.1 * high, "deep": 0.14 * high}
        out.append(SceneShape(Kind.PLATE, f"base {body}", body, numbers, Paint.FRAME))
    return out


def _hangs(site: Site, carried: list[str], at: Array) -> bool:
    """Whether the bodies carried are below the point most of the time."""
    below, far, plan = 0.0, 0.0, site.plan
    for body in carried:
        middle = np.vstack([plan.points(body), plan.centre(body)]).mean(axis=0)
        rows = plan.rows(body)
        gap = place(rows[np.isfinite(rows).all(axis=1)], tuple(middle))[:, 0] - at
        below, far = below - float(np.sum(gap @ plan.up)), far + float(np.sum(np.linalg.norm(gap, axis=1)))
    return below > max(HANGS * far, 1e-6 * plan.reach)
