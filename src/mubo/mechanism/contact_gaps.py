"""What rolls, as it is drawn: gaps to the surface that it touches, and discs that lie flat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.geometry.rotation import matrix
from mubo.laws.tangent import value_of
from mubo.mechanism.rows import NamedRow, Values, pack
from mubo.model import Joint, ModelDefinition
from mubo.note import Note

FLAT = 1e-6  # of its radius: a disc whose rim rises less over its plane lies flat
DRAWN = 1e-6  # of the size of the mechanism: a larger gap at the estimates is noted


def contact_notes(
    model: ModelDefinition,
    poses: Mapping[str, Array],
    rows: Sequence[NamedRow],
    values: Mapping[str, Values],
    size: float,
) -> Iterator[Note]:
    """Notes on what is drawn apart from the surface on which it rolls, or in it; a disc that lies flat is refused."""
    for joint in model.joints.values():
        contact = model.kinds[joint.kind].contact
        if not contact:
            continue
        if contact == "plane":
            _refuse_flat(model, joint, poses, values[joint.name])
        touch = next(row for row in rows if row.owner.name == joint.name and row.owner.kind == "joint")
        bodies = {body: value_of(poses[body]) for body in touch.bodies}
        system = pack([touch], model.dimension, list(bodies), {})
        gap = float(system.phi(np.concatenate(list(bodies.values())), np.zeros(3 * len(model.drivers)))[0])
        gap *= float(np.sign(values[joint.name].get("rolling", [1.0])[0]))
        if abs(gap) > DRAWN * size:
            yield Note("mechanism.drawn_apart", joint=joint.name, gap=gap, units=model.units)


def _refuse_flat(model: ModelDefinition, joint: Joint, poses: Mapping[str, Array], values: Values) -> None:
    numbers = {name: np.array([float(x) for x in given]) for name, given in values.items()}
    first, second = (matrix(value_of(poses[end.partition(".")[0]])[3:]) for end in joint.between[:2])
    normal = first @ numbers["z_i"]
    axes = np.array([second @ numbers[f"semi_axis_{k}"] for k in (1, 2, 3)])
    if not np.linalg.norm(axes @ normal) > FLAT * np.max(np.abs(axes)):
        raise ModelError(
            f"{model.where}joint {joint.name}: the disc lies flat on its plane, where every point of its rim touches "
            "and none is its contact",
            names=[joint.name],
            suggestion="Draw it upright or leaning; a disc that lies is a body on a planar joint.",
        )
