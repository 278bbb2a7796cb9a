"""Cam profiles as periodic quintic pieces for the core: from a lift law, or from points of the cam's edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import Joint, Units
from mubo.motion.law import ORDERS, Law, breaks_of, jumps_of

ProfileArrays = tuple[float, list[float], list[float]]  # period, knots, six coefficients a piece
PIECES = 720  # half a degree each: the quintic through f, f', f'' at both ends is then exact to rounding
TURN = 2 * np.pi


def cam_profile(row: str, joint: Joint, options: Mapping[str, Any], units: Units, centre: list[float]) -> ProfileArrays:
    """The profile f(angle) of a cam row: distance of the roller centre, or of the flat face, from the cam centre."""
    try:
        if options["contour"] is not None:
            edge = np.array(options["contour"]) - centre
            return _from_contour(edge, row, options.get("roller", 0.0))
        return _from_lift(row, options, units)
    except ModelError as error:
        raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None


def _from_lift(row: str, options: Mapping[str, Any], units: Units) -> ProfileArrays:
    law, factor = options["lift"], units.angle_factor()
    turn = TURN / factor  # a full turn in the model's unit of angle
    first, last = law.domain
    if first > 0 or last < turn * (1 - 1e-9):
        raise ModelError(f"its lift must cover angles from 0 to {turn:g}; it covers {first:g} to {last:g}")
    corners = breaks_of(law, 0.0, turn)
    plain = np.linspace(0, turn, PIECES + 1)
    near = np.min(np.abs(plain[:, None] - corners), axis=1, initial=np.inf) < 1e-6 * turn
    knots = np.unique(np.concatenate([plain[~near | (plain == 0) | (plain == turn)], corners]))
    scale = np.array([1.0, 1 / factor, 1 / factor**2])
    ends = np.concatenate([corners, knots[[0, -1]]])
    left, right = (_one_sided(law, knots, ends, side) for side in (+1, -1))
    if not np.isfinite([left, right]).all():
        raise ModelError("its lift is not a finite number at every angle")
    _require_smooth(law, knots, left, right)
    left, right = left * scale, right * scale
    size = max(float(np.ptp(left[:, 0])), 1e-6 * float(options["base"]), 1e-12)
    if abs(right[-1, 0] - left[0, 0]) > 1e-6 * size:
        raise ModelError(f"its lift does not close: {left[0, 0]:g} at 0, {right[-1, 0]:g} after a full turn")
    base = float(options["base"]) + float(options.get("roller", 0.0))
    left[:, 0] += base
    right[:, 0] += base
    _require_touchable(row, left, knots * factor)
    return TURN, (knots[:-1] * factor).tolist(), _quintics(np.diff(knots) * factor, left, right)


def _require_smooth(law: Law, knots: Array, left: Array, right: Array) -> None:
    """A lift must not jump, and must not vary faster than the pieces of the profile can follow."""
    for jump in jumps_of(law, float(knots[0]), float(knots[-1])):
        if jump.order == 0:
            raise ModelError(f"its lift jumps by {jump.size:.4g} at an angle of {jump.t:.6g}: no follower can do that")
    h, between = np.diff(knots), law((knots[:-1] + knots[1:]) / 2)[:, 0]
    # The quintic through f, f', f'' at both ends of a piece, at its middle.
    middle = (left[:, 0] + right[:, 0]) / 2 + 5 * h * (left[:, 1] - right[:, 1]) / 32
    off = np.abs(middle + h**2 * (left[:, 2] + right[:, 2]) / 64 - between)
    if np.max(off) > 1e-6 * max(float(np.ptp(between)), 1e-12):
        worst = float(knots[int(np.argmax(off))])
        raise ModelError(
            f"its lift varies too fast to be followed: at an angle of {worst:.6g} it turns within half a degree"
        )


def lift_corners(joint: Joint, units: Units) -> list[str]:
    """Corners of a cam's lift, told with the angle."""
    law = joint.options.get("lift")
    if law is None:
        return []
    turn = TURN / units.angle_factor()
    return [
        f"joint {joint.name}: the {ORDERS[jump.order]} of its lift jumps at an angle of {jump.t:.6g}"
        for jump in jumps_of(law, 0.0, turn)
        if jump.order > 0
    ]


