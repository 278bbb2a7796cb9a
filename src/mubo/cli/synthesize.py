"""mubo synthesize."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mubo.cli.analyse import page_option, require_page, write_page
from mubo.cli.options import json_option, quiet_option
from mubo.cli.study_options import number_or_text
from mubo.cli.terminal import PICTURES, STREAM_HELP, Progress, fail, standard_output
from mubo.errors import MuboError
from mubo.formats.task_file import is_table
from mubo.model import GROUND
from mubo.results.table import plain

LINKAGES = ["four-bar", "slider-crank"]
FOLLOWERS = ["roller", "flat", "arm-roller", "arm-flat"]
TIME_RATIO = "Time ratio: duration of the slow stroke divided by that of the quick return, at least 1."


class _Tasks(click.Group):
    """Accepts a task file in place of the name of a task."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            if Path(args[0]).suffix == ".toml":
                return super().resolve_command(ctx, ["file", *args])
            from mubo.errors import nearest

            names = [name for name in self.commands if name != "file"]
            ctx.fail(f'there is no task "{args[0]}". {nearest(args[0], names)}')
        return super().resolve_command(ctx, args)


@click.group(cls=_Tasks, short_help="Finds linkages, gear trains and cams for a function, a motion, a path, a ratio.",
             options_metavar="", subcommand_metavar="TASK|TASK.toml …")  # fmt: skip
def synthesize() -> None:
    """Finds linkages for a task. Every design shown has been run through all required positions, on one assembly branch
    and in their order; designs with a defect are counted, and listed with --json. Where no design is left the exit
    code is 3.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs
    mubo synthesize formula "log(x)" --x 1 2 --crank 60 --swing 90 --points 4 -o designs
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 25,2,75 -o designs -o designs.png
    mubo synthesize path points.csv --length mm -o designs
    mubo synthesize swing 60 --ratio 1.2 -o designs
    mubo synthesize quick-return 100 --ratio 1.5 --length mm -o designs
    mubo synthesize cognates parameters.toml -o designs
    mubo synthesize planetary 4 --module 2mm --length mm -o designs
    mubo synthesize cam 120,20 60 120,-20 60 --roller 8 --length mm -o designs
    mubo synthesize task.toml -o designs
    """


_page_option = page_option("with every design in motion")
_output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="Folder for model files and a table; or a table.csv; picture of the designs: .png, .svg or .pdf. "
    f"{STREAM_HELP} May be repeated.",
)


def _file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for files."""
    decorated: Callable[..., Any] = _output_option(_page_option(command))
    return decorated


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every task has."""
    for option in (
        quiet_option,
        json_option,
        click.option("--most", type=click.IntRange(1, 100), default=12, show_default=True, help="Designs to show."),
        click.option("--length", default="", metavar="UNIT", help="Unit of lengths, such as mm.  [default: none]"),
    ):
        command = option(command)
    return _file_options(command)


_linkages = click.option("--linkage", "linkages", type=click.Choice(LINKAGES), multiple=True,
                         default=LINKAGES[:1], show_default=True, help="May be repeated.")  # fmt: skip


@synthesize.command(short_help="An output that follows the crank through pairs.")
@click.argument("pairs", nargs=-1, required=True, metavar="CRANK,OUTPUT … | TABLE")
@click.option("--linkage", type=click.Choice(LINKAGES), default=LINKAGES[0], show_default=True)
@click.option("--crank-start", metavar="ANGLE", help="Angle of the crank at the first pair.  [default: free]")
@click.option("--rocker-start", metavar="ANGLE", help="Angle of the rocker at the first pair.  [default: free]")
@click.option("--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of a four-bar's fixed pins.")
@_common
def function(pairs: tuple[str, ...], **options: Any) -> None:
    """A linkage whose output follows its crank through pairs: of angles in degrees, or for a slider-crank of the
    crank's angle and the slider's displacement. Three to five pairs are met exactly, more by least squares
    (Freudenstein, Burmester). A table has the columns crank, output.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs -o designs.png
    mubo synthesize function 0,0 30,20 60,50 80,75 100,95 -o designs
    mubo synthesize function 0,0 30,5mm 60,14mm --linkage slider-crank --length mm -o designs
    """
    asked = {key: options.pop(key) for key in ("crank_start", "rocker_start", GROUND)}
    given: dict[str, Any] = {key: text and number_or_text(text) for key, text in asked.items()}
    given["linkage"] = options.pop("linkage")
    _answer(options, lambda tasks, **common: tasks.function(_rows(pairs, (2,)), **given, **common))


