"""The integrator: its coefficients, its order, its outputs, its events, and how it says that it cannot go on."""

import numpy as np
import pytest
from scipy.integrate import DOP853, solve_ivp
from scipy.special import ellipj, ellipk
from trees import Tree, between, in_joint, random_tree

from mubo._core import Status, TreeRun, TreeSystem, dop853_tables
from mubo.laws import Program, Segment
from mubo.laws.chebyshev import pieces_of


def start(system, y, end, times=(), tolerance=1e-10, **options):
    given = {"first_step": 0.0, "max_step": np.inf, "max_steps": 10**6, "stops": np.zeros(0), "events": []} | options
    atol = np.full(system.states, tolerance)
    return TreeRun(system, 0.0, end, np.array(y, float), np.array(times, float), tolerance, atol, **given)


def finish(run, seconds=0.1):
    while run.advance(seconds) == Status.running:
        pass
    return run


def pendulum(gravity=1.0):
    """A point mass on a light rod of length 1: q'' = -g sin q."""
    tree = Tree(gravity=(0, 0, -gravity))
    tree.add("turn", axis=(0, 1, 0), mass=1.0, center=(0, 0, -1.0))
    return tree.system()


def swing(t, amplitude):
    """Angle of the pendulum at g = 1 that starts at rest: q = 2 asin(k cd(t)), k = sin(amplitude / 2)."""
    k = np.sin(amplitude / 2)
    _, cn, dn, _ = ellipj(t, k**2)
    return 2 * np.arcsin(k * cn / dn)


def test_coefficients_are_those_of_scipy():
    ours = dop853_tables()
    A = np.zeros((16, 16))
    A[:12, :12], A[12, :12], A[13:] = DOP853.A, DOP853.B, DOP853.A_EXTRA
    assert np.array_equal(ours["A"], A)
    assert np.array_equal(ours["B"][:12], DOP853.B)
    assert np.array_equal(ours["C"], [*DOP853.C, 1.0, *DOP853.C_EXTRA])
    for name in ("E3", "E5", "D"):
        assert np.array_equal(ours[name], getattr(DOP853, name))


def order(times_of):
    """Exponent of the error over the step size, fitted, on the pendulum with steps of fixed length."""
    system, counts, errors = pendulum(), np.array([6, 8, 12, 16, 24]), []
    for n in counts:
        h, times = 2.0 / n, times_of(2.0 / n)
        run = finish(start(system, [2.5, 0, 0, 0], 2.0, times, tolerance=1e9, first_step=h, max_step=h))
        assert (run.status, run.steps, run.rejected) == (Status.done, n, 0)
        errors.append(np.sqrt(np.mean((run.states()[:, 0] - swing(times, 2.5)) ** 2)))
    return -np.polyfit(np.log(counts), np.log(errors), 1)[0]


def test_order_of_the_method():
    assert 7.5 < order(lambda h: np.array([2.0])) < 8.5


def test_order_of_dense_output():
    """Interpolation of order 7 errs by h^8 within a step."""
    assert 7 < order(lambda h: (np.arange(round(2.0 / h)) + 0.5) * h) < 8.5


@pytest.mark.parametrize("method", ["DOP853", "LSODA", "Radau"])
def test_scipy_on_the_same_equations(method):
    tree, rng = random_tree(4, links=6)
    system, (q, v) = tree.system(), tree.state(rng, speed=0.5)
    y = np.concatenate([q, v, [0, 0]])
    times = np.linspace(0, 0.5, 4)
    ours = finish(start(system, y, 0.5, times)).states()
    theirs = solve_ivp(lambda t, y: system.rhs(t, y)[2], (0, 0.5), y, method, times, rtol=1e-9, atol=1e-9).y.T
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)


def test_chunks_make_no_difference():
    tree, rng = random_tree(1)
    system, (q, v) = tree.system(), tree.state(rng)
    y, times = np.concatenate([q, v, [0, 0]]), np.linspace(0, 1, 11)
    whole, chunked = start(system, y, 1.0, times), start(system, y, 1.0, times)
    assert whole.advance(60.0) == Status.done
    assert chunked.advance(0.0) == Status.running
    assert 0 < chunked.t < 1
    assert chunked.steps == 1
    finish(chunked, 0.0)
    assert np.array_equal(whole.states(), chunked.states())
    assert np.array_equal(whole.last(), whole.states()[-1])


