"""Slopes of measures by dimensions against closed forms: the four-bar and the offset slider-crank.

The four-bar (crank a at θ, coupler b at β, rocker c at ψ, ground d): the loop a + b = d + c, differentiated and taken
along the coupler, gives dψ, and along the rocker dβ. Velocities and accelerations are textbook formulas (Norton, Design
of Machinery, 6.18 and 7.12); their slopes come by a complex step of 1e-30, which has no difference to lose digits in.
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

NAMES = ("a", "c", "d")
A, C, D = 0.04, 0.11, 0.12
OMEGA = 2 * np.pi
STEP = 1e-30


def rocker(t, a, b, c, d):
    """ψ, ψ', ψ'' and β of a crank-rocker whose coupler is above it, for real or complex lengths."""
    theta = np.pi / 3 + OMEGA * t
    x, y = d - a * np.cos(theta), -a * np.sin(theta)  # from the crank's pin to the rocker's pivot
    far = np.sqrt(x * x + y * y)
    k = (b * b + far * far - c * c) / (2 * far)
    h = np.sqrt(b * b - k * k)
    bx, by = (k * x - h * y) / far, (k * y + h * x) / far
    cx, cy = bx - x, by - y
    beta, psi = 2 * np.arctan(by / (b + bx)), 2 * np.arctan(cy / (c + cx))
    omega = a * OMEGA * np.sin(theta - beta) / (c * np.sin(psi - beta))
    turn = -a * OMEGA * np.sin(theta - psi) / (b * np.sin(beta - psi))
    along = a * OMEGA**2 * np.cos(theta - beta) + b * turn**2 - c * omega**2 * np.cos(psi - beta)
    return psi, omega, along / (c * np.sin(psi - beta)), beta


@pytest.fixture(scope="module")
def found():
    measures = ["stroke", "time ratio", "first P.x", "mass", "transmission"]
    return mubo.load(EXAMPLES / "parameters.toml").sensitivity(measures, NAMES)


def by_step(order, t):
    """Slopes of what `rocker` tells by a (the coupler is 3 a), c and d."""
    out = []
    for k in range(3):
        a, c, d = (x + 1j * STEP * (j == k) for j, x in enumerate((A, C, D)))
        out.append(rocker(t, a, 3 * a, c, d)[order].imag / STEP)
    return np.array(out)


def test_the_rocker_turns_as_the_loop_says(found):
    t = found.run["t"]
    theta = np.pi / 3 + OMEGA * t
    psi, _, _, beta = rocker(t, A, 3 * A, C, D)
    across = C * np.sin(beta - psi)
    by_a, by_b = np.cos(theta - beta) / across, 1 / across
    formula = [by_a + 3 * by_b, -np.cos(psi - beta) / across, -np.cos(beta) / across]
    np.testing.assert_allclose(np.radians(found["rocker.phi"]), formula, rtol=1e-9, atol=1e-9)


def test_the_coupler_turns_as_the_loop_says(found):
    t = found.run["t"]
    theta = np.pi / 3 + OMEGA * t
    psi, _, _, beta = rocker(t, A, 3 * A, C, D)
    across = 3 * A * np.sin(beta - psi)
    by_a, by_b = np.cos(theta - psi) / across, np.cos(beta - psi) / across
    formula = [by_a + 3 * by_b, -1 / across, -np.cos(psi) / across]
    np.testing.assert_allclose(np.radians(found["coupler.phi"]), formula, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("order", "column"), [(0, "rocker.phi"), (1, "rocker.omega"), (2, "rocker.alpha")])
def test_velocities_and_accelerations_follow(found, order, column):
    exact = by_step(order, found.run["t"])
    np.testing.assert_allclose(np.radians(found[column]), exact, rtol=0, atol=1e-9 * np.max(np.abs(exact)))


def test_the_stroke_by_its_dead_positions(found):
    """Where crank and coupler line up: cos of the angle at D is (c² + d² − (b ± a)²) / 2cd."""

    def stroke(a, c, d):
        outer, inner = (np.arccos((c * c + d * d - (3 * a + s * a) ** 2) / (2 * c * d)) for s in (1, -1))
        return outer - inner

    exact = [stroke(*(x + 1j * STEP * (j == k) for j, x in enumerate((A, C, D)))).imag / STEP for k in range(3)]
    assert np.radians(found.values[0]) == pytest.approx(stroke(A, C, D), rel=1e-9)
    np.testing.assert_allclose(np.radians(found["stroke"]), exact, rtol=1e-9)


def test_the_time_ratio_by_its_dead_positions(found):
    """(π + δ) / (π − δ) with δ the angle of the crank between them, from the angles at A."""

    def ratio(a, c, d):
        far, near = (((3 + s) * a, s) for s in (1, -1))
        angles = [np.arccos((d * d + r * r - c * c) / (2 * d * r)) for r, _ in (far, near)]
        delta = angles[1] - angles[0]
        delta = delta if delta.real > 0 else -delta
        return (np.pi + delta) / (np.pi - delta)

    exact = [ratio(*(x + 1j * STEP * (j == k) for j, x in enumerate((A, C, D)))).imag / STEP for k in range(3)]
    assert found.values[1] == pytest.approx(ratio(*(complex(x) for x in (A, C, D))).real, rel=1e-9)
    np.testing.assert_allclose(found["time ratio"], exact, rtol=1e-8)


def test_the_least_transmission_angle(found):
    """Where the crank lies along the ground: cos μ = (b² + c² − (d − a)²) / 2bc."""

    def least(a, c, d):
        return np.arccos((9 * a * a + c * c - (d - a) ** 2) / (6 * a * c))

    exact = [least(*(x + 1j * STEP * (j == k) for j, x in enumerate((A, C, D)))).imag / STEP for k in range(3)]
    assert np.radians(found.values[4]) == pytest.approx(least(A, C, D), rel=1e-9)
    np.testing.assert_allclose(np.radians(found["transmission"]), exact, rtol=1e-7)


