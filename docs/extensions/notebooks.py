"""The notebooks of the course as files for Jupyter, from the pages that the build runs."""

from __future__ import annotations

from pathlib import Path

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook


def write_notebooks(pages: Path, folder: Path) -> None:
    """Write a notebook below `folder` for every page of the course below `pages`."""
    for page in sorted(pages.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if "file_format: mystnb" not in text:
            continue
        notebook = read_myst_markdown_notebook(text, path=page)
        notebook.metadata = nbformat.from_dict({"kernelspec": {"name": "python3", "display_name": "Python 3"}})
        for number, cell in enumerate(notebook.cells):
            cell.id = f"cell-{number}"
        nbformat.write(notebook, folder / f"{page.stem}.ipynb", version=4)
