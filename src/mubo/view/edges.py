"""Curved edges of bodies, in body axes: pitch circles of gears and belts with a spoke, rolling wheels, cams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.elements import JOINTS
from mubo.model import GROUND, Joint, Model

ANGLES = np.linspace(0, 2 * np.pi, 181)


@dataclass(frozen=True)
class Edge:
    """A curve fixed in a body. A filled edge is the shape of the body, others are drawn thin."""

    body: str
    points: Array
    filled: bool


def edges_of(model: Model) -> list[Edge]:
    """The curves that couplings give to their bodies."""
    out: list[Edge] = []
    for joint in model.joints.values():
        if joint.kind in ("gears", "belt"):
            carrier = joint.options.get("carrier", GROUND)
            for body, radius in zip(joint.between, joint.options["radii"], strict=True):
                centre = shaft(model, body, carrier)
                out.append(_wheel(body, centre, radius, carrier))
        elif joint.kind == "circle":
            body, centre = model.place(joint.between[0])
            out.append(_wheel(body, centre, joint.options["radius"], body))
        elif joint.kind == "rack":
            body, centre = model.place(joint.between[1])
            out.append(_wheel(body, centre, joint.options["radius"], ""))
        elif joint.kind in ("cam_roller", "cam_flat"):
            out += _cam(model, joint)
    return out


def _wheel(body: str, centre: tuple[float, ...], radius: float, carrier: str) -> Edge:
    """A circle, with a spoke where the body turns."""
    circle = np.array(centre) + radius * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    turning = body not in (GROUND, carrier)
    return Edge(body, np.vstack([circle, [centre]]) if turning else circle, filled=turning)


def shaft(model: Model, body: str, carrier: str) -> tuple[float, ...]:
    """Where a wheel turns on its carrier: their common pin, else a pin of the body, else its origin."""
    pins = [j for j in model.joints.values() if j.kind == "revolute"]
    for wanted in (carrier, None):
        for joint in pins:
            ends = {end.partition(".")[0]: end for end in joint.between}
            if body in ends and (wanted is None or wanted in ends):
                return model.place(ends[body])[1]
    return (0.0, 0.0)


def _cam(model: Model, joint: Joint) -> list[Edge]:
    body, centre = model.place(joint.between[0])
    follower, pin = model.place(joint.between[1])
    out = []
    roller = joint.options.get("roller", 0.0)
    if roller:
        out.append(_wheel(follower, pin, roller, follower))
    if "contour" in joint.options:
        edge = np.array([*joint.options["contour"], joint.options["contour"][0]])
    else:
        factor = model.units.angle_factor()
        turn = np.clip(ANGLES, 0, 2 * np.pi * (1 - 1e-12)) / factor
        lift = joint.options["lift"](turn)
        h, slope = joint.options.get("base", 0.0) + lift[:, 0], lift[:, 1] / factor
        across = slope if joint.kind == "cam_flat" else np.zeros_like(h)
        c, s = np.cos(ANGLES), np.sin(ANGLES)
        # Under a flat face the edge is the envelope of its tangents h(ψ): (h cos ψ − h' sin ψ, h sin ψ + h' cos ψ).
        edge = np.array(centre) + np.column_stack([h * c - across * s, h * s + across * c])
    return [*out, Edge(body, edge, filled=JOINTS[joint.kind].couples)]
