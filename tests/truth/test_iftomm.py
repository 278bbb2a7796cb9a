"""Problems A01 to A05 of the IFToMM library of multibody benchmarks as shipped examples, by the figures that
it accepts (Gonzalez, Dopico, Lugris and Cuadrado, Multibody Syst. Dyn. 16, 2006) and by what is known better:

A01, A02  elliptic functions of θ'' = c g sin θ.
A03       angles at 0.03 s from a run in quadruple precision; the published ones are 1.4e-9 off.
A04       period by a quadrature of the energy of its one degree of freedom; first accelerations in quadruple precision.
A05       check values from a reduced equation in 30 digits; angular momentum about the shaft.
"""

import runpy

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.special import ellipj, ellipk

import mubo

G = 9.81
DRIFT = 1e-9  # of the energy exchanged, at default tolerances


def simulated(name, *times):
    return mubo.load(EXAMPLES / f"{name}.toml").simulate(*times)


def exchanged(run):
    """The drift of the energy where nothing goes in or out, and the largest exchange between its kinds."""
    total, potential = run["energy.total"], run["energy.potential"]
    return np.max(np.abs(total - total[0])), max(np.ptp(potential), np.max(run["energy.kinetic"]))


def test_a01_pendulum():
    """θ = 2 asin(k sn(K − ω₀ t)) from the lowest place, k = sin 45°; period 4 K / ω₀ = 2.367841947576237 s. Accepted:
    1e-5 m and 5e-5 J in 10 s."""
    run = simulated("simple_pendulum")
    rate = np.sqrt(G)
    assert 4 * ellipk(0.5) / rate == pytest.approx(2.367841947576237, rel=1e-13)
    theta = 2 * np.arcsin(np.sqrt(0.5) * ellipj(ellipk(0.5) - rate * run["t"], 0.5)[0])
    assert np.max(np.abs(run["P.x"] + np.sin(theta))) < 1e-7
    assert np.max(np.abs(run["P.y"] + np.cos(theta))) < 1e-7
    drift, most = exchanged(run)
    assert drift < DRIFT * most
    assert drift < 5e-5


def upright(number, t):
    """θ and θ' of the N-four-bar that leaves its upright place with 1 rad/s: θ = 2 am(t/2 | −4 c g)."""
    k = 3 * (3 * number + 1) / (2 * (4 * number + 1)) * G
    # am(u | −m) by the imaginary modulus (Abramowitz and Stegun 1964, 16.10): μ = m/(1 + m), u' = u √(1 + m).
    m, turn = 4 * k, 2 * ellipk(4 * k / (1 + 4 * k)) / np.sqrt(1 + 4 * k)
    whole, rest = np.divmod(t / 2, turn)
    rest = np.where(rest > turn / 2, rest - turn, rest)
    whole = np.round((t / 2 - rest) / turn)
    sn, _, dn, _ = ellipj(rest * np.sqrt(1 + m), m / (1 + m))
    theta = 2 * (np.arcsin(sn / dn / np.sqrt(1 + m)) + np.pi * whole)
    return theta, np.sqrt(1 + 2 * k * (1 - np.cos(theta)))


def test_a02_two_four_bars():
    """Position and velocity of B0 within 1e-3 and 1e-3 J accepted; periods 1.942514922607084 s, one turn each, with two
    singular positions in every turn."""
    run = simulated("n_four_bar")
    theta, rate = upright(2, run["t"])
    assert np.max(np.abs(np.pi / 2 - run["crank0.phi"] - theta)) < 1e-6
    assert np.max(np.abs(run["crank0.omega"] + rate)) < 1e-5
    assert upright(2, np.array([1.942514922607084]))[0][0] == pytest.approx(2 * np.pi, abs=1e-12)
    drift, most = exchanged(run)
    assert drift < DRIFT * most
    assert run.summary["loops"]["gap"] < 1e-10
    assert [event.kind for event in run.events] == ["bifurcation"] * 10
    at = upright(2, np.array([event.t for event in run.events]))[0]
    assert np.max(np.abs(np.cos(at))) < 1e-4


