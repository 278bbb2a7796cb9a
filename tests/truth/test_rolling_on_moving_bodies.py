"""Wheels and spheres that roll on a body which itself turns: slip is measured at the contact, against that body.

At the contact both bodies have one velocity. On a plank at the angle θ this is s = s₀ − r (φ − θ), s along the plank
(Haug, Computer Aided Kinematics, 1989, chapter 3); round a circle that turns at Ω it is Willis' (R + r) ψ̇ = R Ω + r ω.
"""

import math

import numpy as np
import pytest
from rolling_cases import FINE, FORMULATIONS

import mubo


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_wheel_on_a_plank_that_turns(side):
    """Driven plank and wheel: the place along the plank follows from the angle between them alone."""
    r, start, sign = 0.2, 0.5, 1 if side == "left" else -1
    model = mubo.Model("plank")
    model.ground.point("O", (0, 0))
    model.body("plank", (0, 0), 0, {"O": (0, 0)})
    model.body("wheel", (start, sign * r), 0, {"C": (0, 0)})
    model.joint("O", "revolute", "ground.O", "plank.O")
    model.joint("roll", "rolling", "plank.O", "wheel.C", axis=(1, 0), radius=r, side=side)
    model.driver("tilt", "plank.phi", "0.3*t")
    model.driver("turn", "wheel.phi", "2*t")
    run = model.kinematics(0, 1, step=0.1)
    tilt = 0.3 * run["t"]
    along = start - sign * r * (2 * run["t"] - tilt)
    place = along * np.exp(1j * tilt) + sign * r * 1j * np.exp(1j * tilt)
    np.testing.assert_allclose(run["wheel.x"] + 1j * run["wheel.y"], place, atol=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_wheel_round_a_circle_that_turns(formulation):
    R, r, rate = 0.5, 0.2, 3.0
    model = mubo.Model("sun and planet", gravity=(0, -9.81))
    model.ground.point("O", (0, 0))
    model.body("sun", (0, 0), 0, {"O": (0, 0)}, mass=1, inertia=0.1)
    start = (R + r) * np.array([math.cos(1.2), math.sin(1.2)])
    model.body("planet", tuple(start), 0, {"C": (0, 0)}, mass=1.5, inertia=0.03)
    model.joint("O", "revolute", "ground.O", "sun.O")
    model.driver("motor", "sun.phi", f"{rate}*t")
    model.joint("mesh", "rolling_on_circle", "sun.O", "planet.C", radii=(R, r))
    run = model.simulate(end=0.4, step=0.05, formulation=formulation, **FINE)
    x, y, vx, vy = (run[f"planet.{word}"] for word in ("x", "y", "vx", "vy"))
    around = (x * vy - y * vx) / (R + r) ** 2
    np.testing.assert_allclose((R + r) * around, R * rate + r * run["planet.omega"], atol=1e-9)
    assert np.ptp(around) > 0.1  # its weight drives it, so that the rates are not those of the start


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_sphere_on_a_plank_that_tilts(formulation):
    """ṡ = r (ω − θ̇) along the plank: a plank that turns about an axis in its plane carries the contact along."""
    r, swing, rate = 0.1, 0.2, 3.0
    model = mubo.Model("plank", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("plank", (0, 0, 0), points={"O": (0, 0, 0)}, mass=1, inertia=(1, 1, 1))
    model.body("ball", (0.3, 0, r), points={"C": (0, 0, 0)}, mass=0.5, inertia=(0.002,) * 3)
    model.joint("hinge", "revolute", "ground.O", "plank.O", axis=(0, 1, 0))
    model.driver("motor", "hinge", f"{swing}*sin({rate}*t)")
    model.joint("roll", "rolling", "plank.O", "ball.C", axis=(0, 0, 1), radius=r)
    run = model.simulate(end=0.8, step=0.1, formulation=formulation, **FINE)
    tilt, tilting = swing * np.sin(rate * run["t"]), swing * rate * np.cos(rate * run["t"])
    x, z, vx, vz = (run[f"ball.{word}"] for word in ("x", "z", "vx", "vz"))
    along, height = x * np.cos(tilt) - z * np.sin(tilt), x * np.sin(tilt) + z * np.cos(tilt)
    np.testing.assert_allclose(height, r, atol=1e-9)
    moving = vx * np.cos(tilt) - vz * np.sin(tilt) - tilting * height  # the rate of `along`
    np.testing.assert_allclose(moving, r * (run["ball.wy"] - tilting), atol=1e-9)
    assert np.ptp(along) > 0.05
