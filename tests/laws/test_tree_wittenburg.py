"""Two formulations of every random tree: articulated bodies in the core, and Wittenburg's A q̈ = B in plain numpy.

The trees have every joint there is, centres off their origins, full tensors, turned zeros, joints written child first;
loads in joints and between points. The way from joint coordinates to the core's and back is part of what is tested.
"""

import numpy as np
import pytest
from test_wittenburg_trees import SLIDING, TURNING, random_tree, state

from mubo.legacy.wittenburg import System
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.tree import tree_form
from mubo.model.coordinates import holds_of


@pytest.mark.parametrize("euler", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_articulated_bodies_give_wittenburgs_accelerations(seed, euler):
    model, rng = random_tree(seed, TURNING + SLIDING, count=7, euler=euler)
    body = f"body{seed % 7}"
    model.force("strut", "spring", "ground.a", f"{body}.a", stiffness=3.0, length=0.4, damping=0.2)
    model.force("push", "point_force", f"{body}.b", direction=(1, 2, -1), force="0.7 + t", axes="body")
    system = System(model.build())
    q, v = state(system, rng)
    tree = tree_form(mechanism_of(model.build()), 0.0, 1.0)
    a = system.accelerations(q, v, 0.0)
    core_q, core_v, core_a = tree.core_motion(q[None], v[None], a[None])
    status, _, _, found, _ = tree.system.aba(np.zeros(1), core_q, core_v, np.zeros_like(core_v))
    assert status == 0
    assert np.max(np.abs(found - core_a)) < 1e-9 * np.max(np.abs(core_a))


@pytest.mark.parametrize("seed", range(6))
def test_joint_coordinates_come_back_from_the_core(seed):
    """What goes in as angles, rates and accelerations comes out the same."""
    model, rng = random_tree(seed, TURNING + SLIDING, count=7)
    system = System(model.build())
    q, v = state(system, rng)
    a = rng.normal(size=len(v))
    tree = tree_form(mechanism_of(model.build()), 0.0, 1.0)
    core = tree.core_motion(q[None], v[None], a[None])
    angles, at = {}, 0
    for hinge in tree.hinges:
        at += len(holds_of(model, model.joints[hinge.joint]))
        if model.joints[hinge.joint].options.get("euler"):  # the last three coordinates of the joint
            ball = next(m for m in tree.links.motions if m.joint == hinge.joint and m.kind == "ball")
            angles[ball.link] = q[None, at - 3 : at]
    columns = tree.joint_columns(*core, angles)
    found = [np.concatenate([columns[h.joint][k][0] for h in tree.hinges if h.joint in columns]) for k in range(3)]
    for given, back in zip((q, v, a), found, strict=True):
        assert np.max(np.abs(given - back)) < 1e-9 * (1 + np.max(np.abs(given)))
