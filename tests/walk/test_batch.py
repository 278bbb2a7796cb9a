"""Many variants in one call: the same numbers as one by one, and every variant that fails is named."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def load(name):
    return mubo.load(EXAMPLES / f"{name}.toml")


def around(model, names, variants, part=0.02):
    """Points of bodies moved at random by a part of their distance from the origin of the body."""
    spread = np.random.default_rng(4)
    held = {}
    for name in names:
        at = np.array(model.build().place(name)[1])
        held[name] = at + part * max(np.hypot(*at), 0.1) * spread.uniform(-1, 1, (variants, 2))
    return held


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("four_bar", ("crank.B", "coupler.B", "coupler.C", "rocker.D", "ground.D")),
        ("slider_crank", ()),
        ("whitworth", ()),
        ("stephenson_six_bar", ()),
        ("watt_six_bar", ()),
        ("jansen_leg", ()),
        ("eight_body", ()),
    ],
)
def test_a_batch_equals_the_models_one_by_one(name, points):
    """Against Model.replace and Model.kinematics, which solve and prove every variant for itself."""
    model = load(name)
    every = [f"{body.name}.{point}" for body in model.bodies.values() for point in body.points]
    batch = model.batch(around(model, points or every[:5], 4))
    assert batch.ok.all()
    for k in range(4):
        run = batch.variant(k).kinematics()
        assert len(run) == len(batch.t)
        for column in batch.names:
            gap = np.abs(batch[column][k] - run[column])
            assert np.max(gap / (1 + np.abs(run[column]))) < 1e-10, (k, column)


def test_lengths_and_points_of_interest_vary_too():
    model = load("four_bar_link")
    batch = model.batch({"coupler.length": [3.9, 4.1], "C": [(4, 0), (3, 1)]}, columns=["C.x", "C.vy", "rocker.phi"])
    for k, (length, at) in enumerate([(3.9, (4, 0)), (4.1, (3, 1))]):
        run = model.replace("coupler.length", length).replace("C", at).kinematics()
        for column in batch.names:
            np.testing.assert_allclose(batch[column][k], run[column], atol=1e-10)


def test_angles_are_in_the_units_of_the_model():
    model = load("four_bar").copy()
    turned = mubo.Model("degrees", {"length": "m", "angle": "deg"})
    turned.bodies, turned.joints = model.bodies, model.joints
    turned.driver("motor", "crank.phi", "60 + 360*t")
    batch = turned.batch({"crank.B": [(1, 0)]}, 0, 1, 0.1)
    np.testing.assert_allclose(batch["crank.phi"][0], 60 + 360 * batch.t, rtol=1e-12)
    np.testing.assert_allclose(batch["crank.omega"][0], 360, rtol=1e-12)


def test_a_vector_that_vanishes_by_chance_may_grow():
    """The model hangs its second dyad on pin C itself; in the variants its pin E lies beside C."""
    model = load("four_bar")
    coupler = model.bodies["coupler"]
    model.bodies["coupler"] = type(coupler)("coupler", coupler.position, coupler.angle, {**coupler.points, "E": (2, 0)})
    model.ground.point("G", (6, 0))
    model.body("link", (5.5, 3), 0.0, {"E": (-1.5, 0), "F": (1.5, 0)})
    model.body("lever", (6.5, 1.5), 1.3, {"F": (1.6, 0), "G": (-1.6, 0)})
    model.revolute("E", "coupler.E", "link.E")
    model.revolute("F", "link.F", "lever.F")
    model.revolute("G", "lever.G", "ground.G")
    batch = model.batch({"coupler.E": [(2, 0), (2.2, 0.1)]}, 0, 0.2, 0.01)
    for k in range(2):
        run = batch.variant(k).kinematics(0, 0.2, 0.01)
        for column in batch.names:
            np.testing.assert_allclose(batch[column][k], run[column], atol=1e-9, rtol=1e-10)


def test_a_variant_that_cannot_be_built_or_locks_is_told_and_leaves_no_rows():
    """Coupler 0.1 long: B and D are √(4 + 6.25 − 5) = 2.29 apart at 60°, too close for a rocker of 4.
    Crank 6 long: coupler and rocker line up where |BD| = 8, cos θ = (36 + 6.25 − 64) / 30; nothing exists beyond."""
    model = load("four_bar")
    given = {"crank.B": [(1, 0), (1, 0), (5, 0)], "coupler.C": [(2, 0), (-1.9, 0), (2, 0)]}
    with pytest.warns(UserWarning, match="3 variants .* 1 ok, 1 stopped early, 1 not assembled"):
        batch = model.batch(given, 0, 1, 0.01)
    locks = (math.acos((36 + 6.25 - 64) / 30) - math.pi / 3) / (2 * math.pi)
    assert list(batch.reached) == [100, -1, math.floor(locks / 0.01)]
    assert list(batch.ok) == [True, False, False]
    assert "variant 1: not assembled" in batch.messages[1]
    assert "variant 2: stops at t = 0.21" in batch.messages[2]
    assert float(batch.messages[2].split("t = ")[1].split(" s,")[0]) == pytest.approx(locks, abs=1e-8)
    values = batch["coupler.x"]
    assert np.isfinite(values[0]).all()
    assert np.isnan(values[1]).all()
    assert np.isfinite(values[2, :22]).all()
    assert np.isnan(values[2, 22:]).all()


def test_a_change_point_stops_a_variant():
    """A parallelogram lies flat at 180°, t = (180 − 60) / 360; a batch does not choose between its two motions."""
    model = load("four_bar")
    given = {"crank.B": [(1, 0)], "coupler.C": [(0.5, 0)], "rocker.C": [(0, 0)]}  # 2, 2.5, 2 on a ground of 2.5
    with pytest.warns(UserWarning, match="1 stopped early"):
        batch = model.batch(given, 0, 1, 0.01)
    assert batch.reached[0] == 33
    assert f"t = {1 / 3:.6f}" in batch.messages[0]


def test_threads_change_nothing():
    """Bit by bit."""
    model = load("jansen_leg")
    every = [f"{body.name}.{point}" for body in model.bodies.values() for point in body.points][:6]
    given = around(model, every, 50)
    alone, shared = (model.batch(given, threads=threads) for threads in (1, 2))
    assert alone.values.tobytes() == shared.values.tobytes()


def test_coarse_steps_stay_on_the_branch():
    """Five rows a turn: every variant is led between the rows and meets the rows of a fine run."""
    model = load("four_bar")
    given = around(model, ["crank.B", "coupler.C"], 5, 0.1)
    coarse, fine = model.batch(given, 0, 1, 0.2), model.batch(given, 0, 1, 0.001)
    np.testing.assert_allclose(coarse["rocker.phi"], fine["rocker.phi"][:, ::200], atol=1e-10)


def test_progress_counts_variants():
    seen = []
    load("four_bar").batch(
        {"crank.B": np.full((20_000, 2), (1.0, 0.0))},
        0,
        1,
        0.01,
        columns=["crank.x"],
        progress=lambda done, all_of_them: seen.append((done, all_of_them)),
    )
    assert seen[-1] == (20_000, 20_000)
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        ({}, {}, "at least one dimension"),
        ({"crank.C": [(1, 0)]}, {}, '"crank.C" cannot vary in a batch. Did you mean "crank'),
        ({"crank.angle": [1.0]}, {}, '"crank.angle" cannot vary'),
        ({"crank.B": [1.0, 2.0]}, {}, r"crank.B: expected an array of shape \(variants, 2\); found \(2,\)"),
        ({"crank.B": [("a", "b")]}, {}, "crank.B: expected an array of numbers"),
        ({"crank.B": np.zeros((0, 2))}, {}, "at least one variant"),
        ({"crank.B": [(1, 0)], "coupler.C": [(2, 0)] * 2}, {}, "same number of variants; found crank.B 1, coupler.C 2"),
        ({"crank.B": [(1, 0), (np.nan, 0)]}, {}, r"crank.B: variant 1 \(counted from 0\) must be finite"),
        ({"crank.B": [(1, 0)]}, {"columns": ["crank.z"]}, 'no column "crank.z"'),
        ({"crank.B": [(1, 0)]}, {"threads": 0}, "threads must be at least 1"),
    ],
)
def test_what_cannot_vary_is_refused_by_name(given, options, words):
    with pytest.raises(mubo.ModelError, match=words):
        load("four_bar").batch(given, 0, 1, 0.1, **options)


def test_measures_are_refused_in_words():
    model = load("four_bar").copy()
    model.measure("lift", of="P.y")
    with pytest.raises(mubo.ModelError, match=r'no column "lift"\. It is a measure'):
        model.batch({"crank.B": [(1, 0)]}, 0, 1, 0.1, columns=["lift"])
    batch = model.batch({"crank.B": [(1, 0)]}, 0, 1, 0.1)
    with pytest.raises(mubo.ResultError, match=r"It is a measure, .* batch.variant\(k\).kinematics"):
        batch["lift.rate"]
    assert "lift.rate" in batch.variant(0).kinematics(0, 1, step=0.1).columns


def test_lengths_must_be_positive():
    with pytest.raises(mubo.ModelError, match=r"coupler.length: variant 1 .* must be positive"):
        load("four_bar_link").batch({"coupler.length": [4, -4]})


def test_cams_are_sent_to_the_slow_way():
    model = load("tappet_cam")
    body, point = next((b.name, p) for b in model.bodies.values() for p in b.points)
    with pytest.raises(mubo.ModelError, match=r"needs vector loops.*\n.*one by one"):
        model.batch({f"{body}.{point}": [(0, 0)]})


def test_a_length_from_the_estimates_is_no_linear_function():
    model = load("four_bar_link")
    left_out = model.copy()
    joint = left_out.joints["coupler"]
    left_out.joints["coupler"] = type(joint)(joint.name, joint.kind, joint.between, {})
    with pytest.raises(mubo.ModelError, match="taken from the estimates"):
        left_out.batch({"crank.B": [(2, 0)]})


def test_an_unknown_column_of_a_batch_is_named():
    batch = load("four_bar").batch({"crank.B": [(1, 0)]}, 0, 1, 0.1, columns=["P.x"])
    with pytest.raises(mubo.ResultError, match=r'no column "P\.y"'):
        batch["P.y"]
