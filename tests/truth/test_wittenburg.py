"""Wittenburg's equations: the five-body coursework (Samara University), and closed forms of small systems."""

import math
from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.errors import ModelError, SimulationError
from mubo.geometry.rotation import of_euler
from mubo.legacy.wittenburg import System, integrate, wittenburg_accelerations, wittenburg_matrices


@pytest.fixture(scope="module")
def chain():
    return mubo.load(EXAMPLES / "five_body_chain.toml")


def numbers(values):
    return np.array(values, float)


def relative(found, wanted):
    return np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))


def test_the_matrices_printed_in_the_coursework(chain):
    """Equations (18) and (19), and table 1."""
    graph = System(chain.build()).graph
    assert graph.S0.tolist() == [1, 0, 0, 0, 0]
    assert graph.S.tolist() == [
        [-1, 1, 0, 0, 0],
        [0, -1, 1, 0, 0],
        [0, 0, -1, 1, 1],
        [0, 0, 0, -1, 0],
        [0, 0, 0, 0, -1],
    ]
    assert graph.T.tolist() == [
        [-1, -1, -1, -1, -1],
        [0, -1, -1, -1, -1],
        [0, 0, -1, -1, -1],
        [0, 0, 0, -1, 0],
        [0, 0, 0, 0, -1],
    ]
    assert graph.plus.tolist() == [0, 1, 2, 3, 3]
    assert graph.minus.tolist() == [1, 2, 3, 4, 5]


def test_axes_of_the_euler_angles_are_those_of_equation_27(chain):
    report = chain.wittenburg()
    _, theta, phi = report.q[:3]
    s, c = math.sin, math.cos
    printed = np.array([[s(theta) * s(phi), c(phi), 0], [s(theta) * c(phi), -s(phi), 0], [c(theta), 0, 1]])
    assert np.max(np.abs(report.p[:3].T - printed)) < 1e-15


def test_augmented_bodies_of_the_chain(chain):
    """By hand, from the masses 3, 3, 2, 1.5, 1.5 and lengths of the listing; all vectors along z but d_34, d_35."""
    bodies = System(chain.build()).bodies
    z = bodies.d[..., 2]
    assert z.tolist() == [[1, 2, 2, 2, 2], [0, 1, 2, 2, 2], [0, 0, 1, 1, 1], [0, 0, 0, 0.5, 0], [0, 0, 0, 0, 0.5]]
    assert bodies.d[2, 3:, 0].tolist() == [-0.5, 0.5]
    wanted = np.array([3 * 1 + 8 * 2, 3 * 1 + 5 * 2, 2 + 3, 0.75, 0.75]) / 11
    assert np.allclose(bodies.b[:, 2], wanted, rtol=1e-15)
    assert np.allclose(bodies.b[:, :2], 0, atol=1e-16)
    # K_1 = J + 3·1² + 8·2² across its axis, J along it; K_3 = J + 2·1² + 3·(1² + ½²) about y
    assert np.allclose(np.diag(bodies.K[0]), [4 + 3 + 32, 4 + 3 + 32, 3.6])
    assert np.allclose(np.diag(bodies.K[2]), [1 / 3 + 2 + 3, 5 / 12 + 2 + 3.75, 1 / 12 + 0.75])


@pytest.mark.parametrize("start", ["ic1", "ic2"])
def test_at_rest(chain, reference, start):
    """Mass matrix, bias (h = −B) and accelerations at t = 0."""
    wanted = reference("wittenburg_system")["variants"]["A_listing"]["at_t0"][start]
    q, v = numbers(wanted["q"]), numbers(wanted["qd"])
    A, B = wittenburg_matrices(chain.build(), q, v)
    assert relative(A, numbers(wanted["mass_matrix_row_major"]).reshape(9, 9)) < 1e-12
    assert relative(-B, numbers(wanted["bias_h"])) < 1e-12
    assert relative(wittenburg_accelerations(chain.build(), q, v), numbers(wanted["qdd"])) < 1e-9
    assert sum(System(chain.build()).energy(q, v)) == pytest.approx(float(wanted["energy"]), rel=1e-13)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("form", ["augmented", "general"])
def test_moving(chain, reference, number, form):
    """The error of the printed listing, T(i,i)·f(i) for T(j,i)·f(j), cannot be seen at rest but here."""
    wanted = reference("wittenburg_system")["moving_states"][number]
    q, v = numbers(wanted["q"]), numbers(wanted["qd"])
    system = System(chain.build())
    A, B = system.matrices(q, v, form=form)
    assert relative(A, numbers(wanted["mass_matrix_row_major"]).reshape(9, 9)) < 1e-12
    assert relative(-B, numbers(wanted["bias_h"])) < 1e-12
    assert relative(np.linalg.solve(A, B), numbers(wanted["qdd"])) < 1e-9
    assert relative(system.accelerations(q, v), numbers(wanted["qdd"])) < 1e-9
    assert sum(system.energy(q, v)) == pytest.approx(float(wanted["energy"]), rel=1e-12)