def test_a02_forty_four_bars():
    """The script of the example, 20 passages in 20 s; accepted 1e-3 in position and velocity of B0, threshold 1e-3."""
    model = runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"](40)
    run = model.simulate(0, 20, 0.5)
    theta, rate = upright(40, run["t"])
    assert np.max(np.abs(np.pi / 2 - run["crank0.phi"] - theta)) < 1e-6
    assert np.max(np.abs(run["crank40.omega"] + rate)) < 1e-5
    drift, most = exchanged(run)
    assert drift < DRIFT * most
    assert run.summary["loops"]["gap"] < 1e-10
    assert len(run.events) == 20


def test_a03_squeezer():
    """β = 15.81077119515371 and Θ = −15.75637105841184 at 0.03 s in quadruple precision; accepted: 1e-6 of an angle,
    1e-6 J of T + V − τ β, 1e-8 m of the loops."""
    run = simulated("andrews_squeezer")
    assert run["K1.phi"][-1] == pytest.approx(15.81077119515371, abs=1e-7)
    assert run["K2.phi"][-1] - run["K1.phi"][-1] == pytest.approx(-15.75637105841184, abs=1e-7)
    assert run["K1.omega"][-1] == pytest.approx(1139.920302259106, rel=1e-8)
    work = 0.033 * (run["K1.phi"] - run["K1.phi"][0])
    total = run["energy.total"] - run["energy.total"][0]
    assert np.max(np.abs(total - work)) < DRIFT * np.max(work)
    assert np.max(np.abs(run["energy.supplied"] - work)) < DRIFT * np.max(work)
    assert run.summary["loops"]["gap"] < 1e-12


def test_a04_bricard():
    """Period 4.9917115137 s, first acceleration 1.958083832335329 rad/s²; accepted: P3 within 1e-4 m, 1e-3 J, 1e-6 m of
    the loops. One row of five is redundant, and the linkage has one degree of freedom although it counts to none."""
    period = 4.9917115137
    run = simulated("bricard", 0, 2 * period, period / 16)
    assert len(run.summary["loops"]["left_out"]) == 1
    assert run.summary["dofs"] == 1
    for joint in ("H1", "H2", "H3", "H4", "H5", "H6"):
        assert abs(run[f"{joint}.a"][0]) == pytest.approx(1.958083832335329, rel=1e-9)
    for letter, first in zip("xyz", (1, -1, 0), strict=True):
        assert run[f"P3.{letter}"][[0, 16, 32]] == pytest.approx(first, abs=1e-6)
    drift, most = exchanged(run)
    assert drift < DRIFT * most
    assert run.summary["loops"]["gap"] < 1e-13


def test_a05_governor():
    """s, its rate, the shaft and a rod at 0.5 and 1 s; accepted: s within 1e-4 m, angular momentum within 1e-8."""
    run = simulated("flyball_governor", 0, 1, 0.05)
    for t, s, speed, turn, spin, rod in (
        (0.5, 0.7432494247863, 0.05211978015837, 2.807679488368, 5.103415421972, 1.311304945251),
        (1.0, 0.5014209223796, -0.1221514928977, 5.586346965869, 6.271125741877, 1.048963025169),
    ):
        row = round(t / 0.05)
        assert run["slider.z"][row] == pytest.approx(s, abs=1e-9)
        assert run["slide.v"][row] == pytest.approx(speed, abs=1e-8)
        assert run["bearing.q"][row] == pytest.approx(turn, abs=1e-8)
        assert run["bearing.v"][row] == pytest.approx(spin, abs=1e-8)
        fall = np.arccos(1 - run["ball1.z"][row])  # of the rod, from hanging straight down
        assert fall == pytest.approx(rod, abs=1e-8)
    # L about the shaft: rods and balls where they are, slider and shaft about their own axes.
    sine = np.sqrt(1 - (1 - run["ball1.z"]) ** 2)  # of the rod against the shaft
    along, across = 0.3 * 2 * 0.01**2 / 12, 0.3 * (1 + 0.01**2) / 12
    rods = along + (across - along) * sine**2 + 0.3 * (0.05 + 0.5 * sine) ** 2 + 5 * (0.05 + sine) ** 2
    momentum = (2 * rods + along + 3 * 2 * 0.1**2 / 12) * run["bearing.v"]
    assert np.max(np.abs(momentum / momentum[0] - 1)) < 1e-8
    assert run.summary["energy"]["relative"] < DRIFT
