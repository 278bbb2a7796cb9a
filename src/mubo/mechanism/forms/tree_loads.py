"""Named loads as the loads of a tree: on links and their freedoms, in the axes of the links."""

from __future__ import annotations

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.forms.links import Links
from mubo.mechanism.frames import Frame
from mubo.mechanism.loads import PLACE, SMOOTHING, TURNED, NamedLoad
from mubo.mechanism.mechanism import Mechanism
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
            numbers += _carried(carried, values, frame)
        loads.append((NUMBERS[load.formula], along, first, second, law, numbers))
    return loads


def _place(mechanism: Mechanism, links: Links, load: NamedLoad) -> tuple[Along, int, int, list[float]]:
    """What a load acts along, its links (or link and freedom), and the points between which it acts."""
    if load.coordinate is not None:
        return Along.freedom, *_freedom(mechanism, links, load, *load.coordinate), []
    (first, frame), *second = (links.frame[body] for body, _ in load.ends)
    if not second:
        return Along.body, first, -1, []
    if load.along is Along.pair:
        return Along.pair, first, second[0][0], []
    places = zip(load.ends, (frame, second[0][1]), strict=True)
    numbers = [x for (_, at), frame in places for x in _carried(PLACE, at, frame)]
    return Along.distance, first, second[0][0], numbers


def _carried(how: str, values: tuple[float, ...], frame: Frame | None) -> list[float]:
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
