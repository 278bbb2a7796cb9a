"""The page: template, style, script, data and the sections around them, in one file."""

from __future__ import annotations

import hashlib
import platform
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from mubo.analyses.verify.table import Verification
from mubo.describe.headline import headline
from mubo.errors import ModelError, ResultError
from mubo.formats import schemes
from mubo.formats.files import write_text
from mubo.formats.toml_write import toml_text
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.results.record import FORMULATIONS
from mubo.view.beside import reference_curves
from mubo.view.painters.decimation import MOST_ROWS
from mubo.view.refinement import refine_rows
from mubo.view.report.applications import gait_section, strength_section
from mubo.view.report.data import as_script, charted_columns, reduce_scene, run_data, scene_data
from mubo.view.report.equations import equations_section
from mubo.view.report.forces import extremes_section, forces_section
from mubo.view.report.inline import InlinePage
from mubo.view.report.markup import (
    Markup,
    contents,
    facts,
    heading,
    html,
    number,
    paragraph,
    residual_unit,
    section,
    unit_of,
    with_unit,
)
from mubo.view.report.model_tables import model_section
from mubo.view.report.still import still_drawing, still_notes
from mubo.view.report.verification import (
    events_section,
    findings_of,
    mobility_section,
    proof_section,
    verification_section,
)
from mubo.view.scene import Scene, scene_of
from mubo.view.scene.frames import with_frames

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
            suggestion="Install Node.js 18 or later with npm, then run `pip install .` in the folder of mubo's "
            "sources: it builds the script (`make report-assets` does so alone).",
        ) from None


TITLES = {"simulate": "Simulation", "inverse": "Inverse dynamics", "statics": "Statics", "strength": "Strength"}
TITLES["gait"] = "Gait"
ENDINGS = (".html", ".htm")
OWN_COMMANDS = ("strength", "gait")  # studies whose answer is more than a run


def write_report(
    run: Run,
    path: str | Path,
    columns: list[str] | None = None,
    command: str = "",
    verification: Verification | None = None,
    frames: bool = False,
    reference: str | Path | None = None,
) -> InlinePage:
    """Writes the report of a run as one file; `columns` are the charts to begin with, `command` what was typed, and
    `verification` the table of its proof where that was asked for; `frames` shows the axes of all bodies, and
    the columns of a `reference` table are dashed beside those of the run. Answers the page."""
    target = page_target(path)
    shown = InlinePage(page(run, target.name, columns or [], command, verification, frames, reference), target.name)
    write_text(target, shown.text)
    return shown


def inline_report(run: Run, columns: list[str]) -> InlinePage:
    """The report of a run for a notebook, without a file."""
    name = "report.html"
    return InlinePage(page(run, name, columns), name)


