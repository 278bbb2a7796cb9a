"""Geneva drive: the closed form of its index and dwell, the torque that it takes, the acceleration at its mouth.

Source: β = atan(λ sin α/(1 − λ cos α)), λ = sin(π/n), as in Norton, Design of Machinery; the entry ω² tan(π/n) by
differentiation.
"""

import numpy as np
import pytest

import mubo

CENTRES, OMEGA, INERTIA = 0.1, 3.0, 0.02


def _drive(slots, start=0.0, carrier=0.0, longer=1.0):
    """A crank at the origin, its wheel at `carrier` rad from it; the crank starts `start` rad before the line."""
    model = mubo.Model("geneva", gravity=[0, 0])
    far = CENTRES * np.array([np.cos(carrier), np.sin(carrier)])
    model.ground.point("O", (0, 0))
    model.ground.point("D", tuple(far))
    radius = longer * CENTRES * np.sin(np.pi / slots)
    angle = carrier - start
    model.body("crank", position=[0, 0], angle=angle, mass=0.5, inertia=0.001, points={"O": (0, 0)})
    beta = _beta(-start, slots)
    wheel = carrier + np.pi - beta
    model.body("wheel", position=list(far), angle=wheel, mass=1, inertia=INERTIA, points={"D": (0, 0)})
    model.joint("O", "revolute", "ground.O", "crank.O")
    model.joint("D", "revolute", "ground.D", "wheel.D")
    model.joint("cross", "geneva", "crank.O", "wheel.D", pin=(radius, 0), slots=slots)
    model.driver("motor", "crank.phi", f"{angle!r} + {OMEGA}*t")
    return model, wheel + beta


def _beta(alpha, slots):
    """Angle of the wheel against the line of centres, of one index."""
    alpha = (np.asarray(alpha) + np.pi) % (2 * np.pi) - np.pi
    edge, ratio = np.pi / 2 - np.pi / slots, np.sin(np.pi / slots)
    inside = np.clip(alpha, -edge, edge)
    return np.arctan2(ratio * np.sin(inside), 1 - ratio * np.cos(inside))


@pytest.mark.parametrize("slots", [3, 4, 6])
@pytest.mark.parametrize("carrier", [0.0, 2.1])
def test_two_turns_of_the_crank(slots, carrier):
    """The wheel turns by β in its index, rests in its dwell, and two turns of the crank move it by two slots."""
    model, middle = _drive(slots, 0.0, carrier)
    run = model.kinematics(0, "2 rev", step="3 deg")
    alpha = OMEGA * run["t"]
    turn = np.floor((alpha + np.pi) / (2 * np.pi))
    wanted = middle - _beta(alpha, slots) - turn * 2 * np.pi / slots
    assert run["wheel.phi"] == pytest.approx(wanted, abs=1e-10)
    near = (alpha + np.pi) % (2 * np.pi) - np.pi
    edge, ratio = np.pi / 2 - np.pi / slots, np.sin(np.pi / slots)
    rate = OMEGA * ratio * (np.cos(near) - ratio) / (1 + ratio**2 - 2 * ratio * np.cos(near))
    rate[np.abs(near) >= edge] = 0
    assert -run["wheel.omega"] == pytest.approx(rate, abs=1e-9)


@pytest.mark.parametrize("slots", [4, 6])
def test_acceleration_at_the_mouth_and_torque(slots):
    """At the mouth the wheel's acceleration jumps to ω² tan(π/n); the motor's power is that of the wheel."""
    edge = np.pi / 2 - np.pi / slots
    model, _ = _drive(slots, edge - 1e-6)
    run = model.inverse(0, 2 * edge / OMEGA * 0.999, step=0.999 * edge / OMEGA / 20)
    assert -run["wheel.alpha"][0] == pytest.approx(OMEGA**2 * np.tan(np.pi / slots), rel=1e-4)
    power = INERTIA * run["wheel.alpha"] * run["wheel.omega"]
    assert run["motor.effort"] * OMEGA == pytest.approx(power, abs=1e-9)
    lever = np.hypot(*(np.array([CENTRES, 0]) - CENTRES * np.sin(np.pi / slots) * _direction(run["crank.phi"])).T)
    pin_force = np.abs(INERTIA * run["wheel.alpha"]) / lever  # across the slot, at the distance of the pin
    assert run["D.on_wheel.f"] == pytest.approx(pin_force, rel=1e-9, abs=1e-9)


def _direction(angle):
    return np.stack([np.cos(angle), np.sin(angle)], 1)


def test_a_simulation_follows_the_driven_motion():
    """Released with a flywheel's rate, both bodies keep their energy through index, dwell and index."""
    model, _ = _drive(4)
    model.drivers.clear()
    model.initial("O", q=0, v=OMEGA)
    run = model.simulate(0, 2.5, step=0.05)
    assert np.ptp(run["energy.total"]) < 1e-6 * run["energy.total"][0]
    assert run["wheel.phi"][-1] - run["wheel.phi"][0] < -np.pi / 4


def test_two_slots_are_refused():
    model, _ = _drive(4)
    with pytest.raises(mubo.ModelError, match="slots"):
        model.joint("other", "geneva", "crank.O", "wheel.D", pin=(0.07, 0), slots=2)


def test_a_crank_that_misses_the_slots_is_refused():
    """The pin meets a slot along it at c sin(π/n); with another length the wheel would jump at the mouth."""
    with pytest.raises(mubo.ModelError, match=r"side of a slot(.|\n)*Place the pin 0.0707107 from"):
        _drive(4, longer=1.02)[0].kinematics(0, 1, step=0.1)
    run = _drive(4, longer=1 + 1e-5)[0].kinematics(0, 1, step=0.1)
    assert any("the wheel jumps at the mouth" in note for note in run.summary["warnings"])
    assert not any("jumps" in note for note in _drive(4)[0].kinematics(0, 1, step=0.1).summary["warnings"])
