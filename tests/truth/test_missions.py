"""Strength over a mission: cycles against histories written out, Miner's sum and mean loads in closed form."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from openpyxl import Workbook

import mubo
from mubo.applications.strength.mission_damage import mission_cycles
from mubo.applications.strength.rainflow import repeated_rainflow

MATERIAL = {"yield": 250e6, "ultimate": 400e6, "fatigue": 100e6, "fatigue_cycles": 2e6, "fatigue_slope": 5}
LENGTH, MODULUS = 0.5, 0.01 * 0.02**2 / 6


def ranges(cycles):
    out = Counter()
    for cycle in cycles:
        out[cycle.range, cycle.mean] += cycle.occurrences
    return out


@pytest.mark.parametrize("seed", range(30))
def test_cycles_are_those_of_the_history_written_out(seed):
    """Three kinds of runs, each so many times, as one long history that repeats. Values have no ties."""
    random = np.random.default_rng(seed)
    values = random.permutation(60).astype(float)
    kinds = np.split(values, sorted(random.choice(np.arange(5, 55), 2, replace=False)))
    runs = random.integers(1, 6, 3).tolist()
    written = np.concatenate([np.tile(kind, count) for kind, count in zip(kinds, runs, strict=True)])
    assert ranges(mission_cycles(kinds, runs)) == ranges(repeated_rainflow(written))


def bar(force):
    """A bar held at its root, and a force of `mean` and `wave` at its tip: σ = F L/W at the root; a second is a run."""
    model = mubo.Model("bar", units={"length": "m"}, gravity=(0, 0))
    model.parameter("mean", 0.0)
    model.parameter("wave", 400.0)
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (LENGTH, 0)})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("hold", "bar.phi", "0*t")
    model.force("push", "point_force", "bar.B", direction=(0, 1), force=force)
    model.section("bar", shape="rectangle", width=0.01, height=0.02, material=MATERIAL, notch=1.2, life="10 h",
                  along=("A", "B"))  # fmt: skip
    return model


def damage(amplitude, mean=0.0):
    """One cycle by Basquin's line and Goodman: (K σ_a/(1 − σ_m/S_u)/S_f)^k/N."""
    reversed_stress = 1.2 * amplitude / (1 - max(mean, 0) / 400e6)
    return (reversed_stress / 100e6) ** 5 / 2e6


def test_two_blocks_by_miner():
    """n₁ and n₂ full reversals: the smaller ones close within the larger ones, so that D = n₁ d₁ + n₂ d₂."""
    n, waves = (5000, 40), (300.0, 900.0)
    model = bar("mean + wave*sin(2*pi*t)")
    found = model.strength(0, 1, step=0.01, mission={"runs": n, "wave": waves})
    each = [count * damage(wave * LENGTH / MODULUS) for count, wave in zip(n, waves, strict=True)]
    part = "section bar"
    assert found.check(part, "fatigue: cycles of a mission").value == sum(n)
    assert found.check(part, "fatigue: life in missions").value == pytest.approx(1 / sum(each), rel=1e-6)
    life = found.check(part, "fatigue: life")
    assert life.value == pytest.approx(sum(n) / sum(each), rel=1e-6)  # a run takes a second
    assert life.safety == pytest.approx((sum(n) / sum(each) / 36000) ** 0.2, rel=1e-6)
    assert found.mission.shares[part] == pytest.approx([one / sum(each) for one in each], rel=1e-6)
    assert found.check(part, "largest stress").value == pytest.approx(waves[1] * LENGTH / MODULUS, rel=1e-9)
    assert found.check(part, "largest stress").where.startswith("case 2")
    assert found.check(part, "fatigue: amplitude").value == pytest.approx(waves[1] * LENGTH / MODULUS, rel=1e-9)


def test_the_change_from_one_kind_of_run_to_the_next_is_a_cycle():
    """F = ±(2 + sin) a: pulsating one way n₁ times, the other way n₂ times. By hand: n₁ − 1 and n₂ − 1 cycles of the
    amplitude a about ±2 a, half the range of them where a block ends, from a to 2 a, and the one from 3 a to −3 a."""
    a, n = 100.0, (200, 300)
    model = bar("mean*(2 + sin(2*pi*t))")
    found = model.strength(0, 1, step=0.01, mission={"runs": n, "mean": (a, -a)})
    s = a * LENGTH / MODULUS
    once = damage(s / 2, 1.5 * s) + damage(s / 2) + damage(3 * s)
    pulled, pressed = (count - 1 for count in n)  # on one side; on the other side the other way round
    whole = pulled * damage(s, 2 * s) + pressed * damage(s) + once
    other = pressed * damage(s, 2 * s) + pulled * damage(s) + once
    life = found.check("section bar", "fatigue: life in missions").value
    assert life == pytest.approx(1 / max(whole, other), rel=1e-6)
    assert found.check("section bar", "fatigue: amplitude").value == pytest.approx(3 * s, rel=1e-9)
    assert sum(found.mission.shares["section bar"]) < 1 - 0.9 * damage(3 * s) / max(whole, other)
    assert re.search(r"damage of +case 1 +case 2 +changes\n", str(found))


