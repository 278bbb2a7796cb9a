"""mubo synthesize."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from mubo.cli.options import json_option, quiet_option
from mubo.cli.summary import fail
from mubo.errors import MuboError
from mubo.formats.tables import plain
from mubo.model import GROUND


@click.group(short_help="Finds linkages for a function, a motion, a path, a swing or a quick return.")
def synthesize() -> None:
    """Finds linkages from what they are to do. Every design shown has been run through all positions asked for, on one
    branch and in their order; those with a defect are told and left out.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs
    """


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """What every task has."""
    for option in (
        quiet_option,
        json_option,
        click.option("--most", type=click.IntRange(1), default=12, show_default=True, help="Designs to show."),
        click.option("--length", default="", metavar="UNIT", help="Unit of lengths, such as mm.  [default: none]"),
        click.option("--plot", "picture", type=click.Path(), help="Picture of the designs to write: .png, .svg, .pdf."),
        click.option("-o", "--output", type=click.Path(), help="Folder for model files and a table; or a table.csv."),
    ):
        command = option(command)
    return command


@synthesize.command(short_help="An output that follows the crank through pairs of angles.")
@click.argument("pairs", nargs=-1, required=True, metavar="CRANK,OUTPUT …")
@click.option("--crank-start", metavar="ANGLE", help="Of the crank at the first pair.  [default: tried all around]")
@click.option("--rocker-start", metavar="ANGLE", help="Of the rocker at the first pair.  [default: tried all around]")
@click.option("--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of the two fixed pins.")
@_common
def function(pairs: tuple[str, ...], **options: Any) -> None:
    """A linkage whose output follows its crank through pairs of angles, in degrees (Freudenstein's equation).

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs --plot designs.png
    """
    given = {key: _number(options.pop(key)) for key in ("crank_start", "rocker_start", GROUND)}
    _answer(options, lambda tasks, **common: tasks.function(_tuples(pairs, 2), **given, **common))


def _tuples(texts: tuple[str, ...], count: int) -> list[list[Any]]:
    out = [[_number(cell.strip()) for cell in text.split(",")] for text in texts]
    for text, cells in zip(texts, out, strict=True):
        if len(cells) != count:
            raise click.UsageError(f'expected {count} numbers with a comma between them; found "{text}"')
    return out


def _number(text: str | None) -> Any:
    """A number, or text with a unit as it is."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _answer(options: dict[str, Any], task: Callable[..., Any]) -> None:
    """Solves a task, writes, prints; where no design is without a defect the exit code is 3."""
    output, picture, as_json, quiet = (options.pop(key) for key in ("output", "picture", "as_json", "quiet"))
    from mubo.face.synthesized import synthesize as tasks

    try:
        found = task(tasks, **options)
        files = found.save(output) if output else []
        if picture and found.designs:
            found.plot(path=picture)
            files.append(picture)
    except MuboError as error:
        fail(error, as_json)
        return
    if as_json:
        click.echo(json.dumps(plain(found.as_dict() | {"files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"  {'file':<10} {file}" for file in files)]))
    if not found.designs:
        sys.exit(3)
