"""Every term of equations (4) to (31) of the coursework at a moving state, by its formulas in plain loops of NumPy."""

import json

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

CHAIN = EXAMPLES / "five_body_chain.toml"
MASS = np.array([3, 3, 2, 1.5, 1.5])
INERTIA = [np.diag(x) for x in ((4, 4, 3.6), (4, 4, 2.4), (1 / 3, 5 / 12, 1 / 12), (0.5, 0.5, 0.3), (0.5, 0.5, 0.3))]
HINGES = {  # c_ia of the listing, body and hinge from 1
    (1, 1): (0, 0, 1), (1, 2): (0, 0, -1), (2, 2): (0, 0, 1), (2, 3): (0, 0, -1), (3, 3): (0, 0, 1),
    (3, 4): (0.5, 0, 0), (3, 5): (-0.5, 0, 0), (4, 4): (0, 0, 0.5), (5, 5): (0, 0, 0.5),
}  # fmt: skip
S = np.array([[-1, 1, 0, 0, 0], [0, -1, 1, 0, 0], [0, 0, -1, 1, 1], [0, 0, 0, -1, 0], [0, 0, 0, 0, -1.0]])  # (18)
GRAVITY = np.array([0, 0, -9.81])


def turn(axis, x):
    c, s = np.cos(x), np.sin(x)
    return np.array({
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }[axis])  # fmt: skip


def euler(q):
    """A (3), p (27) and φ (15) of a spherical hinge; φ takes the rates."""
    s2, c2, s3, c3 = np.sin(q[1]), np.cos(q[1]), np.sin(q[2]), np.cos(q[2])
    p = np.array([[s2 * s3, c3, 0], [s2 * c3, -s3, 0], [c2, 0, 1]])

    def phi(v):
        common = v[0] * c2 - v[2]
        return np.array([
            v[1] * s3 * common + v[0] * v[2] * s2 * c3, v[1] * c3 * common - v[0] * v[2] * s2 * s3, -v[0] * v[1] * s2
        ])  # fmt: skip

    return turn("z", q[0]) @ turn("x", q[1]) @ turn("z", q[2]), p, phi


def coursework(q, v):
    """The terms in ground axes, by the corrected listing: T(j,i) f(:,j) where it has T(i,i) f(:,i)."""
    T = np.linalg.inv(S)
    slices = [slice(0, 3), slice(3, 6), slice(6, 7), slice(7, 8), slice(8, 9)]
    hinges = [euler(q[slices[0]]), euler(q[slices[1]])]
    for k, axis in ((6, "z"), (7, "y"), (8, "y")):
        unit = np.eye(3)[:, ["xyz".index(axis)]]
        hinges.append((turn(axis, q[k]), unit, lambda rates: np.zeros(3)))
    parent, A0 = [-1, 0, 1, 2, 2], []
    for a, (A, _, _) in enumerate(hinges):
        A0.append((A0[parent[a]] if parent[a] >= 0 else np.eye(3)) @ A)
    Omega = [A0[a] @ p @ v[slices[a]] for a, (_, p, _) in enumerate(hinges)]
    omega = [-sum(T[a, i] * Omega[a] for a in range(5)) for i in range(5)]  # (9)
    star = [np.cross(omega[a], Omega[a]) for a in range(5)]  # (14)
    phi = [A0[a] @ part(v[slices[a]]) for a, (_, _, part) in enumerate(hinges)]
    f = [phi[a] + star[a] for a in range(5)]
    c = np.zeros((5, 5, 3))
    for (i, a), vector in HINGES.items():
        c[i - 1, a - 1] = vector
    d = np.array([[A0[i] @ sum(T[a, j] * S[i, a] * c[i, a] for a in range(5)) for j in range(5)] for i in range(5)])
    M = MASS.sum()
    b = [sum(d[i, j] * MASS[j] for j in range(5)) / M for i in range(5)]  # (23)
    before = [[T[i, j] != 0 and i != j for j in range(5)] for i in range(5)]  # s_i < s_j
    K = np.zeros((5, 5, 3, 3))
    for i in range(5):
        K[i, i] = A0[i] @ INERTIA[i] @ A0[i].T + sum(
            MASS[k] * (d[i, k] @ d[i, k] * np.eye(3) - np.outer(d[i, k], d[i, k])) for k in range(5)
        )
        for j in range(5):
            if before[i][j]:
                K[i, j] = M * (b[j] @ d[i, j] * np.eye(3) - np.outer(b[j], d[i, j]))
                K[j, i] = K[i, j].T
    M1 = []
    for i in range(5):
        moment = -np.cross(omega[i], K[i, i] @ omega[i])
        for j in range(5):
            if before[i][j]:
                moment = moment - M * np.cross(d[i, j], np.cross(omega[j], np.cross(omega[j], b[j])))
            if before[j][i]:
                moment = moment - M * np.cross(b[i], np.cross(omega[j], np.cross(omega[j], d[j, i])))
            if before[i][j] or i == j:
                moment = moment - np.cross(d[i, j], MASS[j] * GRAVITY)
        M1.append(moment)
    p = np.zeros((9, 5, 3))
    for a, (_, axes, _) in enumerate(hinges):
        p[slices[a], a] = (A0[a] @ axes).T
    pT = np.einsum("kax,ai->kix", p, T)
    pTK = np.einsum("kix,ijxy->kjy", pT, K)
    A = np.einsum("kjx,ljx->kl", pTK, pT)
    by_rates = -np.einsum("kjx,jx->k", pTK, T.T @ np.array(f))
    by_moments = -np.einsum("kjx,jx->k", pT, np.array(M1))
    rdot = [sum(np.cross(omega[i], -d[i, j]) for i in range(5)) for j in range(5)]
    named = {"A0": A0, "Omega": Omega, "omega": omega, "phi": phi, "star": star, "f": f, "K": K, "M1": M1}
    named |= {"pT": pT, "pTK": pTK, "A": A, "by_rates": by_rates, "by_moments": by_moments, "rdot": rdot}
    return {name: np.array(values) for name, values in named.items()}


