"""How to get the same numbers again: command, Python, versions, and the model itself."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

from mubo.errors import ModelError
from mubo.formats.toml_write import toml_text
from mubo.model import Model
from mubo.results import Run
from mubo.view.report.markup import Markup, heading, html, paragraph, section


def reproduce_section(run: Run, page: str, command: str) -> Markup:
    """Command line, Python, versions and the model file."""
    model = run.model
    file = Path(model.source).name if model.source else "model.toml"
    used = f"mubo {version('mubo')}, numpy {version('numpy')}, Python {platform.python_version()}"
    return section(
        "reproduce",
        "How to reproduce",
        heading("Command line", _code(command or f"mubo report {file}{_times(run, ' --{} {}')} -o {page}")),
        heading("Python", _code(_script(run, file, page))),
        paragraph(f"Computed with {used}."),
        _model(model),
    )


def _script(run: Run, file: str, page: str) -> str:
    verb = run.record.study
    times = _times(run, "{}={}, ").removesuffix(", ")
    return f'import mubo\n\nrun = mubo.load("{file}").{verb}({times})\nrun.report("{page}")'


def _times(run: Run, form: str) -> str:
    """start, end and step, where they are not those of the model's [analysis]."""
    asked, times = run.model.analysis, run.record.times
    if asked is not None and (asked.start, asked.end, asked.step) == times:
        return ""
    named = zip(("start", "end", "step"), times, strict=True)
    return "".join(form.format(name, f"{value:.12g}") for name, value in named)


def _model(model: Model) -> Markup:
    if model.linkage is not None:
        return paragraph("The model is a card deck.")
    try:
        text = toml_text(model, "the model")
    except ModelError as error:
        return paragraph(f"The model cannot be shown as a file: {error}")
    return Markup(f"<details><summary>The model as a file</summary>{_code(text)}</details>")


def _code(text: str) -> Markup:
    return Markup(f"<pre><code>{html(text)}</code></pre>")
