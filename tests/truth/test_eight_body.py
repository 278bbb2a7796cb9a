"""The eight-body mechanism with two cylinders (Tartari 2019, Problem 12): every point at every stored time."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

ORDERS = (("pos", ("x", "y")), ("vel", ("vx", "vy")), ("acc", ("ax", "ay")))


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "eight_body.toml").kinematics()


def test_every_point_is_within_the_tolerance_of_the_reference(run, reference):
    answer = reference("tartari")
    samples = answer["table1"]["samples"]
    np.testing.assert_allclose(run["t"], [s["t"] for s in samples], atol=1e-12)
    for name in answer["initial_points"]:
        for key, words in ORDERS:
            expected = np.array([s["points"][name][key] for s in samples])
            found = np.column_stack([run[f"{name}.{word}"] for word in words])
            np.testing.assert_allclose(found, expected, rtol=0, atol=answer["tolerances"][key], err_msg=name)


def test_bodies_turn_as_stored(run, reference):
    answer = reference("tartari")
    names = ("boom", "lever", "bucket", "link", "lower_cylinder", "lower_rod", "upper_cylinder", "upper_rod")
    for number, name in enumerate(names, 1):
        turned = np.array([s["body_rotation"][f"body{number}"] for s in answer["table1"]["samples"]])
        start = answer["frame_initial"][f"body{number}"]["phi0"]
        np.testing.assert_allclose(run[f"{name}.phi"] - start, turned[:, 0], rtol=0, atol=1e-11)
        np.testing.assert_allclose(run[f"{name}.omega"], turned[:, 1], rtol=0, atol=1e-10)
        np.testing.assert_allclose(run[f"{name}.alpha"], turned[:, 2], rtol=0, atol=1e-9)


def test_slides_are_the_driver_lengths(run):
    lower = np.hypot(1.8, 0.6) + 0.25 * np.sin(2 * run["t"])
    np.testing.assert_allclose(run["lower_ram.q"], lower, rtol=1e-13)
    np.testing.assert_allclose(run["lower_ram.v"], 0.5 * np.cos(2 * run["t"]), atol=1e-12)
    np.testing.assert_allclose(run["lower_ram.a"], -np.sin(2 * run["t"]), atol=1e-11)
    np.testing.assert_allclose(run["lower_pump.value"], lower, rtol=1e-14)


def test_rams_in_one_line_give_the_same_motion(run):
    """Cylinders and rods replaced by two distance drivers: four bodies instead of eight, the same points."""
    model = mubo.load(EXAMPLES / "eight_body.toml")
    for name in ("lower_cylinder", "lower_rod", "upper_cylinder", "upper_rod"):
        del model.bodies[name]
    for name in ("H", "N", "M", "G", "lower_ram", "upper_ram"):
        del model.joints[name]
    del model.points["H"], model.points["N"]
    laws = {name: driver.motion for name, driver in model.drivers.items()}
    model.drivers.clear()
    model.driver("lower", ("ground.N", "boom.M"), laws["lower_pump"])
    model.driver("upper", ("ground.H", "lever.G"), laws["upper_pump"])
    short = model.kinematics()
    for name in ("K", "B", "C"):
        np.testing.assert_allclose(short[f"{name}.x"], run[f"{name}.x"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(short[f"{name}.ay"], run[f"{name}.ay"], rtol=0, atol=1e-9)


def test_standard_deviations_of_the_comparison_are_rounding(run, reference, tmp_path):
    """The report's Table 4 by `mubo.compare`: standard deviations against the stored reference, all below 1e-10."""
    samples = reference("tartari")["table1"]["samples"]
    names = list(samples[0]["points"])
    header = ["t"] + [f"{n}.{w}" for n in names for _, words in ORDERS for w in words]
    lines = [",".join(header)]
    for s in samples:
        values = [s["t"]] + [v for n in names for key, _ in ORDERS for v in s["points"][n][key]]
        lines.append(",".join(map(repr, values)))
    (tmp_path / "reference.csv").write_text("\n".join(lines))
    run.save(tmp_path / "run.csv")
    compared = mubo.compare(tmp_path / "run.csv", tmp_path / "reference.csv")
    assert len(compared.rows) == len(header) - 1
    for row in compared.rows:
        assert row.std < 1e-10, row


def test_extremes_are_those_of_points_that_move():
    """O, H and N are pins of the ground: nothing is searched there; the tip K of the bucket is."""
    run = mubo.load(EXAMPLES / "eight_body.toml").kinematics()
    assert not {f"{point}.speed" for point in "OHN"} & set(run.extremes)
    assert {f"{point}.speed" for point in "KAB"} <= set(run.extremes)
    assert run.extremes["K.speed"]["max"][0] > 0
