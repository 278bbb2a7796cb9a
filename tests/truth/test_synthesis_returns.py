"""Swings and quick returns from dead positions, against the law of cosines (VDI 2130)."""

import math

import numpy as np
import pytest

import mubo


def at_dead_positions(lengths):
    """Swing in degrees and time ratio of a crank-rocker, from where crank and coupler are in line."""
    a, b, c, d = (lengths[name] for name in ("crank", "coupler", "rocker", "ground"))
    rocker = [math.acos((c**2 + d**2 - (b + s * a) ** 2) / (2 * c * d)) for s in (1, -1)]
    crank = [math.acos((d**2 + (b + s * a) ** 2 - c**2) / (2 * d * (b + s * a))) for s in (1, -1)]
    delta = abs(crank[0] - crank[1])
    return math.degrees(rocker[0] - rocker[1]), (math.pi + delta) / (math.pi - delta)


def least_transmission(lengths):
    """Of a crank-rocker: with the crank in line with the ground."""
    a, b, c, d = (lengths[name] for name in ("crank", "coupler", "rocker", "ground"))
    angles = [math.degrees(math.acos((b**2 + c**2 - (d + s * a) ** 2) / (2 * b * c))) for s in (1, -1)]
    return min(min(angle, 180 - angle) for angle in angles)


@pytest.mark.parametrize(("swing", "ratio"), [(60, 1.2), (40, 1.0), (100, 1.4)])
def test_crank_rockers_swing_as_asked(swing, ratio):
    found = mubo.synthesize.swing(swing, ratio, rocker=2.0, most=3)
    assert len(found) == 3
    for design in found.designs:
        assert at_dead_positions(design.lengths) == (pytest.approx(swing, abs=1e-7), pytest.approx(ratio, abs=1e-9))
        assert design.lengths["rocker"] == pytest.approx(2.0)
        assert design.transmission == pytest.approx(least_transmission(design.lengths), abs=1e-6)
    ranked = [design.transmission for design in found.designs]
    assert ranked == sorted(ranked, reverse=True)


def test_a_central_crank_rocker_obeys_its_own_law():
    """With the time ratio 1: a = c sin(ψ/2), and a² + d² = b² + c²."""
    found = mubo.synthesize.swing(50, 1, rocker=1, most=2)
    for design in found.designs:
        a, b, c, d = (design.lengths[name] for name in ("crank", "coupler", "rocker", "ground"))
        assert a == pytest.approx(math.sin(math.radians(25)), rel=1e-9)
        assert a**2 + d**2 == pytest.approx(b**2 + c**2, rel=1e-9)


def test_quick_returns_of_three_kinds():
    """Stroke √((b + a)² − e²) − √((b − a)² − e²) and δ between the crank's dead positions; of a shaper a = d sin(δ/2),
    of a Whitworth drive d = a sin(δ/2)."""
    stroke, ratio = 100.0, 1.6
    delta = math.pi * (ratio - 1) / (ratio + 1)
    found = mubo.synthesize.quick_return(stroke, ratio, length="mm", most=5)
    kinds = {design.label: design for design in found.designs}
    assert set(kinds) == {"slider-crank", "shaper", "Whitworth drive"}
    slider = kinds["slider-crank"].lengths
    a, b, e = slider["crank"], slider["coupler"], slider["offset"]
    ends = [math.sqrt((b + s * a) ** 2 - e**2) for s in (1, -1)]
    assert ends[0] - ends[1] == pytest.approx(stroke, abs=1e-7)
    assert math.asin(e / (b - a)) - math.asin(e / (b + a)) == pytest.approx(delta, abs=1e-9)
    shaper, whitworth = kinds["shaper"].lengths, kinds["Whitworth drive"].lengths
    assert shaper["crank"] == pytest.approx(shaper["frame"] * math.sin(delta / 2))
    assert whitworth["frame"] == pytest.approx(whitworth["crank"] * math.sin(delta / 2))
    for design in found.designs:
        assert design.run.summary["outputs"]["slide.q"]["time_ratio"] == pytest.approx(ratio, abs=1e-9)
        assert np.ptp(design.run["slide.q"]) == pytest.approx(stroke, rel=1e-2)  # between rows it is exact
        assert design.errors["stroke of slide"] < 1e-7
