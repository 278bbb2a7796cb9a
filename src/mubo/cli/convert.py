"""mubo convert."""

from __future__ import annotations

import click

from mubo.cli.options import format_option, load_model, quiet_option


@click.command()
@click.argument("source", type=click.Path(), metavar="MODEL")
@click.option("-o", "--output", type=click.Path(), required=True, help="File to write: .toml or .dat (KABIOS).")
@format_option
@quiet_option
def convert(source: str, output: str, kind: str | None, quiet: bool) -> None:
    """The same model as another kind of file.

    \b
    mubo convert kabios_four_bar.dat -o four_bar.toml
    """
    load_model(source, kind).save(output)
    if not quiet:
        click.echo(output)
