"""mubo export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import format_option, load_model, model_argument, quiet_option, solve_motion, time_options
from mubo.cli.study_options import command, number_or_text
from mubo.cli.terminal import STREAM_HELP, leave_if_stopped, standard_output

if TYPE_CHECKING:
    from mubo.api import Model
    from mubo.model import ModelDefinition


def _importer(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked:
        from mubo.view.painters.blender.script import IMPORTER

        click.echo(IMPORTER)
        ctx.exit()


SIZES = {word: word for word in ("hole", "width", "thickness", "density")} | {"assembled": "at"}
FILM = ("fps", "speed")
PART_OPTIONS = (
    click.option(
        "--parts",
        multiple=True,
        type=click.Path(),
        metavar="parts.csv",
        help="Write the list of the links as plates: .csv, .xlsx, .parquet, .tex, .json or .txt; or any file of -o "
        "that holds plates. May be repeated.",
    ),
    click.option("--hole", metavar="DIAMETER", help="Of plates: diameter at joints without [pin], such as '6 mm'."),
    click.option("--width", metavar="WIDTH", help="Of plates: width of links without [outline] and [section]."),
    click.option("--thickness", metavar="THICKNESS", help="Of plates: thickness of those without [outline]."),
    click.option("--density", metavar="DENSITY", help="Of plates: density where their material is not known."),
    click.option("--assembled", metavar="TIME", help="Plates as the mechanism has them at a time, not side by side."),
)


def part_options(command: Any) -> Any:
    """Gives a command the options of plates."""
    for one in reversed(PART_OPTIONS):
        command = one(command)
    return command


@command()
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    multiple=True,
    help="File to write: .glb (glTF 2.0 with animation), .py (script for Blender), .csv (poses of the bodies), .fmu "
    "(a plant for other simulators, FMI 2.0); of the links as plates .dxf or .svg (to cut), .stl or .step (solids), "
    f".pdf (drawing sheet). {STREAM_HELP} May be repeated.",
)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="NAME",
    help="Input of an FMU: a load to set, or a driver to leave undriven. May be repeated.",
)
@click.option(
    "--output-column",
    "outputs",
    multiple=True,
    metavar="COLUMN",
    help="Output of an FMU. May be repeated.  [default: measures]",
)
@click.option("--blender", type=click.Path(), metavar="film.py", help="Write a script that builds the film in Blender.")
@part_options
@time_options
@click.option(
    "--fps", type=float, help="Frames a second of the script (default: up to 60, so that frames fall on rows)."
)
@click.option("--speed", type=float, default=1.0, show_default=True, help="0.1 shows the motion ten times slower.")
@click.option(
    "--importer",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_importer,
    help="Print the path of the script that reads a table of poses into Blender, and exit.",
)
@format_option
@quiet_option
def export(
    model: str,
    output: tuple[str, ...],
    blender: str | None,
    kind: str | None,
    quiet: bool,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    parts: tuple[str, ...],
    **more: Any,
) -> None:
    """Exports the motion in three dimensions for Blender, browsers and other 3D programs, the model as an FMU, or its
    links as parts to cut.

    The command runs the model's [analysis], then writes bodies, joints and their motion. An FMU contains the model
    itself, which another simulator runs with inputs of its own; that computer needs Python with mubo.

    \b
    mubo export five_body_chain.toml -o chain.glb
    mubo export four_bar.toml --blender film.py --speed 0.25
    blender --background --python film.py -- --render frame.png --frame 30
    mubo export four_bar.toml -o poses.csv
    blender --python "$(mubo export --importer)" -- poses.csv
    mubo export cart_pole.toml -o plant.fmu --input push --output-column cart.x --output-column pole.phi
    mubo export jansen_leg.toml -o leg.dxf --parts leg.csv --hole '4 mm' --width '12 mm'
    mubo export jansen_leg.toml -o leg.step --assembled 0.1 --hole '4 mm' --width '12 mm' --thickness '3 mm'
    """
    given: dict[str, Any] = {"output": output, "quiet": quiet}
    with standard_output(given, ".csv"):
        sizes = {key: number_or_text(more.pop(word)) for word, key in SIZES.items() if more[word] is not None}
        shown, times = _split(more)
        plates, plants, targets = _targets(given["output"], blender, parts)
        if sizes and not plates:
            raise click.UsageError("--hole and other sizes are those of plates: give -o parts.dxf or --parts parts.csv")
        if (inputs or outputs) and not plants:
            raise click.UsageError("--input and --output-column are those of an FMU: give -o plant.fmu")
        loaded = load_model(model, kind)
        _save_all(loaded, plates, sizes)
        for target in plants:
            _model_of(loaded).save_fmu(target, inputs, outputs or None, start=times["start"])
        for target in (*plates, *plants):
            _print_target(target, (), given["quiet"])
        _export_motion(loaded, targets, times, given["quiet"], shown)


def _save_all(loaded: ModelDefinition, plates: list[str], sizes: dict[str, Any]) -> None:
    """Makes the plates once, and saves them in every file."""
    if plates:
        made = _model_of(loaded).parts(**sizes)
        for target in plates:
            made.save(target)


def _split(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of films, and those of times."""
    others = (*SIZES, *FILM)
    return {name: given[name] for name in FILM}, {key: value for key, value in given.items() if key not in others}


def _model_of(definition: ModelDefinition) -> Model:
    from mubo.api.models import model_of

    return model_of(definition)


def _export_motion(loaded: Any, targets: list[str], times: dict[str, Any], quiet: bool, shown: dict[str, Any]) -> None:
    """Solves the motion and writes it, if a file of it is asked for."""
    if targets:
        result = solve_motion(loaded, times)
        for target in targets:
            _print_target(target, result.export(target, **shown), quiet)
        leave_if_stopped(result)


def _targets(
    output: tuple[str, ...], blender: str | None, parts: tuple[str, ...]
) -> tuple[list[str], list[str], list[str]]:
    """The files of plates, the FMUs to write, and the files of a motion."""
    from mubo.applications.workshop.parts import DRAWN, require_part_ending
    from mubo.view.export import require_export_ending

    targets = [*output, *([blender] if blender else [])]
    if not targets and not parts:
        raise click.UsageError(
            "nothing to write: give -o film.glb, -o poses.csv, -o plant.fmu, --blender film.py or -o parts.dxf"
        )
    if blender is not None and Path(blender).suffix != ".py":
        raise click.BadParameter(f'the script must end in .py; found "{blender}"', param_hint="--blender")
    plates = [*(target for target in targets if Path(target).suffix in DRAWN), *parts]
    for target in plates:
        require_part_ending(target)
    plants = [target for target in targets if Path(target).suffix == ".fmu"]
    others = [target for target in targets if target not in plants and target not in plates]
    for target in others:
        require_export_ending(Path(target))
    return plates, plants, others


def _print_target(target: str, notes: tuple[str, ...], quiet: bool) -> None:
    """Prints the file that was written, and notes on it."""
    if not quiet:
        click.echo(target)
        for note in notes:
            click.echo(f"note: {note}", err=True)
