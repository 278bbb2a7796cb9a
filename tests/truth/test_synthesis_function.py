"""Function generation: Freudenstein's equation, checked by the loop closure of the linkages that are found.

F. Freudenstein, Approximate synthesis of four-bar linkages, Transactions of the ASME 77 (1955) 853-861.
"""

import cmath
import math

import pytest

import mubo

PAIRS = [(0, 0), (30, 20), (60, 50)]


def closure(lengths, phi, psi):
    """|BC| − b of a four-bar with its crank at φ and its rocker at ψ."""
    a, b, c, d = (lengths[name] for name in ("crank", "coupler", "rocker", "ground"))
    return abs(d + c * cmath.exp(1j * psi) - a * cmath.exp(1j * phi)) - b


def test_three_points_close_the_loop_at_all_pairs():
    """Lengths found with both starts given are positive here: crank and rocker stand as their pointers do."""
    found = mubo.synthesize.function(PAIRS, crank_start=40, rocker_start=70)
    assert (len(found), found.found) == (1, 1)
    for phi, psi in PAIRS:
        assert abs(closure(found[1].lengths, math.radians(40 + phi), math.radians(70 + psi))) < 1e-12
    run = found.run(1)
    assert run["rocker.phi"][-1] - run["rocker.phi"][0] == pytest.approx(50, abs=1e-9)
    assert run["crank.phi"][-1] - run["crank.phi"][0] == pytest.approx(60, abs=1e-9)
