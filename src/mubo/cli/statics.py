"""mubo statics."""

from __future__ import annotations

from typing import Any

import click

from mubo.cli.inverse import length_scale_option
from mubo.cli.options import (
    format_option,
    json_option,
    load_model,
    model_argument,
    quiet_option,
    solve,
    solver_options,
)
from mubo.cli.summary import fail, finish
from mubo.errors import MuboError
from mubo.results import require_ending


@click.command(short_help="Equilibria and their stability, or what holds a driven mechanism at rest.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Table to write, one row per equilibrium or position: .csv, .json or .parquet. May be repeated.",
)
@click.option("--release", multiple=True, metavar="DRIVER", help="Let go of this driver. May be repeated.")
@click.option(
    "--starts",
    type=click.IntRange(min=0),
    help="Positions to search from, besides the estimates.  [default: 40, fewer of many degrees of freedom]",
)
@click.option(
    "--balance",
    multiple=True,
    metavar="NUMBER",
    help="Choose a number such as spring.stiffness or counterweight.mass so that the drivers have least to hold. May "
    "be repeated.",
)
@length_scale_option
@solver_options
@format_option
@json_option
@quiet_option
def statics(model: str, output: tuple[str, ...], kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Equilibria of what nothing drives, each with its stability, stiffness and reactions.

    Where every degree of freedom is driven: the efforts that hold the mechanism at rest, and the reactions, at every
    position that the drivers lead it through.

    \b
    mubo statics loaded_four_bar.toml -o holding.csv
    mubo statics loaded_four_bar.toml --release hold -o equilibria.csv
    mubo statics desk_lamp.toml --balance arm_spring.stiffness --balance fore_spring.stiffness
    """
    try:
        for path in output:
            require_ending(path, model)
        loaded = load_model(model, kind, options["guide_smoothing"])
        asked = {key: options[key] for key in ("release", "starts", "balance", "length_scale")}
        result = solve(loaded, options, "statics", **asked)
        for path in output:
            result.save(path)
            result.summary["files"].append(path)
    except MuboError as error:
        fail(error, as_json)
        return
    finish(result, as_json, quiet)
