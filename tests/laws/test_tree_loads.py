"""Loads on random trees: generalised forces against potentials and Jacobians in numpy, and what they do to energy."""

import numpy as np
import pytest
from trees import KIND, STEP, Tree, between, in_joint, on_link, random_inertia, random_tree, sine_law

from mubo._core import Along, Status, TreeRun, space_loads

SEEDS = range(6)
ONE_FREEDOM = {KIND["turn"], KIND["slide"], KIND["screw"]}


def loaded_tree(seed, **options):
    """A random tree with every kind of load."""
    tree, rng = random_tree(seed, **options)
    law = len(tree.laws)
    tree.laws.append(sine_law(2.0, 1.3, 0.4))
    joints = [k for k, kind in enumerate(tree.kind) if kind in ONE_FREEDOM]
    n = len(tree.parent)
    tree.loads = [
        in_joint("spring", joints[0], 0, 3.0, 0.2, 0.0),
        in_joint("spring", joints[-1], 0, 0.0, 0.0, 0.7),
        in_joint("cubic_spring", joints[0], 0, 1.0, 2.0, 0.1, 0.2),
        in_joint("effort", joints[1], 0, law=law),
        between("spring", n - 1, -1, 0.1, 0.2, 0.3, 3.0, 1.0, -1.0, 5.0, 0.4, 0.6),
        between("spring", n - 2, 0, 0.5, 0.2, 0.3, 0.0, 1.0, 0.4, 2.0, 0.0, 0.0),
        between("cubic_spring", n - 1, 0, 0.5, 0.2, 0.3, 0.0, 1.0, 0.4, 2.0, 0.3, 0.9, 0.1),
        on_link("point_force", n - 1, law, 0.3, -0.2, 0.1, 0.5, 1.0, 0.2, 0),
        on_link("point_force", n - 2, law, 0.0, 0.4, 0.1, 0.5, -1.0, 0.2, 1),
        on_link("body_torque", n - 1, law, 0.3, 0.1, 0.6, 0),
        on_link("body_torque", n - 3, law, 0.3, 0.1, -0.6, 1),
    ]
    shifts = [k for k, kind in enumerate(tree.kind) if kind == KIND["shift"]]
    tree.loads += [in_joint("spring", k, c, c % 2, -0.3, 0.3) for k in shifts for c in range(3)]
    return tree, rng


def generalised_forces(tree, t, q, v):
    """Q by principles: -dV/dq of potentials, Jᵀ F of forces, -c l' dl/dq of dampers."""
    slices, n = list(tree.slices()), len(v)
    f = 2.0 * np.sin(1.3 * t + 0.4)

    def length_squared(x, load):
        _, _, i, j, _, p = load
        poses = tree.poses(x)[0]
        ends = [np.array(s) if k < 0 else poses[k][1] + poses[k][0] @ s for k, s in ((i, p[:3]), (j, p[3:6]))]
        d = ends[1] - ends[0]
        return d @ d

    def slope(function, direction):
        return function(tree.moved(q, direction, 1j * STEP)).imag / STEP

    # Along a coordinate x with rate w, as the formulas are written in the books.
    efforts = {
        "spring": lambda x, w, k, rest, c: -k * (x - rest) - c * w,
        "cubic_spring": lambda x, w, k, b, rest, c: -k * (x - rest) - b * (x - rest) ** 3 - c * w,
        "effort": lambda x, w: f,
    }
    Q = np.zeros(n)
    for load in tree.loads:
        name, along, i, j, _, p = space_loads()[load[0]][0], *load[1:]
        if along == Along.dof:
            at = slices[i][1].start + j
            Q[at] += efforts[name](q[slices[i][0].start + j], v[at], *p)
        elif along == Along.distance:
            length = np.sqrt(length_squared(q, load))
            grad = np.array([slope(lambda x, load=load: length_squared(x, load), e) for e in np.eye(n)]) / (2 * length)
            Q += efforts[name](length, grad @ v, *p[6:]) * grad
        else:
            R = tree.poses(q)[0][i][0]
            turning, moving = tree.jacobian(q, i, p[:3] if name == "point_force" else (0, 0, 0))
            d = f * np.array(p[-4:-1])
            Q += (moving if name == "point_force" else turning).T @ (R @ d if p[-1] else d)
    return Q


