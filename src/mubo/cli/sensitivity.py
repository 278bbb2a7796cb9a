"""mubo sensitivity."""

from __future__ import annotations

from typing import Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, measure_option, model_argument, quiet_option
from mubo.cli.summary import fail, tell
from mubo.errors import MuboError


@click.command(short_help="Exact slopes of measures by parameters: which dimension matters.")
@model_argument
@measure_option
@click.option("--by", "parameters", multiple=True, metavar="NAME",
              help="A parameter. May be repeated.  [default: all that do not follow from others]")  # fmt: skip
@click.option("--analysis", type=click.Choice(["kinematics", "inverse", "statics", "simulate"]),
              help="How the model is run.  [default: as it asks]")  # fmt: skip
@click.option("-o", "--output", type=click.Path(), help="Table to write: .csv.")
@click.option("--plot", "picture", type=click.Path(), help="Picture to write: what one percent of each changes.")
@click.option("--over", multiple=True, metavar="COLUMN", help="With --plot: slopes of columns over the motion instead.")
@TIMES[0]
@TIMES[1]
@TIMES[2]
@format_option
@json_option
@quiet_option
def sensitivity(model: str, kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Differentiates measures by parameters: the constraint equations themselves, never by differences.

    Of each measure the parameter comes first of which one percent changes most.

    \b
    mubo sensitivity parameters.toml --measure stroke --measure "max P.x"
    mubo sensitivity parameters.toml --measure stroke --by a --by c -o slopes.csv --plot slopes.png
    mubo sensitivity parameters.toml --measure stroke --plot path.png --over P.x --over P.y
    """
    output, picture, over = (options.pop(key) for key in ("output", "picture", "over"))
    if over and not picture:
        raise click.UsageError("--over goes with --plot")
    try:
        found = load_model(model, kind).sensitivity(**options)
        if output:
            found.save(output)
        if picture:
            found.plot(*over, path=picture)
    except MuboError as error:
        fail(error, as_json)
        return
    tell(found, [output, picture], as_json, quiet)
