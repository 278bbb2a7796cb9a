"""Shape of a cam: its profile for the core, its edge, the curvature of edge and pitch curve, and notes.

Sources: Norton, Design of Machinery, sections 8.5 (radius of curvature, undercutting) and 8.6; Chen, Mechanics and
Design of Cam Mechanisms (1982).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.cam_lift import lift_corners, lift_profile
from mubo.mechanism.profiles import TURN, CamProfile, wrap_pieces
from mubo.model import Joint, ModelDefinition, Units
from mubo.note import Note

EACH = 9  # points of a piece of the profile at which the curvature is evaluated
LOOKS = 1440  # points of the edge, at least, from which the path of a roller or of a flat face is computed


class CamContact(ABC):
    """Contact of a follower with its cam; f is the profile with two derivatives at an angle of the cam's axes."""

    flat = False

    @abstractmethod
    def angle(self, values: Mapping[str, Sequence[float]], cam: Array, follower: Array) -> Array:
        """Angle of the profile at the contact for given poses (lines of x, y, φ), from the x axis of the ground."""

    @abstractmethod
    def point(self, angle: Array, f: Array) -> Array:
        """Point described by the profile, from the cam's centre: the roller centre or the contact point."""

    @abstractmethod
    def normal(self, angle: Array, f: Array) -> Array:
        """Unit normal there, out of the cam."""

    @abstractmethod
    def radius(self, f: Array) -> Array:
        """Radius of curvature of the described curve: positive where the cam is convex, negative in a hollow."""


class RollerContact(CamContact):
    """The pitch curve, on which the roller's centre runs, in polar form f(θ)."""

    def angle(self, values: Mapping[str, Sequence[float]], cam: Array, follower: Array) -> Array:
        d = place_point(follower, values["point_j"]) - place_point(cam, values["point_i"])
        return np.asarray(np.arctan2(d[:, 1], d[:, 0]))

    def point(self, angle: Array, f: Array) -> Array:
        return np.asarray(f[:, :1] * _outward(angle))

    def normal(self, angle: Array, f: Array) -> Array:
        """Normal (f, −f′) / √(f² + f′²), outwards and across."""
        return np.asarray((f[:, :1] * _outward(angle) - f[:, 1:2] * _across(angle)) / np.hypot(f[:, :1], f[:, 1:2]))

    def radius(self, f: Array) -> Array:
        """Radius (f² + f′²)^(3/2) / (f² + 2 f′² − f f″)."""
        bend = f[:, 0] ** 2 + 2 * f[:, 1] ** 2 - f[:, 0] * f[:, 2]
        with np.errstate(divide="ignore"):  # straight: infinite
            return np.asarray((f[:, 0] ** 2 + f[:, 1] ** 2) ** 1.5 / bend)


class FlatContact(CamContact):
    """The edge as the envelope of the face, whose distance from the centre is f(ψ), ψ the angle of its normal."""

    flat = True

    def angle(self, values: Mapping[str, Sequence[float]], cam: Array, follower: Array) -> Array:
        return np.asarray(np.arctan2(values["normal"][1], values["normal"][0]) + follower[:, 2])

    def point(self, angle: Array, f: Array) -> Array:
        return np.asarray(f[:, :1] * _outward(angle) + f[:, 1:2] * _across(angle))

    def normal(self, angle: Array, f: Array) -> Array:
        return _outward(angle)

    def radius(self, f: Array) -> Array:
        """Radius f + f″."""
        return np.asarray(f[:, 0] + f[:, 2])


def _outward(angle: Array) -> Array:
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _across(angle: Array) -> Array:
    return np.column_stack([-np.sin(angle), np.cos(angle)])


def place_point(pose: Array, at: Sequence[float]) -> Array:
    """A point of a body in the axes of the ground, at each of its poses."""
    return np.asarray(pose[:, :2] + at[0] * _outward(pose[:, 2]) + at[1] * _across(pose[:, 2]))


CONTACTS: dict[str, CamContact] = {"cam_roller": RollerContact(), "cam_flat": FlatContact()}
"""Contacts by the constraint equation of the core."""


def cam_profile(
    contact: CamContact, joint: Joint, options: Mapping[str, Any], units: Units, centre: Sequence[float]
) -> CamProfile:
    """The profile f(angle) of a cam: distance of the roller centre, or of the flat face, from the cam centre."""
    try:
        if options.get("contour") is not None:
            edge = np.array(options["contour"]) - centre
            return contour_profile(edge, options.get("roller", 0.0), flat=contact.flat)
        profile = lift_profile(options, units)
        _require_touchable(contact, profile)
    except ModelError as error:
        raise ModelError(f"joint {joint.name}: {error}", names=[joint.name]) from None
    return profile


