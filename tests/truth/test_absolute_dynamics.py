"""Forward dynamics in absolute coordinates: stiff models against their rigid limit and against joint coordinates."""

import numpy as np
import pytest

import mubo
from mubo import _core

CRANK, ROD, ANGLE, SPEED = 0.1, 0.3, 0.6, 10.0
REDUCED = 0.4  # kg, of the order of what the rod's spring feels


def slider_crank(stiffness: float) -> mubo.Model:
    """Crank and piston, joined by a spring as long as the rod, or (0) by a rigid link without mass."""
    model = mubo.Model("crank", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    high, wide = CRANK * np.sin(ANGLE), CRANK * np.cos(ANGLE)
    reach = np.sqrt(ROD**2 - high**2)
    model.body(
        "crank",
        (0, 0),
        angle=ANGLE,
        points={"A": (0, 0), "B": (CRANK, 0)},
        mass=1.5,
        inertia=0.004,
        center=(0.03, 0.01),
    )
    model.body("piston", (wide + reach, 0), angle=0, points={"C": (0, 0)}, mass=1.2, inertia=0.001, center=(0, 0))
    model.revolute("A", "ground.A", "crank.A")
    model.translational("G", "ground.A", "piston.C", axis=(1, 0))
    model.initial("A", q=ANGLE, v=SPEED)
    if stiffness:
        damping = 0.6 * np.sqrt(stiffness * REDUCED)
        model.force("rod", "spring", "crank.B", "piston.C", stiffness=stiffness, length=ROD, damping=damping)
        model.initial("G", q=wide + reach, v=-SPEED * high * (1 + wide / reach))  # as the rigid rod would have it
    else:
        model.joint("rod", "distance", "crank.B", "piston.C", length=ROD)
    return model


@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_both_forms_agree_on_a_stiff_model(stiffness):
    one, other = (slider_crank(stiffness).simulate(0, 0.5, 0.05, formulation=form) for form in ("tree", "absolute"))
    assert list(one.columns) == list(other.columns)
    for column in ("crank.phi", "piston.x"):
        assert other[column] == pytest.approx(one[column], abs=1e-8)
    assert other["energy.dissipated"] == pytest.approx(one["energy.dissipated"], abs=1e-8)
    assert other.summary["energy"]["relative"] < 1e-8
    assert other.summary["method"] == "Radau"


def test_the_rigid_limit():
    """A spring gives way by F / k: a hundred times the stiffness is a hundredth of the difference."""
    rigid = slider_crank(0).simulate(0, 1, 0.1)["crank.phi"]
    apart = [
        np.max(np.abs(slider_crank(k).simulate(0, 1, 0.1, formulation="absolute")["crank.phi"] - rigid))
        for k in (1e8, 1e10)
    ]
    assert apart[1] < 1e-6
    assert apart[0] / apart[1] == pytest.approx(100, rel=0.25)


def test_a_carriage_without_mass(form):
    """A bar that swings from a massless carriage on a rail: nothing pushes its centre sideways, which falls straight.
    m (L θ' sin θ)²/2 + I θ'²/2 = m g L (cos θ − cos θ₀)."""
    model = mubo.Model("carriage", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("carriage", points={"T": (0, 0)}, mass=0, inertia=0)
    model.body("bar", points={"T": (0, 0)}, mass=2, inertia=0.2, center=(0, -0.5))
    model.translational("rail", "ground.O", "carriage.T", axis=(1, 0), angle=0)
    model.revolute("pin", "carriage.T", "bar.T")
    model.initial("pin", q=1.0)
    run = model.simulate(0, 2, 0.05, formulation=form)
    theta, rate = run["bar.phi"], run["bar.omega"]
    centre = run["carriage.x"] + 0.5 * np.sin(theta)
    assert np.max(np.abs(centre - centre[0])) < 1e-9
    swing = (0.5 * rate * np.sin(theta)) ** 2 + 0.1 * rate**2
    assert swing == pytest.approx(9.81 * (np.cos(theta) - np.cos(1.0)), abs=1e-8)


def test_a_rod_without_mass_in_a_loop_moves_as_a_distance(form):
    """The loop determines the motion of the rod, so that it needs no inertia: it is the distance of its pins."""
    model = slider_crank(0)
    del model.joints["rod"]
    high, wide = CRANK * np.sin(ANGLE), CRANK * np.cos(ANGLE)
    model.body("rod", (wide, high), -np.arcsin(high / ROD), points={"B": (0, 0), "C": (ROD, 0)}, mass=0, inertia=0)
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "rod.C", "piston.C")
    run, distance = (one.simulate(0, 1, 0.1, formulation=form) for one in (model, slider_crank(0)))
    for column in ("crank.phi", "crank.omega", "piston.x", "energy.total"):
        assert run[column] == pytest.approx(distance[column], abs=1e-7)
    assert run.summary["energy"]["relative"] < 1e-8


def test_auto_leaves_the_tree_where_the_model_is_stiff():
    """Stated with the fastest rate; an explicit method that was asked for by name stays, and names the choice."""
    run = slider_crank(1e8).simulate(0, 1, 0.5, rtol=1e-6, atol=1e-6)
    assert run.summary["formulation"] == "absolute"
    assert "stiff" in run.summary["chosen"]
    assert run.summary["chosen"] in run.summary["warnings"]
    kept = slider_crank(1e8).simulate(0, 0.2, 0.1, rtol=1e-6, atol=1e-6, method="DOP853")
    assert kept.summary["formulation"] == "tree"
    note = next(note for note in kept.summary["warnings"] if "stiff" in note)
    assert "without --method and --formulation" in note
    plain = slider_crank(0).simulate(0, 1, 0.5)
    assert (plain.summary["formulation"], plain.summary["method"]) == ("tree", "DOP853")


def test_methods_that_do_not_fit():
    assert slider_crank(0).simulate(0, 0.1, 0.1, method="Radau").summary["formulation"] == "absolute"
    with pytest.raises(mubo.ModelError, match="drift open"):
        slider_crank(0).simulate(0, 0.1, 0.1, method="BDF")
    with pytest.raises(mubo.ModelError, match="integrated by Radau"):
        slider_crank(0).simulate(0, 0.1, 0.1, method="DOP853", formulation="absolute")


def test_tables():
    """C from the Radau polynomial; A by collocation, ∫ of Lagrange's polynomials; W = A⁻¹; T diagonalises W."""
    C, a, w, T, back, D, (gamma, alpha, beta) = _core.radau_tables()
    assert np.sort(np.roots([10, -18, 9, -1]))[:3] == pytest.approx(np.sort(C), abs=1e-12)
    powers = np.array([C**k for k in range(3)])
    assert a @ powers.T == pytest.approx(np.array([C ** (k + 1) / (k + 1) for k in range(3)]).T, abs=1e-14)
    assert a @ w == pytest.approx(np.eye(3), abs=1e-13)
    assert T @ back == pytest.approx(np.eye(3), abs=1e-13)
    assert back @ w @ T == pytest.approx(np.array([[gamma, 0, 0], [0, alpha, -beta], [0, beta, alpha]]), abs=1e-12)
    # The embedded formula is exact on polynomials that vanish at 0 up to the third power: y'(0) = −Σ d_i y(c_i).
    assert [-D @ C**k for k in (1, 2, 3)] == pytest.approx([1, 0, 0], abs=1e-12)


@pytest.mark.parametrize("form", ["absolute", "tree"])
def test_redundant_drivers_that_part_stop_the_run(form):
    """The tip of a wheel turned by t is at sin t; from 0.5 s on a second driver asks for (t − 0.5)³ more."""
    model = mubo.Model("wheel", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("wheel", points={"O": (0, 0), "T": (1, 0)}, mass=1, inertia=1)
    model.revolute("A", "ground.O", "wheel.O")
    model.driver("one", "wheel.phi", "t")
    model.driver("two", "wheel.T.y", "sin(t) + where(t < 0.5, 0, (t - 0.5)^3)")
    with pytest.warns(UserWarning, match="the simulation stops"):
        run = model.simulate(0, 1, 0.1, formulation=form)
    assert run.summary["status"] == "stopped"
    assert "two" in run.events[-1].message
    assert 0.5 < run.events[-1].t < 0.51  # where the third power is below a millionth
