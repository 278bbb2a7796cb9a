"""The four-bar of the KABIOS manual, section 7: every number of the reference, and the printed listing."""

import re

import numpy as np
import pytest
from conftest import DATA

import mubo

ORDERS = (
    ("pos", ("x", "y", "phi"), "pos"),
    ("vel", ("vx", "vy", "omega"), "vel"),
    ("acc", ("ax", "ay", "alpha"), "acc"),
)


@pytest.fixture(scope="module")
def model():
    return mubo.load(DATA / "kabios_four_bar.dat")


def test_every_value_is_within_the_tolerance_of_the_reference(model, reference):
    answer = reference("kabios_four_bar")
    run = model.kinematics()
    assert len(run) == 41
    np.testing.assert_array_equal(run["t"], [0 + k * 0.025 for k in range(41)])
    for key, words, order in ORDERS:
        for number in range(1, 5):
            expected = np.array([step["bodies"][number - 1][key] for step in answer["steps"]])
            found = np.column_stack([run[f"body{number}.{word}"] for word in words])
            np.testing.assert_allclose(found, expected, rtol=0, atol=answer["tolerances"][order])
        expected = np.array([step["points"][0][key] for step in answer["steps"]])
        found = np.column_stack([run[f"P1.{word}"] for word in words[:2]])
        np.testing.assert_allclose(found, expected, rtol=0, atol=answer["tolerances"][order])


def test_the_listing_has_the_84_printed_numbers_digit_for_digit(model, reference, tmp_path):
    """The manual prints, for t = 0 and 0.025, nine numbers of four bodies and six of the point: 2 · (36 + 6)."""
    model.kinematics().save(tmp_path / "out.txt")
    blocks = re.split(r"TIME =\s+", (tmp_path / "out.txt").read_text())[1:]
    assert len(blocks) == 41
    compared = 0
    for text, printed in zip(blocks, reference("kabios_four_bar")["printed_check"]["printed"].items(), strict=False):
        time, values = printed
        assert float(text.split()[0]) == float(time)
        lines = [line.split() for line in text.splitlines()]
        bodies = {line[0]: line[1:] for line in lines if len(line) == 10 and line[0].isdigit()}
        for number, expected in values["b"].items():
            assert bodies[number] == [f"{v:.3f}" for v in expected]
            compared += len(expected)
        point = next(line[1:] for line in lines if len(line) == 7 and line[0] == "1")
        assert point == [f"{v:.3f}" for v in values["p"]["1"]]
        compared += len(values["p"]["1"])
    assert compared == 84


def test_newton_totals_are_the_stored_ones(model, reference):
    for stored in reference("kabios_four_bar")["newton_counts"]:
        predictor = {"taylor2": "taylor", "previous": "previous"}[stored["predictor"]]
        run = model.kinematics(tolerance=stored["feps"], predictor=predictor)
        assert abs(run.summary["newton_iterations"] - stored["total"]) <= 2


def test_the_proof_in_the_summary(model):
    summary = model.kinematics().summary
    assert summary["status"] == "ok"
    assert summary["mobility"] == {"gruebler": 1, "rank": 1, "loops": 1, "redundant": []}
    assert summary["residual"]["position"] < 1e-13
    assert summary["residual"]["acceleration"] < 1e-10
    assert summary["there_and_back"] < 1e-11


def test_three_spellings_of_the_model_give_bit_equal_tables(model, tmp_path):
    model.save(tmp_path / "model.toml")
    model.save(tmp_path / "model.dat")

    built = mubo.Model("kabios_four_bar")
    built.body("body1", (0, 0), 0.0, {"R1": (0, 0), "R4": (2.5, 0)})
    built.body("body2", (0.5, 0.8), 1.047, {"R1": (-1, 0), "R2": (1, 0)})
    built.body("body3", (2.6, 2.6), 0.5, {"R2": (-2, 0), "R3": (2, 0)})
    built.body("body4", (3.5, 1.8), 1.0, {"R3": (2, 0), "R4": (-2, 0)})
    built.revolute("R1", "body1.R1", "body2.R1")
    built.revolute("R2", "body2.R2", "body3.R2")
    built.revolute("R3", "body3.R3", "body4.R3")
    built.revolute("R4", "body4.R4", "body1.R4")
    built.joint("G1", "ground", "body1")
    built.driver("driver1", "body2.phi", "1.0472 + 6.2832*t")
    built.point("P1", "body3", (0.5, 1.5))

    first = model.kinematics()
    others = [
        mubo.load(tmp_path / "model.toml").kinematics(),
        mubo.load(tmp_path / "model.dat").kinematics(),
        built.kinematics(0, 1, 0.025),
    ]
    for other in others:
        assert list(other.columns) == list(first.columns)
        for name, values in first.columns.items():
            np.testing.assert_array_equal(other[name], values, err_msg=name)
    assert mubo.load(tmp_path / "model.toml").bodies == model.bodies
