"""The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007), from its model file."""

import numpy as np
import pytest
from conftest import EXAMPLES
from rolling_cases import FINE, FORMULATIONS, case, stacked, table

import mubo

BENCHMARK = case("benchmark_bicycle", "bicycle")
LEAN, STEER = "place.q5", "steer.q"


def linear(speed):
    """Linearised about straight upright rolling at a speed: M, C and K over lean and steer, and all roots.

    Forward motion decouples from lean and steer, so that the equations of these two are blocks of M, C and K.
    """
    model = mubo.load(EXAMPLES / "bicycle.toml")
    model.initial("place", v=[0] * 6)
    model.initial("hub_rear", v=-speed / 0.3)
    found = model.linearize(about="steady" if speed else "position", dofs=(LEAN, STEER))
    assert found.dofs[:2] == (LEAN, STEER)
    return [matrix[:2, :2] for matrix in (found.M, found.C, found.K)], found


@pytest.mark.truth("beyond_bicycle/benchmark_bicycle")
def test_matrices_of_the_paper():
    """M q̈ + v C1 q̇ + (g K0 + v² K2) q = 0: K at rest gives K0, at 1 m/s C gives C1 and K gives K2."""
    (M, none, K_rest), _ = linear(0)
    (_, C, K), _ = linear(1.0)
    K0 = K_rest / 9.81
    K2 = K - K_rest
    for found, name in ((M, "M"), (C, "C1"), (K0, "K0"), (K2, "K2")):
        expected = np.array(BENCHMARK[name])
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * abs(expected).max() + 1e-11, err_msg=name)
    assert not none.any()


@pytest.mark.truth("beyond_bicycle/benchmark_bicycle")
def test_roots_at_five_metres_per_second():
    _, found = linear(5.0)
    roots = sorted((z for z in found.eigenvalues if abs(z) > 1e-3), key=lambda z: (z.real, z.imag))
    expected = sorted((complex(*pair) for pair in BENCHMARK["rows"][0]["eigenvalues"]), key=lambda z: (z.real, z.imag))
    np.testing.assert_allclose(roots, expected, rtol=1e-10, atol=1e-10)
    (note,) = [note for note in found.notes if "ignorable" in note]
    assert "place.q1, place.q2, place.q4 and hub_front.q" in note


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.truth("beyond_bicycle/nonlinear_upright_4.6")
def test_full_motion(formulation):
    """Upright at 4.6 m/s with a lean rate of 0.5 rad/s: seven coordinates, three rates, six contact forces."""
    rows = case("nonlinear_upright_4.6", "bicycle")["rows"]
    model = mubo.load(EXAMPLES / "bicycle.toml")
    report = model.check()
    assert (report.diagnosis.mobility, report.velocities.mobility) == (7, 3)
    run = model.simulate(end=rows[-1]["t"], step=rows[1]["t"], formulation=formulation, reactions=True, **FINE)
    columns = {"yaw": "place.q4", "roll": LEAN, "pitch": "place.q6", "steer": STEER}
    columns |= {"rear_angle": "hub_rear.q", "front_angle": "hub_front.q", "rear_rate": "hub_rear.v"}
    for key, column in columns.items():
        np.testing.assert_allclose(run[column], table(rows, key), atol=1e-8, err_msg=key)
    for wheel in ("rear", "front"):
        force = stacked(run, *(f"contact_{wheel}.on_{wheel}.f{x}" for x in "xyz"))
        np.testing.assert_allclose(force, table(rows, f"{wheel}_force"), atol=1e-6)
        at = run.reaction(f"contact_{wheel}").point
        np.testing.assert_allclose(at[:, :2], table(rows, f"{wheel}_contact"), atol=1e-8)
    assert abs(run["energy.error"]).max() < 1e-7
