"""mubo simulate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mubo.cli.inverse import length_scale_option
from mubo.cli.options import TIMES, format_option, json_option, load_model, model_argument, quiet_option
from mubo.cli.progress import SimulationProgress
from mubo.cli.summary import fail, finish
from mubo.errors import MuboError
from mubo.results import require_ending

if TYPE_CHECKING:
    from mubo.api import Model, Run


def simulation_options(command: Any) -> Any:
    """--start --end --step --rtol --atol --method."""
    for option in reversed(
        (
            *TIMES,
            click.option("--rtol", type=float, help="Relative tolerance of the integration.  [default: 1e-11]"),
            click.option("--atol", type=float, help="Absolute tolerance.  [default: 1e-11]"),
            click.option(
                "--method",
                type=click.Choice(["DOP853", "LSODA", "Radau", "BDF"]),
                help="Integrator; the last three are for stiff models; loops take Radau.  [default: what fits]",
            ),
            click.option(
                "--formulation",
                type=click.Choice(["auto", "tree", "absolute", "wittenburg"]),
                default="auto",
                show_default=True,
                help="Recursions over the tree with its loops closed; absolute coordinates by Radau, for stiff models "
                "and as a check; Wittenburg's A q̈ = B as a check for trees. auto: the tree, unless the model is stiff.",
            ),
        )
    ):
        command = option(command)
    return command


def simulated_run(model: Model, options: dict[str, Any]) -> Run:
    """A simulation with those of the options that it knows."""
    import warnings

    known = ("start", "end", "step", "rtol", "atol", "method", "formulation", "reactions", "length_scale")
    with warnings.catch_warnings(), SimulationProgress() as progress:
        warnings.simplefilter("ignore")  # the command prints the event itself
        return model.simulate(**{key: options[key] for key in known if key in options}, progress=progress)


@click.command(short_help="Motion from initial conditions.")
@model_argument
@click.option("-o", "--output", multiple=True, type=click.Path(), help="Table to write: .csv, .parquet or .json.")
@click.option("--reactions", is_flag=True, help="Columns of reactions, loads and efforts, as `mubo inverse` has them.")
@length_scale_option
@simulation_options
@format_option
@json_option
@quiet_option
def simulate(model: str, output: tuple[str, ...], kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Motion from initial conditions: forward dynamics of bodies in the plane or in space, trees and closed loops.

    \b
    mubo simulate five_body_chain.toml -o chain.csv
    mubo simulate released_four_bar.toml --end 10
    mubo simulate released_four_bar.toml --formulation absolute
    mubo simulate five_body_chain.toml --end 20 --rtol 1e-12 --json
    mubo simulate released_four_bar.toml --reactions -o forces.csv
    """
    try:
        for path in output:
            require_ending(path, model)
        result = simulated_run(load_model(model, kind), options)
        for path in output:
            result.save(path)
            result.summary["files"].append(path)
    except MuboError as error:
        fail(error, as_json)
        return
    finish(result, as_json, quiet)
