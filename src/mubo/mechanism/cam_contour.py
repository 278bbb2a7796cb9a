"""The profile of a cam from points of its edge."""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.profiles import TURN, CamProfile, wrap_pieces

LOOKS = 1440  # places of the edge from which the way of a roller or of a flat face is taken


def contour_profile(edge: Array, roller: float, *, flat: bool) -> CamProfile:
    """Periodic spline through the edge in polar form, then its offset by the roller or its support function."""
    from scipy.interpolate import CubicSpline

    angle = np.unwrap(np.arctan2(edge[:, 1], edge[:, 0]))
    if angle[-1] < angle[0]:
        edge, angle = edge[::-1], angle[::-1]
    if np.any(np.diff(angle) <= 0) or not 0 < angle[0] + TURN - angle[-1] < TURN:
        raise ModelError("its contour must go once around the cam's centre, point by point")
    radius = np.hypot(*edge.T)
    r = CubicSpline(np.append(angle, angle[0] + TURN), np.append(radius, radius[0]), bc_type="periodic")
    at = angle[0] + np.linspace(0, TURN, LOOKS, endpoint=False)
    value, slope, bend = r(at), r(at, 1), r(at, 2)
    if not flat and roller == 0.0:
        return _periodic_pieces(r)
    # Outward normal of the polar curve (r, θ): (r cos θ + r' sin θ, r sin θ − r' cos θ) / √(r² + r'²).
    length = np.hypot(value, slope)
    normal = np.column_stack([value * np.cos(at) + slope * np.sin(at), value * np.sin(at) - slope * np.cos(at)])
    normal /= length[:, None]
    points = np.column_stack([value * np.cos(at), value * np.sin(at)])
    if not flat:
        curvature = (value**2 + 2 * slope**2 - value * bend) / length**3
        if np.min(1 + roller * curvature) <= 0:
            raise ModelError("its contour has a hollow narrower than the roller")
        pitch = points + roller * normal
        key, height = np.unwrap(np.arctan2(pitch[:, 1], pitch[:, 0])), np.hypot(*pitch.T)
    else:
        key, height = np.unwrap(np.arctan2(normal[:, 1], normal[:, 0])), (points * normal).sum(axis=1)
    if np.any(np.diff(key) <= 0):
        raise ModelError("its contour is hollow, where a flat face cannot touch it")
    spline = CubicSpline(np.append(key, key[0] + TURN), np.append(height, height[0]), bc_type="periodic")
    return _periodic_pieces(spline)


def _periodic_pieces(spline: Any) -> CamProfile:
    """The cubics of a periodic SciPy spline over a full turn."""
    cubics = spline.c[::-1].T
    return wrap_pieces(spline.x[:-1], np.hstack([cubics, np.zeros_like(cubics[:, :2])]))
