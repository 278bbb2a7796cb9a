"""Deflection of points by Mohr's integral against beams and a truss of the textbooks; rams as columns; seats."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

E = 210e9
STEEL = {"yield": 250e6, "E": E}
HIGH, WIDE = 0.04, 0.02
AREA, MOMENT = HIGH * WIDE, WIDE * HIGH**3 / 12
SECTION = {"shape": "rectangle", "height": HIGH, "width": WIDE, "material": STEEL}


def cantilever(angle=0.0, force=300.0, length=1.5):
    model = mubo.Model("cantilever", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (length, 0)})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("hold", "bar.phi", f"{angle} + 0*t")
    model.force("push", "point_force", "bar.B", direction=(0, -1), force=force)
    model.point("P", "bar", (length, 0))
    model.section("bar", **SECTION, along=("A", "B"))
    return model


@pytest.mark.parametrize("angle", [0.0, 0.7, -1.1])
def test_cantilever(angle):
    """δ = F L³/(3 E I) across and F L/(E A) along, of the parts of F in both directions."""
    found = cantilever(angle).strength(0, 1, step=0.5, deflection="P")
    across = 300 * math.cos(angle) * 1.5**3 / (3 * E * MOMENT)
    along = 300 * math.sin(angle) * 1.5 / (E * AREA)
    x = across * math.sin(angle) - along * math.cos(angle)
    y = -across * math.cos(angle) - along * math.sin(angle)
    assert found.run["P.deflection_x"] == pytest.approx(x, rel=1e-9, abs=1e-12)
    assert found.run["P.deflection_y"] == pytest.approx(y, rel=1e-9)
    assert found.check("point P", "deflection").value == pytest.approx(math.hypot(x, y), rel=1e-9)


def test_beam_on_two_supports_with_its_own_weight():
    """5 q L⁴/(384 E I) at the middle (any table of beams)."""
    length, mass = 2.0, 12.56
    model = mubo.Model("beam", units={"length": "m"}, gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.ground.point("B", (length, 0))
    model.body("beam", points={"A": (0, 0), "B": (length, 0), "M": (1, 0)}, mass=mass,
               shape={"kind": "bar", "between": ["A", "B"]})  # fmt: skip
    model.revolute("A", "ground.A", "beam.A")
    model.joint("B", "slot", "ground.B", "beam.B", axis=(1, 0))
    model.point("P", "beam", (1, 0))
    model.section("beam", **SECTION)
    found = model.strength(0, 1, step=0.5, deflection=["P"])
    load = mass * 9.81 / length
    assert found.run["P.deflection_y"] == pytest.approx(-5 * load * length**4 / (384 * E * MOMENT), rel=1e-9)


def test_two_bars_of_a_truss():
    """A bracket of two bars at ±45°, F down at their pin: each bar has F/√2, δ = F L/(E A) (L the length of a bar)."""
    model = mubo.Model("bracket", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 1))
    model.ground.point("B", (0, -1))
    for name, angle, place in (("upper", -math.pi / 4, (0, 1)), ("lower", math.pi / 4, (0, -1))):
        model.body(name, points={"O": (0, 0), "P": (math.sqrt(2), 0)}, angle=angle, position=place)
        model.section(name, **SECTION)
    model.revolute("A", "ground.A", "upper.O")
    model.revolute("B", "ground.B", "lower.O")
    model.revolute("P", "upper.P", "lower.P")
    model.force("load", "point_force", "upper.P", direction=(0, -1), force=1000)
    model.point("P", "lower", (math.sqrt(2), 0))
    found = model.strength(0, 1, step=0.5, deflection="P")
    assert found.run["P.deflection_y"] == pytest.approx(-1000 * math.sqrt(2) / (E * AREA), rel=1e-9)
    assert np.abs(found.run["P.deflection_x"]).max() < 1e-12


def test_what_has_no_stiffness_is_named():
    model = cantilever()
    model.sections.pop("bar")
    model.section("bar", **{**SECTION, "material": {"yield": 1e8}}, along=("A", "B"))
    with pytest.raises(mubo.ModelError, match="section bar: its stiffness is not known"):
        model.strength(0, 1, step=0.5, deflection="P")
    with pytest.raises(mubo.ModelError, match='there is no point of interest "Q"'):
        cantilever().strength(0, 1, step=0.5, deflection="Q")


@pytest.mark.parametrize(("diameter", "inner"), [(0.02, None), (0.05, 0.04), (0.2, None)])
def test_a_ram_buckles_at_its_greatest_length(diameter, inner):
    """A crane that a ram lifts: the ram of the length L carries F = (m g arm + I α) / lever; its critical load by
    Euler, of thick ones by Johnson."""
    model = mubo.Model("crane", units={"length": "m"})
    model.gravity = (0, -10)
    model.ground.point("O", (0, 0))
    model.ground.point("G", (0.5, -1))
    model.body("boom", points={"O": (0, 0), "R": (1, 0)}, mass=100, inertia=30, center=(2, 0))
    model.revolute("O", "ground.O", "boom.O")
    model.driver("lift", ("ground.G", "boom.R"), f"{math.hypot(0.5, 1)} + 0.4*t")
    model.strut("lift", diameter=diameter, **({"inner": inner} if inner else {}), material=STEEL)
    found = model.strength(0, 1e-3, step=5e-4)  # slowly: over so short a time the ram hardly moves
    length = math.hypot(0.5, 1)
    lever = 1 / length  # of the ram about O: |r × e| with r = (1, 0), e = (0.5, 1)/L
    force = found.run["lift.compression"][0]
    omega = 0.4 / lever  # of the boom; ω L and the acceleration of the ram's length give α
    assert force == pytest.approx((100 * 10 * 2 + (30 + 400) * found.run["boom.alpha"][0]) / lever, rel=1e-9)
    assert found.run["boom.omega"][0] == pytest.approx(omega, rel=1e-9)
    area = math.pi * (diameter**2 - (inner or 0) ** 2) / 4
    moment = math.pi * (diameter**4 - (inner or 0) ** 4) / 64
    slow = length / math.sqrt(moment / area)
    euler = math.pi**2 * E * moment / length**2
    johnson = area * 250e6 * (1 - 250e6 * slow**2 / (4 * math.pi**2 * E))
    critical = euler if slow > math.pi * math.sqrt(2 * E / 250e6) else johnson
    assert (diameter < 0.03) == (critical == euler)
    assert found.run["lift.buckling"][0] == pytest.approx(force / critical, rel=1e-9)
    check = found.check("strut lift", "buckling")
    assert check.safety == pytest.approx(1 / found.run["lift.buckling"].max(), rel=1e-6)
    assert ("Johnson" in check.how) == (diameter > 0.03)


def test_rams_that_cannot_be_are_refused():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.strut(next(iter(model.drivers)), diameter=0.02, material=STEEL)
    with pytest.raises(mubo.ModelError, match="only a driver between two points, or of a slide, is a ram"):
        model.strength()


def test_a_machine_with_rods_moves_without_its_drivers():
    """Released, the excavator falls as it does without details of its rods."""
    runs = [
        mubo.load(EXAMPLES / f"{name}.toml").simulate(0, 0.02, 0.01, free=("lower_pump", "upper_pump"))
        for name in ("excavator", "excavator_rods")
    ]
    assert np.array_equal(runs[0]["boom.phi"], runs[1]["boom.phi"])


def test_loads_turn_against_one_ring_and_stand_on_the_other():
    """A driven wheel with its weight: the load turns once a turn against the wheel, and stands in the frame."""
    model = mubo.Model("wheel", units={"length": "m"}, gravity=(0, -10))
    model.ground.point("A", (0, 0))
    model.body("wheel", points={"A": (0, 0)}, mass=200, inertia=1)
    model.revolute("A", "ground.A", "wheel.A")
    model.driver("motor", "wheel.phi", "2*pi*t")
    model.pin("A", diameter=0.03, width=0.02)
    found = model.strength(0, 1, step=0.05)
    turning, standing = (found.check("pin A", f"load direction on {body}") for body in ("wheel", "ground"))
    assert turning.value == pytest.approx(2 * math.pi, rel=1e-9)
    assert "rotating load" in turning.how
    assert standing.value == pytest.approx(0, abs=1e-9)
    assert "stationary load" in standing.how


def test_section_forces_at_any_instant_and_place():
    """M(x) = ¼ m g x (1 − x/L)² of a bar that falls about its hinge, at a time between rows."""
    length, mass = 3.0, 12.0
    model = mubo.Model("bar", units={"length": "m"}, gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (length, 0)}, mass=mass, shape={"kind": "bar", "between": ["A", "B"]})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("motor", "bar.phi", f"{-0.75 * 9.81 / length}*(t - 0.013)^2")
    model.section("bar", **SECTION, along=("A", "B"))
    found = model.strength(0, 0.1, step=0.02)
    s = np.array([0.0, 0.7, 1.0, 2.5])
    cut = found.section_forces("bar", 0.013, s)
    assert cut["M"] == pytest.approx(mass * 9.81 * s * (1 - s / length) ** 2 / 4, abs=1e-9)
    assert cut["right"] - cut["left"] == pytest.approx(2 * cut["M"] / (WIDE * HIGH**2 / 6), rel=1e-9, abs=1e-6)
    with pytest.raises(mubo.MuboError, match="it is 3 long"):
        found.section_forces("bar", 0.05, [3.5])
    with pytest.raises(mubo.MuboError, match='there is no beam "baz"'):
        found.section_forces("baz", 0.05)
