"""Planetary trains by ratio: every one listed turns as Willis says, can be assembled tooth by tooth, none is missed."""

import itertools
import math
from fractions import Fraction

import pytest

import mubo
from mubo.design.synthesis.planetary_task import CARRIER, RING_WHEEL, SUN, PlanetaryRequest, _teeth, efficiency_of


def goes_together(n, s, p1, p2, r):
    """Whether n equal planets mesh with sun and ring, tooth by tooth.

    A planet at the angle k/n of a turn, turned by ψ (in turns), has its teeth in the gaps of the sun if (s + p₁) k/n −
    p₁ ψ is as for the first one a whole number, and in those of the ring if (r − p₂) k/n + p₂ ψ is.
    """
    for k in range(1, n):
        turns = [(Fraction(m) - Fraction((r - p2) * k, n)) / p2 for m in range(p2)]
        if not any((Fraction((s + p1) * k, n) - p1 * turn).denominator == 1 for turn in turns):
            return False
    return True


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("stepped", [False, True])
def test_exactly_those_that_go_together(n, stepped):
    least, most = 6, 34 if stepped else 50
    found = {tuple(line) for line in _teeth(PlanetaryRequest(4.0, n, stepped, least=least, most=most)).tolist()}
    wanted = set()
    for s, p1 in itertools.product(range(least, most), repeat=2):
        for p2 in range(least, most) if stepped else (p1,):
            r = s + p1 + p2
            apart = (s + p1) * math.sin(math.pi / n) > max(p1, p2) + 2
            if r <= most and r - p2 >= 10 and (p1 != p2) == stepped and apart and goes_together(n, s, p1, p2, r):
                wanted.add((s, p1, p2, r))
    assert found == wanted
    assert found or (stepped and n > 3)


@pytest.mark.parametrize("ratio", [4, 0.25, 1.5, -2.5, -0.4, 2 / 3])
def test_every_train_turns_as_asked(ratio):
    found = mubo.synthesize.planetary(ratio, module="2 mm", length="mm", most=6)
    for design in found.designs:
        s, p, r = (int(design.lengths[f"{name} teeth"]) for name in ("sun", "planet", "ring"))
        by_willis = {
            "sun to carrier": 1 + r / s, "carrier to sun": 1 / (1 + r / s), "ring to carrier": 1 + s / r,
            "carrier to ring": 1 / (1 + s / r), "sun to ring": -r / s, "ring to sun": -s / r,
        }[design.label.partition(",")[0]]  # fmt: skip
        assert by_willis == pytest.approx(ratio, rel=1e-12)
        assert design.lengths["ratio"] == pytest.approx(ratio, rel=1e-12)  # of the run
        assert design.lengths["carrier radius"] == s + p  # m (s + p)/2
    sizes = [design.lengths["ring teeth"] for design in found.designs]
    assert sizes == sorted(sizes)


def test_stepped_planets_of_a_ratio_beyond_a_simple_train():
    found = mubo.synthesize.planetary(12, stepped=True, most=3)
    for design in found.designs:
        s, p1, p2, r = (int(design.lengths[f"{name} teeth"]) for name in ("sun", "planet", "second planet", "ring"))
        assert 1 + Fraction(p1 * r, s * p2) == 12
        assert design.run["sun.omega"][3] == pytest.approx(12 * design.run["carrier.omega"][3])


def test_efficiency_by_willis():
    """η = (1 + R η₀)/(1 + R) from sun to carrier, (1 + R)/(1 + R/η₀) back, (R + η₀)/(R + 1) from ring to carrier."""
    R, share = 3.0, 0.96
    assert efficiency_of(R, (SUN, CARRIER), share) == pytest.approx((1 + R * share) / (1 + R))
    assert efficiency_of(R, (CARRIER, SUN), share) == pytest.approx((1 + R) / (1 + R / share))
    assert efficiency_of(R, (RING_WHEEL, CARRIER), share) == pytest.approx((R + share) / (R + 1))
    assert efficiency_of(R, (SUN, RING_WHEEL), share) == pytest.approx(share)
    assert efficiency_of(R, (RING_WHEEL, SUN), share) == pytest.approx(share)


@pytest.mark.parametrize(
    ("ratio", "options", "words"),
    [
        (0, {}, "not zero; found 0"),
        (1, {}, "a ratio of 1 is a coupling"),
        (40, {}, "the nearest is 7.76471, from sun to carrier; larger wheels or stepped planets may have it"),
        (4.01, {}, r"allow a ratio error of 0\.\d+ %"),
        (4, {"planets": 0}, "1 to 12 planets"),
        (4, {"planets": 12, "most_teeth": 60}, "cannot be assembled"),
        (4, {"module": -1}, "module must be positive"),
        (4, {"efficiency": 1.2}, "at most 1; found 1.2"),
        (4, {"tolerance": "70 %"}, "below 50 %; found 70 %"),
        (4, {"least": 2}, "teeth go from 6"),
    ],
    ids=str,
)
def test_impossible_trains_are_refused_in_one_sentence(ratio, options, words):
    with pytest.raises(mubo.ModelError, match=words) as told:
        mubo.synthesize.planetary(ratio, **options)
    assert "\n" not in str(told.value)
