"""mubo gait."""

from __future__ import annotations

import json
from typing import Any

import click

from mubo.cli.options import (
    format_option,
    json_option,
    load_model,
    model_argument,
    quiet_option,
    solve,
    solver_options,
)
from mubo.cli.strength import require_page
from mubo.cli.summary import fail, leave_if_stopped
from mubo.errors import MuboError

PICTURES = (".png", ".svg", ".pdf")


@click.command(short_help="Joint angles, moments and powers of a walk, over its cycles.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Mean cycles: .csv, .json or .txt; angles and moments over time for OpenSim: .sto; the figure: .png, .svg or "
    ".pdf. May be repeated.",
)
@click.option("--report", "page", type=click.Path(), help="Page to write, with the figure and the moving legs: .html.")
@click.option("--table", type=click.Path(), help="All columns over time: .csv, .parquet or .json.")
@click.option("--threshold", metavar="FORCE", help='Upward force that makes a stance (default "20 N").')
@click.option(
    "--events",
    type=click.Choice(("force", "coordinate")),
    help="Rule of heel strike and toe-off (default: force where a foot strikes plates twice).",
)
@solver_options
@format_option
@json_option
@quiet_option
def gait(
    model: str,
    output: tuple[str, ...],
    page: str | None,
    table: str | None,
    threshold: str | None,
    events: str | None,
    kind: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """From markers and force plates to joint moments: angles, moments and powers of hip, knee and ankle.

    The subject is told by [subject], markers by [markers], force plates by [plate.NAME]. Heel strikes cut the walk into
    cycles of 0 to 100 per cent; their mean and deviation are told, per kilogram, and the root residual as the proof.

    \b
    mubo gait walker.toml
    mubo gait walker.toml -o cycles.csv -o gait.png
    mubo gait walker.toml --guide-smoothing butterworth=6 -o moments.sto --json
    """
    from mubo.formats.tables import plain

    try:
        _require_endings(output, page, model)
        loaded = load_model(model, kind, options["guide_smoothing"])
        run = solve(loaded, options, "gait", threshold=_number(threshold), events=events)
        found = run.record.gait
        for path in output:
            run.plot(kind="gait", path=path) if path.endswith(PICTURES) else found.save(path)
        for target, write in ((table, run.save), (page, run.report)):
            if target is not None:
                write(target)
    except MuboError as error:
        fail(error, as_json)
        return
    files = [*output, *(path for path in (table, page) if path is not None)]
    if as_json:
        click.echo(json.dumps(plain({**found.as_dict(), "files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"{'file':<6} {path}" for path in files)]))
    leave_if_stopped(run)


def _require_endings(output: tuple[str, ...], page: str | None, model: str) -> None:
    """Refuses names of files before any work."""
    from mubo.applications.gait.export import require_gait_ending

    for path in output:
        if not path.endswith(PICTURES):
            require_gait_ending(path, model)
    if page is not None:
        require_page(page)


def _number(text: str | None) -> float | str | None:
    """A plain number, or text with a unit."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text
