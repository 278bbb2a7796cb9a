"""Several redundant equations in motion: a locomotive with three wheels and a coupling rod on either side, a quarter
turn apart. It has no singular position, but any choice of independent equations has some: others take their place."""

import numpy as np
import pytest

import mubo

RADIUS, PLACES = 0.3, (0.0, 1.0, 2.2)


def locomotive(sides=("left", "right")):
    model = mubo.Model("locomotive", gravity=(0, -9.81))
    for k, x in enumerate(PLACES):
        model.ground.point(f"A{k}", (x, 0))
        points = {"O": (0, 0), "P": (RADIUS, 0), "Q": (0, RADIUS)}
        model.body(f"wheel{k}", (x, 0), 0.4, points, mass=2 + k, inertia=0.1 + 0.02 * k)
        model.revolute(f"A{k}", f"ground.A{k}", f"wheel{k}.O")
    for name in sides:
        point, angle = {"left": ("P", 0.4), "right": ("Q", 0.4 + np.pi / 2)}[name]
        at = (RADIUS * np.cos(angle), RADIUS * np.sin(angle))
        model.body(name, at, 0.0, {f"c{k}": (x, 0) for k, x in enumerate(PLACES)}, mass=1.5, inertia=0.5)
        for k in range(len(PLACES)):
            model.revolute(f"{name}{k}", f"wheel{k}.{point}", f"{name}.c{k}")
    model.initial("A0", v=5.0)
    return model


def test_four_redundant_equations_of_eight(form):
    """Rods move on circles without turning: J = Σ I + 2 m r² is constant, ½ J ω² + m g r (sin φ + cos φ) stays."""
    run = locomotive().simulate(0, 4, 0.05, formulation=form)
    assert run.summary["dofs"] == 1
    assert len(run.summary["loops"]["left_out"]) == 4
    assert run.summary["loops"]["gap"] < 1e-12
    assert not run.events
    for wheel in ("wheel1", "wheel2"):
        assert np.max(np.abs(run[f"{wheel}.phi"] - run["wheel0.phi"])) < 1e-11
    for rod in ("left", "right"):
        assert np.max(np.abs(run[f"{rod}.phi"])) < 1e-11
    inertia = 0.1 + 0.12 + 0.14 + 2 * 1.5 * RADIUS**2
    height = RADIUS * (np.sin(run["wheel0.phi"]) + np.cos(run["wheel0.phi"]))
    energy = 0.5 * inertia * run["wheel0.omega"] ** 2 + 1.5 * 9.81 * height
    assert np.max(np.abs(energy - energy[0])) < 1e-9 * np.ptp(1.5 * 9.81 * height)
    slope = RADIUS * (np.cos(run["wheel0.phi"]) - np.sin(run["wheel0.phi"]))
    np.testing.assert_allclose(run["wheel0.alpha"], -1.5 * 9.81 * slope / inertia, atol=1e-7)
    assert run["wheel0.omega"][0] == pytest.approx(5.0, abs=1e-12)


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8])
def test_no_singular_position_is_told_where_there_is_none(tolerance, form):
    """Loose steps jump over the zone in which other equations would be taken."""
    assert not locomotive().simulate(0, 4, 0.05, rtol=tolerance, atol=tolerance, formulation=form).events


def test_a_singular_position_is_told_though_an_equation_is_redundant(form):
    """Wheels with one rod only: it lies in line with all cranks at φ = 0 and π, where nothing holds them parallel."""
    run = locomotive(("left",)).simulate(0, 4, 0.05, formulation=form)
    assert len(run.summary["loops"]["left_out"]) == 1
    assert np.max(np.abs(run["wheel2.phi"] - run["wheel0.phi"])) < 1e-9
    passed = np.diff(np.floor(run["wheel0.phi"] / np.pi))
    assert len(run.events) == np.sum(np.abs(passed)) > 3