def test_outputs_do_not_bend_the_steps():
    few, many = (finish(start(pendulum(), [2.5, 0, 0, 0], 20.0, np.linspace(0, 20, n))) for n in (2, 2001))
    assert few.steps == many.steps
    np.testing.assert_allclose(many.states()[:, 0], swing(np.linspace(0, 20, 2001), 2.5), rtol=0, atol=1e-7)


@pytest.mark.parametrize("amplitude", np.radians([90, 170]))
def test_events_of_a_pendulum(amplitude):
    """Crossings of zero after a quarter, three quarters, … of the period 4 K(k)."""
    quarter = ellipk(np.sin(amplitude / 2) ** 2)
    y, tolerance = [amplitude, 0, 0, 0], 1e-12
    run = finish(start(pendulum(), y, 12 * quarter, tolerance=tolerance, events=[(0, 0.0, 0, False)]))
    numbers, times, states = run.events()
    np.testing.assert_allclose(times, quarter * np.arange(1, 12, 2), rtol=0, atol=1e-9)
    assert list(numbers) == [0] * 6
    np.testing.assert_allclose(states[:, 0], 0, atol=1e-12)
    rising = finish(start(pendulum(), y, 12 * quarter, tolerance=tolerance, events=[(0, 0.0, 1, False)])).events()[1]
    np.testing.assert_allclose(rising, times[1::2], rtol=0, atol=1e-12)
    grid = np.linspace(0, 12 * quarter, 1201)
    stopped = finish(start(pendulum(), y, grid[-1], grid, tolerance=tolerance, events=[(0, 0.0, 1, True)]))
    assert (stopped.status, stopped.where) == (Status.event_stop, 0)
    assert abs(stopped.t - 3 * quarter) < 1e-9
    assert abs(stopped.last()[0]) < 1e-12
    assert stopped.rows == 300 or stopped.rows == 301


def test_an_event_met_at_the_start_or_touched_twice_in_a_step():
    """Starting on the value is no crossing; a swing just beyond it is seen though both ends of the step lie before."""
    y = [0.5, 0, 0, 0]
    assert len(finish(start(pendulum(), y, 3.0, events=[(0, 0.5, 0, False)])).events()[1]) == 0
    top = finish(start(pendulum(), y, 8.0, tolerance=1e-6, events=[(0, -0.49, 0, False)])).events()[1]
    assert len(top) == 2


def test_steps_end_at_corners():
    """A driven pivot whose acceleration jumps: with stops the error is that of smooth motion."""
    law = Program((Segment("harmonic", 1.0, 0.5), Segment("dwell", 1.0, 0.0)))
    pieces = pieces_of(law, 0.0, 2.0, "shaker")
    tree = Tree(gravity=(0, 0, -9.81), laws=[(pieces.edges, pieces.coefficients)])
    tree.add("slide", axis=(1, 0, 0), mass=1.0, law=0)
    tree.add("turn", axis=(0, 1, 0), mass=1.0, center=(0, 0, -1.0))
    system, y = tree.system(), np.array([0, 0.3, 0, 0, 0, 0.0])

    def answer(tolerance, stops):
        return finish(start(system, y, 2.0, [2.0], tolerance=tolerance, stops=stops))

    truth = answer(1e-13, pieces.corners).states()
    smooth, bent = answer(1e-9, pieces.corners), answer(1e-9, np.zeros(0))
    np.testing.assert_allclose(smooth.states(), truth, rtol=0, atol=1e-8)
    assert smooth.rejected < bent.rejected
    np.testing.assert_allclose(truth[0, [0, 2]], [0.5, 0], atol=1e-12)
    n = system.positions
    kinetic, gravity, *_ = system.energy(np.array([2.0]), truth[:, :n].copy(), truth[:, n:-2].copy())[3][0]
    first = system.energy(np.zeros(1), y[None, :2].copy(), np.array([[0.0, 0.0]]))[3][0]
    assert abs(kinetic + gravity - first[1] - truth[0, -1]) < 1e-9  # what the shaker supplied


def test_zero_inertia_is_named_by_its_link():
    tree = Tree()
    tree.add("turn", mass=1.0, center=(1, 0, 0))
    tree.add("turn", axis=(1, 0, 0))
    run = finish(start(tree.system(), np.zeros(6), 1.0))
    assert (run.status, run.where, run.t) == (Status.zero_inertia, 1, 0.0)


