"""Bearings of a wheel on its carrier: a chain of pins about one axis and welds.

A sun wheel with a pin of its own in the frame is borne on the arm by two pins, wheel – frame and frame – arm, if they
have the same axis; a ring that is welded to the frame by a weld and a pin. A force at the wheel passes all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.model import Joint

SAME = 1e-9  # of the size of the mechanism: axes this close are one


@dataclass(frozen=True)
class WheelBearing:
    """Joints from a wheel to its carrier, each with the body on the wheel's side and the one on the carrier's."""

    steps: tuple[tuple[str, str, str], ...]
    center: Array  # the axis of the wheel, in axes of the carrier


_Place = tuple[str, Array | None]  # a body, and the axis of the wheel in its axes where a pin has told it


def find_wheel_bearing(form: Absolute, wheel: str, carrier: str) -> WheelBearing | None:
    """The shortest chain from a wheel to its carrier over pins of one axis and welds; None where there is none."""
    ways: list[tuple[str, Array | None, tuple[tuple[str, str, str], ...]]] = [(wheel, None, ())]
    seen = {(wheel, False)}
    for body, center, steps in ways:  # grows while it is walked: breadth first
        if body == carrier and center is not None:
            return WheelBearing(steps, center)
        for joint, (other, at) in _neighbours(form, body, center):
            if (other, at is not None) not in seen:
                seen.add((other, at is not None))
                ways.append((other, at, (*steps, (joint, body, other)) if joint else steps))
    return None


def _neighbours(form: Absolute, body: str, center: Array | None) -> Iterator[tuple[str, _Place]]:
    """Neighbours of a body, and the joint between; fixed bodies count as one, without a joint."""
    for joint in form.model.joints.values():
        ends = {reference.partition(".")[0]: reference for reference in joint.between}
        element = form.model.kinds[joint.kind]
        if body not in ends or element.ends != "point" or len(ends) < 2:
            continue
        here = np.array(form.model.place(ends[body])[1])
        there = {other: np.array(form.model.place(ends[other])[1]) for other in ends if other != body}
        if element.coordinate == "angle":
            if center is None or np.linalg.norm(center - here) <= SAME * form.scale:
                yield from ((joint.name, place) for place in there.items())
        elif element.hinge and not element.dofs:
            ((other, at),) = there.items()
            yield joint.name, (other, None if center is None else _across_weld(form, joint, body, center - here) + at)
    if body in form.fixed:
        yield from (
            ("", (other, _between_fixed_bodies(form, body, other, center))) for other in form.fixed if other != body
        )


def _across_weld(form: Absolute, joint: Joint, body: str, arm: Array) -> Array:
    """A vector of one welded body in the axes of the other; `angle` is second minus first."""
    angle = float(form.values[joint.name]["angle"][0])
    return rotate_vector(arm, -angle if joint.between[0].partition(".")[0] == body else angle)


def _between_fixed_bodies(form: Absolute, body: str, other: str, center: Array | None) -> Array | None:
    if center is None:
        return None
    one, two = (np.asarray(form.mechanism.poses[name], float) for name in (body, other))
    return rotate_vector(one[:2] + rotate_vector(center, one[2]) - two[:2], -two[2])


def rotate_vector(vector: Array, angle: float) -> Array:
    """A vector of the plane, rotated counter-clockwise."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])
