"""Studies of designs of a model: sweep, sensitivity, tolerance, motor, strength; the verification of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mubo.lazy_dataclass import dataclass
from mubo.studies.declare import Study, Timed, Watched, WithForces, option

ANALYSES = ("kinematics", "inverse", "statics", "simulate")
MEASURES = (
    'Measure, such as stroke, "max motor.effort", "range P.x", "min transmission", "pin load", mass, or the name of a '
    "[measure] table with a number."
)
WORKERS = "Processes to use."


@dataclass(frozen=True)
class Analysed(Timed, Watched):
    """How every design is run."""

    analysis: str | None = option(
        None, "Analysis of every design.", choices=ANALYSES, shown_default="that of [analysis]"
    )


@dataclass(frozen=True)
class VerifyOptions(Analysed):
    """Options of `verify`."""

    free: Sequence[str] | str = option(
        (), "Driver to leave undriven, for statics and simulate.", many=True, metavar="DRIVER"
    )
    tolerance: float | None = option(None, "Largest constraint violation of the analysis.", flag="")


@dataclass(frozen=True)
class SweepOptions(Analysed):
    """Options of `sweep`."""

    vary: Mapping[str, Any] | str | Path = option(
        None,
        'Range of a parameter: "0.03:0.05:21", a list of values, or bounds "0.03:0.05" for samples; or "@cases.csv" '
        "or .xlsx, a table with a parameter in each column and a variant in each line.",
        positional=True,
        required=True,
        many=True,
        metavar="NAME=FROM:TO:COUNT",
        parse="mubo.design.ranges:read_ranges",
    )
    measures: Sequence[str] = option(
        (), MEASURES, positional=True, many=True, flag="--measure", metavar="TEXT", shown_default="what the model names"
    )
    method: str = option(
        "grid", "Every combination, a Latin hypercube, or Sobol points.", choices=("grid", "latin", "sobol")
    )
    samples: int | None = option(None, "Number of points of latin or sobol.", least=1)
    seed: int = option(0, "Seed of the points of latin or sobol.")
    output: str | Path | None = option(
        None, "Table (.parquet, .csv, .xlsx, .tex); keeps what is done while it runs.", flag=""
    )
    resume: bool = option(False, "Go on with a sweep that was interrupted.")
    cluster: Any = option(None, 'Address of a dask scheduler, such as tcp://host:8786, or "local".', metavar="ADDRESS")
    workers: int | None = option(None, WORKERS, least=1, shown_default="one per core")
    yes: bool = option(False, "Compute more than ten million variants.")


@dataclass(frozen=True)
class Differentiated(Timed, Watched):
    """How the design is run whose measures are differentiated: exact derivatives are those of motions by drivers."""

    analysis: str | None = option(
        None, "Analysis that is differentiated.", choices=("kinematics", "inverse"), shown_default="that of [analysis]"
    )


@dataclass(frozen=True)
class SensitivityOptions(Differentiated):
    """Options of `sensitivity`."""

    measures: Sequence[str] = option(
        (), MEASURES, positional=True, many=True, flag="--measure", metavar="TEXT", shown_default="what the model names"
    )
    parameters: Sequence[str] = option(
        (),
        "Parameter to differentiate by.",
        positional=True,
        many=True,
        flag="--by",
        metavar="NAME",
        shown_default="all that do not follow from others",
    )


def no_linear_part(found: Any) -> None:
    """Ignores the linear part of a tolerance analysis."""


@dataclass(frozen=True)
class ToleranceOptions(Differentiated):
    """Options of `tolerance`."""

    measures: Sequence[str] = option(
        (), MEASURES, positional=True, many=True, flag="--measure", metavar="TEXT", shown_default="what the model names"
    )
    of: Mapping[str, Any] | None = option(
        None,
        "Half the width within which a parameter is made: a=±0.05mm, a=0.5%, or a=0.05mm,uniform; in Python a number, "
        "text, or a dictionary with size and spread.",
        positional=True,
        many=True,
        metavar="NAME=SIZE",
        parse="mubo.cli.study_options:sizes_by_parameter",
        shown_default="the model's [tolerances]",
    )
    clearance: Mapping[str, Any] | None = option(
        None,
        "Radial clearance of the pin of a joint: B=0.02mm.",
        positional=True,
        many=True,
        metavar="JOINT=SIZE",
        parse="mubo.cli.study_options:sizes_by_joint",
    )
    samples: int = option(1000, "Random designs that are run whole; 0 for none.", least=0)
    seed: int = option(0, "Seed of the random designs.")
    linear: Callable[[Any], None] = option(
        no_linear_part, "Called with the linear part of the result before the random designs are run.", flag=""
    )
    workers: int | None = option(None, WORKERS, least=1, shown_default="one per core")


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
        None,
        "Coefficient of fluctuation of the speed, (max − min)/mean, that a flywheel has to keep; "
        "the motor then gives the mean torque.",
    )


VERIFY = Study(
    "verify",
    VerifyOptions,
    "mubo.analyses.verify.verify:answer_verify",
    "Verification\n    A table of checks, each with the figure found, the figure allowed and a verdict.",
    "Verification of an analysis: second formulations, residuals, energy or virtual work, tighter tolerances.",
    notes="""For a motion: residuals, a certificate that every pose exists and is the only one near it, the