def test_every_term_at_a_moving_state():
    report = mubo.load(CHAIN).wittenburg(at=0.6)
    own, terms, graph = coursework(report.q, report.v), report.terms, report.graph
    outer = own["A0"]  # hinge a leads to body a
    for name, key in (("Omega", "Omega"), ("phi", "phi"), ("omega_star", "star"), ("f", "f")):
        assert report.hinge_rates[name] == pytest.approx(np.einsum("ayx,ay->ax", outer, own[key]), abs=1e-12), name
    inner = np.concatenate([np.eye(3)[None], outer])[graph.plus]
    assert report.transformations == pytest.approx(inner.transpose(0, 2, 1) @ outer, abs=1e-12)
    assert report.state.omega[1:] == pytest.approx(own["omega"], abs=1e-12)
    for name in ("K", "M1", "pT", "pTK", "A", "by_rates", "by_moments"):
        assert getattr(terms, name) == pytest.approx(own[name], abs=1e-11 * max(1, np.abs(own[name]).max())), name
    assert not terms.by_torques.any()
    assert not terms.efforts.any()
    assert pytest.approx(terms.by_rates + terms.by_moments, abs=1e-12) == report.B


def test_kinetic_energy_is_split_and_its_sum_is_that_of_a():
    """½ m ṙ² and ½ ω·J·ω of every body; together ½ q̇ᵀ A q̇."""
    report = mubo.load(CHAIN).wittenburg(at=0.6)
    own = coursework(report.q, report.v)
    turning = np.einsum("iyx,iy->ix", own["A0"], own["omega"])
    expected = [(m * r @ r / 2, w @ J @ w / 2) for m, r, w, J in zip(MASS, own["rdot"], turning, INERTIA, strict=True)]
    assert report.kinetic == pytest.approx(np.array(expected), rel=1e-11)
    assert report.kinetic.sum() == pytest.approx(report.v @ report.A @ report.v / 2, rel=1e-12)


def test_the_command_writes_them(command, tmp_path):
    for ending in ("json", "tex", "txt"):
        done = command("check", CHAIN, "--wittenburg", "--at", "200 ms", "-o", f"terms.{ending}")
        assert done.returncode == 0, done.stderr
    kept = json.loads((tmp_path / "terms.json").read_text())
    assert kept["t"] == 0.2
    assert {"transformations", "Omega", "phi", "omega_star", "f", "M_prime", "pTK", "B_parts", "kinetic"} <= set(kept)
    assert np.sum(list(kept["B_parts"].values()), axis=0) == pytest.approx(kept["B"], abs=1e-12)
    assert r"\Omega = " in (tmp_path / "terms.tex").read_text()
    assert "the terms of B" in (tmp_path / "terms.txt").read_text()
    refused = command("check", CHAIN, "--at", "0.2")
    assert "--at goes with --wittenburg" in refused.stderr


def test_a_base_with_prescribed_motion():
    """A pendulum of length L whose pin moves by x₀(t) along x and turns by ψ(t) about z, with q relative to the base:
    L (ψ̈ + q̈) = −g sin θ − ẍ₀ cos θ with θ = ψ + q from the downward vertical (point mass)."""
    g, L, t = 9.81, 0.7, 0.4
    model = mubo.Model("swing on a moving base", dimension=3, gravity=(0, -g, 0))
    model.ground.point("O", (0, 0, 0))
    for name in ("slide", "base"):
        model.body(name, mass=2.0, inertia=(1, 1, 1)).point("O", (0, 0, 0))
    rod = model.body("rod", mass=1.5, inertia=(0, 0, 0), center=(0, -L, 0))
    rod.point("O", (0, 0, 0))
    model.joint("x0", "prismatic", "ground.O", "slide.O", axis=(1, 0, 0))
    model.joint("psi", "revolute", "slide.O", "base.O", axis=(0, 0, 1))
    model.joint("pin", "revolute", "base.O", "rod.O", axis=(0, 0, 1))
    model.driver("shake", "x0.q", "0.3*sin(5*t)")
    model.driver("rock", "psi.q", "0.2*t**2")
    from mubo.legacy.wittenburg import wittenburg_accelerations

    q, v = 0.8, 1.1
    found = wittenburg_accelerations(model, [0.3 * np.sin(5 * t), 0.2 * t**2, q], [1.5 * np.cos(5 * t), 0.4 * t, v], t)
    theta, xdd, psidd = 0.2 * t**2 + q, -7.5 * np.sin(5 * t), 0.4
    assert found == pytest.approx([xdd, psidd, -(g * np.sin(theta) + xdd * np.cos(theta)) / L - psidd], abs=1e-12)


def test_verify_has_the_equations_over_the_whole_time():
    """A q̈ = B with the table's accelerations at rows from the first to the last; a wrong acceleration is found."""
    from mubo.legacy.wittenburg.system import table_residuals

    run = mubo.load(CHAIN).simulate(0, 2, 0.25)
    rows = range(len(run))
    assert table_residuals(run.model, run.columns, rows).max() < 1e-11
    wrong = run.columns.replaced({"elbow.a2": run.columns.raw("elbow.a2") * (1 + 1e-6)})
    assert table_residuals(run.model, wrong, rows).max() > 1e-8
    check = run.verify()["Wittenburg, A q̈ = B"]
    assert check.verdict == "holds"
    assert check.note.startswith("9 of 9 rows")
