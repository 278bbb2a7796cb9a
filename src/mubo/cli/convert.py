"""mubo convert."""

from __future__ import annotations

import click

from mubo.cli.options import format_option, load_model, quiet_option, told_warnings
from mubo.errors import ModelError
from mubo.face import Linkage
from mubo.formats import listed


@click.command()
@click.argument("source", type=click.Path(), metavar="MODEL")
@click.option("-o", "--output", type=click.Path(), required=True, help=f"File to write: {listed(written=True)}.")
@format_option
@quiet_option
def convert(source: str, output: str, kind: str | None, quiet: bool) -> None:
    """The same model as another kind of file.

    \b
    mubo convert kabios_four_bar.dat -o four_bar.toml
    mubo convert robot.urdf -o robot.toml
    """
    loaded = load_model(source, kind)
    if isinstance(loaded, Linkage):
        raise ModelError(
            f"{source} is a deck: it has vectors and loops, no bodies and joints that another file could hold"
        )
    with told_warnings():
        loaded.save(output)
    if not quiet:
        click.echo(output)
