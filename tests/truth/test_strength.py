"""Pins, bearings and links as beams against reference answers and closed forms.

Reference: tests/data/forces/metal.json (KABIOS four-bar under a load torque, computed with 40 digits).
"""

import json
import math

import numpy as np
import pytest
from conftest import DATA

import mubo

REFERENCE = json.loads((DATA / "forces" / "metal.json").read_text())
STEEL = {"yield": 250e6}


@pytest.fixture(scope="module")
def metal():
    return mubo.load(DATA / "forces" / "metal.toml").strength()


@pytest.mark.parametrize("joint", "ABCD")
def test_pins(metal, joint):
    """Largest load with its time, mean effective load, life, shear and pressure of every pin."""
    expected, part = REFERENCE["pins"][joint], f"pin {joint}"
    load = metal.check(part, "largest load")
    assert load.value == pytest.approx(expected["max_force"], rel=1e-9)
    assert load.t == pytest.approx(expected["at_t"], abs=1e-6)
    assert metal.check(part, "mean effective load").value == pytest.approx(expected["mean_effective_load"], rel=1e-6)
    million = expected["L10_million_revolutions"]
    assert metal.check(part, "life L10 in revolutions").value == pytest.approx(1e6 * million, rel=1e-5)
    assert metal.check(part, "life L10 in time").value == pytest.approx(3600 * expected["L10_hours"], rel=1e-5)
    cycles = 1e6 * million / expected["revolutions_per_cycle"]
    assert metal.check(part, "life L10 in cycles").value == pytest.approx(cycles, rel=1e-5)
    shear = expected["pin_shear_double" if joint == "B" else "pin_shear_single"]
    assert metal.check(part, "shear of the pin").value == pytest.approx(shear, rel=1e-9)
    assert metal.check(part, "bearing pressure").value == pytest.approx(expected["bearing_pressure"], rel=1e-9)


def test_worst_instant_of_the_coupler(metal):
    """Between the rows, and along the beam: the rows alone miss two per cent of it."""
    expected, worst = REFERENCE["worst_instant_continuous"], metal.worst["coupler"]
    stress = metal.check("section coupler", "largest stress")
    assert stress.value == pytest.approx(expected["max_stress"], rel=1e-9)
    assert stress.safety == pytest.approx(expected["safety_factor"], rel=1e-9)
    assert stress.t == pytest.approx(expected["t"], abs=1e-7)
    assert worst.at == pytest.approx(expected["at_x"], abs=1e-6)
    assert worst.side == "right"  # the −y side
    of = metal.run.columns["coupler.stress"].max()
    assert of == pytest.approx(REFERENCE["worst_instant_on_output_grid"]["max_stress"], rel=1e-3)


@pytest.mark.parametrize("name", ["worst_instant_continuous", "worst_instant_on_output_grid"])
def test_section_forces(name):
    """N, V, M along the coupler at two instants."""
    from mubo.applications.strength.beams import beam_of, pieces_of

    expected = REFERENCE[name]
    model = mubo.load(DATA / "forces" / "metal.toml")
    course = model.strength(0, 1, step=0.025).clearance.history
    pieces = pieces_of(beam_of(model.build(), model.sections["coupler"]), course.at(np.array([expected["t"]])))
    for word, found in zip("NVM", pieces.at(np.array(expected["x"])), strict=True):
        np.testing.assert_allclose(found[0], expected[word], rtol=0, atol=1e-9 * np.max(np.abs(expected[word])))


def test_diagrams_close_on_every_link(metal):
    """Crank and rocker with their torques at the frame: inertia m L²/12 closes all three diagrams."""
    assert not metal.notes


def test_another_inertia_does_not_close():
    """With I + δ the moment left at the end is δ α: here at every time, as the bar is driven."""
    model = bar(2.0, 3.0, "0.5*t^2", inertia=1.5)
    found = model.strength(0, 1, step=0.1)
    assert "does not close" in found.notes[0] or "do not close" in found.notes[0]
    assert "close by 500 mN m (" in found.notes[0]  # (1.5 − 3·2²/12) · 1 rad/s²
    assert "its inertia is 1.5 and that of an even line 1" in found.notes[0]


