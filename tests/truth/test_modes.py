"""Assembly modes, circuits and the driver's range, by circles that meet, Grashof's rule and the law of cosines."""

import cmath
import math
import runpy
from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

import mubo

LENGTH = st.floats(0.3, 3.0)


def meet(a, from_a, b, from_b, side):
    """The point at two distances from a and b, left of the way from a to b for side 1; None where there is none."""
    d = b - a
    k = (abs(d) ** 2 + from_a**2 - from_b**2) / (2 * abs(d) ** 2)
    h = from_a**2 / abs(d) ** 2 - k**2
    return a + d * (k + 1j * side * math.sqrt(h)) if h >= 0 else None


def four_bar(a, b, c, g, phi, side=1):
    """Crank a, coupler b, rocker c on a ground of length g, assembled at the crank angle phi."""
    B = cmath.rect(a, phi)
    C = meet(B, b, complex(g), c, side)
    model = mubo.Model("four bar")
    model.ground.point("A", (0, 0))
    model.ground.point("D", (g, 0))
    model.body("crank", (0, 0), phi, {"A": (0, 0), "B": (a, 0)})
    model.body("coupler", (B.real, B.imag), cmath.phase(C - B), {"B": (0, 0), "C": (b, 0)})
    model.body("rocker", (g, 0), cmath.phase(C - g), {"D": (0, 0), "C": (c, 0)})
    for name, first, second in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker")):
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    model.revolute("D", "rocker.D", "ground.D")
    model.driver("motor", "crank.phi", phi)
    return model


def crank_range(a, b, c, g, phi):
    """Law of cosines: the diagonal d, d² = a² + g² − 2 a g cos φ, lies between |b − c| and b + c. None: full turn."""
    short, long = ((a * a + g * g - d * d) / (2 * a * g) for d in (b - c, b + c))
    low = math.acos(short) if short < 1 else None
    high = math.acos(long) if long > -1 else None
    if low is None:
        return None if high is None else (-high, high)
    reach = (low, 2 * math.pi - low if high is None else high)
    return reach if phi > 0 else (-reach[1], -reach[0])


def is_crank(a, b, c, g):
    """Grashof: the crank turns fully if shortest + longest < the other two and crank or ground is the shortest."""
    lengths = sorted((a, b, c, g))
    return lengths[0] + lengths[3] < lengths[1] + lengths[2] and lengths[0] in (a, g)


def angle_between(a, b):
    return abs((a - b + math.pi) % (2 * math.pi) - math.pi)


@settings(max_examples=30, deadline=None)
@given(LENGTH, LENGTH, LENGTH, LENGTH, st.floats(-math.pi, math.pi), st.sampled_from((-1, 1)))
def test_any_four_bar(a, b, c, g, phi, side):
    diagonal = abs(g - cmath.rect(a, phi))
    assume(abs(b - c) + 1e-3 < diagonal < b + c - 1e-3)  # it can be assembled, and not just at a limit
    lengths = sorted((a, b, c, g))
    assume(abs(lengths[0] + lengths[3] - lengths[1] - lengths[2]) > 1e-6)  # no change point
    report = four_bar(a, b, c, g, phi, side).modes()
    assert len(report.modes) == 2
    B = cmath.rect(a, phi)
    for mode, way in zip(report.modes, (side, -side), strict=True):
        C = meet(B, b, complex(g), c, way)
        assert angle_between(mode.bodies["coupler"][2], cmath.phase(C - B)) < 1e-7
        assert angle_between(mode.bodies["rocker"][2], cmath.phase(C - g)) < 1e-7
    reach = crank_range(a, b, c, g, phi)
    assert (reach is None) == is_crank(a, b, c, g)
    if reach is None:
        assert [mode.circuit for mode in report.modes] == [1, 2]
        assert all(mode.full_turn for mode in report.modes)
    else:
        assert [mode.circuit for mode in report.modes] == [1, 1]
        for mode in report.modes:
            assert (mode.low.kind, mode.high.kind) == ("limit", "limit")
            assert (mode.low.value, mode.high.value) == pytest.approx(reach, abs=1e-9)


