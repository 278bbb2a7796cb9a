"""Forces of a model as the core's loads."""

from __future__ import annotations

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.mechanism.forms.links import Links, Motion
from mubo.model import Force, Model
from mubo.model.coordinates import coordinate_of
from mubo.model.targets import point_of
from mubo.motion import Law
from mubo.motion.chebyshev import pieces_of

NUMBERS = {name: number for number, (name, *_) in enumerate(_core.tree_loads())}
Load = tuple[int, int, int, int, list[float]]  # kind, first link, second link or freedom, law, parameters


def lay_loads(
    model: Model, links: Links, laws: list[tuple[Array, Array]], start: float, end: float
) -> tuple[list[Load], list[str]]:
    """Loads in the order of the model's forces, and the force each belongs to; laws of time are added to `laws`."""
    loads: list[Load] = []
    owners: list[str] = []

    def law(force: Force, option: str) -> int:
        motion: Law = force.options[option]
        pieces = pieces_of(motion, start, end, f"force {force.name}", values_only=True)
        laws.append((pieces.edges, pieces.coefficients))
        return len(laws) - 1

    def point(reference: str) -> tuple[int, list[float]]:
        body, at = point_of(model, reference)
        link, frame = links.frame[body]
        return link, list(frame.axes.T @ (np.array(at) - frame.at))

    for force in model.forces.values():
        held = force.options
        if force.kind in ("joint_spring", "joint_effort"):
            motion, freedom = _freedom(model, links, force)
            if held.get("stiffness"):
                numbers = [held["stiffness"], held.get("rest", 0.0)]
                loads.append((NUMBERS["joint_spring"], motion.link, freedom, -1, numbers))
            if held.get("damping"):
                loads.append((NUMBERS["joint_damper"], motion.link, freedom, -1, [held["damping"]]))
            if force.kind == "joint_effort":
                loads.append((NUMBERS["joint_effort"], motion.link, freedom, law(force, "effort"), [1.0]))
        elif force.kind == "spring":
            (first, at), (second, on) = (point(reference) for reference in force.on)
            numbers = [held.get(key, 0.0) for key in ("stiffness", "length", "damping")]
            loads.append((NUMBERS["point_spring"], first, second, -1, [*at, *on, *numbers]))
        else:
            turning = force.kind == "body_torque"
            link, frame = links.frame[force.on[0].partition(".")[0]]
            direction = np.array(held["direction"]) / np.linalg.norm(held["direction"])
            with_body = held.get("axes", "ground") == "body"
            along = list(frame.axes.T @ direction if with_body else direction)
            number = law(force, "torque" if turning else "force")
            at = [] if turning else point(force.on[0])[1]
            kind = NUMBERS["link_torque" if turning else "point_force"]
            loads.append((kind, link, -1, number, [*at, *along, float(with_body)]))
        owners += [force.name] * (len(loads) - len(owners))
    return loads, owners


def _freedom(model: Model, links: Links, force: Force) -> tuple[Motion, int]:
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
            return motion, number - motion.first
    raise ModelError(
        f"force {force.name}: coordinate {force.on[0]} of a {joint.kind} joint takes no {force.kind}",
        names=[force.name],
        suggestion="Use a torque on the body, a spring between points, or joints of one freedom each.",
    )
