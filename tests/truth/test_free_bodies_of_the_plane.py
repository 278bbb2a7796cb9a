"""Bodies that no hinge leads to: a thrown stone, a chain that floats, a plate and a bar on threads, a bead on a ring.

A bead on a smooth ring, and every point of a plate on two equal parallel links, moves as the bob of a pendulum:
sin(θ/2) = k sn(ω (t + K/ω), k²) let go from θ₀ with k = sin(θ₀/2), period 4 K(k²) √(r/g) (Landau and Lifshitz,
Mechanics, section 11). A bar on two threads of length L, 2b apart, turns with ω² = m g b² / (I L) (Den Hartog,
Mechanics, section 50).
"""

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.special import ellipj, ellipk

import mubo

G = 9.81


def pendulum_angle(t, length, start):
    """θ from the vertical of a pendulum let go at rest from the angle `start`."""
    k2 = np.sin(start / 2) ** 2
    sn, *_ = ellipj(np.sqrt(G / length) * t + ellipk(k2), k2)
    return 2 * np.arcsin(np.sin(start / 2) * sn)


def test_falling_stone(form):
    model = mubo.load(EXAMPLES / "falling_stone.toml")
    run = model.simulate(0, 1, 0.05, formulation=form)
    t = run["t"]
    for name, expected in {
        "stone.x": 3 * t,
        "stone.y": 1 + 4 * t - G * t**2 / 2,
        "stone.phi": 5 * t,
        "stone.vx": 3 + 0 * t,
        "stone.vy": 4 - G * t,
        "stone.omega": 5 + 0 * t,
        "stone.ay": -G + 0 * t,
        "stone.alpha": 0 * t,
    }.items():
        assert np.max(np.abs(run[name] - expected)) < 1e-11, name
    assert run.summary["status"] == "ok"


def test_the_stone_lands(form):
    run = mubo.load(EXAMPLES / "falling_stone.toml").simulate(0, 1.2, 0.1, formulation=form)
    assert run.events[-1].t == pytest.approx((4 + np.sqrt(16 + 2 * G)) / G, abs=1e-9)


def test_check_says_that_it_moves_freely():
    model = mubo.load(EXAMPLES / "falling_stone.toml")
    report = model.check()
    assert report.ok
    assert report.diagnosis.mobility == 3
    assert "body stone: it has no joint and no driver, and moves freely with 3 degrees of freedom" in str(report)


def test_a_body_away_from_its_centre_of_mass(form):
    """The origin of a body circles about its centre of mass, which falls."""
    model = mubo.Model("hammer", gravity=(0, -G))
    model.body("hammer", (0.4, 0.2), 0.3, mass=3.0, inertia=0.5, center=(0.7, -0.1))
    model.initial("hammer", velocity=(1.0, 2.0), omega=-4.0)
    run = model.simulate(0, 1, 0.1, formulation=form)
    t = run["t"]
    c, s = np.cos(0.3 - 4 * t), np.sin(0.3 - 4 * t)
    arm = np.array([0.7 * c + 0.1 * s, 0.7 * s - 0.1 * c])
    begin = np.array([[0.4], [0.2]]) + arm[:, :1]
    speed = np.array([[1.0], [2.0]]) + -4.0 * np.array([-arm[1, :1], arm[0, :1]])
    place = begin + speed * t + np.array([[0.0], [-G / 2]]) * t**2 - arm
    assert np.max(np.abs(np.array([run["hammer.x"], run["hammer.y"]]) - place)) < 1e-8
    assert np.max(np.abs(run["hammer.phi"] - (0.3 - 4 * t))) < 1e-9


def test_thrown_rods_keep_their_momentum(form):
    """Two equal rods: the centre of mass is half-way between theirs."""
    model = mubo.load(EXAMPLES / "thrown_rods.toml")
    run = model.simulate(0, 1, 0.02, formulation=form)
    t, (one, two) = run["t"], ("first", "second")
    x, y = ((run[f"{one}.{c}"] + run[f"{two}.{c}"]) / 2 for c in "xy")
    vx, vy = ((run[f"{one}.v{c}"] + run[f"{two}.v{c}"]) / 2 for c in "xy")
    assert np.max(np.abs(x - x[0] - vx[0] * t)) < 1e-10
    assert np.max(np.abs(y - y[0] - vy[0] * t + G / 2 * t**2)) < 1e-10
    spin = sum(
        0.02 * run[f"{body}.omega"]
        + (run[f"{body}.x"] - x) * (run[f"{body}.vy"] - vy)
        - (run[f"{body}.y"] - y) * (run[f"{body}.vx"] - vx)
        for body in (one, two)
    )
    assert np.max(np.abs(spin - spin[0])) < 1e-10 * abs(spin[0])
    assert run["second.omega"][0] == pytest.approx(6 - 4, abs=1e-12)


