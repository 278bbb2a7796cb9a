"""mubo kinematics."""

from __future__ import annotations

from typing import Any

import click

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


@click.command(short_help="Positions, velocities and accelerations over time.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Table to write: .csv, .json, .parquet, or .txt for the classic listing. May be repeated.",
)
@click.option("--transmission", is_flag=True, help="Add columns of the transmission angle of every dyad.")
@click.option(
    "--advantage",
    metavar="COORDINATE",
    default="",
    help="Tell the mechanical advantage towards rocker.phi, slider.x or a joint, and add it as a column.",
)
@solver_options
@format_option
@json_option
@quiet_option
def kinematics(
    model: str,
    output: tuple[str, ...],
    transmission: bool,
    advantage: str,
    kind: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Positions, velocities and accelerations over a time grid, in the plane or in space.

    \b
    mubo kinematics four_bar.toml -o four_bar.csv
    mubo kinematics four_bar.toml --transmission --advantage rocker.phi -o four_bar.csv
    mubo kinematics rssr.toml --step 0.001 -o rssr.csv
    mubo kinematics kabios_thigh.dat --guide-smoothing none --json
    mubo kinematics eleven_bar.deck --scheme 1964
    """
    try:
        for path in output:
            require_ending(path, model)
        loaded = load_model(model, kind, options["guide_smoothing"])
        result = solve(loaded, options, transmission=transmission, advantage=advantage)
        for path in output:
            result.save(path)
            result.summary["files"].append(path)
    except MuboError as error:
        fail(error, as_json)
        return
    if options["scheme"] == "1964" and not (as_json or quiet):
        click.echo(result.listing)
    finish(result, as_json, quiet)
