"""Motors, gears and flywheels against closed forms: inertia matching, root mean squares, energy swing of a sine."""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.applications.drives.catalogue import Motor
from mubo.applications.drives.sizing import Duty, check_motor

SI = {"length": "m", "angle": "rad", "mass": "kg", "time": "s"}
SMALL = {"inertia": 2e-4, "continuous": 1.0, "peak": 3.0, "speed": 400.0}


def disc(motion, inertia=0.05, load="", end=1.0):
    """A disc on a shaft, and a torque on it."""
    model = mubo.Model("disc", units=SI, gravity=(0, 0))
    model.ground.point("O", (0, 0))
    model.body("disc", points={"O": (0, 0)}, mass=1.0, inertia=inertia)
    model.revolute("O", "ground.O", "disc.O")
    model.driver("motor", "O", motion)
    if load:
        model.force("load", "body_torque", "disc", torque=load)
    model.analysis = mubo.model.Analysis("inverse", {"start": 0.0, "end": end, "step": end / 200})
    return model


def test_inertias_match_where_the_root_mean_square_is_least():
    """A mere inertia J_L: i = √(J_L/J), the motor's torque is 2 √(J_L J) α, both inertias are equal there."""
    model = disc("10*sin(2*pi*t)")
    found = model.motor({"M": SMALL})
    ratio = math.sqrt(0.05 / 2e-4)
    assert found.duty.best_ratio(2e-4) == pytest.approx(ratio, rel=1e-9)
    alpha = 10 * (2 * math.pi) ** 2 / math.sqrt(2)
    matched = model.motor({"M": SMALL}, ratio=ratio).best
    assert matched.rms == pytest.approx(2 * math.sqrt(0.05 * 2e-4) * alpha, rel=1e-6)
    assert found.inertia_ratio(matched) == pytest.approx(1.0, rel=1e-9)
    assert found.reflected_inertia == pytest.approx(0.05, rel=1e-9)
    assert found.duty.rms(found.duty.effort) == pytest.approx(0.05 * alpha, rel=1e-6)
    for other in (0.9 * ratio, 1.1 * ratio):
        assert model.motor({"M": SMALL}, ratio=other).best.rms > matched.rms


def test_shares_of_the_limits_and_losses():
    """At constant speed ω against a torque T: τ = T/(i η), speed i ω; where T drives, η T/i; curves between points."""
    curve = [[0, 4.0], [100, 2.0]]
    motor = {**SMALL, "continuous": curve, "peak": [[0, 8.0], [100, 4.0]], "speed": 100}
    for sign, torque in ((-1, 6 / 0.8), (1, 6 * 0.8)):
        check = disc("5*t", load=str(sign * 6.0)).motor({"M": motor}, ratio=10, efficiency=0.8).best
        limit = np.interp(50, *np.transpose(curve))
        assert check.rms == pytest.approx(torque / 10, rel=1e-12)
        assert check.mean_speed == pytest.approx(50, rel=1e-12)
        assert check.shares == pytest.approx(
            {"peak": torque / 10 / (2 * limit), "continuous": torque / 10 / limit, "speed": 0.5}, rel=1e-9
        )


def test_the_ratio_of_least_utilisation_balances_speed_against_torque():
    """At constant speed ω and torque T the shares i ω/n and T/(i M) are equal at i = √(T n/(M ω))."""
    check = disc("5*t", load="-6.0").motor({"M": SMALL}).best
    assert check.ratio == pytest.approx(math.sqrt(6.0 * 400 / (1.0 * 5)), rel=1e-6)
    assert check.utilisation == pytest.approx(check.ratio * 5 / 400, rel=1e-6)


def test_the_smallest_motor_that_can_is_the_best():
    big = {**SMALL, "continuous": 10.0, "peak": 30.0}
    weak = {**SMALL, "continuous": 0.001, "peak": 0.003}
    found = disc("5*t", load="-6.0").motor({"big": big, "weak": weak, "small": SMALL})
    assert [check.motor.name for check in found.checks] == ["small", "big", "weak"]
    assert [check.ok for check in found.checks] == [True, True, False]


def test_flywheel_for_a_torque_that_swings():
    """T₀ + T₁ sin 2θ swings by T₁ of energy about its mean: I = T₁/(C ω²) (Norton, Design of Machinery, 11.11)."""
    model = disc("20*t", load="-(50 + 30*sin(2*disc.phi))", end=math.pi / 10)
    found = model.motor({"M": SMALL}, fluctuation=0.05)
    assert found.energy_swing == pytest.approx(30.0, rel=1e-6)
    assert found.flywheel == pytest.approx(30.0 / (0.05 * 20**2), rel=1e-6)
    (check,) = found.checks  # with the flywheel the motor gives the mean torque, at 20 (1 ± C/2)
    assert check.torque == pytest.approx(50 / check.ratio, rel=1e-6)
    assert [check.speed.min(), check.speed.max()] == pytest.approx([check.ratio * 20 * x for x in (0.975, 1.025)])
    assert "50 N m, constant" in str(found)
    heavy = disc("20*t", inertia=found.flywheel, load="50 - (50 + 30*sin(2*disc.phi))", end=math.pi / 10)
    heavy.initial("O", q=0, v=20)
    free = heavy.simulate(free=["motor"], end=math.pi / 10, step=math.pi / 4000)
    speed = free["disc.omega"]
    # ½ I (ω_max² − ω_min²) = ΔE, so that C ω² holds with the mean of the two extremes
    assert np.ptp(speed) * (speed.max() + speed.min()) / 2 == pytest.approx(0.05 * 20**2, rel=1e-5)


