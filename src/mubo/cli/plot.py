"""mubo plot."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import (
    forces_option,
    format_option,
    frames_option,
    load_model,
    model_argument,
    picture_options,
    quiet_option,
    solve,
    solve_again,
    solve_motion,
    view_option,
)
from mubo.cli.study_options import command, read_text
from mubo.cli.terminal import leave_if_stopped

if TYPE_CHECKING:
    from mubo.model import ModelDefinition
    from mubo.results import Run

KINDS = (
    *("mechanism", "path", "time", "phase", "hodograph", "orbit", "polar", "beams", "envelope", "gait", "walk"),
    *("energy", "residuals", "transmission", "newton", "newton-violation", "newton-totals"),
)


@command()
@model_argument
@click.argument("columns", nargs=-1)
@click.option("-o", "--output", type=click.Path(), help="Picture to write: .png, .svg or .pdf (default: MODEL.png).")
@click.option(
    "--kind",
    "picture",
    type=click.Choice(KINDS),
    help="What to draw (default: follows from the columns).",
)
@click.option("--over", metavar="NAME", help="Charts: over a driver's value, or any column, instead of time.")
@click.option("--reference", type=click.Path(), help="Charts over time: a result table to draw beside, dashed.")
@click.option(
    "--at", metavar="TIME", callback=read_text, help='Mechanism: at a time or a position of a driver, such as "90 deg".'
)
@click.option("--strobe", type=int, metavar="N", help="Mechanism: N positions over the motion.")
@forces_option
@frames_option
@view_option
@picture_options
@format_option
@quiet_option
def plot(
    model: str,
    columns: tuple[str, ...],
    output: str | None,
    picture: str | None,
    kind: str | None,
    quiet: bool,
    over: str | None,
    reference: str | None,
    at: float | str | None,
    forces: bool | None,
    **options: Any,
) -> None:
    """Draws a picture of a model's motion.

    Without COLUMNS the mechanism is drawn; with P.x P.y (in space also P.z) the path of P; with others charts over
    time, or --over a driver or another column. A phase plot takes a coordinate and its rate, a hodograph a point or
    body, a polar plot the force of a joint on a body.

    \b
    mubo plot four_bar.toml --strobe 8 -o positions.svg
    mubo plot four_bar.toml P.x P.y -o path.png
    mubo plot four_bar.toml rocker.phi rocker.omega --over motor -o rocker.png
    mubo plot kabios_thigh.dat body1.y --reference winter.csv -o y.png
    mubo plot four_bar.toml --kind phase rocker.phi rocker.omega -o phase.png
    mubo plot engine.toml --forces --at "24 deg" -o forces.png
    mubo plot eight_body.toml --frames -o frames.png
    mubo plot engine.toml --kind polar B.on_rod -o pin.png
    mubo plot strong_four_bar.toml --kind beams -o beams.png
    mubo plot five_body_chain.toml --at 2.5 --view -40,25 -o chain.png
    """
    from mubo.view import plot as draw

    shown = {name: options.pop(name) for name in ("strobe", "view", "frames")}
    loaded = load_model(model, kind, options["guide_smoothing"])
    target = output or f"{Path(model).stem}.png"
    result = _solve_for(loaded, options, columns, picture, forces)
    shown |= {"at": at and loaded.output_times({"at": [at]}).start, "forces": forces}
    shown |= {"rerun": partial(solve_again, loaded, options), "over": over, "reference": reference}
    draw(result, list(columns), target, picture, **shown)
    if not quiet:
        click.echo(target)
    leave_if_stopped(result)


def _solve_for(
    model: ModelDefinition, options: dict[str, Any], columns: tuple[str, ...], picture: str | None, forces: bool | None
) -> Run:
    """Solves the run that a picture shows: strength, gait, transmission angles, or what [analysis] asks for."""
    from mubo.view.plot import GAIT, STRENGTH

    if picture in STRENGTH:
        return solve(model, options, "strength")
    if picture in GAIT:
        return solve(model, options, "gait")
    if picture == "polar" and forces is None:
        forces = True
    wanted = picture == "transmission" or any(name.startswith("transmission.") for name in columns)
    return solve_motion(model, options, forces, columns, **({"transmission": True} if wanted else {}))
