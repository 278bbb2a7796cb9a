"""M a + h = τ of models in space, in joint coordinates: laws over every hinge of the registry, in both senses.

The kinetic energy, the velocities of points and the potential energy are each computed by another recursion than M, J
and h, so that these laws compare two formulations.
"""

import numpy as np
import pytest
from conftest import ROOT

import mubo
from mubo.elements import joints_of
from mubo.errors import ModelError
from mubo.geometry.rotation import product

HINGES = [name for name, element in joints_of(3).items() if element.hinge and element.dofs]
CASES = [(kind, turned) for kind in HINGES for turned in (False, True)]
SIZE = 1e-6


def chain(kind, turned, euler=""):
    """Two bodies: the joint between them and the ground, written from either side, and the same joint beyond."""
    element = joints_of(3)[kind]
    options = {option.name: option.example for option in element.options if option.required}
    options |= {"euler": euler} if euler else {}
    model = mubo.Model("chain", dimension=3, gravity=(0.4, -9.81, 2.0))
    model.ground.point("P", (0.1, -0.2, 0.3))
    for name, mass in (("one", 1.5), ("two", 0.7)):
        points = {"P": (-0.3, 0.1, 0.2), "Q": (0.4, 0.2, -0.1)}
        model.body(
            name, points=points, mass=mass, inertia=(0.3, 0.25, 0.2, 0.02, -0.01, 0.03), center=(0.1, 0.05, -0.1)
        )
    for name, ends in (("A", ("ground.P", "one.P")), ("B", ("one.Q", "two.P"))):
        model.joint(name, kind, *(ends[::-1] if turned else ends), **options)
    model.point("tip", "two", (0.2, 0.5, 0.3))
    model.force("strut", "spring", "ground.P", "two.Q", stiffness=20, damping=0.6, length=0.2)
    return model


def state(model, seed=3):
    rng = np.random.default_rng(seed)
    names = model.state_names
    q, v, a, tau = (rng.uniform(0.2, 1.0, len(n)) for n in (names.q, names.v, names.v, names.v))
    return q, v, a, tau


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}{'-turned' if case[1] else ''}")
def model(request):
    return chain(*request.param)


def close(found, wanted, part=1e-10):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=part * max(1.0, np.abs(wanted).max(initial=0)))


def test_mass_matrix_is_symmetric_positive_and_gives_the_energy(model):
    q, v, _, _ = state(model)
    M = model.mass_matrix(q)
    close(M, M.T, 1e-14)
    assert np.linalg.eigvalsh(M)[0] > 0
    close(model.energy(q, v).kinetic, v @ M @ v / 2)


def test_inverse_undoes_forward_dynamics(model):
    q, v, a, tau = state(model)
    close(model.inverse_dynamics(q, v, model.forward_dynamics(q, v, tau)), tau)
    close(model.forward_dynamics(q, v, model.inverse_dynamics(q, v, a)), a)
    close(model.inverse_dynamics(q, v, a), model.mass_matrix(q) @ a + model.bias(q, v))


def moved(model, q, v, step):
    """q after a short time at constant rates; a ball's quaternion turns by them about its own axes."""
    out, names, at = q.copy(), model.state_names, 0
    for k, name in enumerate(names.q):
        joint, _, word = name.partition(".q")
        count = sum(n.startswith(joint + ".") for n in names.q)
        rates = [n for n in names.v if n.startswith(joint + ".")]
        ball = count - len(rates)
        if not ball or int(word) <= count - 4:
            out[k] += step * v[at]
            at += 1
        elif int(word) == count - 3:
            p = q[k : k + 4] / np.linalg.norm(q[k : k + 4])
            rotation = v[at : at + 3] * step / 2
            out[k : k + 4] = product(p[None], np.concatenate([[1.0], rotation])[None])[0]
            at += 3
    return out


def place(model, q):
    """Where the tip is, from the estimates that the initial conditions give: no velocity is involved."""
    from mubo.geometry.rotation import matrix
    from mubo.mechanism import mechanism_of

    other, first = model.copy(), 0
    for joint in dict.fromkeys(name.partition(".")[0] for name in model.state_names.q):
        count = sum(name.startswith(joint + ".") for name in model.state_names.q)
        numbers = q[first : first + count].copy()
        if count - sum(n.startswith(joint + ".") for n in model.state_names.v):
            numbers[-4:] /= np.linalg.norm(numbers[-4:])
        other.initial(joint, q=numbers)
        first += count
    pose = mechanism_of(other.build()).poses["two"]
    return pose[:3] + matrix(pose[3:7]) @ np.array(other.points["tip"].at)


def test_jacobian_is_the_derivative_of_places(model):
    q, v, _, _ = state(model)
    speed = (place(model, moved(model, q, v, SIZE)) - place(model, moved(model, q, v, -SIZE))) / (2 * SIZE)
    close(model.jacobian("tip", q) @ v, speed, 1e-8)
    whole = model.jacobian("two", q)
    assert whole.shape == (6, len(v))
    # a point of a rigid body: v_P = v_O + ω × r
    arm = place(model, q) - origin(model, q)
    close(whole[3:] @ v + np.cross(whole[:3] @ v, arm), model.jacobian("tip", q) @ v)


