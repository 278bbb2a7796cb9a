"""The wishes of O'Kins' last chapter on his own eleven-bar: loads, masses, stresses and two drivers, by virtual work.

The efforts come from the file that extends his deck; the velocities of the pins from the deck alone, whose unit of
length the other file states.
"""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

BARS = {"link2": "LK", "link3": "ML", "link4": "BD", "link5": "NJ", "link6": "DG", "link7": "JI", "link8": "EI",
        "link9": "GH", "link10": "IH"}  # fmt: skip
PINS = {"C": "z4", "D": "z18", "E": "z10", "F": "z11", "G": "z16", "H": "z17", "I": "z15", "J": "z14", "K": "z9",
        "L": "z6"}  # fmt: skip


@pytest.fixture(scope="module")
def loaded():
    return mubo.load(EXAMPLES / "eleven_bar_loads.toml")


def rising(run):
    """Vertical velocities of the pins, from the points that KINE follows; N is the head of the ram z1."""
    rates = {pin: run[f"path1_{name}.vy"] for pin, name in PINS.items()}
    still = 0 * run["t"]
    return {"A": still, "B": still, "M": still, "N": ram_point(run, 0.0), **rates}


def ram_point(run, short):
    """Vertical velocity of a point of the rod, `short` of its head: ṙ sin θ + (r − short) ω cos θ."""
    theta, omega = np.radians(run["z1.theta"]), np.radians(run["z1.omega"])
    return run["ram.rate"] * np.sin(theta) + (run["z1.r"] - short) * omega * np.cos(theta)


def test_the_ram_holds_the_weights_by_virtual_work(loaded):
    """F ṙ = Σ W ẏ: a bar of uniform mass moves with the mean of its ends; pounds weigh as many pounds-force."""
    held = loaded.statics(0, 16, 8)  # the ram is half-way at half its time
    deck = mubo.load(EXAMPLES / "eleven_bar.deck").kinematics(0, 16, 8)
    np.testing.assert_allclose(held["ram.value"][:3], deck["z1.r"][:3], atol=1e-9)
    up = rising(deck)
    work = sum(loaded.bodies[name].mass * 386.08858267716535 * (up[a] + up[b]) / 2 for name, (a, b) in BARS.items())
    theta, omega = np.radians(deck["z1.theta"]), np.radians(deck["z1.omega"])
    work = work + 6 * 8 * omega * np.cos(theta) + 3 * ram_point(deck, 6.0) + 400 * up["H"]
    np.testing.assert_allclose(held["ram.effort"], (work / deck["ram.rate"])[: len(held)], rtol=1e-9)


def test_inverse_dynamics_hold_by_a_second_formulation(loaded):
    """Absolute coordinates, joint coordinates, Newton and Euler, power and virtual work agree with the vector loops."""
    proof = loaded.verify(analysis="inverse", start=4, end=5, step=1)
    assert proof.holds
    assert {"second formulation", "virtual work", "efforts"} <= {check.name for check in proof.checks}


def test_undriven_it_keeps_its_energy(loaded):
    """Without the ram the load falls, and what it gives is kinetic energy: the effort was what held it."""
    run = loaded.simulate(0, 0.02, 0.01, free="ram")
    assert run.summary["energy"]["relative"] < 1e-9
    assert run["path1_z17.vy"][-1] < 0
    assert run["z1.r"][-1] < run["z1.r"][0]  # the ram pushed outwards


def test_two_drivers_move_two_degrees_of_freedom():
    """With the screw at rest its guide carries what the pin M carries in the linkage of one driver."""
    two = mubo.load(EXAMPLES / "eleven_bar_two_drivers.toml")
    assert two.check().as_dict()["mobility"]["rank"] == 2
    one, both = mubo.load(EXAMPLES / "eleven_bar_loads.toml").statics(8, 8, 1), two.statics(8, 8, 1)
    for column in ("ram.effort", "M.on_link3.fx", "M.on_link3.fy"):  # at 8 s the screw passes its middle
        np.testing.assert_allclose(both[column], one[column], rtol=1e-9)
    np.testing.assert_allclose(both["screw.effort"], one["M.on_link3.fx"], rtol=1e-9)


def test_stresses_and_space(loaded):
    """The pressure of a pin is its load over diameter times width; nothing comes to the wall."""
    found = loaded.strength(4, 4.5, 0.5)
    force = found.check("pin A", "largest load").value
    assert found.check("pin A", "bearing pressure").value == pytest.approx(force / (1 * 1.25), rel=1e-12)
    assert found.ok


def test_redesign():
    """Derivatives of the stroke by lengths of the cards, against a sweep's central difference."""
    model = mubo.load(EXAMPLES / "eleven_bar_design.toml")
    exact = model.sensitivity(["range tip_height"], ["r12", "rate"], 0, 16, 8)
    for k, (name, at, step) in enumerate((("r12", 6.6, 1e-3), ("rate", -1.0, 1e-4))):
        low, high = (
            np.ptp(model.replace(**{name: at + sign * step}).kinematics(0, 16, 8)["tip_height"]) for sign in (-1, 1)
        )
        assert exact["range tip_height"][k] == pytest.approx((high - low) / (2 * step), rel=1e-4)
