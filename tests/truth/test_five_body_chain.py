"""The five-body chain of the coursework against trajectories in quad precision (tests/data/README.md)."""

import json

import numpy as np
import pytest
from conftest import DATA, EXAMPLES

import mubo

JOINTS = ("shoulder", "elbow", "spin", "right_hinge", "left_hinge")
BODIES = ("upper", "lower", "cross", "right", "left")
COLUMNS = [f"{joint}.q{k}" for joint in JOINTS[:2] for k in (1, 2, 3)] + [f"{joint}.q" for joint in JOINTS[2:]]


def reference(name: str) -> dict:
    return json.loads((DATA / f"wittenburg_trajectory_{name}.json").read_text())


def chain(name: str) -> mubo.Model:
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    q = [float(x) for x in reference(name)["q0"]]
    for joint, part in zip(JOINTS, (q[:3], q[3:6], q[6:7], q[7:8], q[8:9]), strict=True):
        model.initial(joint, part)
    return model


@pytest.mark.parametrize("name", ["ic1", "ic2"])
@pytest.mark.parametrize(("tolerance", "allowed"), [(1e-10, 1e-6), (1e-12, 1e-8)])
def test_trajectory(name, tolerance, allowed):
    samples = reference(name)["samples"]
    times = np.array([sample["t"] for sample in samples])
    step = float(times[1] - times[0])
    run = chain(name).simulate(0, times[-1], step, rtol=tolerance, atol=tolerance)
    assert np.allclose(run["t"], times, atol=1e-12)
    q = np.array([[float(x) for x in sample["q"]] for sample in samples])
    found = np.stack([run[column] for column in COLUMNS], 1)
    assert np.max(np.abs(found - q)) < allowed
    centres = np.array([np.array(sample["com_world"], float).reshape(5, 3) for sample in samples])
    for k, body in enumerate(BODIES):
        for j, axis in enumerate("xyz"):
            assert np.max(np.abs(run[f"{body}.{axis}"] - centres[:, k, j])) < allowed
    assert run.summary["energy"]["error"] < 1e-5


def test_energy_at_default_tolerances():
    run = mubo.load(EXAMPLES / "five_body_chain.toml").simulate()
    assert len(run) == 501
    assert run.summary["energy"]["relative"] < 1e-8
    assert run["energy.total"][0] == pytest.approx(-191.49971104774610211, rel=1e-12)  # wittenburg_system.json, ic1


def test_wittenburgs_equations_give_the_same_motion():
    """Two formulations, two integrations, one result: poses, rates and accelerations of every column."""
    model = mubo.load(EXAMPLES / "five_body_chain.toml")
    run, other = model.simulate(0, 0.5, 0.1), model.simulate(0, 0.5, 0.1, formulation="wittenburg")
    assert other.summary["formulation"] == "wittenburg"
    assert list(run.columns) == list(other.columns)
    for name in run.columns:
        size = 1 + np.max(np.abs(run[name]))
        assert np.max(np.abs(run[name] - other[name])) < 1e-7 * size, name


def test_the_second_initial_position_is_an_example():
    """The example starts where the second reference trajectory does, and moves as it for half a second."""
    wanted = reference("ic2")["samples"]
    run = mubo.load(EXAMPLES / "five_body_chain_second.toml").simulate(0, 0.5, 0.1)
    for row, sample in enumerate(wanted[:6]):
        assert [run[name][row] for name in COLUMNS] == pytest.approx([float(x) for x in sample["q"]], abs=1e-8)


def test_a_picture_of_five_panels():
    """As the figures of the coursework: a panel for every hinge, three curves where it has three angles."""
    run = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 0.05, 0.01)
    figure = run.plot(kind="time")
    assert [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes] == list(JOINTS)
    assert [len(axes.lines) for axes in figure.axes] == [3, 3, 1, 1, 1]
