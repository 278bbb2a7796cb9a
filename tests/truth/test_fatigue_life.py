"""Cycles by rainflow against ASTM E1049, and the life of a link against Miner's sum written out."""

import math
from collections import Counter

import numpy as np
import pytest

import mubo
from mubo.applications.strength.rainflow import (
    StressCycle,
    WoehlerLine,
    rainflow,
    repeated_rainflow,
    turning_points,
)

# The history of figure 6 of ASTM E1049-85, as the package `rainflow` of R (Klinke) and MathWorks' page of `rainflow`
# quote it; the latter's table has the count, range and mean of every cycle.
ASTM = [-2, 1, -3, 5, -1, 3, -4, 4, -2]
COUNTED = {(3, -0.5): 0.5, (4, -1): 0.5, (4, 1): 1, (8, 1): 0.5, (9, 0.5): 0.5, (8, 0): 0.5, (6, 1): 0.5}
MATERIAL = {"yield": 250e6, "ultimate": 400e6, "fatigue": 100e6, "fatigue_cycles": 2e6, "fatigue_slope": 5}


def ranges(cycles):
    out = Counter()
    for cycle in cycles:
        out[cycle.range] += cycle.occurrences
    return dict(out)


def test_the_example_of_the_standard():
    found = Counter()
    for cycle in rainflow(ASTM):
        found[cycle.range, cycle.mean] += cycle.occurrences
    assert dict(found) == COUNTED


def test_the_example_of_the_standard_repeated():
    """From its greatest value on it is 5, −1, 3, −4, 4, −2, 1, −3, 5: between 5 and −4 the range −1 to 3 closes,
    between 4 and −3 that from −2 to 1, between −4 and 5 that from 4 to −3, and 5 to −4 is the last one."""
    assert ranges(repeated_rainflow(ASTM)) == {3: 1, 4: 1, 7: 1, 9: 1}


@pytest.mark.parametrize("seed", range(5))
def test_every_turn_is_counted_once(seed):
    """Of a repeated history each rising and falling run belongs to a cycle: 2 Σ ranges = total variation; and neither
    the start nor what lies on the way changes the count."""
    values = np.random.default_rng(seed).integers(-50, 50, 41).astype(float)
    variation = np.sum(np.abs(np.diff(np.append(values, values[0]))))
    counted = repeated_rainflow(values)
    assert 2 * sum(cycle.range * cycle.occurrences for cycle in counted) == pytest.approx(variation, rel=1e-12)
    assert ranges(repeated_rainflow(np.roll(values, 7))) == ranges(counted)
    assert ranges(repeated_rainflow(np.repeat(values, 3))) == ranges(counted)
    assert ranges(repeated_rainflow(-values)) == ranges(counted)


def test_turns_and_the_line_of_the_material():
    assert turning_points([0, 1, 1, 2, -1, 0]) == [0, 2, -1, 0]
    line = WoehlerLine(100.0, 400.0, 1e6, 5.0, notch=2.0)
    # σ_r = 2 · 100 / (1 − 100/400) = 266.67: N = 10⁶ (100/266.67)⁵
    assert line.damage([StressCycle(200.0, 100.0, 3.0)]) == pytest.approx(3e-6 * (8 / 3) ** 5, rel=1e-12)
    assert line.damage([StressCycle(200.0, -100.0, 3.0)]) == pytest.approx(3e-6 * 2**5, rel=1e-12)
    assert line.damage([StressCycle(2.0, 400.0, 1.0)]) == math.inf


def test_life_of_a_beam_under_two_tones():
    """A fixed bar with F(t) = F₀ (sin 2πt + ½ sin 6πt) at its tip: M = F L at the root; in a second there is one large
    cycle and others within it, which a long search of its own finds."""
    force, length, modulus = 400.0, 0.5, 0.01 * 0.02**2 / 6
    model = mubo.Model("bar", units={"length": "m"}, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (length, 0)})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("hold", "bar.phi", "0*t")
    model.force("push", "point_force", "bar.B", direction=(0, 1), force="400*(sin(2*pi*t) + 0.5*sin(6*pi*t))")
    model.section("bar", shape="rectangle", width=0.01, height=0.02, material=MATERIAL, notch=1.2, life="10 h",
                  along=("A", "B"))  # fmt: skip
    found = model.strength(0, 1, step=0.01)
    t = np.linspace(0, 1, 200_001)
    stress = force * length / modulus * (np.sin(2 * np.pi * t) + 0.5 * np.sin(6 * np.pi * t))
    damage = WoehlerLine(100e6, 400e6, 2e6, 5, 1.2).damage(repeated_rainflow(stress))
    part = "section bar"
    assert found.check(part, "fatigue: cycles of a run").value == len(repeated_rainflow(stress)) == 3
    assert found.check(part, "fatigue: life in runs").value == pytest.approx(1 / damage, rel=1e-6)
    life = found.check(part, "fatigue: life")
    assert life.value == pytest.approx(1 / damage, rel=1e-6)
    assert life.safety == pytest.approx((1 / damage / 36000) ** 0.2, rel=1e-6)
    assert found.run["bar.utilisation"] == pytest.approx(found.run["bar.stress"] / 250e6, rel=1e-12)
