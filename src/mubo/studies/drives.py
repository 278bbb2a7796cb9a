"""Studies of machine design: strength of parts; motors and gears for what a driver has to do, with the flywheel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mubo.lazy_dataclass import dataclass
from mubo.studies.declare import Study, Timed, WithForces, option


@dataclass(frozen=True)
class MotorOptions(Timed):
    """Options of `motor`."""

    catalogue: str | Path | Mapping[str, Any] = option(
        None,
        "Catalogue of motors, .toml or .csv: inertia, continuous and peak torque over speed, greatest speed.",
        positional=True,
        required=True,
        metavar="FILE",
    )
    driver: str = option("", "Driver that the motor moves.", metavar="DRIVER", shown_default="the only one")
    ratio: Sequence[float] | float | str | None = option(
        None,
        "Gear ratios to choose from, motor speed over driver speed, such as 5,10,20.",
        metavar="RATIOS",
        shown_default="any",
    )
    efficiency: float = option(1.0, "Efficiency of the gear.")
    fluctuation: float | None = option(
        None, "Coefficient of fluctuation of the speed, (max − min)/mean, that a flywheel has to keep."
    )


MOTOR = Study(
    "motor",
    MotorOptions,
    "mubo.applications.drives.result:answer_motor",
    "MotorSizing\n    The motors, the smallest that can do it first, each with its ratio.",
    "Motors of a catalogue for the duty of a driver, each with its gear ratio, and the flywheel on its shaft.",
    notes="""The duty is that of inverse dynamics. A motor can do it where its torque is below its peak curve at every
instant, its root mean square below its continuous curve at the mean speed, and its speed below the greatest.""",
    examples=""">>> found = mubo.load("feeder.toml").motor("motors.csv", ratio=[5, 10, 20])
>>> found.ok, found.best.ratio
(True, 10.0)""",
    commands=(
        "mubo motor feeder.toml --catalogue motors.csv -o motors.png",
        "mubo motor feeder.toml --catalogue motors.csv --ratio 5,10,20 --efficiency 0.95 -o sizing.csv",
        "mubo motor engine.toml --catalogue motors.csv --fluctuation 0.02",
    ),
    group="design",
    result="mubo.applications.drives.result:MotorSizing",
)


@dataclass(frozen=True)
class StrengthOptions(WithForces):
    """Options of `strength`."""

    deflection: Sequence[str] | str = option(
        (), "Point of interest whose deflection by the bending and stretching of links is wanted.", many=True
    )


STRENGTH = Study(
    "strength",
    StrengthOptions,
    "mubo.applications.strength.strength:answer_strength",
    "Strength\n    A table to sign; `.run` is the run with forces, `.save` writes the table or the envelopes.",
    "Whether pins, bearings and links withstand the motion, and which volume it sweeps: a table to sign.",
    notes="""Pins are defined in [pin.JOINT], cross-sections of links in [section.BODY]; the run is one cycle.""",
    examples=""">>> found = mubo.load("strong_four_bar.toml").strength()
>>> round(found.check("pin B", "mean effective load").value, 1)
45688.8
>>> found.run.plot(at=found.worst["coupler"].t, path="worst.png") is not None
True""",
    commands=("mubo strength strong_four_bar.toml -o s.csv", "mubo strength strong_four_bar.toml --report s.html"),
    result="mubo.applications.strength.report:Strength",
)
