"""The group `mubo synthesize`, the options that its tasks share, and how they are answered."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mubo.cli.analyse import page_option, require_page, write_page
from mubo.cli.options import json_option, quiet_option
from mubo.cli.study_options import number_or_text
from mubo.cli.terminal import PICTURES, STREAM_HELP, fail, standard_output
from mubo.errors import MuboError
from mubo.formats.task_file import is_table
from mubo.results.table import plain


class _Tasks(click.Group):
    """Accepts a task file in place of the name of a task."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            if Path(args[0]).suffix == ".toml":
                return super().resolve_command(ctx, ["file", *args])
            from mubo.errors import nearest

            names = [name for name in self.commands if name != "file"]
            ctx.fail(f'there is no task "{args[0]}". {nearest(args[0], names)}')
        return super().resolve_command(ctx, args)


@click.group(cls=_Tasks, short_help="Finds linkages, gear trains and cams for a function, a motion, a path, a ratio.",
             options_metavar="", subcommand_metavar="TASK|TASK.toml …")  # fmt: skip
def synthesize() -> None:
    """Finds linkages for a task. Every design shown has been run through all required positions, on one assembly branch
    and in their order; designs with a defect are counted, and listed with --json. Where no design is left the exit
    code is 3.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs
    mubo synthesize formula "log(x)" --x 1 2 --crank 60 --swing 90 --points 4 -o designs
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 25,2,75 -o designs -o designs.png
    mubo synthesize path points.csv --length mm -o designs
    mubo synthesize swing 60 --ratio 1.2 -o designs
    mubo synthesize quick-return 100 --ratio 1.5 --length mm -o designs
    mubo synthesize cognates parameters.toml -o designs
    mubo synthesize dwell 90 --swing 25 -o designs
    mubo synthesize planetary 4 --module 2mm --length mm -o designs
    mubo synthesize cam 120,20 60 120,-20 60 --roller 8 --length mm -o designs
    mubo synthesize task.toml -o designs
    """


_page_option = page_option("with every design in motion")
_output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Folder for model files and a table; or a table.csv; picture of the designs: .png, .svg or .pdf. "
    f"{STREAM_HELP} May be repeated.",
)


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for files."""
    decorated: Callable[..., Any] = _output_option(_page_option(command))
    return decorated


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every task has."""
    for option in (
        quiet_option,
        json_option,
        click.option("--most", type=click.IntRange(1, 100), default=12, show_default=True, help="Designs to show."),
        click.option("--length", default="", metavar="UNIT", help="Unit of lengths, such as mm.  [default: none]"),
    ):
        command = option(command)
    return file_options(command)


def read_numbers(texts: tuple[str, ...], counts: tuple[int, ...]) -> Any:
    """Numbers with commas between them, or the name of a table as it is."""
    if len(texts) == 1 and is_table(texts[0]):
        return texts[0]
    out = [[number_or_text(cell) for cell in text.split(",")] for text in texts]
    for text, cells in zip(texts, out, strict=True):
        if len(cells) not in counts:
            allowed = " or ".join(map(str, counts))
            raise click.UsageError(f'expected {allowed} numbers with commas between them, or a table; found "{text}"')
    return out


def answer_task(options: dict[str, Any], task: Callable[..., Any]) -> None:
    """Solves a task, writes files and prints; where every design has a defect the exit code is 3."""
    given = {key: options.pop(key) for key in ("output", "page", "as_json", "quiet")}
    with standard_output(given, ".csv"):
        _write_answer(given, lambda tasks: task(tasks, **options))


def _write_answer(given: dict[str, Any], task: Callable[[Any], Any]) -> None:
    as_json, quiet = given["as_json"], given["quiet"]
    from mubo.api.synthesized import synthesize as tasks

    try:
        require_page(given["page"])
        found = task(tasks)
        files = [file for path in given["output"] for file in _write_file(found, path)]
        files += write_page(found, given) if found.designs else []
    except MuboError as error:
        fail(error, as_json)
        return
    if as_json:
        click.echo(json.dumps(plain(found.as_dict() | {"files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"  {'file':<10} {file}" for file in _listed(files))]))
    if not found.designs:
        sys.exit(3)


def _write_file(found: Any, path: str) -> list[str]:
    """Writes the designs to a folder or a table, or draws them; without any there is no picture."""
    if not path.endswith(PICTURES):
        return list(found.save(path))
    if found.designs:
        found.plot(path=path)
    return [path] if found.designs else []


def _listed(files: list[str]) -> list[str]:
    """The files for printing: the models as a range."""
    models = [name for name in files if name.endswith(".toml")]
    rest = [name for name in files if name not in models]
    return ([f"{models[0]} to {Path(models[-1]).name}"] if len(models) > 1 else models) + rest
