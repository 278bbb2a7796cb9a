"""The motors of a catalogue for a driver, with their gear ratios, and the flywheel on its shaft."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.applications.drives.catalogue import KINDS, read_catalogue
from mubo.applications.drives.sizing import SHARES, Duty, MotorCheck, choose_ratio
from mubo.design.objectives import value_of
from mubo.docstrings import documented
from mubo.errors import ModelError, ResultError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition, target_of
from mubo.model.objectives import Objective
from mubo.results import Run
from mubo.results.presentation import Presented, presented_by
from mubo.results.table_files import write_lines
from mubo.studies.design import MotorOptions

FINER = 16  # samples between two rows
HEADER = (
    "motor",
    "ratio",
    "utilisation",
    "governs",
    *SHARES,
    "rms torque",
    "peak torque",
    "greatest speed",
    "inertia ratio",
)


@dataclass(frozen=True, eq=False, repr=False)
class MotorSizing(Presented):
    """Motors of a catalogue for the duty of a driver, the smallest that can do it first.

    Examples
    --------
    >>> found = mubo.load("feeder.toml").motor("motors.csv")
    >>> found.best.motor.name, found.best.governs
    ('M', 'speed')
    """

    run: Run
    driver: str
    duty: Duty
    checks: tuple[MotorCheck, ...]
    efficiency: float
    reflected_inertia: float | None  # at the driver, in internal units
    energy_swing: float | None
    fluctuation: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> str:
        """Whether the driver moves an "angle" or a "length".

        Examples
        --------
        >>> mubo.load("feeder.toml").motor("motors.csv").holds
        'angle'
        """
        return target_of(self.run.model, self.run.model.drivers[self.driver].of).holds

    @property
    def ok(self) -> bool:
        """Whether a motor of the catalogue can do it.

        Examples
        --------
        >>> weak = {"M": {"inertia": 1e-4, "continuous": 0.001, "peak": 0.003, "speed": "6000 rpm"}}
        >>> mubo.load("feeder.toml").motor(weak).ok
        False
        """
        return self.best.ok

    @property
    def best(self) -> MotorCheck:
        """The smallest motor that can do it, with its ratio; where none can, the one that comes nearest.

        Examples
        --------
        >>> mubo.load("feeder.toml").motor("motors.csv", ratio=[5, 10]).best.ratio
        10.0
        """
        return self.checks[0]

    @property
    def flywheel(self) -> float | None:
        """The inertia on the driver's shaft that keeps its speed within the fluctuation asked for: I = ΔE/(C ω²).

        Examples
        --------
        >>> found = mubo.load("engine.toml").motor("motors.csv", fluctuation=0.02)
        >>> swing, speed = found.energy_swing, found.duty.speed.mean()
        >>> round(found.flywheel / (swing / (0.02 * speed**2)), 9)
        1.0
        """
        if self.fluctuation is None or self.energy_swing is None:
            return None
        return self.energy_swing / (self.fluctuation * self.duty.mean(self.duty.speed) ** 2)

    def inertia_ratio(self, check: MotorCheck) -> float | None:
        """The reflected inertia of the mechanism at a motor's shaft over that of the motor.

        Examples
        --------
        >>> found = mubo.load("feeder.toml").motor("motors.csv", ratio=[10])
        >>> found.inertia_ratio(found.best) > 0
        True
        """
        if self.reflected_inertia is None or not check.motor.inertia:
            return None
        return self.reflected_inertia / check.ratio**2 / check.motor.inertia

    def lines(self) -> list[list[Any]]:
        """One line per motor, in the model's units.

        Examples
        --------
        >>> mubo.load("feeder.toml").motor("motors.csv").lines()[0][0]
        'M'
        """
        torque, speed = (self.run.units.factor(KINDS[self.holds][key]) for key in ("torque", "speed"))
        return [
            [
                *(one.motor.name, one.ratio, one.utilisation, one.governs),
                *(one.shares[name] for name in SHARES),
                *(one.rms / torque, float(np.max(np.abs(one.torque))) / torque),
                *(float(np.max(np.abs(one.speed))) / speed, self.inertia_ratio(one)),
            ]
            for one in self.checks
        ]

    @property
    def summary(self) -> dict[str, Any]:
        """The result as a dictionary for programs, in the model's units.

        Examples
        --------
        >>> mubo.load("feeder.toml").motor("motors.csv").summary["ok"]
        True
        """
        units, kinds = self.run.units, KINDS[self.holds]
        inertia = units.factor(kinds["inertia"])
        return {
            "model": self.run.model.name,
            "driver": self.driver,
            "ok": self.ok,
            "motors": [dict(zip(HEADER, line, strict=True)) for line in self.lines()],
            "units": {key: units.unit_of(kind) for key, kind in kinds.items()} | {"energy": units.unit_of("energy")},
            "rms": self.duty.rms(self.duty.effort) / units.factor(kinds["torque"]),
            "peak": float(np.max(np.abs(self.duty.effort))) / units.factor(kinds["torque"]),
            "reflected_inertia": None if self.reflected_inertia is None else self.reflected_inertia / inertia,
            "energy_swing": None if self.energy_swing is None else self.energy_swing / units.factor("energy"),
            "flywheel": None if self.flywheel is None else self.flywheel / inertia,
            "notes": list(self.notes),
        }

    @documented(path="Table to write: .csv, .xlsx, .parquet or .tex.")
    def save(self, path: str | Path) -> None:
        """Writes the table of the motors.

        >>> mubo.load("feeder.toml").motor("motors.csv").save("motors.csv")
        """
        write_lines(Path(path), HEADER, self.lines(), "motors")

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.", returns="The matplotlib figure."
    )
    def plot(self, path: str | Path | None = None) -> Any:
        """Draws torque over speed of the duty against the curves of the motors.

        >>> figure = mubo.load("feeder.toml").motor("motors.csv").plot("motor.png")
        """
        return presented_by("MotorSizing.plot")(self, path)

    @documented(path="Page to write, .html.", returns="The page, which a notebook shows.")
    def report(self, path: str | Path) -> Any:
        """Writes one page with the moving mechanism and the duty against the curves of the motors.

        >>> page = mubo.load("feeder.toml").motor("motors.csv").report("motor.html")
        """
        return presented_by("MotorSizing.report")(self, path)


def driver_of(model: ModelDefinition, asked: str) -> str:
    """The driver meant: the one named, or the only one."""
    if asked and asked not in model.drivers:
        raise ModelError(f'there is no driver "{asked}". {nearest(asked, model.drivers)}', names=[asked])
    if not asked and len(model.drivers) != 1:
        found = f"several, {', '.join(model.drivers)}: say which" if model.drivers else "none"
        raise ModelError(f"a motor needs a driver; the model has {found}")
    return asked or next(iter(model.drivers))


def duty_of(run: Run, driver: str) -> Duty:
    """The duty of a driver along a run, solved between its rows; its acceleration is that of its law."""
    rows = run.columns.raw("t")
    if len(rows) < 2:
        raise ResultError("a duty takes some time: the run has one row")
    moved = run.model.drivers[driver]
    factor = run.units.angle_factor() if target_of(run.model, moved.of).holds == "angle" else 1.0
    times = (rows[:-1, None] + np.diff(rows)[:, None] * np.arange(FINER) / FINER).ravel()
    found = run.at(np.append(times, rows[-1]))
    t = found.raw("t")
    speed, effort = (found.raw(f"{driver}.{word}") for word in ("rate", "effort"))
    return Duty(t, speed, moved.motion(t)[:, 2] * factor, effort)


def answer_motor(definition: ModelDefinition, options: MotorOptions) -> MotorSizing:
    """Answers the study `motor`."""
    from mubo.analyses.inverse import inverse

    driver = driver_of(definition, options.driver)
    _require_numbers(options)
    holds = target_of(definition, definition.drivers[driver].of).holds
    motors = read_catalogue(definition.units, options.catalogue, holds)
    run = inverse(definition, options.times)
    if run.summary["status"] != "ok":
        raise ResultError(
            f"the motion does not run to its end, so that no motor can be judged: {run.events[-1].message}"
        )
    duty = duty_of(run, driver)
    if options.fluctuation is not None and not abs(duty.mean(duty.speed)) > 1e-9 * float(np.max(np.abs(duty.speed))):
        raise ModelError(
            f"driver {driver} has no mean speed, so that nothing fluctuates about it: leave fluctuation out"
        )
    ratios = ratios_of(options.ratio)
    left = duty if options.fluctuation is None else duty.with_flywheel(options.fluctuation)
    checks = sorted((choose_ratio(left, motor, ratios, options.efficiency) for motor in motors), key=lambda x: x.rank)
    notes, inertia, swing = [], None, None
    if len(definition.drivers) == 1:
        inertia = value_of(Objective("", "reflected inertia", driver), run) * run.units.factor(KINDS[holds]["inertia"])
        swing = value_of(Objective("", "energy swing", driver), run) * run.units.factor("energy")
    else:
        notes.append("inertia and energy swing at one driver are not defined beside others")
    return MotorSizing(
        run, driver, duty, tuple(checks), options.efficiency, inertia, swing, options.fluctuation, tuple(notes)
    )


def _require_numbers(options: MotorOptions) -> None:
    if not 0 < options.efficiency <= 1:
        raise ModelError(f"the efficiency of a gear is above 0 and at most 1; found {options.efficiency:g}")
    if options.fluctuation is not None and not 0 < options.fluctuation < 2:
        raise ModelError(
            f"the coefficient of fluctuation (ω_max − ω_min)/ω_mean is between 0 and 2; found {options.fluctuation:g}"
        )


def ratios_of(given: Any) -> Sequence[float] | None:
    """The ratios to choose from: a number, a list, or text such as "5,10,20"; None for any."""
    if given is None or (isinstance(given, tuple) and not given):
        return None
    cells = given.split(",") if isinstance(given, str) else np.atleast_1d(np.asarray(given, object)).tolist()
    try:
        ratios = [float(cell) for cell in cells]
    except (TypeError, ValueError):
        raise ModelError(f'ratios are numbers such as "5,10,20"; found {given!r}') from None
    if not ratios or not all(0 < ratio < np.inf for ratio in ratios):
        raise ModelError(f"a ratio is positive; found {given!r}")
    return ratios
