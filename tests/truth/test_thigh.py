"""The guided thigh of the KABIOS manual, section 8: smoothing, motion and the printed numbers."""

import numpy as np
import pytest
from conftest import DATA

import mubo

COLUMNS = {"x": ("x", "vx", "ax"), "y": ("y", "vy", "ay"), "phi": ("phi", "omega", "alpha")}


@pytest.fixture(scope="module")
def run():
    return mubo.load(DATA / "kabios_thigh.dat").kinematics()


def test_rows_and_smoothing(run):
    assert len(run) == 68
    notes = run.summary["motion"]
    assert notes["guide1"]["smoothing"] == pytest.approx(2.0525687e-6, rel=1e-4)
    assert notes["guide2"]["smoothing"] == notes["guide3"]["smoothing"] == 0.0


def test_every_value_is_within_the_tolerance_of_the_reference(run, reference):
    answer = reference("kabios_thigh")
    for column, (name, words) in enumerate(COLUMNS.items()):
        limits = answer["tolerances"]["x_if_lambda_minimised_to_1e_6" if name == "x" else "y_phi"]
        for key, word in zip(("pos", "vel", "acc"), words, strict=True):
            expected = [step[key][column] for step in answer["steps"]]
            np.testing.assert_allclose(run[f"body1.{word}"], expected, rtol=0, atol=limits[key])


def test_the_listing_has_the_45_printed_numbers(run, reference, tmp_path):
    run.save(tmp_path / "out.txt")
    blocks = (tmp_path / "out.txt").read_text().split("TIME =")[1:]
    lines = {float(b.split()[0]): b.splitlines()[3].split()[1:] for b in blocks}
    printed = reference("kabios_thigh")["printed"]
    compared = 0
    for k, t in enumerate(printed["t"]):
        for column, name in enumerate(COLUMNS):
            for order in range(3):
                assert lines[t][column + 3 * order] == f"{printed[name][k][order]:.3f}"
                compared += 1
    assert compared == 45


def test_interpolation_on_demand(reference):
    from dataclasses import replace

    model = mubo.load(DATA / "kabios_thigh.dat")
    law = replace(model.drivers["guide1"].motion, smooth="none")
    run = model.replace("guide1", law).kinematics()
    expected = np.array([step["interp_x"] for step in reference("kabios_thigh")["steps"]])
    found = np.column_stack([run["body1.x"], run["body1.vx"], run["body1.ax"]])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)