BALL = {"diameter": 0.02, "width": 0.02, "bearing": "ball", "rating": 20e3, "life": "1000 h"}


def wheel(**pin):
    model = mubo.Model("wheel", units={"length": "m"}, gravity=(0, 0))
    for name, value in {"load": "1000 N", "speed": 10.0, "d": 0.02}.items():
        model.parameter(name, value)
    model.ground.point("A", (0, 0))
    model.body("wheel", points={"A": (0, 0)}, mass=1, inertia=1)
    model.revolute("A", "ground.A", "wheel.A")
    model.driver("shaft", "wheel.phi", {"rate": "speed"})
    model.force("pull", "point_force", "wheel.A", direction=(0, -1), force="load")
    model.pin("A", **(pin or BALL))
    return model


def test_a_rolling_bearing_adds_its_revolutions():
    """P = (Σ n u P³/Σ n u)^⅓ and 1/L = Σ n u P³/(10⁶ C³), u = ω T/2π revolutions a run (ISO 281, Palmgren)."""
    n, loads, speeds = (9000, 700, 50), (1000.0, 2500.0, 6000.0), (10.0, 20.0, 4.0)
    found = wheel().strength(0, 2, step=0.5, mission={"runs": n, "load": loads, "speed": speeds})
    turns = [count * speed * 2 / (2 * math.pi) for count, speed in zip(n, speeds, strict=True)]
    cubes = [u * load**3 for u, load in zip(turns, loads, strict=True)]
    mean = (sum(cubes) / sum(turns)) ** (1 / 3)
    assert found.check("pin A", "mean effective load").value == pytest.approx(mean, rel=1e-9)
    assert found.check("pin A", "life L10 in missions").value == pytest.approx(1e6 * 20e3**3 / sum(cubes), rel=1e-9)
    hours = 1e6 * 20e3**3 / sum(cubes) * 2 * sum(n)
    assert found.check("pin A", "life L10 in time").value == pytest.approx(hours, rel=1e-9)
    assert found.mission.shares["pin A"] == pytest.approx([cube / sum(cubes) for cube in cubes], rel=1e-9)
    assert found.check("pin A", "largest load").value == pytest.approx(6000, rel=1e-9)


def test_a_plain_bearing_adds_its_sliding():
    n, speeds = (10, 3), (10.0, 20.0)
    model = wheel(diameter=0.02, width=0.02)
    found = model.strength(0, 2, step=0.5, mission={"runs": n, "speed": speeds})
    angle = sum(count * speed * 2 for count, speed in zip(n, speeds, strict=True))
    assert found.check("pin A", "sliding distance of a mission").value == pytest.approx(angle * 0.01, rel=1e-9)
    mean = 1000 * angle / (2 * 0.02 * 2 * sum(n))
    assert found.check("pin A", "mean pressure × speed").value == pytest.approx(mean, rel=1e-9)


def test_a_mission_in_a_workbook(tmp_path):
    book = Workbook()
    for line in (("runs", "load [kN]", None), (90, 1, None), (None, None, None), (10, 2, None)):
        book.active.append(line)
    book.save(tmp_path / "mission.xlsx")
    (tmp_path / "mission.csv").write_text("runs,load [kN]\n90,1\n10,2\n")
    both = [wheel().strength(0, 2, step=0.5, mission=f"{tmp_path}/mission.{end}") for end in ("xlsx", "csv")]
    assert [case.values for case in both[0].mission.cases] == [{"load": 1000.0}, {"load": 2000.0}]
    assert both[0].table().equals(both[1].table())


@pytest.mark.parametrize(
    ("mission", "words"),
    [
        ({"load": [1, 2]}, 'there is no column "runs"'),
        ({"runs": [1.5], "load": [1]}, "line 2: runs must be a whole number from 1; found 1.5"),
        ({"runs": [0], "load": [1]}, "runs must be a whole number from 1; found 0"),
        ({"runs": ["many"], "load": [1]}, 'line 2: runs: expected a number; found "many"'),
        ({"runs": [1], "laod": [1]}, 'there is no parameter "laod". Did you mean "load"'),
        ({"runs": [1, 2], "load": [1]}, "all columns need one length"),
        ({"runs": []}, "has no variant"),
        ({"runs": [1, 1], "load": ["1 kN", "3 m"]}, "line 3: load"),
        ("nowhere.csv", "there is no table of runs nowhere.csv"),
    ],
)
def test_missions_that_cannot_be_read(mission, words):
    with pytest.raises(mubo.ModelError, match=words.replace(".", r"\.")):
        wheel().strength(0, 2, step=0.5, mission=mission)


def test_a_kind_of_run_that_changes_a_part_is_refused():
    model = wheel(diameter="d", width=0.02)
    with pytest.raises(mubo.ModelError, match="case 2 changes the pin A: a mission changes loads and motions"):
        model.strength(0, 2, step=0.5, mission={"runs": [1, 1], "d": [0.02, 0.03]})
