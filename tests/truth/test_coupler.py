"""A joint coordinate that follows another one: as one coordinate with the inertia of both, as gears and as threads."""

import numpy as np
import pytest

import mubo

G = 9.81


def two_arms(serial=False, **formula):
    """Two arms on parallel axes, side by side or one on the other, with a coupler between their angles."""
    model = mubo.Model("arms", dimension=3, gravity=(0, 0, -G))
    model.ground.point("O", (0, 0, 0))
    model.ground.point("Q", (0.5, 0, 0))
    for name in "ab":
        points = {"O": (0, 0, 0), "P": (0, 0, -0.4)}
        model.body(name, points=points, mass=2.0, inertia=(0.1, 0.2, 0.15), center=(0.1, 0.2, -0.3))
    model.joint("A", "revolute", "ground.O", "a.O", axis=(0, 1, 0))
    model.joint("B", "revolute", "a.P" if serial else "ground.Q", "b.O", axis=(0, 1, 0))
    model.joint("C", "coupler", "a.O", "b.O", of=("A", "B"), **formula)
    return model


@pytest.mark.parametrize("serial", [False, True])
def test_one_degree_of_freedom_with_the_inertia_of_both(serial):
    """q = g y + c: the equations of the open tree projected on the motion, gᵀ M g ÿ = −gᵀ h."""
    model, g = two_arms(serial, ratio=-0.5, offset=0.2), np.array([1, -0.5])
    q, v = [0.3, 0.05], [1.0, -0.5]
    M, h = model.mass_matrix(q), model.bias(q, v)
    expected = -(g @ h) / (g @ M @ g) * g
    assert model.forward_dynamics(q, v, [0, 0]) == pytest.approx(expected, rel=1e-12)
    model.initial("A", 0.3)
    run = model.simulate(0, 1, step=0.25, reactions=True)
    assert run["B.q"] == pytest.approx(0.2 - 0.5 * run["A.q"], abs=1e-12)
    assert run["energy.total"] == pytest.approx(run["energy.total"][0], abs=1e-8)
    assert run.verify().holds
    other = model.simulate(0, 1, step=0.25, formulation="absolute")
    assert other["A.q"] == pytest.approx(run["A.q"], abs=1e-7)
    modes = model.linearize()
    assert len(modes.natural_frequencies) == 1


def test_a_train_of_gears_turns_many_times():
    """Ratio 2/3 over four revolutions: the second wheel turns by 2/3 of the first, also beyond a full turn."""
    model = two_arms(ratio=2 / 3)
    model.driver("motor", "A", "t")
    run = model.inverse(0, 8 * np.pi, step=np.pi / 20)
    assert run["B.q"] == pytest.approx(2 / 3 * run["A.q"], abs=1e-10)
    row = np.argmin(abs(run["t"] - 1.05))
    t = run["t"][row]
    moment = [2 * G * (-0.1 * np.cos(q) + 0.3 * np.sin(q)) for q in (t, 2 / 3 * t)]  # of the weights about y
    assert run["motor.effort"][row] == pytest.approx(moment[0] + 2 / 3 * moment[1], rel=1e-9)


def test_a_turn_and_a_slide_are_a_thread():
    """A nut that slides by lead/2π for every radian is a screw: the same acceleration as the screw joint gives."""

    def nut(screw):
        model = mubo.Model("nut", dimension=3, gravity=(0, 0, -G))
        model.ground.point("O", (0, 0, 0))
        nut = {"points": {"O": (0, 0, 0)}, "mass": 2.0, "inertia": (0.01, 0.01, 0.02)}
        if screw:
            model.body("nut", **nut)
            model.joint("A", "screw", "ground.O", "nut.O", axis=(0, 0, 1), lead=0.3)
            return model
        model.body("sleeve", points={"O": (0, 0, 0)}, mass=0.0, inertia=(0, 0, 0))
        model.body("nut", **nut)
        model.joint("S", "prismatic", "ground.O", "sleeve.O", axis=(0, 0, 1))
        model.joint("A", "revolute", "sleeve.O", "nut.O", axis=(0, 0, 1))
        model.joint("C", "coupler", "nut.O", "sleeve.O", of=("A", "S"), ratio=0.3 / (2 * np.pi))
        return model

    lead = 0.3 / (2 * np.pi)
    expected = -2.0 * G * lead / (2.0 * lead**2 + 0.02)
    assert nut(True).forward_dynamics([0.1], [0.0], [0.0])[0] == pytest.approx(expected, rel=1e-12)
    found = nut(False).forward_dynamics({"A": 0.1, "S": 0.1 * lead}, [0.0, 0.0], [0.0, 0.0])
    assert sorted(found) == pytest.approx(sorted([expected, expected * lead]), rel=1e-12)


def test_polynomials_and_splines(tmp_path):
    """q₂ = 0.1 + q₁² + 2 q₁³ and the spline through points of a straight line; rates by the chain rule; files."""
    model = two_arms(polynomial=(0.1, 0, 1, 2))
    model.driver("motor", "A", "0.5*t")
    run = model.kinematics(0, 1, step=0.5)
    q, v = run["A.q"], run["A.v"]
    assert run["B.q"] == pytest.approx(0.1 + q**2 + 2 * q**3, abs=1e-12)
    assert run["B.v"] == pytest.approx((2 * q + 6 * q**2) * v, abs=1e-12)
    assert run["B.a"] == pytest.approx((2 + 12 * q) * v**2, abs=1e-12)
    model.save(tmp_path / "arms.toml")
    assert mubo.load(tmp_path / "arms.toml").joints["C"].options["polynomial"] == (0.1, 0, 1, 2)
    line = two_arms(points=[(-1, 1), (0, 0), (0.5, -0.5), (0.7, -0.7)])
    line.driver("motor", "A", "2*t")
    assert line.kinematics(0, 1, step=0.25)["B.q"] == pytest.approx([0, -0.5, -1, -1.5, -2], abs=1e-12)


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ({"of": ("A", "Z")}, 'there is no joint "Z"'),
        ({"of": ("A",)}, "of needs two joint coordinates; found 1"),
        ({"of": ("A", "A")}, "does not move the body"),
        ({"of": ("A", "B"), "ratio": 1, "points": [(0, 0), (1, 1)]}, "one formula; found ratio and points"),
        ({"of": ("A", "B"), "points": [(0, 0), (0, 1)]}, "first numbers ascend"),
        ({"of": ("A", "B"), "polynomial": [1] * 7}, "six coefficients at most"),
    ],
)
def test_bad_couplers(formula, word):
    model = two_arms()
    model.joints.pop("C")

    def ask():
        model.joint("C", "coupler", "a.O", "b.O", **formula)
        model.kinematics(0, 1)

    with pytest.raises(mubo.ModelError, match=word):
        ask()