@pytest.mark.parametrize("kind", ["turn", "slide", "screw", "ball", "shift"])
def test_every_kind_refuses_a_freedom_without_inertia(kind):
    tree = Tree()
    tree.add("turn", mass=1.0, center=(1, 0, 0))
    tree.add(kind, pitch=0.1)
    system = tree.system()
    y = np.zeros(system.states)
    y[1] = kind == "ball"
    assert system.rhs(0.0, y)[:2] == (Status.zero_inertia, 1)


def test_a_thin_rod_cannot_spin_in_a_ball():
    tree = Tree()
    tree.add("ball", mass=1.0, center=(0, 0, -0.5), inertia=(1 / 12, 1 / 12, 0, 0, 0, 0))
    q = np.array([0.5, 0.5, -0.5, 0.5])
    assert tree.system().rhs(0.0, np.concatenate([q, np.zeros(5)]))[:2] == (Status.zero_inertia, 0)


def test_zero_length_is_named_by_its_load():
    tree = Tree()
    tree.add("slide", mass=1.0)
    tree.loads = [
        in_joint("spring", 0, 0, 0, 0, 1),
        between("spring", 0, -1, 0, 0, 0, 0, 0, 0, 5.0, 0.1, 0.0),
    ]
    assert tree.system().rhs(0.0, np.zeros(4))[:2] == (Status.zero_length, 1)
    tree.loads[1] = between("spring", 0, -1, 0, 0, 0, 0, 0, 0, 5.0, 0.0, 0.0)
    assert tree.system().rhs(0.0, np.zeros(4))[0] == Status.done


def two_sliders():
    tree = Tree(gravity=(0, 0, 0))
    tree.add("slide", mass=1.0)
    tree.add("slide", -1, mass=1.0)
    return tree.system()


def test_a_number_that_is_lost_stops_at_the_last_good_time():
    run = start(two_sliders(), [0, 0, 1, 1, 0, 0], 2.0, user=lambda t, q, v: np.array([0, np.nan if t > 0.75 else 0.0]))
    assert finish(run).status == Status.not_finite
    assert run.where == 1
    assert 0.7499 < run.t <= 0.75


def test_step_size_collapse_names_the_component():
    """v' = v² from v = 1 runs away at t = 1."""
    run = finish(start(two_sliders(), [0, 0, 0, 1, 0, 0], 2.0, user=lambda t, q, v: np.array([0, v[1] ** 2])))
    assert run.status in (Status.collapsed, Status.not_finite)
    assert run.where == 1
    assert abs(run.t - 1) < 1e-6


def test_too_many_steps():
    run = finish(start(pendulum(), [1, 0, 0, 0], 1000.0, max_steps=10))
    assert (run.status, run.steps + run.rejected) == (Status.step_limit, 10)


def test_what_a_user_force_raises_comes_through():
    def broken(t, q, v):
        raise RuntimeError("no force today")

    with pytest.raises(RuntimeError, match="no force today"):
        start(pendulum(), [1, 0, 0, 0], 1.0, user=broken).advance(1.0)
    with pytest.raises(ValueError, match="one number per velocity"):
        start(pendulum(), [1, 0, 0, 0], 1.0, user=lambda t, q, v: np.zeros(3)).advance(1.0)


def test_times_beyond_a_law_are_refused():
    pieces = pieces_of(Program((Segment("cycloidal", 1.0, 0.5),)), 0.0, 1.0, "feed")
    tree = Tree(laws=[(pieces.edges, pieces.coefficients)])
    tree.add("slide", mass=1.0, law=0)
    system = tree.system()
    with pytest.raises(ValueError, match="beyond the pieces of a law"):
        system.rhs(1.5, np.zeros(4))
    with pytest.raises(ValueError, match="beyond the pieces of a law"):
        start(system, np.zeros(4), 1.5)


def test_arrays_that_do_not_fit_are_refused():
    system = pendulum()
    with pytest.raises(ValueError, match="one entry per state"):
        start(system, [1, 0], 1.0)
    with pytest.raises(ValueError, match="ascend"):
        start(system, [1, 0, 0, 0], 1.0, [0.5, 0.2])
    empty = np.zeros((1, 3))
    with pytest.raises(ValueError, match="after its parent"):
        TreeSystem(
            np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros((1, 7)), empty, np.zeros(1), np.zeros((1, 10)),
            np.full(1, -1, np.int32), np.zeros(3), [], [],
        )  # fmt: skip
