"""Textbook cams: lift against rotation, pressure angle and radius of curvature by closed forms.

Norton, Design of Machinery (5th ed.), sections 8.5 and 8.6: pressure angle tan φ = (v − ε) / (s + √(R_P² − ε²)), radius
of curvature of the pitch curve by the parametric formula, of a flat-faced cam ρ = R_B + s + a, undercutting where the
roller is larger than the convex radius of the pitch curve.
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.laws import Program, Segment

TURN = 2 * np.pi
BASE, ROLLER, H = 30.0, 8.0, 18.0
SENSES = {"counter-clockwise": 1, "clockwise": -1}
# rise of H over 0 … 140°, rest to 200°, fall to 330°, rest: (start, length) of rise and fall
RISE, FALL = (0.0, np.radians(140)), (np.radians(200), np.radians(130))


def cycloid(alpha):
    """s, s', s'' by α in radians: H (u − sin(2πu) / 2π) up, the same down."""
    out = np.zeros((3, len(alpha)))
    alpha = np.mod(alpha, TURN)
    for (start, beta), sign in ((RISE, 1), (FALL, -1)):
        u = np.clip((alpha - start) / beta, 0, 1)
        out[0] += sign * H * (u - np.sin(TURN * u) / TURN)
        out[1] += sign * H / beta * (1 - np.cos(TURN * u))
        out[2] += sign * H / beta**2 * TURN * np.sin(TURN * u)
    return out


LIFT = Program(
    (
        Segment("cycloidal", 140.0, H),
        Segment("dwell", 60.0),
        Segment("cycloidal", 130.0, -H),
        Segment("dwell", 30.0),
    )
)


def cam(kind, turns, offset=0.0, travel=90.0, **options):
    """A follower that rises along `travel`; the line of travel is on the side where the cam's edge moves with it."""
    sense, up = SENSES[turns], np.array([np.cos(np.radians(travel)), np.sin(np.radians(travel))])
    side = sense * offset * np.array([up[1], -up[0]])
    model = mubo.Model("cam", units={"length": "mm", "angle": "deg"})
    model.ground.point("O", (0, 0))
    model.ground.point("G", tuple(side))
    model.body("cam", (0, 0), 0.0, {"O": (0, 0)})
    model.body("follower", tuple(side + 40 * up), 0.0, {"P": (0, 0)})
    model.revolute("shaft", "ground.O", "cam.O")
    model.translational("guide", "ground.G", "follower.P", tuple(up), 0)
    given = {"base": BASE, "lift": LIFT, "turns": turns, "travel": travel, **options}
    if offset:
        given["offset"] = offset
    model.joint("contact", kind, "cam.O", "follower.P", **given)
    model.driver("motor", "cam.phi", f"{sense * 360}*t")
    return model


@pytest.mark.parametrize("travel", [90.0, -35.0])
@pytest.mark.parametrize("turns", SENSES)
@pytest.mark.parametrize("offset", [0.0, 7.0, -5.0])
def test_roller_follows_its_lift_against_rotation(turns, offset, travel):
    """q of the guide is √(R² − e²) + s(α), whichever way the cam turns; accelerations at corners of the lift too."""
    run = cam("cam_roller", turns, offset, travel, roller=ROLLER).kinematics(0, 1, 1 / 72)  # 5 deg a row
    s, v, a = cycloid(TURN * run["t"])
    np.testing.assert_allclose(run["guide.q"], np.sqrt((BASE + ROLLER) ** 2 - offset**2) + s, atol=1e-11)
    np.testing.assert_allclose(run["guide.v"], TURN * v, atol=1e-10 * TURN * H)
    np.testing.assert_allclose(run["guide.a"], TURN**2 * a, atol=1e-10 * TURN**2 * H)
    at, want = run["contact.pressure_angle"], np.degrees(np.arctan((v - offset) / run["guide.q"]))
    np.testing.assert_allclose(at, want, atol=1e-9)


@pytest.mark.parametrize("turns", SENSES)
@pytest.mark.parametrize("offset", [0.0, 7.0])
def test_curvature_of_the_pitch_curve(turns, offset):
    """The roller's centre seen from the cam (inversion), differentiated by hand; hollow is negative."""
    run = cam("cam_roller", turns, offset, roller=ROLLER).kinematics(0, 0.99, 0.0137)
    rho = pitch_radius(TURN * run["t"], offset)
    np.testing.assert_allclose(1 / run["contact.rho_pitch"], 1 / rho, atol=1e-10)
    np.testing.assert_allclose(run["contact.rho"], run["contact.rho_pitch"] - ROLLER)


def pitch_radius(alpha, offset, radius=BASE + ROLLER):
    s, v, a = cycloid(alpha)
    z = (offset + 1j * (np.sqrt(radius**2 - offset**2) + s)) * np.exp(-1j * alpha)
    z1 = 1j * v * np.exp(-1j * alpha) - 1j * z
    z2 = (1j * a + v) * np.exp(-1j * alpha) - 1j * z1
    return -(np.abs(z1) ** 3) / np.imag(np.conj(z1) * z2)  # the curve is run through clockwise


