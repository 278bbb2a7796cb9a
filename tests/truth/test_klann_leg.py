"""Klann's leg by circle intersections from the coordinates in US patent 6,260,862, times 100."""

import numpy as np
import pytest
from circles import agree, meet, still, turning
from conftest import EXAMPLES

import mubo

# The patent's numbered places, with the crank pin on the left of its shaft.
UPPER, LOWER, SHAFT = 136.6 + 136.6j, 100.9 + 57.4j, 159.9 + 75.0j  # 9, 11, 15
ELBOW, PIN, FOOT, KNEE, HIP = 74.1 + 75.0j, 133.1 + 75.0j, 0j, 23.2 + 86.6j, 86.6 + 150.0j  # 27, 29, 33, 35, 37


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "klann_leg.toml").kinematics()


def test_every_pin(run):
    upper, lower, shaft = (still(place.real, place.imag) for place in (UPPER, LOWER, SHAFT))
    pin = turning(shaft, abs(PIN - SHAFT), np.radians(180 + 360 * run["t"]), 2 * np.pi)
    elbow = meet(pin, abs(ELBOW - PIN), lower, abs(ELBOW - LOWER), -1)
    knee = pin + (elbow - pin) * (KNEE - PIN) / (ELBOW - PIN)
    hip = meet(knee, abs(HIP - KNEE), upper, abs(HIP - UPPER), 1)
    foot = knee + (hip - knee) * (FOOT - KNEE) / (HIP - KNEE)
    agree(run, {"crank.shaft": shaft, "crank.pin": pin, "connecting_rod.pin": pin, "connecting_rod.elbow": elbow})
    agree(run, {"lower_rocker.axle": lower, "lower_rocker.elbow": elbow, "connecting_rod.knee": knee})
    agree(run, {"upper_rocker.axle": upper, "upper_rocker.hip": hip, "leg.knee": knee, "leg.hip": hip, "foot": foot})


def test_stride_and_step_are_those_that_klann_printed(run):
    """mechanicalspider.com/concept.html, Enable001: stride 1.000, step height 52.3 %, deviation 5.5 %."""
    x, y = run["foot.x"], run["foot.y"]
    half = len(run) // 2  # the crank pin on the right; from there to the end the foot is on the ground
    assert (x[half] - x[0]) / 100 == pytest.approx(1.000, abs=0.0005)
    assert 100 * np.ptp(y) / np.ptp(x) == pytest.approx(52.3, abs=0.05)
    assert 100 * np.ptp(y[half:]) / np.ptp(x) == pytest.approx(5.5, abs=0.05)
