"""What joints make of the bodies that they join: forks that hold a cross, flat faces on a cam, toothed bars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.model import Model

Face = tuple[Array, Array, float]  # a place on a flat face, its normal, how far the cam touches it to either side


@dataclass(frozen=True)
class Features:
    """By body: the places of its forks, its flat face; and which bodies are toothed bars, whose teeth are their bar."""

    crosses: dict[str, set[tuple[float, ...]]]
    faces: dict[str, Face]
    toothed: frozenset[str]


def features_of(model: Model) -> Features:
    return Features(_crosses(model), _faces(model), _racks(model))


def _crosses(model: Model) -> dict[str, set[tuple[float, ...]]]:
    out: dict[str, set[tuple[float, ...]]] = {}
    for joint in model.joints.values():
        if model.kinds[joint.kind].glyph == "cross":
            for body, at in map(model.place, joint.between):
                out.setdefault(body, set()).add(tuple(np.round(at, 12)))
    return out


def _racks(model: Model) -> frozenset[str]:
    racks = (joint for joint in model.joints.values() if model.kinds[joint.kind].glyph == "rack")
    return frozenset(joint.between[0].partition(".")[0] for joint in racks)


def _faces(model: Model) -> dict[str, Face]:
    """Flat faces on cams. The cam touches the face beside its middle by h', the slope of its lift."""
    out = {}
    for joint in model.joints.values():
        if model.kinds[joint.kind].glyph == "cam" and "normal" in joint.options:
            body, at = model.place(joint.between[1])
            reach, factor = 0.0, model.units.angle_factor()
            if "lift" in joint.options:
                turn = np.linspace(0, 2 * np.pi * (1 - 1e-9), 181) / factor
                reach = float(np.max(np.abs(joint.options["lift"](turn)[:, 1]))) / factor
            normal = np.array(joint.options["normal"], float)
            out[body] = (np.array(at), normal / np.hypot(*normal), reach)
    return out