@pytest.mark.parametrize("turns", SENSES)
def test_flat_follower_against_rotation(turns):
    """ρ = R + s + s''; the face pushes along its travel: no pressure angle."""
    run = cam("cam_flat", turns, base=60.0, normal=(0, 1)).kinematics(0, 0.99, 0.0137)
    s, v, a = cycloid(TURN * run["t"])
    np.testing.assert_allclose(run["guide.q"], 60 + s, atol=1e-11)
    np.testing.assert_allclose(run["guide.v"], TURN * v, atol=1e-8)
    np.testing.assert_allclose(run["contact.rho"], 60 + s + a, atol=1e-7)
    np.testing.assert_allclose(run["contact.pressure_angle"], 0, atol=1e-12)
    assert "contact.rho_pitch" not in run.columns


R, E = 25.0, 8.0  # an eccentric circle, its centre at E on the cam's x axis


def rocker(kind, **options):
    """An arm about (60, 10) that lies on the cam: its roller, or its flat face, at (-55, 30) from there."""
    model = mubo.Model("rocker")
    model.ground.point("O", (0, 0))
    model.ground.point("D", (60, 10))
    model.body("cam", (0, 0), 0.0, {"O": (0, 0)})
    model.body("arm", (60, 10), 0.0, {"D": (0, 0), "P": (-55, 30)})
    model.revolute("shaft", "ground.O", "cam.O")
    model.revolute("pivot", "ground.D", "arm.D")
    model.joint("contact", kind, "cam.O", "arm.P", **options)
    model.driver("motor", "cam.phi", "2*t")
    return model


def test_pressure_angle_of_a_swinging_roller():
    """The normal goes through the circle's centre, the roller moves square to its arm. Edge and pitch are circles."""
    lift = f"{E}*cos(t) + sqrt({R + 5}**2 - ({E}*sin(t))**2) - {R + 5}"
    run = rocker("cam_roller", base=R, roller=5.0, lift=lift).kinematics(0, 3.2, 0.1)
    arm = (-55 + 30j) * np.exp(1j * run["arm.phi"])
    centre = E * np.exp(1j * run["cam.phi"])
    normal = 60 + 10j + arm - centre
    np.testing.assert_allclose(np.abs(normal), R + 5, atol=1e-9)
    want = np.angle(normal / (-1j * arm))  # the arm opens clockwise
    np.testing.assert_allclose(run["contact.pressure_angle"], want, atol=1e-9)
    np.testing.assert_allclose(run["contact.rho_pitch"], R + 5, atol=1e-6)
    np.testing.assert_allclose(run["contact.rho"], R, atol=1e-6)


def test_pressure_angle_of_a_swinging_flat_face():
    """The face touches the circle R off its centre along the normal, and moves there square to the way to the pivot."""
    run = rocker("cam_flat", normal=(0, 1), base=R, lift=f"{E}*cos(t)").kinematics(0, 3.2, 0.1)
    normal = 1j * np.exp(1j * run["arm.phi"])
    touch = E * np.exp(1j * run["cam.phi"]) + R * normal
    want = np.angle(normal / (-1j * (touch - (60 + 10j))))
    np.testing.assert_allclose(run["contact.pressure_angle"], want, atol=1e-9)
    np.testing.assert_allclose(run["contact.rho"], R, atol=1e-7)


def test_least_radius_is_told_between_the_pieces():
    """R + s + s'' of s = h cos 3(θ − c) is R − 8 h cos 3(θ − c): least at c and at every third of a turn from there."""
    lift = "0.9*cos(3*(t - 0.1234))"
    run = rocker("cam_flat", normal=(0, 1), base=R, lift=lift).kinematics(0, 0.1, 0.1)
    least, angle = run.summary["cams"]["contact"]["rho"]["convex"]
    assert least == pytest.approx(R - 7.2, abs=1e-7)
    assert np.mod(angle - 0.1234 + 0.1, TURN / 3) == pytest.approx(0.1, abs=1e-4)
    assert "hollow" not in run.summary["cams"]["contact"]["rho"]


