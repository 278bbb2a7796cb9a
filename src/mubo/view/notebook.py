"""Runs in notebooks: a short table with a picture, and films inside the page. Everything is in the page itself."""

from __future__ import annotations

import base64
import html
import io
import tempfile
from pathlib import Path
from typing import Any

from mubo.results import Run
from mubo.view.encode import animate, has_encoder
from mubo.view.film import FilmSettings
from mubo.view.plot import plot

CELL = 'style="text-align:left;padding:2px 12px 2px 0;vertical-align:top"'


class InlineFilm:
    """A film that shows itself in a notebook. `data` is the file, `kind` "mp4" or "gif"."""

    def __init__(self, data: bytes, kind: str, told: dict[str, Any]) -> None:
        self.data, self.kind, self.told = data, kind, told

    def __repr__(self) -> str:
        return f"film ({self.kind}): {self.told['frames']} frames, {self.told['seconds']:.3g} s"

    def _repr_html_(self) -> str:
        held = base64.b64encode(self.data).decode()
        width = self.told["size"][0]
        if self.kind == "gif":
            return f'<img alt="film" style="width:100%;max-width:{width}px" src="data:image/gif;base64,{held}">'
        return (
            f'<video controls autoplay loop muted playsinline style="width:100%;max-width:{width}px" '
            f'src="data:video/mp4;base64,{held}"></video>'
        )


def inline_film(run: Run, settings: FilmSettings) -> InlineFilm:
    """A film in memory: MP4 where its encoder is installed, else GIF."""
    kind = "mp4" if has_encoder() else "gif"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film.{kind}"
        told = animate(run, path, settings)
        return InlineFilm(path.read_bytes(), kind, told)


def run_html(run: Run) -> str:
    """What was solved, in a few lines, and the mechanism."""
    rows = "".join(f"<tr><th {CELL}>{k}</th><td {CELL}>{html.escape(v)}</td></tr>" for k, v in run.lines())
    return f"<table>{rows}</table>" + (_picture(run) if len(run) else "")


def _picture(run: Run) -> str:
    buffer = io.BytesIO()
    plot(run, []).savefig(buffer, format="png", dpi=100)
    held = base64.b64encode(buffer.getvalue()).decode()
    name = html.escape(run.model.name, quote=True)
    return f'<img alt="{name}" style="width:100%;max-width:620px" src="data:image/png;base64,{held}">'