reversibility check, half the step, other formulations, differences of positions. For forces: the
balance of every body, power, virtual work. For statics: the potential by differences. For a
simulation: the equations of motion in other coordinates, energy, tighter tolerances.""",
    examples=""">>> proof = mubo.load("four_bar.toml").verify()
>>> proof.holds, proof["certificate"].note.split(":")[0]
(True, '41 of 41 rows')""",
    commands=(
        "mubo verify four_bar.toml",
        "mubo verify engine.toml --analysis inverse -o proof.json",
        "mubo verify released_four_bar.toml --json",
    ),
    group="trust",
    result="mubo.analyses.verify.table:Verification",
)
SWEEP = Study(
    "sweep",
    SweepOptions,
    "mubo.design.sweep:answer_sweep",
    "Sweep\n    Every variant with its parameters, measures and status.",
    "Variants of a model over ranges of its parameters, each run and measured.",
    examples=""">>> sweep = mubo.load("parameters.toml").sweep({"a": "0.03:0.05:3"}, ["stroke", "range P.x"])
>>> sweep["stroke"].shape
(3,)""",
    commands=(
        "mubo sweep parameters.toml --vary a=0.03:0.05:21 --measure stroke -o sweep.csv",
        'mubo sweep parameters.toml --vary a=0.03:0.05:11 --vary beta=10:30:5 --measure "range P.x" -o map.png',
        "mubo sweep parameters.toml --vary @cases.csv --measure stroke -o sweep.xlsx",
        "mubo sweep parameters.toml --vary a=0.03:0.05 --method sobol --samples 64 --measure stroke -o sweep.parquet",
        "mubo sweep parameters.toml --vary a=0.03:0.05:5 --measure stroke -o paths.png --overlay P.x --overlay P.y",
    ),
    group="design",
    result="mubo.design.sweep:Sweep",
)
SENSITIVITY = Study(
    "sensitivity",
    SensitivityOptions,
    "mubo.design.sensitivity:answer_sensitivity",
    'Sensitivity\n    `found["stroke"]` has one derivative per parameter, `found["P.x"]` parameters × times.',
    "Exact sensitivities of measures to parameters: the constraint equations are differentiated, nothing is varied.",
    examples=""">>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c"])
>>> found["stroke"].shape, found["P.x"].shape
((2,), (2, 101))""",
    commands=(
        'mubo sensitivity parameters.toml --measure stroke --measure "max P.x"',
        "mubo sensitivity parameters.toml --measure stroke --by a --by c -o sensitivity.csv -o sensitivity.png",
        "mubo sensitivity parameters.toml --measure stroke -o path.png --column P.x --column P.y",
    ),
    group="design",
    result="mubo.design.sensitivity:Sensitivity",
)
TOLERANCE = Study(
    "tolerance",
    ToleranceOptions,
    "mubo.design.tolerance_result:answer_tolerance",
    "Tolerances\n    Limits of every measure, and the contribution of every source.",
    "Effect of tolerances and clearances on measures: worst case, three sigma, Monte Carlo, contributions.",
    examples=""">>> found = mubo.load("tolerances.toml").tolerance(["stroke"], {"a": "0.1 mm"}, samples=0)
>>> found["stroke"]["worst"] == found["stroke"]["three sigma"]  # of one tolerance with three sigma at its limit
True""",
    commands=(
        "mubo tolerance tolerances.toml --measure stroke --samples 200",
        "mubo tolerance tolerances.toml --of a=±0.05mm --of c=0.1mm,uniform --clearance B=0.02mm --measure stroke",
        "mubo tolerance tolerances.toml --measure stroke --samples 0 -o band.png --path P",
    ),
    group="design",
    result="mubo.design.tolerance_result:Tolerances",
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
    mission: Mapping[str, Any] | str | Path | None = option(
        None,
        "Kinds of runs that follow each other, each so many times: a table, .csv or .xlsx, with a column runs and "
        "columns of parameters; in Python also lists by name.",
        metavar="FILE",
        shown_default="the one run",
    )


STRENGTH = Study(
    "strength",
    StrengthOptions,
    "mubo.applications.strength.answer:answer_strength",
    "Strength\n    A table to sign; `.run` is the run with forces, `.save` writes the table or the envelopes.",
    "Whether pins, bearings and links withstand the motion, and which volume it sweeps: a table to sign.",
    notes="""Pins are defined in [pin.JOINT], cross-sections of links in [section.BODY]; the run is one cycle. Of a
mission, cycles of stress and revolutions of bearings add up; of all else the worst kind of run counts.""",
    examples=""">>> found = mubo.load("strong_four_bar.toml").strength()
>>> round(found.check("pin B", "mean effective load").value, 1)
45688.8
>>> found.run.plot(at=found.worst["coupler"].t, path="worst.png") is not None
True""",
    commands=(
        "mubo strength strong_four_bar.toml -o s.csv",
        "mubo strength strong_four_bar.toml --report s.html",
        "mubo strength hoist.toml --mission hoist_mission.csv",
    ),
    result="mubo.applications.strength.report:Strength",
)