@pytest.mark.parametrize("gap", [1e-3, 1e-5, 1e-7, -1e-7, -1e-5, -1e-3])
def test_close_to_a_change_point_nothing_jumps(gap):
    """Grashof's sum misses zero by the gap: two circuits just above, one just below."""
    a, b, g = 1.0, 2.5, 2.0
    c = b + g - a - gap  # shortest a, longest c
    report = four_bar(a, b, c, g, 1.0).modes()
    assert len(report.circuits) == (2 if gap > 0 else 1)
    reach = crank_range(a, b, c, g, 1.0)
    for mode in report.modes:
        assert mode.full_turn == (gap > 0)
        if reach:
            assert (mode.low.value, mode.high.value) == pytest.approx(reach, abs=1e-9)


def test_a_parallelogram_is_one_circuit_with_two_change_points():
    """All pins in line at 0 and π: there parallelogram and antiparallelogram meet."""
    report = four_bar(1, 2, 1, 2, 1.0).modes()
    assert [mode.circuit for mode in report.modes] == [1, 1]
    assert all(mode.full_turn for mode in report.modes)
    assert report.circuits[0].change_points == pytest.approx([0, math.pi], abs=1e-6)


def test_slider_crank_by_crank_and_by_piston():
    """r = 50, l = 150, no offset: the crank turns, the piston on either side; the piston goes from l − r to l + r."""
    model = mubo.load(EXAMPLES / "slider_crank.toml")
    report = model.modes()
    expected = [50 * math.cos(math.pi / 4) + s * math.sqrt(150**2 - (50 * math.sin(math.pi / 4)) ** 2) for s in (1, -1)]
    assert [mode.bodies["piston"][0] for mode in report.modes] == pytest.approx(expected, abs=1e-9)
    assert [mode.circuit for mode in report.modes] == [1, 2]
    assert all(mode.full_turn for mode in report.modes)
    model.drivers.clear()
    model.driver("push", "cylinder", 181.0)
    pushed = model.modes()
    assert [mode.circuit for mode in pushed.modes] == [1, 1]
    for mode in pushed.modes:
        assert (mode.low.value, mode.high.value) == pytest.approx((100, 200), abs=1e-7)


def test_a_driven_pin_between_two_moving_links_has_its_closed_form():
    """At joint B the diagonal from A to C is fixed: two triangles over the ground, mirror images of each other."""
    model = four_bar(1, 3, 3, 2, 1.0)
    poses = {name: body.angle for name, body in model.bodies.items()}
    model.drivers.clear()
    model.driver("wrist", "B", poses["coupler"] - poses["crank"])
    report = model.modes()
    assert len(report.modes) == 2
    assert not report.searches
    rockers = [mode.bodies["rocker"][2] for mode in report.modes]
    assert angle_between(rockers[0], -rockers[1]) < 1e-9


def test_whitworth_has_its_slot_on_either_side():
    """A pin at r e^{iφ} seen from the arm's pivot: the slide is plus or minus their distance; the ram ± by its rod."""
    report = mubo.load(EXAMPLES / "whitworth.toml").modes()
    assert len(report.modes) == 4
    arms = [mode.bodies["arm"][2] for mode in report.modes]
    assert arms[0] == pytest.approx(arms[1])
    assert abs(arms[2] - arms[0]) == pytest.approx(180)


@pytest.mark.parametrize("name", ["watt_six_bar", "stephenson_six_bar"])
def test_a_six_bar_of_two_dyads_has_four_modes(name):
    """Two circle intersections, independent of each other; every mode closes all pins and none is told twice."""
    model = mubo.load(EXAMPLES / f"{name}.toml")
    report = model.modes()
    assert len(report.modes) == 4
    angles = [[mode.bodies[body][2] for body in mode.bodies] for mode in report.modes]
    for k, first in enumerate(angles):
        for second in angles[:k]:
            assert max(abs((p - q + 180) % 360 - 180) for p, q in zip(first, second, strict=True)) > 1
    for mode in report.modes:
        run = model.kinematics(0, 0.05, 0.05, mode=mode.number)
        assert run.summary["residual"]["position"] < 1e-11
        for body, (x, y, phi) in mode.bodies.items():
            found = [run[f"{body}.{word}"][0] for word in ("x", "y", "phi")]
            assert found == pytest.approx((x, y, phi), abs=1e-9)