def bar(length, mass, motion, inertia=None, **section):
    """A bar that is driven about its end, with another point at its tip."""
    model = mubo.Model("bar", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    own = (
        {"inertia": inertia, "center": (length / 2, 0)}
        if inertia
        else {"shape": {"kind": "bar", "between": ["A", "B"]}}
    )
    model.body("bar", points={"A": (0, 0), "B": (length, 0)}, mass=mass, **own)
    model.revolute("A", "ground.A", "bar.A")
    model.driver("motor", "bar.phi", motion)
    model.section("bar", shape="rectangle", width=0.01, height=0.02, material=STEEL, along=("A", "B"), **section)
    return model


def test_rotating_bar():
    """N(x) = ½ m ω² (L² − x²)/L of a bar that turns evenly about its end; no shear, no bending."""
    length, mass, omega = 1.5, 2.0, 30.0
    worst = bar(length, mass, f"{omega}*t").strength(0, 0.2, step=0.02).worst["bar"]
    np.testing.assert_allclose(
        worst.n, 0.5 * mass * omega**2 * (length**2 - worst.s**2) / length, rtol=1e-12, atol=1e-9
    )
    np.testing.assert_allclose(worst.v, 0, atol=1e-9)
    np.testing.assert_allclose(worst.m, 0, atol=1e-9)


def falling(length, mass):
    """A bar that falls freely about its hinge: the driver follows the motion, and exerts nothing at t = 0.

    At rest and horizontal the hinge needs α = −3 g/(2 L); a driver with that acceleration has effort zero there.
    """
    model = bar(length, mass, f"{-0.75 * 9.81 / length}*t^2")
    model.gravity = (0.0, -9.81)
    return model


def test_falling_bar():
    """M(x) = ¼ m g x (1 − x/L)² of a hinged bar released from rest: largest at a third, m g L/27.

    q(x) = (m/L) g (3x/(2L) − 1) and V(0) = m g/4 (Den Hartog, Mechanics, falling chimney).
    """
    length, mass = 3.0, 12.0
    found = falling(length, mass).strength(0, 0.1, step=0.01)
    assert found.run["motor.effort"][0] == pytest.approx(0, abs=1e-9)
    from mubo.applications.strength.beams import pieces_of

    link = found.links["bar"]
    s = np.linspace(0, length, 301)
    _, v, m = (part[0] for part in pieces_of(link.beam, found.clearance.history.at(np.array([0.0]))).at(s))
    weight = mass * 9.81
    np.testing.assert_allclose(m, weight * s * (1 - s / length) ** 2 / 4, atol=1e-9 * weight)
    assert s[np.argmax(m)] == pytest.approx(length / 3, abs=length / 300)
    assert m.max() == pytest.approx(weight * length / 27, rel=1e-4)
    assert v[0] == pytest.approx(weight / 4, rel=1e-12)


def test_a_load_between_the_pins():
    """Simply supported with F at a: M = F a b/L under the load, in the statics of a bar that stands."""
    model = mubo.Model("beam", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("B", (2, 0))
    model.body("beam", points={"A": (0, 0), "B": (2, 0), "P": (0.5, 0)})
    model.revolute("A", "ground.A", "beam.A")
    model.joint("B", "slot", "ground.B", "beam.B", axis=(1, 0))
    model.force("push", "point_force", "beam.P", direction=(0, -1), force=800)
    model.section("beam", area=1e-3, modulus=1e-5, material=STEEL)
    found = model.strength(0, 1, step=0.5)
    assert found.check("section beam", "largest stress").value == pytest.approx(800 * 0.5 * 1.5 / 2 / 1e-5)
    assert found.worst["beam"].at == pytest.approx(0.5)
    np.testing.assert_allclose(found.worst["beam"].v[[0, -1]], [600, -200], rtol=1e-12)


def test_a_bent_beam_and_a_lug():
    """An L-shaped lever A–C–B about A, loaded at B: at the corner M = F · (arm of B about C), N and V change places."""
    model = mubo.Model("lever", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0), "C": (1, 0), "B": (1, 0.4), "Q": (0.5, 0.1)})
    model.revolute("A", "ground.A", "lever.A")
    model.driver("hold", "lever.phi", "0*t")
    model.force("push", "point_force", "lever.B", direction=(1, 0), force=100)
    model.force("pull", "point_force", "lever.Q", direction=(1, 0), force=50)
    model.section("lever", area=1e-3, modulus=1e-5, material=STEEL, along=("A", "C", "B"), lugs=("Q",))
    worst = model.strength(0, 1, step=0.5).worst["lever"]
    at = {s: int(np.argmin(np.abs(worst.s - s))) for s in (0.25, 0.75, 1.2)}
    assert worst.n[at[0.25]] == pytest.approx(150)  # both forces pull on the part next to A
    assert worst.n[at[0.75]] == pytest.approx(100)
    assert worst.n[at[1.2]] == pytest.approx(0, abs=1e-9)
    assert abs(worst.v[at[1.2]]) == pytest.approx(100)
    assert abs(worst.m[at[0.75]]) == pytest.approx(100 * 0.4)
    assert abs(worst.m[at[0.25]]) == pytest.approx(100 * 0.4 + 50 * 0.1)
    away = 1.4 - worst.s[at[1.2]]
    assert abs(worst.m[at[1.2]]) == pytest.approx(100 * away)


