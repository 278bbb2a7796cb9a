"""Swept envelopes and clearances against geometry."""

import math
import re

import numpy as np
import pytest

import mubo
from mubo.geometry.polygons import triangles

UNITS = {"length": "m"}


def turning(motion="2*pi*t", **outline):
    """A bar of one metre that turns about its end."""
    model = mubo.Model("bar", units=UNITS, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (1, 0)})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("motor", "bar.phi", motion)
    if outline:
        model.outline("bar", **outline)
    return model


def test_a_bar_sweeps_a_sector():
    """A quarter turn of a bar without width: π/4, its box one by one; 11 rows are refined as far as is told."""
    swept = turning("pi/2*t").strength(0, 1, step=0.1).clearance.envelopes["bar"]
    assert swept.area == pytest.approx(math.pi / 4, rel=2e-3)
    np.testing.assert_allclose(swept.box, [[0, 0], [1, 1]], atol=1e-9)
    assert swept.within < 1e-3
    assert ring_area(swept.rings) == pytest.approx(math.pi / 4, rel=3e-3)


def test_a_round_bar_sweeps_a_ring():
    """A short bar on a long arm, with round ends of radius r: a ring from 2 − r to 3 + r, with a hole in it."""
    model = mubo.Model("arm", units=UNITS, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("arm", points={"A": (0, 0)})
    model.outline("arm", polygon=[(2, -0.1), (3, -0.1), (3, 0.1), (2, 0.1)], radius=0.0)
    model.revolute("A", "ground.A", "arm.A")
    model.driver("motor", "arm.phi", "2*pi*t")
    swept = model.strength(0, 1, step=0.02).clearance.envelopes["arm"]
    far = math.hypot(3, 0.1)
    assert swept.area == pytest.approx(math.pi * (far**2 - 4), rel=3e-3)
    assert len(swept.rings) == 2  # the second is the hole
    assert ring_area(swept.rings) == pytest.approx(swept.area, rel=3e-3)
    assert sorted(signed(ring) > 0 for ring in swept.rings) == [False, True]


def signed(ring):
    x, y = ring.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def ring_area(rings):
    """Holes are walked clockwise."""
    return sum(signed(ring) for ring in rings)


def test_a_concave_outline_is_cut_into_triangles():
    """An L of three unit squares: area 3, and a notch that a hull would fill."""
    ell = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    assert sum(abs(signed(part)) for part in triangles(ell)) == pytest.approx(3)
    with pytest.raises(ValueError, match="crosses itself"):
        triangles(np.array([(0, 0), (3, 0), (0.1, 1), (1.5, 2), (2.9, 1)], float)[[0, 2, 4, 1, 3]])


def test_clearance_of_a_keepout_between_rows():
    """The tip of a bar passes a circle at (0.8, 0.8), radius 0.1: closest on the diagonal, 0.8 √2 − 1 − 0.1."""
    model = turning("t")
    model.keepout("post", center=(0.8, 0.8), radius=0.1, clearance=0.032)
    found = model.strength(0, 1.5, step=0.4)  # no row is near π/4
    check = found.check("keepout post", "distance of bar")
    assert check.value == pytest.approx(0.8 * math.sqrt(2) - 1.1, rel=1e-9)
    assert check.t == pytest.approx(math.pi / 4, abs=1e-6)
    assert check.ok is False  # 31.4 mm
    half = (1 + 0.8 * math.sqrt(2) - 0.1) / 2 / math.sqrt(2)
    x, y = map(float, re.findall(r"-?[\d.]+", check.where))
    assert (x, y) == pytest.approx((half, half), abs=1e-4)


def test_interference_is_an_event_with_its_times():
    """A bar turning with φ = t meets a box whose edge is x = 0.5 below y = 0.2: at the corner, tan φ = 0.2/0.5."""
    model = turning("-0.5 + t")
    model.keepout("box", polygon=[(0.5, 0.2), (2, 0.2), (2, 0.9), (0.5, 0.9)])
    found = model.strength(0, 1.6, step=0.1)
    events = [event for event in found.run.events if event.kind == "interference"]
    assert len(events) == 1
    start, end = map(float, re.findall(r"[\d.]+(?:e-?\d+)?", events[0].message.split("from")[1]))
    assert start == pytest.approx(0.5 + math.asin(0.2), abs=1e-8)  # the tip reaches y = 0.2
    # it leaves at the corner (0.5, 0.9): that is farther than one metre, so that the tip leaves through x = 0.5
    assert end == pytest.approx(0.5 + math.acos(0.5), abs=1e-8)
    assert found.ok is False
    assert found.run.summary["status"] == "ok"


def test_bodies_that_are_not_joined():
    """Two bars that turn against each other about pins two metres apart: least gap between their tips, 0 at 0 rad."""
    model = mubo.Model("pair", units=UNITS, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("D", (2.1, 0))
    for name, at, start, sign in (("one", "A", 0.0, "-1 + t"), ("two", "D", math.pi, "pi + 1 - t")):
        model.body(name, points={at: (0, 0), "T": (1, 0)}, angle=start)
        model.revolute(at, f"ground.{at}", f"{name}.{at}")
        model.driver(f"motor_{name}", f"{name}.phi", sign)
    found = model.strength(0, 2.0, step=0.3)
    check = found.check("clearance one and two", "least distance")
    assert check.value == pytest.approx(0.1, rel=1e-9)
    assert check.t == pytest.approx(1.0, abs=1e-6)
    assert check.ok
    model.outline("one", radius=0.06)
    model.outline("two", radius=0.06)
    assert not model.strength(0, 2.0, step=0.3).ok
    other = model.copy()
    other.outlines.clear()
    other.outline("one", layer=1)
    other.outline("two", layer=2)
    assert "clearance one and two" not in other.strength(0, 2.0, step=0.3).parts


def test_envelopes_as_drawings(tmp_path):
    """SVG has a path for every body and keep-out; DXF a closed polyline of the same corners."""
    model = turning("pi/2*t", radius=0.05)
    model.keepout("wall", polygon=[(2, 0), (3, 0), (3, 1)])
    found = model.strength(0, 1, step=0.05)
    found.save(tmp_path / "room.svg")
    found.save(tmp_path / "room.dxf")
    assert re.findall(r'id="([\w-]+)"', (tmp_path / "room.svg").read_text()) == ["bar", "keepout-wall"]
    lines = (tmp_path / "room.dxf").read_text().splitlines()
    assert lines.count("POLYLINE") == lines.count("SEQEND") == 2
    assert lines.count("VERTEX") == len(found.clearance.envelopes["bar"].rings[0]) + 3
    values = np.array([float(lines[k + 1]) for k, line in enumerate(lines) if line == "10"])
    assert values.max() == pytest.approx(3.0)


@pytest.mark.parametrize("inside", [True, False])
def test_a_body_wholly_within_a_keepout_has_no_clearance(inside):
    """A bar of 1 m that turns about the middle of a box of 4 m: no edges cross, and nothing is free; else 2 m are."""
    model = turning("t")
    x = 0 if inside else 5
    model.keepout("box", polygon=[(x - 2, -2), (x + 2, -2), (x + 2, 2), (x - 2, 2)])
    check = model.strength(0, 1, step=0.25).check("keepout box", "distance of bar")
    assert check.value == pytest.approx(0 if inside else 2, abs=1e-9)
    assert check.ok is not inside
