"""True for every joint of the registry: its rows and freedoms add up, and it lets its freedoms through.

A new joint is tested by being in the registry.
"""

import math

import numpy as np
import pytest

import mubo
from mubo.compile import ROW_KINDS, compile_model
from mubo.elements import JOINTS
from mubo.studies.diagnose import diagnose

AXIS = (0.6, 0.8)
POSE = (0.7, -0.4, 0.9)
VALUES = {"axis": AXIS, "angle": 0.9}
BETWEEN = sorted(name for name, joint in JOINTS.items() if joint.key == "between")


def on_ground(kind: str) -> mubo.Model:
    """One body at POSE held by one joint, closed: the joint's points coincide there."""
    model = mubo.Model(kind)
    x, y, phi = POSE
    local = (0.3, 0.2)
    c, s = math.cos(phi), math.sin(phi)
    model.ground.point("P", (x + c * local[0] - s * local[1], y + s * local[0] + c * local[1]))
    model.body("link", (x, y), phi, {"P": local})
    given = {o.name: VALUES[o.name] for o in JOINTS[kind].options}
    model.joint("J", kind, "ground.P", "link.P", **given)
    return model


def moved(freedom: str, amount: float) -> np.ndarray:
    """The pose of the body after a finite motion of one freedom."""
    x, y, phi = POSE
    if freedom == "slide":
        return np.array([x + amount * AXIS[0], y + amount * AXIS[1], phi])
    model = on_ground("revolute")
    px, py = model.bodies["ground"].points["P"]
    c, s = math.cos(amount), math.sin(amount)
    return np.array([px + c * (x - px) - s * (y - py), py + s * (x - px) + c * (y - py), phi + amount])


@pytest.mark.parametrize("kind", BETWEEN)
def test_rows_and_freedoms_make_three(kind):
    rows = sum(ROW_KINDS[row.kind][1] for row in JOINTS[kind].rows)
    assert rows + len(JOINTS[kind].freedoms) == 3


@pytest.mark.parametrize("kind", BETWEEN)
def test_a_body_on_this_joint_has_its_freedoms(kind):
    compiled = compile_model(on_ground(kind))
    found = diagnose(compiled, compiled.estimate, np.zeros(0))
    assert found.mobility == found.gruebler == len(JOINTS[kind].freedoms)


@pytest.mark.parametrize("kind", BETWEEN)
@pytest.mark.parametrize("amount", [-0.8, 0.0, 0.3, 1.7])
def test_the_joint_stays_closed_on_its_own_motion(kind, amount):
    system = compile_model(on_ground(kind)).system
    for freedom in JOINTS[kind].freedoms:
        q = moved(freedom, amount)
        assert np.max(np.abs(system.phi(q, np.zeros(0)))) < 1e-14
        h = 1e-5
        S = (moved(freedom, amount + h) - moved(freedom, amount - h)) / (2 * h)
        assert np.max(np.abs(system.jacobian(q, np.zeros(0)) @ S)) < 1e-9


def test_every_row_of_a_declaration_is_filled_exactly():
    """The quantities of each declared row have as many numbers as the core's row has parameters."""
    sizes = {"point_i": 2, "point_j": 2, "axis": 2, "coordinate": 3}
    for joint in JOINTS.values():
        for row in joint.rows:
            assert sum(sizes.get(name, 1) for name in row.quantities) == ROW_KINDS[row.kind][3], joint.name
