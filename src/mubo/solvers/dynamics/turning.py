"""Bodies with mass and without inertia: they need none where the constraints never let them rotate.

Joints of a tree decide it by themselves. Where loops are closed, as of a parallelogram whose coupler is only shifted,
the rank decides: no motion that satisfies the joints, J v = 0, rotates the body at the start, and the motion that was
solved does not rotate it either.
"""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.inertia import refuse_turning
from mubo.mechanism.formulations.tree import Tree
from mubo.results import Columns
from mubo.solvers.forces.multipliers import working_equations
from mubo.solvers.statics.null_space import ConstraintProjection

TURNS = 1e-7  # rotation of a body, relative to the largest motion of all


def refuse_turning_at_start(tree: Tree, form: Absolute, q: Array, motion: Array) -> None:
    """Refuse bodies without inertia that a motion at the start would rotate; drivers may move."""
    names = tree.without_inertia if tree.mechanism.tree.cut else ()
    if not names:
        return
    dimension = form.mechanism.dimension
    line = np.where(form.mechanism.ambient.is_rotation, 1.0, form.weight[0])
    joints = [k for k in working_equations(form) if form.equations[k].kind != "driver"]
    J = np.asarray(form.system.twist_jacobian(q, motion))[joints] / np.tile(line, len(form.free))
    lengths = np.linalg.norm(J, axis=1, keepdims=True)
    free = ConstraintProjection(J / np.where(lengths > 0, lengths, 1.0)).free
    turns = np.abs(free).reshape(len(free), len(form.free), -1)[:, :, dimension:].max(axis=(0, 2), initial=0.0)
    refuse_turning(tree.model, [name for name in names if turns[form.numbers[name]] > TURNS])


def refuse_turning_along(tree: Tree, columns: Columns) -> None:
    """Refuse bodies without inertia that the motion rotated after all."""
    for name in tree.without_inertia if tree.mechanism.tree.cut else ():
        rates = (columns.raw(f"{name}.{word}") for word in tree.model.ambient.spin)
        speed = max(float(np.max(np.abs(rate), initial=0.0)) for rate in rates)
        largest = max(
            (
                float(np.max(np.abs(columns.raw(column.name)), initial=0.0))
                for column in columns.of_kind("joint")
                if column.order == 1
            ),
            default=0.0,
        )
        if speed > TURNS * max(largest, 1.0):
            refuse_turning(tree.model, [name])
