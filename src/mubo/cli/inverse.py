"""mubo inverse."""

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


def _length(ctx: click.Context, param: click.Parameter, text: str | None) -> float | str | None:
    """A plain number as one; everything else is read with its unit."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


length_scale_option = click.option(
    "--length-scale",
    metavar="LENGTH",
    callback=_length,
    help="Weighs moments against forces where reactions are not unique, such as 0.1 or '100 mm' (default: 1 m).",
)


@click.command(short_help="Efforts of drivers and reactions of joints along the motion.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Table to write: .csv, .json or .parquet. May be repeated.",
)
@length_scale_option
@solver_options
@format_option
@json_option
@quiet_option
def inverse(
    model: str,
    output: tuple[str, ...],
    length_scale: float | str | None,
    kind: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Inverse dynamics: what the motion takes of its drivers, and what every joint carries.

    Columns A.on_crank.fx, fy, m: by the other body on crank, at the joint point, in ground axes; motor.effort and
    motor.power; loads; shaking.fx, fy, m on the ground. Needs masses where bodies have some, and gravity.

    \b
    mubo inverse engine.toml -o forces.csv
    mubo inverse door.toml --length-scale '500 mm' --json
    """
    try:
        for path in output:
            require_ending(path, model)
        loaded = load_model(model, kind, options["guide_smoothing"])
        result = solve(loaded, options, "inverse", length_scale=length_scale)
        for path in output:
            result.save(path)
            result.summary["files"].append(path)
    except MuboError as error:
        fail(error, as_json)
        return
    finish(result, as_json, quiet)
