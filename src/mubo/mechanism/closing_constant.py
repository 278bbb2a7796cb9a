"""The constant of a row that was left out: what makes its Φ zero at the estimated positions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mubo.arrays import Array
from mubo.laws.tangent import Tangent, all_slopes, names_of, value_of
from mubo.mechanism.rows import NamedRow, pack

NO_MOTION = np.zeros(0)


def closing_constant(row: NamedRow, name: str, poses: Mapping[str, Array]) -> float:
    """The quantity `name`, which is zero in `row`: constants enter their row linearly, so c is Φ over −∂Φ/∂c.

    Where the poses have slopes by parameters p, so has c: Φ_c c_p = −(Φ_q q_p + Φ_s s_p), s the other numbers.
    """
    around = {body: poses[body] for body in dict.fromkeys(row.bodies)}
    q = np.concatenate([value_of(pose) for pose in around.values()])
    place = list(row.values).index(name)
    number = sum(len(numbers) for numbers in list(row.values.values())[:place])
    system = pack([row], 2, list(around), {})
    c = float(system.phi(q, NO_MOTION)[0] / -system.parameter_jacobian(q, NO_MOTION)[0, number])
    names = names_of(around.values())
    if not names:
        return c
    closed = NamedRow(row.kind, row.owner, row.bodies, {**row.values, name: (c,)}, row.words)
    system = pack([closed], 2, list(around), {})
    by_numbers, by_poses = system.parameter_jacobian(q, NO_MOTION)[0], system.jacobian(q, NO_MOTION)[0]
    moved = np.concatenate([all_slopes(pose, names) for pose in around.values()], axis=1)
    slopes = moved @ by_poses + row_derivatives(closed, names) @ by_numbers
    return Tangent(c, -slopes / by_numbers[number], names)  # type: ignore[return-value]  # stands for a number


def row_derivatives(row: NamedRow, names: tuple[str, ...]) -> Array:
    """Slopes of all numbers of a row by parameters: (names, numbers)."""
    return np.array([all_slopes(number, names) for number in row.parameters]).reshape(-1, len(names)).T
