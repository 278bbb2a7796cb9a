"""mubo plot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from mubo.cli.options import format_option, load_model, model_argument, quiet_option, solve, solver_options


@click.command()
@model_argument
@click.argument("columns", nargs=-1)
@click.option("-o", "--output", type=click.Path(), help="Picture to write: .png, .svg or .pdf (default: MODEL.png).")
@click.option(
    "--kind",
    "picture",
    type=click.Choice(["mechanism", "path", "time", "newton", "newton-totals"]),
    help="What to draw (default: follows from the columns).",
)
@solver_options
@format_option
@quiet_option
def plot(
    model: str,
    columns: tuple[str, ...],
    output: str | None,
    picture: str | None,
    kind: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """A picture of a model's motion.

    Without COLUMNS the mechanism is drawn; with P.x P.y (in space also z) the path of P; with others charts over time.

    \b
    mubo plot four_bar.toml P.x P.y -o path.png
    mubo plot rssr.toml D.q rocker.wy -o rocker.png
    mubo plot four_bar.toml rocker.phi rocker.omega rocker.alpha -o rocker.png
    mubo plot four_bar.toml transmission.coupler_rocker.angle -o transmission.png
    mubo plot four_bar.toml --kind newton-totals -o newton.png
    """
    from mubo.view import plot as draw

    loaded = load_model(model, kind, options["guide_smoothing"])
    target = output or f"{Path(model).stem}.png"
    result = solve(loaded, options, transmission=any(name.startswith("transmission.") for name in columns))
    draw(
        result,
        list(columns),
        target,
        picture,
        rerun=lambda tolerance, predictor: solve(
            loaded, options, tolerance=tolerance, predictor=predictor, formulation="absolute"
        ),
    )
    if not quiet:
        click.echo(target)
    if result.summary["status"] != "ok":
        click.echo(result.events[-1].message, err=True)
        sys.exit(3)
