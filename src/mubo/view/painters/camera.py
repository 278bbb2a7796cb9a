"""A parallel view of a scene in space: what is right, up and near, the floor below it, and what must be in view."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array, distinct
from mubo.view.scene import Scene, place, poses_at
from mubo.view.scene.ambient import SPACE
from mubo.view.scene.outlines import corners_of

VIEW = (-55.0, 18.0)  # azimuth and elevation of the eye, degrees
SAMPLES = 400  # rows that the camera looks at to frame the motion


class Camera:
    """A parallel view: `flat` are right and up on the paper, `near` grows towards the eye."""

    def __init__(self, scene: Scene, view: tuple[float, float] = VIEW) -> None:
        azimuth, elevation = np.radians(view)
        k = int(np.argmax(np.abs(scene.up)))
        up = np.array(scene.up)
        x, y = np.eye(3)[(k + 1) % 3], np.eye(3)[(k + 2) % 3]
        if up[k] < 0:
            x, y = y, x
        around = np.cos(azimuth) * x + np.sin(azimuth) * y
        self.scene, self.up, self.sides = scene, up, (x, y)
        self.near = np.cos(elevation) * around + np.sin(elevation) * up
        right = -np.sin(azimuth) * x + np.cos(azimuth) * y
        self.flat = np.column_stack([right, np.cross(self.near, right)])
        light = 0.35 * right + 0.45 * self.near + 0.85 * up
        self.light = light / np.linalg.norm(light)
        self.corners = _corners(scene)

    def project(self, points: Array) -> Array:
        return np.asarray(points @ self.flat)

    def framed(self) -> tuple[Array, Array]:
        """The least and greatest coordinates on the paper of the whole motion and its floor."""
        flat = self.project(np.vstack([self.corners, self.floor_lines()[0].reshape(-1, 3)]))
        return flat.min(axis=0), flat.max(axis=0)

    @property
    def depth(self) -> tuple[float, float]:
        """The nearness of the farthest part, and the distance from there to the nearest."""
        depth = self.corners @ self.near
        return float(depth.min()), float(np.ptp(depth)) or 1.0

    @property
    def floor(self) -> float:
        """The height of the floor: just below all bodies."""
        return float(np.min(np.array(self.scene.box) @ self.up)) - 1.5 * self.scene.thick

    def floor_lines(self) -> tuple[Array, float]:
        """Lines (n, 2, 3) of a grid under the mechanism, and their spacing, a round number."""
        spans = [sorted(np.array(self.scene.box) @ side) for side in self.sides]
        step = nice(max(high - low for low, high in spans) or self.scene.size)
        ticks = [step * np.arange(np.floor(low / step), np.ceil(high / step) + 0.5) for low, high in spans]
        # One tick where there is no span, none where the place is too far away for its digits to hold the step.
        short = [low + step * np.array([-0.5, 0.5]) for low, _ in spans]
        ticks = [line if len(line) > 1 else pair for line, pair in zip(ticks, short, strict=True)]
        base = self.floor * self.up
        lines = []
        for k in (0, 1):
            along, across = self.sides[k], self.sides[1 - k]
            lines += [[base + at * across + end * along for end in ticks[k][[0, -1]]] for at in ticks[1 - k]]
        return np.array(lines), step


def nice(span: float, parts: int = 9) -> float:
    """A round step, 1, 2 or 5 times a power of ten, that divides a span into about so many parts."""
    raw = span / parts
    power = 10.0 ** np.floor(np.log10(raw))
    return float(next(k * power for k in (1, 2, 5, 10) if k * power >= 0.999 * raw))


def _corners(scene: Scene) -> Array:
    """Corners of all shapes that are fixed in bodies, and ends of the arrows of forces, over a sample of the motion."""
    times = scene.times[distinct(np.linspace(0, len(scene.times) - 1, SAMPLES).astype(int))]
    poses, bodies = poses_at(scene, times), {body.name for body in scene.bodies}
    out = [np.array([scene.box[0]])]
    for name in bodies:
        corners = [corners_of(shape, 3) for shape in scene.own(name)]
        if corners:
            rows = poses.get(name, SPACE.standing[None])
            out.append(place(rows[~np.isnan(rows).any(axis=1)], np.concatenate(corners)).reshape(-1, 3))
    if scene.tips:
        out.append(np.array(scene.tips))
    return np.concatenate(out[1:] or out)
