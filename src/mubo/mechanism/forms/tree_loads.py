"""Named loads as the loads of a tree: on links and their freedoms, in the axes of the links."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.forms.links import Links
from mubo.mechanism.frames import Frame, frames_of
from mubo.mechanism.loads import PLACE, SMOOTHING, TURNED, NamedLoad
from mubo.mechanism.mechanism import Mechanism
from mubo.model.coordinates import told_freedoms
from mubo.motion import Polynomial
from mubo.motion.chebyshev import pieces_of

NUMBERS = {name: number for number, (name, *_) in enumerate(_core.space_loads())}
Pieces = tuple[Array, Array]  # edges and coefficients of a law of time
# Kind, what it acts along, first link, second link or freedom, law, numbers
Load = tuple[int, Along, int, int, int, list[float]]


def lay_loads(mechanism: Mechanism, links: Links, laws: list[Pieces], start: float, end: float) -> list[Load]:
    """The loads of a tree, in the order of the model's forces; laws of time are added to `laws`."""
    loads = []
    for load in mechanism.loads:
        law = -1
        of_time = load.law_of_time() or Polynomial((0.0,))
        if load.lawful:
            pieces = pieces_of(of_time, start, end, f"force {load.name}", values_only=True)
            law = len(laws)
            laws.append((pieces.edges, pieces.coefficients))
        along, first, second, numbers = _place(mechanism, links, load)
        for carried, of, values in load.numbers:
            frame = links.frame[load.ends[of][0]][1] if carried in (PLACE, TURNED) else None
            if carried == SMOOTHING and not all(values) and load.law is not None:
                raise ModelError(
                    f"force {load.name}: a simulation needs a speed below which its friction creeps",
                    names=[load.name],
                    suggestion="Give `speed`, small against the rates that matter.",
                )
            numbers += _carried(carried, _lifted(mechanism, load, values), frame)
        loads.append((NUMBERS[load.formula], along, first, second, law, [*numbers, *load.in_space]))
    return loads


def _place(mechanism: Mechanism, links: Links, load: NamedLoad) -> tuple[Along, int, int, list[float]]:
    """What a load acts along, its links (or link and freedom), and the points between which it acts."""
    if load.coordinate is not None:
        return _along_joint(mechanism, links, load, *load.coordinate)
    if load.along is Along.turn:
        return _turn(links, *(body for body, _ in load.ends))
    (first, frame), *second = (links.frame[body] for body, _ in load.ends)
    if not second:
        return Along.body, first, -1, []
    if load.along is Along.pair:
        return Along.pair, first, second[0][0], []
    places = zip(load.ends, (frame, second[0][1]), strict=True)
    numbers = [x for (_, at), frame in places for x in _carried(PLACE, [*at, 0.0][:3], frame)]
    return Along.distance, first, second[0][0], numbers


def _turn(links: Links, first: str, second: str) -> tuple[Along, int, int, list[float]]:
    """The turn of one body of the plane against another: φ of a body is that of its link less its frame's on it."""
    (i, one), (j, other) = links.frame[first], links.frame[second]
    return Along.turn, i, j, [turned_by(other) - turned_by(one)]


def turned_by(frame: Frame) -> float:
    """The angle of a frame in the plane."""
    return math.atan2(frame.axes[1, 0], frame.axes[0, 0])


def _along_joint(
    mechanism: Mechanism, links: Links, load: NamedLoad, name: str, number: int
) -> tuple[Along, int, int, list[float]]:
    """Along a freedom of the tree, or along the coordinate of a joint that closes a loop."""
    model = mechanism.model
    if any(motion.joint == name for motion in links.motions):
        return Along.freedom, *_freedom(mechanism, links, load, name, number), []
    joint = model.joints[name]
    freedom = told_freedoms(model, joint)[number]
    angle = mechanism.values[name].get("angle", [0.0])[0] if model.dimension == 2 else 0.0
    first, second = frames_of(model, joint, angle)
    if freedom.kind == "slide":
        (i, one), (j, other) = links.frame[first.body], links.frame[second.body]
        along = first.axes[:, "xyz".index(freedom.axis)]
        numbers = [*_carried(PLACE, first.at, one), *_carried(TURNED, along, one), *_carried(PLACE, second.at, other)]
        return Along.slide, i, j, numbers
    if model.dimension == 2:
        return _turn(links, first.body, second.body)
    raise ModelError(
        f"force {load.name}: joint {name} closes a loop, and a load along its turn is not simulated",
        names=[load.name, name],
        suggestion="Put the load on another joint of the loop, or use a torque_between its bodies.",
    )


def _lifted(mechanism: Mechanism, load: NamedLoad, values: Sequence[float]) -> Sequence[float]:
    """Points and directions of the plane as those of space."""
    return (*values, 0.0) if mechanism.dimension == 2 and load.along is Along.body and len(values) == 2 else values


def _carried(how: str, values: Sequence[float] | Array, frame: Frame | None) -> list[float]:
    """Numbers in the axes of a link."""
    if frame is None:
        return list(values)
    vector = np.array(values) - frame.at if how == PLACE else np.array(values)
    return list(frame.axes.T @ vector)


def _freedom(mechanism: Mechanism, links: Links, load: NamedLoad, joint: str, number: int) -> tuple[int, int]:
    """The link and freedom of a joint coordinate."""
    for motion in links.motions:
        if motion.joint == joint and motion.first <= number < motion.first + motion.q.stop - motion.q.start:
            if motion.kind == "shift" and not motion.forward:
                raise ModelError(
                    f"force {load.name}: joint {joint} is written with the body that it carries first",
                    names=[load.name],
                    suggestion=f"Exchange the ends of joint {joint}, or use a force at a point.",
                )
            if motion.kind == "ball":
                break
            return motion.link, number - motion.first
    force, kind = mechanism.model.forces[load.name], mechanism.model.joints[joint].kind
    raise ModelError(
        f"force {load.name}: coordinate {force.on[0]} of a {kind} joint takes no {force.kind}",
        names=[load.name],
        suggestion="Use a torque_between its bodies, a spring between points, or joints of one freedom each.",
    )
