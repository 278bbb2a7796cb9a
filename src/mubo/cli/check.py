"""mubo check."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from mubo.cli.options import format_option, json_option, load_model, model_argument
from mubo.cli.summary import fail
from mubo.errors import ModelError, MuboError
from mubo.formats.tables import plain

if TYPE_CHECKING:
    from mubo.face import Model


@click.command()
@model_argument
@click.option("--loops", is_flag=True, help="Show the vector loops and the groups in which they are solved.")
@click.option("--modes", is_flag=True, help="Show every way to assemble it, with circuits and the driver's range.")
@click.option("--driver", metavar="NAME", help="Driver to free for --modes (default: the first); others are held.")
@click.option("-o", "--output", type=click.Path(), help="Picture of the modes side by side: .png, .svg or .pdf.")
@format_option
@json_option
def check(
    model: str,
    loops: bool,
    modes: bool,
    driver: str | None,
    output: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """What a model is and what is wrong with it, in words; nothing is solved in time.

    \b
    mubo check four_bar.toml
    mubo check four_bar.toml --loops
    mubo check four_bar.toml --modes -o modes.png
    mubo check eleven_bar.deck
    """
    from mubo.face import Linkage

    if loops and modes:
        raise click.UsageError("--loops and --modes are two questions: ask one at a time")
    if not modes and (output or driver):
        raise click.UsageError(f"{'--output' if output else '--driver'} goes with --modes")
    try:
        loaded = load_model(model, kind)
        if loops and not isinstance(loaded, Linkage):  # the table of a deck has them anyway
            shown = loaded.loops()
            click.echo(json.dumps(plain(shown.as_dict()), indent=1) if as_json else str(shown))
            return
        if modes:
            if isinstance(loaded, Linkage):
                raise ModelError("a deck has vectors and loops, no bodies: its assembly modes are not searched")
            _show_modes(loaded, driver, output, as_json)
            return
        report = loaded.check()
    except MuboError as error:
        fail(error, as_json)
        return
    click.echo(json.dumps(plain(report.as_dict()), indent=1) if as_json else str(report))
    if report.error is not None:
        sys.exit(report.error.exit_code)


def _show_modes(model: Model, driver: str | None, output: str | None, as_json: bool) -> None:
    from mubo.view.modes import draw_modes
    from mubo.view.plot import picture_target

    target = picture_target(output) if output else None  # a wrong ending is told before any work
    shown = model.modes(driver)
    files = []
    if target:
        draw_modes(shown, target)
        files.append(str(target))
    if as_json:
        click.echo(json.dumps(plain({**shown.as_dict(), "files": files}), indent=1))
    else:
        click.echo("\n".join([str(shown), *(f"  file     {file}" for file in files)]))
