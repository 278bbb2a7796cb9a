"""Commands of the studies of many designs, and the files that each writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mubo.cli.options import Given, StudyCommand
from mubo.cli.terminal import STREAM_HELP, is_stream


def _output(what: str) -> Any:
    return click.option("-o", "--output", type=click.Path(), help=f"{what}. {STREAM_HELP}")


def _picture(what: str) -> Any:
    return click.option("--plot", "picture", type=click.Path(), help=f"Picture to write: {what}.")


def _columns(flag: str, metavar: str, what: str) -> Any:
    return click.option(flag, "drawn", multiple=True, metavar=metavar, help=f"With --plot: {what}.")


def _require_picture(flag: str) -> Any:
    def require(model: str, given: Given) -> None:
        if given["drawn"] and not given["picture"]:
            raise click.UsageError(f"{flag} goes with --plot")

    return require


def _require_sweep(model: str, given: Given) -> None:
    _require_picture("--overlay")(model, given)
    if given["resume"] and (not given["output"] or is_stream(Path(given["output"]).name)):
        raise click.UsageError("--resume goes on with the table of -o: name it")


def _require_tolerance(model: str, given: Given) -> None:
    _require_picture("--path")(model, given)
    if given["magnify"] is not None and not given["drawn"]:
        raise click.UsageError("--magnify goes with --path")


def _write(found: Any, given: Given, **more: Any) -> list[str]:
    """Writes the table or the model, and the picture."""
    if given["output"]:
        found.save(given["output"])
    if given["picture"]:
        found.plot(*given.get("drawn", ()), path=given["picture"], **more)
    return _files(given)


def _files(given: Given) -> list[str]:
    return [name for name in (given["output"], given["picture"]) if name]


def _write_sweep(found: Any, given: Given) -> list[str]:
    """Draws the sweep; its table is written while it runs."""
    if given["picture"]:
        found.plot(*given["drawn"], path=given["picture"])
    return _files(given)


def _keep_parts(given: Given) -> None:
    """States what is kept of a sweep that was interrupted."""
    parts = Path(f"{given['output']}.parts") if given["output"] else None
    if parts is not None and parts.exists():
        count = len([*parts.glob("part-*.parquet")])
        click.echo(f"{count} parts are kept in {parts}: the same command with --resume goes on", err=True)


def _summary(found: Any) -> Any:
    return found.summary


sweep = StudyCommand(
    "sweep",
    (
        _output("Table to write: .parquet or .csv"),
        _picture("lines, maps or parallel coordinates"),
        _columns("--overlay", "COLUMN", "columns of the variants instead"),
    ),
    _write_sweep,
    _require_sweep,
    _summary,
    interrupted=_keep_parts,
).command()
sensitivity = StudyCommand(
    "sensitivity",
    (
        _output("Table to write: .csv"),
        _picture("the effect of one percent of each parameter"),
        _columns("--column", "COLUMN", "sensitivities of columns over the motion instead"),
    ),
    _write,
    _require_picture("--column"),
    _summary,
).command()
tolerance = StudyCommand(
    "tolerance",
    (
        _output("Table to write: .csv"),
        _picture("limits and contributions"),
        _columns("--path", "POINT", "the band round the path of a point"),
        click.option("--magnify", type=float, help="With --path: how many times as wide the band is drawn."),
    ),
    lambda found, given: _write(found, given, magnify=given["magnify"]),
    _require_tolerance,
    _summary,
).command()
optimize = StudyCommand(
    "optimize",
    (_output("Model file to write: the design, .toml or .json"), _picture("before and after")),
    _write,
    facts=_summary,
    stream=".toml",
).command()
