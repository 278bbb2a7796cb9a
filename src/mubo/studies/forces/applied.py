"""The loads of a mechanism along a motion: what they exert on every body, and what they exchange.

Along a known motion every load is known but friction, whose size depends on the reaction: it is given that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.mechanism import Absolute
from mubo.results import Columns


@dataclass(frozen=True)
class Applied:
    """Loads at every time, by name of the force where not said otherwise.

    `on` is what all loads together exert on every body, moving ones first, then those that stand still: times × bodies
    × components, about the body's origin, in ground axes. `outside` is the part of loads that push no other body off.
    """

    on: Array
    outside: Array
    holds: Mapping[str, str]  # "force" or "torque"
    values: Mapping[str, Array]  # the size of the load
    power: Mapping[str, Array]
    potential: Mapping[str, Array]
    dissipated: Mapping[str, Array]  # power turned into heat
    supplied: Mapping[str, Array]  # power brought in from outside


def applied(form: Absolute, states: Array, columns: Columns, rubbing: Mapping[str, Array] | None = None) -> Applied:
    """The loads at the rows of `columns` (motion, with measures), whose absolute states are times × 3 × unknowns.

    `rubbing` is the size of friction where it depends on a reaction: force or torque over the rows.
    """
    bodies = len(form.free) + len(form.fixed)
    none = np.zeros((len(states), bodies, 3 if form.mechanism.dimension == 2 else 6))
    return Applied(none, none, {}, {}, {}, {}, {}, {})
