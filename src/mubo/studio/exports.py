"""The page of the studio, files of an open model, and the small pictures of the examples."""

from __future__ import annotations

import json
import math
import tempfile
from importlib.resources import files
from itertools import combinations
from pathlib import Path

from mubo.applications.workshop.parts import parts_of
from mubo.applications.workshop.plates import PlateSizes
from mubo.errors import MuboError
from mubo.formats.python_write import python_text
from mubo.model import GROUND, ModelDefinition
from mubo.studio.answers import answer_text, page_data, thumbnail_answer
from mubo.studio.session import Session
from mubo.view.encode import animate
from mubo.view.export import export
from mubo.view.film import FilmSettings
from mubo.view.report.markup import player_markup
from mubo.view.report.page import write_report

WIDTH, HOLE = 0.08, 0.032  # of the longest link: widths of links and holes to cut that the file does not state
EXPORTS = {"report": ".html", "csv": ".csv", "toml": ".toml", "py": ".py", "glb": ".glb", "dxf": ".dxf", "mp4": ".mp4"}
FILM = 5.0  # seconds of a film


def page_text() -> str:
    """The page of the studio, with the player that reports have."""
    text = (files("mubo.studio") / "page.html").read_text(encoding="utf-8")
    return text.replace("$player", player_markup("text"))


def export_file(session: Session, kind: str) -> bytes:
    """The bytes of a file that shows an open model."""
    if kind == "toml":
        return session.document.text.encode()
    answer = answer_text(session.document.text, session.document.path, session.tab)
    model, run = answer.model, answer.run
    if model is None:
        raise MuboError("the text has errors: mend them first")
    if kind == "py":
        return python_text(model).encode()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"made{EXPORTS[kind]}"
        if kind == "dxf":
            parts_of(model, PlateSizes(*_cut_sizes(model))).save(target)
        elif run is None or not answer.moving:
            raise MuboError("nothing moves, so there is nothing to export")
        elif kind == "report":
            write_report(run, target)
        elif kind == "glb":
            export(run, target)
        elif kind == "mp4":
            animate(run, target, FilmSettings(speed=float(run["t"][-1] - run["t"][0]) / FILM))
        else:
            run.save(target)
        return target.read_bytes()


def _cut_sizes(model: ModelDefinition) -> tuple[float, float]:
    """Diameter of holes and width of links where the file gives none, in parts of the longest link."""
    ends = [list(combinations(body.points.values(), 2)) for name, body in model.bodies.items() if name != GROUND]
    longest = max((math.dist(a[:2], b[:2]) for pairs in ends for a, b in pairs), default=1.0)
    return HOLE * longest, WIDTH * longest


def thumbnail_data(path: Path) -> str:
    """Scene and motion of an example in the plane, small; one to be simulated does not move, others have none."""
    try:
        data = page_data(thumbnail_answer(path), brief=True)
    except MuboError:
        data = None
    return json.dumps(data, separators=(",", ":"))