def page_target(path: str | Path) -> Path:
    """The file to write; another ending than that of a page is refused."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ResultError(f'cannot write the report "{target.name}": the ending must be {" or ".join(ENDINGS)}')
    return target


def page(
    run: Run,
    name: str,
    columns: list[str],
    command: str = "",
    verification: Verification | None = None,
    frames: bool = False,
    reference: str | Path | None = None,
) -> str:
    """The text of the page."""
    for column in columns:
        run[column]  # an unknown column is refused before anything is done
    space = run.model.dimension == 3
    script = asset("space.js" if space else "plane.js")
    style = asset("report.css")
    sections = _sections(run, name, command, verification)
    drawn = refine_rows(run, charted_columns(run, columns))
    every = with_frames(scene_of(drawn), frames)
    scene = reduce_scene(every)
    kept = charted_columns(drawn, columns)
    curves = {} if reference is None else reference_curves(run, kept, reference)
    return Template((files("mubo.view.report") / "page.html").read_text(encoding="utf-8")).substitute(
        title=html(run.model.name),
        lead=_lead(run),
        alert=_alert(run),
        headline=_headline(run),
        badge=_badge(run, verification),
        footer=_footer(run),
        note=_note(every, scene, len(kept), len(drawn.columns)),
        still=still_drawing(scene),
        contents=contents(sections),
        canvas="<canvas></canvas>" if space else "",
        hint="drag to turn" if space else "drag to move",
        sections="\n".join(sections),
        style=style,
        scene=as_script(scene_data(drawn, scene, kept)),
        data=as_script(run_data(drawn, scene, columns, run["t"], kept, curves)),
        script=script,
    )


def _lead(run: Run) -> Markup:
    summary, t, unit = run.summary, run["t"], run.unit("t")
    what = TITLES.get(run.record.study, "Kinematics")
    by = FORMULATIONS.get(summary["formulation"], summary["formulation"])
    rows = f"{len(t)} row{'s' * (len(t) != 1)}"
    span = f"t = {number(float(t[0]))} … {number(float(t[-1]))}{f' {unit}' if unit else ''}"
    return Markup(f"{what} by {html(by)} · {rows}, {span}")


def _headline(run: Run) -> Markup:
    """The numbers that a designer signs; each leads to its instant and its part."""
    shown = []
    for fact in headline(run):
        words = f"<small>{html(fact.label)}</small><b>{html(fact.text)}</b>"
        judged = f' data-judgement="{fact.judgement}"' if fact.judgement else ""
        link = (f' data-t="{fact.t!r}"' if fact.t is not None else "") + (
            f' data-part="{html(fact.part)}"' if fact.part else ""
        )
        tag, more = ("a", f' href="#"{link}') if link else ("span", ' class="fact"')
        shown.append(f"<li><{tag}{more}{judged}>{words}</{tag}></li>")
    return Markup(f'<ul class="headline">{"".join(shown)}</ul>') if shown else Markup("")


def _badge(run: Run, verification: Verification | None) -> Markup:
    """A word on the proof, which leads to its section."""
    status = html(run.summary["status"])
    if verification is not None:
        good, text, to = verification.holds, verification.verdict, "verification"
    else:
        good, text, to = run.summary["status"] == "ok", "solved, with proof" if status == "ok" else status, "proof"
    mark = "✓" if good else "✗"
    return Markup(
        f'<a class="badge" href="#{to}" data-holds="{"yes" if good else "no"}" data-status="{status}">{text} {mark}</a>'
    )


def _footer(run: Run) -> Markup:
    """The program, the day, and a fingerprint of the model, for paper."""
    text = (
        "" if (file := _file_text(run.model)) is None else f", model {hashlib.sha256(file.encode()).hexdigest()[:12]}"
    )
    made = f"Made by mubo {version('mubo')} on {date.today().isoformat()}{text}."
    return Markup(f"{html(made)} This file needs nothing else: keep it, send it, print it.")


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
        _reproduce_section(run, name, command),
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


def _reproduce_section(run: Run, page: str, command: str) -> Markup:
    """The section on how to reproduce the run: settings, command line, Python, versions and the model file."""
    model = run.model
    file = Path(model.source).name if model.source else "model.toml"
    used = f"mubo {version('mubo')}, numpy {version('numpy')}, Python {platform.python_version()}"
    # `mubo report` simulates as the model's [analysis] says
    options = {} if run.record.study == "simulate" else _solver_options(run)
    asked = run.model.analysis.type if run.model.analysis else ""
    simulated = run.record.study == "simulate" and run.record.forces is not None
    forces = " --forces" if (run.record.study == "inverse" and asked != "inverse") or simulated else ""
    flags = "".join(f" --{name.replace('_', '-')} {value}" for name, value in options.items())
    own = run.record.study if run.record.study in OWN_COMMANDS else ""
    verb, flag = (own, "--report") if own else ("report", "-o")
    typed = command or f"mubo {verb} {file}{forces}{_times(run, ' --{} {}', '{}')}{flags} {flag} {page}"
    return section(
        "reproduce",
        "How to reproduce",
        facts((name.replace("_", " "), value) for name, value in _settings(run).items()),
        heading("Command line", _code(typed)),
        heading("Python", _code(_script(run, file, page))),
        paragraph(f"Computed with {used}."),
        _model_file(model),
    )


def _settings(run: Run) -> dict[str, Any]:
    """The settings on which the numbers depend, by the names of the options."""
    record, settings = run.record, run.record.settings
    times = {"study": record.study, "times": _span(run), "formulation": record.formulation}
    if record.study == "simulate":
        return {**times, "method": settings.method, "rtol": f"{settings.rtol:g}", "atol": f"{settings.atol:g}"}
    more = {name: getattr(settings, name) for name in ("predictor", "branch")} if settings is not None else {}
    tolerance = with_unit(f"{record.tolerance:g}", residual_unit(run.units))
    return {**times, "tolerance": tolerance, "mode": run.summary.get("mode", 1), **more}


def _span(run: Run) -> str:
    """First and last time and the step, or the number of the times that were listed."""
    times, unit = run.record.times, unit_of(run.units, "time")
    start, end, step = (with_unit(f"{time:.12g}", unit) for time in (times.start, times.end, times.step))
    return f"{start} to {end}, {f'{len(times.at)} rows' if times.at else f'every {step}'}"


def _solver_options(run: Run) -> dict[str, Any]:
    """The options that make the run the same on another computer, even if a default should change."""
    record, settings = run.record, run.record.settings
    if record.study == "simulate":
        more = {"reactions": True} if settings.reactions else {}
        return {name: getattr(settings, name) for name in ("formulation", "method", "rtol", "atol")} | more
    plain: dict[str, Any] = {"formulation": "auto", "branch": "smooth", "predictor": "taylor", "max_iterations": 20}
    options: dict[str, Any] = {"scheme": record.formulation}
    if record.formulation not in schemes():
        options = {"tolerance": record.tolerance, "formulation": record.formulation, "mode": settings.mode}
    other = {name: getattr(settings, name, value) for name, value in plain.items() if name not in options}
    return {**options, **{name: value for name, value in other.items() if value != plain[name]}}


def _script(run: Run, file: str, page: str) -> str:
    scaled = run.record.forces is not None and run.record.study != "gait"  # of redundant joints: a leg has none
    more = {"length_scale": run.record.forces.length_scale} if scaled and run.record.forces is not None else {}
    options = "".join(f"{name}={_literal(value)}, " for name, value in {**_solver_options(run), **more}.items())
    given = (_times(run, "{}={}, ", "[{}]") + options).removesuffix(", ")
    run_of = ".run" if run.record.study in OWN_COMMANDS else ""
    return f'import mubo\n\nrun = mubo.load("{file}").{run.record.study}({given}){run_of}\nrun.report("{page}")'


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, bool) else f"{value:g}"


def _times(run: Run, form: str, listed: str) -> str:
    """start, end and step, or the list of times, where they are not those of the model's [analysis]."""
    times = run.record.times
    if run.model.analysis is not None and run.model.output_times(without_end="start") == times:
        return ""
    if times.at:
        return form.format("at", listed.format(",".join(f"{value:.12g}" for value in times.at)))
    return "".join(form.format(name, f"{getattr(times, name):.12g}") for name in ("start", "end", "step"))


def _file_text(model: ModelDefinition) -> str | None:
    """The model as a file; None where it cannot be written."""
    try:
        return toml_text(model, "the model")
    except ModelError:
        return None


def _model_file(model: ModelDefinition) -> Markup:
    try:
        text = toml_text(model, "the model")
    except ModelError as error:
        return paragraph(f"The model cannot be shown as a file: {error}")
    return Markup(f"<details><summary>The model as a file</summary>{_code(text)}</details>")


def _code(text: str) -> Markup:
    return Markup(f"<pre><code>{html(text)}</code></pre>")
