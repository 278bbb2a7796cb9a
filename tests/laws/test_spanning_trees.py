"""Spanning trees: every body hangs on one that was reached before it, what is left over closes loops, and those are
short where they can be. The links of a loop are counted on paper: four bars of two stages of a lift, or of a parallel
crank beside the next."""

import math

import numpy as np
import pytest

import mubo
from mubo.topology.tree import loop_of, spanning_tree

STAGES = 20


def lift(stages=STAGES):
    """A scissor lift that a driver opens."""
    model = mubo.Model("lift")
    model.gravity = (0, -9.81)
    model.ground.point("A", (0, 0))
    across, up = math.cos(0.6), math.sin(0.6)
    for k in range(stages):
        for name, angle, end in (("a", 0.6, 0.5), ("b", math.pi - 0.6, -0.5)):
            points = {"l": (-end, 0), "m": (0, 0), "r": (end, 0)}
            model.body(f"{name}{k}", (across / 2, (k + 0.5) * up), angle, points, mass=1, inertia=0.08)
        model.revolute(f"m{k}", f"a{k}.m", f"b{k}.m")
        if k:
            model.revolute(f"r{k}", f"a{k - 1}.r", f"b{k}.r")
            model.revolute(f"l{k}", f"b{k - 1}.l", f"a{k}.l")
    model.revolute("foot", "ground.A", "a0.l")
    model.joint("slide", "slot", "ground.A", "b0.r", axis=(1, 0))
    model.driver("d", "a0.phi", "0.6 + 0.2*t")
    return model


def cranks(number=STAGES):
    """Equal cranks on the ground side by side, each joined to the next by a rod."""
    model = mubo.Model("cranks")
    for k in range(number):
        model.ground.point(f"A{k}", (k, 0))
        model.body(f"crank{k}", (k, 0), math.pi / 2, {"A": (0, 0), "B": (1, 0)})
        model.revolute(f"A{k}", f"ground.A{k}", f"crank{k}.A")
        if k:
            model.body(f"rod{k}", (k - 1, 1), 0, {"B": (0, 0), "C": (1, 0)})
            model.revolute(f"B{k}", f"crank{k - 1}.B", f"rod{k}.B")
            model.revolute(f"C{k}", f"rod{k}.C", f"crank{k}.B")
    return model


@pytest.mark.parametrize("model", [lift(), cranks()], ids=lambda model: model.name)
def test_every_body_hangs_on_one_before_it_and_loops_are_short(model):
    tree = spanning_tree(model)
    reached = ["ground"]
    for hinge in tree.hinges:
        assert hinge.parent in reached
        assert hinge.child not in reached
        reached.append(hinge.child)
    assert sorted(reached) == sorted(model.bodies)
    assert sorted([*(hinge.joint for hinge in tree.hinges), *tree.cut]) == sorted(model.joints)
    assert max(len(loop_of(model, tree.hinges, joint)) for joint in tree.cut) == 4


def test_a_lift_of_many_stages_moves_as_its_angles_say():
    """All stages have the driver's angle φ: the top is at (k + ½) sin φ, exactly as kinematics has it."""
    run = lift().simulate(0, 0.2, step=0.1)
    phi = 0.6 + 0.2 * run["t"]
    for k in (0, STAGES - 1):
        assert run[f"a{k}.y"] == pytest.approx((k + 0.5) * np.sin(phi), abs=1e-9)
        assert run[f"a{k}.vy"] == pytest.approx((k + 0.5) * np.cos(phi) * 0.2, abs=1e-8)
