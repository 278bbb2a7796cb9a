"""Loads of the plane against statics on paper: a lever, a torque, a strut, a spring in a pin."""

import numpy as np
import pytest

from mubo._core import Along, PlaneLoads, Status, plane_loads

KIND = {name: number for number, (name, *_) in enumerate(plane_loads())}
# Ground at the origin; a lever with its origin at (1, 2), turned by 90° and turning with 3 rad/s.
POSES = np.array([[0.0, 0, 0], [1, 2, np.pi / 2]])
TWISTS = np.array([[0.0, 0, 0], [0, 0, 3]])


def loaded(name, along, bodies, law, *parameters):
    one = [np.array([x], np.int32) for x in (KIND[name], along, law)]
    loads = PlaneLoads(one[0], one[1], np.array([bodies], np.int32), one[2], np.array(parameters, float))
    status, _, wrenches, energies = loads.evaluate(POSES, TWISTS, np.array([10.0]))
    assert status == Status.done
    return wrenches[0], energies[0]


@pytest.mark.parametrize(("axes", "force", "moment"), [(0, (10, 0), -5), (1, (0, 10), 0)])
def test_point_force_on_a_lever(axes, force, moment):
    """10 N along x at a point half a metre out along the lever, which stands upright: arm (0, 0.5) in ground axes.

    In ground axes the force has the moment −0.5 · 10; in body axes it points along the lever and has none."""
    wrenches, (_, power, _, supplied) = loaded("point_force", Along.body, (1, -1), 0, 0.5, 0, 1, 0, axes)
    np.testing.assert_allclose(wrenches[0], [*force, moment], atol=1e-14)
    np.testing.assert_allclose(wrenches[1], 0)
    assert power == supplied == pytest.approx(3 * moment)


def test_body_torque():
    wrenches, (_, power, _, supplied) = loaded("body_torque", Along.body, (1, -1), 0)
    np.testing.assert_array_equal(wrenches, [[0, 0, 10], [0, 0, 0]])
    assert power == supplied == 30


def test_strut_pulls_along_its_line():
    """From (1, 0) of the ground to (1, 2.5), half a metre out on the lever: length 2.5, free length 2, k = 100.

    The end moves with 3 · 0.5 to the left, square to the strut, so that the damper does nothing."""
    wrenches, (potential, power, dissipated, _) = loaded("spring", Along.distance, (0, 1), -1, 1, 0, 0.5, 0, 100, 2, 7)
    np.testing.assert_allclose(wrenches, [[0, 50, 50], [0, -50, 0]], atol=1e-13)
    assert (potential, power, dissipated) == pytest.approx((12.5, 0, 0), abs=1e-13)


def test_spring_in_a_pin_and_on_a_slide():
    """τ = −k (φ − rest) − c ω on the second body; a slide along y of the ground is 2 long."""
    wrenches, (potential, _, dissipated, _) = loaded("spring", Along.turn, (0, 1), -1, 4, 0.5, 0.2)
    torque = -4 * (np.pi / 2 - 0.5) - 0.2 * 3
    np.testing.assert_allclose(wrenches, [[0, 0, -torque], [0, 0, torque]])
    assert (potential, dissipated) == pytest.approx((2 * (np.pi / 2 - 0.5) ** 2, 0.2 * 9))
    wrenches, _ = loaded("spring", Along.slide, (0, 1), -1, 0, 0, 0, 1, 0, 0, 4, 0.5, 0.2)
    np.testing.assert_allclose(wrenches, [[0, 6, 6], [0, -6, 0]], atol=1e-13)
