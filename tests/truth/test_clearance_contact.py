"""A slider-crank with clearance in its wrist pin, and a journal at rest: independent results with located contacts.

Source of `beyond_clearance.json`: 34-digit integration against two float64 integrators and another formulation.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import mubo

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "beyond_clearance.json").read_text())["cases"]
}


@pytest.mark.truth("beyond_clearance/clearance_0.5mm", "beyond_clearance/clearance_0.1mm")
@pytest.mark.parametrize("name", ["clearance_0.5mm", "clearance_0.1mm"])
@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_slider_crank_with_clearance(formulation, name):
    """The first three contacts of the journal: times, speeds, and the deepest penetration of the first."""
    case = CASES[name]
    data = case["model"]
    crank, rod = data["crank"], data["rod"]
    model = mubo.Model("slider-crank", gravity=[0, 0])
    model.ground.point("O", (0, 0))
    model.body("crank", position=[0, 0], angle=0, mass=0.3, inertia=1e-4, points={"O": [0, 0], "A": [crank, 0]})
    model.body(
        "rod", position=[crank, 0], angle=0, mass=data["rod_mass"], center=[data["rod_center_from_crank_pin"], 0],
        inertia=data["rod_inertia_about_center"], points={"A": [0, 0], "B": [rod, 0]},
    )  # fmt: skip
    model.body(
        "slider", position=[crank + rod, 0], angle=0, mass=data["slider_mass"], inertia=1e-4, points={"B": [0, 0]}
    )
    model.joint("O", "revolute", "ground.O", "crank.O")
    model.joint("A", "revolute", "crank.A", "rod.A")
    model.joint(
        "B", "revolute", "slider.B", "rod.B", clearance=data["radial_clearance"], restitution=data["restitution"],
        bearing_radius=data["bearing_radius"], young=data["E"], poisson=data["nu"],
    )  # fmt: skip
    model.joint("guide", "translational", "ground.O", "slider.B", axis=[1, 0])
    model.driver("motor", "O", {"rate": data["crank_rate"]})
    model.initial("rod", omega=data["start"]["rod_rate"])
    model.initial("guide", q=crank + rod, v=0)
    impacts = case["impacts"][:3]
    deepest = impacts[0]["t_max_penetration"]
    run = model.simulate(0, deepest * np.ceil(impacts[2]["t"] / deepest), step=deepest, formulation=formulation)
    touches = [entry for entry in run.summary["contacts"] if entry["event"] == "touch"]
    for entry, wanted, rel in zip(touches, impacts, (1e-8, 1e-6, 1e-5), strict=False):
        assert entry["t"] == pytest.approx(wanted["t"], rel=rel)
        assert -entry["speed"] == pytest.approx(wanted["impact_speed"], rel=100 * rel)
    assert -run["B.gap"][1] == pytest.approx(impacts[0]["max_penetration"], rel=1e-5)
    assert run["B.normal"][1] == pytest.approx(impacts[0]["force_at_max_penetration"], rel=1e-5)


@pytest.mark.truth("beyond_clearance/journal_at_rest")
@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_journal_at_rest(formulation):
    """A journal at rest under a load: d = (W/K)^(2/3)."""
    case = CASES["journal_at_rest"]
    data = case["model"]
    model = mubo.Model("journal", gravity=[0, -data["load"]])
    eccentricity = case["eccentricity"]
    model.body("journal", position=[0, -eccentricity], angle=0, mass=1, inertia=1e-4)
    steel = {"young": data["E"], "poisson": data["nu"]}
    model.surface("journal", body="journal", shape="circle", radius=data["journal_radius"], **steel)
    model.surface("bearing", body="ground", shape="hollow", radius=data["bearing_radius"], **steel)
    model.contact("bearing", between=["journal", "bearing"])
    run = model.simulate(0, 1e-3, step=1e-4, formulation=formulation)
    assert run["bearing.normal"][0] == pytest.approx(data["load"], rel=1e-9)
    assert run["journal.y"] == pytest.approx(np.full(11, -eccentricity), rel=1e-9)
