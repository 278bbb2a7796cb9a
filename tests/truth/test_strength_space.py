"""Links of space as beams in two planes with torsion, against closed forms; pins under the reactions of `inverse`."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.applications.strength.space import spatial_links
from mubo.applications.strength.space_beams import spatial_forces
from mubo.applications.strength.space_sections import space_section_of
from mubo.model.parts import Detail

STEEL = {"yield": 250e6, "E": 210e9}
ROUND = {"shape": "round", "diameter": 0.05, "material": STEEL}


def machine(end, mass=0.0, inertia=(0.0,) * 6, motion="0*t", axis=(0, 0, 1)):
    """An arm from the origin that is driven about an axis there."""
    model = mubo.Model("arm", units={"length": "m"}, dimension=3, gravity=(0, 0, 0))
    model.ground.point("A", (0, 0, 0))
    model.body("arm", points={"A": (0, 0, 0), "B": end}, mass=mass, center=tuple(x / 2 for x in end), inertia=inertia)
    model.joint("A", "revolute", "ground.A", "arm.A", axis=axis)
    model.driver("motor", "A", motion)
    return model


def forces_along(model, found, row=0):
    history = found.clearance.history
    (link, *_) = spatial_links(model.build())
    return spatial_forces(link.beam, history.at(found.run.columns.raw("t")[row : row + 1]))


def test_an_oblique_rod_that_spins():
    """Inclined by β to its axis: N = µ ω² sin²β (L² − s²)/2 and M = µ ω² sin β cos β (L³/3 − s L²/2 + s³/6)."""
    length, mass, omega, beta = 1.6, 4.0, 9.0, 0.6
    e = np.array([math.sin(beta), 0, math.cos(beta)])
    tensor = mass * length**2 / 12 * (np.eye(3) - np.outer(e, e))
    inertia = tuple(tensor[k] for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    model = machine(tuple(length * e), mass, inertia, f"{omega}*t")
    model.section("arm", **ROUND, along=("A", "B"))
    found = model.strength(0, 0.5, step=0.1)
    assert not found.notes  # the diagrams close
    cut = forces_along(model, found, row=3)
    s, mu = cut.s[0], mass / length
    axial = mu * omega**2 * math.sin(beta) ** 2 * (length**2 - s**2) / 2
    bent = mu * omega**2 * math.sin(beta) * math.cos(beta) * (length**3 / 3 - s * length**2 / 2 + s**3 / 6)
    assert cut.n[0] == pytest.approx(axial, rel=1e-9, abs=1e-9 * axial[0])
    assert np.hypot(cut.height, cut.width)[0] == pytest.approx(bent, rel=1e-9, abs=1e-9 * bent[0])
    assert np.abs(cut.torque).max() < 1e-9 * bent[0]
    worst = found.check("section arm", "largest stress")
    area, modulus = math.pi * 0.05**2 / 4, math.pi * 0.05**3 / 32
    assert worst.value == pytest.approx(axial[0] / area + bent[0] / modulus, rel=1e-9)


def test_a_shaft_that_accelerates_a_wheel():
    """T = I α of the wheel behind it: τ = 16 T/(π d³), σ_v = √3 τ."""
    model = machine((0.5, 0, 0), motion="1.5*t^2", axis=(1, 0, 0))
    model.body("wheel", points={"B": (0, 0, 0)}, mass=1, inertia=(7.0, 4.0, 4.0))
    model.joint("B", "fixed", "arm.B", "wheel.B")
    model.section("arm", **ROUND, along=("A", "B"))
    found = model.strength(0, 1, step=0.25)
    torsion = 16 * 7 * 3 / (math.pi * 0.05**3)
    assert found.check("section arm", "torsional stress").value == pytest.approx(torsion, rel=1e-9)
    assert found.check("section arm", "largest stress").value == pytest.approx(math.sqrt(3) * torsion, rel=1e-9)


@pytest.mark.parametrize("upright", [(0, 0, 1), (0, 1, 0), (0, 3, 4)])
def test_an_arm_that_is_bent_in_two_planes(upright):
    """σ = F_h L/W_h + F_w L/W_w at a corner, with the parts of the force along height and width."""
    length, force = 0.8, np.array([0.0, 30.0, 70.0])
    model = machine((length, 0, 0))
    model.force("push", "point_force", "arm.B", direction=tuple(force), force=float(np.linalg.norm(force)))
    model.section("arm", shape="rectangle", height=0.04, width=0.02, upright=upright, material=STEEL, along=("A", "B"))
    h = np.array(upright) / np.linalg.norm(upright)
    high, wide = abs(force @ h), abs(force @ np.cross([1, 0, 0], h))
    expected = high * length / (0.02 * 0.04**2 / 6) + wide * length / (0.04 * 0.02**2 / 6)
    assert model.strength(0, 1, step=0.5).check("section arm", "largest stress").value == pytest.approx(expected)


@pytest.mark.parametrize("ratio", [1.0, 2.0, 5.0])
def test_torsion_of_a_rectangle_by_its_series(ratio):
    """τ = T/(k b² h), Saint-Venant's series; Roark's polynomial is within half a per cent of it."""
    short, long = 0.02, 0.02 * ratio
    odd = np.arange(1, 60, 2)
    k1 = 1 - 8 / math.pi**2 * np.sum(1 / (odd**2 * np.cosh(odd * math.pi * ratio / 2)))
    k2 = (1 - 192 / (math.pi**5 * ratio) * np.sum(np.tanh(odd * math.pi * ratio / 2) / odd**5)) / 3
    exact = k1 / (k2 * short**2 * long)
    section = space_section_of(Detail("x", {"shape": "rectangle", "height": long, "width": short}))
    assert section.twist == pytest.approx(exact, rel=5e-3)
    assert space_section_of(Detail("x", {"shape": "rectangle", "height": short, "width": long})).twist == section.twist


def test_twist_of_a_thin_tube_and_of_thin_walls():
    """Bredt: τ = T/(2 A t) of a thin tube; an open section τ = T t/J."""
    tube = space_section_of(Detail("x", {"shape": "tube", "diameter": 0.1, "thickness": 1e-4}))
    assert tube.twist == pytest.approx(1 / (2 * math.pi * 0.04995**2 * 1e-4), rel=2e-3)
    given = {"shape": "I", "height": 0.2, "width": 0.1, "web": 0.006, "flange": 0.009}
    torsion = (2 * 0.1 * 0.009**3 + 0.182 * 0.006**3) / 3
    assert space_section_of(Detail("x", given)).twist == pytest.approx(0.009 / torsion, rel=1e-12)


def test_a_bar_that_falls_about_a_hinge():
    """M(x) = ¼ m g x (1 − x/L)² of a bar released from rest (Den Hartog, Mechanics, falling chimney)."""
    length, mass = 3.0, 12.0
    model = machine((length, 0, 0), mass, (0, 9.0, 9.0, 0, 0, 0), f"{-0.75 * 9.81 / length}*t^2")
    model.gravity = (0, -9.81, 0)
    model.section("arm", shape="I", height=0.2, width=0.1, web=0.01, flange=0.02, upright=(0, 1, 0), material=STEEL,
                  along=("A", "B"))  # fmt: skip
    found = model.strength(0, 0.1, step=0.05)
    cut = forces_along(model, found)
    s = cut.s[0]
    assert np.abs(cut.height[0]) == pytest.approx(mass * 9.81 * s * (1 - s / length) ** 2 / 4, abs=1e-9)
    assert np.abs(cut.width).max() < 1e-9
    assert not found.notes


def test_balls_carry_what_inverse_dynamics_says():
    model = mubo.load(EXAMPLES / "spatial_slider_crank.toml")
    model.gravity = (0, 0, -9.81)
    for name, mass in (("crank", 2.0), ("rod", 3.0), ("collar", 1.0)):
        model.bodies[name] = model.bodies[name].__class__(**{**model.bodies[name].__getstate__(), "mass": mass,
                                                              "inertia": (0.02, 0.3, 0.3, 0, 0, 0)})  # fmt: skip
    model.pin("B", diameter=0.02, width=0.015, material=STEEL, pressure="50 MPa")
    found = model.strength()
    force = np.linalg.norm([found.run[f"B.on_rod.{c}"] for c in ("fx", "fy", "fz")], axis=0)
    load = found.check("pin B", "largest load")
    assert load.value >= force.max() * (1 - 1e-12)
    assert load.value == pytest.approx(force.max(), rel=5e-3)  # searched between rows
    assert found.check("pin B", "bearing pressure").safety == pytest.approx(50e6 * 0.02 * 0.015 / load.value, rel=1e-12)
    assert found.check("pin B", "shear of the pin").value == pytest.approx(load.value / (math.pi * 1e-4), rel=1e-12)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"shape": "rectangle", "height": 0.04, "width": 0.02}, '"upright" is missing'),
        ({"shape": "rectangle", "height": 0.04, "width": 0.02, "upright": (1, 0, 0)}, "upright lies along the beam"),
        ({"area": 1e-3, "modulus": 1e-5}, "in space a beam bends in two planes and is twisted"),
    ],
)
def test_sections_that_do_not_do_in_space(section, words):
    model = machine((1, 0, 0))
    model.section("arm", **section, material=STEEL, along=("A", "B"))
    with pytest.raises(mubo.ModelError, match=words):
        model.strength(0, 1, step=0.5)
