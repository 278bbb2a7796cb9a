"""Variants in the lanes of vector registers: bit by bit what each gives alone, whatever its neighbours are.

The same holds of statuses, of variants that lock in the middle and of those that must divide their steps. Widths are
all that this processor has; 1 is the variant alone.
"""

import math

import mpmath
import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo import _core
from mubo.design import batch as study

FILES = sorted([*EXAMPLES.glob("*.toml"), *EXAMPLES.glob("*.dat")])
WIDTHS = _core.lane_widths()
NOT_BATCHED = 63  # examples in space, with cams, without drivers, starting as drawn, that roll or touch


def by_width(monkeypatch, run):
    """The answers of `run` with every width, the widest first, alone last."""
    answers = []
    for width in WIDTHS:
        monkeypatch.setattr(study, "MOST_LANES", width)
        answers.append(run())
    return answers


def same(batch, alone):
    assert batch.values.tobytes() == alone.values.tobytes()
    assert batch.reached.tolist() == alone.reached.tolist()
    assert batch.messages == alone.messages


def around(model, variants, part, seed=4):
    """Up to five points of bodies moved at random by a part of their distance from the origin of the body."""
    spread, held = np.random.default_rng(seed), {}
    names = [f"{body.name}.{point}" for body in model.bodies.values() for point in body.points]
    for name in names[:5]:
        at = np.array(model.build().place(name)[1])
        held[name] = at + part * max(np.linalg.norm(at), 0.1) * spread.uniform(-1, 1, (variants, len(at)))
    return held


def test_a_processor_has_lanes_and_can_do_without():
    assert sorted(WIDTHS, reverse=True) == WIDTHS
    assert WIDTHS[-1] == 1
    assert len(WIDTHS) > 1


@pytest.mark.filterwarnings("ignore")
def test_every_example_gives_the_same_bits_in_lanes_and_alone(monkeypatch):
    """Seventeen variants: a full group of every width and one that is not."""
    compared = 0
    for path in FILES:
        try:
            model = mubo.load(path)
            given = around(model, 17, 0.02)
            *wide, alone = by_width(monkeypatch, lambda model=model, given=given: model.batch(given, threads=1))
        except (mubo.ModelError, mubo.RedundancyError):
            continue
        for batch in wide:
            same(batch, alone)
        compared += 1
    assert compared >= len(FILES) - NOT_BATCHED


def random_links(variants, seed):
    """Four-bars of any lengths: some run, some lock, some cannot be assembled."""
    links = np.random.default_rng(seed).uniform((0.3, 0.3, 0.3, 1.0), (6.0, 8.0, 8.0, 6.0), (variants, 4))

    def along(k, part):
        return np.column_stack([part * links[:, k], np.zeros(variants)])

    return {
        "crank.A": along(0, -0.5),
        "crank.B": along(0, 0.5),
        "coupler.B": along(1, -0.5),
        "coupler.C": along(1, 0.5),
        "rocker.C": along(2, 0.5),
        "rocker.D": along(2, -0.5),
        "ground.D": along(3, 1.0),
    }


@pytest.mark.filterwarnings("ignore:101 variants")
@pytest.mark.parametrize("step", [0.01, 0.05])
def test_variants_that_lock_or_divide_their_steps_leave_their_neighbours_alone(monkeypatch, step):
    model, given = mubo.load(EXAMPLES / "four_bar.toml"), random_links(101, 3)
    *wide, alone = by_width(monkeypatch, lambda: model.batch(given, 0, 1, step))
    assert (alone.reached < 0).any()
    assert ((alone.reached > 0) & ~alone.ok).any()
    assert alone.ok.any()
    for batch in wide:
        same(batch, alone)


@pytest.mark.filterwarnings("ignore:64 variants")
def test_neighbours_and_their_order_change_nothing():
    """Shuffled, every variant has other neighbours and another lane."""
    model, given = mubo.load(EXAMPLES / "four_bar.toml"), random_links(64, 5)
    order = np.random.default_rng(1).permutation(64)
    straight = model.batch(given, 0, 1, 0.02, threads=1)
    shuffled = model.batch({name: values[order] for name, values in given.items()}, 0, 1, 0.02, threads=2)
    assert shuffled.values.tobytes() == np.ascontiguousarray(straight.values[order]).tobytes()
    assert shuffled.reached.tolist() == straight.reached[order].tolist()


def test_equations_that_are_solved_together_choose_their_pivots_by_lane(monkeypatch):
    """Stephenson's six-bar driven at its output: four unknowns at once."""
    model = mubo.load(EXAMPLES / "stephenson_six_bar.toml")
    start = model.kinematics(0, 0.1, 0.1)["output.phi"][0]
    turned = model.copy()
    del turned.drivers["motor"]
    turned.driver("other", "output.phi", f"{start} + 10*t")
    given = around(turned, 19, 0.01)
    *wide, alone = by_width(monkeypatch, lambda: turned.batch(given, 0, 0.5, 0.01))
    assert alone.ok.any()
    for batch in wide:
        same(batch, alone)
    k = int(np.flatnonzero(alone.ok)[0])
    run = alone.variant(k).kinematics(0, 0.5, 0.01)
    np.testing.assert_allclose(alone["crank.phi"][k], run["crank.phi"], atol=1e-9)


def units(found, exact):
    """Differences in units of the last place of the exact value."""
    return abs((mpmath.mpf(found) - exact) / mpmath.mpf(math.ulp(float(exact))))


def test_cosine_and_sine_are_within_a_unit_of_the_last_place():
    """Against mpmath with 60 digits: small and large angles, and the neighbours of quarter turns."""
    spread = np.random.default_rng(0)
    quarters = np.arange(-40, 41) * (math.pi / 2)
    angles = np.concatenate(
        [
            spread.uniform(-math.pi, math.pi, 600),
            spread.uniform(-1000, 1000, 300),
            spread.uniform(-1.6e6, 1.6e6, 300),
            spread.uniform(-1, 1, 50) * 10.0 ** spread.uniform(-300, 0, 50),
            quarters,
            np.nextafter(quarters, np.inf),
            quarters + 1e-7,
        ]
    )
    found = _core.cos_sin(angles)
    with mpmath.workdps(60):
        for k, angle in enumerate(angles):
            assert units(found[0, k], mpmath.cos(mpmath.mpf(angle))) <= 1, angle
            assert units(found[1, k], mpmath.sin(mpmath.mpf(angle))) <= 1, angle


def test_angles_beyond_reach_are_those_of_the_library():
    angles = np.array([1.7e6, -3e9, 1e22, np.nan, 0.0])
    found = _core.cos_sin(angles)
    np.testing.assert_allclose(found[:, :3], [np.cos(angles[:3]), np.sin(angles[:3])], atol=3e-16)
    assert np.isnan(found[:, 3]).all()
    assert found[:, 4].tolist() == [1.0, 0.0]
