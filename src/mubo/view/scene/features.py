"""What joints make of the bodies that they join: forks that hold a cross, flat faces on a cam, toothed bars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.model import Joint, ModelDefinition
from mubo.view.scene.data import Kind

Face = tuple[Array, Array, float]  # a place on a flat face, its normal, how far the cam touches it to either side


@dataclass(frozen=True)
class Features:
    """By body: the places of its forks, its flat face, its joints; and which bodies are toothed bars, whose teeth are
    their bar."""

    crosses: dict[str, set[tuple[float, ...]]]
    faces: dict[str, Face]
    toothed: frozenset[str]
    joints: dict[str, list[Joint]]  # in the order of the model


def features_of(model: ModelDefinition) -> Features:
    return Features(_crosses(model), _faces(model), _racks(model), _joints(model))


def _joints(model: ModelDefinition) -> dict[str, list[Joint]]:
    out: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        for body in dict.fromkeys(end.partition(".")[0] for end in joint.between):
            out.setdefault(body, []).append(joint)
    return out


def _crosses(model: ModelDefinition) -> dict[str, set[tuple[float, ...]]]:
    out: dict[str, set[tuple[float, ...]]] = {}
    for joint in model.joints.values():
        if model.kinds[joint.kind].glyph == "cross":
            for body, at in map(model.place, joint.between):
                out.setdefault(body, set()).add(tuple(np.round(at, 12)))
    return out


def _racks(model: ModelDefinition) -> frozenset[str]:
    racks = (joint for joint in model.joints.values() if model.kinds[joint.kind].glyph == Kind.RACK)
    return frozenset(joint.between[0].partition(".")[0] for joint in racks)


def _faces(model: ModelDefinition) -> dict[str, Face]:
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
