"""A simulation in steps against closed forms and against one run."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

G = 9.81


def cart():
    """A cart of 2 kg on a rail."""
    model = mubo.Model("cart", units={"length": "m", "angle": "rad", "mass": "kg", "time": "s"})
    model.gravity = (0, -G)
    model.ground.point("rail", (0, 0))
    model.body("cart", position=(0, 0), points={"rail": (0, 0)}, mass=2.0, inertia=1.0)
    model.joint("rail", "translational", "ground.rail", "cart.rail", axis=(1, 0), angle=0)
    return model


def pushed():
    model = cart()
    model.force("push", "joint_effort", "rail", effort=0)
    return model


def test_an_input_is_held_over_a_step():
    """x'' = F / m: over each step the velocity grows by F dt / m, whatever the step before."""
    plant = pushed().stepper(["push"], ["cart.x", "cart.vx", "cart.ax"])
    x = v = 0.0
    for force, dt in ((3.0, 0.1), (-1.0, 0.25), (0.0, 0.5), (8.0, 0.01)):
        told = plant.step(dt, {"push": force})
        x, v = x + v * dt + force * dt**2 / 4, v + force * dt / 2
        assert told["cart.x"] == pytest.approx(x, abs=1e-12)
        assert told["cart.vx"] == pytest.approx(v, abs=1e-12)
        assert told["cart.ax"] == pytest.approx(force / 2, abs=1e-12)
    assert plant.t == pytest.approx(0.86)


def test_an_input_that_is_not_named_keeps_its_value():
    plant = pushed().stepper(["push"], ["cart.vx"])
    plant.step(1.0, {"push": 2.0})
    assert plant.step(1.0)["cart.vx"] == pytest.approx(2.0)
    assert plant.inputs == {"push": 2.0}


def test_energy_counts_from_the_start():
    """What the force puts in is the kinetic energy, over any number of steps."""
    plant = pushed().stepper(["push"])
    for _ in range(4):
        plant.step(0.5, {"push": 3.0})
    columns = plant.columns
    v = 3.0 / 2 * 2.0
    assert columns["energy.kinetic"][0] == pytest.approx(v**2)
    assert columns["energy.supplied"][0] == pytest.approx(v**2)
    assert columns["energy.error"][0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ["released_four_bar.toml", "five_body_chain.toml", "cart_pole.toml"])
def test_steps_are_one_simulation(name):
    """Trees and loops, plane and space: stepping on is the same motion as running through."""
    model = mubo.load(EXAMPLES / name)
    run = model.simulate(0, 0.3, 0.1)
    columns = [column.name for column in run.columns.of_kind("body")]
    plant = model.stepper(outputs=columns, start=0)
    for row in range(1, len(run)):
        told = plant.step(0.1)
        for column in columns:
            assert told[column] == pytest.approx(run[column][row], rel=1e-7, abs=1e-7), column


def test_a_freed_driver_is_an_effort():
    """The effort that inverse dynamics find for a driver, put in, gives back the driver's motion."""
    model = cart()
    model.driver("motor", "rail", "0.1 + 0.2*t + 0.3*t^2")
    needed = float(model.inverse(0, 0.1, 0.1)["motor.effort"][0])
    assert needed == pytest.approx(2 * 0.6)
    plant = model.stepper(["motor"], ["cart.x", "cart.vx"])
    assert plant.outputs == pytest.approx({"cart.x": 0.1, "cart.vx": 0.2})
    told = plant.step(0.5, {"motor": needed})
    assert told["cart.x"] == pytest.approx(0.1 + 0.2 * 0.5 + 0.3 * 0.25)
    assert told["cart.vx"] == pytest.approx(0.2 + 0.6 * 0.5)


@pytest.mark.parametrize(("ends", "sense"), [(("ground.A", "arm.A"), 1), (("arm.A", "ground.A"), 1)])
def test_a_driver_of_a_body_that_turns_on_the_ground_is_freed_in_its_own_sense(ends, sense):
    """φ'' = τ / J of the body, however its pin is written."""
    model = mubo.Model("arm", units={"length": "m", "angle": "rad", "mass": "kg", "time": "s"})
    model.gravity = (0, 0)
    model.ground.point("A", (0, 0))
    model.body("arm", points={"A": (0, 0)}, mass=1.0, inertia=0.5)
    model.revolute("A", *ends)
    model.driver("motor", "arm.phi", "0.2 + t")
    plant = model.stepper(["motor"], ["arm.phi", "arm.omega"])
    assert plant.outputs == pytest.approx({"arm.phi": 0.2, "arm.omega": 1.0})
    assert plant.step(1.0, {"motor": 2.0})["arm.omega"] == pytest.approx(1 + sense * 4.0)


def test_a_controller_keeps_the_pole_up():
    """Without it the pole falls: its lean grows as e^(t √(3 (M + m) g / ((4 M + m) l))) at first."""
    model = mubo.load(EXAMPLES / "cart_pole.toml")
    alone = model.stepper([], ["lean"])
    for _ in range(50):
        alone.step(0.02)
    plant = model.stepper(["push"], ["lean", "pole.omega", "cart.x", "cart.vx"])
    for _ in range(150):
        lean, rate, x, v = plant.outputs.values()
        plant.step(0.02, {"push": -(40 * lean + 10 * rate) + 2 * x + 4 * v})
    assert abs(alone.outputs["lean"]) > 0.5
    assert abs(plant.outputs["lean"]) < 0.01
    assert np.isfinite(plant.outputs["cart.x"])


def test_back_to_the_start():
    plant = pushed().stepper(["push"], ["cart.x"])
    plant.step(1.0, {"push": 2.0})
    plant.reset()
    assert plant.t == 0
    assert plant.inputs == {"push": 0.0}
    assert plant.step(1.0, {"push": 2.0})["cart.x"] == pytest.approx(0.5)