SHAPES = [
    ({"shape": "rectangle", "height": 0.12, "width": 0.02}, 2.4e-3, 4.8e-5, 0.02**3 * 0.12 / 12),
    ({"shape": "round", "diameter": 0.1}, math.pi * 0.0025, math.pi * 1e-3 / 32, math.pi * 1e-4 / 64),
    ({"shape": "tube", "diameter": 0.1, "thickness": 0.01}, math.pi * 9e-4, math.pi * 0.59040e-3 / 32, None),
    ({"shape": "I", "height": 0.2, "width": 0.1, "web": 0.01, "flange": 0.02}, 5.6e-3, None, None),
]


@pytest.mark.parametrize(("given", "area", "modulus", "weak"), SHAPES, ids=[s[0]["shape"] for s in SHAPES])
def test_sections_by_strips(given, area, modulus, weak):
    """Area, I and the shear factor S/(I b) by summing thin strips of the section, and by textbook values."""
    from mubo.applications.strength.sections import section_of
    from mubo.model.parts import Detail

    found = section_of(Detail("x", given))
    assert found.area == pytest.approx(area)
    assert modulus is None or found.modulus == pytest.approx(modulus)
    assert weak is None or found.weak_second_moment == pytest.approx(weak)
    y = (np.arange(200_000) + 0.5) / 200_000 * found.height - found.height / 2
    wide = strip(given, y)
    dy = y[1] - y[0]
    assert np.sum(wide) * dy == pytest.approx(found.area, rel=1e-4)
    assert np.sum(wide * y**2) * dy == pytest.approx(found.second_moment, rel=1e-4)
    above = np.sum((wide * y)[y > 0]) * dy
    assert found.shear == pytest.approx(above / (found.second_moment * wide[len(y) // 2]), rel=1e-4)


def strip(given, y):
    """Width of a section at a height from its middle."""
    if given["shape"] == "rectangle":
        return np.full_like(y, given["width"])
    if given["shape"] == "I":
        return np.where(np.abs(y) > given["height"] / 2 - given["flange"], given["width"], given["web"])
    radius = given["diameter"] / 2
    inner = radius - given.get("thickness", radius)
    return 2 * (np.sqrt(np.maximum(radius**2 - y**2, 0)) - np.sqrt(np.maximum(inner**2 - y**2, 0)))


def test_bearing_life_by_hand():
    """C = 20 kN, P = 2 kN at 1500 rpm: ball 10³ · 10⁶ revolutions = 11 111 h; roller 10^(10/3) · 10⁶ (ISO 281:2007)."""
    model = mubo.Model("wheel", units={"length": "m"}, gravity=(0, -10))
    model.ground.point("A", (0, 0))
    model.body("wheel", points={"A": (0, 0)}, mass=200, inertia=1)
    model.revolute("A", "ground.A", "wheel.A")
    model.driver("motor", "wheel.phi", {"rate": "1500 rpm"})
    other = model.copy()
    model.pin("A", diameter=0.03, width=0.02, bearing="ball", rating=20e3, life="1000 h", safety=2)
    found = model.strength(0, 0.04, step=0.004)
    assert found.check("pin A", "life L10 in revolutions").value == pytest.approx(1e9, rel=1e-9)
    hours = found.check("pin A", "life L10 in time")
    assert hours.value / 3600 == pytest.approx(1e9 / 1500 / 60, rel=1e-9)
    assert hours.safety == pytest.approx((1e9 / 1500 / 60 / 1000) ** (1 / 3), rel=1e-9)
    assert found.check("pin A", "life L10 in cycles").value == pytest.approx(1e9, rel=1e-9)  # 0.04 s is one turn
    assert found.ok
    other.pin("A", diameter=0.03, width=0.02, bearing="roller", rating=20e3, static_rating=30e3)
    found = other.strength(0, 0.04, step=0.004)
    assert found.check("pin A", "life L10 in revolutions").value == pytest.approx(1e6 * 10 ** (10 / 3), rel=1e-9)
    assert found.check("pin A", "static load").safety == pytest.approx(15, rel=1e-9)


def test_plain_bearing():
    """A pin under F = 2 kN that swings by a sin(w t): way 4 a r in a period, p v = F |w a| / (2 width) at most."""
    a, w, d, width = 0.3, 10.0, 0.03, 0.02
    model = mubo.Model("lever", units={"length": "m"}, gravity=(0, -10))
    model.ground.point("A", (0, 0))
    model.body("lever", points={"A": (0, 0)}, mass=200, inertia=1)
    model.revolute("A", "ground.A", "lever.A")
    model.driver("motor", "lever.phi", f"{a}*sin({w}*t)")
    model.pin("A", diameter=d, width=width, bearing="plain", pressure="10 MPa", pv="3 MPa m/s", speed=0.1)
    period = 2 * math.pi / w
    found = model.strength(0, period, step=period / 50)
    assert found.check("pin A", "sliding distance of a cycle").value == pytest.approx(4 * a * d / 2, rel=1e-6)
    assert found.check("pin A", "sliding speed").value == pytest.approx(a * w * d / 2, rel=1e-9)
    assert found.check("pin A", "pressure × speed").value == pytest.approx(2000 * a * w / (2 * width), rel=1e-9)
    mean = 2000 / (2 * width) * 4 * a / period
    assert found.check("pin A", "mean pressure × speed").value == pytest.approx(mean, rel=1e-6)
    assert found.check("pin A", "bearing pressure").safety == pytest.approx(10e6 * d * width / 2000, rel=1e-9)


def test_fatigue_of_a_turning_bar():
    """A bar that turns evenly in a horizontal field g: at the hinge M swings between ± m g L/2 while N is constant.

    σ_m = N/A with N = ½ m ω² L (+ m g sin), σ by Goodman at the hinge; the least and greatest come from cos and sin.
    """
    length, mass, omega, g = 1.0, 3.0, 12.0, 9.81
    material = {"yield": 250e6, "ultimate": 400e6, "fatigue": 150e6}
    model = bar(length, mass, f"{omega}*t")
    del model.sections["bar"]
    model.gravity = (0.0, -g)
    model.section("bar", shape="rectangle", width=0.01, height=0.02, material=material, along=("A", "B"), notch=1.6)
    found = model.strength(0, 2 * math.pi / omega, step=math.pi / omega / 40)
    area, modulus = 2e-4, 0.01 * 0.02**2 / 6
    # at the hinge: N = ½ m ω² L + m g sin φ... tension as seen from A; M = −m g L/2 cos φ plus the motor's torque
    phi = np.linspace(0, 2 * math.pi, 200_001)
    n = 0.5 * mass * omega**2 * length - mass * g * np.sin(phi)
    m = -mass * g * length / 2 * np.cos(phi)
    sigma = n / area + m / modulus
    high, low = sigma.max(), sigma.min()
    use = 1.6 * (high - low) / 2 / 150e6 + (high + low) / 2 / 400e6
    fatigue = found.check("section bar", "fatigue: amplitude")
    assert fatigue.value == pytest.approx((high - low) / 2, rel=1e-6)
    assert fatigue.safety == pytest.approx(1 / use, rel=1e-6)


def test_buckling():
    """A pushed bar of 2 m, 20 × 10 mm: F_E = π² E I/L² about its weak axis; a stocky one yields first."""
    strut = pushed(2.0)
    moment = 0.02 * 0.01**3 / 12
    check = strut.check("section strut", "buckling: compression")
    assert check.value == pytest.approx(500, rel=1e-12)
    assert check.limit == pytest.approx(math.pi**2 * 210e9 * moment / 4, rel=1e-12)
    assert f"slenderness {2 / math.sqrt(moment / 2e-4):.4g}" in check.how
    short = pushed(0.2).check("section strut", "buckling: compression")
    slow = 0.2 / math.sqrt(moment / 2e-4)
    johnson = 2e-4 * 250e6 * (1 - 250e6 * slow**2 / (4 * math.pi**2 * 210e9))
    assert short.limit == pytest.approx(johnson, rel=1e-12)
    assert "Johnson" in short.how


def pushed(length):
    model = mubo.Model("strut", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("strut", points={"A": (0, 0), "B": (length, 0)})
    model.revolute("A", "ground.A", "strut.A")
    model.driver("hold", "strut.phi", "0*t")
    model.force("push", "point_force", "strut.B", direction=(-1, 0), force=500)
    material = {**STEEL, "E": "210 GPa"}
    model.section("strut", shape="rectangle", height=0.02, width=0.01, material=material, along=("A", "B"))
    return model.strength(0, 1, step=0.5)
