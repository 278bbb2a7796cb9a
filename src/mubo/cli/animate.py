"""mubo animate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mubo.cli.options import (
    forces_option,
    format_option,
    frames_option,
    load_model,
    model_argument,
    quiet_option,
    solve_motion,
    solver_options,
    view_option,
)
from mubo.cli.study_options import command
from mubo.cli.terminal import Progress, leave_if_stopped
from mubo.quantities.unit_algebra import FACTORS
from mubo.results import Run

SHORT, LASTS = 1.0, 5.0  # seconds: a motion that is shorter in real time, and how long its film lasts then


def _size(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise click.BadParameter(f'expected WIDTHxHEIGHT such as 1280x720; found "{text}"') from None
    return width, height


def _columns(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def _default_film(model: str, quiet: bool) -> str:
    """MODEL.mp4, or MODEL.gif where no encoder for MP4 is installed, which is stated."""
    from mubo.view.encode import has_encoder

    if has_encoder():
        return f"{Path(model).stem}.mp4"
    if not quiet:
        click.echo("no encoder for MP4 is installed (pip install 'mubo[video]'): the film is a GIF", err=True)
    return f"{Path(model).stem}.gif"


def _visible_speed(run: Run) -> float:
    """Real time; of a motion that would be over before it is seen, so much slower that the film lasts long enough."""
    seconds = float(run["t"][-1] - run["t"][0]) * FACTORS["time"][run.units.time or "s"] if len(run) else 0.0
    return seconds / LASTS if 0 < seconds < SHORT else 1.0


@command()
@model_argument
@click.option(
    "-o", "--output", type=click.Path(), help="Film to write: .mp4 or .gif (default: MODEL.mp4, without encoder .gif)."
)
@click.option("--fps", type=float, default=30.0, show_default=True, help="Frames per second.")
@click.option(
    "--speed",
    type=float,
    help="Seconds of motion per second of film: 0.5 is slower.  [default: 1; a motion below 1 s fills 5 s]",
)
@click.option(
    "--size",
    metavar="WIDTHxHEIGHT",
    callback=_size,
    help="Pixels.  [default: as the mechanism needs, up to 1280x720, a GIF 800x450]",
)
@click.option("--trace/--no-trace", default=True, show_default=True, help="Draw the paths of the points as they move.")
@click.option("--charts", metavar="COLUMNS", callback=_columns, help="Columns shown beside it, such as P.y,P.vy.")
@click.option("--reference", type=click.Path(), help="A result table to draw into the charts, dashed.")
@forces_option
@frames_option
@view_option
@solver_options
@format_option
@quiet_option
def animate(
    model: str,
    output: str | None,
    fps: float,
    speed: float | None,
    size: tuple[int, int] | None,
    trace: bool,
    charts: tuple[str, ...],
    reference: str | None,
    forces: bool | None,
    frames: bool,
    view: tuple[float, float] | None,
    kind: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Writes a film of a model's motion.

    \b
    mubo animate four_bar.toml -o four_bar.mp4 --speed 0.25
    mubo animate four_bar.toml -o four_bar.gif --charts P.y,P.vy
    mubo animate five_body_chain.toml -o chain.mp4 --view -40,20 --charts energy.kinetic,energy.potential
    mubo animate eleven_bar.deck -o eleven_bar.gif --speed 5
    """
    loaded = load_model(model, kind, options["guide_smoothing"])
    target = output or _default_film(model, quiet)
    result = solve_motion(loaded, options, forces, charts)
    speed = _visible_speed(result) if speed is None else speed
    with Progress() as progress:
        shown: dict[str, Any] = {
            "trace": trace,
            "charts": charts,
            "reference": reference,
            "view": view,
            "forces": forces,
            "frames": frames,
        }
        film = result.animate(target, fps=fps, speed=speed, size=size, **shown, progress=progress)
    if not quiet:
        pace = "real time" if speed == 1 else f"{speed:g} × real time"
        click.echo(f"{target}: {film['frames']} frames, {film['seconds']:.3g} s at {fps:g} per second, {pace}")
    leave_if_stopped(result)
