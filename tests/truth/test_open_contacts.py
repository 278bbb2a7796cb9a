"""Contact forces that equilibrium does not determine, and the reactions that depend on them, are marked, and no others.

A beam on two supports is determined: F₁ + F₂ = m g with moments about its centre. On three, or on two and a pin, one
combination of forces is in balance of itself, along the normals alone: components across stay determined.
"""

import numpy as np
import pytest

import mubo

FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])
M, G = 3.0, 9.81


def beam(places, pinned=False, posts=False):
    """A beam about the origin on tips, of the ground or of posts that stand fixed on it."""
    model = mubo.Model("beam", gravity=(0, -G))
    model.ground.point("O", (-1, 0))
    model.body("beam", position=(0, 0), angle=0, mass=M, inertia=1, points={"A": (-1, 0)})
    if pinned:
        model.revolute("A", "ground.O", "beam.A")
    model.surface("line", body="beam", shape="plane", normal=(0, -1))
    for k, x in enumerate(places):
        if posts:
            model.ground.point(f"B{k}", (x, -1))
            model.body(f"post{k}", position=(x, -1), angle=0, mass=0.5, inertia=0.1, points={"B": (0, 0)})
            model.joint(f"weld{k}", "fixed", f"ground.B{k}", f"post{k}.B")
        model.surface(f"tip{k}", body=f"post{k}" if posts else "ground", shape="point", at=(0, 1) if posts else (x, 0))
        model.contact(f"on{k}", between=[f"tip{k}", "line"])
    return model


def marked(run, *quantities):
    """Names of the columns of contacts and joints that are indeterminate."""
    return {c.name for c in run.columns.schema if c.quantity in quantities and not c.unique}


def simulated(model, formulation):
    return model.simulate(0, 0.2, step=0.1, reactions=True, formulation=formulation)


@FORMULATIONS
def test_a_beam_on_two_supports_is_determined(formulation):
    run = simulated(beam((-0.4, 0.6), posts=True), formulation)
    assert marked(run, "normal", "fx", "fy", "m") == set()
    np.testing.assert_allclose(run["on0.normal"], 0.6 * M * G, rtol=1e-9)
    np.testing.assert_allclose(run["weld1.on_post1.fy"], (0.4 * M + 0.5) * G, rtol=1e-9)
    assert run.summary["reactions"]["indeterminate"] == []


@FORMULATIONS
def test_a_beam_on_three_supports_is_marked(formulation):
    run = simulated(beam((-0.5, 0.1, 0.5)), formulation)
    assert marked(run, "normal") == {"on0.normal", "on1.normal", "on2.normal"}
    total = sum(run[f"on{k}.normal"] for k in range(3))
    np.testing.assert_allclose(total, M * G, rtol=1e-9)  # what equilibrium does determine


@FORMULATIONS
def test_joints_that_carry_open_contact_forces_are_marked(formulation):
    run = simulated(beam((-0.5, 0.1, 0.5), posts=True), formulation)
    assert marked(run, "normal", "fy") >= {f"weld{k}.on_post{k}.fy" for k in range(3)}
    assert not marked(run, "m") | {name for name in marked(run, "fx") if name.startswith("weld")}
    assert run.summary["reactions"]["indeterminate"] == [f"weld{k}.on_post{k}.fy" for k in range(3)]
    assert any("how contacts share their load" in str(note) for note in run.summary["warnings"])


@FORMULATIONS
def test_a_pin_that_shares_with_contacts_is_marked(formulation):
    run = simulated(beam((0.2, 0.5), pinned=True), formulation)
    assert run.summary["reactions"]["indeterminate"] == ["A.on_beam.fy"]
    assert {"A.on_beam.fx", "A.on_beam.m"} <= set(run.summary["reactions"]["unique"])
    alone = simulated(beam((0.5,), pinned=True), formulation)
    assert alone.summary["reactions"]["indeterminate"] == []
    np.testing.assert_allclose(alone["on0.normal"], M * G / 1.5, rtol=1e-9)


@FORMULATIONS
def test_a_joint_beside_open_contacts_stays_determined(formulation):
    """A pendulum that swings apart from the beam: nothing of its pin depends on how the beam is carried."""
    model = beam((-0.5, 0.1, 0.5))
    model.ground.point("P", (0, 5))
    model.body("bob", position=(0, 5), angle=0.5, mass=1, inertia=0.1, points={"P": (0, 0)}, center=(0, -0.5))
    model.revolute("pin", "ground.P", "bob.P")
    run = simulated(model, formulation)
    assert marked(run, "normal") == {"on0.normal", "on1.normal", "on2.normal"}
    assert run.summary["reactions"]["indeterminate"] == []
