"""mubo statics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, model_argument, quiet_option
from mubo.cli.summary import fail, finish
from mubo.errors import MuboError
from mubo.results import require_ending

if TYPE_CHECKING:
    from mubo.face import Model, Run


def times_options(command: Any) -> Any:
    """--start --end --step."""
    for option in reversed(TIMES):
        command = option(command)
    return command


def static_run(model: Model, options: dict[str, Any]) -> Run:
    """Statics with those of the options that it knows."""
    import warnings

    from mubo.cli.progress import Progress

    known = ("start", "end", "step", "release", "starts", "balance", "length_scale")
    with warnings.catch_warnings(), Progress() as progress:
        warnings.simplefilter("ignore")  # the command prints the event itself
        return model.statics(**{key: options[key] for key in known if key in options}, progress=progress)


@click.command(short_help="Equilibria with their stability, or what holds a driven mechanism at rest.")
@model_argument
@click.option("-o", "--output", multiple=True, type=click.Path(), help="Table to write: .csv, .parquet or .json.")
@click.option("--release", multiple=True, metavar="DRIVER", help="Let go of this driver. May be repeated.")
@click.option("--starts", type=click.IntRange(min=0), help="Positions to search from besides the estimates. [default: 40]")
@click.option(
    "--balance",
    multiple=True,
    metavar="NUMBER",
    help="Choose a number such as spring.stiffness or counterweight.mass so that the drivers have least to hold. May be "
    "repeated.",
)
@click.option("--length-scale", metavar="LENGTH", help="Weighs moments against forces where reactions are not unique.")
@times_options
@format_option
@json_option
@quiet_option
def statics(model: str, output: tuple[str, ...], kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Equilibria of what nothing drives, each with its stability, stiffness and reactions: one row of the table each.

    Where every freedom is driven: the efforts that hold the mechanism at rest, and the reactions, at every position
    that the drivers lead it through.

    \b
    mubo statics loaded_four_bar.toml
    mubo statics loaded_four_bar.toml -o equilibria.csv --json
    mubo statics toggle_clamp.toml --step 0.01 -o clamp.csv
    mubo statics crane.toml --release hoist
    mubo statics desk_lamp.toml --balance s1.stiffness --balance s2.stiffness
    """
    try:
        for path in output:
            require_ending(path, model)
        result = static_run(load_model(model, kind), options)
        for path in output:
            result.save(path)
            result.summary["files"].append(path)
    except MuboError as error:
        fail(error, as_json)
        return
    finish(result, as_json, quiet)
