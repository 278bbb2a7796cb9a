"""Φ, Φ_q, Φ_t, ν, γ, M and Q as numbers: Tartari's formulas in NumPy, Newton and Euler, and forces of other studies."""

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import EXAMPLES

import mubo
from mubo.cli.main import cli
from mubo.describe.formulas import latex_formula, symbolic_equations, text_formula
from mubo.errors import ModelError


def load(name):
    return mubo.load(EXAMPLES / name)


def turned(phi):
    return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])


OMEGA = np.array([[0.0, -1.0], [1.0, 0.0]])


def tartari(model, q, v, t):
    """Φ, Φ_q, Φ_t and γ by the document's sections 3.3 to 3.5, a body after the other, ground terms left out.

    Prismatic joints and drivers have their axis in the first body (the cylinder), as the model file has it.
    """
    names = [name for name in model.bodies if name != "ground"]
    at = {name: 3 * k for k, name in enumerate(names)}
    pose = {name: q[k : k + 3] for name, k in at.items()} | {"ground": np.zeros(3)}
    rate = {name: v[k : k + 3] for name, k in at.items()} | {"ground": np.zeros(3)}
    phi, rows, gamma = [], [], []

    def place(reference):
        body, s = model.place(reference)
        A = turned(pose[body][2])
        arm = A @ np.array(s, float)
        return body, pose[body][:2] + arm, rate[body][:2] + rate[body][2] * OMEGA @ arm, arm

    def row(entries):
        line = np.zeros(len(q))
        for body, values in entries:
            if body != "ground":
                line[at[body] : at[body] + 3] += values
        rows.append(line)

    for joint in model.joints.values():
        (i, P_i, V_i, s_i), (j, P_j, V_j, s_j) = (place(reference) for reference in joint.between)
        if joint.kind == "revolute":
            phi += list(P_i - P_j)
            for k in range(2):
                e = np.eye(2)[k]
                row([(i, [*e, (OMEGA @ s_i)[k]]), (j, [*-e, -(OMEGA @ s_j)[k]])])
            gamma += list(s_i * rate[i][2] ** 2 - s_j * rate[j][2] ** 2)
        else:
            u = np.array(joint.options["axis"], float)
            across = OMEGA @ turned(pose[i][2]) @ u / np.hypot(*u)
            value, line, right = slider(i, j, across, (P_i, P_j, V_i, V_j, s_i, s_j), rate)
            phi.append(value)
            row(line)
            gamma.append(right)
            phi.append(pose[j][2] - pose[i][2])
            row([(i, [0, 0, -1]), (j, [0, 0, 1])])
            gamma.append(0.0)
    for driver in model.drivers.values():
        joint = model.joints[driver.of.partition(".")[0]]
        (i, P_i, V_i, s_i), (j, P_j, V_j, s_j) = (place(reference) for reference in joint.between)
        u = np.array(joint.options["axis"], float)
        along = turned(pose[i][2]) @ u / np.hypot(*u)
        value, line, right = slider(i, j, along, (P_i, P_j, V_i, V_j, s_i, s_j), rate)
        f, _, f2 = driver.motion(np.array([t]))[0]
        phi.append(value - f)
        row(line)
        gamma.append(right + f2)
    return np.array(phi), np.array(rows), np.array(gamma)


def slider(i, j, n, points, rate):
    """n · (P_j − P_i) with n fixed in body i: value, row of the Jacobian and γ, differentiated by hand."""
    P_i, P_j, V_i, V_j, s_i, s_j = points
    d, d_rate, across = P_j - P_i, V_j - V_i, OMEGA @ n
    line = [(i, [*-n, -n @ OMEGA @ s_i + across @ d]), (j, [*n, n @ OMEGA @ s_j])]
    turn_i, turn_j = rate[i][2], rate[j][2]
    gamma = n @ (turn_j**2 * s_j - turn_i**2 * s_i) + turn_i**2 * n @ d - 2 * turn_i * across @ d_rate
    return n @ d, line, gamma


