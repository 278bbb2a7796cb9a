"""Cams against closed forms: dwell programs, eccentric circles under flat and roller followers, contours of points."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.laws import Program, Segment

R, E, ROLLER = 25.0, 8.0, 5.0  # an eccentric circle: radius, eccentricity, roller


def follower(joint: dict, kind: str, offset: float = 0.0, **units: str) -> mubo.Model:
    """A cam about the origin under a follower that moves along y."""
    model = mubo.Model("cam", units)
    model.ground.point("O", (0, 0))
    model.ground.point("G", (offset, 0))
    model.body("cam", (0, 0), 0.0, {"O": (0, 0)})
    model.body("follower", (0, 33.0), 0.0, {"P": (0, 0)})
    model.revolute("shaft", "ground.O", "cam.O")
    model.translational("guide", "ground.G", "follower.P", (0, 1), 0)
    model.joint("contact", kind, "cam.O", "follower.P", **joint)
    model.driver("motor", "cam.phi", "2*t")
    return model


def test_indexing_cam_follows_its_program():
    """The follower stands at 90 deg: cam angle θ = 90 − φ. The radial follower then rises by lift(θ)."""
    run = mubo.load(EXAMPLES / "indexing_cam.toml").kinematics()
    u = np.mod(90 - 360 * run["t"], 360)
    lift = np.select(
        [u < 90, u < 180, u < 270],
        [0 * u, 20 * ((u - 90) / 90 - np.sin(2 * np.pi * (u - 90) / 90) / (2 * np.pi)), 20 + 0 * u],
        20 - 20 * np.polyval([-20, 70, -84, 35, 0, 0, 0, 0], (u - 270) / 90),
    )
    np.testing.assert_allclose(run["follower.y"], 38 + lift, atol=1e-9)


def test_eccentric_circle_under_a_flat_face_is_a_pure_harmonic():
    """h(ψ) = R + e cos ψ, ψ = 90° − φ: y = R + e sin φ."""
    run = follower({"normal": (0, 1), "base": R, "lift": f"{E}*cos(t)"}, "cam_flat").kinematics(0, 3.2, 0.1)
    phi = 2 * run["t"]
    np.testing.assert_allclose(run["follower.y"], R + E * np.sin(phi), atol=1e-11)
    np.testing.assert_allclose(run["follower.vy"], 2 * E * np.cos(phi), atol=1e-9)
    np.testing.assert_allclose(run["follower.ay"], -4 * E * np.sin(phi), atol=1e-7)


def test_eccentric_circle_under_a_roller():
    """The roller centre is R + ρ from the circle's centre (e cos φ, e sin φ): y by Pythagoras."""
    pitch = f"{E}*cos(t) + sqrt({R + ROLLER}**2 - ({E}*sin(t))**2) - {R + ROLLER}"
    run = follower({"base": R, "roller": ROLLER, "lift": pitch}, "cam_roller").kinematics(0, 3.2, 0.1)
    phi = 2 * run["t"]
    y = E * np.sin(phi) + np.sqrt((R + ROLLER) ** 2 - (E * np.cos(phi)) ** 2)
    np.testing.assert_allclose(run["follower.y"], y, atol=1e-11)
    u = np.sqrt((R + ROLLER) ** 2 - (E * np.cos(phi)) ** 2)
    np.testing.assert_allclose(run["follower.vy"], 2 * (E * np.cos(phi) + E**2 * np.sin(2 * phi) / (2 * u)), atol=1e-8)


@pytest.mark.parametrize("offset", [0.0, 1e-6, 1e-11])
def test_a_cam_is_as_large_as_its_radius(offset):
    """Points beside each other by rounding are no length of the mechanism: the follower dwells, rises and dwells."""
    rise = Program([Segment("dwell", 2.0), Segment("cycloidal", 2.0, E), Segment("cycloidal", 2 * np.pi - 4.0, -E)])
    model = follower({"base": R, "roller": ROLLER, "lift": rise}, "cam_roller", offset)
    run = model.kinematics(0, 3.1, 1.55)
    u = np.mod(np.pi / 2 - 2 * run["t"], 2 * np.pi)
    assert run.summary["status"] == "ok"
    s = np.where(u < 4, (u - 2) / 2, (2 * np.pi - u) / (2 * np.pi - 4))
    lift = np.where(u < 2, 0, E * (s - np.sin(2 * np.pi * s) / (2 * np.pi)))
    np.testing.assert_allclose(run["follower.y"], R + ROLLER + lift, atol=1e-6 * R)


