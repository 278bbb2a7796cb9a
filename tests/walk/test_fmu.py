"""From a model to an FMU that another simulator steps; and what is refused, in words."""

import multiprocessing
import subprocess
import sys

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

CART = EXAMPLES / "cart_pole.toml"


def _elsewhere(*words, **options):
    """fmpy.simulate_fmu in a process of its own: the library of an FMU takes hold of the interpreter that loads it."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_simulate_fmu, words, options)


def _simulate_fmu(*words, **options):
    import fmpy

    return fmpy.simulate_fmu(*words, **options)


def test_an_fmu_is_the_same_simulation(command, tmp_path):
    """Inputs are held over a communication step: against a simulation whose force is that staircase."""
    validation = pytest.importorskip("fmpy.validation")
    outputs = ["cart.x", "pole.phi", "lean"]
    words = [word for name in outputs for word in ("--output-column", name)]
    done = command("export", CART, "-o", "plant.fmu", "--input", "push", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "plant.fmu"
    file = str(tmp_path / "plant.fmu")
    assert validation.validate_fmu(file) == []
    step, steps = 0.02, 10
    pushes = [3 * np.sin(0.7 * k) for k in range(steps + 1)]
    told = _elsewhere(
        file,
        start_time=0,
        stop_time=step * steps,
        output_interval=step,
        input=np.array([(k * step, push) for k, push in enumerate(pushes)], dtype=[("time", float), ("push", float)]),
        output=outputs,
        start_values={"half_length": 0.4},
    )
    model = mubo.load(CART).replace(half_length=0.4)
    stairs = [[k * step, pushes[k]] for k in range(steps)]
    plant = model.stepper(["push"], outputs)
    for row, (_, push) in enumerate(stairs):
        expected = plant.step(step, {"push": push})
        for name in outputs:
            assert told[name][row + 1] == pytest.approx(expected[name], rel=1e-9, abs=1e-12)


def test_the_names_of_the_script_outlive_its_library(tmp_path):
    """The library of pythonfmu releases the script's names once too often; a search for cycles then met freed memory.

    The process ends by os._exit: at an ordinary exit the library reads its own state after it has freed it
    (finalizePythonInterpreter of pythonfmu 0.7.0), which no FMU can prevent.
    """
    pytest.importorskip("fmpy")
    mubo.load(CART).save_fmu(tmp_path / "plant.fmu", ["push"], ["cart.x"])
    script = (
        "import fmpy, gc, os, sys\n"
        f"fmpy.simulate_fmu({str(tmp_path / 'plant.fmu')!r}, stop_time=0.04, output_interval=0.02)\n"
        "gc.collect()\n"
        "names = vars(sys.modules['cart_and_pole'])\n"
        "print(sorted(name for name in names if not name.startswith('__')), flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "['cart_and_pole', 'fmu_plant']"


def test_a_held_input_is_a_constant_load(tmp_path):
    """The stepper with one value against `simulate` with that load in the model."""
    model = mubo.load(CART)
    run = model.replace("push.effort", 1.5).simulate(0, 0.2, 0.1)
    plant = model.stepper(["push"], ["cart.x", "lean"])
    for row in (1, 2):
        told = plant.step(0.1, {"push": 1.5})
        assert told["cart.x"] == pytest.approx(run["cart.x"][row], abs=1e-10)
        assert told["lean"] == pytest.approx(run["lean"][row], abs=1e-10)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "the plant has no inputs"),
        (("--input", "pull"), 'the input "pull" is no load or driver'),
        (("--input", "push", "--output-column", "cart.w"), 'there is no column "cart.w" to be an output'),
        (("--input", "push", "--input", "push"), 'the input "push" is named twice'),
    ],
)
def test_what_an_fmu_cannot_have_is_refused(command, tmp_path, words, message):
    done = command("export", CART, "-o", "plant.fmu", *words)
    assert done.returncode == 1
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_inputs_belong_to_an_fmu(command):
    done = command("export", CART, "-o", "film.glb", "--input", "push")
    assert done.returncode == 2
    assert "plant.fmu" in done.stderr


def test_without_pythonfmu_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pythonfmu.builder", None)
    with pytest.raises(mubo.MuboError, match=r"pip install 'mubo\[control\]'"):
        mubo.load(CART).save_fmu(tmp_path / "plant.fmu", ["push"])


def test_a_driver_that_no_joint_has_is_refused():
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.drivers.clear()
    model.driver("lift", "coupler.y", "1 + t")
    with pytest.raises(mubo.ModelError, match=r"coupler\.y is no coordinate of a joint"):
        model.stepper(["lift"])


def test_a_wrong_step_is_refused():
    plant = mubo.load(CART).stepper(["push"])
    with pytest.raises(mubo.ModelError, match="positive time"):
        plant.step(0)
    with pytest.raises(mubo.ModelError, match='there is no input "pull"'):
        plant.step(0.1, {"pull": 1})
    with pytest.raises(mubo.ModelError, match="finite"):
        plant.step(0.1, {"push": float("nan")})
    assert plant.t == 0


def test_an_event_with_stop_ends_the_motion():
    model = mubo.load(CART)
    model.event("edge", "rail", 0.05, stop=True)
    plant = model.stepper(["push"], ["cart.x"])
    plant.step(0.1, {"push": 5.0})
    before = plant.outputs
    with pytest.raises(mubo.SimulationError, match=r"edge: rail reaches 0\.05"):
        plant.step(0.2)
    assert plant.outputs == before
    assert plant.t == pytest.approx(0.1)
    with pytest.raises(mubo.SimulationError, match="the motion has ended"):
        plant.step(0.02)
