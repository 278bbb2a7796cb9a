"""Functions of a state by the compiled equations: equal to the recursions called one by one, to themselves over many
states, and their derivatives to differences, in plane and space, for trees and closed loops."""

import sys

import numpy as np
import pytest
from conftest import ROOT
from test_tree_equations import CASES, chain, moved, state

import mubo
from mubo.analyses.simulate import consistent_start
from mubo.errors import ModelError, SimulationError

STEP = 1e-4  # of central differences: h² and rounding / h are both near 1e-9 of derivatives near one
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.toml"))


def close(found, wanted, part=1e-9):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=part * max(1.0, np.abs(wanted).max(initial=0)))


def example_state(name):
    """A model that has equations of motion, with q at its closed start and rates that its loops allow; else None."""
    model = mubo.load(ROOT / "examples" / name)
    try:
        equations = model.equations_of_motion()
        tree, _ = consistent_start(model.build().changed(drivers={}), 0.0, 0.0)
    except mubo.MuboError:
        return None
    if tree.dofs < 1 or any(motion.euler for motion in tree.links.motions) or equations.names.v == ():
        return None
    core_q, _ = tree.start()
    rest = np.zeros((1, tree.links.velocities))
    joints = tree.joint_columns(core_q[None], rest, rest, {})
    if len(joints) < len(tree.joints):
        return None  # a body that floats has columns of its own
    q = np.concatenate([joints[joint.name][0][0] for joint in tree.joints if joint.name in joints])
    J = equations.loop_jacobian(q)
    v = np.random.default_rng(5).uniform(-1, 1, len(equations.names.v))
    return model, q, v - np.linalg.lstsq(J, J @ v, rcond=None)[0] if len(J) else v


READY = {name: found for name in EXAMPLES if (found := example_state(name)) is not None}


def test_examples_have_trees_and_loops_in_plane_and_space():
    kinds = {(model.dimension, bool(len(model.loop_jacobian(q)))) for model, q, _ in READY.values()}
    assert kinds == {(2, False), (2, True), (3, False), (3, True)}


def by_differences(model, function, q, v, STEP=STEP):
    """Derivatives of function(q, v) along unit rates, and by v: of fourth order by one extrapolation."""
    columns = {"q": [], "v": []}
    for e in np.eye(len(v)):
        for letter in columns:
            slopes = []
            for h in (STEP, 2 * STEP):
                if letter == "q":
                    ends = function(moved(model, q, e, h), v), function(moved(model, q, e, -h), v)
                else:
                    ends = function(q, v + h * e), function(q, v - h * e)
                slopes.append((ends[0] - ends[1]) / (2 * h))
            columns[letter].append((4 * slopes[0] - slopes[1]) / 3)
    return np.array(columns["q"]).T, np.array(columns["v"]).T


def compare_derivatives(model, q, v, a, tau, part):
    inverse = model.inverse_dynamics_derivatives(q, v, a)
    by_q, by_v = by_differences(model, lambda q, v: model.inverse_dynamics(q, v, a), q, v)
    close(inverse.q, by_q, part)
    close(inverse.v, by_v, part)
    close(inverse.a, model.mass_matrix(q), 1e-12)
    forward = model.forward_dynamics_derivatives(q, v, tau)
    by_q, by_v = by_differences(model, lambda q, v: model.forward_dynamics(q, v, tau), q, v)
    close(forward.q, by_q, part)
    close(forward.v, by_v, part)
    units = [model.forward_dynamics(q, v, tau + e) - model.forward_dynamics(q, v, tau) for e in np.eye(len(v))]
    close(forward.tau, np.array(units).T, 1e-8)


@pytest.mark.parametrize(("kind", "turned"), CASES)
def test_derivatives_of_every_hinge_are_differences(kind, turned):
    model = chain(kind, turned)
    compare_derivatives(model, *state(model), 2e-7)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sequence", ["zxz", "xyz"])
def test_derivatives_with_euler_angles_are_differences(sequence, turned):
    model = chain("spherical", turned, sequence)
    compare_derivatives(model, *state(model), 2e-7)


def depends_on_reactions(model):
    return any(load.reaction_friction is not None for load in model.equations_of_motion()._tree.mechanism.loads)


