"""The motion of a rigid cluster of markers: the rotation and translation that fit every frame best.

With x_i the places of the markers in the static trial and y_i those in a frame, R and t minimise Σ|R x_i + t − y_i|².
With the singular values of C = Σ(y_i − ȳ)(x_i − x̄)ᵀ = U S Vᵀ, R = U diag(1, 1, det(U Vᵀ)) Vᵀ and t = ȳ − R x̄
(I. Söderkvist, P.-Å. Wedin, Journal of Biomechanics 26 (1993) 1473-1477).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array

LEAST = 3  # markers that give a body its orientation


@dataclass(frozen=True, eq=False)
class ClusterMotion:
    """Rotations (frames × 3 × 3) and translations (frames × 3) of a cluster; NaN where too few markers are visible."""

    rotation: Array
    translation: Array
    residual: Array  # root mean square distance of the markers from the fit, per frame

    def carried(self, place: Array) -> Array:
        """A place of the static trial that moves with the cluster: frames × 3."""
        return np.asarray(self.rotation @ place + self.translation)


def register(static: Array, frames: Array) -> ClusterMotion:
    """The motion of markers from their places in the static trial (markers × 3) to those of frames × markers × 3."""
    seen = np.all(np.isfinite(frames), axis=2)
    count = len(frames)
    out = ClusterMotion(np.full((count, 3, 3), np.nan), np.full((count, 3), np.nan), np.full(count, np.nan))
    for pattern in np.unique(seen, axis=0):  # frames in which the same markers are visible are fitted together
        if pattern.sum() < LEAST:
            continue
        rows = np.flatnonzero(np.all(seen == pattern, axis=1))
        x, y = static[pattern], frames[rows][:, pattern]
        x0, y0 = x.mean(axis=0), y.mean(axis=1)
        u, _, vt = np.linalg.svd(np.einsum("fmi,mj->fij", y - y0[:, None], x - x0))
        u[:, :, 2] *= np.sign(np.linalg.det(u @ vt))[:, None]
        rotation = u @ vt
        fit = np.einsum("fij,mj->fmi", rotation, x - x0) + y0[:, None]
        out.rotation[rows] = rotation
        out.translation[rows] = y0 - rotation @ x0
        out.residual[rows] = np.sqrt(np.mean(np.sum((fit - y) ** 2, axis=2), axis=1))
    return out


def is_flat(static: Array) -> bool:
    """Whether the markers of a cluster lie nearly on one line, about which its rotation is not seen."""
    values = np.linalg.svd(static - static.mean(axis=0), compute_uv=False)
    return bool(values[1] < 0.1 * values[0])
