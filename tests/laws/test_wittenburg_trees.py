"""Wittenburg's equations of random trees with every joint there is, against Lagrange's equations from poses alone."""

from dataclasses import replace

import numpy as np
import pytest
from lagrange import equations

from mubo import Model
from mubo.geometry.rotation import euler_axes, of_euler
from mubo.legacy.wittenburg import System

TURNING = ("revolute", "universal", "spherical", "fixed")
SLIDING = ("prismatic", "cylindrical", "planar", "screw", "free", "point_on_line", "point_on_plane")
SEQUENCES = ("zxz", "xyz", "zyx", "yxy", "xzy")


def unit(rng, size):
    x = rng.normal(size=size)
    return x / np.linalg.norm(x)


def add_joint(model, rng, name, kind, ends, euler):
    options = {}
    declared = {option.name for option in model.kinds[kind].options}
    if "axis" in declared:
        options["axis"] = rng.normal(size=3)
    if "axes" in declared:
        first = unit(rng, 3)
        second = np.cross(first, unit(rng, 3))
        options["axes"] = (first.tolist(), second.tolist())
    if "lead" in declared:
        options["lead"] = 0.7
    if "zero" in declared:
        options["zero"] = unit(rng, 4)
    if "euler" in declared and euler:
        options["euler"] = SEQUENCES[rng.integers(len(SEQUENCES))]
    model.joint(name, kind, *ends, **options)


def random_tree(seed, kinds, count=4, euler=True, gravity=(0.3, -1.0, -9.81)):
    """Bodies with centres off their origin and full tensors; about half of the joints are written child first."""
    rng = np.random.default_rng(seed)
    model = Model("tree", dimension=3, gravity=gravity)
    model.ground.point("a", rng.normal(size=3))
    names = ["ground"]
    for k in range(count):
        points = {"a": rng.normal(size=3), "b": rng.normal(size=3)}
        L = rng.normal(size=(3, 3))
        second = L @ L.T  # ∫ s sᵀ dm of some body: its tensor obeys the triangle inequality
        tensor = np.trace(second) * np.eye(3) - second
        name, mass = f"body{k}", float(rng.uniform(0.5, 3))
        model.body(name, points=points, mass=mass, inertia=tensor, center=rng.normal(size=3))
        inner = names[int(rng.integers(len(names)))]
        ends = (f"{inner}.a", f"{name}.b")
        ends = ends if rng.random() < 0.5 else ends[::-1]
        add_joint(model, rng, f"j{k}", kinds[(k + seed) % len(kinds)], ends, euler)
        names.append(name)
    return model, rng


def state(system, rng):
    """Middle Euler angles stay away from their singularities for every sequence."""
    q, v = rng.uniform(0.4, 1.1, len(system.coordinates)), rng.normal(size=len(system.rates))
    return q, v


def close(found, wanted, tolerance=1e-9):
    assert np.max(np.abs(found - wanted)) <= tolerance * max(1.0, np.max(np.abs(wanted)))


@pytest.mark.parametrize("seed", range(6))
def test_hinges_that_turn_give_lagranges_equations_in_both_forms(seed):
    model, rng = random_tree(seed, TURNING[:3])
    system = System(model.build())
    assert system.turns_only
    q, v = state(system, rng)
    M, B = equations(model.build(), q, v)
    for form in ("", "general"):
        found = system.matrices(q, v, form=form)
        close(found[0], M)
        close(found[1], B)


@pytest.mark.parametrize("seed", range(7))
def test_hinges_that_slide_give_lagranges_equations(seed):
    kinds = (SLIDING[seed], "revolute", SLIDING[(seed + 3) % 7])
    model, rng = random_tree(seed, kinds, count=3)
    system = System(model.build())
    assert not system.turns_only
    q, v = state(system, rng)
    M, B = equations(model.build(), q, v)
    found = system.matrices(q, v)
    close(found[0], M)
    close(found[1], B)
    close(M @ system.accelerations(q, v), B)


