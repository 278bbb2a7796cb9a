"""mubo check."""

from __future__ import annotations

import json
import sys

import click

from mubo.cli.options import format_option, json_option, load_model, model_argument
from mubo.cli.summary import fail
from mubo.errors import MuboError
from mubo.formats.tables import plain


@click.command()
@model_argument
@click.option("--loops", is_flag=True, help="Show the vector loops and the groups in which they are solved.")
@format_option
@json_option
def check(model: str, loops: bool, kind: str | None, as_json: bool) -> None:
    """What a model is and what is wrong with it, in words; nothing is solved in time.

    \b
    mubo check four_bar.toml
    mubo check four_bar.toml --loops
    mubo check eleven_bar.deck
    """
    from mubo.face import Linkage

    try:
        loaded = load_model(model, kind)
        if loops and not isinstance(loaded, Linkage):  # the table of a deck has them anyway
            shown = loaded.loops()
            click.echo(json.dumps(plain(shown.as_dict()), indent=1) if as_json else str(shown))
            return
        report = loaded.check()
    except MuboError as error:
        fail(error, as_json)
        return
    click.echo(json.dumps(plain(report.as_dict()), indent=1) if as_json else str(report))
    if report.error is not None:
        sys.exit(report.error.exit_code)
