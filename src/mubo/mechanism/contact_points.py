"""Contact points of what rolls, at poses of its two bodies: they wander over both.

A wheel on a line touches it at C = P_j ∓ r n; on a circle or sphere at C = P_j ∓ r d/|d| with d = P_j − P_i; a disc,
sphere or ellipsoid with semi-axes a_k on a plane at C = P_j − Σ (n · a_k) a_k / √Σ (n · a_k)² − c n.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.elements import Element
from mubo.model import Joint
from mubo.model.parts import STANDS_FOR


def contact_arms(
    joint: Joint,
    element: Element,
    values: Mapping[str, list[float]],
    first: tuple[Array, Array],
    second: tuple[Array, Array],
) -> Array:
    """Vectors from the joint point of the second body to the contact, one per row, in ground axes; zero where the
    joint neither rolls nor is in the place of a contact.

    `first` and `second` are the joint point of a body in ground axes (rows × dimension) and its axes as columns (rows ×
    dimension × dimension).
    """
    if (kept := joint.options.get(STANDS_FOR)) is not None:
        return np.asarray(-kept.radius * kept.normal(first[0], second[0], first[1]))
    if not element.contact:
        return np.zeros_like(second[0])
    numbers = {name: np.array(given, float) for name, given in values.items()}
    if element.contact == "round":
        away = second[0] - first[0]
        return np.asarray(-numbers["rolling"] * away / np.linalg.norm(away, axis=1, keepdims=True))
    if element.contact == "line":
        x, y = numbers["axis"]
        return np.asarray(-numbers["rolling"] * (first[1] @ np.array([-y, x])))
    normal = first[1] @ numbers["z_i"]
    axes = np.stack([second[1] @ numbers[f"semi_axis_{k}"] for k in (1, 2, 3)], axis=1)
    along = np.einsum("tkc,tc->tk", axes, normal)
    height = np.linalg.norm(along, axis=1)
    return np.asarray(-np.einsum("tk,tkc->tc", along, axes) / height[:, None] - numbers["tube"] * normal)
