"""mubo verify."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, model_argument, quiet_option
from mubo.cli.summary import fail
from mubo.errors import MuboError


@click.command(short_help="The proof: second formulations, residuals, energy, as a table.")
@model_argument
@click.option(
    "-o", "--output", type=click.Path(), multiple=True, help="Table to write: .json, .csv or .txt. May be repeated."
)
@click.option(
    "--analysis",
    type=click.Choice(["kinematics", "inverse", "statics", "simulate"]),
    help="What is verified.  [default: as the model's [analysis] says]",
)
@TIMES[0]
@TIMES[1]
@TIMES[2]
@click.option("--release", multiple=True, metavar="DRIVER", help="Of statics: let go of this driver. May be repeated.")
@format_option
@json_option
@quiet_option
def verify(
    model: str,
    output: tuple[str, ...],
    analysis: str | None,
    release: tuple[str, ...],
    kind: str | None,
    as_json: bool,
    quiet: bool,
    **times: Any,
) -> None:
    """The proof of an analysis: each check with the figure found, the figure allowed and a verdict.

    Of a motion: residuals, a certificate that every pose exists and is the only one near it, the way back, half the
    step, other formulations, differences of positions. Of forces: the balance of every body, power, virtual work. Of
    statics: the potential by differences. Of a simulation: the equations of motion in other coordinates, energy,
    tighter tolerances. Exit code 3 where a check does not hold.

    \b
    mubo verify four_bar.toml
    mubo verify engine.toml --analysis inverse -o proof.json
    mubo verify released_four_bar.toml --json
    """
    from mubo.analyses.verify.table import require_table_ending
    from mubo.formats.tables import plain

    try:
        for path in output:
            require_table_ending(path)
        settings: dict[str, Any] = {"release": release} if release else {}
        if release and analysis != "statics":
            raise click.UsageError("--release is for --analysis statics")
        proof = load_model(model, kind).verify(analysis=analysis, **times, **settings)
        for path in output:
            proof.save(path)
    except MuboError as error:
        fail(error, as_json)
        return
    if as_json:
        click.echo(json.dumps(plain({**proof.as_dict(), "files": list(output)}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(proof), *(f"{'file':<15} {path}" for path in output)]))
    if not proof.holds:
        if quiet:
            click.echo(proof.verdict, err=True)
        sys.exit(3)