@synthesize.command(short_help="An output that follows the crank by a formula y = f(x).")
@click.argument("formula", metavar="FORMULA")
@click.option("--x", "ends", nargs=2, type=float, required=True, metavar="FIRST LAST", help="Range of x.")
@click.option("--crank", required=True, metavar="ANGLE", help="Range of the crank over x; negative clockwise.")
@click.option("--swing", "turn", required=True, metavar="SIZE", help="Range of the output over y.")
@click.option("--points", type=click.IntRange(3, 5), default=3, show_default=True, help="Precision points.")
@click.option("--linkage", type=click.Choice(LINKAGES), default=LINKAGES[0], show_default=True)
@click.option("--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of a four-bar's fixed pins.")
@_common
def formula(formula: str, ends: tuple[float, float], crank: str, turn: str, ground: str, **options: Any) -> None:
    """A linkage that generates a function y = f(x): the crank turns in proportion to x, the output to y. It is exact at
    Chebyshev's precision points; the table has the structural error over the whole range, the least first.

    \b
    mubo synthesize formula "log(x)" --x 1 2 --crank 60 --swing 90 --points 4 -o designs -o designs.png
    mubo synthesize formula "x^2" --x 0 1 --crank 90 --swing 40mm --linkage slider-crank --length mm -o designs
    """
    how = {key: options.pop(key) for key in ("points", "linkage")}
    sizes = {"crank": number_or_text(crank), "output": number_or_text(turn), GROUND: number_or_text(ground)}
    _answer(options, lambda tasks, **common: tasks.formula(formula, ends, **sizes, **how, **common))


@synthesize.command(short_help="A coupler that goes through poses.")
@click.argument("poses", nargs=-1, required=True, metavar="X,Y,ANGLE … | TABLE")
@click.option(
    "--pivot", "pivots", multiple=True, metavar="X,Y", help="A fixed pin; two may be given for two or three poses."
)
@_linkages
@_common
def motion(poses: tuple[str, ...], pivots: tuple[str, ...], linkages: tuple[str, ...], **options: Any) -> None:
    """A linkage whose coupler goes through two to five poses x, y, angle in degrees (Burmester). For five poses
    all solutions are found, for fewer many are tried. A table has the columns x, y, angle.

    \b
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 25,2,75 26,-3,95 -o designs -o designs.png
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 --pivot 0,-20 --pivot 20,-20 -o designs
    mubo synthesize motion poses.csv --linkage slider-crank -o designs
    """
    fixed = _rows(pivots, (2,)) if pivots else None
    _answer(options, lambda tasks, **c: tasks.motion(_rows(poses, (3,)), pivots=fixed, linkages=linkages, **c))


@synthesize.command(short_help="A point of the coupler that goes through points.")
@click.argument("points", nargs=-1, required=True, metavar="X,Y[,CRANK] … | TABLE")
@_linkages
@click.option("--rounds", type=click.IntRange(1, 1000), default=6, show_default=True,
              help="Rounds of starts, at most; they end when a linkage meets all points.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the starts.")
@_common
def path(points: tuple[str, ...], linkages: tuple[str, ...], **options: Any) -> None:
    """A linkage whose coupler point goes through points in their order, at given angles of the crank where a third
    number gives one. Least squares from many starts; up to nine points can be met exactly, more where they lie on the
    curve of a linkage. A table has the columns x, y and may have crank.

    \b
    mubo synthesize path 0,0 10,0 20,5 10,10 2,10 -o designs -o designs.png
    mubo synthesize path 0,0,0 10,0,60 20,5,120 10,10,200 --linkage slider-crank -o designs
    mubo synthesize path points.csv --length mm -o designs
    """
    how = {key: options.pop(key) for key in ("rounds", "seed")}
    with Progress() as progress:
        _answer(
            options,
            lambda tasks, **common: tasks.path(
                _rows(points, (2, 3)), linkages=linkages, progress=progress, **how, **common
            ),
        )


@synthesize.command(short_help="A rocker that swings by an angle, with a time ratio.")
@click.argument("angle")
@click.option("--ratio", type=float, default=1.0, show_default=True, help=TIME_RATIO)
@click.option("--rocker", default="1", metavar="LENGTH", show_default=True, help="Length of the rocker.")
@_common
def swing(angle: str, ratio: float, rocker: str, **options: Any) -> None:
    """Crank-rockers whose rocker swings by an angle in degrees, by toggle positions (Alt); best transmission first.

    \b
    mubo synthesize swing 60 --ratio 1.2 --rocker 80mm --length mm -o designs
    """
    size = number_or_text(rocker)
    _answer(options, lambda tasks, **common: tasks.swing(number_or_text(angle), ratio, rocker=size, **common))


@synthesize.command("quick-return", short_help="A slide that returns quicker than it goes.")
@click.argument("stroke")
@click.option("--ratio", type=float, required=True, help=TIME_RATIO)
@_common
def quick_return(stroke: str, ratio: float, **options: Any) -> None:
    """Slider-cranks, a shaper and a Whitworth drive of given stroke and time ratio.

    \b
    mubo synthesize quick-return 100 --ratio 1.5 --length mm -o designs -o designs.png
    """
    _answer(options, lambda tasks, **common: tasks.quick_return(number_or_text(stroke), ratio, **common))