@pytest.mark.parametrize("name", READY)
def test_derivatives_of_every_example_are_differences(name):
    model, q, v = READY[name]
    rng = np.random.default_rng(1)
    a, tau = rng.uniform(-1, 1, (2, len(v)))
    if depends_on_reactions(model):
        for refused in (model.bias, lambda q, v: model.forward_dynamics_derivatives(q, v, tau)):
            with pytest.raises(ModelError, match="depends on a joint reaction"):
                refused(q, v)
        return
    compare_derivatives(model, q, v, a, tau, 1e-5)


@pytest.mark.parametrize("name", READY)
def test_forward_dynamics_keeps_loops_closed_and_inverts_the_inverse(name):
    """M a + h − τ is a combination −Jᵀλ of the loop equations, whose velocities J v do not change along the motion."""
    model, q, v = READY[name]
    if depends_on_reactions(model):
        return
    tau = np.random.default_rng(2).uniform(-1, 1, len(v))
    a = model.forward_dynamics(q, v, tau)
    J = model.loop_jacobian(q)
    left = model.inverse_dynamics(q, v, a) - tau
    if not len(J):
        close(left, np.zeros(len(v)), 1e-9 * max(1, np.abs(tau).max(), np.abs(model.bias(q, v)).max()))
        return
    close(J.T @ np.linalg.lstsq(J.T, left, rcond=None)[0], left, 1e-8)
    h = 1e-5
    rates = [model.loop_jacobian(moved(model, q, v + s / 2 * a, s)) @ (v + s * a) for s in (h, -h)]
    close((rates[0] - rates[1]) / (2 * h), np.zeros(len(J)), 1e-6 * max(1.0, np.abs(a).max()))


@pytest.mark.parametrize("name", READY)
def test_many_states_are_single_ones_bit_by_bit(name):
    model, q, v = READY[name]
    rng = np.random.default_rng(3)
    Q = q + 1e-3 * rng.uniform(-1, 1, (20, len(q)))
    V, A = rng.uniform(-1, 1, (2, 20, len(v)))
    body = next(body for body in model.bodies if body != "ground")
    known = [] if depends_on_reactions(model) else [(model.bias, (Q, V)), (model.inverse_dynamics, (Q, V, A))]
    for function, states in (
        *known,
        (model.mass_matrix, (Q,)),
        (model.forward_dynamics, (Q, V, A)),
        (lambda q: model.jacobian(body, q), (Q,)),
        (lambda q: model.forward_kinematics(body, q), (Q,)),
        (model.loop_jacobian, (Q,)),
    ):
        single = np.array([function(*line) for line in zip(*states, strict=True)])
        assert np.array_equal(function(*states), single)
        assert np.array_equal(function(*(numbers[:3] for numbers in states)), single[:3])


def test_equal_to_the_recursions_called_one_by_one():
    model = mubo.load(ROOT / "examples" / "five_body_chain.toml")
    q, v, a, _ = state(model)
    equations = model.equations_of_motion()
    tree = equations._tree
    core_q, w, w_rate = tree.core_motion(q[None], v[None], a[None])
    B = tree.core_motion(np.tile(q, (len(v), 1)), np.eye(len(v)), np.zeros((len(v), len(v))))[1].T
    close(model.mass_matrix(q), B.T @ tree.system.crba(core_q[0]) @ B, 1e-13)
    close(model.inverse_dynamics(q, v, a), B.T @ tree.system.rnea(np.zeros(1), core_q, w, w_rate)[3][0], 1e-13)
    links = tree.system.forward(np.tile(core_q, (len(v), 1)), np.ascontiguousarray(B.T), np.zeros((len(v), len(v))))
    body = next(reversed(model.bodies))
    motion = tree.body_motion(body, links)
    close(model.jacobian(body, q), np.concatenate([motion[:, 10:13].T, motion[:, 7:10].T]), 1e-13)
    close(model.forward_kinematics(body, q), motion[0, :7], 1e-13)


def test_answers_go_into_given_arrays():
    model = chain("revolute", False)
    q, v, a, _ = state(model)
    M, tau = np.empty((2, 2)), np.empty(2)
    assert model.mass_matrix(q, out=M) is M
    assert model.inverse_dynamics(q, v, a, out=tau) is tau
    assert np.array_equal(M, model.mass_matrix(q))
    with pytest.raises(ModelError, match=r"out must be a C-contiguous array of doubles .* found \(3, 3\)"):
        model.mass_matrix(q, out=np.empty((3, 3)))


