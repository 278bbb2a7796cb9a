"""A scissor lift of n stages: every height is a multiple of the arm times the sine of the driven angle."""

import importlib.util

import numpy as np
import pytest
from conftest import EXAMPLES


def builder():
    spec = importlib.util.spec_from_file_location("scissor_lift", EXAMPLES / "scissor_lift.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.scissor_lift


@pytest.mark.parametrize("formulation", ["absolute", "loops"])
@pytest.mark.parametrize("stages", [3, 30, 500])
def test_heights_and_rates(stages, formulation):
    """Small systems go through the dense core, large ones through SuperLU, or stage by stage through loops."""
    model = builder()(stages)
    assert len(model.bodies) == 2 * stages + 2
    run = model.kinematics(0, 0.2, 0.1, formulation=formulation)
    angle = 0.5 + 0.2 * run["t"]
    np.testing.assert_allclose(run["top.y"], 2 * stages * np.sin(angle), rtol=1e-11)
    np.testing.assert_allclose(run["top.vy"], 2 * stages * 0.2 * np.cos(angle), rtol=1e-10)
    np.testing.assert_allclose(run["top.ay"], -2 * stages * 0.04 * np.sin(angle), rtol=1e-8)
    np.testing.assert_allclose(run["slider.x"], -np.cos(0.5) + 2 * np.cos(angle), rtol=1e-10)
    assert run.summary["mobility"]["loops"] == stages  # 3n + 1 joints, 2n + 2 bodies


def test_the_proof_of_a_long_lift_holds():
    """Bars turn evenly, so all of `alpha` is rounding, which adds up over 500 stages to 3e-12 of the largest rates:
    more than a short mechanism is allowed."""
    proof = builder()(500).kinematics(0, 1, 0.5).verify()
    assert proof.holds, proof
    assert proof["joint coordinates"].holds is True
