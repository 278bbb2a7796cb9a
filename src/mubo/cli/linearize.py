"""mubo linearize."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, model_argument, quiet_option
from mubo.cli.summary import fail
from mubo.errors import MuboError

if TYPE_CHECKING:
    from mubo.analyses.linearize.linearization import Linearization

CYCLES, SECONDS = 3, 2.0  # of a film, and what a cycle of it lasts


def _values(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, float | str]:
    """NAME=VALUE pairs; a plain number as one, everything else is read with its unit."""
    out: dict[str, float | str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise click.BadParameter(f'expected DRIVER=VALUE such as motor=0.5 or "motor=30 deg"; found "{text}"')
        try:
            out[name] = float(value)
        except ValueError:
            out[name] = value
    return out


@click.command(short_help="Frequencies, damping and mode shapes of small motions; state space.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Matrices, modes and state space to write: .json or .npz. May be repeated.",
)
@click.option(
    "--about",
    type=click.Choice(["equilibrium", "position", "steady"]),
    default="equilibrium",
    show_default=True,
    help="What small motions are about: the equilibrium nearest to the start, the start itself, or a motion "
    "in which drivers and [initial] rates of joints go on and nothing else accelerates.",
)
@click.option(
    "--equilibrium", type=click.IntRange(min=1), metavar="NUMBER", help="The equilibrium that `mubo statics` gives it."
)
@click.option("--release", multiple=True, metavar="DRIVER", help="Let go of this driver. May be repeated.")
@TIMES[0]
@click.option("--at", multiple=True, metavar="DRIVER=VALUE", callback=_values, help="Put a driver there.")
@click.option("--dof", multiple=True, metavar="COLUMN", help="A coordinate to take first, such as crank.phi.")
@click.option(
    "--input", "inputs", multiple=True, metavar="LOAD", help="Input of the state space.  [default: all loads]"
)
@click.option(
    "--measure",
    "outputs",
    multiple=True,
    metavar="COLUMN",
    help="Output of the state space.  [default: all degrees of freedom]",
)
@click.option("--film", type=click.Path(), help="Film of a mode to write, a cycle in two seconds: .mp4 or .gif.")
@click.option("--mode", type=click.IntRange(min=1), default=1, show_default=True, help="Mode of the film.")
@format_option
@json_option
@quiet_option
def linearize(
    model: str,
    output: tuple[str, ...],
    dof: tuple[str, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    film: str | None,
    mode: int,
    kind: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Small motions about an equilibrium, a position or a steady motion: a line for each mode.

    Needs masses and inertias of what moves. Mode shapes are in the degrees of freedom, the largest component 1; modes
    that grow tell at which rate.

    \b
    mubo linearize loaded_four_bar.toml --release hold
    mubo linearize governor.toml --about steady -o modes.json
    mubo linearize governor.toml --about steady --release motor --json
    mubo linearize loaded_four_bar.toml --release hold --film mode.gif
    """
    from mubo.analyses.linearize.export import require_linear_ending
    from mubo.formats.tables import plain

    try:
        for path in output:
            require_linear_ending(path)
        linear = load_model(model, kind).linearize(dofs=dof, **options)
        linear.state_space(inputs, outputs)  # names that do not exist are refused though nothing is written
        for path in output:
            linear.save(path, inputs, outputs)
        if film is not None:
            _film(linear, mode, film)
    except MuboError as error:
        fail(error, as_json)
        return
    files = [*output, *([film] if film is not None else [])]
    if as_json:
        click.echo(json.dumps(plain({**linear.as_dict(), "files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(linear), *(f"{'file':<15} {path}" for path in files)]))


def _film(linear: Linearization, number: int, path: str) -> None:
    """Three cycles of a mode."""
    from mubo.cli.progress import Progress

    run: Any = linear.motion(number, cycles=CYCLES)
    with Progress() as progress:
        run.animate(path, speed=float(run["t"][-1]) / (SECONDS * CYCLES), trace=False, progress=progress)
