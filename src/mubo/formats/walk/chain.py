"""A chain of segments: places of its markers at coordinates, and their derivatives.

A link hangs on its parent at a fixed place of the parent and moves by turns and slides one after the other, each about
an axis of the frame that those before it have moved, each by a coordinate or a function of one:

    A_link = A_parent Π R(u, f(q)) Z,    p_link = p_parent + A_parent (o + Σ …) − A_link e

The segments of a person without a skeleton of their own hang by a ball: three turns in the order of E. S. Grood and
W. J. Suntay (Journal of Biomechanical Engineering 105 (1983) 136-144), about z of the parent, the floating x and y of
the link itself, with signs that make flexion, adduction and inner rotation positive on both sides. The first link has
three slides before its turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import about, matrix

X, Y, Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class CoordinateCurve:
    """A function of a coordinate in cubic pieces: knots, and coefficients of powers of q − knot in lines."""

    knots: Array
    coefficients: Array

    def values(self, q: Array) -> tuple[Array, Array]:
        """The function and its slope."""
        piece = np.clip(np.searchsorted(self.knots, q, side="right") - 1, 0, len(self.knots) - 1)
        x, lines = q - self.knots[piece], self.coefficients[piece]
        powers = x[:, None] ** np.arange(lines.shape[1])
        counts = np.arange(1, lines.shape[1])
        return np.sum(lines * powers, axis=1), np.sum(counts * lines[:, 1:] * powers[:, :-1], axis=1)


@dataclass(frozen=True, eq=False)
class ChainMotion:
    """One turn or slide of a link: its unit axis, the number of its coordinate, and functions of it one in another."""

    turns: bool
    axis: Array
    coordinate: int
    curves: tuple[CoordinateCurve, ...] = ()

    def values(self, q: Array) -> tuple[Array, Array]:
        """Angle or length at coordinates frames × n, and the slope."""
        value, slope = q[:, self.coordinate], np.ones(len(q))
        for curve in self.curves:
            value, more = curve.values(value)
            slope = slope * more
        return value, slope


@dataclass(frozen=True, eq=False)
class ChainLink:
    """A segment: its parent (−1: the laboratory), the place of its joint in both, its motions, its markers."""

    name: str
    parent: int
    origin: Array  # of the joint, in the parent's axes
    motions: tuple[ChainMotion, ...]
    markers: Mapping[str, Array] = field(default_factory=dict)  # places in its own axes
    zero: Array = field(default_factory=lambda: np.eye(3))  # its axes in the parent's where all motions are zero
    end: Array = field(default_factory=lambda: np.zeros(3))  # of the joint, in its own axes

    @property
    def coordinates(self) -> list[int]:
        """Numbers of its coordinates."""
        return [motion.coordinate for motion in self.motions]


def ball(first: int, signs: Sequence[float]) -> tuple[ChainMotion, ...]:
    """Three turns about z, x and y, with signs; `first` is the number of the first coordinate."""
    return tuple(
        ChainMotion(True, s * axis, first + k) for k, (s, axis) in enumerate(zip(signs, (Z, X, Y), strict=True))
    )


def root_motions() -> tuple[ChainMotion, ...]:
    """Three slides along x, y, z, and three turns: the six coordinates of a pelvis."""
    return (*(ChainMotion(False, axis, k) for k, axis in enumerate((X, Y, Z))), *ball(3, (1.0, 1.0, 1.0)))


@dataclass(frozen=True, eq=False)
class Poses:
    """Axes (frames × 3 × 3) and origin of every link; axis, pivot and slope over frames of each of its motions."""

    axes: list[Array]
    places: list[Array]
    motions: list[list[tuple[Array, Array, Array]]]


def pose(links: Sequence[ChainLink], q: Array) -> Poses:
    """Axes and origins of all links at coordinates frames × n."""
    out = Poses([], [], [])
    for link in links:
        axes = out.axes[link.parent] if link.parent >= 0 else np.broadcast_to(np.eye(3), (len(q), 3, 3))
        place = (out.places[link.parent] if link.parent >= 0 else np.zeros((len(q), 3))) + axes @ link.origin
        moved = []
        for motion in link.motions:
            value, slope = motion.values(q)
            line = axes @ motion.axis
            moved.append((line, place, slope))
            if motion.turns:
                axes = axes @ matrix(about(motion.axis, value))
            else:
                place = place + value[:, None] * line
        axes = axes @ link.zero
        out.axes.append(axes)
        out.places.append(place - axes @ link.end)
        out.motions.append(moved)
    return out


def marker_places(links: Sequence[ChainLink], q: Array) -> tuple[Array, Array]:
    """Places of all markers (frames × markers × 3) and their derivatives (frames × 3 markers × coordinates)."""
    placed = pose(links, q)
    places, rows = [], []
    for k, link in enumerate(links):
        for at in link.markers.values():
            place = placed.places[k] + placed.axes[k] @ at
            row = np.zeros((len(q), 3, q.shape[1]))
            above = k
            while above >= 0:
                for motion, (line, pivot, slope) in zip(links[above].motions, placed.motions[above], strict=True):
                    moves = np.cross(line, place - pivot) if motion.turns else line
                    row[:, :, motion.coordinate] += slope[:, None] * moves
                above = links[above].parent
            places.append(place)
            rows.append(row)
    return np.stack(places, axis=1), np.concatenate(rows, axis=1)
