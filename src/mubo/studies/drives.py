"""Studies of drives: motors and gears of a catalogue for what a driver has to do, and the flywheel on its shaft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mubo.lazy_dataclass import dataclass
from mubo.studies.declare import Study, Timed, option


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
