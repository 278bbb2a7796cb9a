"""Where the coordinates of joints are in the state of the core."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Integers
from mubo.mechanism.formulations.tree import Tree
from mubo.model.coordinates import holds_of


def joint_links(tree: Tree) -> Integers:
    """Kind, first position and velocity of each link, the first coordinate and rate of the model, sign, sense of a ball
    and its Euler axes: integers for the core."""
    first_q, first_v, count_q, count_v = {}, {}, 0, 0
    for joint in tree.joints:
        first_q[joint.name], first_v[joint.name] = count_q, count_v
        count_q += len(holds_of(tree.model, joint))
        count_v += len(holds_of(tree.model, joint, True))
    lines = []
    for m in tree.links.motions:
        if m.v.stop == m.v.start:
            continue
        sign = -1 if m.kind == "shift" and not m.forward else 1
        axes = ["xyz".index(letter) for letter in m.euler] or [-1, -1, -1]
        at = first_q[m.joint] + m.first, first_v[m.joint] + m.first_rate
        lines.append([tree.links.kind[m.link], m.q.start, m.v.start, *at, sign, m.forward, *axes])
    return np.array(lines, np.int32).reshape(-1, 10)
