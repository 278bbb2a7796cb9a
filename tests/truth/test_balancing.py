"""Shaking forces and their balance against the closed forms of engines: harmonics of the piston, inline engines,
Lanchester, counterweights, springs (Norton, Design of Machinery, chapters 12 to 14)."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

R, L, M, OMEGA = 0.045, 0.15, 0.5, 100 * math.pi
ROWS = 72
ANGLES = np.arange(ROWS + 1) * 2 * math.pi / ROWS
TEXT = (EXAMPLES / "lanchester.toml").read_text()
CYLINDER = TEXT.partition("[use.one]")[0].replace("w = 0.11", "# w").replace("e = 0.015", "# e")
ANALYSIS = '[analysis]\ntype = "inverse"\nend = "1 rev"\nstep = "5 deg"\n'


def engine(tmp_path, phases):
    """Cylinders in line at some angles of the shaft, in degrees; crank and rods without mass."""
    uses = "".join(
        f'[use.c{k}]\npart = "cylinder"\nsame = {{ shaft = "shaft" }}\nphase = "{phase} deg"\n'
        for k, phase in enumerate(phases)
    )
    path = tmp_path / "engine.toml"
    path.write_text(CYLINDER + uses + ANALYSIS)
    return mubo.load(path).inverse()


def piston_force(theta):
    """−m ẍ of x = r cos θ + √(l² − r² sin² θ) at constant ω, θ from the upper dead centre: exact."""
    s, c = np.sin(theta), np.cos(theta)
    root = np.sqrt(L**2 - R**2 * s**2)
    second = -R * c - R**2 * (c**2 - s**2) / root - R**4 * s**2 * c**2 / root**3
    return -M * OMEGA**2 * second


def harmonic(values, k):
    """Amplitude of cos kθ over one turn."""
    return 2 * np.mean(values[:-1] * np.cos(k * ANGLES[:-1]))


def test_one_cylinder_has_primary_and_secondary_forces(tmp_path):
    """m r ω² (cos θ + (λ + λ³/4 + 15 λ⁵/128 + …) cos 2θ − (λ³/4 + 3 λ⁵/16 + …) cos 4θ …), λ = r/l."""
    run = engine(tmp_path, [0])
    np.testing.assert_allclose(run["shaking.fy"], piston_force(ANGLES), atol=1e-9 * M * R * OMEGA**2)
    np.testing.assert_allclose(run["shaking.f"], np.abs(run["shaking.fy"]), atol=1e-9 * M * R * OMEGA**2)
    unit, ratio = M * R * OMEGA**2, R / L
    assert harmonic(run["shaking.fy"], 1) == pytest.approx(unit, rel=1e-12)
    assert harmonic(run["shaking.fy"], 2) == pytest.approx(
        unit * (ratio + ratio**3 / 4 + 15 * ratio**5 / 128 + 35 * ratio**7 / 512), rel=1e-5
    )
    assert harmonic(run["shaking.fy"], 4) == pytest.approx(-unit * (ratio**3 / 4 + 3 * ratio**5 / 16), rel=2e-2)


@pytest.mark.parametrize(
    ("phases", "left"),
    [
        ([0, 180, 180, 0], {2: 4, 4: 4, 6: 4}),  # inline four: secondary forces add up
        ([0, 120, 240, 240, 120, 0], {6: 6}),  # inline six: none below the sixth order
        ([0, 180], {2: 2, 4: 2, 6: 2}),
        ([0, 120, 240], {6: 3}),
    ],
)
def test_inline_engines(tmp_path, phases, left):
    """Harmonics k add up where k times every phase is a whole number of turns, else they cancel."""
    run, alone = engine(tmp_path, phases), piston_force(ANGLES)
    for k in range(1, 7):
        wanted = left.get(k, 0) * harmonic(alone, k)
        assert harmonic(run["shaking.fy"], k) == pytest.approx(wanted, abs=1e-10 * M * R * OMEGA**2)


def test_lanchester_cancels_the_secondary_force():
    """The best weights at any speed: 2 w e (2ω)² = the second harmonic of four cylinders; what is left is the rest."""
    model = mubo.load(EXAMPLES / "lanchester.toml")
    found = model.optimize(workers=1)
    eccentricity, alone = 0.015, piston_force(ANGLES)
    best = 4 * harmonic(alone, 2) / (2 * eccentricity * (2 * OMEGA) ** 2)
    assert found.parameters["w"][1] == pytest.approx(best, rel=1e-6)
    assert found.here.differences == ()  # exact derivatives
    rest = [4 * harmonic(alone, k) for k in range(4, 34, 4)] + [4 * harmonic(alone, k) for k in range(6, 34, 4)]
    assert found.numbers["rms shaking.f"][1] == pytest.approx(math.sqrt(np.sum(np.square(rest)) / 2), rel=1e-5)
    fast = found.numbers["rms shaking.f at n = 628.3 rad/s"][1]
    assert fast == pytest.approx(4 * found.numbers["rms shaking.f"][1], rel=1e-9)  # of twice the speed
    assert found.aim[1] == pytest.approx(fast, rel=1e-12)


def test_half_of_the_reciprocating_mass_is_the_best_counterweight(yoke):
    """|F|² = ω⁴ r² ((m − w)² cos² + w² sin²): the largest force is least at w = m/2, at every speed."""
    found = yoke.optimize({"w": [0.1, 1.9]}, minimize="largest shaking.f", cases={"n": [5, 20]}, starts=1, workers=1)
    assert found.parameters["w"][1] == pytest.approx(1.0, rel=1e-6)
    assert found.numbers["largest shaking.f"][1] == pytest.approx(0.1 * 1.0 * 10**2, rel=1e-6)
    assert found.aim[1] == pytest.approx(0.1 * 1.0 * 20**2, rel=1e-6)


def test_a_spring_balances_the_torque_over_a_range_of_speeds(yoke):
    """Torque (k − m ω²) r² sin θ cos θ: the largest over two speeds is least at k = m (ω₁² + ω₂²)/2."""
    found = yoke.optimize({"k": [10, 900]}, minimize="largest motor.effort", cases={"n": [20]}, starts=1, workers=1)
    assert found.parameters["k"][1] == pytest.approx(2 * (10**2 + 20**2) / 2, rel=1e-6)
    assert found.aim[1] == pytest.approx(2 * (20**2 - 10**2) / 2 * 0.1**2 / 2, rel=1e-6)


@pytest.fixture(scope="module")
def yoke(tmp_path_factory):
    """A yoke of 2 kg moved by r cos ωt, r = 0.1 m, a counterweight w opposite the pin, a spring k to the frame."""
    path = tmp_path_factory.mktemp("yoke") / "yoke.toml"
    path.write_text(YOKE)
    return mubo.load(path)


YOKE = """
name = "yoke"
units = { length = "m", angle = "rad", mass = "kg", time = "s" }
gravity = [0, 0]
[parameters]
w = 0.3
k = 100
n = 10
[body.ground]
points = { O = [0, 0], E = [-1, 0] }
[body.crank]
points = { O = [0, 0], B = [0.1, 0] }
mass = "w"
center = [-0.1, 0]
inertia = 0.01
[body.yoke]
position = [0.1, 0]
points = { P = [0, 0], axis = [0, 1] }
mass = 2
[joint.O]
type = "revolute"
between = ["ground.O", "crank.O"]
[joint.guide]
type = "translational"
between = ["ground.O", "yoke.P"]
axis = [1, 0]
angle = 0
[joint.slot]
type = "slot"
between = ["yoke.P", "crank.B"]
axis = [0, 1]
[driver.motor]
of = "O"
motion = "n*t"
[force.spring]
type = "joint_spring"
of = "guide"
stiffness = "k"
rest = 0
[analysis]
type = "inverse"
end = "1 rev"
step = "5 deg"
"""


def test_unbalanced_shaft_in_space():
    """Two masses m at r, opposite and a apart on the shaft: no force, a moment m r a ω², with exact derivatives."""
    model = mubo.Model("shaft", dimension=3, units={"length": "m", "mass": "kg", "time": "s"}, gravity=(0, 0, 0))
    for name, value in {"r": 0.2, "a": 0.5, "m": 3.0, "n": 40.0}.items():
        model.parameter(name, value)
    model.ground.point("O", (0, 0, 0))
    masses = {"P": "m", "Q": "m"}
    model.body(
        "shaft",
        points={"O": (0, 0, 0), "P": ("r", 0, "a"), "Q": ("-r", 0, 0)},
        mass=1.0,
        inertia=(1, 1, 1),
        added_masses=masses,
    )
    model.revolute("O", "ground.O", "shaft.O", axis=(0, 0, 1))
    model.driver("motor", "O", "n*t")
    model.analysis = mubo.model.Analysis("inverse", {"start": 0.0, "end": 0.1, "step": 0.01})
    run = model.inverse()
    np.testing.assert_allclose(run["shaking.f"], 0, atol=1e-10)
    np.testing.assert_allclose(run["shaking.m"], 3.0 * 0.2 * 0.5 * 40**2, rtol=1e-12)
    found = model.sensitivity(["max shaking.m"], ["r", "a", "m", "n"])
    moment = 3.0 * 0.2 * 0.5 * 40**2
    np.testing.assert_allclose(found["max shaking.m"], [moment / 0.2, moment / 0.5, moment / 3.0, 2 * moment / 40])