def test_the_first_trajectory(chain, reference):
    """5 s from rest within 1e-6 at tolerance 1e-10 (stated by the reference); energy kept; the singularity told."""
    samples = reference("wittenburg_trajectory_ic1")["samples"]
    times = np.array([sample["t"] for sample in samples])
    told = []
    q, v, a = integrate(chain.build(), times, 1e-10, 1e-10, told.append)
    assert np.max(np.abs(q - numbers([sample["q"] for sample in samples]))) < 1e-6
    assert np.max(np.abs(v - numbers([sample["qd"] for sample in samples]))) < 1e-5
    assert np.max(np.abs(a - numbers([sample["qdd"] for sample in samples]))) < 1e-4
    system = System(chain.build())
    energy = np.array([sum(system.energy(*line)) for line in zip(q, v, strict=True)])
    assert np.max(np.abs(energy - energy[0])) < 1e-8 * abs(energy[0])
    coms = np.array([system.state(*line).r for line in zip(q, v, strict=True)]).reshape(len(times), -1)
    assert np.max(np.abs(coms - numbers([np.ravel(s["com_world"]).tolist() for s in samples]))) < 1e-6
    assert len(told) == 1
    assert 'joint "shoulder" came within 0.89 deg of their singularity at t = 4.2' in told[0]


def test_the_second_trajectory(chain, reference):
    """5 s from the other start, within 1e-6 at tolerance 1e-10."""
    wanted = reference("wittenburg_trajectory_ic2")
    model = chain.copy()
    for stack in System(chain.build()).stacks:
        model.initial(stack.name, numbers(wanted["q0"])[stack.q])
    q, _, _ = integrate(model.build(), np.array([s["t"] for s in wanted["samples"]]), 1e-10, 1e-10, lambda text: None)
    assert np.max(np.abs(q - numbers([s["q"] for s in wanted["samples"]]))) < 1e-6


def test_quaternions_take_the_chain_the_same_way(chain, reference):
    """Without Euler angles in the model: no singularity to tell, the same places."""
    model = chain.copy()
    for name in ("shoulder", "elbow"):
        angles = model.initial_joints[name].q
        model.joints[name] = replace(model.joints[name], options={})
        model.initial(name, of_euler("zxz", angles))
    samples = reference("wittenburg_trajectory_ic1")["samples"][:8]
    told = []
    q, v, _ = integrate(model.build(), np.array([s["t"] for s in samples]), 1e-10, 1e-10, told.append)
    system = System(model.build())
    coms = np.array([system.state(*line).r for line in zip(q, v, strict=True)]).reshape(len(samples), -1)
    assert np.max(np.abs(coms - numbers([np.ravel(s["com_world"]).tolist() for s in samples]))) < 1e-8
    assert told == []


