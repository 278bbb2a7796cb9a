"""Forward dynamics of closed loops against reduced equations integrated in quadruple precision: tests/data/dynamics.

The overconstrained Bricard linkage (IFToMM A04): period by a quadrature of its one-degree of freedom energy.
"""

import json

import numpy as np
import pytest
from conftest import DATA

import mubo

FOLDER = DATA / "dynamics"
CLAIMS = {
    "released": "forces_forward_planar/four_bar_released",
    "viscous": "forces_forward_planar/four_bar_viscous_pins",
    "buffered": "forces_forward_planar/slider_crank_buffer",
    "double": "forces_forward_loops/double_four_bar",
    "andrews": "forces_forward_loops/andrews",
}
REFERENCE = json.loads((FOLDER / "reference.json").read_text())
RATES = (".omega", ".v", ".vx")


@pytest.mark.parametrize("form", ["tree", "absolute"])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.truth(CLAIMS[name])] if name in CLAIMS else []) for name in REFERENCE],
)
def test_motion_and_energy(name, form):
    """Angles to 1e-6 and rates to 1e-5 of the largest rate, as the references justify; loops closed to rounding."""
    expected, model = REFERENCE[name], mubo.load(FOLDER / f"{name}.toml")
    step = expected["times"][1]
    run = model.simulate(0, expected["times"][-1], step, formulation=form)
    np.testing.assert_allclose(run["t"], expected["times"], rtol=0, atol=1e-12)
    for column, values in expected["columns"].items():
        size = max(1.0, float(np.max(np.abs(values)))) if not column.endswith((".phi", ".q")) else 1.0
        limit = 1e-5 if column.endswith(RATES) else 1e-4 if column.endswith((".alpha", ".a")) else 1e-6
        assert np.max(np.abs(run[column] - np.array(values))) < limit * size, column
    assert run.summary["energy"]["relative"] < 1e-9
    loops = run.summary["loops"]
    assert loops["gap"] < 1e-14
    assert loops["gap_rate"] < 1e-12 * max(1.0, *(float(np.max(np.abs(v))) for v in expected["columns"].values()))
    assert loops["left_out"] == []


def bricard() -> mubo.Model:
    """Five rods of 1 m, 1 kg and square section 0.1 m; six hinges about y, z, x, y, z, x."""
    model = mubo.Model("bricard", dimension=3, gravity=(0, -9.81, 0))
    corners = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0)] * 2
    model.ground.point("P0", corners[0])
    model.ground.point("P5", corners[5])
    for k in range(5):
        begin, end = np.array(corners[k], float), np.array(corners[k + 1], float)
        along = np.abs(end - begin)
        inertia = np.where(along > 0, 2 * 0.1**2 / 12, (1 + 0.1**2) / 12)
        points = {f"P{k}": (0, 0, 0), f"P{k + 1}": tuple(end - begin)}
        model.body(
            f"rod{k}", tuple(begin), orientation=(1, 0, 0, 0), points=points, mass=1, inertia=tuple(inertia),
            center=tuple((end - begin) / 2),
        )  # fmt: skip
    bodies = ["ground", *(f"rod{k}" for k in range(5)), "ground"]
    for k in range(6):
        model.revolute(f"H{k}", f"{bodies[k]}.P{k}", f"{bodies[k + 1]}.P{k}", axis=axes[k])
    return model


@pytest.mark.parametrize("form", ["tree", "absolute"])
def test_bricard(form):
    """One redundant row, named; period 4.9917115137 s, first acceleration 1.958083832335329 rad/s² (benchmark A04)."""
    run = bricard().simulate(0, 2 * 4.9917115137, 4.9917115137 / 8, formulation=form)
    assert len(run.summary["loops"]["left_out"]) == 1
    assert any("1 redundant equation left out" in note for note in run.summary["warnings"])
    assert run.summary["dofs"] == 1
    assert abs(run["H0.a"][0]) == pytest.approx(1.958083832335329, rel=1e-9)
    for column in ("rod2.x", "rod2.y", "rod2.z"):
        assert run[column][[8, 16]] == pytest.approx(run[column][0], abs=1e-6)
    assert run.summary["loops"]["gap"] < 1e-13
    assert run.summary["energy"]["relative"] < 1e-9
