"""Studies that search designs: the best one for a goal, and those that none betters for several goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mubo.lazy_dataclass import dataclass
from mubo.studies.declare import Study, option
from mubo.studies.design import WORKERS, Analysed


@dataclass(frozen=True)
class Searched(Analysed):
    """Among which designs is searched, from which points and by how many processes."""

    vary: Mapping[str, Any] | None = option(
        None,
        "Parameter and its two bounds.",
        positional=True,
        many=True,
        metavar="NAME=FROM:TO",
        parse="mubo.design.ranges:read_ranges",
        shown_default="as [optimize] says",
    )
    constraints: Sequence[str] | None = option(
        None,
        'Constraint: "transmission >= 40 deg", "a + b <= 0.3", "full turn of motor", "no change of branch".',
        many=True,
        flag="--constraint",
        metavar="TEXT",
        shown_default="as [optimize] says",
    )
    choices: Any = option(
        None,
        'Values that a parameter may take, "b=100mm,120mm", or a table with a choice in each line, "@bearings.csv".',
        many=True,
        flag="--choice",
        metavar="NAME=VALUES",
        parse="mubo.cli.study_options:choices",
        shown_default="as [optimize] says",
    )
    seed: int | None = option(None, "Seed of the starting points.", shown_default="0")
    workers: int | None = option(None, WORKERS, least=1, shown_default="one per core")


@dataclass(frozen=True)
class OptimizeOptions(Searched):
    """Options of `optimize`."""

    minimize: str | None = option(None, 'Measure or expression to minimise: "max motor.effort", mass, "a + b".')
    maximize: str | None = option(None, "Measure or expression to maximise: transmission, stroke.")
    fit: Mapping[str, Any] | Sequence[str] | str | None = option(
        None,
        'Target: "stroke of D=60 deg", or "path error of P from FILE".',
        many=True,
        metavar="TEXT=VALUE",
        parse="mubo.cli.study_options:targets",
    )
    cases: Mapping[str, Any] | str | None = option(
        None,
        'Other values of a parameter at which every design is run too, "n=600,1200" or "n=600:3000:5", or the word '
        "tolerances: the worst of all counts.",
        many=True,
        flag="--case",
        metavar="NAME=VALUES",
        parse="mubo.cli.study_options:cases",
        shown_default="as [optimize] says",
    )
    starts: int | None = option(None, "Number of local searches.", least=1, shown_default="as [optimize] says, or 8")
    method: str | None = option(
        None,
        "Starting points: Sobol points, differential evolution, or CMA-ES.",
        choices=("starts", "evolution", "cma"),
        shown_default="starts",
    )


@dataclass(frozen=True)
class ParetoOptions(Searched):
    """Options of `pareto`."""

    minimize: Sequence[str] | str = option(
        (), 'Measure or expression to minimise: "max motor.effort", mass, "a + b".', many=True, metavar="TEXT"
    )
    maximize: Sequence[str] | str = option(
        (), "Measure or expression to maximise: transmission, stroke.", many=True, metavar="TEXT"
    )
    designs: int = option(12, "Largest number of designs.", least=3)
    starts: int | None = option(None, "Number of local searches for every goal alone.", least=1, shown_default="8")


OPTIMIZE = Study(
    "optimize",
    OptimizeOptions,
    "mubo.design.optimize.optimize:answer_optimize",
    "Optimum\n    The design, its run and its verification. Contradicting constraints raise a DesignError.",
    "Best design within bounds and constraints, as [optimize] of the model or the options state them.",
    notes="""A local search with exact sensitivities from every one of many starting points. The optimum is analysed
again on the assembly branch of the initial design, and verified. If no feasible design is found, the
conflicting constraints are listed.""",
    examples=""">>> model = mubo.load("parameters.toml")
>>> found = model.optimize({"c": [0.1, 0.13]}, maximize="transmission", starts=1, workers=1)
>>> found.proof.holds
True""",
    commands=(
        "mubo optimize wiper.toml -o better_wiper.toml -o wiper.png",
        "mubo optimize parameters.toml --vary c=0.1:0.13 --maximize transmission -o better.toml",
        'mubo optimize parameters.toml --vary a=0.03:0.05 --fit "swing=40 deg" --constraint "d >= 3*a"',
    ),
    group="design",
    result="mubo.design.optimize.optimum:Optimum",
)
PARETO = Study(
    "pareto",
    ParetoOptions,
    "mubo.design.pareto.front:answer_pareto",
    "ParetoFront\n    The designs along the first goal, each run and verified.",
    "Designs for several goals, none of which is better in every goal than another (Pareto's front).",
    notes="""First every goal alone, then points between these ends, each a minimum with limits as `optimize` finds it,
also where the front is hollow. Bounds, limits and choices are those of [optimize] where none are given.""",
    examples=""">>> model = mubo.load("parameters.toml")
>>> front = model.pareto({"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1)
>>> len(front), bool(front["transmission"][0] < front["transmission"][-1])
(3, True)""",
    commands=(
        "mubo pareto parameters.toml --vary a=0.03:0.05 --maximize stroke --maximize transmission -o front.png",
        'mubo pareto parameters.toml --vary a=0.03:0.05 --maximize stroke --minimize "range P.y" -o designs',
    ),
    group="design",
    result="mubo.design.pareto.result:ParetoFront",
)
