"""Where stress, shear and fatigue of a beam are worst, off the places where a quick look would find them.

A bar turned about its end A with the angular acceleration α in a field g across it: its mass per length µ needs
V(s) = µ (α (L² − s²)/2 + g (L − s)), dV/ds = −µ (α s + g) (d'Alembert on the part beyond s). For α < 0 it has a summit
µ |α| (L − s₀)²/2 at s₀ = g/|α|, larger than V(0) for s₀ < (2 − √2) L.
"""

import math

import numpy as np
import pytest

import mubo

LENGTH, WIDTH, HEIGHT = 1.2, 0.01, 0.02
AREA, MODULUS = WIDTH * HEIGHT, WIDTH * HEIGHT**2 / 6
SHEAR = 1.5 / AREA  # τ at the neutral axis of a rectangle per V
STEEL = {"yield": 250e6, "ultimate": 400e6, "fatigue": 150e6}


def bar(motion, gravity=(0, 0), **mass):
    """A bar from A to B with a rectangular section, turned about A."""
    model = mubo.Model("bar", units={"length": "m"}, gravity=gravity)
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (LENGTH, 0)}, **mass)
    model.revolute("A", "ground.A", "bar.A")
    model.driver("motor", "bar.phi", motion)
    model.section("bar", shape="rectangle", width=WIDTH, height=HEIGHT, material=STEEL, along=("A", "B"), notch=1.5)
    return model


def test_compressive_mean_stress_is_no_help_in_fatigue():
    """N between −200 and −1000 N: Goodman's 1/n = K σ_a/S_f, without σ_m < 0 (Shigley, fluctuating stresses)."""
    model = bar("0*t")
    model.force("push", "point_force", "bar.B", direction=(-1, 0), force="600 + 400*sin(2*pi*t)")
    fatigue = model.strength(0, 1, step=0.05).check("section bar", "fatigue: amplitude")
    amplitude = 400 / AREA
    assert fatigue.value == pytest.approx(amplitude, rel=1e-9)
    assert fatigue.safety == pytest.approx(150e6 / (1.5 * amplitude), rel=1e-9)


def test_tensile_mean_stress_costs_endurance():
    """The same force as a pull: 1/n = K σ_a/S_f + σ_m/S_u."""
    model = bar("0*t")
    model.force("pull", "point_force", "bar.B", direction=(1, 0), force="600 + 400*sin(2*pi*t)")
    fatigue = model.strength(0, 1, step=0.05).check("section bar", "fatigue: amplitude")
    use = 1.5 * (400 / AREA) / 150e6 + (600 / AREA) / 400e6
    assert fatigue.safety == pytest.approx(1 / use, rel=1e-9)


def test_largest_shear_under_distributed_inertia_lies_inside_the_bar():
    """Started from rest against its weight, s₀ = 0.4 L at first and less as g cos φ falls: τ is largest at the end."""
    mass, g, end = 3.0, 9.81, 0.1
    alpha = g / (0.4 * LENGTH)
    model = bar(f"-{alpha / 2!r}*t^2", (0, -g), mass=mass, shape={"kind": "bar", "between": ["A", "B"]})
    shear = model.strength(0, end, step=0.01).check("section bar", "shear stress")
    place = g * math.cos(alpha * end**2 / 2) / alpha
    force = mass / LENGTH * alpha * (LENGTH - place) ** 2 / 2
    assert shear.value == pytest.approx(SHEAR * force, rel=1e-9)
    assert shear.t == pytest.approx(end, abs=1e-9)


@pytest.mark.parametrize("near", [1e-3, 1e-4, 1e-6])
def test_a_load_close_to_a_support_acts_where_it_is(near):
    """Simply supported, F at a = `near` L from A: M = F a (1 − a/L), under the load and nowhere else."""
    model = mubo.Model("beam", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("B", (LENGTH, 0))
    model.body("beam", points={"A": (0, 0), "B": (LENGTH, 0), "P": (near * LENGTH, 0)})
    model.revolute("A", "ground.A", "beam.A")
    model.joint("B", "slot", "ground.B", "beam.B", axis=(1, 0))
    model.force("push", "point_force", "beam.P", direction=(0, -1), force=800)
    model.section("beam", shape="rectangle", width=WIDTH, height=HEIGHT, material=STEEL)
    found = model.strength(0, 1, step=0.5)
    bending = 800 * near * LENGTH * (1 - near)
    assert found.check("section beam", "largest stress").value == pytest.approx(bending / MODULUS, rel=1e-9)
    assert found.worst["beam"].at == pytest.approx(near * LENGTH, rel=1e-9)
    np.testing.assert_allclose(found.worst["beam"].m[0], 0, atol=1e-9 * bending)


@pytest.mark.parametrize("factor", [0.5, 0.7, 2.0])
def test_buckling_takes_the_free_length(factor):
    """F_E = π² E I/(k L)²: k = 0.5 clamped at both ends, 0.7 at one, 2 free at the other (Timoshenko and Gere)."""
    model = bar("0*t")
    model.force("push", "point_force", "bar.B", direction=(-1, 0), force=500)
    del model.sections["bar"]
    model.section(
        "bar", shape="rectangle", width=WIDTH, height=HEIGHT, material={**STEEL, "E": 210e9}, along=("A", "B"),
        length_factor=factor,
    )  # fmt: skip
    check = model.strength(0, 1, step=0.5).check("section bar", "buckling: compression")
    weak = HEIGHT * WIDTH**3 / 12
    assert check.limit == pytest.approx(math.pi**2 * 210e9 * weak / (factor * LENGTH) ** 2, rel=1e-12)
