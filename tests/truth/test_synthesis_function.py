"""Function generation, checked by the loop closure of the linkages that are found.

F. Freudenstein, Approximate synthesis of four-bar linkages, Transactions of the ASME 77 (1955) 853-861.
"""

import cmath
import math

import numpy as np
import pytest

import mubo

PAIRS = [(0, 0), (30, 20), (60, 50)]


def closure(lengths, phi, psi):
    """|BC| − b of a four-bar with its crank at φ and its rocker at ψ."""
    a, b, c, d = (lengths[name] for name in ("crank", "coupler", "rocker", "ground"))
    return abs(d + c * cmath.exp(1j * psi) - a * cmath.exp(1j * phi)) - b


def test_three_points_close_the_loop_at_all_pairs():
    """Lengths found with both starts given are positive here: crank and rocker stand as their pointers do."""
    found = mubo.synthesize.function(PAIRS, crank_start=40, rocker_start=70, ground=2.0)
    assert (len(found), found.found) == (1, 1)
    assert found[1].lengths["ground"] == 2.0
    for phi, psi in PAIRS:
        assert abs(closure(found[1].lengths, math.radians(40 + phi), math.radians(70 + psi))) < 1e-12
    run = found.run(1)
    assert run["rocker.phi"][-1] - run["rocker.phi"][0] == pytest.approx(50, abs=1e-9)
    assert run["crank.phi"][-1] - run["crank.phi"][0] == pytest.approx(60, abs=1e-9)


def test_a_logarithm_at_three_chebyshev_points():
    """y = log10 x from 1 to 2: the error is nothing at the precision points, and between them it changes its sign
    in the middle one alone."""
    x = 1.5 - 0.5 * np.cos(np.pi * np.array([1, 3, 5]) / 6)
    turn, swing = 60.0, 60.0  # degrees of crank and rocker over the range
    pairs = [((v - 1) * turn, math.log10(v) / math.log10(2) * swing) for v in x]
    found = mubo.synthesize.function(pairs, most=1)
    run = found.run(1)
    crank = run["crank.phi"] - run["crank.phi"][0]
    rocker = run["rocker.phi"] - run["rocker.phi"][0]
    wanted = swing * np.log10((x[0] + crank / turn) / x[0]) / math.log10(2)
    error = rocker - wanted
    inner = error[1:-1]
    crossed = np.flatnonzero(np.diff(np.sign(inner[np.abs(inner) > 1e-6])))
    assert len(crossed) == 1
    assert found[1].errors["angle"] < 1e-9
    assert crank[crossed[0] + 1] == pytest.approx((x[1] - x[0]) * turn, abs=1.0)  # within a row or two


@pytest.mark.parametrize("linkage", ["four-bar", "slider-crank"])
@pytest.mark.parametrize("count", [3, 4, 5])
def test_a_linkage_is_found_again_from_its_own_pairs(count, linkage):
    """Pairs of a known linkage: with five pairs it is among the solutions; with fewer all that are shown meet them."""
    a, b, c = 0.5, 1.2, 0.9
    phi = np.radians([20, 45, 65, 90, 120][:count])
    B = a * np.exp(1j * phi)
    if linkage == "four-bar":
        far = abs(1 - B)
        C = B + b * (1 - B) / far * np.exp(1j * np.arccos((far**2 + b**2 - c**2) / (2 * b * far)))
        out, known = np.degrees(np.angle(C - 1)), sorted((a, b, c, 1.0))
    else:
        out, known = B.real + np.sqrt(b**2 - (B.imag - 0.2) ** 2), sorted((a, b, 0.2))
    pairs = np.column_stack([np.degrees(phi - phi[0]), out - out[0]])
    found = mubo.synthesize.function(pairs.tolist(), linkage=linkage, most=3)
    assert len(found)
    for design in found.designs:
        assert max(design.errors.values()) < 1e-7
    if count == 5:
        assert any(np.allclose(sorted(design.lengths.values()), known, atol=1e-8) for design in found.designs)


def test_many_pairs_by_least_squares():
    """Nine pairs of a known linkage with both starts given are met; moved by hundredths they come as near as that."""
    a, b, c = 0.5, 1.2, 0.9
    phi = np.radians(np.arange(20, 180, 20))
    B = a * np.exp(1j * phi)
    far = abs(1 - B)
    C = B + b * (1 - B) / far * np.exp(1j * np.arccos((far**2 + b**2 - c**2) / (2 * b * far)))
    psi = np.degrees(np.angle(C - 1))
    pairs = np.column_stack([np.degrees(phi - phi[0]), psi - psi[0]])
    exact = mubo.synthesize.function(pairs.tolist(), crank_start=20, rocker_start=float(psi[0]))
    assert exact[1].errors["angle"] < 1e-6
    assert exact[1].lengths["coupler"] == pytest.approx(b, rel=1e-6)
    pairs[:, 1] += np.array([0, 1, -1, 1, -1, 1, -1, 1]) * 0.01
    near = mubo.synthesize.function(pairs.tolist(), crank_start=20, rocker_start=float(psi[0]))
    assert 1e-3 < near[1].errors["angle"] < 0.03


@pytest.mark.parametrize("count", [3, 4])
def test_a_formula_is_met_at_the_points_of_chebyshev_and_missed_between(count):
    """log x from 1 to 2 on 60° and 90°: the error vanishes at the zeros of Chebyshev's polynomial and changes its sign
    there, of the best linkage of infinitely many perhaps once more."""
    found = mubo.synthesize.formula("log(x)", (1, 2), crank=60, output=90, points=count, most=4)
    x = 1.5 - 0.5 * np.cos((2 * np.arange(1, count + 1) - 1) * np.pi / (2 * count))
    best = found[1]
    run = best.run
    crank = run["crank.phi"] - run["crank.phi"][0]
    assert crank[-1] == pytest.approx(60, rel=1e-12)
    at = 1 + crank / 60
    output = run["rocker.phi"] - np.interp(x[0], at, run["rocker.phi"])
    error = output - 90 * (np.log(at) - np.log(x[0])) / np.log(2)
    away = error[np.min(np.abs(at[:, None] - x), axis=1) > 0.01]
    assert count <= np.count_nonzero(np.diff(np.sign(away))) <= count + 1
    assert best.errors["structural"] == pytest.approx(np.max(np.abs(error)), rel=2e-2)
    errors = [design.errors["structural"] for design in found.designs]
    assert errors == sorted(errors)
    assert max(design.errors["angle"] for design in found.designs) < 1e-9


def test_three_points_of_hartenberg_and_denavit():
    """1 to 2 in three points: 1.067, 1.5, 1.933 (Kinematic Synthesis of Linkages, 1964)."""
    from mubo.design.synthesis.formula_task import chebyshev_spacing

    assert chebyshev_spacing(1, 2, 3) == pytest.approx([1.067, 1.5, 1.933], abs=5e-4)
