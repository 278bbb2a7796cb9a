"""The oil film of a short journal bearing ("journal_film"): static eccentricity, attitude, torque, and squeeze.

Source: Ocvirk, Short-bearing approximation for full journal bearings, NACA TN 2808 (1952). Squeezed without rotation
the half film below the journal carries F = K ε̇ ((π − α)(1 + 2 ε²) + 3 ε s)/s⁵ with cos α = ε and s² = 1 − ε², whose
integral over ε is (π − α) ε/s³ + 1/s² − 1.
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.view.orbit import eccentricity

R, C, L, MU = 0.02, 4e-5, 0.02, 0.03
K = MU * R * L**3 / C**2
OMEGA, WEIGHT = 100 * math.pi, 50 * 9.81


def capacity(eps):
    """Load that a short bearing carries at an eccentricity."""
    return K * OMEGA / 4 * eps / (1 - eps**2) ** 2 * math.sqrt(16 * eps**2 + math.pi**2 * (1 - eps**2))


def static_eccentricity(load):
    low, high = 0.0, 1.0 - 1e-12
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if capacity(middle) < load else (low, middle)
    return low


@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_a_shaft_settles_at_the_eccentricity_of_ocvirk(formulation):
    run = mubo.load(EXAMPLES / "oil_film.toml").simulate(0, 0.6, step=0.1, formulation=formulation)
    eps = static_eccentricity(WEIGHT)
    path, clearance = eccentricity(run, "film")
    x, y = path[-1] / C
    assert clearance == pytest.approx(C)
    assert math.hypot(x, y) == pytest.approx(eps, rel=1e-5)
    assert math.atan2(abs(x), -y) == pytest.approx(math.atan2(math.pi * math.sqrt(1 - eps**2), 4 * eps), rel=1e-5)
    assert x > 0  # it turns counter-clockwise: the film before it carries
    shear = 2 * math.pi * MU * R**3 * L * OMEGA / (C * math.sqrt(1 - eps**2))
    assert run["motor.effort"][-1] == pytest.approx(shear + WEIGHT * abs(x) * C / 2, rel=1e-5)
    assert abs(run["energy.error"]).max() < 1e-6 * abs(run["energy.dissipated"]).max()


def test_a_shaft_at_rest_squeezes_the_film_in_the_time_of_the_closed_form():
    """Without rotation, and with little inertia: (π − α) ε/s³ + 1/s² − 1 = W t/K."""
    model = mubo.Model("squeeze", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("shaft", (0, 0), 0, points={"O": (0, 0)}, mass=1e-4, inertia=1e-8)
    model.force("push", "point_force", "shaft.O", direction=(0, -1), force=WEIGHT)
    sizes = {"radius": R, "clearance": C, "length": L, "viscosity": MU}
    model.force("film", "journal_film", "ground.O", "shaft.O", **sizes)
    run = model.simulate(0, 0.02, step=0.002)
    eps = -run["shaft.y"] / C
    left = 1 - eps**2
    found = (math.pi - np.arccos(eps)) * eps / left**1.5 + 1 / left - 1
    assert found == pytest.approx((WEIGHT + 1e-4 * 9.81) * run["t"] / K, rel=1e-4, abs=1e-4)
    assert np.all(np.diff(eps) > 0)


def test_the_film_is_that_of_the_moving_bearing():
    """A bearing that turns as fast the other way carries nothing: W = ω_i + ω_j = 0."""
    model = mubo.load(EXAMPLES / "oil_film.toml")
    model.body("housing", (0, 0), 0, points={"O": (0, 0)}, mass=1, inertia=0.1)
    model.joint("pivot", "revolute", "ground.O", "housing.O")
    del model.forces["film"]
    sizes = {"radius": R, "clearance": C, "length": L, "viscosity": MU}
    model.force("film", "journal_film", "housing.O", "shaft.O", **sizes)
    model.driver("back", "housing.phi", {"rate": -OMEGA})
    run = model.simulate(0, 0.05, step=0.01)
    assert abs(run["shaft.x"]).max() < 1e-3 * abs(run["shaft.y"]).max()


def test_an_orbit_is_drawn(tmp_path):
    run = mubo.load(EXAMPLES / "oil_film.toml").simulate(0, 0.05, step=0.001)
    run.plot(kind="orbit", path=tmp_path / "orbit.png")
    assert (tmp_path / "orbit.png").stat().st_size > 5000
    with pytest.raises(mubo.ResultError, match="journal"):
        run.plot("nothing", kind="orbit")


def test_a_journal_outside_its_bearing_is_refused_with_its_distance():
    model = mubo.load(EXAMPLES / "oil_film.toml").replace("shaft.position", (0, -5e-5))
    with pytest.raises(mubo.ModelError, match="begins 5e-05 m from the middle"):
        model.simulate(0, 0.01, step=0.001)
