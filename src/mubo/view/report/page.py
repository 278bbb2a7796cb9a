"""The page: template, style, script, data and the sections around them, in one file."""

from __future__ import annotations

from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template

from mubo.analyses.verify.table import Verification
from mubo.errors import ResultError
from mubo.formats.atomic import write_text
from mubo.results import Run
from mubo.view.curves import refine_rows
from mubo.view.painters.decimation import MOST_ROWS
from mubo.view.report.applications import gait_section, strength_section
from mubo.view.report.data import as_script, charted_columns, reduce_scene, run_data, scene_data
from mubo.view.report.equations import equations_section
from mubo.view.report.forces import extremes_section, forces_section
from mubo.view.report.markup import Markup, contents, html, number
from mubo.view.report.model_tables import model_section
from mubo.view.report.reproduce import reproduce_section
from mubo.view.report.still import still_drawing, still_notes
from mubo.view.report.verification import (
    FORMULATIONS,
    events_section,
    findings_of,
    mobility_section,
    proof_section,
    verification_section,
)
from mubo.view.scene import Scene, scene_of

FOLDER = files("mubo.view.report") / "assets"


def require_assets() -> None:
    """Refuses at once where a long computation would end without a page."""
    for name in ("plane.js", "space.js", "report.css"):
        asset(name)


def asset(name: str) -> str:
    """The text of plane.js, space.js or report.css."""
    try:
        return (FOLDER / name).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise ResultError(
            f"the report cannot be written: its {name} was not built when mubo was installed",
            suggestion="In the folder of mubo's sources run `make report-assets` (it needs Node.js 18 with npm), "
            "then `pip install .`.",
        ) from None


STUDIES = {"simulate": "Simulation", "inverse": "Inverse dynamics", "statics": "Statics", "strength": "Strength"}
STUDIES["gait"] = "Gait"
ENDINGS = (".html", ".htm")


def write_report(
    run: Run,
    path: str | Path,
    columns: list[str] | None = None,
    command: str = "",
    verification: Verification | None = None,
) -> None:
    """Writes the report of a run as one file; `columns` are the charts to begin with, `command` what was typed, and
    `verification` the table of its proof where that was asked for."""
    target = page_target(path)
    write_text(target, page(run, target.name, columns or [], command, verification))


def page_target(path: str | Path) -> Path:
    """The file to write; another ending than that of a page is refused."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ResultError(f'cannot write the report "{target.name}": the ending must be {" or ".join(ENDINGS)}')
    return target


def page(run: Run, name: str, columns: list[str], command: str = "", verification: Verification | None = None) -> str:
    """The text of the page."""
    for column in columns:
        run[column]  # an unknown column is refused before anything is done
    space = run.model.dimension == 3
    script = asset("space.js" if space else "plane.js")
    style = asset("report.css")
    sections = _sections(run, name, command, verification)
    drawn = refine_rows(run)
    every = scene_of(drawn)
    scene = reduce_scene(every)
    kept = charted_columns(drawn, columns)
    return Template((files("mubo.view.report") / "page.html").read_text(encoding="utf-8")).substitute(
        title=html(run.model.name),
        lead=_lead(run),
        alert=_alert(run),
        status=html(run.summary["status"]),
        note=_note(every, scene, len(kept), len(drawn.columns)),
        still=still_drawing(scene),
        contents=contents(sections),
        canvas="<canvas></canvas>" if space else "",
        hint="drag to turn" if space else "drag to move",
        sections="\n".join(sections),
        version=html(version("mubo")),
        style=style,
        scene=as_script(scene_data(drawn, scene, kept)),
        data=as_script(run_data(drawn, scene, columns, run["t"], kept)),
        script=script,
    )


def _lead(run: Run) -> Markup:
    summary, t, unit = run.summary, run["t"], run.unit("t")
    what = STUDIES.get(run.record.study, "Kinematics")
    by = FORMULATIONS.get(summary["formulation"], summary["formulation"])
    rows = f"{len(t)} row{'s' * (len(t) != 1)}"
    span = f"t = {number(float(t[0]))} … {number(float(t[-1]))}{f' {unit}' if unit else ''}"
    return Markup(f"{what} by {html(by)} · {rows}, {span}")


def _alert(run: Run) -> Markup:
    """The reason why a run ended early."""
    reason = run.events[-1].message if run.summary["status"] != "ok" and run.events else ""
    return Markup(f'<p class="alert">{html(reason)}</p>') if reason else Markup("")


def _note(every: Scene, scene: Scene, kept: int, columns: int) -> Markup:
    """A note on rows, names and columns that the drawing leaves out."""
    rows, frames, notes = len(every.times), len(scene.times), still_notes(scene)
    if len(every.points) > len(scene.points):
        notes.append(f"{len(scene.points):,} of {len(every.points):,} points have dots and paths")
    if len(every.texts) > len(scene.texts):
        notes.append(f"{len(scene.texts):,} of {len(every.texts):,} names are shown")
    if rows > frames:
        notes.append(f"{frames} of {rows} rows are animated")
    if rows > MOST_ROWS:
        notes.append(f"charts show least and greatest values of {rows} rows per pixel")
    if kept < columns:
        notes.append(f"{kept:,} of {columns:,} columns have charts")
    return (
        Markup(f'<p class="note">{html("; ".join(notes))}. Tables hold every row and column.</p>')
        if notes
        else Markup("")
    )


def _sections(run: Run, name: str, command: str, verification: Verification | None) -> list[Markup]:
    forces = forces_section(run)
    return [
        strength_section(run),
        gait_section(run),
        forces,
        extremes_section(run),
        proof_section(run),
        verification_section(verification),
        *_about(run),
        reproduce_section(run, name, command),
    ]


def _about(run: Run) -> list[Markup]:
    """The sections of events, model and equations."""
    findings = findings_of(run)
    notes = tuple(note for note in findings.check.notes if note not in run.summary.get("warnings", ()))
    return [
        events_section(run, notes),
        model_section(run),
        mobility_section(findings.check, findings.table, run.units),
        equations_section(run, findings.table, findings.solved),
    ]
