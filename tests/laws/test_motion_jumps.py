"""True for every motion law: the jumps that are told are those of its one-sided limits, and no other.

Two independent truths: end values of the cam laws in closed form (Norton, Cam Design and Manufacturing Handbook, 2002,
chapter 3), and for every law of the registry a polynomial through values of f alone on either side of a corner.
"""

import itertools

import numpy as np
import pytest
from test_motion import LAWS, span

from mubo.laws import Expression, Law, Program, Segment
from mubo.laws.law import breaks_of, jumps_of
from mubo.laws.rises import RISES

# Slope and bend of s(u) at u = 0 and at u = 1; laws that are not listed here start and end at rest without a jump.
ENDS = {
    "constant velocity": ((1.0, 0.0), (1.0, 0.0)),
    "harmonic": ((0.0, np.pi**2 / 2), (0.0, -(np.pi**2) / 2)),
}
REST = ((0.0, 0.0), (0.0, 0.0))
RESTLESS = [
    Program((Segment("constant velocity", 0.7, 2.0), Segment("harmonic", 0.4, -2.0)), repeat=True),
    Program((Segment("dwell", 0.5), Segment("harmonic", 0.3, 1.0), Segment("harmonic", 0.4, -1.0)), repeat=True),
    Expression("abs(sin(5*t)) + max(t, 0.7)^2 + where(t < 1.3, 0, (t - 1.3)^2)"),
    Expression("where(t < 1, t**2, 2*t - 1)"),
    Expression("max(t, 0.5) + abs(t - 0.5001)"),
]


def program_jumps(program, start, end):
    """(time, order, size) at every seam of a program inside (start, end), from the closed forms of its segments."""
    parts = program.segments
    period = sum(part.lasts for part in parts)
    turns = range(-1, int((end - program.start) / period) + 2) if program.repeat else (0,)
    rows = []
    for turn in turns:
        time = program.start + turn * period
        for k, part in enumerate(parts):
            rows.append((time, time + part.lasts, part, (turn, k)))
            time += part.lasts
    still = Segment("dwell", 1.0)
    if not program.repeat:
        rows = [(-np.inf, program.start, still, None), *rows, (rows[-1][1], np.inf, still, None)]
    for (_, time, before, _), (_, _, after, _) in itertools.pairwise(rows):
        if start < time < end:
            left, right = ENDS.get(before.law, REST)[1], ENDS.get(after.law, REST)[0]
            for order in (1, 2):
                gap = abs(
                    after.rise / after.lasts**order * right[order - 1]
                    - before.rise / before.lasts**order * left[order - 1]
                )
                if gap > 1e-12 * max(abs(part.rise) / part.lasts**order for part in (before, after)):
                    yield time, order, gap
                    break


@pytest.mark.parametrize("scale", [(1.0, 1.0), (250.0, 0.003), (1e-6, 4e3)], ids=["unit", "fast", "slow"])
@pytest.mark.parametrize(("first", "second"), list(itertools.product(RISES, RISES)))
def test_every_pair_of_cam_laws(first, second, scale):
    """One after the other and again and again: the seam of the period is told as any other."""
    rise, last = scale
    segments = [
        Segment(law, part * last, 0.0 if law == "dwell" else part * rise * sign)
        for law, part, sign in ((first, 0.8, 1), (second, 1.1, -1), ("dwell", 0.3, 0))
    ]
    for repeat in (True, False):
        program = Program(tuple(segments), start=0.1 * last, value=3 * rise, repeat=repeat)
        wanted = list(program_jumps(program, -0.5 * last, 7.5 * last))
        found = jumps_of(program, -0.5 * last, 7.5 * last)
        assert [jump.order for jump in found] == [order for _, order, _ in wanted]
        np.testing.assert_allclose([jump.t for jump in found], [t for t, _, _ in wanted], rtol=1e-14)
        np.testing.assert_allclose([jump.size for jump in found], [size for _, _, size in wanted], rtol=1e-10)


def limits(law, corner, toward):
    """f, f', f'' at a corner as seen from one side: of the polynomial through values of f between corner and `toward`.

    Chebyshev points of the first kind never touch the ends, so that no value is taken on the wrong side.
    """
    nodes = np.cos(np.pi * (np.arange(14) + 0.5) / 14)
    times = (corner + toward) / 2 + (toward - corner) / 2 * nodes
    f = np.polynomial.Chebyshev.fit(times, law(times)[:, 0], 13, domain=sorted((corner, toward)))
    return np.array([f(corner), f.deriv(1)(corner), f.deriv(2)(corner)])