def _one_sided(law: Law, knots: Array, corners: Array, side: int) -> Array:
    """f, f', f'' at the left ends (side +1) or right ends (−1) of the pieces, at corners from inside the piece."""
    ends = knots[:-1] if side > 0 else knots[1:]
    inward = np.where(np.isin(ends, corners), side * 1e-6 * np.diff(knots), 0.0)
    f, slope, bend = law(ends + inward).T
    return np.column_stack([f - inward * (slope - 0.5 * inward * bend), slope - inward * bend, bend])


def _require_touchable(row: str, values: Array, angles: Array) -> None:
    """The distance must be positive; under a flat face the edge must not be hollow (radius f + f'' > 0)."""
    if np.min(values[:, 0]) <= 0:
        worst = float(np.degrees(angles[np.argmin(values[:, 0])]))
        raise ModelError(f"its profile reaches the centre of the cam at {worst:.4g} deg: raise the base radius")
    radius = values[:, 0] + values[:, 2]
    if row == "cam_flat" and np.min(radius) <= 0:
        worst = float(np.degrees(angles[np.argmin(radius)]))
        need = float(-np.min(radius))
        raise ModelError(
            f"its edge is hollow at {worst:.4g} deg, where a flat face cannot touch it: "
            f"raise the base radius by {need:.3g}"
        )


def _from_contour(edge: Array, row: str, roller: float) -> ProfileArrays:
    """Periodic spline through the edge in polar form, then its offset by the roller or its support function."""
    from scipy.interpolate import CubicSpline

    angle = np.unwrap(np.arctan2(edge[:, 1], edge[:, 0]))
    if angle[-1] < angle[0]:
        edge, angle = edge[::-1], angle[::-1]
    if np.any(np.diff(angle) <= 0) or not 0 < angle[0] + TURN - angle[-1] < TURN:
        raise ModelError("its contour must go once around the cam's centre, point by point")
    radius = np.hypot(*edge.T)
    r = CubicSpline(np.append(angle, angle[0] + TURN), np.append(radius, radius[0]), bc_type="periodic")
    at = angle[0] + np.linspace(0, TURN, 2 * PIECES, endpoint=False)
    value, slope, bend = r(at), r(at, 1), r(at, 2)
    if row == "cam_roller" and roller == 0.0:
        return _periodic(r, angle[0])
    # Outward normal of the polar curve (r, θ): (r cos θ + r' sin θ, r sin θ − r' cos θ) / √(r² + r'²).
    length = np.hypot(value, slope)
    normal = np.column_stack([value * np.cos(at) + slope * np.sin(at), value * np.sin(at) - slope * np.cos(at)])
    normal /= length[:, None]
    points = np.column_stack([value * np.cos(at), value * np.sin(at)])
    if row == "cam_roller":
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
    return _periodic(spline, key[0])


def _periodic(spline: Any, start: float) -> ProfileArrays:
    """A periodic SciPy spline over [start, start + 2π] as pieces over [0, 2π]."""
    knots = np.unique(np.concatenate([np.mod(spline.x[:-1], TURN), [0.0, TURN]]))
    knots = knots[np.concatenate([[True], np.diff(knots) > 1e-12])]
    # Each piece is taken from its own middle: at its ends rounding could pick the cubic of its neighbour.
    half = np.diff(knots) / 2
    at = start + np.mod(knots[:-1] + half - start, TURN)
    f, d, b, c = (spline(at, order) for order in range(4))
    zero = np.zeros(len(at))
    cubic = [
        f - half * (d - half * (b / 2 - half * c / 6)),
        d - half * (b - half * c / 2),
        (b - half * c) / 2,
        c / 6,
        zero,
        zero,
    ]
    return TURN, knots[:-1].tolist(), np.column_stack(cubic).ravel().tolist()


def _quintics(h: Array, left: Array, right: Array) -> list[float]:
    """Coefficients of the quintics with given value, slope and bend at both ends of pieces of length h."""
    f0, d0, b0 = left.T
    f1, d1, b1 = right.T
    rise = f1 - f0 - h * (d0 + 0.5 * h * b0)
    slope = d1 - d0 - h * b0
    bend = b1 - b0
    c3 = 10 * rise / h**3 - 4 * slope / h**2 + bend / (2 * h)
    c4 = -15 * rise / h**4 + 7 * slope / h**3 - bend / h**2
    c5 = 6 * rise / h**5 - 3 * slope / h**4 + bend / (2 * h**3)
    coefficients = np.column_stack([f0, d0, b0 / 2, c3, c4, c5])
    return [float(c) for c in coefficients.ravel()]
