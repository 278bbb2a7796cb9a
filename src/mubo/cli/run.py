"""mubo run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import (
    format_option,
    json_option,
    load_model,
    model_argument,
    quiet_option,
    solve_motion,
    solver_options,
)
from mubo.cli.summary import fail, finish, print_answer
from mubo.errors import ModelError, MuboError
from mubo.formats import extension_of

if TYPE_CHECKING:
    from mubo.api import Model

# Pictures by file name, and their kinds.
KINEMATICS = {"mechanism.png": "mechanism", "motion.png": "time", "newton.png": "newton"}
EQUILIBRIA = {"mechanism.png": "mechanism"}
FORCES = {"mechanism.png": "mechanism", "forces.png": "time", "largest_pin.png": "polar"}
GAIT = {"mechanism.png": "mechanism", "gait.png": "gait"}
SIMULATION = {"mechanism.png": "mechanism", "motion.png": "time", "energy.png": "energy"}


@click.command()
@model_argument
@click.option("-o", "--output", type=click.Path(), help="Folder for the results (default: MODEL_results).")
@solver_options
@format_option
@json_option
@quiet_option
def run(model: str, output: str | None, kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Runs the model's [analysis] and writes table, summary and pictures to a folder.

    \b
    mubo run four_bar.toml
    mubo run eleven_bar.deck
    """
    from mubo.formats.files import filling, write_text
    from mubo.formats.tables import plain
    from mubo.view import plot

    try:
        loaded = load_model(model, kind, options["guide_smoothing"])
        extension = extension_of(loaded.build())
        if extension.report and loaded.analysis is None:
            _write_own_report(loaded, extension.title, Path(output or f"{Path(model).stem}_results"), as_json, quiet)
            return
        if loaded.analysis is None:
            raise ModelError(
                f"{model} has no [analysis]",
                suggestion="Add one with start, end and step, or use `mubo kinematics` with --start, --end and --step.",
            )
        result = solve_motion(loaded, options)
        folder = Path(output or f"{Path(model).stem}_results")
        kinds = {"simulate": SIMULATION, "inverse": FORCES, "statics": FORCES, "strength": FORCES}
        if result.record.gait is not None:
            kinds["gait"] = GAIT if result.record.gait.ok else FORCES
        pictures = EQUILIBRIA if "equilibria" in result.summary else kinds.get(loaded.analysis.type, KINEMATICS)
        with filling(folder) as new:
            result.save(new / "table.csv")
            for name, kind in pictures.items():
                plot(result, [], new / name, kind)
            files = ["table.csv", *pictures]
            if extension.listing:
                result.save(new / "listing.txt")
                files.append("listing.txt")
            result.summary["files"] += [str(folder / name) for name in (*files, "summary.json")]
            write_text(new / "summary.json", json.dumps(plain(result.summary), indent=1))
    except MuboError as error:
        fail(error, as_json)
        return
    finish(result, as_json, quiet)


def _write_own_report(model: Model, title: str, folder: Path, as_json: bool, quiet: bool) -> None:
    """Writes the report of a file that has one of its own format and no analysis, such as a CLOSURE deck."""
    from mubo.formats.files import filling, write_text
    from mubo.formats.tables import plain

    report = model.check()
    names = [f"{title}{ending}" for ending in (".txt", ".json")]
    with filling(folder) as new:
        write_text(new / names[0], f"{report}\n")
        write_text(new / names[1], json.dumps(plain(report.as_dict()), indent=1))
    files = [str(folder / name) for name in names]
    print_answer(report, report.as_dict(), files, as_json, quiet, "  file         ")
    if report.error is not None:
        raise report.error
