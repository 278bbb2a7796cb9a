"""Forces of a model as the core's loads, whatever their kind: a declaration says what fills the formula's numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array
from mubo.elements import Element, loads_of
from mubo.errors import ModelError
from mubo.mechanism.forms.links import Links
from mubo.mechanism.frames import Frame
from mubo.model import Force, Model
from mubo.model.coordinates import coordinate_of
from mubo.model.targets import point_of
from mubo.motion.chebyshev import pieces_of

NUMBERS = {name: number for number, (name, *_) in enumerate(_core.space_loads())}
Pieces = tuple[Array, Array]  # edges and coefficients of a law of time
# Kind, what it acts along, first link, second link or freedom, law, numbers
Load = tuple[int, Along, int, int, int, list[float]]


def lay_loads(model: Model, links: Links, laws: list[Pieces], start: float, end: float) -> list[Load]:
    """The loads of a tree, in the order of the model's forces; laws of time are added to `laws`."""
    known, loads = loads_of(model.dimension), []
    for force in model.forces.values():
        element = known[force.kind]
        formula, law = element.formula, -1
        if formula.law:
            pieces = pieces_of(force.options[formula.law], start, end, f"force {force.name}", values_only=True)
            law = len(laws)
            laws.append((pieces.edges, pieces.coefficients))
        along, first, second, geometry = _place(model, links, force, element)
        numbers = [*geometry, *_numbers(model, links, force, element)]
        loads.append((NUMBERS[formula.name], along, first, second, law, numbers))
    return loads


def _place(model: Model, links: Links, force: Force, element: Element) -> tuple[Along, int, int, list[float]]:
    """What a force acts along, its links (or link and freedom), and the points between which it acts."""
    if element.key == "of":
        return Along.freedom, *_freedom(model, links, force), []
    if element.key == "between":
        (first, at), (second, on) = (_point(model, links, reference) for reference in force.on)
        return Along.distance, first, second, [*at, *on]
    return Along.body, _body(model, links, force, element)[0], -1, []


def _numbers(model: Model, links: Links, force: Force, element: Element) -> Iterator[float]:
    """What fills the numbers of the core's formula; what turns with a body is given in the axes of its link."""
    options = {option.name: option for option in element.options}
    for name in element.formula.quantities:
        if name == "point":
            yield from _point(model, links, force.on[0])[1]
            continue
        option = options[name]
        value = force.options.get(name, option.default)
        if option.holds == "direction":
            direction = np.array(value) / np.linalg.norm(value)
            turns = force.options.get("axes") == "body"
            yield from _body(model, links, force, element)[1].axes.T @ direction if turns else direction
        elif isinstance(option.holds, tuple):
            yield float(option.holds.index(value))
        else:
            yield float(value)


def _body(model: Model, links: Links, force: Force, element: Element) -> tuple[int, Frame]:
    """The link of the body that a force acts on, and that link's frame on the body."""
    reference = force.on[0]
    return links.frame[reference if element.key == "body" else point_of(model, reference)[0]]


def _point(model: Model, links: Links, reference: str) -> tuple[int, list[float]]:
    body, at = point_of(model, reference)
    link, frame = links.frame[body]
    return link, list(frame.axes.T @ (np.array(at) - frame.at))


def _freedom(model: Model, links: Links, force: Force) -> tuple[int, int]:
    """The link and freedom of a joint coordinate."""
    joint, number = coordinate_of(model, force.on[0])
    for motion in links.motions:
        if motion.joint == joint.name and motion.first <= number < motion.first + motion.q.stop - motion.q.start:
            if motion.kind == "shift" and not motion.forward:
                raise ModelError(
                    f"force {force.name}: joint {joint.name} is written with the body that it carries first",
                    names=[force.name],
                    suggestion=f"Exchange the ends of joint {joint.name}, or use a force at a point.",
                )
            if motion.kind == "ball":
                break
            return motion.link, number - motion.first
    raise ModelError(
        f"force {force.name}: coordinate {force.on[0]} of a {joint.kind} joint takes no {force.kind}",
        names=[force.name],
        suggestion="Use a torque on the body, a spring between points, or joints of one freedom each.",
    )
