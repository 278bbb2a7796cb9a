"""What a motor has to give behind a gear, and whether it can.

With the ratio i of motor speed to driver speed a motor of inertia J turns with i ω and gives

    τ = J i α + τ_L/(i η)     where it drives,    J i α + η τ_L/i    where the load drives it.

It may be used if |τ| is below its peak curve at every instant, the root mean square of τ below its continuous curve at
the mean speed, and i ω below its greatest speed; the utilisation is the largest of these three shares. Without losses
the mean square is J² i² ⟨α²⟩ + 2 J ⟨α τ_L⟩ + ⟨τ_L²⟩/i², whose derivative by i² vanishes at i⁴ = ⟨τ_L²⟩/(J² ⟨α²⟩): it is
least at i = √(rms τ_L/(J rms α)), for a mere inertia J_L, τ_L = J_L α, at i = √(J_L/J).

A flywheel takes what swings about the mean power: with one the motor gives the constant torque P_mean/ω_mean, at speeds
from ω_mean (1 − C/2) to ω_mean (1 + C/2).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.applications.drives.catalogue import Motor
from mubo.arrays import Array
from mubo.lazy_dataclass import dataclass

SCAN = 241  # ratios that are looked at before the best is refined
WIDE = 1e3  # ratios of a search lie within this factor of the one with the least root mean square
SHARES = ("peak", "continuous", "speed")


@dataclass(frozen=True)
class Duty:
    """The work of a driver: its times, speed, acceleration and effort, in internal units."""

    t: Array
    speed: Array
    acceleration: Array
    effort: Array

    def mean(self, values: Array) -> float:
        """∫ x dt / T by the trapezium, of a duty sampled densely."""
        return float(np.trapezoid(values, self.t) / (self.t[-1] - self.t[0]))

    def with_flywheel(self, fluctuation: float) -> Duty:
        """The duty that a flywheel leaves, which keeps the speed within a coefficient of fluctuation."""
        mean = self.mean(self.speed)
        speed = mean * np.linspace(1 - fluctuation / 2, 1 + fluctuation / 2, len(self.t))
        effort = np.full(len(self.t), self.mean(self.effort * self.speed) / mean)
        return Duty(self.t, speed, np.zeros(len(self.t)), effort)

    def rms(self, values: Array) -> float:
        """The root of the mean square."""
        return float(np.sqrt(self.mean(values * values)))

    def best_ratio(self, inertia: float) -> float:
        """The ratio with the least root mean square of a motor's torque, without losses; infinite without inertia."""
        inertial = inertia * self.rms(self.acceleration)
        return float(np.sqrt(self.rms(self.effort) / inertial)) if inertial > 0 else np.inf

    def motor_torque(self, inertia: float, ratio: float, efficiency: float) -> Array:
        """τ of a motor at every time."""
        lost = np.where(self.effort * self.speed >= 0, 1 / efficiency, efficiency)
        return np.asarray(inertia * ratio * self.acceleration + self.effort * lost / ratio)


@dataclass(frozen=True)
class MotorCheck:
    """A motor with a ratio: torques and speeds at its shaft, and the share of each limit that is used."""

    motor: Motor
    ratio: float
    torque: Array  # at every time
    speed: Array
    rms: float
    mean_speed: float
    shares: dict[str, float]  # of SHARES

    @property
    def utilisation(self) -> float:
        """The largest share; above 1 it cannot be used."""
        return max(self.shares.values())

    @property
    def governs(self) -> str:
        """The limit with the largest share."""
        return max(self.shares, key=lambda name: self.shares[name])

    @property
    def rank(self) -> tuple[bool, float]:
        """Smaller is better: those that can do it by the power that they are rated for, others by their utilisation."""
        rated = float(self.motor.limit("continuous", self.motor.speed)) * self.motor.speed
        return (False, rated) if self.ok else (True, self.utilisation)

    @property
    def ok(self) -> bool:
        """Whether the motor can do it."""
        return self.utilisation <= 1.0


def check_motor(duty: Duty, motor: Motor, ratio: float, efficiency: float) -> MotorCheck:
    """One motor behind one ratio."""
    torque, speed = duty.motor_torque(motor.inertia, ratio, efficiency), ratio * duty.speed
    rms, mean = duty.rms(torque), duty.mean(np.abs(speed))
    shares = {
        "peak": float(np.max(np.abs(torque) / motor.limit("peak", speed))),
        "continuous": float(rms / motor.limit("continuous", mean)),
        "speed": float(np.max(np.abs(speed))) / motor.speed,
    }
    return MotorCheck(motor, ratio, torque, speed, rms, mean, shares)


def choose_ratio(duty: Duty, motor: Motor, ratios: Sequence[float] | None, efficiency: float) -> MotorCheck:
    """The motor behind the ratio of least utilisation: of those given, or of all."""
    from scipy.optimize import minimize_scalar

    if ratios is not None:
        return min((check_motor(duty, motor, ratio, efficiency) for ratio in ratios), key=_utilisation)
    fastest = float(np.max(np.abs(duty.speed)))
    most = motor.speed / fastest if fastest > 0 else duty.best_ratio(motor.inertia)
    middle = min(duty.best_ratio(motor.inertia), most)
    middle = middle if 0 < middle < np.inf else 1.0
    scan = middle * np.logspace(-np.log10(WIDE), np.log10(WIDE), SCAN)
    found = [check_motor(duty, motor, float(ratio), efficiency) for ratio in scan]
    k = int(np.argmin([one.utilisation for one in found]))
    low, high = np.log(scan[max(k - 1, 0)]), np.log(scan[min(k + 1, SCAN - 1)])
    sharp = minimize_scalar(
        lambda x: check_motor(duty, motor, float(np.exp(x)), efficiency).utilisation,
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return min(found[k], check_motor(duty, motor, float(np.exp(sharp.x)), efficiency), key=_utilisation)


def _utilisation(found: MotorCheck) -> float:
    return found.utilisation