def pendulum(*bodies, **options):
    """Point masses on rods of no mass in the plane y = 0, angles from the hanging position."""
    model = mubo.Model("pendulum", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    inner = "ground.O"
    for k, (mass, rod) in enumerate(bodies, 1):
        points = {"top": (0, 0, rod), "end": (0, 0, 0)}
        model.body(f"rod{k}", points=points, mass=mass, inertia=options.get("inertia", (0, 0, 0)))
        model.revolute(f"pin{k}", inner, f"rod{k}.top", axis=(0, -1, 0))
        inner = f"rod{k}.end"
    return model


def test_double_pendulum_of_point_masses():
    """Lagrange's textbook equations in the absolute angles a, b (Landau and Lifshitz, Mechanics, section 5)."""
    m1, m2, l1, l2, g = 2.0, 1.5, 1.0, 0.7, 9.81
    model = pendulum((m1, l1), (m2, l2))
    a, b, da, db = 0.9, -0.4, 1.3, -2.1
    M = np.array([[(m1 + m2) * l1**2, m2 * l1 * l2 * math.cos(a - b)], [m2 * l1 * l2 * math.cos(a - b), m2 * l2**2]])
    right = [
        -m2 * l1 * l2 * db**2 * math.sin(a - b) - (m1 + m2) * g * l1 * math.sin(a),
        m2 * l1 * l2 * da**2 * math.sin(a - b) - m2 * g * l2 * math.sin(b),
    ]
    dda, ddb = np.linalg.solve(M, right)
    found = wittenburg_accelerations(model.build(), [a, b - a], [da, db - da])
    assert np.allclose(found, [dda, ddb - dda], rtol=1e-12)


def test_a_joint_written_child_first_changes_the_sign_of_its_coordinate():
    model, turned = pendulum((2, 1), (1, 0.7)), pendulum((2, 1), (1, 0.7))
    joint = turned.joints["pin2"]
    turned.joints["pin2"] = replace(joint, between=joint.between[::-1])
    found = wittenburg_accelerations(model.build(), [0.5, 0.8], [1.0, -2.0])
    other = wittenburg_accelerations(turned.build(), [0.5, -0.8], [1.0, 2.0])
    assert np.allclose(found, other * [1, -1], rtol=1e-12)
    graph = System(turned.build()).graph
    assert graph.S.tolist() == [[-1, -1], [0, 1]]
    assert graph.T.tolist() == [[-1, -1], [0, 1]]


def test_pendulum_on_a_cart():
    """(m + M) x″ + m l (θ″ cos θ − θ′² sin θ) = 0 and l θ″ + x″ cos θ + g sin θ = 0: a tree that slides."""
    m, M, rod, g, angle, rate = 1.2, 3.0, 0.8, 9.81, 0.7, 1.9
    model = mubo.Model("cart", dimension=3, gravity=(0, 0, -g))
    model.ground.point("O", (0, 0, 0))
    model.body("cart", points={"a": (0, 0, 0)}, mass=M, inertia=(1, 1, 1))
    model.body("rod", points={"top": (0, 0, rod)}, mass=m, inertia=(0, 0, 0))
    model.joint("rail", "prismatic", "ground.O", "cart.a", axis=(1, 0, 0))
    model.revolute("pin", "cart.a", "rod.top", axis=(0, -1, 0))
    found = wittenburg_accelerations(model.build(), [0.3, angle], [0.5, rate])
    c, s = math.cos(angle), math.sin(angle)
    wanted = np.linalg.solve([[m + M, m * rod * c], [c, rod]], [m * rod * rate**2 * s, -g * s])
    assert np.allclose(found, wanted, rtol=1e-12)
    # The cart led by x = 0.1 sin 4t: l θ″ = −g sin θ − x″ cos θ
    model.driver("shaker", "rail", "0.1*sin(4*t)")
    t = 0.3
    led = wittenburg_accelerations(model.build(), [0.1 * math.sin(4 * t), angle], [0.4 * math.cos(4 * t), rate], t)
    x = -1.6 * math.sin(4 * t)
    assert np.allclose(led, [x, -(g * s + x * c) / rod], rtol=1e-12)
    q, v, _ = integrate(model.build(), np.array([0.0, 0.2, 0.4]))
    assert np.allclose(q[:, 0], 0.1 * np.sin([0, 0.8, 1.6]), rtol=0, atol=1e-15)
    assert np.allclose(v[:, 0], 0.4 * np.cos([0, 0.8, 1.6]), rtol=0, atol=1e-15)


def test_heavy_top_in_steady_precession():
    """(C n − A Ω cos θ) Ω = m g l with n = φ′ + ψ′ cos θ: all accelerations vanish (Goldstein, section 5.7)."""
    A, C, m, arm, g = 0.04, 0.03, 2.0, 0.15, 9.81
    model = mubo.Model("top", dimension=3, gravity=(0, 0, -g))
    model.ground.point("O", (0, 0, 0))
    model.body("top", points={"tip": (0, 0, -arm)}, mass=m, inertia=(A, A, C))
    model.joint("ball", "spherical", "ground.O", "top.tip", euler="zxz")
    theta, precession = 0.6, 2.5
    about_tip = A + m * arm**2
    spin = (m * g * arm / precession + about_tip * precession * math.cos(theta)) / C
    rates = [precession, 0, spin - precession * math.cos(theta)]
    found = wittenburg_accelerations(model.build(), [0.4, theta, 1.1], rates)
    assert np.max(np.abs(found)) < 1e-11


def test_small_swings_take_the_time_of_the_formula():
    """A physical pendulum at 90°: period 4 √(J/(m g l)) K(sin²45°), Abramowitz and Stegun 17.3."""
    from scipy.special import ellipk

    model = pendulum((2.0, 0.8), inertia=(0.1, 0.1, 0.1))
    model.initial("pin1", math.pi / 2)
    period = 4 * math.sqrt((2 * 0.64 + 0.1) / (2 * 9.81 * 0.8)) * ellipk(0.5)
    q, v, _ = integrate(model.build(), np.array([0, period / 4, period / 2, period]))
    assert np.allclose(q[:, 0], [math.pi / 2, 0, -math.pi / 2, math.pi / 2], rtol=0, atol=1e-8)
    assert abs(v[-1, 0]) < 1e-8


def test_a_freedom_without_inertia_is_named():
    with pytest.raises(SimulationError, match=r"nothing resists pin2\.v"):
        wittenburg_accelerations(pendulum((2, 1), (0, 1)).build(), [0.1, 0.2], [0, 0])


def test_a_body_without_mass_is_named():
    model = pendulum((2, 1), (1, 1))
    model.body("flag", points={"a": (0, 0, 0)})
    model.revolute("pole", "rod2.end", "flag.a", axis=(0, 1, 0))
    with pytest.raises(ModelError, match="flag has no mass"):
        System(model.build())


def test_the_euler_singularity_is_named():
    """The hanging position of z-x-z angles: A loses its rank, and a fall through it is told."""
    model = mubo.Model("ball", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("rod", points={"top": (0, 0, 1)}, mass=1, inertia=(0.1, 0.1, 0.01))
    model.joint("shoulder", "spherical", "ground.O", "rod.top", euler="zxz")
    with pytest.raises(SimulationError, match='Euler angles of joint "shoulder" are singular'):
        wittenburg_accelerations(model.build(), [0, 0, 0], [0, 0, 0])
    with pytest.raises(SimulationError, match='joint "shoulder" are singular at the start, t = 0'):
        integrate(model.build(), np.array([0, 1.0]))
    model.initial("shoulder", [0.3, 0.8, 0], [0.002, 0, 0])
    told = []
    integrate(model.build(), np.linspace(0, 0.8, 5), 1e-8, 1e-8, told.append)
    assert any('joint "shoulder" came within' in line for line in told)


def test_an_effort_without_bounds_stops_the_run_and_says_where():
    """q″ ~ 1/(t − ½)²: the rows before are answered."""
    model = pendulum((1, 1))
    model.force("blast", "joint_effort", "pin1", effort="1/(0.5 - t)^2")
    told = []
    q, v, a = integrate(model.build(), np.linspace(0, 1, 11), 1e-8, 1e-8, told.append)
    assert len(q) == len(v) == len(a) < 8
    assert len(told) == 1
    assert told[0].startswith("stopped at t = 0.5: ")


def test_a_quaternion_must_be_one():
    model = mubo.Model("ball", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.body("rod", points={"top": (0, 0, 1)}, mass=1, inertia=(0.1, 0.1, 0.01))
    model.joint("shoulder", "spherical", "ground.O", "rod.top")
    with pytest.raises(ModelError, match='quaternion of joint "shoulder" has length 2'):
        wittenburg_matrices(model.build(), [2, 0, 0, 0], [0, 0, 0])
    with pytest.raises(ModelError, match=r"the quaternion has length 0\.5"):
        model.initial("shoulder", [0, 0.5, 0, 0])


def test_what_is_asked_wrongly_is_refused(chain):
    with pytest.raises(ModelError, match="q needs 9 numbers"):
        wittenburg_matrices(chain.build(), [0] * 8, [0] * 9)
    with pytest.raises(ModelError, match="times must be finite and grow"):
        integrate(chain.build(), np.array([0, 1, 1.0]))
    with pytest.raises(ModelError, match="tolerances must be positive"):
        integrate(chain.build(), np.array([0, 1.0]), rtol=0)
    model = chain.copy()
    model.driver("reach", ("ground.O", "left.end"), "2 + t")
    with pytest.raises(ModelError, match='driver "reach" does not drive a joint coordinate'):
        System(model.build())


@pytest.mark.parametrize("kind", ["push", "drag"])
def test_a_force_at_a_point_turns_with_the_arm_that_it_has_now(kind):
    """An arm about z, l from its pivot to the tip: F along y gives J q″ = F l cos q; at rest in a wind w along y
    drag is the force (c₁ + c₂ w) w."""
    length, inertia, angle, wind = 0.8, 0.35, 0.9, 3.0
    model = mubo.Model("arm", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("arm", points={"O": (0, 0, 0), "T": (length, 0, 0)}, mass=1, inertia=(inertia,) * 3)
    model.revolute("A", "ground.O", "arm.O", axis=(0, 0, 1))
    if kind == "push":
        force = 5.0
        model.force("push", "point_force", "arm.T", direction=(0, 1, 0), force=str(force))
    else:
        force = (0.4 + 0.2 * wind) * wind
        model.force("drag", "drag", "arm.T", linear=0.4, quadratic=0.2, medium=(0, wind, 0))
    found = wittenburg_accelerations(model.build(), [angle], [0.0])
    assert np.allclose(found, force * length * math.cos(angle) / inertia, rtol=1e-12)