@pytest.mark.parametrize("t", [0.0, 0.7])
def test_the_eight_bodies_have_the_documents_numbers(t):
    """Sections 3.3 to 3.5 of the document, evaluated at a solved and at a disturbed state; Φ_t by Table 1."""
    model = load("eight_body.toml").build()
    asked = load("eight_body.toml")
    found = asked.equations(at=t)
    disturbed = found.q + 0.1 * np.sin(np.arange(24.0)), found.v + np.cos(np.arange(24.0))
    for q, v in ((found.q, found.v), disturbed):
        phi, J, gamma = tartari(model, q, v, t)
        assert asked.constraints(q, t) == pytest.approx(phi, abs=1e-13)
        assert asked.constraint_jacobian(q, t) == pytest.approx(J, abs=1e-13)
        assert asked.gamma(q, v, t) == pytest.approx(gamma, abs=1e-12)
    driven = found.phi_t[-2:]
    assert driven == pytest.approx([-0.25 * 2 * np.cos(2 * t), 0.30 * 5 * np.cos(5 * t)], abs=1e-13)
    assert not found.phi_t[:-2].any()
    assert found.v == pytest.approx(np.linalg.solve(found.jacobian, found.nu), abs=1e-11)
    assert found.a == pytest.approx(np.linalg.solve(found.jacobian, found.gamma), abs=1e-10)


def test_names_are_those_of_joints_drivers_and_bodies():
    names = load("eight_body.toml").constraint_names
    assert names.equations[:2] == ("joint O: x", "joint O: y")
    assert names.equations[-1] == "driver upper_pump"
    assert names.coordinates[:4] == ("boom.x", "boom.y", "boom.phi", "lever.x")


def test_states_may_be_given_by_body_with_units():
    model = load("four_bar.toml")
    q = model.equations(at=0.2).q
    by_body = {name: list(q[3 * k : 3 * k + 3]) for k, name in enumerate(("crank", "coupler", "rocker"))}
    by_body["crank"] = [q[0], q[1], f"{np.degrees(q[2])} deg"]
    assert model.constraints(by_body, 0.2) == pytest.approx(model.constraints(q, 0.2), abs=1e-14)
    with pytest.raises(ModelError, match=r'there is no "crnk". Did you mean "crank"'):
        model.constraints({"crnk": [0, 0, 0]}, 0.2)


def test_mass_matrix_and_forces_are_those_of_newton_and_euler():
    """Of a planar body about its origin, with e = A c: M = m [[1, 0, −e_y], [0, 1, e_x], [−e_y, e_x, J/m + |c|²]];
    Q has m g, its moment e × m g, and m ω² e; the driver's multiplier is the effort that `inverse` finds."""
    model = load("engine.toml")
    found = model.equations(at=0.004)
    motion = found.motion
    M, Q = np.zeros_like(motion.mass_matrix), np.zeros(len(motion.forces))
    g = np.array(model.gravity)
    for k, name in enumerate(name for name in model.bodies if name != "ground"):
        body, block = model.build().bodies[name].whole, slice(3 * k, 3 * k + 3)
        if not body.mass:
            continue
        ex, ey = turned(found.q[3 * k + 2]) @ np.array(body.center or (0.0, 0.0))
        M[block, block] = body.mass * np.array(
            [[1, 0, -ey], [0, 1, ex], [-ey, ex, (body.inertia or (0.0,))[0] / body.mass + ex**2 + ey**2]]
        )
        omega = found.v[3 * k + 2]
        Q[block] += body.mass * np.array([g[0] + omega**2 * ex, g[1] + omega**2 * ey, ex * g[1] - ey * g[0]])
    assert motion.mass_matrix == pytest.approx(M, abs=1e-12 * M.max())
    loads = sum(part for name, part in motion.parts.items() if name not in ("gravity", "velocities"))
    assert motion.forces == pytest.approx(Q + loads, rel=1e-12, abs=1e-9)
    assert motion.forces == pytest.approx(sum(motion.parts.values()), rel=1e-12, abs=1e-9)
    lam = np.linalg.lstsq(motion.jacobian.T, motion.forces - motion.mass_matrix @ motion.a, rcond=None)[0]
    run = model.inverse(0, 0.004, 0.004)
    driver = next(iter(model.drivers))
    assert -lam[-1] == pytest.approx(run[f"{driver}.effort"][-1], rel=1e-9)


