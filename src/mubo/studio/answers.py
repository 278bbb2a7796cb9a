"""From the text of a model to what the page shows: problems at their lines, the scene, the columns, the headline.

A text that cannot be read or moved still has an answer: its problems, and where there is a model the position nearest
to closing. `brief` answers leave out what is searched between rows, for a hand that has not come to rest.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mubo.analyses.simulate import require_simulable
from mubo.applications.check import CheckReport, check_model, is_simulation
from mubo.describe.headline import headline
from mubo.errors import MuboError, ResultError
from mubo.formats.registry import extension_of, format_of_text
from mubo.formats.toml import lines_of
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.results.record import Summary
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.studies import STUDIES
from mubo.view.first_position import start_run
from mubo.view.refinement import refine_rows
from mubo.view.report.data import charted_columns, run_data, scene_data
from mubo.view.report.reference import Beside
from mubo.view.report.shapes import reduce_scene
from mubo.view.scene import Scene, scene_of

MOST_BODIES = 400  # of a model that is solved while it is edited
TABS = ("motion", "forces", "dynamics", "statics", "strength")
_LINE = re.compile(r"^(?:.*?), line (\d+): (.*)$")
_TOML = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")
_NAMED = ("joint", "driver", "body", "force", "point", "measure")


@dataclass(frozen=True)
class TextProblem:
    """A sentence about the model, with the line of the text that it concerns; `severity` is "error" or "warning"."""

    line: int
    text: str
    severity: str = "error"
    names: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"line": self.line, "text": self.text, "severity": self.severity, "names": list(self.names)}


@dataclass(frozen=True)
class Answer:
    """The findings about a text; `run` is None where nothing can be drawn."""

    problems: tuple[TextProblem, ...]
    model: ModelDefinition | None = None
    run: Run | None = None
    report: CheckReport | None = None
    moving: bool = False
    tab: str = "motion"
    words: str = ""  # a result that is a table of text

    @property
    def verdict(self) -> str:
        """One sentence on whether the mechanism moves."""
        if self.model is None:
            return "the text has errors; the last good drawing is shown"
        if not self.moving:
            return self.problems[0].text.partition("\n")[0] if self.problems else "nothing moves"
        events = self.run.events if self.run is not None else []
        stopped = self.run is not None and self.run.status != "ok"
        return events[-1].message.partition("\n")[0] if stopped and events else ""


def read_text(text: str, path: Path) -> tuple[ModelDefinition | None, list[TextProblem]]:
    """The model of a text, and its problems; None where it cannot be read."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    problems: list[TextProblem] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model: ModelDefinition | None = format_of_text(path, plain).reader()(plain, path)
        except MuboError as error:
            model, problems = None, located(error, plain)
        except RecursionError:
            model, problems = None, [TextProblem(1, "the text is nested too deeply")]
    notes = [str(note.message) for note in caught if not issubclass(note.category, RuntimeWarning)]
    return model, [*problems, *(one for note in notes for one in _problems(note, plain, "warning", ()))]


def located(error: MuboError, text: str) -> list[TextProblem]:
    """The problems that an error names, each at its line."""
    return _problems(str(error), text, "error", error.names)


def _problems(message: str, text: str, severity: str, names: tuple[str, ...]) -> list[TextProblem]:
    found: list[TextProblem] = []
    for line in message.splitlines():
        match, place = _LINE.match(line), _TOML.search(line)
        if match:
            found.append(TextProblem(int(match[1]), match[2], severity, names))
        elif place:
            number = int(place[1]) if place[1] else text.count("\n") + 1
            found.append(TextProblem(number, _TOML.sub("", line.rpartition(": ")[2]).strip(), severity))
        elif found and line.startswith(" "):
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n{line.strip()}")
        else:
            found.append(TextProblem(_line_of(names, text), line, severity, names))
    return found


def _line_of(names: tuple[str, ...], text: str) -> int:
    """The line of the first element of these names that the text has; the first line where there is none."""
    lines = lines_of(text)
    places = (lines.get((table, name.split(".")[0])) for name in names for table in _NAMED)
    return next((place for place in places if place), 1)