def registered():
    return [*((name, law) for name, law in LAWS.items()), *((law.description, law) for law in RESTLESS)]


@pytest.mark.parametrize(("name", "law"), registered(), ids=[name for name, _ in registered()])
def test_every_law_of_the_registry(name, law):
    """At each corner the lowest order at which the two polynomials differ is told with the size of the difference."""
    start, end = span(law)
    corners = np.unique(breaks_of(law, start, end))
    told = {jump.t: jump for jump in jumps_of(law, start, end)}
    assert set(told) <= set(corners)
    edges = np.concatenate([[start], corners, [end]])
    for before, corner, after in zip(edges[:-2], corners, edges[2:], strict=True):
        # Short of the next corner, where curves that are no polynomials are close to one.
        near = 0.25 * min(corner - before, after - corner)
        left, right = limits(law, corner, corner - near), limits(law, corner, corner + near)
        size = np.maximum(np.abs(left), np.abs(right)).max() + np.abs(left - right)
        gaps = np.flatnonzero(np.abs(right - left) > [1e-12, 1e-9 / near, 1e-7 / near**2] * size)
        if not len(gaps):
            assert corner not in told
        else:
            order = gaps[0]
            assert told[corner].order == order
            assert told[corner].size == pytest.approx(abs(right - left)[order], rel=1e-5)


@pytest.mark.parametrize(
    ("text", "jumps"),
    [
        ("max(t, 0.5) + abs(t - 0.5001)", [(0.5, 1, 1.0), (0.5001, 1, 2.0)]),  # both in one cell of the search
        ("where(t < 1, t**2, 2*t - 1)", [(1.0, 2, 2.0)]),
        ("where(t < 1, t**3, 3*t**2 - 3*t + 1)", []),  # only the third derivative jumps
        ("abs(sin(pi*t)) + where(t < 1, 0, t - 1)", [(1.0, 1, 2 * np.pi + 1)]),  # rounding sets the two apart
        ("where(t < 1, 1e-9, 0) + max(t - 1, 0)", [(1.0, 0, 1e-9), (1.0, 1, 1.0)]),  # a small gap hides no larger one
        ("(1e6 + t)*where(t < 1, 1, 1)", []),
    ],
)
def test_jumps_of_expressions(text, jumps):
    found = jumps_of(Expression(text), 0.0, 2.0)
    assert [jump.order for jump in found] == [order for _, order, _ in jumps]
    for jump, (t, _, size) in zip(found, jumps, strict=True):
        assert (jump.t, jump.size) == (pytest.approx(t, rel=1e-14), pytest.approx(size, rel=1e-7))


def test_the_seam_of_a_closed_law():
    """A harmonic fall that ends at 360 deg where a dwell begins at 0: ∆s'' = π² H / (2 β²)."""
    lift = Program((Segment("dwell", 90.0), Segment("cycloidal", 180.0, 20.0), Segment("harmonic", 90.0, -20.0)))
    size = np.pi**2 * 20 / (2 * 90**2)
    found = [(jump.t, jump.order, jump.size) for jump in jumps_of(lift, 0.0, 360.0, closed=True)]
    assert found == [(0.0, 2, pytest.approx(size)), (270.0, 2, pytest.approx(size))]
    assert [jump.t for jump in jumps_of(lift, 0.0, 360.0)] == [270.0]
    assert not jumps_of(Expression("5*(1 - cos(t*pi/180))"), 0.0, 360.0, closed=True)


def test_a_law_with_corners_must_know_its_sides():
    with pytest.raises(TypeError, match=r"Broken says where it has corners \(breaks\) but not what it is beside them"):

        class Broken(Law):
            def breaks(self, start, end):
                return np.array([1.0])


@pytest.mark.parametrize(("law", "count"), [("cycloidal", 0), ("3-4-5", 0), ("modified sine", 0), ("harmonic", 2)])
def test_late_times_are_rounded(law, count):
    """After 10⁵ periods a time is known to 10⁻¹⁰ of a period only: that is no jump, and the harmonic's is still one."""
    program = Program((Segment("dwell", 0.1), Segment(law, 0.27, 1.0)), repeat=True)
    start = 37_000.0 - 0.05
    jumps = jumps_of(program, start, start + 0.37)
    assert len(jumps) == count
    for jump in jumps:
        assert (jump.order, jump.size) == (2, pytest.approx(np.pi**2 / 2 / 0.27**2, rel=1e-6))
