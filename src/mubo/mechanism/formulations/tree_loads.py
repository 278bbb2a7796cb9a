"""Named loads as the loads of a tree: on links and their degrees of freedom, in the axes of the links."""

from __future__ import annotations

from collections.abc import Sequence

from mubo import _core
from mubo._core import Along
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.laws import Polynomial
from mubo.laws.chebyshev import pieces_of
from mubo.mechanism.formulations.links import Links
from mubo.mechanism.formulations.sensors import Sensors
from mubo.mechanism.frames import PLACE, frames_of, in_link_axes
from mubo.mechanism.loads import SMOOTHING, TURNED, NamedLoad
from mubo.mechanism.mechanism import Mechanism
from mubo.model.coordinates import reported_dofs

NUMBERS = {name: number for number, (name, *_) in enumerate(_core.space_loads())}
Pieces = tuple[Array, Array]  # edges and coefficients of a law of time
# Kind, what it acts along, first link, second link or DOF, law, numbers
Load = tuple[int, Along, int, int, int, list[float]]
LOCATED = -1.0  # in place of the speed of friction: stick and slip are located by events, see core/loads/friction.hpp
NO_LAW, STATE_DEPENDENT = -1, -2  # in place of a law of time: none, or a size by the state or a joint reaction


def lay_loads(
    mechanism: Mechanism, links: Links, laws: list[Pieces], sensors: Sensors, start: float, end: float
) -> tuple[list[Load], dict[int, int]]:
    """The loads of a tree, in the order of the model's forces, and of those along a turn in space that closes a loop
    which count of turns they go by. Laws of time are added to `laws`."""
    loads, windings, units = [], {}, mechanism.model.units
    for count, load in enumerate(mechanism.loads):
        law = NO_LAW
        if load.state_dependent:
            law = STATE_DEPENDENT
        elif load.has_law:
            of_time = load.law_of_time() or Polynomial((0.0,))
            pieces = pieces_of(of_time, start, end, f"force {load.name}", units.time_text, values_only=True)
            law = len(laws)
            laws.append((pieces.edges, pieces.coefficients))
        if load.coordinate is not None and _closes_by_turn(mechanism, links, *load.coordinate):
            acting, windings[count] = sensors.winding_of(*load.coordinate)
            along, numbers = Along.turn, list(acting.numbers)
            first, second = (links.frame[body][0] for body in acting.bodies)
        else:
            along, first, second, numbers = _place(mechanism, links, load)
        numbers += _own_numbers(mechanism, links, load)
        loads.append((NUMBERS[load.formula], along, first, second, law, numbers))
    return loads, windings


def _own_numbers(mechanism: Mechanism, links: Links, load: NamedLoad) -> list[float]:
    """Numbers of the formula of a load, in the axes of links."""
    numbers = []
    for how, of, values in load.numbers:
        frame = links.frame[load.ends[of][0]][1] if how in (PLACE, TURNED) else None
        if how == SMOOTHING and load.sticks:
            values = (LOCATED,)
        numbers += in_link_axes(how, _lifted(mechanism, load, values), frame)
    return [*numbers, *load.in_space]


def _closes_by_turn(mechanism: Mechanism, links: Links, name: str, number: int) -> bool:
    """Whether a coordinate is a turn in space of a joint that closes a loop."""
    if mechanism.dimension == 2 or any(motion.joint == name for motion in links.motions):
        return False
    kinds = [dof.kind for dof in reported_dofs(mechanism.model, mechanism.model.joints[name]) for _ in dof.q]
    return kinds[number] != "slide"


def _place(mechanism: Mechanism, links: Links, load: NamedLoad) -> tuple[Along, int, int, list[float]]:
    """Kind of action of a load, its links (or link and degree of freedom), and the points between which it acts."""
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
    numbers = [x for (_, at), frame in places for x in in_link_axes(PLACE, [*at, 0.0][:3], frame)]
    return Along.distance, first, second[0][0], numbers


def _turn(links: Links, first: str, second: str) -> tuple[Along, int, int, list[float]]:
    """Rotation of one planar body relative to another: φ of a body is that of its link less its frame's on it."""
    i, j = links.frame[first][0], links.frame[second][0]
    return Along.turn, i, j, [links.turned[second] - links.turned[first]]


def _along_joint(
    mechanism: Mechanism, links: Links, load: NamedLoad, name: str, number: int
) -> tuple[Along, int, int, list[float]]:
    """Action along a degree of freedom of the tree, or along the coordinate of a cut joint."""
    model = mechanism.model
    if any(motion.joint == name for motion in links.motions):
        return Along.dof, *_dof(mechanism, links, load, name, number), []
    joint = model.joints[name]
    dof = reported_dofs(model, joint)[number]
    angle = mechanism.values[name].get("angle", [0.0])[0] if model.dimension == 2 else 0.0
    first, second = frames_of(model, joint, angle)
    if dof.kind == "slide":
        (i, one), (j, other) = links.frame[first.body], links.frame[second.body]
        along = first.axes[:, "xyz".index(dof.axis)]
        numbers = [
            *in_link_axes(PLACE, first.at, one),
            *in_link_axes(TURNED, along, one),
            *in_link_axes(PLACE, second.at, other),
        ]
        return Along.slide, i, j, numbers
    return _turn(links, first.body, second.body)


def _lifted(mechanism: Mechanism, load: NamedLoad, values: Sequence[float]) -> Sequence[float]:
    """Points and directions of the plane as those of space."""
    flat = mechanism.dimension == 2 and load.along in (Along.body, Along.pair)
    return (*values, 0.0) if flat and len(values) == 2 else values


def _dof(mechanism: Mechanism, links: Links, load: NamedLoad, joint: str, number: int) -> tuple[int, int]:
    """The link and degree of freedom of a joint coordinate."""
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
        suggestion="Use a torque_between its bodies, a spring between points, or joints of one coordinate each.",
    )