def test_reflected_inertia_of_a_gear_pair(tmp_path):
    """J₁ + J₂ (z₁/z₂)² at the first wheel, as the word of objectives."""
    model = mubo.Model("gears", units=SI, gravity=(0, 0))
    model.ground.point("A", (0, 0))
    model.ground.point("B", (0.06, 0))
    for name, pin, inertia in (("one", "A", 0.01), ("two", "B", 0.3)):
        model.body(name, points={pin: (0, 0)}, position=(0.06 * (name == "two"), 0), mass=1.0, inertia=inertia)
        model.revolute(pin, f"ground.{pin}", f"{name}.{pin}")
    model.joint("mesh", "gears", "one", "two", radii=(0.02, 0.04))
    model.driver("motor", "A", "3*t + sin(t)")
    model.analysis = mubo.model.Analysis("inverse", {"start": 0.0, "end": 1.0, "step": 0.01})
    model.parameter("u", 1.0)
    sweep = model.sweep({"u": [1.0]}, ["reflected inertia of motor"], workers=1)
    assert sweep.values[0, 0] == pytest.approx(0.01 + 0.3 / 4, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name, inertia [kg cm^2], continuous [N m], peak [N m]\nM, 1, 2, 3\n", "motor M: speed is missing"),
        ("name, inertia [kg cm^2], continuous [N], peak [N m], speed [rpm]\nM, 1, 2, 3, 4\n", "motor M:"),
        ("name, inertia, continuous, peak, speed\nM, 1, two, 3, 4\n", "two"),
        ("name, inertia, continuous, peak, speed\nM, 1, 2, 3\n", "line 2: 5 cells are needed; found 4"),
        ("name, inertia, continuous, peak, speed\nM,1,2,3,4\nM,1,2,3,4\n", "stands there twice"),
        ("motor, inertia\nM, 1\n", "its first column is name"),
        ("name, inertia, continuous, peak, speed\nM, 1, -2, 3, 4\n", "the torques of continuous must be positive"),
        ("name, inertia, continuous, peak, speeds\nM, 1, 2, 3, 4\n", 'Did you mean "speed"?'),
        ("name, inertia, continuous, peak, speed\n", "has no motor"),
    ],
)
def test_bad_catalogues_are_refused(tmp_path, text, words):
    path = tmp_path / "motors.csv"
    path.write_text(text)
    with pytest.raises(mubo.ModelError) as refused:
        disc("5*t").motor(path)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"driver": "moter"}, 'Did you mean "motor"?'),
        ({"efficiency": 1.2}, "the efficiency of a gear"),
        ({"ratio": "5,ten"}, "ratios are numbers"),
        ({"ratio": [0]}, "a ratio is positive"),
        ({"fluctuation": 0}, "the coefficient of fluctuation"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked, words):
    with pytest.raises(mubo.ModelError) as refused:
        disc("5*t").motor({"M": SMALL}, **asked)
    assert words in str(refused.value)


def test_catalogues_in_toml_and_csv_agree(tmp_path):
    """A level curve of a CSV line, and the same in pairs with other units."""
    path = tmp_path / "motors.toml"
    path.write_text(
        '[motor.S20]\ninertia = "1.3e-5 kg m^2"\nspeed = "100 rev/s"\n'
        'continuous = [["0 rpm", "64 N cm"], ["6000 rpm", "0.64 N m"]]\npeak = "1.9 N m"\n'
    )
    feeder = mubo.load(EXAMPLES / "feeder.toml")
    one = feeder.motor(path, ratio=40).checks
    two = [check for check in feeder.motor(EXAMPLES / "motors.csv", ratio=40).checks if check.motor.name == "S20"]
    assert one[0].shares == pytest.approx(two[0].shares, rel=1e-12)


def test_a_motor_that_swings_counts_its_mean_speed_in_both_senses():
    """Of cos t over whole periods the mean is zero, that of its size 2/π: there the continuous curve is read."""
    t = np.linspace(0, 2 * math.pi, 20001)
    duty = Duty(t, 10 * np.cos(t), -10 * np.sin(t), np.full(len(t), 1.0))
    falling = np.array([[0.0, 2.0], [20.0, 0.0]])  # 2 N m at rest, nothing at 20 rad/s
    found = check_motor(duty, Motor("M", 0.0, falling, 5 * falling, 20.0), 1.0, 1.0)
    assert found.mean_speed == pytest.approx(20 / math.pi, rel=1e-6)
    assert found.shares["continuous"] == pytest.approx(1 / (2 - 2 / math.pi), rel=1e-6)