@pytest.mark.parametrize("seed", SEEDS)
def test_generalised_forces_of_all_loads(seed):
    tree, rng = loaded_tree(seed)
    q, v = tree.state(rng)
    t = 0.6
    _, h = tree.mass_and_bias(q, v)
    status, _, _, tau = tree.system().rnea(np.array([t]), q[None], v[None], np.zeros((1, len(v))))
    assert status == Status.done
    wanted = h - generalised_forces(tree, t, q, v)
    np.testing.assert_allclose(tau[0], wanted, rtol=0, atol=1e-11 * np.abs(wanted).max())


def integrate(system, y, end, tolerance=1e-11, **options):
    times = np.linspace(0, end, 21)
    given = {"first_step": 0.0, "max_step": np.inf, "max_steps": 10**6, "stops": np.zeros(0), "events": []} | options
    atol = np.full(system.states, tolerance)
    run = TreeRun(system, 0.0, end, y, times, tolerance, atol, **given)
    while run.advance(0.1) == Status.running:
        pass
    assert run.status == Status.done
    out = run.states()
    n = system.positions
    return times, np.ascontiguousarray(out[:, :n]), np.ascontiguousarray(out[:, n:-2]), out[:, -2:]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("driven", [False, True])
def test_power_balance(seed, driven):
    """kinetic + potential + dissipated - supplied stays what it was, drivers and user force included."""
    tree, rng = loaded_tree(seed, driven=driven)
    system = tree.system()
    q, v = tree.state(rng, speed=0.3)

    def push(t, q, v):
        return 0.2 * np.cos(t) * np.ones(len(v)) - 0.1 * v

    t, q, v, exchanged = integrate(system, np.concatenate([q, v, [0, 0]]), 1.0, user=push)
    _, _, _, energy = system.energy(t, q, v)
    total = energy[:, :3].sum(axis=1) + exchanged[:, 0] - exchanged[:, 1]
    size = np.abs(energy[:, :3]).max() + np.abs(exchanged).max()
    assert np.ptp(total) < 1e-9 * size
    assert np.ptp(energy[:, :3].sum(axis=1)) > 1e-4 * size


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_of_free_trees(seed):
    """Without gravity; springs between links and in joints are forces inside the tree."""
    tree, rng = random_tree(seed, free=True)
    tree.gravity = (0, 0, 0)
    n = len(tree.parent)
    tree.loads = [between("spring", n - 1, 1, 0.1, 0.2, 0.3, 3.0, 1.0, -1.0, 5.0, 0.4, 0.6)]
    tree.loads += [in_joint("spring", k, 0, 1, 0, 0) for k in range(2, n) if tree.kind[k] in ONE_FREEDOM]
    system = tree.system()
    t, q, v, _ = integrate(system, np.concatenate([*tree.state(rng, speed=0.3), [0, 0]]), 1.0)
    _, _, _, energy = system.energy(t, q, v)
    momenta = energy[:, 3:]
    assert np.ptp(momenta, axis=0).max() < 1e-9 * np.abs(momenta).max()


def test_mass_falls_freely():
    tree = Tree(gravity=(0, 1.0, -9.81))
    rng = np.random.default_rng(3)
    tree.add("shift")
    tree.add("ball", **random_inertia(rng))
    system = tree.system()
    t, q, v, _ = integrate(system, np.array([0, 0, 0, 1, 0, 0, 0, 1.0, 2, 3, 0.4, -1, 2, 0, 0]), 1.0)
    _, _, _, energy = system.energy(t, q, v)
    fall = np.outer(t, [0, 1.0, -9.81]) * tree.inertia[1][0]
    np.testing.assert_allclose(energy[:, 3:6] - energy[0, 3:6], fall, rtol=0, atol=1e-9)


def test_user_force_is_the_same_as_its_load():
    """A damper as a Python function and as a load of the core."""
    plain, rng = random_tree(2)
    q, v = plain.state(rng)
    joint = next(k for k, kind in enumerate(plain.kind) if kind in ONE_FREEDOM)
    at = list(plain.slices())[joint][1].start
    y = np.concatenate([q, v, [0, 0]])

    def damper(t, q, v):
        out = np.zeros(len(v))
        out[at] = -0.7 * v[at]
        return out

    _, _, by_function = plain.system().rhs(0.0, y, damper)
    plain.loads = [in_joint("spring", joint, 0, 0, 0, 0.7)]
    _, _, by_load = plain.system().rhs(0.0, y)
    np.testing.assert_allclose(by_function[:-2], by_load[:-2], rtol=1e-13)
    np.testing.assert_allclose(-by_function[-1], by_load[-2], rtol=1e-13)
