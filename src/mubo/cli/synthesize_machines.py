"""mubo synthesize: cognates, six-bars with a dwell, gear trains and cams."""

from __future__ import annotations

from typing import Any

import click

from mubo.cli.options import json_option, quiet_option
from mubo.cli.study_options import number_or_text
from mubo.cli.synthesis_options import answer_task, common_options, file_options, synthesize
from mubo.cli.terminal import Progress
from mubo.model import GROUND

FOLLOWERS = ["roller", "flat", "arm-roller", "arm-flat"]


@synthesize.command(short_help="A six-bar whose output dwells while the crank turns on.")
@click.argument("angle", metavar="DWELL")
@click.option("--swing", "turn", required=True, metavar="ANGLE", help="Swing of the output.")
@click.option("--by", type=click.Choice(["arc", "line"]), default="arc", show_default=True,
              help="What the coupler point follows in the dwell.")  # fmt: skip
@click.option(
    "--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of the four-bar's fixed pins."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random linkages.")
@common_options
def dwell(angle: str, turn: str, by: str, seed: int, **options: Any) -> None:
    """Six-bars whose output stands while the crank turns by DWELL degrees, and swings over the rest of the turn: a rod
    on an arc of a coupler curve, or a slotted output on a straight part of it. Each is run over a turn and measured.

    \b
    mubo synthesize dwell 90 --swing 25 --ground 100mm --length mm -o designs -o designs.png
    mubo synthesize dwell 60 --swing 20 --by line -o designs
    """
    base = number_or_text(options.pop(GROUND))
    with Progress() as progress:
        how: dict[str, Any] = {"by": by, "seed": seed, "progress": progress, GROUND: base}
        answer_task(options, lambda tasks, **c: tasks.dwell(number_or_text(angle), number_or_text(turn), **how, **c))


@synthesize.command(
    short_help="A planetary gear train by its ratio.", context_settings={"ignore_unknown_options": True}
)
@click.argument("ratio", type=float)
@click.option("--planets", type=int, default=3, show_default=True, help="Planets, evenly spaced.")
@click.option("--stepped", is_flag=True, help="Planets of two wheels with different numbers of teeth.")
@click.option("--ratio-error", "tolerance", default="0 %", show_default=True, metavar="SHARE", help="Largest error.")
@click.option("--least", type=int, default=17, show_default=True, help="Least number of teeth of a wheel.")
@click.option("--most-teeth", type=int, default=120, show_default=True, help="Largest number of teeth, of the ring.")
@click.option("--module", default="1", show_default=True, metavar="LENGTH", help="Pitch diameter per tooth.")
@click.option("--efficiency", type=float, default=1.0, show_default=True,
              help="Share of the power that arrives through both meshes with the carrier fixed.")  # fmt: skip
@common_options
def planetary(ratio: float, module: str, **options: Any) -> None:
    """Planetary trains of sun, planets and ring whose input turns RATIO times as fast as their output: all numbers of
    teeth that can be assembled, with planets that do not touch, the smallest first. Each is run and measured.

    \b
    mubo synthesize planetary 4 --planets 3 --module 2mm --length mm -o designs -o designs.png
    mubo synthesize planetary -2.5 --ratio-error "1 %" --efficiency 0.97
    mubo synthesize planetary 12 --stepped -o designs
    """
    keys = ("planets", "stepped", "tolerance", "least", "most_teeth", "efficiency")
    how = {key: options.pop(key) for key in keys}
    answer_task(options, lambda tasks, **common: tasks.planetary(ratio, module=number_or_text(module), **how, **common))


@synthesize.command(short_help="The smallest cam for a motion of its follower.")
@click.argument("parts", nargs=-1, required=True, metavar="TURN[,RISE[,LAW]] …")
@click.option("--follower", type=click.Choice(FOLLOWERS), default=FOLLOWERS[0], show_default=True)
@click.option("--pressure", default="30", show_default=True, metavar="ANGLE", help="Largest pressure angle.")
@click.option("--roller", default="0", show_default=True, metavar="LENGTH", help="Radius of the roller.")
@click.option("--offset", default="0", show_default=True, metavar="LENGTH",
              help="Of the line of travel from the cam's centre, where the edge moves with the rise.")  # fmt: skip
@click.option("--curvature", default="0", show_default=True, metavar="LENGTH", help="Least radius of the edge.")
@click.option("--arm", default="0", metavar="LENGTH", help="Length of the arm of a roller.")
@click.option("--centres", default="0", metavar="LENGTH", help="Distance of the arm's pin from the cam's centre.")
@click.option("--length", default="", metavar="UNIT", help="Unit of lengths, such as mm.  [default: none]")
@file_options
@json_option
@quiet_option
def cam(parts: tuple[str, ...], follower: str, length: str, **options: Any) -> None:
    """The cam of the smallest base circle for a motion: parts of a turn of the cam, each with the rise of its follower
    and a law (cycloidal, "3-4-5", "modified sine" …); one without a rise is a dwell. The rises of an arm are angles.
    Limits are the pressure angle and the radius of curvature; the cam is run and measured.

    \b
    mubo synthesize cam 120,20 60 120,-20 60 --roller 8 --length mm -o designs -o cam.png
    mubo synthesize cam 90,12,3-4-5 90 90,-12,3-4-5 90 --follower flat --curvature 5 --length mm
    mubo synthesize cam 120,20 60 120,-20 60 --follower arm-roller --arm 80 --centres 100 --roller 8 --length mm
    """
    asked = [_part(text) for text in parts]
    names = ("pressure", "roller", "offset", "curvature", "arm", "centres")
    sizes = {name: number_or_text(options.pop(name)) for name in names}
    answer_task(options, lambda tasks: tasks.cam(asked, follower=follower, length=length, **sizes))


def _part(text: str) -> list[Any]:
    """A part of a cam's motion: two numbers and a law with commas between them."""
    cells = text.split(",")
    if len(cells) > 3:
        raise click.UsageError(f'a part is TURN, TURN,RISE or TURN,RISE,LAW; found "{text}"')
    return [number_or_text(cell) for cell in cells[:2]] + cells[2:]


@synthesize.command(short_help="The linkages that draw the same curve as a four-bar.")
@click.argument("model", type=click.Path())
@click.option("--point", default="", metavar="NAME", help="Point of the coupler.  [default: the only one]")
@file_options
@json_option
@quiet_option
def cognates(model: str, point: str, **options: Any) -> None:
    """The two cognates of the four-bar of a model (Roberts, Chebyshev) and the geared five-bar that draws the same
    coupler curve, each run through it in the same time.

    \b
    mubo synthesize cognates four_bar.toml -o designs -o cognates.png
    """
    answer_task(options, lambda tasks: tasks.cognates(model, point=point))
