"""A study with every line of a table of parameters: each case is run and its files have its number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mubo.cli.terminal import coloured, is_stream
from mubo.errors import MuboError
from mubo.laws.number_text import number

FILES = ("output", "page")  # options that name files


def run_cases(model: str, table: Path, given: dict[str, Any], run: Callable[[dict[str, Any]], None], key: str) -> None:
    """Runs every line of a table; the exit code is the greatest of all. `key` is where the context has parameters."""
    from mubo.api import load
    from mubo.cli.options import given_for_reading
    from mubo.design.ranges import points_of

    _require_files(given)
    loaded = load(model, given["kind"], **given_for_reading())
    points = points_of(loaded.build(), table)
    codes = []
    for k, line in enumerate(points.values.tolist(), 1):
        values = dict(zip(points.names, line, strict=True))
        click.get_current_context().meta[key] = values
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
