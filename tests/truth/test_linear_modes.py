"""Small motions against reference answers: every case of tests/data/modes/reference.json, from model files.

The answers are projected multipliers checked by differences of a joint tree in quadruple precision; tolerances theirs.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import mubo

FOLDER = Path(__file__).parents[1] / "data" / "modes"
CASES = {case["name"]: case for case in json.loads((FOLDER / "reference.json").read_text())["cases"]}
TIGHT = 1e-7


def load(name):
    return mubo.load(FOLDER / f"{name}.toml")


def pairs(roots):
    return sorted((complex(*pair) for pair in roots), key=lambda root: (abs(root), root.imag))


def same_roots(found, wanted, relative=TIGHT):
    found, wanted = sorted(found, key=lambda root: (round(abs(root), 6), root.imag)), pairs(wanted)
    wanted = sorted(wanted, key=lambda root: (round(abs(root), 6), root.imag))
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert abs(one - other) <= relative * abs(other)


@pytest.mark.truth("forces_modes/double_pendulum")
def test_double_pendulum():
    case, linear = CASES["double_pendulum"], load("double_pendulum").linearize()
    assert linear.natural_frequencies == pytest.approx(case["omega_undamped"], rel=TIGHT)
    assert [mode.frequency for mode in linear.undamped] == pytest.approx(case["frequency_hz"], rel=TIGHT)
    same_roots(linear.eigenvalues, case["eigenvalues_damped"])
    for number, wanted in enumerate(case["mode_shapes_bar1_bar2_angles"], 1):
        shape = linear.shape(number, ["bar1.phi", "bar2.phi"], undamped=True)
        assert list(shape.values()) == pytest.approx(wanted, rel=TIGHT)


@pytest.mark.truth("forces_modes/four_bar_on_spring")
@pytest.mark.parametrize("point", CASES["four_bar_on_spring"]["points"], ids=lambda point: f"{point['crank']:.2f}")
def test_four_bar_at_every_equilibrium(point):
    a, side = point["crank"], 1 if "left" in point["branch"] else -1
    b = 0.2 * np.array([math.cos(a), math.sin(a)])
    way = np.array([0.5, 0]) - b  # from B to D; C is 0.5 from B and 0.4 from D
    length = math.hypot(*way)
    corner = math.acos((0.5**2 + length**2 - 0.4**2) / (2 * 0.5 * length))
    coupler = math.atan2(way[1], way[0]) + side * corner
    c = b + 0.5 * np.array([math.cos(coupler), math.sin(coupler)])
    model = load("four_bar_on_spring").replace("crank.angle", a).replace("coupler.position", tuple(b))
    model = model.replace("coupler.angle", coupler).replace("rocker.angle", math.atan2(c[1], c[0] - 0.5))
    linear = model.linearize(dofs="crank.phi")
    assert math.remainder(linear.values[0] - a, 2 * math.pi) == pytest.approx(0, abs=1e-9)
    assert linear.M[0, 0] == pytest.approx(point["effective_inertia"], rel=TIGHT)
    assert linear.K[0, 0] == pytest.approx(point["stiffness"], rel=TIGHT)
    assert linear.C[0, 0] == pytest.approx(point["effective_damping"], rel=TIGHT)
    same_roots(linear.eigenvalues, point["eigenvalues_damped"])
    if point["stable"]:
        assert linear.natural_frequencies[0] == pytest.approx(point["omega_undamped"], rel=TIGHT)
        assert linear.about == "a stable equilibrium"
    else:
        assert linear.undamped[0].growth == pytest.approx(point["growth_rate"], rel=TIGHT)
        assert math.isnan(linear.natural_frequencies[0])
        assert linear.about == "an unstable equilibrium"


@pytest.mark.truth("forces_modes/frame_on_springs")
def test_frame_on_preloaded_springs():
    case, linear = CASES["frame_on_springs"], load("frame_on_springs").linearize()
    assert linear.dofs == ("frame.x", "frame.y", "frame.phi")
    assert linear.values == pytest.approx(list(case["equilibrium"].values()), abs=case["tolerances"]["equilibrium"])
    for matrix, name in ((linear.M, "mass_matrix"), (linear.C, "damping_matrix"), (linear.K, "stiffness_matrix")):
        wanted = np.array(case[name])
        assert matrix == pytest.approx(wanted, abs=TIGHT * np.abs(wanted).max())
    assert linear.natural_frequencies == pytest.approx(case["omega_undamped"], rel=TIGHT)
    same_roots(linear.eigenvalues, case["eigenvalues_damped"])
    for number, wanted in enumerate(case["mode_shapes_x_y_phi_of_frame_origin"], 1):
        assert list(linear.shape(number, linear.dofs, undamped=True).values()) == pytest.approx(wanted, abs=TIGHT)


@pytest.mark.truth("forces_modes/governor")
def test_governor_whose_shaft_rate_is_prescribed():
    case, linear = CASES["governor"], load("governor").linearize(about="steady")
    state = case["steady_state"]
    assert linear.dofs == ("lift.q", "hinge1.q", "hinge2.q")
    angle = math.pi / 2 - state["rod_angle_from_vertical"]
    wanted = [state["slider_height"], angle, math.pi - angle]
    assert linear.values == pytest.approx(wanted, abs=case["tolerances"]["steady_state"])
    same_roots(linear.eigenvalues, case["eigenvalues_shaft_rate_prescribed"])


@pytest.mark.truth("forces_modes/governor")
def test_governor_whose_shaft_is_free():
    case, linear = CASES["governor"], load("governor").linearize(about="steady", free="motor")
    assert linear.dofs[0] == "bearing.q"
    assert linear.rates == pytest.approx([6, 0, 0, 0])
    momentum = linear.M[0, 0] * 6  # nothing but the shaft turns about z
    assert momentum == pytest.approx(case["steady_state"]["angular_momentum_z"], rel=1e-9)
    roots = linear.eigenvalues
    assert not np.any(roots[:2])  # the shaft itself: it stays where it is put, and at any rate
    same_roots(roots[2:], case["eigenvalues_shaft_free"])


def test_the_governor_at_rest_is_another_one():
    """Without rotation the rods hang: pendulums with springs that are slack, no frequency of the turning one."""
    linear = load("governor").replace("motor", 0).linearize()
    assert not set(np.round(linear.natural_frequencies, 3)) & {5.213, 6.309}


def block(stiffness: float, damping: float = 0.0) -> mubo.Model:
    """A block of 2 kg on a slide, with a spring and a damper, pushed along it."""
    model = mubo.Model("block", gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("block", points={"P": (0, 0)}, mass=2, inertia=1)
    model.translational("S", "ground.O", "block.P", axis=(1, 0), angle=0)
    model.force("spring", "joint_spring", "S", stiffness=stiffness, damping=damping)
    model.force("push", "point_force", "block.P", direction=(1, 0), force="0")
    return model


def test_an_acceleration_as_output_passes_the_force_through():
    """m a = u − k x − c v: the row of a in C is (−k/m, −c/m), and D is 1/m."""
    space = block(20.0, 3.0).linearize().state_space("push", "block.ax")
    np.testing.assert_allclose(space.C, [[-10.0, -1.5]], rtol=1e-9)
    np.testing.assert_allclose(space.D, [[0.5]], rtol=1e-9)


def test_what_grows_without_damping_has_a_twin_that_decays():
    """m a = −k x with k = −20 N/m: the roots are ±√10."""
    roots = block(-20.0).linearize().eigenvalues
    np.testing.assert_allclose(sorted(roots.real), [-math.sqrt(10), math.sqrt(10)], rtol=1e-9)
    np.testing.assert_allclose(roots.imag, 0, atol=1e-9)
