"""Redundant constraints: which components are unique, and the values of minimum norm with their length scale."""

import force_cases as cases
import numpy as np
import pytest
from newton_euler import FreeBodies

import mubo

NAMES = (
    "door_two_hinges",
    "door_hinge_and_ball",
    "door_two_balls",
    "door_ball_and_line",
    "three_cranks",
    "four_bar_of_hinges",
    "four_bar_rscr",
)
BALLS = ("door_two_balls", "door_ball_and_line")  # no angle of theirs can be driven: the closer is a load


@pytest.fixture(scope="module", params=NAMES)
def case(request):
    return request.param, *cases.solved(request.param)


def test_labels(case):
    name, _, run = case
    for column, label in cases.reference(name)["labels"].items():
        if label != "free" and not (name in BALLS and column == "closer.effort"):
            assert run.columns.column(column).unique == (label == "unique"), (column, label)


def test_minimum_norm(case):
    """min Σ |F|² + |M|²/l² with l = 1 m, moments at the joint points."""
    name, _, run = case
    expected = cases.reference(name)
    expected["columns"] = {k: v for k, v in expected["columns"].items() if k in run.columns}
    assert len(expected["columns"]) > 5
    cases.compare(run, expected)
    assert run.record.forces.length_scale == pytest.approx(1.0)


def test_every_link_is_in_balance(case):
    _, model, run = case
    assert FreeBodies(model, run).residual() < 1e-10


@pytest.mark.parametrize("name", BALLS)
def test_the_closer_of_a_door_on_balls_leaves_nothing_to_do(name):
    """Its torque is I α about the axis; the hand that leads the edge along has no effort."""
    _, run = cases.solved(name)
    np.testing.assert_allclose(run["closer.torque"], cases.reference(name)["columns"]["closer.effort"], atol=1e-12)
    np.testing.assert_allclose(run["hand.effort"], 0, atol=1e-9)
    assert run.columns.column("hand.effort").unique


@pytest.mark.parametrize("name", ["door_two_hinges", "door_hinge_and_ball", *BALLS])
def test_the_resultant_of_both_hinges_is_unique(name):
    _, run = cases.solved(name)
    stored = cases.reference(name)["resultant"]
    first, second = (cases.wrench(run, hinge, "door") for hinge in ("h1", "h2"))
    at = {"h1": np.array([0, 0, 0.3]), "h2": np.array([0, 0, 1.7])}
    force = first[:, :3] + second[:, :3]
    moment = first[:, 3:] + second[:, 3:] + np.cross(at["h1"], first[:, :3]) + np.cross(at["h2"], second[:, :3])
    np.testing.assert_allclose(force, [row["f"] for row in stored], rtol=0, atol=1e-7)
    np.testing.assert_allclose(moment, [row["m_about_origin"] for row in stored], rtol=0, atol=1e-7)


@pytest.mark.parametrize("scale", ["1.0", "0.1", "0.001"])
def test_other_length_scales(scale):
    """The minimum norm depends on its length scale, the labels do not."""
    _, run = cases.solved("door_two_hinges", length_scale=float(scale))
    stored = cases.reference("door_two_hinges")["other_length_scales"][scale]
    for name, value in stored.items():
        assert run[name][0] == pytest.approx(value, abs=1e-9 * 100), name
        assert run.columns.column(name).unique == (name == "closer.effort" or name.endswith(".mz")), name


def test_the_closed_form_of_a_door():
    """M₁ = M₂ = l² M / (2 (l² + h²)), (F₂ − F₁)/2 = h M × e / (2 (l² + h²)), axial forces in halves; M is the moment
    across the axis about the middle between the hinges, h half their distance."""
    _, run = cases.solved("door_two_hinges")
    first, second = (cases.wrench(run, hinge, "door") for hinge in ("h1", "h2"))
    h, e = 0.7, np.array([0, 0, 1.0])
    moment = first[:, 3:] + second[:, 3:] + np.cross(-h * e, first[:, :3]) + np.cross(h * e, second[:, :3])
    across = moment - np.outer(moment @ e, e)
    for hinge in (first, second):
        np.testing.assert_allclose(hinge[:, 3:], across / (2 * (1 + h * h)), rtol=0, atol=1e-8)
    difference = (second - first)[:, :3] / 2
    np.testing.assert_allclose(difference, h * np.cross(across, e) / (2 * (1 + h * h)), rtol=0, atol=1e-8)