def test_a_free_joint_may_be_written_or_left_out(form):
    model = mubo.load(EXAMPLES / "thrown_rods.toml")
    written = model.simulate(0, 1, 0.1, formulation=form)
    del model.joints["air"]
    left_out = model.simulate(0, 1, 0.1, formulation=form)
    for name in ("first.x", "first.phi", "second.y", "B.q"):
        assert np.max(np.abs(written[name] - left_out[name])) < 1e-11


def test_a_body_may_be_called_as_a_joint(form):
    """The free joint that is inserted takes another name than the pin "rod"."""
    model = mubo.Model("names", gravity=(0, -G))
    model.ground.point("O", (0, 0))
    model.body("arm", points={"O": (0, 0)}, mass=1, inertia=1)
    model.revolute("rod", "ground.O", "arm.O")
    model.body("rod", (1, 0), mass=1, inertia=1)
    run = model.simulate(0, 1, 0.5, formulation=form)
    assert run["rod.y"] == pytest.approx([0, -G / 8, -G / 2], abs=1e-12)
    assert run["rod.q"] == pytest.approx([0, 0, 0], abs=1e-12)


def test_bead_on_a_ring(form):
    model = mubo.load(EXAMPLES / "bead_on_ring.toml")
    run = model.simulate(0, 3, 0.02, formulation=form, reactions=True)
    angle = pendulum_angle(run["t"], 0.5, np.pi / 2)
    assert np.max(np.abs(run["bead.x"] - 0.5 * np.sin(angle))) < 1e-8
    assert np.max(np.abs(run["bead.y"] + 0.5 * np.cos(angle))) < 1e-8
    period = 4 * ellipk(0.5) * np.sqrt(0.5 / G)
    again = model.simulate(0, period, period / 4, formulation=form)
    assert again["bead.x"][[0, 2, 4]] == pytest.approx([0.5, -0.5, 0.5], abs=1e-9)
    # The ring pulls with m (g cos θ + v²/r) = 3 m g cos θ towards its centre.
    pull = np.hypot(run["ring.on_bead.fx"], run["ring.on_bead.fy"])
    assert np.max(np.abs(pull - 3 * 0.1 * G * np.cos(angle))) < 1e-7


def bifilar(length=1.0, half=0.5):
    """A plate of the plane on two equal parallel links, drawn at 30° from the vertical."""
    model = mubo.Model("bifilar", gravity=(0, -G))
    x, y = length * 0.5, -length * np.sqrt(0.75)
    for name, at in (("A", -half), ("B", half)):
        model.ground.point(name, (at, 0))
    model.body("plate", (x, y), points={"A": (-half, 0), "B": (half, 0)}, mass=2.0, inertia=0.1)
    for name in "AB":
        model.joint(name, "distance", f"ground.{name}", f"plate.{name}", length=length)
    return model


def test_plate_on_two_links(form):
    run = bifilar().simulate(0, 3, 0.05, formulation=form)
    angle = pendulum_angle(run["t"], 1.0, np.pi / 6)
    assert np.max(np.abs(run["plate.x"] - np.sin(angle))) < 1e-8
    assert np.max(np.abs(run["plate.y"] + np.cos(angle))) < 1e-8
    assert np.max(np.abs(run["plate.phi"])) < 1e-9


def test_frequency_of_a_plate_on_two_links():
    linear = bifilar().linearize()
    assert [mode.frequency * 2 * np.pi for mode in linear.modes] == pytest.approx([np.sqrt(G)], rel=1e-10)


def test_bifilar_pendulum_measures_the_moment_of_inertia(form):
    """The torsional mode, and the same period in the motion of a small amplitude."""
    model = mubo.load(EXAMPLES / "bifilar_pendulum.toml")
    omega = 0.2 * np.sqrt(1.5 * G / (0.05 * 1.0))
    frequencies = [2 * np.pi * mode.frequency for mode in model.linearize().modes]
    assert min(abs(np.array(frequencies) - omega)) < 1e-9
    model.initial("bar", omega=(0, 0, 1e-4))
    run = model.simulate(0, 2, 0.05, formulation=form)
    turn = 2 * np.arctan2(run["bar.qz"], run["bar.qw"])
    assert np.max(np.abs(turn - np.radians(1e-4) / omega * np.sin(omega * run["t"]))) < 1e-10
