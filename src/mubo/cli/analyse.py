"""Commands of the analyses, the files that each writes, and their exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from mubo.cli.options import Given, StudyCommand
from mubo.cli.study_options import given_to
from mubo.cli.terminal import PICTURES, STREAM_HELP, leave_if_stopped
from mubo.errors import ModelError
from mubo.results import require_ending

FILMS = (".mp4", ".gif")
CYCLES, SECONDS = 3, 2.0  # in the film of a vibration mode, and duration of a cycle
STRESSES = (".png", ".pdf")  # pictures of strength; its .svg has the swept envelopes


def output_option(what: str) -> Any:
    """The option -o, which may be repeated."""
    text = f"{what} {STREAM_HELP} May be repeated."
    return click.option("-o", "--output", type=click.Path(), multiple=True, help=text)


def page_option(what: str) -> Any:
    """The option --report."""
    return click.option("--report", "page", type=click.Path(), help=f"Page to write, {what}: .html.")


TABLE = output_option(
    "Table to write: .csv, .parquet, .xlsx, .mat, .json, or .txt for the classic listing; picture of the mechanism: "
    ".png, .svg or .pdf."
)


def _require_files(result: str, pictures: tuple[str, ...] = ()) -> Callable[[str, Given], None]:
    """Refuses, before any work, names of files that cannot hold a result or its picture, and the name of a page."""

    def require(model: str, given: Given) -> None:
        for path in given["output"]:
            if not path.endswith(pictures):
                require_ending(path, result, model, pictures)
        require_page(given.get("page"))

    return require


def _save(found: Any, given: Given) -> list[str]:
    for path in given["output"]:
        found.plot(path=path) if path.endswith(PICTURES) else found.save(path)
    return list(given["output"])


def _write_tables(run: Any, given: Given) -> list[str]:
    if given.get("scheme") == "1964" and not (given["as_json"] or given["quiet"]):
        click.echo(run.listing)
    return _save(run, given)


def require_page(page: str | None) -> None:
    """Refuses the name of a page before any work."""
    if page is not None:
        from mubo.view.report.page import page_target, require_assets

        page_target(page)
        require_assets()


def write_page(found: Any, given: Given) -> list[str]:
    """Writes the page of a result where one is asked for, and returns its name."""
    if given["page"] is None:
        return []
    found.report(given["page"])
    return [given["page"]]


def _write_strength(found: Any, given: Given) -> list[str]:
    for path in given["output"]:
        found.plot(path=path) if path.endswith(STRESSES) else found.save(path)
    return [*given["output"], *write_page(found.run, given)]


def _analyse_trials(model: str, given: Given) -> Any:
    """The gait of many trials, where any are named."""
    if not given["trials"]:
        for name in ("cluster", "workers"):
            if given[name] is not None:
                raise ModelError(f"--{name} is for many trials: name them after the model, trials/*.c3d")
        return None
    for name in ("table", "page"):
        if given[name] is not None:
            raise ModelError(f"--{'report' if name == 'page' else name} is for one trial: -o writes that of many")
    from mubo.api import gait_trials
    from mubo.studies import STUDIES

    asked = given_to(STUDIES["gait"], given)
    return gait_trials(model, given["trials"], workers=given["workers"], cluster=given["cluster"], **asked)


def _require_gait_files(model: str, given: Given) -> None:
    _require_files("Trials" if given["trials"] else "Gait", PICTURES)(model, given)


def _leave_gait(found: Any, given: Given) -> None:
    if not given["trials"]:
        leave_if_stopped(found.run)


def _write_gait(found: Any, given: Given) -> list[str]:
    if given["trials"]:
        for path in given["output"]:
            found.plot(path) if path.endswith(PICTURES) else found.save(path)
        return list(given["output"])
    for path in given["output"]:
        found.run.plot(kind="gait", path=path) if path.endswith(PICTURES) else found.save(path)
    others = ((given["table"], found.run.save), (given["page"], found.run.report))
    for target, write in others:
        if target is not None:
            write(target)
    return [*given["output"], *(target for target, _ in others if target is not None)]


def _write_linear(linear: Any, given: Given) -> list[str]:
    names = given["inputs"], given["outputs"]
    linear.state_space(*names)  # unknown names are refused even if nothing is written
    for path in given["output"]:
        if path.endswith(FILMS):
            _film_mode(linear, path, given["number"])
        else:
            linear.plot(path) if path.endswith(PICTURES) else linear.save(path, *names)
    return [*given["output"], *write_page(linear, given)]


def _film_mode(linear: Any, path: str, number: int) -> None:
    """Films a vibration mode."""
    from mubo.cli.terminal import Progress

    run = linear.motion(number, cycles=CYCLES)
    with Progress() as progress:
        run.animate(path, speed=float(run["t"][-1]) / (SECONDS * CYCLES), trace=False, progress=progress)


def _facts(found: Any) -> Any:
    return found.as_dict()


def _leave_if_run_stopped(found: Any, given: Given) -> None:
    leave_if_stopped(found.run)


def _leave_if_refuted(proof: Any, given: Given) -> None:
    if not proof.holds:
        if given["quiet"]:
            click.echo(proof.verdict, err=True)
        sys.exit(3)


LINEAR_FILES = (
    output_option(
        "Matrices, modes and state space to write: .json or .npz; picture of all vibration modes: .png, .svg or .pdf; "
        "film of one, a cycle in two seconds: .mp4 or .gif."
    ),
    page_option("with every mode in motion"),
    click.option(
        "--input", "inputs", multiple=True, metavar="LOAD", help="Input of the state space.  [default: all loads]"
    ),
    click.option(
        "--output-column",
        "outputs",
        multiple=True,
        metavar="COLUMN",
        help="Output of the state space.  [default: all degrees of freedom]",
    ),
    click.option(
        "--vibration-mode",
        "number",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Vibration mode of the film.",
    ),
)
GAIT_FILES = (
    click.argument("trials", nargs=-1, type=click.Path()),
    output_option(
        "Mean cycles: .csv, .json or .txt, of many trials also .parquet; angles and moments for OpenSim: .sto; the "
        "figure: .png, .svg or .pdf."
    ),
    click.option("--workers", type=click.IntRange(min=1), help="Processes for many trials.  [default: all cores]"),
    click.option("--cluster", metavar="ADDRESS", help='Dask scheduler for many trials, or "local".'),
    page_option("with the figure and the moving legs"),
    click.option("--table", type=click.Path(), help="All columns over time: .csv, .parquet, .xlsx, .mat or .json."),
)
EQUATION_FILES = output_option("Equations to write: .csv, .json, .txt or .tex.")
PROOF_TABLE = output_option("Table to write: .json, .csv or .txt.")
STRENGTH_FILES = (
    output_option(
        "Table to write: .csv, .json or .txt; picture of the stresses: .png or .pdf; swept envelopes: .svg or .dxf."
    ),
    page_option("with the stresses on the moving links"),
)
kinematics, inverse, statics, simulate = (
    StudyCommand(name, (TABLE,), _write_tables, _require_files("Run", PICTURES), listed=True)
    for name in ("kinematics", "inverse", "statics", "simulate")
)
linearize = StudyCommand(
    "linearize",
    LINEAR_FILES,
    _write_linear,
    _require_files("Linearization", (*FILMS, *PICTURES)),
    facts=_facts,
    stream=".json",
)
equations = StudyCommand(
    "equations", (EQUATION_FILES,), _save, _require_files("EquationReport"), facts=_facts, stream=".json"
)
strength = StudyCommand(
    "strength",
    STRENGTH_FILES,
    _write_strength,
    _require_files("Strength", STRESSES),
    facts=_facts,
    leave=_leave_if_run_stopped,
)
gait = StudyCommand(
    "gait", GAIT_FILES, _write_gait, _require_gait_files, facts=_facts, leave=_leave_gait, instead=_analyse_trials
)
verify = StudyCommand(
    "verify", (PROOF_TABLE,), _save, _require_files("Verification"), facts=_facts, leave=_leave_if_refuted
)