def test_the_first_dyad_of_a_peaucellier_cell_limits_the_crank():
    """|OP| = 50 cos(φ/2) reaches 65 − 25 at cos(φ/2) = 0.8; there the arms fold together."""
    limit = 2 * math.acos(0.8)
    for mode in mubo.load(EXAMPLES / "peaucellier.toml").modes().modes:
        assert (mode.low.value, mode.high.value) == pytest.approx((-limit, limit), abs=1e-9)


def test_a_scissor_lift_changes_all_its_stages_at_once():
    """Every stage can fold onto the one below. Flat, at 0 and π, two stages change together: det J keeps its sign.

    Upright, at ±π/2, the feet fall together and the lowest crossing changes as well.
    """
    path = str(EXAMPLES / "scissor_lift.py")
    report = runpy.run_path(path)["scissor_lift"](3).modes()
    assert len(report.modes) == 4
    assert [mode.circuit for mode in report.modes] == [1, 1, 1, 1]
    assert report.circuits[0].change_points == pytest.approx([0, math.pi / 2, math.pi, 3 * math.pi / 2], abs=1e-5)


def stephenson(a, b, c, g, p, E, phi):
    """A four-bar whose coupler point p hangs by a rod on the end E of a link that is driven: four angles at once."""
    model = four_bar(a, b, c, g, phi)
    coupler = model.bodies["coupler"]
    points = {**coupler.points, "P": (p.real, p.imag)}
    model.bodies["coupler"] = replace(coupler, points=points)
    P = complex(*coupler.position) + p * cmath.exp(1j * coupler.angle)
    model.ground.point("G", (E.real - 1, E.imag))
    model.body("rod", (P.real, P.imag), cmath.phase(E - P), {"P": (0, 0), "E": (abs(E - P), 0)})
    model.body("output", (E.real - 1, E.imag), 0.0, {"G": (0, 0), "E": (1, 0)})
    model.revolute("P", "coupler.P", "rod.P")
    model.revolute("E", "rod.E", "output.E")
    model.revolute("G", "ground.G", "output.G")
    model.drivers.clear()
    model.driver("motor", "output.phi", 0.0)
    return model, abs(E - P)


def dense_search(a, b, c, g, p, E, rod):
    """Crank angles at which the coupler point is as far from E as the rod is long: sign changes over a fine grid.

    The crank angle is taken as known and both circle intersections are followed: one unknown instead of four.
    """
    found = []
    for side in (-1, 1):

        def miss(phi, side=side):
            B = cmath.rect(a, phi)
            C = meet(B, b, complex(g), c, side)
            return math.nan if C is None else abs(B + p * (C - B) / b - E) - rod

        grid = np.linspace(-math.pi, math.pi, 4001)
        values = np.array([miss(phi) for phi in grid])
        rising = np.flatnonzero(values[:-1] * values[1:] < 0)
        found += [brentq(miss, grid[k], grid[k + 1], xtol=1e-14) for k in rising]
    return np.sort(found)


GROUPS = {
    "six": (1.0, 2.5, 2.9, 1.6, 1.1 - 1.3j, -0.4 + 2j, 2.5),
    "two": (1.0, 2.5, 2.5, 2.0, 1.2 + 1.5j, 2 + 3j, 1.0),
    **{f"seed {k}": None for k in range(4)},
}


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_of_four_by_search_finds_what_a_dense_search_finds(name):
    """A circle meets a coupler curve, of order six and thrice through each circular point, in at most six points."""
    given = GROUPS[name]
    if given is None:  # cranks that turn fully, so that the grid has no gaps
        random = np.random.default_rng(int(name[5:]))
        b, c = random.uniform(2.2, 3, 2)
        given = (1.0, b, c, 2.0, complex(*random.uniform(-2, 3, 2)), complex(*random.uniform(-1, 3, 2)), 1.0)
    model, rod = stephenson(*given)
    report = model.modes()
    cranks = np.sort([(mode.bodies["crank"][2] + math.pi) % (2 * math.pi) - math.pi for mode in report.modes])
    expected = dense_search(*given[:6], rod)
    assert [search.found for search in report.searches] == [len(expected)]
    assert report.modes[0].bodies["crank"][2] == pytest.approx(given[6])
    np.testing.assert_allclose(cranks, expected, atol=1e-9)
    assert len(expected) <= 6
    if name == "six":
        assert len(expected) == 6
