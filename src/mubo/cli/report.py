"""mubo report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from mubo.cli.options import (
    format_option,
    frames_option,
    load_model,
    model_argument,
    quiet_option,
    solve_motion,
    solver_options,
)
from mubo.cli.study_options import command
from mubo.cli.terminal import leave_if_stopped


@command()
@model_argument
@click.argument("columns", nargs=-1)
@click.option(
    "-o", "--output", type=click.Path(), help="Page to write: .html, or .pdf printed by Chromium (default: MODEL.html)."
)
@click.option(
    "--forces", is_flag=True, help="With efforts and reactions: by inverse dynamics, or along the simulation."
)
@click.option(
    "--verify", is_flag=True, help="With the table of `mubo verify`, which solves the motion several times more."
)
@click.option(
    "--reference",
    type=click.Path(),
    help="A result table, or another model that is solved alike: its columns are dashed in the charts, with "
    "differences; another model moves behind.",
)
@frames_option
@solver_options
@format_option
@quiet_option
def report(
    model: str,
    columns: tuple[str, ...],
    output: str | None,
    forces: bool,
    verify: bool,
    frames: bool,
    reference: str | None,
    kind: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Writes one page with everything: the moving mechanism, charts, model, loops, equations, verification.

    The page is a single HTML file that works offline in any browser and can be printed. COLUMNS are the charts that it
    shows first; others can be chosen on the page. The command runs the model's [analysis]: kinematics, inverse dynamics
    or a simulation.

    \b
    mubo report four_bar.toml
    mubo report four_bar.toml P.x P.y rocker.omega -o four_bar.html
    mubo report engine.toml -o engine.pdf
    mubo report five_body_chain.toml --end 10 -o chain.html
    mubo report after.toml --reference before.toml
    mubo report eight_body.toml --frames
    mubo report eleven_bar.deck
    """
    from mubo.view.report.page import page_target, require_assets, write_report

    target = page_target(output or f"{Path(model).stem}.html")
    require_assets()
    loaded = load_model(model, kind, options["guide_smoothing"])
    more: dict[str, Any] = {"transmission": True} if loaded.dimension == 2 else {}  # columns to choose from
    result = solve_motion(loaded, options, forces or None, columns, **more)
    proof = result.verify() if verify else None
    beside: Any = reference
    if reference is not None and is_model_file(reference):
        beside = solve_motion(load_model(reference, None, options["guide_smoothing"]), options, forces, **more)
    write_report(result, target, list(columns), _command(model, output, reference), proof, frames, beside)
    if not quiet:
        click.echo(target)
    leave_if_stopped(result)


def is_model_file(path: str) -> bool:
    """Whether the ending of a file is that of a model, and not that of a table."""
    from mubo.formats.registry import FORMATS
    from mubo.formats.result_tables import ENDINGS

    ending = Path(path).suffix.lower()
    return ending not in ENDINGS and any(ending in kind.endings for kind in FORMATS)


def _command(*paths: str | None) -> str:
    """The command as it was typed, without the folders of this computer; empty where nobody typed one."""
    typed = sys.argv[1:]
    if typed[:1] != ["report"]:
        return ""
    return shlex.join(["mubo", *(Path(word).name if word in paths else word for word in typed)])
