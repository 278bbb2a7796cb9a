"""How to get the same numbers again: command, Python, versions, and the model itself."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

from mubo.errors import ModelError
from mubo.formats.toml_write import toml_text
from mubo.model import Model
from mubo.results import Trajectory
from mubo.view.report.markup import Markup, heading, html, paragraph, section


def reproduce_section(run: Trajectory, page: str, command: str) -> Markup:
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


def _script(run: Trajectory, file: str, page: str) -> str:
    verb = "simulate" if "energy" in run.summary else "kinematics"
    times = _times(run, "{}={}, ").removesuffix(", ")
    return f'import mubo\n\nrun = mubo.load("{file}").{verb}({times})\nrun.report("{page}")'


def _times(run: Trajectory, form: str) -> str:
    """start, end and step, where they are not those of the model's [analysis]."""
    asked = run.model.analysis
    t = run["t"]
    step = float(t[1] - t[0]) if len(t) > 1 else 1.0
    if asked is not None and abs(asked.start - t[0]) + abs(asked.step - step) < 1e-9 * abs(step):
        return ""
    held = {"start": float(t[0]), "end": float(t[-1]), "step": step}
    return "".join(form.format(name, f"{value:.12g}") for name, value in held.items())


def _model(model: Model) -> Markup:
    try:
        text = toml_text(model, "the model")
    except ModelError as error:
        return paragraph(f"The model cannot be shown as a file: {error}")
    return Markup(f"<details><summary>The model as a file</summary>{_code(text)}</details>")


def _code(text: str) -> Markup:
    return Markup(f"<pre><code>{html(text)}</code></pre>")
