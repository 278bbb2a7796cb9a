"""What stands still shows itself at the points that carry joints: a stand, on the side where no body hangs."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.view.scene.data import End, Kind, Paint, Shape
from mubo.view.scene.motion import place
from mubo.view.scene.sites import Site

HANGS = 0.5  # part of the distance by which a body's middle lies below its point on average: then it hangs


def stand(site: Site) -> list[Shape]:
    """A stand at the end of a joint that is in the frame."""
    ends = [end for end in (site.first, site.second) if end.body in site.plan.standing]
    return [stand_at(site, ends[0])] if len(ends) == 1 else []


def stand_at(site: Site, end: End, of: str = "", may_hang: bool = True) -> Shape:
    """A stand at a place of a standing body: below it, above where the bodies that the joint carries hang."""
    plan = site.plan
    carried = [body for body in site.bodies if body not in plan.standing]
    at = place(plan.first(end.body), end.at)[0]
    way = plan.up if may_hang and _hangs(site, carried, at) else -plan.up
    name = f"support {site.element} {of}".rstrip()
    of_link, of_all = plan.room.stand
    high = max(of_link * plan.thick, of_all * plan.reach)
    numbers = {"at": end.at, "way": plan.axes(end.body).T @ way, "high": high}
    return Shape(Kind.STAND, name, end.body, numbers, Paint.FRAME, heights=plan.heights[end.body])


def _hangs(site: Site, carried: list[str], at: Array) -> bool:
    """Whether the bodies carried are below the point most of the time."""
    below, far, plan = 0.0, 0.0, site.plan
    for body in carried:
        middle = np.vstack([plan.points(body), plan.centre(body)]).mean(axis=0)
        rows = plan.rows(body)
        gap = place(rows[np.isfinite(rows).all(axis=1)], tuple(middle))[:, 0] - at
        below, far = below - float(np.sum(gap @ plan.up)), far + float(np.sum(np.linalg.norm(gap, axis=1)))
    return below > max(HANGS * far, 1e-6 * plan.reach)
