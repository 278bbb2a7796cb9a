"""The recursions agree with each other and with a second formulation, on random trees of mixed links."""

import numpy as np
import pytest
from trees import KIND, flat_tree, random_tree

SEEDS = range(12)


def one(t, *rows):
    return np.array([float(t)]), *(np.array(row, float)[None, :] for row in rows)


def case(seed, **options):
    tree, rng = random_tree(seed, **options)
    system = tree.system()
    q, v = tree.state(rng)
    t = 0.7
    _, Q, V = one(t, q, v)
    q, v, _ = (x[0] for x in system.drive(np.array([t]), Q, V))
    return tree, system, rng, t, q, v


def close(found, wanted, part=1e-11):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=part * max(1.0, np.abs(wanted).max(initial=0)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("free", [False, True])
def test_mass_matrix_and_bias_against_dense_jacobians(seed, free):
    tree, system, _, t, q, v = case(seed, free=free)
    M, h = tree.mass_and_bias(q, v)
    close(system.crba(q), M)
    status, _, _, tau = system.rnea(*one(t, q, v, 0 * v))
    assert status == 0
    close(tau[0], h)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("free", [False, True])
def test_accelerations_against_dense_jacobians(seed, free):
    tree, system, rng, t, q, v = case(seed, free=free)
    tau = rng.normal(size=len(v))
    status, _, _, a, _ = system.aba(*one(t, q, v, tau))
    assert status == 0
    M, h = tree.mass_and_bias(q, v)
    close(a[0], np.linalg.solve(M, tau - h), 1e-13 * np.linalg.cond(M))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lifted", [0.0, 0.5])
def test_accelerations_in_a_plane_against_dense_jacobians(seed, lifted):
    """Flat trees take an algebra of their own; lifted off the plane they take that of space."""
    tree, rng = flat_tree(seed)
    tree.place = [(x, y, z + lifted, *turn) for x, y, z, *turn in tree.place]
    q, v = tree.state(rng)
    tau = rng.normal(size=len(v))
    status, _, _, a, _ = tree.system().aba(*one(0, q, v, tau))
    assert status == 0
    M, h = tree.mass_and_bias(q, v)
    close(a[0], np.linalg.solve(M, tau - h), 1e-13 * np.linalg.cond(M))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("driven", [False, True])
def test_inverse_dynamics_undoes_forward_dynamics(seed, driven):
    tree, system, rng, t, q, v = case(seed, driven=driven)
    held = np.zeros(len(v), bool)
    for law, (_, at) in zip(tree.law, tree.slices(), strict=True):
        held[at] = law >= 0
    assert driven == held.any()
    tau = np.where(held, 0, rng.normal(size=len(v)))
    status, _, _, a, effort = system.aba(*one(t, q, v, tau))
    assert status == 0
    assert not effort[0, ~held].any()
    _, _, _, back = system.rnea(*one(t, q, v, a[0]))
    close(back[0], tau + effort[0], 1e-10)
    _, _, law_a = system.drive(*one(t, q, v))
    close(a[0, held], law_a[0, held], 1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_of_the_mass_matrix_are_efforts_of_unit_accelerations(seed):
    _, system, _, t, q, v = case(seed)
    n = len(v)
    M = system.crba(q)
    _, _, _, rest = system.rnea(*one(t, q, 0 * v, 0 * v))
    Q, zero = np.tile(q, (n, 1)), np.zeros((n, n))
    _, _, _, tau = system.rnea(np.full(n, t), Q, zero, np.eye(n))
    close((tau - rest).T, M)
    close(M, M.T, 1e-15)
    assert np.linalg.eigvalsh(M).min() > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_is_half_v_M_v(seed):
    _, system, _, t, q, v = case(seed)
    _, _, _, energy = system.energy(*one(t, q, v))
    close(energy[0, 0], v @ system.crba(q) @ v / 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_energies_and_momenta_against_the_bodies(seed):
    tree, system, _, t, q, v = case(seed, free=True)
    _, _, _, (found,) = system.energy(*one(t, q, v))
    potential, p, L = 0.0, np.zeros(3), np.zeros(3)
    poses = tree.poses(q)
    for k, (m, *rest) in enumerate(tree.inertia):
        R, r = poses[0][k]
        xx, yy, zz, xy, xz, yz = rest[3:]
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        c = r + R @ rest[:3]
        turning, moving = tree.jacobian(q, k, rest[:3], poses)
        potential -= m * c @ np.array(tree.gravity)
        p += m * moving @ v
        L += np.cross(c, m * moving @ v) + inertia @ (turning @ v)
    close(found[1:], [potential, 0, *p, *L])


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_and_accelerations_are_derivatives_of_poses(seed):
    """Along the motion with speeds v + s a: complex steps for rates, differences of rates for accelerations."""
    tree, system, rng, _, q, v = case(seed)
    a = rng.normal(size=len(v))
    (links,) = system.forward(*one(0, q, v, a)[1:])
    h = 1e-30
    ahead = tree.poses(tree.moved(q, v, 1j * h))[0]
    for k, (R, r) in enumerate(tree.poses(q)[0]):
        close(links[k, :3], r)
        w, x, y, z = links[k, 3:7]
        close(R, np.array(R_of(w, x, y, z)))
        spin = ahead[k][0].imag / h @ R.T
        close(links[k, 7:10], ahead[k][1].imag / h)
        close(links[k, 10:13], [spin[2, 1], spin[0, 2], spin[1, 0]])
    step = 1e-5
    states = [(tree.moved(tree.moved(q, v, s), a, s * s / 2), v + s * a) for s in (-step, step)]
    (before,), (after,) = (system.forward(*one(0, *state, a)[1:]) for state in states)
    rates = (after - before)[:, 7:13] / (2 * step)
    np.testing.assert_allclose(links[:, 13:19], rates, rtol=0, atol=1e-8 * np.abs(rates).max())


def R_of(w, x, y, z):
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def test_random_trees_have_every_kind_of_link():
    found = {kind for seed in SEEDS for kind in random_tree(seed)[0].kind}
    assert found == set(KIND.values())
