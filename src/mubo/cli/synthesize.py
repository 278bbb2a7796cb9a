"""mubo synthesize."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mubo.cli.options import json_option, quiet_option
from mubo.cli.progress import Progress
from mubo.cli.summary import fail
from mubo.errors import MuboError
from mubo.formats.tables import plain
from mubo.formats.task_file import is_table
from mubo.model import GROUND

LINKAGES = ["four-bar", "slider-crank"]


class _Tasks(click.Group):
    """A task file in place of a task's name is a task as well."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            if Path(args[0]).suffix == ".toml":
                return super().resolve_command(ctx, ["file", *args])
            from mubo.errors import nearest

            names = [name for name in self.commands if name != "file"]
            ctx.fail(f'there is no task "{args[0]}". {nearest(args[0], names)}')
        return super().resolve_command(ctx, args)


@click.group(cls=_Tasks, short_help="Finds linkages for a function, a motion, a path, a swing or a quick return.",
             options_metavar="", subcommand_metavar="TASK|TASK.toml …")  # fmt: skip
def synthesize() -> None:
    """Finds linkages from what they are to do. Every design shown has been run through all positions asked for, on one
    branch and in their order; those with a defect are counted, and told with --json. With no design left the exit code
    is 3.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 25,2,75 -o designs --plot designs.png
    mubo synthesize path points.csv --length mm -o designs
    mubo synthesize swing 60 --ratio 1.2 -o designs
    mubo synthesize quick-return 100 --ratio 1.5 --length mm -o designs
    mubo synthesize task.toml -o designs
    """


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every task has."""
    for option in (
        quiet_option,
        json_option,
        click.option("--most", type=click.IntRange(1, 100), default=12, show_default=True, help="Designs to show."),
        click.option("--length", default="", metavar="UNIT", help="Unit of lengths, such as mm.  [default: none]"),
    ):
        command = option(command)
    return _written(command)


def _written(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the answer goes."""
    for option in (
        click.option("--plot", "picture", type=click.Path(), help="Picture of the designs to write: .png, .svg, .pdf."),
        click.option("-o", "--output", type=click.Path(), help="Folder for model files and a table; or a table.csv."),
    ):
        command = option(command)
    return command


_linkages = click.option("--linkage", "linkages", type=click.Choice(LINKAGES), multiple=True,
                         default=LINKAGES[:1], show_default=True, help="May be repeated.")  # fmt: skip


@synthesize.command(short_help="An output that follows the crank through pairs.")
@click.argument("pairs", nargs=-1, required=True, metavar="CRANK,OUTPUT … | TABLE")
@click.option("--linkage", type=click.Choice(LINKAGES), default=LINKAGES[0], show_default=True)
@click.option("--crank-start", metavar="ANGLE", help="Of the crank at the first pair.  [default: free]")
@click.option("--rocker-start", metavar="ANGLE", help="Of the rocker at the first pair.  [default: free]")
@click.option("--ground", default="1", metavar="LENGTH", show_default=True, help="Distance of a four-bar's fixed pins.")
@_common
def function(pairs: tuple[str, ...], **options: Any) -> None:
    """A linkage whose output follows its crank through pairs: of angles in degrees, or for a slider-crank of the
    crank's angle and the slide's way. Three to five pairs are met exactly, more by least squares (Freudenstein,
    Burmester). A table has the columns crank, output.

    \b
    mubo synthesize function 0,0 30,20 60,50 --crank-start 40 --rocker-start 70 -o designs --plot designs.png
    mubo synthesize function 0,0 30,20 60,50 80,75 100,95 -o designs
    mubo synthesize function 0,0 30,5mm 60,14mm --linkage slider-crank --length mm -o designs
    """
    given = {key: _number(options.pop(key)) for key in ("crank_start", "rocker_start", GROUND)}
    given["linkage"] = options.pop("linkage")
    _answer(options, lambda tasks, **common: tasks.function(_rows(pairs, (2,)), **given, **common))


@synthesize.command(short_help="A coupler that goes through poses.")
@click.argument("poses", nargs=-1, required=True, metavar="X,Y,ANGLE … | TABLE")
@click.option("--pivot", "pivots", multiple=True, metavar="X,Y", help="A fixed pin; two may be given for three poses.")
@_linkages
@_common
def motion(poses: tuple[str, ...], pivots: tuple[str, ...], linkages: tuple[str, ...], **options: Any) -> None:
    """A linkage whose coupler goes through three, four or five poses x, y, angle in degrees (Burmester). Of five poses
    all solutions are found, of four and three many are tried. A table has the columns x, y, angle.

    \b
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 25,2,75 26,-3,95 -o designs --plot designs.png
    mubo synthesize motion 0,0,0 10,5,20 20,6,50 --pivot 0,-20 --pivot 20,-20 -o designs
    mubo synthesize motion poses.csv --linkage slider-crank -o designs
    """
    fixed = _rows(pivots, (2,)) if pivots else None
    _answer(options, lambda tasks, **c: tasks.motion(_rows(poses, (3,)), pivots=fixed, linkages=linkages, **c))