def test_in_space_the_equations_of_motion_are_in_twists():
    """M a + Jᵀ λ = Q has a solution λ for the accelerations that the tree's recursions gave."""
    found = load("five_body_chain.toml").equations(at=0.4)
    motion = found.motion
    left = motion.forces - motion.mass_matrix @ motion.a
    lam = np.linalg.lstsq(motion.jacobian.T, left, rcond=None)[0]
    assert motion.jacobian.T @ lam == pytest.approx(left, abs=1e-8 * np.abs(motion.forces).max())
    assert np.linalg.eigvalsh(motion.mass_matrix).min() > 0
    assert motion.forces == pytest.approx(sum(motion.parts.values()), abs=1e-10)
    assert found.jacobian @ found.a == pytest.approx(found.gamma, abs=1e-7)


def test_velocities_and_accelerations_are_written_in_symbols():
    written = {one.owner: one for one in symbolic_equations(load("eight_body.toml").build())}
    pin = written["joint D"]
    assert text_formula(pin.velocity[0], pin.ends) == (
        "ṙ_boom + φ̇_boom B_boom s_boom.D − ṙ_lever − φ̇_lever B_lever s_lever.D = 0"
    )
    assert latex_formula("φ̇_i² A_i", pin.ends) == (r"\dot{\varphi }_{\mathrm{boom}}^2 A_{\mathrm{boom}}")
    assert written["driver lower_pump"].acceleration[0].endswith("= f″")


def test_a_planar_model_has_the_functions_of_a_state():
    """The tip of a rod of length 1 is at r = (cos φ, sin φ), dr/dφ = (−sin φ, cos φ), and M = m l² = 1 kg m²."""
    pendulum, phi = load("simple_pendulum.toml"), 0.3
    assert pendulum.forward_kinematics("bob.P", [phi]) == pytest.approx([np.cos(phi), np.sin(phi)], rel=1e-14)
    assert pendulum.jacobian("bob.P", [phi])[:, 0] == pytest.approx([-np.sin(phi), np.cos(phi)], rel=1e-14)
    assert pendulum.mass_matrix([phi]) == pytest.approx(np.array([[1.0]]), rel=1e-14)


def test_files_hold_the_same_numbers(tmp_path):
    names = [tmp_path / f"equations.{ending}" for ending in ("csv", "json", "txt", "tex")]
    given = [word for name in names for word in ("-o", str(name))]
    done = CliRunner().invoke(cli, ["equations", str(EXAMPLES / "engine.toml"), "--at", "4 ms", *given])
    assert done.exit_code == 0, done.output
    found = load("engine.toml").equations(at="4 ms")
    kept = json.loads(names[1].read_text())
    assert np.array(kept["Phi_q"]) == pytest.approx(found.jacobian, abs=0)
    with names[0].open() as file:
        rows = list(csv.DictReader(file))
    first = [float(rows[0][name]) for name in found.names.coordinates]
    assert first == found.jacobian[0].tolist()
    assert [row["name"] for row in rows if row["of"] == "J"] == list(found.names.equations)
    assert names[2].read_text().startswith("model")
    assert r"\Phi_q = " in names[3].read_text()
    refused = CliRunner().invoke(cli, ["equations", str(EXAMPLES / "engine.toml"), "-o", "x.doc"])
    assert refused.exit_code == 1
    assert "the ending must be .txt, .csv, .json, .tex" in str(refused.exception)


def test_what_stands_on_the_ground_has_no_terms():
    """r = 0, φ = 0 and A = 1 of the ground, and its rates are zero; what is fixed to it, s and P, stays."""
    written = {one.owner: one for one in symbolic_equations(load("engine.toml").build())}
    pin, guide = written["joint A"], written["joint cylinder"]
    assert text_formula(pin.position, pin.ends) == "s_ground.A − r_crank − A_crank s_crank.A = 0"
    assert text_formula(pin.acceleration[0], pin.ends) == (
        "−r̈_crank − φ̈_crank B_crank s_crank.A = −φ̇_crank² A_crank s_crank.A"
    )
    assert [text_formula(line, guide.ends) for line in guide.velocity] == ["n · ḋ = 0", "φ̇_piston = 0"]
    inner = written["joint B"]
    assert text_formula(inner.position, inner.ends) == "r_crank + A_crank s_crank.B − r_rod − A_rod s_rod.B = 0"
    assert r"\text{ square to the axis }" in latex_formula(guide.position, guide.ends)
