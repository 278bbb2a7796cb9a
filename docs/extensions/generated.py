"""Pages that follow from declarations and shipped files: written below docs/generated before anything is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api_pages import write_api
from commands_pages import write_commands
from elements_pages import write_elements
from gallery import write_gallery
from notebooks import write_notebooks
from sphinx.application import Sphinx


def _write(app: Sphinx) -> None:
    source = Path(app.srcdir) / "generated"
    for name in ("gallery", "commands", "elements", "python", "notebooks"):
        (source / name).mkdir(parents=True, exist_ok=True)
    write_commands(source / "commands")
    write_elements(source / "elements")
    write_api(source / "python")
    write_notebooks(Path(app.srcdir) / "course", source / "notebooks")
    write_gallery(source / "gallery", Path(app.outdir))


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages when the builder is there."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
