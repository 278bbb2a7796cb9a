"""End stops of turns in space, against closed forms: a pendulum that strikes its stop, both turns of a universal joint.

A pendulum of moment of inertia J about its pin, released from rest at the angle a from its lowest place, meets a stop
at the angle b with J w²/2 = m g l (cos b − cos a), and leaves it with −e w; the stop has exerted (1 + e) J w.
"""

import numpy as np
import pytest

import mubo

FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])
M, L, G, E = 1.5, 0.4, 9.81, 0.6
FINE = {"rtol": 1e-11, "atol": 1e-13}


def pendulum(axis, released, stops, joint="revolute"):
    """A point mass on a light rod that hangs along a direction across its axis; zero where it hangs."""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    down = np.cross(axis, [1.0, 0, 0] if abs(axis[0]) < 0.9 else [0, 1.0, 0])
    down /= np.linalg.norm(down)
    model = mubo.Model("pendulum", dimension=3, gravity=tuple(G * down))
    model.ground.point("O", (0.1, 0.2, 0.3))
    model.body("rod", points={"O": (0, 0, 0)}, mass=M, inertia=(1e-3, 1e-3, 1e-3), center=tuple(L * down))
    model.joint("pin", joint, "ground.O", "rod.O", axis=tuple(axis))
    model.initial("pin", q=released if joint == "revolute" else (released, 0))
    model.contact("end", of="pin" if joint == "revolute" else "pin.q1", restitution=E, **stops)
    return model, 1e-3 + M * L**2


def impacts(run, name="end"):
    return [one for one in run.summary["contacts"] if one["event"] == "impact" and one["contact"] == name]


@FORMULATIONS
@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (0.3, -0.5, 0.8)])
@pytest.mark.parametrize(
    ("released", "stop", "stops"),
    [
        (-1.0, 0.4, {"lower_angle": -2.0, "upper_angle": 0.4}),
        (1.2, -0.3, {"lower_angle": -0.3, "upper_angle": 3.0}),
        (2.9, -0.3, {"lower_angle": -0.3, "upper_angle": 5.0}),  # half a turn lies between the stops
    ],
)
def test_a_pendulum_meets_its_stop(axis, released, stop, stops, formulation):
    model, inertia = pendulum(axis, released, stops)
    run = model.simulate(0, 1.6, step=0.01, formulation=formulation, reactions=True, **FINE)
    first, second = impacts(run)[:2]
    speed = np.sqrt(2 * M * G * L * (np.cos(stop) - np.cos(released)) / inertia)
    assert first["speed_before"] == pytest.approx(-speed, rel=1e-8)
    assert first["speed_after"] == pytest.approx(E * speed, rel=1e-8)
    assert first["impulse"] == pytest.approx((1 + E) * inertia * speed, rel=1e-8)
    assert first["energy_lost"] == pytest.approx((1 - E**2) * inertia * speed**2 / 2, rel=1e-8)
    assert second["speed_before"] == pytest.approx(-E * speed, rel=1e-7)  # gravity gives it back
    assert run["pin.q"].max() < stops["upper_angle"] + 1e-9
    assert run["pin.q"].min() > stops["lower_angle"] - 1e-9
    gap = np.minimum(run["pin.q"] - stops["lower_angle"], stops["upper_angle"] - run["pin.q"])
    np.testing.assert_allclose(run["end.gap"], gap, atol=1e-9)
    assert np.abs(run["energy.error"]).max() < 1e-8


@FORMULATIONS
def test_a_pendulum_rests_on_its_stop(formulation):
    """The torque of a stop at rest is that of the weight: m g l sin b."""
    model, _ = pendulum((0, 1, 0), 1.0, {"lower_angle": 0.5, "upper_angle": 2.0})
    run = model.simulate(0, 4, step=0.05, formulation=formulation)
    assert run["pin.q"][-1] == pytest.approx(0.5, abs=1e-9)
    assert run["end.normal"][-1] == pytest.approx(M * G * L * np.sin(0.5), rel=1e-9)


@FORMULATIONS
@pytest.mark.parametrize("number", [0, 1])
def test_both_turns_of_a_universal_joint_have_stops(number, formulation):
    """A round body spins freely about one axis of the joint, its centre, until it strikes."""
    inertia, rate, limit = 0.02, 3.0, 0.7
    model = mubo.Model("cross", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("ball", points={"O": (0, 0, 0)}, mass=1, inertia=(inertia,) * 3)
    model.joint("cross", "universal", "ground.O", "ball.O", axes=[(0.6, 0.8, 0), (0, 0, 1)])
    other = 0.5  # the angle of the other turn, at rest
    model.initial("cross", q=(0, other) if number == 0 else (other, 0), v=(rate, 0) if number == 0 else (0, rate))
    model.contact("end", of=f"cross.q{number + 1}", lower_angle=-0.2, upper_angle=limit, restitution=E)
    run = model.simulate(0, 0.6, step=0.02, formulation=formulation, **FINE)
    (first, *_) = impacts(run)
    assert first["t"] == pytest.approx(limit / rate, rel=1e-9)
    assert first["impulse"] == pytest.approx((1 + E) * inertia * rate, rel=1e-8)
    t = run["t"]
    angle = np.where(t < limit / rate, rate * t, limit - E * rate * (t - limit / rate))
    np.testing.assert_allclose(run[f"cross.q{number + 1}"], angle, atol=1e-9)
    np.testing.assert_allclose(run[f"cross.q{2 - number}"], other, atol=1e-9)


@FORMULATIONS
def test_both_turns_of_a_universal_joint_stick(formulation):
    """Exact friction of the second turn: it slows by its torque over the inertia and then sticks."""
    inertia, rate, torque = 0.02, 3.0, 0.1
    model = mubo.Model("cross", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("ball", points={"O": (0, 0, 0)}, mass=1, inertia=(inertia,) * 3)
    model.joint("cross", "universal", "ground.O", "ball.O", axes=[(1, 0, 0), (0, 1, 0)])
    model.initial("cross", q=(0.5, 0.3), v=(0, rate))
    model.force("brake", "friction", "cross.q2", effort=torque)
    run = model.simulate(0, 1, step=0.05, formulation=formulation, **FINE)
    stuck = inertia * rate / torque
    t = np.minimum(run["t"], stuck)
    np.testing.assert_allclose(run["cross.q2"], 0.3 + rate * t - torque / inertia * t**2 / 2, atol=1e-8)
    np.testing.assert_allclose(run["cross.q1"], 0.5, atol=1e-8)


@pytest.mark.parametrize("stops", [{"upper_angle": 1.0}, {"lower_angle": -3.2, "upper_angle": 3.2}])
def test_stops_more_than_a_turn_apart_are_refused(stops):
    model, _ = pendulum((0, 0, 1), 0.5, stops)
    with pytest.raises(mubo.ModelError, match=r"contact end: a turn in space has two stops, less than a turn apart"):
        model.simulate(0, 1, step=0.5)
