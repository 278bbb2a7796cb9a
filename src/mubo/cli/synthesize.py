"""mubo synthesize: the tasks of four-bars and slider-cranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from mubo.cli import synthesize_machines as _machines  # noqa: F401  # its commands join the group
from mubo.cli.options import json_option, quiet_option
from mubo.cli.study_options import number_or_text
from mubo.cli.synthesis_options import answer_task, common_options, file_options, read_numbers, synthesize
from mubo.cli.terminal import Progress
from mubo.model import GROUND

LINKAGES = ["four-bar", "slider-crank"]
FUNCTION_LINKAGES = [*LINKAGES, "inverted-slider", "watt", "stephenson"]
PATH_LINKAGES = [*FUNCTION_LINKAGES, "geared-five-bar"]
TIME_RATIO = "Time ratio: duration of the slow stroke divided by that of the quick return, at least 1."


def _linkages(kinds: list[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option("--linkage", "linkages", type=click.Choice(kinds), multiple=True,
                        default=kinds[:1], show_default=True, help="May be repeated.")  # fmt: skip


_linkage = click.option("--linkage", type=click.Choice(FUNCTION_LINKAGES), default=LINKAGES[0], show_default=True,
                        help="watt and stephenson are six-bars.")  # fmt: skip
_seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random starts.")


@synthesize.command(short_help="An output that follows the crank through pairs.")
@click.argument("pairs", nargs=-1, required=True, metavar="CRANK,OUTPUT … | TABLE")
@_linkage
@_seed
@click.option("--crank-start", metavar="ANGLE", help="Angle of the crank at the first pair.  [default: free]")
@click.option("--rocker-start", metavar="ANGLE", help="Angle of the rocker at the first pair.  [default: free]")
@click.option("--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of a four-bar's fixed pins.")
@common_options
def function(pairs: tuple[str, ...], **options: Any) -> None:
    """A linkage whose output follows its crank through pairs: of angles in degrees, or for a slider-crank of the
    crank's angle and the slider's displacement. Three to five pairs are met exactly, more by least squares
    (Freudenstein, Burmester); six-bars of Watt meet up to 9, of Stephenson up to 11. A table has the columns crank,
    output.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs -o designs.png
    mubo synthesize function 0,0 30,20 60,50 80,75 100,95 -o designs
    mubo synthesize function 0,0 30,5mm 60,14mm --linkage slider-crank --length mm -o designs
    mubo synthesize function pairs.csv --linkage stephenson -o designs -o designs.png
    """
    asked = {key: options.pop(key) for key in ("crank_start", "rocker_start", GROUND)}
    given: dict[str, Any] = {key: text and number_or_text(text) for key, text in asked.items()}
    given |= {key: options.pop(key) for key in ("linkage", "seed")}
    answer_task(options, lambda tasks, **common: tasks.function(read_numbers(pairs, (2,)), **given, **common))


@synthesize.command(short_help="An output that follows the crank by a formula y = f(x).")
@click.argument("formula", metavar="FORMULA")
@click.option("--x", "ends", nargs=2, type=float, required=True, metavar="FIRST LAST", help="Range of x.")
@click.option("--crank", required=True, metavar="ANGLE", help="Range of the crank over x; negative clockwise.")
@click.option("--swing", "turn", required=True, metavar="SIZE", help="Range of the output over y.")
@click.option(
    "--points",
    type=click.IntRange(3, 11),
    default=3,
    show_default=True,
    help="Precision points: to 5, watt to 9, stephenson to 11.",
)
@_linkage
@_seed
@click.option("--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of a four-bar's fixed pins.")
@common_options
def formula(formula: str, ends: tuple[float, float], crank: str, turn: str, ground: str, **options: Any) -> None:
    """A linkage that generates a function y = f(x): the crank turns in proportion to x, the output to y. It is exact at
    Chebyshev's precision points; the table has the structural error over the whole range, the least first.

    \b
    mubo synthesize formula "log(x)" --x 1 2 --crank 60 --swing 90 --points 4 -o designs -o designs.png
    mubo synthesize formula "x^2" --x 0 1 --crank 90 --swing 40mm --linkage slider-crank --length mm -o designs
    """
    how = {key: options.pop(key) for key in ("points", "linkage", "seed")}
    sizes = {"crank": number_or_text(crank), "output": number_or_text(turn), GROUND: number_or_text(ground)}
    answer_task(options, lambda tasks, **common: tasks.formula(formula, ends, **sizes, **how, **common))


@synthesize.command(short_help="A coupler that goes through poses.")
@click.argument("poses", nargs=-1, required=True, metavar="X,Y,ANGLE … | TABLE")
@click.option(
    "--pivot", "pivots", multiple=True, metavar="X,Y", help="A fixed pin; two may be given for two or three poses."
)
@_linkages(LINKAGES)
@common_options
def motion(poses: tuple[str, ...], pivots: tuple[str, ...], linkages: tuple[str, ...], **options: Any) -> None:
    """A linkage whose coupler goes through two to five poses x, y, angle in degrees (Burmester). For five poses
    all solutions are found, for fewer many are tried. A table has the columns x, y, angle.

    \b
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 25,2,75 26,-3,95 -o designs -o designs.png
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 --pivot 0,-20 --pivot 20,-20 -o designs
    mubo synthesize motion poses.csv --linkage slider-crank -o designs
    """
    fixed = read_numbers(pivots, (2,)) if pivots else None
    answer_task(
        options, lambda tasks, **c: tasks.motion(read_numbers(poses, (3,)), pivots=fixed, linkages=linkages, **c)
    )


@synthesize.command(short_help="A point of the coupler that goes through points.")
@click.argument("points", nargs=-1, required=True, metavar="X,Y[,CRANK] … | TABLE")
@_linkages(PATH_LINKAGES)
@click.option("--rounds", type=click.IntRange(1, 1000), default=6, show_default=True,
              help="Rounds of starts, at most; they end when a linkage meets all points.")  # fmt: skip
@_seed
@common_options
def path(points: tuple[str, ...], linkages: tuple[str, ...], **options: Any) -> None:
    """A linkage whose coupler point goes through points in their order, at given angles of the crank where a third
    number gives one. Least squares from many starts; a four-bar can meet nine points exactly, a six-bar (watt,
    stephenson) fifteen, more where they lie on the curve of a linkage. A table has the columns x, y and may have crank.

    \b
    mubo synthesize path 0,0 10,0 20,5 10,10 2,10 -o designs -o designs.png
    mubo synthesize path 0,0,0 10,0,60 20,5,120 10,10,200 --linkage slider-crank -o designs
    mubo synthesize path points.csv --linkage watt --linkage stephenson --length mm -o designs
    """
    how = {key: options.pop(key) for key in ("rounds", "seed")}
    with Progress() as progress:
        answer_task(
            options,
            lambda tasks, **common: tasks.path(
                read_numbers(points, (2, 3)), linkages=linkages, progress=progress, **how, **common
            ),
        )


@synthesize.command(short_help="A rocker that swings by an angle, with a time ratio.")
@click.argument("angle")
@click.option("--ratio", type=float, default=1.0, show_default=True, help=TIME_RATIO)
@click.option("--rocker", default="1", metavar="LENGTH", show_default=True, help="Length of the rocker.")
@common_options
def swing(angle: str, ratio: float, rocker: str, **options: Any) -> None:
    """Crank-rockers whose rocker swings by an angle in degrees, by toggle positions (Alt); best transmission first.

    \b
    mubo synthesize swing 60 --ratio 1.2 --rocker 80mm --length mm -o designs
    """
    size = number_or_text(rocker)
    answer_task(options, lambda tasks, **common: tasks.swing(number_or_text(angle), ratio, rocker=size, **common))


@synthesize.command("quick-return", short_help="A slide that returns quicker than it goes.")
@click.argument("stroke")
@click.option("--ratio", type=float, required=True, help=TIME_RATIO)
@common_options
def quick_return(stroke: str, ratio: float, **options: Any) -> None:
    """Slider-cranks, a shaper and a Whitworth drive of given stroke and time ratio.

    \b
    mubo synthesize quick-return 100 --ratio 1.5 --length mm -o designs -o designs.png
    """
    answer_task(options, lambda tasks, **common: tasks.quick_return(number_or_text(stroke), ratio, **common))


@synthesize.command(hidden=True)
@click.argument("task", type=click.Path())
@file_options
@json_option
@quiet_option
def file(task: str, **options: Any) -> None:
    """Runs the task of a file."""
    answer_task(options, lambda tasks: tasks(task))