@pytest.mark.parametrize("seed", range(12))
def test_augmented_bodies_and_general_form_agree(seed):
    """On trees of twelve bodies, welds and several hinges on the ground included."""
    model, rng = random_tree(seed, TURNING, count=12, euler=seed % 2 == 0)
    system = System(model.build())
    q, v = state(system, rng)
    for first, second in zip(system.matrices(q, v), system.matrices(q, v, form="general"), strict=True):
        close(first, second, 1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_loads_do_the_work_that_lagrange_says(seed):
    model, rng = random_tree(seed, ("spherical", "prismatic", "revolute"), count=3)
    model.force("strut", "spring", "ground.a", "body2.a", stiffness=30, length=0.4, damping=2)
    model.force("tie", "spring", "body0.a", "body1.a", stiffness=12, length=0.1)
    spherical = next(name for name, joint in model.joints.items() if joint.kind == "spherical")
    model.force("coil", "joint_spring", f"{spherical}.q2", stiffness=5, rest=0.3, damping=0.7)
    revolute = next(name for name, joint in model.joints.items() if joint.kind == "revolute")
    model.force("motor", "joint_effort", revolute, effort="2 + 3*t")
    model.force("push", "point_force", "body1.a", direction=(1, 2, 2), axes="body", force="4*t")
    model.force("wind", "point_force", "body2.a", direction=(0, 1, 1), force="3")
    model.force("screw", "body_torque", "body0", direction=(1, 0, 1), axes="body", torque="1 + t")
    model.force("twist", "body_torque", "body2", direction=(0, 0, 1), torque="2")
    system = System(model.build())
    q, v = state(system, rng)
    M, B = equations(model.build(), q, v, t=0.6)
    found = system.matrices(q, v, 0.6)
    close(found[0], M)
    close(found[1], B)


@pytest.mark.parametrize("seed", range(4))
def test_quaternions_and_euler_angles_give_the_same_accelerations(seed):
    """Of a ball, ω = P(angles) rates in the axes of its second body, so ω′ = P angles″ + P′ angles′."""
    with_angles, rng = random_tree(seed, ("spherical", "free"), count=2)
    without, _ = random_tree(seed, ("spherical", "free"), count=2)
    for name, joint in list(without.joints.items()):
        without.joints[name] = replace(joint, options={k: v for k, v in joint.options.items() if k != "euler"})
        assert "euler" in with_angles.joints[name].options
    first, second = System(with_angles.build()), System(without.build())
    q, v = state(first, rng)
    a = first.accelerations(q, v)
    p, w, wanted = [], [], []
    for stack in first.stacks:
        slides = list(range(stack.q.start, stack.q.stop - 3))
        angles = q[stack.q][-3:]
        rates, sequence = v[stack.v][-3:], stack.dofs[-1].euler
        h = 1e-5
        P = euler_axes(sequence, angles)
        dP = (euler_axes(sequence, angles + h * rates) - euler_axes(sequence, angles - h * rates)) / (2 * h)
        p += [*q[slides], *of_euler(sequence, angles)]
        w += [*v[slides], *(P @ rates)]
        wanted += [*a[slides], *(P @ a[stack.v][-3:] + dP @ rates)]
    close(second.accelerations(np.array(p), np.array(w)), np.array(wanted), 1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_the_path_matrix_is_the_inverse_and_tells_the_paths(seed):
    model, _ = random_tree(seed, TURNING, count=15)
    graph = System(model.build()).graph
    assert np.array_equal(graph.S @ graph.T, np.eye(15))
    assert np.array_equal(-graph.T.T @ graph.S0, np.ones(15))  # S₀T = −1: every path starts on the ground
    assert set(np.unique(graph.T)) == {-1, 0, 1}
    for a, name in enumerate(graph.arcs):
        first, second = (end.partition(".")[0] for end in model.joints[name].between)
        assert (graph.bodies[graph.plus[a]], graph.bodies[graph.minus[a]]) == (first, second)


@pytest.mark.parametrize("seed", range(4))
def test_augmented_tensors_are_sums_over_all_bodies(seed):
    """K_ij = Σ_k m_k (d_jk·d_ik E − d_jk d_ik), from which the book's cases follow."""
    from mubo.legacy.wittenburg.equations import augmented_tensors

    model, rng = random_tree(seed, TURNING[:3], count=7)
    system = System(model.build())
    A0 = system.state(*state(system, rng)).A0
    K = augmented_tensors(system.graph, system.masses, system.bodies, A0)
    d = np.einsum("ixy,ijy->ijx", A0[1:], system.bodies.d)
    sums = np.einsum("k,jkx,iky->ijxy", system.masses.m, d, d)
    wanted = np.trace(sums, axis1=2, axis2=3)[..., None, None] * np.eye(3) - sums
    for i in range(7):
        wanted[i, i] += A0[i + 1] @ system.masses.J[i] @ A0[i + 1].T
    close(K, wanted, 1e-12)
    A, _ = system.matrices(np.zeros(len(system.coordinates)) + 0.7, np.zeros(len(system.rates)))
    assert np.all(np.linalg.eigvalsh(A) > 0)


@pytest.mark.parametrize("seed", range(4))
def test_half_v_A_v_is_the_kinetic_energy(seed):
    model, rng = random_tree(seed, (*SLIDING, *TURNING), count=8, euler=False)
    system = System(model.build())
    q, v = state(system, rng)
    for stack in system.stacks:
        at = stack.q.start
        for dof in stack.dofs:
            if len(dof.q) == 4:
                q[at : at + 4] = unit(rng, 4)
            at += len(dof.q)
    A, _ = system.matrices(q, v)
    close(np.array(v @ A @ v / 2), np.array(system.energy(q, v)[0]), 1e-12)
