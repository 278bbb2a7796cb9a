"""Commands of the analyses: which files each writes, and how it ends."""

from __future__ import annotations

import sys
from typing import Any

import click

from mubo.cli.study_command import Given, StudyCommand, print_answer
from mubo.cli.summary import leave_if_stopped
from mubo.results import require_ending

PICTURES = (".png", ".svg", ".pdf")
CYCLES, SECONDS = 3, 2.0  # of the film of a vibration mode, and what a cycle of it lasts


def output_option(what: str) -> Any:
    """The option -o, which may be repeated."""
    return click.option("-o", "--output", type=click.Path(), multiple=True, help=f"{what} May be repeated.")


def page_option(what: str) -> Any:
    """The option --report."""
    return click.option("--report", "page", type=click.Path(), help=f"Page to write, {what}: .html.")


TABLE = output_option("Table to write: .csv, .json, .parquet, or .txt for the classic listing.")


def _require_tables(model: str, given: Given) -> None:
    for path in given["output"]:
        require_ending(path, model)


def _write_tables(run: Any, given: Given) -> list[str]:
    for path in given["output"]:
        run.save(path)
    if given.get("scheme") == "1964" and not (given["as_json"] or given["quiet"]):
        click.echo(run.listing)
    return list(given["output"])


def require_page(page: str | None) -> None:
    """Refuses the name of a page before any work."""
    if page is not None:
        from mubo.view.report.page import page_target, require_assets

        page_target(page)
        require_assets()


def _require_strength(model: str, given: Given) -> None:
    from mubo.applications.strength.export import require_strength_ending

    for path in given["output"]:
        require_strength_ending(path, model)
    require_page(given["page"])


def _write_strength(found: Any, given: Given) -> list[str]:
    for path in given["output"]:
        found.save(path)
    if given["page"] is not None:
        found.run.report(given["page"])
    return [*given["output"], *([given["page"]] if given["page"] is not None else [])]


def _require_gait(model: str, given: Given) -> None:
    from mubo.applications.gait.export import require_gait_ending

    for path in given["output"]:
        if not path.endswith(PICTURES):
            require_gait_ending(path, model)
    require_page(given["page"])


def _write_gait(found: Any, given: Given) -> list[str]:
    for path in given["output"]:
        found.run.plot(kind="gait", path=path) if path.endswith(PICTURES) else found.save(path)
    others = ((given["table"], found.run.save), (given["page"], found.run.report))
    for target, write in others:
        if target is not None:
            write(target)
    return [*given["output"], *(target for target, _ in others if target is not None)]


def _finish_with_run(found: Any, files: list[str], given: Given) -> None:
    print_answer(found, found.as_dict(), files, given)
    leave_if_stopped(found.run)


def _require_linear(model: str, given: Given) -> None:
    from mubo.analyses.linearize.export import require_linear_ending

    for path in given["output"]:
        require_linear_ending(path)


def _write_linear(linear: Any, given: Given) -> list[str]:
    names = given["inputs"], given["outputs"]
    linear.state_space(*names)  # names that do not exist are refused though nothing is written
    for path in given["output"]:
        linear.save(path, *names)
    if given["film"] is None:
        return list(given["output"])
    from mubo.cli.progress import Progress

    run = linear.motion(given["number"], cycles=CYCLES)
    with Progress() as progress:
        run.animate(given["film"], speed=float(run["t"][-1]) / (SECONDS * CYCLES), trace=False, progress=progress)
    return [*given["output"], given["film"]]


def _require_proof(model: str, given: Given) -> None:
    from mubo.analyses.verify.table import require_table_ending

    for path in given["output"]:
        require_table_ending(path)


def _write_proof(proof: Any, given: Given) -> list[str]:
    for path in given["output"]:
        proof.save(path)
    return list(given["output"])


def _finish_proof(proof: Any, files: list[str], given: Given) -> None:
    print_answer(proof, proof.as_dict(), files, given)
    if not proof.holds:
        if given["quiet"]:
            click.echo(proof.verdict, err=True)
        sys.exit(3)


LINEAR_FILES = (
    output_option("Matrices, modes and state space to write: .json or .npz."),
    click.option(
        "--input", "inputs", multiple=True, metavar="LOAD", help="Input of the state space.  [default: all loads]"
    ),
    click.option(
        "--measure",
        "outputs",
        multiple=True,
        metavar="COLUMN",
        help="Output of the state space.  [default: all degrees of freedom]",
    ),
    click.option("--film", type=click.Path(), help="Film of a mode to write, a cycle in two seconds: .mp4 or .gif."),
    click.option(
        "--mode", "number", type=click.IntRange(min=1), default=1, show_default=True, help="Mode of the film."
    ),
)
GAIT_FILES = (
    output_option(
        "Mean cycles: .csv, .json or .txt; angles and moments for OpenSim: .sto; the figure: .png, .svg or .pdf."
    ),
    page_option("with the figure and the moving legs"),
    click.option("--table", type=click.Path(), help="All columns over time: .csv, .parquet or .json."),
)
STRENGTH_FILES = (
    output_option("Table to write: .csv, .json or .txt; swept envelopes: .svg or .dxf."),
    page_option("with the stresses on the moving links"),
)
kinematics, inverse, statics, simulate = (
    StudyCommand(name, (TABLE,), _write_tables, _require_tables).command()
    for name in ("kinematics", "inverse", "statics", "simulate")
)
linearize = StudyCommand(
    "linearize",
    LINEAR_FILES,
    _write_linear,
    _require_linear,
    lambda linear, files, given: print_answer(linear, linear.as_dict(), files, given),
).command()
strength = StudyCommand("strength", STRENGTH_FILES, _write_strength, _require_strength, _finish_with_run).command()
gait = StudyCommand("gait", GAIT_FILES, _write_gait, _require_gait, _finish_with_run).command()
verify = StudyCommand(
    "verify",
    (output_option("Table to write: .json, .csv or .txt."),),
    _write_proof,
    _require_proof,
    _finish_proof,
).command()
