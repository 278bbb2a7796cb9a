"""A simulation in steps against closed forms and against one run."""

import sys

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


def test_a_copy_looks_ahead_alone():
    """Both go on from the same state by the same bits, and neither changes the other."""
    plant = pushed().stepper(["push"], ["cart.x", "cart.vx"])
    plant.step(0.5, {"push": 2.0})
    before = plant.outputs
    ahead = plant.copy()
    seen = ahead.step(0.5, {"push": -1.0})
    assert (plant.outputs, plant.t, plant.inputs) == (before, 0.5, {"push": 2.0})
    assert plant.step(0.5, {"push": -1.0}) == seen


def test_a_copy_ends_where_the_motion_ends():
    """x = F t² / (2 m) reaches the end of the rail at t = √(2 m x / F): in a copy as in what it was copied from."""
    model = pushed()
    model.event("end", "rail", 1.0, stop=True)
    plant = model.stepper(["push"], ["cart.x"])
    plant.step(0.5, {"push": 2.0})
    said = []
    for one in (plant.copy(), plant):
        with pytest.raises(mubo.SimulationError) as refused:
            one.step(1.0)
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert f"t = {np.sqrt(2.0):.4f}" in said[0]


def test_a_step_stops_at_the_corners_of_laws():
    """A force that grows from 0.3 s to 0.7 s: the motion is of polynomials, which the method integrates exactly."""
    model = cart()
    parts = [("dwell", 0.3, 0), ("constant velocity", 0.4, 2.0), ("dwell", 1.0, 0)]
    program = [{"law": law, "lasts": lasts, "rise": rise} for law, lasts, rise in parts]
    model.force("push", "joint_effort", "rail", effort={"program": program})
    plant = model.stepper([], ["cart.x", "cart.vx"])
    plant.step(1.0)
    at_rise, after = 5 * 0.4**2 / 4, 0.3
    assert plant.outputs["cart.vx"] == pytest.approx(at_rise + after, abs=1e-13)
    assert plant.outputs["cart.x"] == pytest.approx(5 * 0.4**3 / 12 + at_rise * after + after**2 / 2, abs=1e-13)


def test_it_continues_from_a_given_state():
    """Coordinates and rates by joint or as arrays; a state beside a closed position is closed again."""
    plant = mubo.load(EXAMPLES / "cart_pole.toml").stepper(["push"], ["cart.x", "pole.omega"])
    plant.set_state({"rail": 0.3, "hinge": "10 deg"}, [0.0, 2.0], 5.0)
    assert plant.t == 5
    assert plant.outputs == pytest.approx({"cart.x": 0.3, "pole.omega": 2.0})
    four_bar = mubo.load(EXAMPLES / "released_four_bar.toml")
    plant = four_bar.stepper(outputs=["crank.phi"])
    start = float(plant.columns["crank.phi"][0])
    q = np.array([float(plant.columns[name][0]) for name in four_bar.state_names.q])
    plant.set_state(q + np.array([1e-4, 0, 0]), np.zeros(3))
    assert plant.outputs["crank.phi"] == pytest.approx(start, abs=1e-3)
    assert plant.step(0.1)["crank.phi"] != start


def test_fixed_steps_converge_with_order_four():
    """Half the step leaves a sixteenth of the error."""
    model = mubo.load(EXAMPLES / "cart_pole.toml")
    names = ["pole.phi", "pole.omega", "cart.x"]

    def end(**settings):
        plant = model.stepper([], names, start=0, **settings)
        for _ in range(5):
            plant.step(0.1)
        return np.array([*plant.outputs.values()])

    truth = end(rtol=1e-13, atol=1e-13)
    coarse, fine = (np.abs(end(fixed=h) - truth).max() for h in (0.05, 0.025))
    assert coarse / fine == pytest.approx(16, rel=0.25)
    assert np.array_equal(end(fixed="50 ms"), end(fixed=0.05))


def test_fixed_steps_keep_loops_closed():
    """The distance of the pins of the rocker stays its length, to rounding."""
    model = mubo.load(EXAMPLES / "released_four_bar.toml")
    plant = model.stepper(outputs=["A.q"], fixed=0.01, start=0)
    for _ in range(10):
        plant.step(0.02)
    poses = {
        body: [float(plant.columns[f"{body}.{c}"][0]) for c in ("x", "y", "phi")] for body in ("coupler", "rocker")
    }

    def place(body, point):
        x, y, phi = poses[body]
        u, w = model.bodies[body].points[point]
        return np.array([x + np.cos(phi) * u - np.sin(phi) * w, y + np.sin(phi) * u + np.cos(phi) * w])

    assert np.abs(place("coupler", "C") - place("rocker", "C")).max() < 1e-12


def test_a_plant_that_blows_up_stops_with_its_last_good_state():
    """Fixed steps far beyond the stability of the method (h √(k/m) > 2.8) grow without bound."""
    model = pushed()
    model.force("hold", "joint_spring", "rail", stiffness=1e12)
    plant = model.stepper(["push"], ["cart.x"], fixed=0.01)
    with pytest.raises(mubo.SimulationError, match="the motion cannot go on from t = "):
        plant.step(10.0, {"push": 1.0})
    assert np.isfinite(plant.outputs["cart.x"])
    with pytest.raises(mubo.SimulationError, match="the motion has ended"):
        plant.step(0.01)
    plant.reset()
    assert plant.step(1e-9)["cart.x"] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("fixed", [0.0, -1.0])
def test_fixed_steps_must_be_positive(fixed):
    with pytest.raises(mubo.ModelError, match="the length of fixed steps must be a positive time"):
        pushed().stepper(["push"], fixed=fixed)


@pytest.mark.parametrize("settings", [{}, {"fixed": 0.001}])
def test_a_step_runs_few_python_functions(settings):
    """The step itself, its inputs, its advance and its outputs: integration is in the core."""
    plant = mubo.load(EXAMPLES / "cart_pole.toml").stepper(["push"], ["lean", "cart.x", "pole.omega"], **settings)
    plant.step(0.01, {"push": 0.1})
    calls = []
    sys.setprofile(lambda frame, event, argument: calls.append(frame.f_code.co_name) if event == "call" else None)
    try:
        plant.step(0.01, {"push": 0.2})
    finally:
        sys.setprofile(None)
    assert len(calls) <= 6, calls


def test_fixed_steps_refuse_events_that_end_the_motion():
    model = pushed()
    model.event("end", "rail", 1.0, stop=True)
    with pytest.raises(mubo.ModelError, match="event end ends the motion, which fixed steps do not look for"):
        model.stepper(["push"], fixed=0.01)
