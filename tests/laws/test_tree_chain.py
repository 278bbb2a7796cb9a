"""The five-body chain: recursions at the reference states, both reference trajectories, energy."""

import numpy as np
import pytest
from five_body_chain import CENTER, five_body_chain, hinge_rotation, with_quaternions
from trees import rotation

from mubo._core import Status, TreeRun


def numbers(values):
    return np.array([float(x) for x in values])


def states(reference):
    system = reference("wittenburg_system")
    start = system["variants"]["A_listing"]["at_t0"]
    return [start["ic1"], start["ic2"], *system["moving_states"]]


@pytest.mark.parametrize("number", range(8))
def test_mass_matrix_bias_and_accelerations(reference, number):
    state = states(reference)[number]
    q, v = numbers(state["q"]), numbers(state["qd"])
    system = five_body_chain(angles=True)[0].system()
    one = np.zeros(1)
    M = numbers(state["mass_matrix_row_major"]).reshape(9, 9)
    _, _, _, h = system.rnea(one, q[None], v[None], np.zeros((1, 9)))
    status, _, _, a, _ = system.aba(one, q[None], v[None], np.zeros((1, 9)))
    assert status == 0
    for found, wanted in ((system.crba(q), M), (h[0], numbers(state["bias_h"])), (a[0], numbers(state["qdd"]))):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


def run(tree, q, times, tolerance):
    system = tree.system()
    y = np.concatenate([q, np.zeros(system.velocities + 2)])
    atol = np.full(system.states, tolerance)
    going = TreeRun(system, 0.0, times[-1], y, times, tolerance, atol, 0.0, np.inf, 10**6, np.zeros(0), [])
    while going.advance(0.1) == Status.running:
        pass
    assert going.status == 0
    return system, going


@pytest.mark.parametrize("name", ["ic1", "ic2"])
@pytest.mark.parametrize(("tolerance", "allowed"), [(1e-10, 1e-6), (1e-12, 1e-8)])
def test_trajectories(reference, name, tolerance, allowed):
    """Hinge rotations, revolute angles and centres of mass against the quadruple-precision reference."""
    samples = reference(f"wittenburg_trajectory_{name}")["samples"]
    times = np.array([s["t"] for s in samples])
    wanted = np.array([numbers(s["q"]) for s in samples])
    centers = np.array([[numbers(c) for c in s["com_world"]] for s in samples])
    tree, carrier = five_body_chain()
    system, going = run(tree, with_quaternions(wanted[0]), times, tolerance)
    y = going.states()
    q, v = np.ascontiguousarray(y[:, :11]), np.ascontiguousarray(y[:, 11:20])
    np.testing.assert_allclose(np.linalg.norm(q[:, :4], axis=1), 1, rtol=0, atol=1e-15)
    np.testing.assert_allclose(q[:, 8:], wanted[:, 6:], rtol=0, atol=allowed)
    for k in range(len(times)):
        for first, angles in ((0, wanted[k, :3]), (4, wanted[k, 3:6])):
            np.testing.assert_allclose(rotation(q[k, first : first + 4]), hinge_rotation(angles), rtol=0, atol=allowed)
    links = system.forward(q, v, 0 * v)[:, carrier]
    for b in range(5):
        found = np.array([line[:3] + rotation(line[3:7]) @ CENTER[b] for line in links[:, b]])
        np.testing.assert_allclose(found, centers[:, b], rtol=0, atol=2 * allowed)
    _, _, _, energy = system.energy(times, q, v)
    total = energy[:, :3].sum(axis=1)
    np.testing.assert_allclose(total, float(samples[0]["energy"]), rtol=0, atol=1e-5)
    assert np.ptp(total) < 1e-8 * np.abs(total[0])


def test_angles_and_quaternions_move_alike(reference):
    """Both forms of the chain over half a second: away from the singular angles they are the same mechanism."""
    q = numbers(states(reference)[1]["q"])
    times = np.linspace(0, 0.5, 6)
    (euler, _), (ball, _) = five_body_chain(angles=True), five_body_chain()
    one = run(euler, q, times, 1e-12)[1].states()
    two = run(ball, with_quaternions(q), times, 1e-12)[1].states()
    for a, b in zip(one, two, strict=True):
        np.testing.assert_allclose(hinge_rotation(a[3:6]), rotation(b[4:8]), rtol=0, atol=1e-10)
        np.testing.assert_allclose(a[6:9], b[8:11], rtol=0, atol=1e-10)
