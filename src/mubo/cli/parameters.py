"""Values of parameters that a command is given; a study with every line of a table of them, each with its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.study_options import number_or_text, split_pairs
from mubo.cli.terminal import coloured, is_stream
from mubo.errors import MuboError
from mubo.laws.number_text import number

if TYPE_CHECKING:
    from mubo.model import ModelDefinition

KEPT = "mubo.set"  # where a command's context keeps the values of parameters
TABLE = "@"  # before the name of a table of cases
FILES = ("output", "page")  # options that name files


def keep_parameters(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> None:
    """Keeps the values of parameters, or the table of them, until the model is loaded."""
    if any(text.startswith(TABLE) for text in given):
        if len(given) > 1:
            raise click.BadParameter(f"{given[0]} and {given[1]}: a table states all parameters that change")
        ctx.meta[KEPT] = Path(given[0].removeprefix(TABLE))
        return
    pairs = split_pairs(given, "NAME=VALUE such as a=0.05")
    ctx.meta[KEPT] = {name: number_or_text(value) for name, value in pairs.items()}


def given_parameters() -> dict[str, Any]:
    """The values of parameters that the command was given."""
    values: dict[str, Any] | Path = click.get_current_context().meta.get(KEPT, {})
    if isinstance(values, Path):
        raise click.UsageError(f"--set @{values} runs a study, such as mubo kinematics, with every line of the table")
    return values


def given_table() -> Path | None:
    """The table of cases that the command was given."""
    kept = click.get_current_context().meta.get(KEPT)
    return kept if isinstance(kept, Path) else None


def run_cases(
    model: ModelDefinition, table: Path, given: dict[str, Any], run: Callable[[dict[str, Any]], None]
) -> None:
    """Runs every line of a table; the exit code is the greatest of all."""
    from mubo.design.ranges import points_of

    _require_files(given)
    points = points_of(model, table)
    codes = []
    for k, line in enumerate(points.values.tolist(), 1):
        values = dict(zip(points.names, line, strict=True))
        click.get_current_context().meta[KEPT] = values
        if not given["quiet"]:
            shown = ", ".join(f"{name} = {number(value, 4)}" for name, value in values.items())
            click.echo(f"case {k} of {len(points)}: {shown}")
        codes.append(_exit_code(run, _numbered(given, k)))
    if any(codes):
        raise SystemExit(max(codes))


def _require_files(given: dict[str, Any]) -> None:
    """Refuses what shows one run only."""
    if given.get("as_json") or any(is_stream(name) for name in _names(given.get("output"))):
        raise click.UsageError("--set @table makes several runs, and --json and -o - show one: write them to files")


def _exit_code(run: Callable[[dict[str, Any]], None], given: dict[str, Any]) -> int:
    """Runs one case; whatever becomes of it, the others follow."""
    try:
        run(given)
    except MuboError as error:
        click.echo(f"{coloured('error:', 'red')} {error}", err=True)
        return error.exit_code
    except (SystemExit, click.exceptions.Exit) as end:
        code = end.exit_code if isinstance(end, click.exceptions.Exit) else end.code
        return code if isinstance(code, int) else 0
    return 0


def _numbered(given: dict[str, Any], number: int) -> dict[str, Any]:
    """The options with files of this case: run.csv becomes run_2.csv."""

    def named(path: str) -> str:
        return str(Path(path).with_stem(f"{Path(path).stem}_{number}"))

    out = dict(given)
    for option in FILES:
        files = given.get(option)
        if files:
            out[option] = named(files) if isinstance(files, str) else tuple(map(named, files))
    return out


def _names(files: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return (files,) if isinstance(files, str) else files or ()