@synthesize.command(
    short_help="A planetary gear train by its ratio.", context_settings={"ignore_unknown_options": True}
)
@click.argument("ratio", type=float)
@click.option("--planets", type=int, default=3, show_default=True, help="Planets, evenly spaced.")
@click.option("--stepped", is_flag=True, help="Planets of two wheels with different numbers of teeth.")
@click.option("--tolerance", default="0 %", show_default=True, metavar="SHARE", help="Tolerance of the ratio.")
@click.option("--least", type=int, default=17, show_default=True, help="Least number of teeth of a wheel.")
@click.option("--most-teeth", type=int, default=120, show_default=True, help="Largest number of teeth, of the ring.")
@click.option("--module", default="1", show_default=True, metavar="LENGTH", help="Pitch diameter per tooth.")
@click.option("--efficiency", type=float, default=1.0, show_default=True,
              help="Share of the power that arrives through both meshes with the carrier fixed.")  # fmt: skip
@_common
def planetary(ratio: float, module: str, **options: Any) -> None:
    """Planetary trains of sun, planets and ring whose input turns RATIO times as fast as their output: all numbers of
    teeth that can be assembled, with planets that do not touch, the smallest first. Each is run and measured.

    \b
    mubo synthesize planetary 4 --planets 3 --module 2mm --length mm -o designs -o designs.png
    mubo synthesize planetary -2.5 --tolerance "1 %" --efficiency 0.97
    mubo synthesize planetary 12 --stepped -o designs
    """
    keys = ("planets", "stepped", "tolerance", "least", "most_teeth", "efficiency")
    how = {key: options.pop(key) for key in keys}
    _answer(options, lambda tasks, **common: tasks.planetary(ratio, module=number_or_text(module), **how, **common))


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
@_file_options
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
    _answer(options, lambda tasks: tasks.cam(asked, follower=follower, length=length, **sizes))


def _part(text: str) -> list[Any]:
    """A part of a cam's motion: two numbers and a law with commas between them."""
    cells = text.split(",")
    if len(cells) > 3:
        raise click.UsageError(f'a part is TURN, TURN,RISE or TURN,RISE,LAW; found "{text}"')
    return [number_or_text(cell) for cell in cells[:2]] + cells[2:]


@synthesize.command(short_help="The linkages that draw the same curve as a four-bar.")
@click.argument("model", type=click.Path())
@click.option("--point", default="", metavar="NAME", help="Point of the coupler.  [default: the only one]")
@_file_options
@json_option
@quiet_option
def cognates(model: str, point: str, **options: Any) -> None:
    """The two cognates of the four-bar of a model (Roberts, Chebyshev) and the geared five-bar that draws the same
    coupler curve, each run through it in the same time.

    \b
    mubo synthesize cognates four_bar.toml -o designs -o cognates.png
    """
    _answer(options, lambda tasks: tasks.cognates(model, point=point))


@synthesize.command(hidden=True)
@click.argument("task", type=click.Path())
@_file_options
@json_option
@quiet_option
def file(task: str, **options: Any) -> None:
    """Runs the task of a file."""
    _answer(options, lambda tasks: tasks(task))


def _rows(texts: tuple[str, ...], counts: tuple[int, ...]) -> Any:
    """Numbers with commas between them, or the name of a table as it is."""
    if len(texts) == 1 and is_table(texts[0]):
        return texts[0]
    out = [[number_or_text(cell) for cell in text.split(",")] for text in texts]
    for text, cells in zip(texts, out, strict=True):
        if len(cells) not in counts:
            allowed = " or ".join(map(str, counts))
            raise click.UsageError(f'expected {allowed} numbers with commas between them, or a table; found "{text}"')
    return out


def _answer(options: dict[str, Any], task: Callable[..., Any]) -> None:
    """Solves a task, writes files and prints; where every design has a defect the exit code is 3."""
    given = {key: options.pop(key) for key in ("output", "page", "as_json", "quiet")}
    with standard_output(given, ".csv"):
        _write_answer(given, lambda tasks: task(tasks, **options))


def _write_answer(given: dict[str, Any], task: Callable[[Any], Any]) -> None:
    as_json, quiet = given["as_json"], given["quiet"]
    from mubo.api.synthesized import synthesize as tasks

    try:
        require_page(given["page"])
        found = task(tasks)
        files = [file for path in given["output"] for file in _write_file(found, path)]
        files += write_page(found, given) if found.designs else []
    except MuboError as error:
        fail(error, as_json)
        return
    if as_json:
        click.echo(json.dumps(plain(found.as_dict() | {"files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"  {'file':<10} {file}" for file in _listed(files))]))
    if not found.designs:
        sys.exit(3)


def _write_file(found: Any, path: str) -> list[str]:
    """Writes the designs to a folder or a table, or draws them; without any there is no picture."""
    if not path.endswith(PICTURES):
        return list(found.save(path))
    if found.designs:
        found.plot(path=path)
    return [path] if found.designs else []


def _listed(files: list[str]) -> list[str]:
    """The files for printing: the models as a range."""
    models = [name for name in files if name.endswith(".toml")]
    rest = [name for name in files if name not in models]
    return ([f"{models[0]} to {Path(models[-1]).name}"] if len(models) > 1 else models) + rest
