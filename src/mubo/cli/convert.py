"""mubo convert."""

from __future__ import annotations

from typing import Any

import click

from mubo.cli.options import format_option, load_model, model_argument, quiet_option
from mubo.cli.study_options import command
from mubo.cli.terminal import STREAM_HELP, standard_output, warnings_as_notes
from mubo.formats import listed, save

OUTPUT = f"File to write: {listed(written=True)}. {STREAM_HELP}"
SCHEMA = "Print the JSON Schema of the model file, for editors, and exit."


def _print_schema(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from mubo.formats.json_schema import schema_text

        click.echo(schema_text(), nl=False)
        context.exit()


@command()
@model_argument
@click.option("-o", "--output", type=click.Path(), required=True, help=OUTPUT)
@format_option
@quiet_option
@click.option("--schema", is_flag=True, is_eager=True, expose_value=False, callback=_print_schema, help=SCHEMA)
def convert(model: str, output: str, kind: str | None, quiet: bool) -> None:
    """Converts a model to another kind of file.

    \b
    mubo convert kabios_four_bar.dat -o four_bar.toml
    mubo convert robot.urdf -o robot.toml
    mubo convert parameters.toml --set a=0.05 -o longer_crank.toml
    mubo convert --schema > mubo.schema.json
    """
    loaded = load_model(model, kind, all_notes=True)
    given: dict[str, Any] = {"output": output, "quiet": quiet}
    with standard_output(given, ".toml"), warnings_as_notes():
        save(loaded, given["output"])
    if not given["quiet"]:
        click.echo(output)
