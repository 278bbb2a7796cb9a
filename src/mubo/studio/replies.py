"""Parts of messages to the page: values of the file, assembly modes, undriven motions, parts that errors name."""

from __future__ import annotations

from typing import Any

from mubo.analyses.modes import mode_report
from mubo.errors import ModelError, MuboError
from mubo.model import ModelDefinition
from mubo.solvers.assembly.mobility import free_directions
from mubo.studio.answers import Answer, headline_data, page_data, pins_of
from mubo.studio.document import Document
from mubo.studio.edits import scanned
from mubo.studio.joint_drag import joints_under_hand
from mubo.studio.needs import needs_of

MOST_ENTRIES = 3000  # values of a file that have fields of their own
MOST_MODES = 12


def entries_of(document: Document) -> list[Any]:
    """Path, literal and line of every value that is no table or list; none of a text that is no TOML."""
    if document.path.suffix.lower() != ".toml":
        return []
    try:
        spans = scanned(document.text)
    except ModelError:
        return []
    plain = [(path, entry) for path, entry in spans.entries.items() if document.text[entry.start] not in "[{"]
    return [
        [list(path), document.text[entry.start : entry.end], document.text.count("\n", 0, entry.start) + 1]
        for path, entry in plain[:MOST_ENTRIES]
    ]


def state_message(document: Document) -> dict[str, Any]:
    """The text, its history and its parts."""
    return {
        "is": "state",
        "file": document.path.name,
        "text": document.text,
        "version": document.version,
        "saved": document.saved,
        "notice": document.notice,
        "undo": document.done[-1].label if document.done else "",
        "redo": document.undone[-1].label if document.undone else "",
        "entries": entries_of(document),
    }


def answer_message(answer: Answer, tab: str, version: int, own: bool, brief: bool) -> dict[str, Any]:
    """The answer to a text; `own` where it is that of the document and no text that is tried."""
    message: dict[str, Any] = {
        "is": "answer",
        "version": version,
        "tab": tab,
        "brief": brief,
        "preview": not own,
        "moving": answer.moving,
        "verdict": answer.verdict,
        "problems": [problem.as_dict() for problem in answer.problems],
        "fix": answer.report.repair if answer.report is not None else "",
        "words": answer.words,
        "pins": pins_of(answer),
        "needs": needs_of(answer),
        "free": free_motions(answer),
        "culprits": culprits(answer),
        "hinges": joints_under_hand(answer.model) if answer.model is not None and answer.moving else {},
    }
    try:
        message["data"] = page_data(answer, brief)
        message["headline"] = [] if brief else headline_data(answer)
    except MuboError as error:
        message["data"] = None
        message["problems"].append({"line": 1, "text": str(error), "severity": "error", "names": []})
    return message


def modes_message(model: ModelDefinition) -> dict[str, Any]:
    """The assembly modes with the poses of their bodies, and the range of the driver in each."""
    report = mode_report(model)
    factor = model.units.angle_factor()
    modes = [
        {
            "number": mode.number,
            "range": mode.describe_range(report.unit),
            "ends": mode.as_dict().get("range"),
            "circuit": mode.circuit,
            "bodies": {name: [x, y, phi * factor] for name, (x, y, phi) in mode.bodies.items()},
        }
        for mode in report.modes[:MOST_MODES]
    ]
    return {"is": "modes", "driver": report.driver.of if report.driver is not None else "", "modes": modes}


def free_motions(answer: Answer) -> dict[str, list[float]]:
    """The first undriven motion of a mechanism that is not moved: rates x, y, phi of every body, the largest turn 1."""
    start = answer.report.start if answer.report is not None else None
    if answer.moving or start is None or answer.model is None or answer.model.dimension != 2 or not start.closed:
        return {}
    try:
        first = next(iter(free_directions(start.form, *start.diagnosed_at)), None)
    except MuboError:
        return {}  # the sentence of the checker says why
    if first is None:
        return {}
    rates = first.reshape(-1, 3)
    size = float(abs(rates[:, 2]).max()) or float(abs(rates[:, :2]).max()) / start.form.mechanism.size or 1.0
    return {name: (rate / size).tolist() for name, rate in zip(start.form.free, rates, strict=True)}


def culprits(answer: Answer) -> list[str]:
    """Names of the parts that the first error is about."""
    errors = [problem for problem in answer.problems if problem.severity == "error"]
    return [name.split(".")[0] for name in errors[0].names] if errors else []