def answer_text(text: str, path: Path, tab: str = "motion", brief: bool = False) -> Answer:
    """The whole answer to a text; `tab` is the study that is shown."""
    model, problems = read_text(text, path)
    if model is None:
        return Answer(tuple(problems))
    if len(model.bodies) > MOST_BODIES:
        many = f"{len(model.bodies) - 1:,} bodies are too many to be drawn live; at most {MOST_BODIES} are."
        return Answer((*problems, TextProblem(1, f"{many} `mubo run` and `mubo report` take any number.")), model)
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run, words = _study(model, tab, brief)
        except MuboError as error:
            return _still(model, [*problems, *located(error, plain)], tab, plain)
    if len(run) == 0:
        reason = [TextProblem(1, event.message) for event in run.events[-1:]]
        return _still(model, [*problems, *reason], tab, plain)
    notes = [] if brief else [TextProblem(1, note, "warning") for note in run.summary.get("warnings", ())]
    return Answer((*problems, *notes), model, run, moving=True, tab=tab, words=words)


def thumbnail_answer(path: Path) -> Answer:
    """The motion of an example in the plane, quickly: one to be simulated stands at its first position."""
    text = path.read_text(encoding="utf-8")
    model, _ = read_text(text, path)
    if model is None or model.dimension != 2:
        return Answer(())
    return _still(model, [], "motion", text) if is_simulation(model) else answer_text(text, path, brief=True)


def _study(model: ModelDefinition, tab: str, brief: bool) -> tuple[Run, str]:
    """The run of a tab, and its table of text where it has one."""
    simulated = is_simulation(model)
    if tab == "dynamics":
        name, given = "simulate", {"reactions": False}
    elif tab == "forces":
        name, given = ("simulate", {"reactions": True}) if simulated else ("inverse", {})
    elif tab == "strength":
        name, given = "strength", {}
    elif tab == "statics" and model.drivers and not simulated:
        name, given = "statics", {}
    else:
        name, given = ("simulate", {}) if simulated else ("kinematics", {"transmission": True})
    if name == "kinematics" and model.dimension == 3:
        given = {}
    if extension_of(model).schemes:
        given = {}
    study = STUDIES[name]
    if name == "simulate":
        require_simulable(model, model.start_time, model.start_time + 1.0)
    found = study.function(model, study.read(model, given))
    run: Run = found if isinstance(found, Run) else found.run
    words = str(found) if found is not run else ""
    return run, words


def _still(model: ModelDefinition, problems: list[TextProblem], tab: str, text: str) -> Answer:
    """The position of a model that does not move, with the checker's fix; drawn where it can be."""
    report, run = None, None
    try:
        report = check_model(model)
        look = report.start or analyse_start(model, model.start_time)
        run = start_run(look)
        if report.error is not None:  # the cause, in place of what the study missed first
            warned = [problem for problem in problems if problem.severity == "warning"]
            problems = [*located(report.error, text), *warned]
    except MuboError as error:
        known = {problem.text for problem in problems}
        problems = [*problems, *(one for one in located(error, text) if one.text not in known)]
    return Answer(tuple(problems), model, run, report, tab=tab)


def page_data(answer: Answer, brief: bool = False) -> dict[str, Any] | None:
    """Scene and columns for the page; None where nothing can be drawn."""
    run = answer.run
    if run is None:
        return None
    if brief or not answer.moving:
        run = replace(run, summary=Summary({"status": run.summary.get("status", "ok"), "warnings": ()}))
    drawn = run if brief or not answer.moving else refine_rows(run, charted_columns(run, []))
    try:
        scene: Scene = reduce_scene(scene_of(drawn))
    except ResultError:
        return None
    kept = charted_columns(drawn, [])
    shown = [name for name in ("t",) if not answer.moving]
    data = run_data(drawn, scene, shown, run["t"], kept, Beside())
    data["shown"] = [name for name in data["shown"] if name != "t"]
    return {"scene": scene_data(drawn, scene, kept), "run": data}


def headline_data(answer: Answer) -> list[Mapping[str, Any]]:
    """The numbers of the headline."""
    return [vars(fact) for fact in headline(answer.run)] if answer.run is not None and answer.moving else []


def pins_of(answer: Answer) -> list[Any]:
    """All points of all bodies in the plane: reference, body and place in its axes."""
    model = answer.model
    if model is None or model.dimension != 2:
        return []
    bodies = model.bodies.values()
    return [[f"{body.name}.{name}", body.name, list(at[:2])] for body in bodies for name, at in body.points.items()]