def circle(points=360):
    a = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return [(E + R * np.cos(x), R * np.sin(x)) for x in a]


@pytest.mark.parametrize(
    ("kind", "options", "height"),
    [
        ("cam_flat", {"normal": (0, 1)}, lambda p: R + E * np.sin(p)),
        ("cam_roller", {"roller": ROLLER}, lambda p: E * np.sin(p) + np.sqrt((R + ROLLER) ** 2 - (E * np.cos(p)) ** 2)),
        ("cam_roller", {}, lambda p: E * np.sin(p) + np.sqrt(R**2 - (E * np.cos(p)) ** 2)),
    ],
)
def test_contour_of_points(kind, options, height):
    """360 points on the eccentric circle; a cubic spline through them is good to about 1e-8 of the radius."""
    run = follower({"contour": circle(), **options}, kind).kinematics(0, 3.2, 0.1)
    np.testing.assert_allclose(run["follower.y"], height(2 * run["t"]), atol=2e-6)


def test_tappet_example():
    run = mubo.load(EXAMPLES / "tappet_cam.toml").kinematics()
    np.testing.assert_allclose(run["tappet.y"], 24 - 4 * np.cos(np.radians(90 - 360 * run["t"])), atol=1e-11)


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        ("cam_flat", {"normal": (0, 1), "base": 1.0, "lift": "5*cos(t)"}, "reaches the centre"),
        ("cam_flat", {"normal": (0, 1), "base": 20.0, "lift": "cos(6*t)"}, "hollow at"),
        ("cam_flat", {"normal": (0, 0), "base": 20.0, "lift": "cos(t)"}, "zero length"),
        ("cam_roller", {"base": 20.0, "lift": "t"}, "does not close"),
        ("cam_roller", {"base": 20.0}, 'needs "lift"'),
        ("cam_roller", {"base": 20.0, "lift": "where(t < 1, 0, 5)*where(t > 3, 0, 1)"}, "its lift jumps by 5"),
        ("cam_roller", {"base": 20.0, "lift": "0.5*sin(360*t)"}, "varies too fast"),
        ("cam_roller", {"base": 20.0, "lift": "cos(t)", "roller": -1}, "must be at least 0"),
        ("cam_roller", {"base": 20.0, "contour": [(1, 0), (0, 1), (-1, 0), (0, -1)]}, 'has no "base"'),
        ("cam_roller", {"contour": [(1, 0), (0, 1), (-1, 0), (2, 0)]}, "once around"),
        ("cam_roller", {"contour": [(1, 0), (0, 1)]}, "at least four points"),
    ],
)
def test_wrong_cams_are_refused(kind, options, says):
    with pytest.raises(mubo.ModelError, match=says):
        follower(options, kind).kinematics(0, 1, 0.5)


