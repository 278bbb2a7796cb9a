"""mubo run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import (
    format_option,
    json_option,
    load_model,
    model_argument,
    quiet_option,
    solve_again,
    solve_motion,
    solver_options,
)
from mubo.cli.study_options import command
from mubo.cli.terminal import STREAM_HELP, fail, finish, is_stream, print_answer, standard_output
from mubo.errors import ModelError, MuboError
from mubo.formats import extension_of
from mubo.formats.files import data_sets

if TYPE_CHECKING:
    from mubo.model import ModelDefinition
    from mubo.results import Run

TABLES = (".csv", ".json", ".mat", ".parquet", ".tex", ".txt", ".xlsx")  # endings that are no folder's
# Pictures by file name, and their kinds.
KINEMATICS = {"mechanism.png": "mechanism", "motion.png": "time", "newton.png": "newton"}
EQUILIBRIA = {"mechanism.png": "mechanism"}
FORCES = {"mechanism.png": "mechanism", "forces.png": "time", "largest_pin.png": "polar"}
GAIT = {"mechanism.png": "mechanism", "gait.png": "gait"}
SIMULATION = {"mechanism.png": "mechanism", "motion.png": "time", "energy.png": "energy"}


@command()
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help=f"Folder for the results (default: MODEL_results); or for the table alone: {STREAM_HELP}",
)
@solver_options
@format_option
@json_option
@quiet_option
def run(model: str, kind: str | None, **options: Any) -> None:
    """Runs the model's [analysis] and writes table, summary and pictures to a folder.

    \b
    mubo run four_bar.toml
    mubo run eleven_bar.deck
    mubo run kabios_four_bar.dat -o -
    """
    given = {name: options.pop(name) for name in ("output", "as_json", "quiet")}
    _require_folder(given["output"], model)
    try:
        models = data_sets(model, kind)
    except MuboError as error:
        fail(error, given["as_json"])
        return
    codes = [_exit_code(each, kind, options, given, len(models)) for each in models]
    if any(codes):
        raise SystemExit(max(codes))


def _exit_code(model: str, kind: str | None, options: dict[str, Any], given: dict[str, Any], count: int) -> int:
    """Runs one model; of several data sets in a file each has a numbered folder, whatever becomes of the others."""
    base, _, number = model.rpartition("#") if count > 1 else (model, "", "")
    output = given["output"]
    if number and not given["as_json"] and not given["quiet"]:
        click.echo(f"data set {number} of {count}")
    if number and not is_stream(output):
        output = f"{output or f'{Path(base).stem}_results'}_{number}"
    try:
        _run_model(model, kind, dict(options), {**given, "output": output})
    except SystemExit as end:
        if count == 1:
            raise
        return int(end.code or 0)
    return 0


def _run_model(model: str, kind: str | None, options: dict[str, Any], given: dict[str, Any]) -> None:
    """Solves what the file of a model asks for, and writes its folder."""
    with standard_output(given, ".csv") as stream:
        folder = Path(given["output"] or f"{Path(model).stem}_results")
        try:
            loaded = load_model(model, kind, options["guide_smoothing"])
            if loaded.analysis is None and extension_of(loaded).report:
                _write_report(loaded, None if stream.active else folder, given)
                return
            _require_analysis(loaded, model)
            result = solve_motion(loaded, options)
            if stream.active:
                stream.prefer_listing(result)
                result.save(given["output"])
            else:
                _write_folder(result, folder, lambda feps, predictor: solve_again(loaded, options, feps, predictor))
        except MuboError as error:
            fail(error, given["as_json"])
            return
        finish(result, given["as_json"], given["quiet"])


def _require_folder(output: str | None, model: str) -> None:
    """Refuse the name of a table as that of a folder."""
    if output and not is_stream(output) and Path(output).suffix in TABLES and not Path(output).is_dir():
        raise click.UsageError(
            f"-o {output} is the name of a table, and run writes a folder of results. Name a folder, write the table "
            f'alone to standard output with -o "-{Path(output).suffix}", or use `mubo kinematics {model} -o {output}`.'
        )


def _require_analysis(model: ModelDefinition, name: str) -> None:
    if model.analysis is None:
        raise ModelError(
            f"{name} has no [analysis]",
            suggestion="Add one, or use `mubo kinematics`, which takes one turn of a driver of constant rate."
            if model.drivers
            else "Add one. Without a driver use `mubo statics` for its equilibria, `mubo simulate --end TIME` for its "
            "motion.",
        )


def _pictures(result: Run) -> dict[str, str]:
    """The pictures of a run by file name, and their kinds."""
    if "equilibria" in result.summary:
        return EQUILIBRIA
    kinds = {"simulate": SIMULATION, "inverse": FORCES, "statics": FORCES, "strength": FORCES}
    if result.record.gait is not None:
        kinds["gait"] = GAIT if result.record.gait.ok else FORCES
    if result.record.study in kinds:
        return kinds[result.record.study]
    return {**KINEMATICS, **extension_of(result.model).pictures}


def _write_folder(result: Run, folder: Path, rerun: Callable[[float, str], Run]) -> None:
    """Writes the table, the pictures, the listing where the model's format has one, and the summary."""
    from mubo.formats.files import filling, write_text
    from mubo.results.table import plain
    from mubo.view import plot

    pictures = _pictures(result)
    with filling(folder) as new:
        result.save(new / "table.csv")
        for name, kind in pictures.items():
            plot(result, [], new / name, kind, rerun=rerun)
        files = ["table.csv", *pictures]
        if extension_of(result.model).listing and result.record.listing is not None:
            result.save(new / "listing.txt")
            files.append("listing.txt")
        result.summary["files"] += [str(folder / name) for name in (*files, "summary.json")]
        write_text(new / "summary.json", json.dumps(plain(result.summary), indent=1))


def _write_report(model: ModelDefinition, folder: Path | None, given: dict[str, Any]) -> None:
    """Writes the report of a format whose file asks for nothing else, such as a CLOSURE deck; without a folder to
    standard output alone."""
    from mubo.api.models import model_of
    from mubo.formats.files import filling, write_text
    from mubo.results.table import plain

    report, title = model_of(model).check(), extension_of(model).title
    files: list[str] = []
    if folder is not None:
        names = [f"{title}{ending}" for ending in (".txt", ".json")]
        with filling(folder) as new:
            write_text(new / names[0], f"{report}\n")
            write_text(new / names[1], json.dumps(plain(report.as_dict()), indent=1))
        files = [str(folder / name) for name in names]
    quiet = given["quiet"] and folder is not None
    print_answer(report, report.as_dict(), files, given["as_json"], quiet, "  file         ")
    if report.error is not None:
        raise report.error