@pytest.mark.parametrize(("roller", "undercut"), [(24.0, False), (36.0, True)])
def test_undercutting_is_told(roller, undercut):
    """Four lobes, r = 60 + 6 (1 − cos 4(α − c)): ρ = r² / (r − r''), at the tops 72² / (72 + 96), between −60² / 36."""
    lift = "6*(1 - cos(4*(theta - 7.3456)*pi/180))"
    model = cam("cam_roller", "counter-clockwise", base=60 - roller, roller=roller, lift=lift)
    run = model.kinematics(0, 0.9, 0.1)
    cams, least = run.summary["cams"]["contact"], 72**2 / 168
    radius, angle = cams["rho_pitch"]["convex"]
    assert radius == pytest.approx(least, rel=1e-9)
    # The follower stands at 90 deg and the cam turns counter-clockwise; the tops are at α = c + 45 deg and so on.
    assert np.mod(90 - angle - 7.3456, 90) == pytest.approx(45, abs=1e-3)
    assert cams["rho"]["convex"] == [pytest.approx(least - roller, abs=1e-7), angle]
    assert cams["rho_pitch"]["hollow"][0] == pytest.approx(-100, rel=1e-9)
    told = [w for w in run.summary["warnings"] if "undercut" in w]
    assert bool(told) == undercut
    if undercut:
        at = f"a radius of 30.86 mm at {angle:.4g} deg of the cam, the roller one of 36 mm"
        assert told[0].startswith(f"joint contact: its edge is undercut: the pitch curve has {at}")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"turns": "clockwise"}, 'a cam with "turns" needs "travel" too'),
        ({"travel": 1.0}, 'a cam with "travel" needs "turns" too'),
        ({"offset": 3.0, "turns": "clockwise"}, 'needs "travel" too'),
        ({"turns": "left", "travel": 0.0}, '"left" is not one of clockwise, counter-clockwise'),
        ({"turns": "clockwise", "travel": 0.0, "offset": 30.0}, "its offset 30 is not smaller than the radius 25"),
        (
            {"turns": "clockwise", "travel": 0.0, "offset": 24.0, "lift": "40*(1 - cos(2*t))"},
            "its follower outruns the cam at",
        ),
    ],
)
def test_half_given_layouts_are_refused(options, says):
    with pytest.raises(mubo.ModelError, match=says):
        rocker("cam_roller", **{"base": R, "lift": "cos(t)", **options}).kinematics(0, 1, 0.5)


def test_a_contour_has_no_layout():
    circle = [(R * np.cos(a) + E, R * np.sin(a)) for a in np.linspace(0, TURN, 60, endpoint=False)]
    with pytest.raises(mubo.ModelError, match='a cam with "contour" has no "turns": that belongs to a lift'):
        rocker("cam_roller", contour=circle, turns="clockwise", travel=0.0).kinematics(0, 1, 0.5)


def test_offset_cam_example():
    """A fall of 25 from 160° to 280° by a cycloid, offset 10: s, and tan α = (s' − e) / (s + √(R² − e²)) there."""
    run = mubo.load(EXAMPLES / "offset_cam.toml").kinematics()
    falls = (run["t"] > 160 / 360) & (run["t"] < 280 / 360)
    u, beta = (360 * run["t"][falls] - 160) / 120, np.radians(120)
    s = 25 * (1 - u + np.sin(TURN * u) / TURN)
    slope = -25 / beta * (1 - np.cos(TURN * u))
    y = s + np.sqrt(40**2 - 10**2)
    np.testing.assert_allclose(run["guide.q"][falls], y, atol=1e-11)
    np.testing.assert_allclose(run["contact.pressure_angle"][falls], np.degrees(np.arctan((slope - 10) / y)), atol=1e-9)
    assert not [w for w in run.summary["warnings"] if "jumps" in w or "undercut" in w]


@pytest.mark.parametrize("step", [1 / 24, 1 / 100])
def test_greatest_pressure_angle_between_rows(step):
    """By a fine scan of the closed form, with its time, whatever the rows are."""
    run = cam("cam_roller", "clockwise", 7.0, roller=ROLLER).kinematics(0, 1, step)
    alpha = np.linspace(0, TURN, 200_001)
    s, v, _ = cycloid(alpha)
    angle = np.degrees(np.arctan((v - 7) / (s + np.sqrt((BASE + ROLLER) ** 2 - 49))))
    told = run.summary["extremes"]["contact.pressure_angle"]
    for word, k in (("min", np.argmin(angle)), ("max", np.argmax(angle))):
        assert told[word] == [pytest.approx(angle[k], abs=1e-6), pytest.approx(alpha[k] / TURN, abs=1e-4)]


def test_a_clockwise_cam_is_drawn_over_the_angle_that_it_has_turned():
    """A clockwise cam is the mirror image of a counter-clockwise one: over the angle turned both lift alike."""
    from conftest import EXAMPLES

    left = mubo.load(EXAMPLES / "offset_cam.toml")
    right = left.replace("contact.turns", "clockwise").replace("motor", "-360*t").replace("ground.G", (-10, 0))
    one, two = left.kinematics(), right.replace("follower.position", (-10, 40)).kinematics()
    np.testing.assert_allclose(one["contact.turned"], 360 * one["t"], atol=1e-9)
    np.testing.assert_allclose(two["contact.turned"], 360 * two["t"], atol=1e-9)
    np.testing.assert_allclose(two["cam.phi"], -360 * two["t"], atol=1e-9)
    for column in ("follower.y", "contact.pressure_angle"):
        np.testing.assert_allclose(two[column], one[column], atol=1e-9)
