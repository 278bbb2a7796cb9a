"""A torque between two bodies at a ball: Newton's third law, and Euler's equations of both bodies in space."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import mubo

FIRST, SECOND = np.diag([0.4, 0.5, 0.6]), np.diag([0.1, 0.2, 0.25])
DIRECTION = np.array([0.0, 0.6, 0.8])
ZERO = (0.8, 0.0, 0.6, 0.0)  # the arm in the trunk at the start (w, x, y, z)


def pair(axes):
    """Two bodies whose centres of mass sit on one ball, which floats without gravity: they turn independently."""
    model = mubo.Model("pair", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("trunk", points={"O": (0, 0, 0)}, mass=3.0, inertia=np.diag(FIRST))
    model.body("arm", points={"O": (0, 0, 0)}, mass=1.0, inertia=np.diag(SECOND))
    model.joint("float", "free", "ground.O", "trunk.O")
    model.joint("ball", "spherical", "trunk.O", "arm.O", zero=ZERO)
    model.force("motor", "torque_between", "trunk", "arm", direction=DIRECTION, axes=axes, torque="0.3*cos(t)")
    model.initial("float", v=(0, 0, 0, 0.2, -0.1, 0.4))
    model.initial("ball", v=(0.5, 0.3, -0.2))
    return model


def euler_equations(axes, end):
    """J ω′ = M − ω × J ω of both bodies, in body axes; turns as quaternions (x, y, z, w)."""

    def rates(t, y):
        turned = [Rotation.from_quat(y[k : k + 4] / np.linalg.norm(y[k : k + 4])) for k in (0, 7)]
        torque = 0.3 * np.cos(t) * turned[axes == "second"].apply(DIRECTION)
        out = []
        for turn, J, k, sign in ((turned[0], FIRST, 0, -1.0), (turned[1], SECOND, 7, 1.0)):
            w, (x, y_, z, s) = y[k + 4 : k + 7], y[k : k + 4]
            spin = 0.5 * np.array([[s, -z, y_], [z, s, -x], [-y_, x, s], [-x, -y_, -z]]) @ w
            bend = np.linalg.solve(J, sign * turn.inv().apply(torque) - np.cross(w, J @ w))
            out += [*spin, *bend]
        return out

    trunk, relative = np.array([0.2, -0.1, 0.4]), np.array([0.5, 0.3, -0.2])  # the joint's axes are the trunk's at zero
    arm = Rotation.from_quat([*ZERO[1:], ZERO[0]])
    start = [0, 0, 0, 1, *trunk, *arm.as_quat(), *arm.inv().apply(trunk + relative)]
    y = solve_ivp(rates, (0, end), start, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
    return [Rotation.from_quat(y[k : k + 4]).apply(y[k + 4 : k + 7]) for k in (0, 7)]


@pytest.mark.parametrize("axes", ["first", "second"])
def test_both_bodies_follow_eulers_equations(axes):
    run = pair(axes).simulate(0, 2, 0.5)
    for body, omega in zip(("trunk", "arm"), euler_equations(axes, 2.0), strict=True):
        np.testing.assert_allclose([run[f"{body}.w{x}"][-1] for x in "xyz"], omega, atol=1e-8)


def test_what_acts_between_bodies_changes_no_momentum():
    run = pair("first").simulate(0, 2, 0.5)
    assert run.summary["energy"]["angular_momentum"] < 1e-9
    assert run.summary["energy"]["relative"] < 1e-9


def test_a_torque_between_a_body_and_itself_is_refused():
    model = pair("first")
    model.force("idle", "torque_between", "arm", "arm", direction=(0, 0, 1), torque="1")
    with pytest.raises(mubo.ModelError, match='between "arm" and itself'):
        model.simulate(0, 1, 0.5)