@pytest.mark.parametrize(
    ("law", "velocity", "acceleration"),
    [
        ("cycloidal", 2.0, 2 * np.pi),
        ("harmonic", np.pi / 2, np.pi**2 / 2),
        ("3-4-5", 15 / 8, 10 / np.sqrt(3)),
        ("4-5-6-7", 35 / 16, 84 * np.sqrt(5) / 25),
        ("modified sine", 4 * np.pi**2 / (np.pi + 4) * (1 / (4 * np.pi) + 3 / (4 * np.pi)), 4 * np.pi**2 / (np.pi + 4)),
        ("modified trapezoid", 2.0, 8 * np.pi / (np.pi + 2)),
        ("constant velocity", 1.0, 0.0),
    ],
)
def test_peaks_of_the_cam_laws(law, velocity, acceleration):
    """Peak velocity and acceleration factors (Norton 2002, table 3-4), here by their closed forms."""
    u = np.linspace(0, 1, 400001)[1:-1]
    s, v, a = Program((Segment(law, 1.0, 1.0),))(u).T
    assert s[0] == pytest.approx(0, abs=1e-5)
    assert s[-1] == pytest.approx(1, abs=1e-5)
    assert np.max(v) == pytest.approx(velocity, rel=1e-6)
    assert np.max(np.abs(a)) == pytest.approx(acceleration, rel=1e-4, abs=1e-9)
    np.testing.assert_allclose(np.gradient(s, u)[2:-2], v[2:-2], atol=1e-4)
    np.testing.assert_allclose(np.gradient(v, u)[2:-2], a[2:-2], atol=1e-3)
    np.testing.assert_allclose(s, 1 - s[::-1], atol=1e-12)


@pytest.mark.parametrize("shift", [0, 2, 5])
@pytest.mark.parametrize("sense", [1, -1])
def test_a_contour_may_begin_anywhere_and_run_either_way(shift, sense):
    """Eight points around the cam: SciPy's periodic spline through the same radii is the profile."""
    from scipy.interpolate import CubicSpline

    angles = np.radians(-90 + 45 * np.arange(8))
    radii = 30 + 6 * np.cos(2 * angles + 0.3) + 2 * np.sin(3 * angles)
    points = [(r * np.cos(a), r * np.sin(a)) for r, a in zip(radii, angles, strict=True)]
    listed = (points[shift:] + points[:shift])[::sense]
    run = follower({"contour": listed}, "cam_roller").kinematics(0, 3.1, 0.1)
    spline = CubicSpline(np.append(angles, angles[0] + 2 * np.pi), np.append(radii, radii[0]), bc_type="periodic")
    theta = np.mod(np.pi / 2 - 2 * run["t"] - angles[0], 2 * np.pi) + angles[0]
    np.testing.assert_allclose(run["follower.y"], spline(theta), atol=1e-10)


def test_corners_of_a_lift_are_told():
    """Up and down at the same speed: at the top and at the seam of the turn the slope changes by 2 H / β."""
    lift = Program((Segment("constant velocity", np.pi, 5.0), Segment("constant velocity", np.pi, -5.0)))
    run = follower({"base": 30.0, "lift": lift}, "cam_roller").kinematics(0, 1, 0.1)
    size = f"joint contact: the velocity of its lift jumps by {10 / np.pi:.4g} at an angle of "
    told = [w for w in run.summary["warnings"] if "jumps" in w]
    assert told == [f"{size}0, where its turn of 6.28319 begins again", f"{size}3.14159"]


DWELLING = ("cycloidal", "3-4-5", "4-5-6-7", "modified sine", "modified trapezoid")  # begin and end without a jump


@pytest.mark.parametrize("law", [*DWELLING, "harmonic"])
def test_jumps_of_a_lift_between_dwells(law):
    """Only the harmonic jumps, by π² H / (2 β²), four times a turn: at 30, 120 and 270 deg and at the seam."""
    parts = ((30, 0), (90, 20), (150, 0), (90, -20))
    segments = tuple(Segment(law if rise else "dwell", float(lasts), float(rise)) for lasts, rise in parts)
    options = {"base": 30.0, "roller": 8.0, "lift": Program(segments)}
    run = follower(options, "cam_roller", length="mm", angle="deg").kinematics(0, 1, 0.1)
    told = [w for w in run.summary["warnings"] if "jumps" in w]
    size = f"joint contact: the acceleration of its lift jumps by {np.pi**2 * 20 / 2 / (np.pi / 2) ** 2:.4g} mm/rad^2"
    places = ("0 deg, where its turn of 360 deg begins again", "30 deg", "120 deg", "270 deg")
    assert told == ([f"{size} at an angle of {place}" for place in places] if law == "harmonic" else [])
