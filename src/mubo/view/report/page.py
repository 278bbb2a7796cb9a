"""The page: template, style, script, data and the sections around them, in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from mubo.analyses.verify.rows import verify_rows
from mubo.analyses.verify.table import Verification
from mubo.describe.headline import HeadlineFact, headline
from mubo.errors import ResultError
from mubo.formats.files import write_text
from mubo.results import Run
from mubo.results.record import FORMULATIONS
from mubo.view.painters.decimation import MOST_ROWS
from mubo.view.refinement import refine_rows
from mubo.view.report.applications import gait_section, strength_section
from mubo.view.report.data import charted_columns, run_data, scene_data
from mubo.view.report.equations import equations_section
from mubo.view.report.figures import Data, study_data
from mubo.view.report.forces import extremes_section, forces_section
from mubo.view.report.inline import InlinePage
from mubo.view.report.markup import Markup, contents, html, number, player_markup
from mubo.view.report.model_tables import model_section
from mubo.view.report.numbers import page_scripts
from mubo.view.report.paper import find_browser, page_margins, print_page
from mubo.view.report.reference import Beside, beside_run
from mubo.view.report.reproduce import model_text, reproduce_section
from mubo.view.report.shapes import reduce_scene
from mubo.view.report.still import still_drawing, still_notes
from mubo.view.report.verification import (
    events_section,
    findings_of,
    mobility_section,
    proof_section,
    verification_section,
)
from mubo.view.scene import Scene, scene_of
from mubo.view.scene.data import Kind
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
TITLES |= {"gait": "Gait", "linearize": "Vibration modes"}
PAPER = ".pdf"
ENDINGS = (".html", ".htm", PAPER)


@dataclass(frozen=True)
class DesignPane:
    """A pane beside the drawing: its `data`, the `runs` of the designs that can be seen to move, by number, the facts
    of its headline, and additions to the drawing of every design."""

    data: Mapping[str, Any]
    runs: Mapping[int, Run]
    facts: tuple[HeadlineFact, ...]
    drawn: Mapping[str, Any] = field(default_factory=dict)


def write_report(
    run: Run,
    path: str | Path,
    columns: list[str] | None = None,
    command: str = "",
    verification: Verification | None = None,
    frames: bool = False,
    reference: str | Path | Run | None = None,
) -> InlinePage:
    """Writes the report of a run as one file, .html, or .pdf printed by a browser, and answers the page.

    `columns` are the charts to begin with, `command` what was typed, `verification` the table of its proof where that
    was asked for; `frames` shows the axes of all bodies. The columns of a `reference`, a table or another run, are
    dashed beside those of the run, and the other run moves behind it.
    """
    target = page_target(path)
    browser = find_browser(target) if target.suffix == PAPER else ""
    shown = InlinePage(page(run, target.name, columns or [], command, verification, frames, reference), target.name)
    if browser:
        print_page(shown.text, target, browser)
    else:
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
        raise ResultError(f'cannot write the report "{target.name}": the ending must be {", ".join(ENDINGS)}')
    return target


def page(
    run: Run,
    name: str,
    columns: list[str],
    command: str = "",
    verification: Verification | None = None,
    frames: bool = False,
    reference: str | Path | Run | None = None,
    pane: DesignPane | None = None,
) -> str:
    """The text of the page; `pane` holds the designs of a study of many."""
    for column in columns:
        run[column]  # an unknown column is refused before anything is done
    space = run.model.dimension == 3
    own = verify_rows(run)
    sections = _sections(run, name, command, own, verification)
    drawn = refine_rows(run, charted_columns(run, columns))
    every = with_frames(_shown_scene(drawn), frames)
    scene = reduce_scene(every)
    kept = charted_columns(drawn, columns)
    beside = beside_run(drawn, kept, reference)
    data = run_data(drawn, scene, columns, run["t"], kept, beside)
    shown = [*data["shown"], *([data["axis"]] if data["axis"] else [])]
    drawing = {**scene_data(drawn, scene, kept), **beside.scene, **({} if pane is None else pane.drawn)}
    named: Data = {"scene": drawing, "run": data}
    named |= {"study": study_data(drawn, scene)} if pane is None else {"study": pane.data, **_designs(pane, shown)}
    return Template((files("mubo.view.report") / "page.html").read_text(encoding="utf-8")).substitute(
        {"title": html(run.model.name), "lead": _lead(run)},
        alert=_alert(run),
        headline=_headline(headline(run) if pane is None else pane.facts),
        badge=_badge(run, verification or own, "proof" if verification is None else "verification"),
        footer=_footer(run),
        note=_note(every, scene, len(kept), len(drawn.columns)),
        still=still_drawing(scene),
        contents=contents(sections),
        canvas="<canvas></canvas>" if space else "",
        hint="drag to turn" if space else "drag to move",
        player=player_markup("facts"),
        sections="\n".join(sections),
        style=asset("report.css"),
        paper=page_margins(run.model.name, _made(run)),
        data=page_scripts(named),
        script=asset("space.js" if space else "plane.js"),
    )


def _designs(pane: DesignPane, shown: list[str]) -> Data:
    """Drawing and columns of every design that can be seen to move, by the name of its script."""
    found: Data = {}
    for count, run in pane.runs.items():
        every = scene_of(run)
        poses = [f"{body}.{word}" for body in every.poses for word in run.model.ambient.pose]
        wanted = [*shown, *poses, *(f"{dot.name}.{letter}" for dot in every.points for letter in "xyz")]
        kept = [name for name in dict.fromkeys(wanted) if name in run.columns]
        scene = reduce_scene(every)
        columns = run_data(run, scene, [name for name in shown if name in kept], run["t"], kept, Beside())
        found[f"design-{count}"] = {"scene": {**scene_data(run, scene, kept), **pane.drawn}, "run": columns}
    return found


def _shown_scene(run: Run) -> Scene:
    """The scene of a run; that of a walk without names of joints and the arcs of its drivers, which are measured."""
    scene = scene_of(run)
    if run.record.gait is None:
        return scene
    texts = tuple(text for text in scene.texts if text.of != "joint")
    return replace(scene, shapes=tuple(shape for shape in scene.shapes if shape.kind != Kind.TURN), texts=texts)


def _lead(run: Run) -> Markup:
    summary, t, unit = run.summary, run["t"], run.unit("t")
    what = TITLES.get(run.record.study, "Kinematics")
    used = summary.get("formulation", "")
    by = f" by {html(FORMULATIONS.get(used, used))}" if used else ""
    rows = f"{len(t)} row{'s' * (len(t) != 1)}"
    span = f"t = {number(float(t[0]), 4)} … {number(float(t[-1]), 4)}{f' {unit}' if unit else ''}"
    return Markup(f"{what}{by} · {rows}, {span}")


def _headline(facts: Iterable[HeadlineFact]) -> Markup:
    """The numbers that a designer signs; each leads to its instant and its part."""
    shown = []
    for fact in facts:
        words = f"<small>{html(fact.label)}</small><b>{html(fact.text)}</b>"
        judged = f' data-judgement="{fact.judgement}"' if fact.judgement else ""
        link = (f' data-t="{fact.t!r}"' if fact.t is not None else "") + (
            f' data-part="{html(fact.part)}"' if fact.part else ""
        )
        tag, more = ("a", f' href="#"{link}') if link else ("span", ' class="fact"')
        shown.append(f"<li><{tag}{more}{judged}>{words}</{tag}></li>")
    return Markup(f'<ul class="headline">{"".join(shown)}</ul>') if shown else Markup("")


def _badge(run: Run, checks: Verification | None, section: str) -> Markup:
    """How many checks hold; it leads to their table in a section."""
    if checks is None:
        return Markup("")
    status = html(run.summary["status"])
    good = checks.holds and status == "ok"
    text = checks.count if status == "ok" else f"{status}, {checks.count}"
    return Markup(
        f'<a class="badge" href="#{section}" data-holds="{"yes" if good else "no"}" data-status="{status}">'
        f"{text} {'✓' if good else '✗'}</a>"
    )


def _footer(run: Run) -> Markup:
    """The program, the day, and a fingerprint of the model, for paper."""
    return Markup(f"Made by {html(_made(run))}. This file needs nothing else: keep it, send it, print it.")


def _made(run: Run) -> str:
    """The program with its version, the day, and a fingerprint of the model."""
    file = model_text(run.model)
    mark = "" if file is None else f", model {hashlib.sha256(file.encode()).hexdigest()[:12]}"
    return f"mubo {version('mubo')} on {date.today().isoformat()}{mark}"


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


def _sections(
    run: Run, name: str, command: str, own: Verification | None, verification: Verification | None
) -> list[Markup]:
    if run.record.study == "linearize":
        return [model_section(run)]
    forces = forces_section(run)
    return [
        strength_section(run),
        gait_section(run),
        forces,
        extremes_section(run),
        proof_section(run, own),
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