@pytest.mark.parametrize(
    ("q", "v", "says"),
    [
        (np.zeros((4, 3)), np.zeros((4, 2)), "q of many states needs 2 columns, A.q, B.q; found 3"),
        (np.zeros((4, 2)), np.zeros((3, 2)), "need the same number of states each; found q 4, v 3"),
        (np.zeros((4, 2)), np.zeros(2), "found q 4, v one state"),
        (np.array([[0, 0], [0, np.nan]]), np.zeros((2, 2)), "q: B.q of state 1 is nan: a finite number is needed"),
        ([0, 0], [0, np.inf], "v: B.v is inf: a finite number is needed"),
    ],
)
def test_wrong_arrays(q, v, says):
    with pytest.raises(ModelError, match=says):
        chain("revolute", False).bias(q, v)


def test_loops_that_cannot_close_are_refused():
    """A four-bar whose links are shorter than the distance of its bearings."""
    model = mubo.Model("open", gravity=(0, 0))
    for name, at in (("A", (0, 0)), ("D", (9, 0))):
        model.ground.point(name, at)
    for name, ends in (("one", "AB"), ("two", "BC"), ("three", "CD")):
        model.body(name, points={ends[0]: (0, 0), ends[1]: (1, 0)}, mass=1, inertia=1, center=(0.5, 0))
    for pin, ends in (
        ("A", ("ground", "one")),
        ("B", ("one", "two")),
        ("C", ("two", "three")),
        ("D", ("three", "ground")),
    ):
        model.revolute(pin, *(f"{body}.{pin}" for body in ends))
    with pytest.raises(SimulationError, match="the loops cannot be closed near this q"):
        model.forward_dynamics(np.zeros(3), np.zeros(3), np.zeros(3))


def python_calls(function):
    """How many Python functions a call runs, itself included."""
    calls = []
    sys.setprofile(lambda frame, event, argument: calls.append(frame.f_code.co_name) if event == "call" else None)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


def test_a_question_at_a_state_runs_few_python_functions():
    """One of the model, one that looks whether it changed, one of the compiled equations: latency cannot come back."""
    model = chain("revolute", False)
    q, v, a, tau = state(model)
    questions = {
        "mass_matrix": (q,),
        "bias": (q, v),
        "inverse_dynamics": (q, v, a),
        "forward_dynamics": (q, v, tau),
        "jacobian": ("tip", q),
        "forward_kinematics": ("tip", q),
        "inverse_dynamics_derivatives": (q, v, a),
        "forward_dynamics_derivatives": (q, v, tau),
    }
    for name, given in questions.items():
        ask, compiled = getattr(model, name), getattr(model.equations_of_motion(), name)
        ask(*given)
        assert len(python_calls(lambda ask=ask, given=given: ask(*given))) <= 9, name
        assert len(python_calls(lambda ask=compiled, given=given: ask(*given))) <= 6, name


def test_places_and_their_derivatives_need_no_masses():
    """Two bars of lengths 2 and 1 at the angles 0.3 and 0.7: the tip is at Σ l (cos, sin), moved by Σ l (−sin, cos)."""
    model = mubo.Model("arm")
    model.ground.point("O", (0, 0))
    model.body("upper", points={"O": (0, 0), "P": (2, 0)})
    model.body("lower", points={"P": (0, 0)})
    model.revolute("shoulder", "ground.O", "upper.O")
    model.revolute("elbow", "upper.P", "lower.P")
    model.point("tip", "lower", (1, 0))
    arm, q = model.equations_of_motion(), [0.3, 0.4]
    x, y = (2 * f(0.3) + f(0.7) for f in (np.cos, np.sin))
    np.testing.assert_allclose(arm.forward_kinematics("tip", q), [x, y], rtol=1e-14)
    np.testing.assert_allclose(arm.jacobian("tip", q), [[-y, -np.sin(0.7)], [x, np.cos(0.7)]], rtol=1e-14)
    for question in (lambda: arm.mass_matrix(q), lambda: arm.bias(q, q), lambda: arm.energy(q, q)):
        with pytest.raises(mubo.ModelError, match="body upper: has no mass"):
            question()


def test_a_pin_of_three_bodies_has_no_named_coordinates():
    model = mubo.load(ROOT / "examples" / "toggle_press.toml")
    with pytest.raises(mubo.ModelError, match=r"joint K joins 3 bodies: its angles have no names\s+Write it as joints"):
        model.equations_of_motion()
