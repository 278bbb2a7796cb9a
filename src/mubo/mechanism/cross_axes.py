"""Whether the axes of a universal joint are square to the shafts that it joins.

In Hooke's joint each axis of the cross is square to the shaft of its body; then tan θ_out = cos β tan θ_in. Axes that
are not make another joint, which moves too: it is noted and not refused. A shaft is a body with a bearing whose axis
goes through the cross.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mubo.mechanism.rows import Values
from mubo.model import Joint, ModelDefinition
from mubo.note import Note

CROSS, BEARING = ("turn x", "turn y"), "turn z"
SQUARE = 1e-6  # cosine of the angle between axis and shaft


def cross_axis_notes(model: ModelDefinition, values: Mapping[str, Values]) -> Iterator[Note]:
    """Notes on crosses with an axis that is not square to the shaft of its body."""
    for joint in model.joints.values():
        if model.kinds[joint.kind].dofs != CROSS:
            continue
        for end, word, number in ((0, "x_i", "first"), (1, "y_j", "second")):
            body, center = model.place(joint.between[end])
            axis = np.array(values[joint.name][word], float)
            for bearing, shaft in _shafts(model, values, joint, body, center):
                cosine = abs(float(axis @ shaft)) / float(np.linalg.norm(axis) * np.linalg.norm(shaft))
                if cosine > SQUARE:
                    angle = math.degrees(math.acos(min(cosine, 1.0)))
                    where = {"axis": number, "degrees": angle, "body": body, "bearing": bearing}
                    yield Note("mechanism.cross_not_square", joint=joint.name, **where)


def _shafts(
    model: ModelDefinition, values: Mapping[str, Values], cross: Joint, body: str, center: Sequence[float]
) -> Iterator[tuple[str, np.ndarray]]:
    """Bearings of a body whose axis goes through a point of it: name, and axis in the axes of the body."""
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        if joint is cross or not element.hinge or BEARING not in element.dofs or len(joint.between) != 2:
            continue
        for reference, word in zip(joint.between, ("z_i", "z_j"), strict=True):
            owner, at = model.place(reference)
            if owner != body or word not in values[joint.name]:
                continue
            axis, arm = np.array(values[joint.name][word], float), np.array(center, float) - np.array(at, float)
            if np.linalg.norm(np.cross(axis, arm)) <= SQUARE * max(float(np.linalg.norm(arm)), 1e-300):
                yield joint.name, axis
