"""Files of an open model, and the small pictures of the examples."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from mubo.errors import MuboError
from mubo.studio.answers import answer_text, page_data, thumbnail_answer
from mubo.studio.session import Session
from mubo.view.report.page import write_report

EXPORTS = {"report": ".html", "csv": ".csv", "toml": ".toml", "py": ".py"}


def export_file(session: Session, kind: str) -> bytes:
    """The bytes of a file that shows an open model."""
    if kind == "toml":
        return session.document.text.encode()
    name = session.document.path.name
    if kind == "py":
        return f'import mubo\n\nmodel = mubo.load("{name}")\nrun = model.kinematics()\nprint(run)\n'.encode()
    answer = answer_text(session.document.text, session.document.path, session.tab)
    if answer.run is None or not answer.moving:
        raise MuboError("nothing moves, so there is nothing to export")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"made{EXPORTS[kind]}"
        if kind == "report":
            write_report(answer.run, target)
        else:
            answer.run.save(target)
        return target.read_bytes()


def thumbnail_data(path: Path) -> str:
    """Scene and motion of an example in the plane, small; one to be simulated does not move, others have none."""
    try:
        data = page_data(thumbnail_answer(path), brief=True)
    except MuboError:
        data = None
    return json.dumps(data, separators=(",", ":"))
