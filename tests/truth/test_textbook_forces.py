"""Problems of textbooks with closed forms: vibration absorber, hydraulic ram, cam with a spring."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def test_a_tuned_absorber_splits_the_resonance():
    """det(K − ω² M) = 0 of two masses: ω² of the quadratic m₁ m₂ ω⁴ − (m₁ k₂ + m₂ (k₁ + k₂)) ω² + k₁ k₂ = 0 (Den Hartog
    1956, section 3.2)."""
    m1, m2, k1, k2 = 10.0, 1.0, 1000.0, 100.0
    model = mubo.Model("absorber", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    for name, place, mass in (("machine", 1.0, m1), ("absorber", 2.0, m2)):
        model.body(name, (place, 0), points={"C": (0, 0)}, mass=mass)
        model.translational(f"rail_{name}", "ground.O", f"{name}.C", axis=(1, 0), angle=0)
    model.force("mount", "spring", "ground.O", "machine.C", stiffness=k1, length=1)
    model.force("tuned", "spring", "machine.C", "absorber.C", stiffness=k2, length=1)
    roots = np.roots([m1 * m2, -(m1 * k2 + m2 * (k1 + k2)), k1 * k2])
    found = 2 * np.pi * np.sort(model.linearize().frequencies)
    np.testing.assert_allclose(found, np.sqrt(np.sort(roots)), rtol=1e-10)


def test_a_ram_holds_the_arm_of_a_loader():
    """Moments about the pin of the arm: the force of the ram times its distance from the pin is that of the weight."""
    model = mubo.Model("loader", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.ground.point("C", (0.5, -0.5))
    model.body("arm", angle=0.2, points={"A": (0, 0), "B": (1, 0)}, mass=0, inertia=0)
    model.revolute("A", "ground.A", "arm.A")
    model.driver("ram", ["ground.C", "arm.B"], "1.2 + 0.1*t")
    model.force("weight", "point_force", "arm.B", direction=(0, -1), force=1000)
    run = model.statics(0, 1, 0.1)
    x, y = np.cos(run["arm.phi"]), np.sin(run["arm.phi"])
    lever = np.abs(x * (-0.5 - y) - y * (0.5 - x)) / run["ram.value"]
    np.testing.assert_allclose(run["ram.effort"] * lever, 1000 * x, rtol=1e-10)


def test_the_spring_of_a_tappet_is_borne_by_the_cam():
    """A massless tappet on a spring k: the cam bears k (q + preload travel), along the guide."""
    model = mubo.load(EXAMPLES / "tappet_cam.toml")
    model.gravity = (0, 0)
    model.force("spring", "joint_spring", "guide", stiffness=5, rest=-20)
    run = model.inverse()
    assert run["contact.on_tappet.fy"] == pytest.approx(5 * (run["guide.q"] + 20), rel=1e-9)
