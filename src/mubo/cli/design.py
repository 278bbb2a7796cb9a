"""Commands of the studies of many designs, and the files that each writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mubo.cli.analyse import page_option, require_page, write_page
from mubo.cli.options import Given, StudyCommand
from mubo.cli.terminal import PICTURES, STREAM_HELP, is_stream


def _output(what: str, picture: str) -> Any:
    text = f"{what}; picture of {picture}: .png, .svg or .pdf. {STREAM_HELP} May be repeated."
    return click.option("-o", "--output", type=click.Path(), multiple=True, help=text)


def _columns(flag: str, metavar: str, what: str) -> Any:
    return click.option(flag, "drawn", multiple=True, metavar=metavar, help=f"In the picture: {what}.")


def _pictures(given: Given) -> list[str]:
    return [path for path in given["output"] if path.endswith(PICTURES)]


def _table(given: Given) -> str | None:
    """The one table or model file to write."""
    tables = [path for path in given["output"] if not path.endswith(PICTURES)]
    if len(tables) > 1:
        raise click.UsageError(f"-o {tables[0]} and -o {tables[1]}: give one of them, besides pictures")
    return tables[0] if tables else None


def _require_files(model: str, given: Given) -> None:
    _table(given)
    require_page(given.get("page"))


def _require_picture(flag: str) -> Any:
    def require(model: str, given: Given) -> None:
        _require_files(model, given)
        if given["drawn"] and not _pictures(given):
            raise click.UsageError(f"{flag} goes with a picture, such as -o picture.png")

    return require


def _require_sweep(model: str, given: Given) -> None:
    _require_picture("--overlay")(model, given)
    table = _table(given)
    if given["resume"] and (table is None or is_stream(Path(table).name)):
        raise click.UsageError("--resume goes on with the table of -o: name it")


def _require_tolerance(model: str, given: Given) -> None:
    _require_picture("--path")(model, given)
    if given["magnify"] is not None and not given["drawn"]:
        raise click.UsageError("--magnify goes with --path")


def _write(found: Any, given: Given, **more: Any) -> list[str]:
    """Writes the table or the model, and the pictures."""
    if table := _table(given):
        found.save(table)
    return _draw(found, given, **more)


def _draw(found: Any, given: Given, **more: Any) -> list[str]:
    """Draws the pictures; the table of a sweep is written while it runs."""
    for path in _pictures(given):
        found.plot(*given.get("drawn", ()), path=path, **more)
    return [*given["output"], *(write_page(found, given) if "page" in given else [])]


def _asked_of_sweep(given: Given) -> Given:
    return {**given, "output": _table(given)}


def _keep_parts(given: Given) -> None:
    """States what is kept of a sweep that was interrupted."""
    table = _table(given)
    parts = Path(f"{table}.parts") if table else None
    if parts is not None and parts.exists():
        count = len([*parts.glob("part-*.npz")])
        click.echo(f"{count} parts are kept in {parts}: the same command with --resume goes on", err=True)


def _summary(found: Any) -> Any:
    return found.summary


sweep = StudyCommand(
    "sweep",
    (
        _output("Table to write: .parquet, .csv, .xlsx or .tex", "lines, maps or parallel coordinates"),
        page_option("with every variant in motion"),
        _columns("--overlay", "COLUMN", "columns of the variants instead"),
    ),
    _draw,
    _require_sweep,
    _asked_of_sweep,
    _summary,
    interrupted=_keep_parts,
)
sensitivity = StudyCommand(
    "sensitivity",
    (
        _output("Table to write: .csv, .xlsx, .parquet or .tex", "the effect of one percent of each parameter"),
        _columns("--column", "COLUMN", "sensitivities of columns over the motion instead"),
    ),
    _write,
    _require_picture("--column"),
    facts=_summary,
)
tolerance = StudyCommand(
    "tolerance",
    (
        _output("Table to write: .csv, .xlsx, .parquet or .tex", "limits and contributions"),
        page_option("with the distributions and the motion"),
        _columns("--path", "POINT", "the band round the path of a point"),
        click.option("--magnify", type=float, help="With --path: how many times as wide the band is drawn."),
    ),
    lambda found, given: _write(found, given, magnify=given["magnify"]),
    _require_tolerance,
    facts=_summary,
)
motor = StudyCommand(
    "motor",
    (
        _output("Table to write: .csv, .xlsx, .parquet or .tex", "torque over speed against the curves of the motors"),
        page_option("with the duty against the curves of the motors"),
    ),
    _write,
    _require_files,
    facts=_summary,
)
pareto = StudyCommand(
    "pareto",
    (
        _output("Folder for model files and a table; or the table alone: .csv, .xlsx, .parquet or .tex", "the front"),
        page_option("with every design of the front in motion"),
    ),
    _write,
    _require_files,
    facts=_summary,
    stream=".csv",
)
optimize = StudyCommand(
    "optimize",
    (
        _output("Model file to write: the design, .toml or .json", "the design before and after"),
        page_option("with the design before and after"),
    ),
    _write,
    _require_files,
    facts=_summary,
    stream=".toml",
)
