"""Burmester's points: the pins of a textbook's linkage found again from poses of its coupler.

The four-bar is that of Nikravesh, Computer-Aided Analysis of Mechanical Systems (1988), pages 135 to 137: crank 2 m,
coupler 4 m, rocker 4 m, ground 2.5 m. Its coupler's pins B and C go round A and D: of the up to four pins that stay on
a circle through five poses (Burmester, Lehrbuch der Kinematik, 1888), these are two.
"""

import numpy as np
import pytest

import mubo
from mubo.design.synthesis.burmester import five, four, relative, sliding, three, two

A, D = 0j, 2.5 + 0j


def poses(crank):
    """Places of B and directions of BC of Nikravesh's four-bar at crank angles, by the law of cosines."""
    B = 2 * np.exp(1j * np.asarray(crank))
    far = abs(D - B)
    turn = np.angle(D - B) + np.arccos(far / 2 / 4)  # coupler and rocker are equal
    return B, turn


def radii(pin, centre, d, e):
    """Distances of a pin from a centre at all poses."""
    return np.abs(np.append(pin, d + e * pin) - centre)


def test_five_poses_of_a_textbook_linkage_give_its_two_cranks():
    B, turn = poses(np.radians([60, 75, 95, 120, 140]))
    d, e = relative(B, turn)
    found = five(d, e)
    assert len(found) in (2, 4)
    C = B[0] + 4 * np.exp(1j * turn[0])
    for centre, pin in ((A, B[0]), (D, C)):
        k = int(np.argmin(np.abs(found.M - centre)))
        assert found.M[k] == pytest.approx(centre, abs=1e-9)
        assert found.Z[k] == pytest.approx(pin, abs=1e-9)
    for centre, pin in zip(found.M, found.Z, strict=True):
        assert np.ptp(radii(pin, centre, d, e)) < 1e-9


def test_the_textbook_linkage_is_among_the_designs():
    B, turn = poses(np.radians([60, 75, 95, 120, 140]))
    lines = [(b.real, b.imag, f"{t!r} rad") for b, t in zip(B, turn.tolist(), strict=True)]
    found = mubo.synthesize.motion(lines)
    lengths = [sorted(design.lengths.values()) for design in (*found.designs, *found.rejected)]
    assert any(np.allclose(each, [2, 2.5, 4, 4], atol=1e-8) for each in lengths)
    for design in found.designs:
        assert design.errors["place"] < 1e-9
        assert design.errors["angle"] < 1e-7


@pytest.mark.parametrize("seed", range(5))
def test_random_poses(seed):
    """None, two or four pins stay on a circle through five poses; of four and three poses every pin answered does."""
    random = np.random.default_rng(seed)
    P, turn = random.normal(size=5) + 1j * random.normal(size=5), random.uniform(-1, 1, 5)
    d, e = relative(P, turn)
    assert len(five(d, e)) in (0, 2, 4)
    curve = four(d[:3], e[:3], np.linspace(-2, 2, 3))
    centres = three(d[:2], e[:2], random.normal(size=4) + 1j * random.normal(size=4))
    assert len(centres) == 4
    for found, count in ((five(d, e), 4), (curve, 3), (centres, 2)):
        for centre, pin in zip(found.M, found.Z, strict=True):
            r = radii(pin, centre, d[:count], e[:count])
            assert np.ptp(r) < 1e-9 * (1 + r.max())
    line = sliding(d[:3], e[:3], 1)
    assert len(line) == 1
    heights = np.real(np.conj(line.M[0]) * np.append(line.Z[0], d[:3] + e[:3] * line.Z[0]))
    assert np.ptp(heights) < 1e-9 * (1 + abs(line.Z[0]))


def test_four_and_three_poses_run_and_slides_too():
    lines = [(0, 0, 0), (1, 0.5, 20), (2, 0.6, 50), (2.5, 0.2, 75)]
    found = mubo.synthesize.motion(lines, linkages=["four-bar", "slider-crank"], most=2)
    assert len(found) == 2
    fixed = mubo.synthesize.motion(lines[:3], pivots=[(0, -2), (2, -2)])
    assert fixed.found == 2  # one linkage, driven at either pin
    for design in fixed.designs:
        ground = design.model.bodies["ground"].points
        assert sorted(ground.values()) == [pytest.approx((0, -2)), pytest.approx((2, -2))]


def test_two_poses_with_chosen_pivots():
    """Every pin is as far from its chosen centre at one pose as at the other; shares of the bisector are lines."""
    found = mubo.synthesize.motion([(0, 0, 0), (20, 10, 60)], pivots=[(0, -20), (25, -20)])
    assert len(found) >= 6
    for design in found.designs:
        np.testing.assert_allclose(sorted(design.model.bodies["ground"].points.values()), [(0, -20), (25, -20)])
        assert design.errors["place"] < 1e-9
        assert design.errors["angle"] < 1e-9
    d, e = relative(np.array([0, 20 + 10j]), np.radians([0, 60]))
    pins = two(d, e, np.array([-20j, 25 - 20j]), np.array([-1.0, 0.3]))
    assert len(pins) == 4
    for centre, pin in zip(pins.M, pins.Z, strict=True):
        assert np.ptp(radii(pin, centre, d, e)) < 1e-12


def test_a_slide_through_two_poses():
    found = mubo.synthesize.motion([(0, 0, 0), (20, 10, 60)], linkages=["slider-crank"])
    assert {design.label for design in found.designs} <= {"slider-crank", "slider-rocker"}
    assert max(max(design.errors.values()) for design in found.designs) < 1e-9