def origin(model, q):
    other = model.copy()
    other.points.clear()
    other.point("tip", "two", (0, 0, 0))
    return place(other, q)


def test_bias_at_rest_is_the_slope_of_the_potential_energy(model):
    q, v, _, _ = state(model)
    rest = np.zeros(len(v))
    rise = [model.energy(moved(model, q, v, s), rest).potential for s in (SIZE, -SIZE)]
    close(model.bias(q, rest) @ v, (rise[0] - rise[1]) / (2 * SIZE), 1e-7)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sequence", ["zxz", "xyz"])
def test_euler_angles_are_coordinates_like_others(sequence, turned):
    """A ball by Euler angles, which are plain coordinates: q̇ = v, so that all laws hold without quaternions."""
    model = chain("spherical", turned, sequence)
    q, v, _, tau = state(model)
    assert len(q) == len(v) == 6
    M = model.mass_matrix(q)
    close(model.energy(q, v).kinetic, v @ M @ v / 2)
    speed = (place(model, q + SIZE * v) - place(model, q - SIZE * v)) / (2 * SIZE)
    close(model.jacobian("tip", q) @ v, speed, 1e-8)
    close(model.inverse_dynamics(q, v, model.forward_dynamics(q, v, tau)), tau, 1e-9)
    # Lagrange: d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q = τ, with the power of the damper left to the difference of h
    kinetic = np.array(
        [
            (model.energy(q + SIZE * e, v).kinetic - model.energy(q - SIZE * e, v).kinetic) / (2 * SIZE)
            for e in np.eye(6)
        ]
    )
    turning = (model.mass_matrix(q + SIZE * v) - model.mass_matrix(q - SIZE * v)) @ v / (2 * SIZE)
    free = model.copy()
    free.forces.clear()
    close(free.bias(q, v) - free.bias(q, 0 * v), turning - kinetic, 1e-7)


def test_states_by_name():
    model = chain("cylindrical", False)
    assert model.state_names.q == ("A.q1", "A.q2", "B.q1", "B.q2")
    assert model.state_names.v == ("A.v1", "A.v2", "B.v1", "B.v2")
    q = [0.5, 0.1, np.pi / 6, 0.2]
    M = model.mass_matrix(q)
    # The factor of a unit rounds once, and M changes by about as much as q does.
    one_rounding = {"rtol": 4 * np.finfo(float).eps, "atol": 4 * np.finfo(float).eps * np.abs(M).max()}
    named = {"B.q1": "30 deg", "A.q1": 0.5, "A.q2": "10 cm", "B.q2": 0.2}
    np.testing.assert_allclose(model.mass_matrix({"A": [0.5, 0.1], "B": ["30 deg", 0.2]}), M, **one_rounding)
    np.testing.assert_allclose(model.mass_matrix(named), M, **one_rounding)
    tau = {"A": ["2 Nm", "3 N"], "B": [0, 0]}
    v = {"A.v1": "1 rad/s", "A.v2": 0, "B": (0, 0)}
    assert np.array_equal(model.forward_dynamics(q, v, tau), model.forward_dynamics(q, [1, 0, 0, 0], [2, 3, 0, 0]))


@pytest.mark.parametrize(
    ("q", "says"),
    [
        ([1, 2], "q needs 4 numbers, A.q1, A.q2, B.q1, B.q2; found 2"),
        ({"A": [1, 2]}, "q: B.q1, B.q2 are missing"),
        ({"A": 1, "B": [1, 2]}, "q of joint A needs 2 numbers; found 1"),
        ({"C": 1}, 'q: there is no "C"'),
        ({"A": ["1 m", 0], "B": [0, 0]}, 'q: A.q1: "1 m" is no angle'),
        ([0, 0, np.nan, 0], "q: B.q1 is nan: a finite number is needed"),
    ],
)
def test_wrong_states(q, says):
    with pytest.raises(ModelError, match=says):
        chain("cylindrical", False).mass_matrix(q)


def test_bodies_without_mass_are_refused():
    with pytest.raises(ModelError, match="body crank: has no mass"):
        mubo.load(ROOT / "examples" / "four_bar.toml").mass_matrix([0.0])


def test_the_model_may_grow_between_two_questions():
    model = chain("revolute", False)
    before = model.mass_matrix([0.3, 0.4])
    model.body("three", mass=1, inertia=(0, 0, 0), points={"P": (0, 0, 0.1)})
    model.joint("C", "fixed", "two.Q", "three.P")
    assert model.mass_matrix([0.3, 0.4])[0, 0] > before[0, 0]


def test_forces_that_change_in_time():
    """A torque 2 t on the only joint: its bias is −2 t beside what it is without; a table ends where its data does."""
    model = chain("revolute", False)
    q, rest = [0.3, 0.4], [0.0, 0.0]
    still = model.bias(q, rest)
    model.force("motor", "joint_effort", "A", effort={"time": (0, 1, 3), "value": (0, 2, 6)})
    for t in (0.0, 1.5, 3.0):
        close(model.bias(q, rest, t) - still, [-2 * t, 0])
    with pytest.raises(ModelError, match="t = 4 is outside the data of the forces, t = 0 to 3"):
        model.bias(q, rest, 4.0)
