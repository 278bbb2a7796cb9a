"""mubo strength."""

from __future__ import annotations

import json
from typing import Any

import click

from mubo.cli.inverse import length_scale_option
from mubo.cli.options import (
    format_option,
    json_option,
    load_model,
    model_argument,
    quiet_option,
    solve,
    solver_options,
)
from mubo.cli.summary import fail, leave_if_stopped
from mubo.errors import MuboError


@click.command(short_help="Pins, bearings, links as beams, clearances: a table to sign.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Table to write: .csv, .json or .txt; swept envelopes: .svg or .dxf. May be repeated.",
)
@click.option(
    "--report", "page", type=click.Path(), help="Page to write, with the stresses on the moving links: .html."
)
@length_scale_option
@solver_options
@format_option
@json_option
@quiet_option
def strength(
    model: str,
    output: tuple[str, ...],
    page: str | None,
    length_scale: float | str | None,
    kind: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Whether pins, bearings and links stand the motion, and what room it takes.

    Loads follow from inverse dynamics; worst instants are sought between rows. Pins are told by [pin.JOINT], links by
    [section.BODY] and [material.NAME], room by [outline.BODY] and [keepout.NAME]; the run is one cycle of the machine.

    \b
    mubo strength strong_four_bar.toml
    mubo strength strong_four_bar.toml -o table.csv -o envelope.dxf --report page.html
    mubo strength excavator.toml --step 0.01 --json
    """
    from mubo.applications.strength.export import require_strength_ending
    from mubo.formats.tables import plain

    try:
        for path in output:
            require_strength_ending(path, model)
        if page is not None:
            require_page(page)
        loaded = load_model(model, kind, options["guide_smoothing"])
        run = solve(loaded, options, "strength", length_scale=length_scale)
        found = run.record.strength
        for path in output:
            found.save(path)
        if page is not None:
            run.report(page)
    except MuboError as error:
        fail(error, as_json)
        return
    files = [*output, *([page] if page is not None else [])]
    if as_json:
        click.echo(json.dumps(plain({**found.as_dict(), "files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"{'file':<6} {path}" for path in files)]))
    leave_if_stopped(run)


def require_page(page: str) -> None:
    """Refuses the name of a page before any work."""
    from mubo.view.report.page import page_target, require_assets

    page_target(page)
    require_assets()
