"""Cams of smallest base circle: closed forms of slides, pole and envelope of arms, and what the run measures."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import mubo

H, BETA = 20.0, math.radians(120)
PARTS = [(120, H), (60,), (120, -H), (60,)]


def cycloid(alpha, rise=H):
    """s, s', s'' of the rise."""
    u = alpha / BETA
    return (
        rise * (u - np.sin(2 * np.pi * u) / (2 * np.pi)),
        rise / BETA * (1 - np.cos(2 * np.pi * u)),
        rise / BETA**2 * 2 * np.pi * np.sin(2 * np.pi * u),
    )


def measured(found):
    """Largest pressure angle (degrees) and least convex radius of the run."""
    run = found[1].run
    return np.max(np.abs(run["contact.pressure_angle"])), run.summary["cams"]["contact"]["rho"]["convex"][0]


@pytest.mark.parametrize("offset", [0.0, 5.0])
def test_a_roller_on_a_slide(offset):
    """√(r² − e²) is the greatest of |±s′ − e|/tan μ − s over rise and fall (Norton, Design of Machinery, 8.6)."""
    found = mubo.synthesize.cam(PARTS, roller=6, offset=offset, pressure="25 deg", length="mm")
    s, v, _ = cycloid(np.linspace(0, BETA, 400001))
    height = max(np.max(np.abs(sign * v - offset) / math.tan(math.radians(25)) - s) for sign in (1, -1))
    assert found[1].lengths["base circle"] == pytest.approx(math.hypot(height, offset) - 6, rel=1e-7)
    assert found[1].errors["motion"] < 1e-10
    pressure, radius = measured(found)
    assert 24.8 < pressure < 25 + 1e-6
    assert radius == pytest.approx(found[1].lengths["least radius"], rel=1e-3)


def test_a_big_roller_is_bound_by_undercut():
    """Where the pitch curve bulges the most its radius is that of the roller: ρ = (f² + f′²)^1.5/(f² + 2f′² − f f″)."""
    roller = 30.0
    found = mubo.synthesize.cam(PARTS, roller=roller, pressure=60, length="mm")
    s, v, a = cycloid(np.linspace(0, BETA, 200001))

    def least(r):
        f = r + s
        bulge = (f**2 + 2 * v**2 - f * a) / (f**2 + v**2) ** 1.5
        return 1 / np.max(bulge)

    wanted = brentq(lambda r: least(r) - roller, roller, 4 * roller)
    assert found[1].lengths["base circle"] == pytest.approx(wanted - roller, rel=1e-5)
    assert found[1].lengths["by pressure alone"] < found[1].lengths["base circle"]
    assert found[1].lengths["least radius"] == pytest.approx(0, abs=1e-3)


def test_a_flat_face_on_a_slide():
    """ρ = r + s + s″ is least where s + s″ is."""
    found = mubo.synthesize.cam(PARTS, follower="flat", curvature=4, length="mm")
    s, _, a = cycloid(np.linspace(0, BETA, 400001))
    assert found[1].lengths["base circle"] == pytest.approx(4 - np.min(s + a), rel=1e-7)
    assert measured(found)[1] == pytest.approx(4, rel=1e-6)


def arm_angles(alpha, rest, rise):
    s, v, _ = cycloid(alpha, rise)
    return rest + s, v


def test_a_roller_on_an_arm():
    """The common normal goes through the pole of cam and arm on the line of centres, at c ψ′/(1 + ψ′)."""
    c, arm, rise = 100.0, 80.0, math.radians(20)
    found = mubo.synthesize.cam([(120, 20), (60,), (120, -20), (60,)], follower="arm-roller", arm=arm, centres=c,
                                roller=8, length="mm")  # fmt: skip
    radius = found[1].lengths["base circle"] + 8
    rest = math.acos((arm**2 + c**2 - radius**2) / (2 * arm * c))
    worst = 0.0
    for sign in (1, -1):  # rise, and the fall as the rise backwards
        psi, v = arm_angles(np.linspace(0, BETA, 100001), rest, rise)
        v = sign * v
        pole = c * v / (1 + v)  # both bodies have the same velocity there: x = (x − c)(−ψ′)
        end = c + arm * np.exp(1j * (np.pi - psi))
        normal, across = end - pole, 1j * np.exp(1j * (np.pi - psi))
        turned = np.abs(np.angle(normal / across))
        worst = max(worst, float(np.max(np.minimum(turned, np.pi - turned))))
    assert math.degrees(worst) == pytest.approx(30, abs=1e-4)
    assert found[1].errors["motion"] < 1e-5
    assert measured(found)[0] == pytest.approx(30, abs=0.05)


def test_a_flat_face_on_an_arm():
    """The edge is the envelope of the face's lines: its radius by differences of the meeting points of neighbours."""
    c, rise, least = 100.0, math.radians(15), 3.0
    found = mubo.synthesize.cam([(120, 15), (60,), (120, -15), (60,)], follower="arm-flat", curvature=least, centres=c,
                                length="mm")  # fmt: skip
    rest = math.asin(found[1].lengths["base circle"] / c)
    step = 1e-4
    alpha = np.arange(0, BETA, step)
    radii = []
    for sign in (1, -1):
        psi = rest + cycloid(alpha if sign > 0 else BETA - alpha, rise)[0]
        h, phi = c * np.sin(psi), np.pi / 2 - psi - alpha  # the line n·x = h in the cam
        slope = np.gradient(h) / np.gradient(phi)
        radii.append((h + np.gradient(slope) / np.gradient(phi))[5:-5])
    assert min(r.min() for r in radii) == pytest.approx(least, abs=2e-2)
    assert found[1].errors["motion"] < 1e-3


def test_the_run_has_the_least_radius_where_the_edge_is_sharp():
    """A face on an arm turns by 8 degrees there while the edge, seen from the centre, turns by a quarter of one: the
    run, which knows the cam by points alone, has the radius of curvature of the closed form."""
    parts = [(90, 23.6, "3-4-5"), (70,), (110, -23.6, "3-4-5"), (90,)]
    found = mubo.synthesize.cam(parts, follower="arm-flat", centres=100, curvature=2.2, length="mm")
    run = found.run(1).record.between(np.linspace(0.54, 0.58, 2000))
    assert np.min(run["contact.rho"]) == pytest.approx(found[1].lengths["least radius"], rel=5e-3)
    assert found[1].lengths["least radius"] == pytest.approx(2.2, rel=1e-3)


@pytest.mark.parametrize(
    ("parts", "options", "words"),
    [
        ([(120, 20), (120, -20)], {}, "make a turn of 360 deg; found 240 deg"),
        ([(180, 20), (180, -10)], {}, "add up to zero; found 10"),
        ([(180,), (180,)], {}, "does not move"),
        (PARTS, {"pressure": 95}, "below 90 deg; found 95 deg"),
        (PARTS, {"follower": "knife"}, 'no follower "knife"'),
        (PARTS, {"roller": -1}, "not negative"),
        (PARTS, {"follower": "arm-flat"}, "an arm needs the distance"),
        (PARTS, {"follower": "arm-roller", "centres": 100}, "needs the length of the arm"),
        (
            [(30, 60), (150,), (150, -60), (30,)],
            {"follower": "arm-roller", "centres": 100, "arm": 80},
            "no base circle",
        ),
        ([(120, 20, "cyclodial"), (60,), (120, -20), (60,)], {}, "cycloidal"),
    ],
    ids=str,
)
def test_what_makes_no_cam_is_refused_in_one_sentence(parts, options, words):
    with pytest.raises(mubo.ModelError, match=words):
        mubo.synthesize.cam(parts, length="mm", **options)
