"""What stands still shows itself at the points that carry joints: a stand, on the side where no body hangs."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.model import Model
from mubo.model.rotation import frame_about, matrix
from mubo.model.targets import point_of
from mubo.view.solids.joints import Glyph
from mubo.view.solids.mesh import Mesh, box, cylinder, joined, prism, rod
from mubo.view.solids.poses import Poses
from mubo.view.solids.sizes import centre_of, in_space, points_of

HANGS = 0.2  # part of the distance by which a body's middle lies below its point on average: then it hangs


def supports_of(model: Model, poses: Poses, standing: set[str], up: Array, thick: float, behind: float) -> list[Glyph]:
    """A stand for every point of a standing body that a turning joint uses; guides of sliders stand for themselves.

    `behind` is how far behind z = 0 the feet of a planar mechanism stand.
    """
    done: dict[tuple[str, tuple[float, ...]], Glyph] = {}
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        if element.key != "between" or element.ends != "point" or not element.freedoms:
            continue
        if "slide" in " ".join(element.freedoms) or joint.kind == "free":
            continue
        ends = [point_of(model, reference) for reference in joint.between]
        for body, at in ends:
            moving = [other for other, _ in ends if other not in standing]
            if body in standing and moving and (body, at) not in done:
                place = poses.point(body, in_space(at))[0]
                way = up if _hangs(model, poses, moving, place, up) else -up
                inner = matrix(poses.turn[body][0]).T @ way
                mesh = _flat(inner, thick, behind) if model.dimension == 2 else _stand(inner, thick)
                done[body, at] = Glyph(body, f"support {joint.name}", mesh.moved(in_space(at)), guide=True)
    return list(done.values())


def _hangs(model: Model, poses: Poses, moving: list[str], place: Array, up: Array) -> bool:
    """Whether the bodies carried are below the point most of the time."""
    below, far = 0.0, 0.0
    for name in moving:
        corners = np.vstack([points_of(model, model.bodies[name]), centre_of(model.bodies[name])])
        gap = poses.point(name, corners.mean(axis=0)) - place
        below, far = below - float(np.mean(gap @ up)), far + float(np.mean(np.linalg.norm(gap, axis=1)))
    return below > HANGS * far


def _stand(way: Array, thick: float) -> Mesh:
    """A post from the point along `way`, on a square plate."""
    plate = box(9 * thick, 9 * thick, thick).moved(6.5 * thick * way, frame_about(way))
    return joined([rod(np.zeros(3), 6 * thick * way, thick), plate])


def _flat(way: Array, thick: float, behind: float) -> Mesh:
    """A foot behind the links: a triangle with a round head on a bar, as it is drawn on paper."""
    side = np.array([-way[1], way[0]])
    head = cylinder(1.3 * thick, 0.5 * thick)
    corners = [1.2 * side, -1.2 * side, 4.5 * way[:2] - 2.6 * side, 4.5 * way[:2] + 2.6 * side]
    leg = prism(thick * np.array(corners), -0.2 * thick, 0.2 * thick)
    turned = np.array([[side[0], way[0], 0], [side[1], way[1], 0], [0, 0, 1.0]])
    foot = box(8 * thick, 1.2 * thick, 1.6 * thick).moved(5 * thick * way, turned)
    return joined([head, leg, foot]).moved((0.0, 0.0, -behind))