@synthesize.command(short_help="A point of the coupler that goes through points.")
@click.argument("points", nargs=-1, required=True, metavar="X,Y[,CRANK] … | TABLE")
@_linkages
@click.option("--rounds", type=click.IntRange(1, 1000), default=6, show_default=True,
              help="Of starts, at most; they end where a linkage meets all points.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the starts.")
@_common
def path(points: tuple[str, ...], linkages: tuple[str, ...], **options: Any) -> None:
    """A linkage whose coupler point goes through points in their order, at given angles of the crank where a third
    number says so. Least squares from many starts; up to nine points can be met exactly, more where they lie on the
    curve of a linkage. A table has the columns x, y and may have crank.

    \b
    mubo synthesize path 0,0 10,0 20,5 10,10 2,10 -o designs --plot designs.png
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
@click.option("--ratio", type=float, default=1.0, show_default=True, help="Time of the slow way to that of the quick.")
@click.option("--rocker", default="1", metavar="LENGTH", show_default=True, help="Length of the rocker.")
@_common
def swing(angle: str, ratio: float, rocker: str, **options: Any) -> None:
    """Crank-rockers whose rocker swings by an angle in degrees, by dead positions (Alt); the best transmission first.

    \b
    mubo synthesize swing 60 --ratio 1.2 --rocker 80mm --length mm -o designs
    """
    size = _number(rocker)
    _answer(options, lambda tasks, **common: tasks.swing(_number(angle), ratio, rocker=size, **common))


@synthesize.command("quick-return", short_help="A slide that returns quicker than it goes.")
@click.argument("stroke")
@click.option("--ratio", type=float, required=True, help="Time of the slow way to that of the quick one.")
@_common
def quick_return(stroke: str, ratio: float, **options: Any) -> None:
    """Slider-cranks, a shaper and a Whitworth drive of given stroke and time ratio.

    \b
    mubo synthesize quick-return 100 --ratio 1.5 --length mm -o designs --plot designs.png
    """
    _answer(options, lambda tasks, **common: tasks.quick_return(_number(stroke), ratio, **common))


@synthesize.command(hidden=True)
@click.argument("task", type=click.Path())
@_written
@json_option
@quiet_option
def file(task: str, **options: Any) -> None:
    """What a task file asks for."""
    _answer(options, lambda tasks: tasks(task))


def _rows(texts: tuple[str, ...], counts: tuple[int, ...]) -> Any:
    """Numbers with commas between them, or the name of a table as it is."""
    if len(texts) == 1 and is_table(texts[0]):
        return texts[0]
    out = [[_number(cell.strip()) for cell in text.split(",")] for text in texts]
    for text, cells in zip(texts, out, strict=True):
        if len(cells) not in counts:
            told = " or ".join(map(str, counts))
            raise click.UsageError(f'expected {told} numbers with commas between them, or a table; found "{text}"')
    return out


def _number(text: str | None) -> Any:
    """A number, or text with a unit as it is."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text


def _answer(options: dict[str, Any], task: Callable[..., Any]) -> None:
    """Solves a task, writes, prints; where no design is without a defect the exit code is 3."""
    output, picture, as_json, quiet = (options.pop(key) for key in ("output", "picture", "as_json", "quiet"))
    from mubo.api.synthesized import synthesize as tasks

    try:
        found = task(tasks, **options)
        files = found.save(output) if output else []
        if picture and found.designs:
            found.plot(path=picture)
            files.append(picture)
    except MuboError as error:
        fail(error, as_json)
        return
    if as_json:
        click.echo(json.dumps(plain(found.as_dict() | {"files": files}), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"  {'file':<10} {file}" for file in _listed(files))]))
    if not found.designs:
        sys.exit(3)


def _listed(files: list[str]) -> list[str]:
    """The files in words: the models as a range."""
    models = [name for name in files if name.endswith(".toml")]
    rest = [name for name in files if name not in models]
    return ([f"{models[0]} to {Path(models[-1]).name}"] if len(models) > 1 else models) + rest