def _require_touchable(contact: CamContact, profile: CamProfile) -> None:
    """Refuse a distance that is not positive, and under a flat face a hollow edge (radius f + f'' > 0 is required)."""
    angles, f = profile.looks(2)
    if np.min(f[:, 0]) <= 0:
        worst = float(np.degrees(angles[np.argmin(f[:, 0])]))
        raise ModelError(f"its profile reaches the centre of the cam at {worst:.4g} deg: raise the base radius")
    radius = contact.radius(f)
    if contact.flat and np.min(radius) <= 0:
        worst = float(np.degrees(angles[np.argmin(radius)]))
        need = float(-np.min(radius))
        raise ModelError(
            f"its edge is hollow at {worst:.4g} deg, where a flat face cannot touch it: "
            f"raise the base radius by {need:.3g}"
        )


def smallest_radii(contact: CamContact, profile: CamProfile) -> dict[str, tuple[float, float]]:
    """The least radius of curvature, "convex" and "hollow" (negative) where it has such parts, with its angle.

    For a roller it is that of the pitch curve.
    """
    angles, f = profile.looks(EACH)
    with np.errstate(divide="ignore"):
        bend = 1 / contact.radius(f)
    out = {}
    for word, sign in (("convex", 1.0), ("hollow", -1.0)):
        most, angle = _parabola_peak(angles, sign * bend)
        if most > 0:
            out[word] = (sign / most, angle)
    return out


def _parabola_peak(angles: Array, values: Array) -> tuple[float, float]:
    """The greatest value and its angle: the vertex of the parabola through three points of the piece that has it."""
    k = int(np.argmax(values >= np.max(values) * (1 - 1e-9)))  # the first of places that are as good
    if k % EACH in (0, EACH - 1):
        return float(values[k]), float(angles[k])
    low, top, high = values[k - 1 : k + 2]
    bend = low - 2 * top + high
    shift = 0.5 * (low - high) / bend if bend < 0 else 0.0
    return float(top - 0.25 * (low - high) * shift), float(angles[k] + shift * (angles[k + 1] - angles[k]))


def cam_notes(contact: CamContact, joint: Joint, profile: CamProfile, units: Units) -> list[Note]:
    """Notes on corners of a cam's lift, and on undercut."""
    lift = joint.options.get("lift")
    notes = [] if lift is None else lift_corners(joint.name, lift, units)
    roller = float(joint.options.get("roller", 0.0))
    convex = smallest_radii(contact, profile).get("convex")
    if roller > 0 and convex is not None and convex[0] < roller * (1 - 1e-9):
        where = {"pitch": convex[0], "angle": convex[1] / units.angle_factor(), "roller": roller, "units": units}
        notes.append(Note("mechanism.undercut", joint=joint.name, **where))
    return notes


def cam_edge(model: ModelDefinition, joint: Joint, angles: Array) -> Array:
    """Points of the cam's edge in its own axes: those touched at some angles of its profile, or all of its contour."""
    if "contour" in joint.options:
        return np.array([*joint.options["contour"], joint.options["contour"][0]])
    contact = CONTACTS["cam_flat" if "normal" in joint.options else "cam_roller"]
    options, centre = {"base": 0.0, **joint.options}, model.place(joint.between[0])[1]
    f = cam_profile(contact, joint, options, model.units, centre)(angles)
    return np.asarray(centre + contact.point(angles, f) - options.get("roller", 0.0) * contact.normal(angles, f))


def contour_profile(edge: Array, roller: float, *, flat: bool) -> CamProfile:
    """Profile by a periodic spline through the edge in polar form, then its offset by the roller or its support
    function."""
    from scipy.interpolate import CubicSpline

    angle = np.unwrap(np.arctan2(edge[:, 1], edge[:, 0]))
    if angle[-1] < angle[0]:
        edge, angle = edge[::-1], angle[::-1]
    if np.any(np.diff(angle) <= 0) or not 0 < angle[0] + TURN - angle[-1] < TURN:
        raise ModelError("its contour must go once around the cam's centre, point by point")
    radius = np.hypot(*edge.T)
    r = CubicSpline(np.append(angle, angle[0] + TURN), np.append(radius, radius[0]), bc_type="periodic")
    # Between the points given, however near: where the edge is sharp a face turns far over a short stretch of it.
    gaps = np.diff(np.append(angle, angle[0] + TURN))
    parts = np.ceil(gaps * (LOOKS / TURN) * (1 - 1e-9)).astype(int)
    at = np.concatenate([a + gap * np.arange(m) / m for a, gap, m in zip(angle, gaps, parts, strict=True)])
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
