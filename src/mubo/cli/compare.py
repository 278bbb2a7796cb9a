"""mubo compare."""

from __future__ import annotations

import json
import sys
import textwrap

import click

from mubo.cli.options import json_option, quiet_option
from mubo.cli.study_options import command, split_pairs
from mubo.cli.terminal import coloured, fail
from mubo.errors import MuboError


def _mapping(ctx: click.Context, param: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    return split_pairs(pairs, "NAME=REFNAME")


def _not_negative(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not value >= 0:
        raise click.BadParameter(f"expected a number from 0; found {value:g}")
    return value


@command()
@click.argument("result", type=click.Path(readable=False))
@click.argument("reference", type=click.Path(readable=False))
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Picture of the errors over time: .png, .svg or .pdf; standard deviations by point: .csv, .json or .txt. May "
    "be repeated.",
)
@click.option(
    "--map",
    "mapping",
    metavar="NAME=REFNAME",
    multiple=True,
    callback=_mapping,
    help="Column NAME of RESULT is REFNAME in REFERENCE; * stands for any part, as in *.x=*_X. May be repeated.",
)
@click.option("--over", metavar="COLUMN", help="Column that orders the rows in place of time, such as crank.phi.")
@click.option(
    "--by",
    type=click.Choice(("kind", "point")),
    default="kind",
    show_default=True,
    help="Panels of the picture: a kind of column each, or a point each.",
)
@click.option(
    "--max-difference", type=float, callback=_not_negative, help="Exit code 1 if a difference is larger than this."
)
@json_option
@quiet_option
def compare(
    result: str,
    reference: str,
    output: tuple[str, ...],
    mapping: dict[str, str],
    over: str | None,
    by: str,
    max_difference: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compares two result tables in their common columns: largest difference, its time, standard deviation.

    \b
    mubo compare four_bar.csv other_program.tab
    mubo compare four_bar.csv other.tab --map crank.x=X_CM --max-difference 1e-6 -o error.png
    mubo compare eight.csv adams.tab --map "*.x=*_X" --map "*.y=*_Y" -o table4.csv -o errors.png --by point
    mubo compare run.csv other.csv --over crank.phi
    """
    from mubo.api import compare as compare_tables

    try:
        found = compare_tables(result, reference, mapping, over=over, path=output, by=by)
    except MuboError as error:
        fail(error, as_json)
        return
    exceeded = [] if max_difference is None else found.exceeding(max_difference)
    verdict = "" if max_difference is None else _verdict(max_difference, exceeded, len(found.rows))
    if as_json:
        status = {"status": "exceeded" if exceeded else "ok", **found.as_dict()}
        more = {"max_difference": max_difference, "exceeded": exceeded, "files": list(output)}
        click.echo(json.dumps({**status, **more}, indent=1))
    elif not quiet:
        lines = [
            coloured(verdict, "red" if exceeded else "green"),
            found.text,
            *(f"{'file':<15} {name}" for name in output),
        ]
        click.echo("\n".join(line for line in (lines if verdict else lines[1:]) if line))
    elif exceeded:
        click.echo(verdict, err=True)
    if exceeded:
        sys.exit(1)


def _verdict(allowed: float, exceeded: list[str], columns: int) -> str:
    from mubo.applications.compare.comparison import some_of

    if not exceeded:
        return f"{'allowed':<15} {allowed:g}, not exceeded by any of {columns} columns"
    names = f"{allowed:g}, exceeded by {len(exceeded)} of {columns} columns: {some_of(exceeded)}"
    return textwrap.fill(f"{'allowed':<15} {names}", 80, subsequent_indent=16 * " ", break_on_hyphens=False)