def test_millimetres_give_the_answer_of_metres():
    """The default length scale is one metre, whatever unit the model has."""
    metres, run = cases.solved("door_two_hinges")
    scaled = mubo.Model("door", units={"length": "mm", "mass": "kg", "time": "s"}, dimension=3, gravity=(0, 0, -9810))
    scaled.ground.point("h1", (0, 0, 300))
    scaled.ground.point("h2", (0, 0, 1700))
    inertia = tuple(1e6 * x for x in metres.bodies["door"].inertia)
    points = {name: tuple(1e3 * x for x in at) for name, at in metres.bodies["door"].points.items()}
    scaled.body("door", points=points, mass=20, inertia=inertia, center=(450, 20, 950))
    for hinge in ("h1", "h2"):
        scaled.revolute(hinge, f"ground.{hinge}", f"door.{hinge}", axis=(0, 0, 1))
    scaled.driver("closer", "h1", metres.drivers["closer"].motion)
    other = scaled.inverse(0, 2, step=0.4)
    for word, factor in (("fx", 1e3), ("fy", 1e3), ("fz", 1e3), ("mx", 1e6), ("my", 1e6)):
        for hinge in ("h1", "h2"):
            name = f"{hinge}.on_door.{word}"
            np.testing.assert_allclose(other[name] / factor, run[name], rtol=0, atol=1e-8)


def test_transverse_forces_of_three_cranks_are_unique_in_crank_axes():
    """Along the crank the split is open, across it is not: both are open in ground axes but at a quarter turn."""
    _, run = cases.solved("three_cranks")
    stored = cases.reference("three_cranks")
    for k in range(3):
        own = run.reaction(f"A{k}", on=f"crank{k}", axes="body")
        assert (own.unique["fx"], own.unique["fy"]) == (False, True)
        np.testing.assert_allclose(own.fy, stored["columns"][f"A{k}.on_crank{k}.transverse"], rtol=0, atol=1e-7)
        top = run.reaction(f"B{k}", on="coupler", axes=f"crank{k}")
        assert (top.unique["fx"], top.unique["fy"]) == (False, True)
        for part, word in ((top.fx, "axial"), (top.fy, "transverse")):
            np.testing.assert_allclose(part, stored["columns"][f"B{k}.on_coupler.{word}"], rtol=0, atol=1e-7)
    assert run.columns.column("motor.effort").unique


def test_labels_hold_for_the_instant():
    """With the cranks upright, fx is across them: unique in a run of this row alone."""
    model, special = cases.model("three_cranks"), cases.reference("three_cranks")["special"]
    run = model.inverse(special["t"], special["t"], step=1.0)
    for name, label in special["labels"].items():
        assert run.columns.column(name).unique == (label == "unique"), name
        assert run[name][0] == pytest.approx(special["row"][name], abs=1e-7), name


def test_a_planar_four_bar_in_space_has_the_forces_of_the_plane():
    """fx and fy of every pin, and the motor, are those of the statically determinate R-S-C-R."""
    _, hinges = cases.solved("four_bar_of_hinges")
    _, determinate = cases.solved("four_bar_rscr")
    for name in ("A.on_crank", "B.on_coupler", "C.on_rocker", "D.on_rocker"):
        for word in ("fx", "fy"):
            np.testing.assert_allclose(hinges[f"{name}.{word}"], determinate[f"{name}.{word}"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(hinges["motor.effort"], determinate["motor.effort"], rtol=0, atol=1e-8)