def test_lengths_scaled_together_change_no_angle(found):
    """Σ p ∂x/∂p = 0 of an angle, and x of a length (Euler's theorem on homogeneous functions)."""
    sizes = np.array([A, C, D])
    np.testing.assert_allclose(sizes @ found["rocker.phi"], 0, atol=1e-9)
    np.testing.assert_allclose(sizes @ found["P.x"], found.run["P.x"], atol=1e-12)
    np.testing.assert_allclose(sizes @ found["P.ay"], found.run["P.ay"], atol=1e-10)
    assert found["stroke"] @ sizes == pytest.approx(0, abs=1e-9)


SLIDER = """
name = "offset slider-crank"
[parameters]
r = 0.05
rod = 0.15
off = 0.02
w = 3.0
[body.ground]
points = { A = [0, 0], G = [0, "off"] }
[body.crank]
angle = 0.7
points = { A = [0, 0], B = ["r", 0] }
[body.rod]
position = [0.04, 0.03]
points = { B = [0, 0], C = ["rod", 0] }
[body.slider]
position = [0.18, "off"]
points = { C = [0, 0] }
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "rod.B"]
[joint.C]
type = "revolute"
between = ["rod.C", "slider.C"]
[joint.guide]
type = "translational"
between = ["ground.G", "slider.C"]
axis = [1, 0]
[driver.motor]
of = "crank.phi"
motion = "0.7 + w*t"
[analysis]
start = 0
end = 2
step = 0.1
"""


@pytest.fixture(scope="module")
def slider(tmp_path_factory):
    path = tmp_path_factory.mktemp("slider") / "slider.toml"
    path.write_text(SLIDER)
    return mubo.load(path).sensitivity(["max slider.x", "stroke", "rms slider.vx", "last slider.ax"])


def piston(t, r, rod, off, w):
    """x, x', x'' of the pin: x = r cos θ + √(rod² − (r sin θ − off)²), for real or complex dimensions."""
    theta = 0.7 + w * t
    s, c = np.sin(theta), np.cos(theta)
    y = r * s - off
    u = np.sqrt(rod * rod - y * y)
    u1 = -y * r * c / u
    u2 = (-((r * c) ** 2) + y * r * s - u1**2) / u
    return r * c + u, w * (-r * s + u1), w * w * (-r * c + u2)


SIZES = (0.05, 0.15, 0.02, 3.0)


def test_the_piston_by_hand(slider):
    """∂x/∂r = cos θ − (r sin θ − off) sin θ / u, ∂x/∂rod = rod / u, ∂x/∂off = (r sin θ − off) / u, ∂x/∂w = t ∂x/∂θ."""
    t, (r, rod, off, w) = slider.run["t"], SIZES
    s, c = np.sin(0.7 + w * t), np.cos(0.7 + w * t)
    u = np.sqrt(rod**2 - (r * s - off) ** 2)
    formula = [c - (r * s - off) * s / u, rod / u, (r * s - off) / u, t * (-r * s - (r * s - off) * r * c / u)]
    np.testing.assert_allclose(slider["slider.x"], formula, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("order", "column"), [(0, "slider.x"), (1, "slider.vx"), (2, "slider.ax")])
def test_the_piston_to_second_order(slider, order, column):
    exact = [
        piston(slider.run["t"], *(x + 1j * STEP * (j == k) for j, x in enumerate(SIZES)))[order].imag / STEP
        for k in range(4)
    ]
    np.testing.assert_allclose(slider[column], exact, rtol=0, atol=1e-9 * np.max(np.abs(exact)))


def test_an_extreme_by_the_envelope_theorem(slider):
    """The outer dead position is at √((rod + r)² − off²), the inner at √((rod − r)² − off²); speed moves neither."""
    r, rod, off, _ = SIZES
    out, back = (np.sqrt((rod + s * r) ** 2 - off**2) for s in (1, -1))
    far = [(rod + r) / out, (rod + r) / out, -off / out, 0]
    near = [-(rod - r) / back, (rod - r) / back, -off / back, 0]
    assert slider.values[0] == pytest.approx(out, rel=1e-12)
    np.testing.assert_allclose(slider["max slider.x"], far, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(slider["stroke"], np.subtract(far, near), rtol=1e-9, atol=1e-12)


def test_a_cam_under_a_flat_face(tmp_path):
    """The normal of the face is at 90° − φ of the cam: y = base + h (1 − sin φ), and likewise its slopes."""
    text = (EXAMPLES / "tappet_cam.toml").read_text().replace("base = 20", 'base = "r"').replace('"4*(1', '"h*(1')
    path = tmp_path / "cam.toml"
    path.write_text(text.replace("[body.ground]", "[parameters]\nr = 20\nh = 4\n[body.ground]"))
    found = mubo.load(path).sensitivity(["max tappet.y"], ["r", "h"])
    s, c = (turn(OMEGA * found.run["t"]) for turn in (np.sin, np.cos))
    np.testing.assert_allclose(found["tappet.y"], [np.ones_like(s), 1 - s], atol=1e-9)
    np.testing.assert_allclose(found["tappet.vy"], [0 * c, -OMEGA * c], atol=1e-9 * OMEGA)
    np.testing.assert_allclose(found["tappet.ay"], [0 * s, OMEGA**2 * s], atol=1e-6)
    np.testing.assert_allclose(found["max tappet.y"], [1, 2], atol=1e-9)
