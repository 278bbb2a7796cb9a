"""How to get the same numbers again: command, Python, versions, and the model itself."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats import schemes
from mubo.formats.toml_write import toml_text
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.view.report.markup import Markup, facts, heading, html, paragraph, residual_unit, section, unit_of, with_unit

OWN_COMMANDS = ("strength", "gait")  # studies whose answer is more than a run


def reproduce_section(run: Run, page: str, command: str) -> Markup:
    """How it was solved, command line, Python, versions and the model file."""
    model = run.model
    file = Path(model.source).name if model.source else "model.toml"
    used = f"mubo {version('mubo')}, numpy {version('numpy')}, Python {platform.python_version()}"
    # `mubo report` simulates as the model's [analysis] says
    options = {} if run.record.study == "simulate" else _options(run)
    asked = run.model.analysis.type if run.model.analysis else ""
    simulated = run.record.study == "simulate" and run.record.forces is not None
    forces = " --forces" if (run.record.study == "inverse" and asked != "inverse") or simulated else ""
    flags = "".join(f" --{name.replace('_', '-')} {value}" for name, value in options.items())
    own = run.record.study if run.record.study in OWN_COMMANDS else ""
    said = (own, "--report") if own else ("report", "-o")
    typed = command or f"mubo {said[0]} {file}{forces}{_times(run, ' --{} {}')}{flags} {said[1]} {page}"
    return section(
        "reproduce",
        "How to reproduce",
        facts((name.replace("_", " "), value) for name, value in _settings(run).items()),
        heading("Command line", _code(typed)),
        heading("Python", _code(_script(run, file, page))),
        paragraph(f"Computed with {used}."),
        _model(model),
    )


def _settings(run: Run) -> dict[str, Any]:
    """Everything that decides the numbers, by the names of the options."""
    record, held = run.record, run.record.settings
    start, end, step = (with_unit(f"{time:.12g}", unit_of(run.units, "time")) for time in record.times)
    times = {"study": record.study, "times": f"{start} to {end}, every {step}", "formulation": record.formulation}
    if record.study == "simulate":
        return {**times, "method": held.method, "rtol": f"{held.rtol:g}", "atol": f"{held.atol:g}"}
    more = {name: getattr(held, name) for name in ("predictor", "branch")} if held is not None else {}
    tolerance = with_unit(f"{record.tolerance:g}", residual_unit(run.units))
    return {**times, "tolerance": tolerance, "mode": run.summary.get("mode", 1), **more}


def _options(run: Run) -> dict[str, Any]:
    """The options that make the run the same on another computer, even if a default should change."""
    record, held = run.record, run.record.settings
    if record.study == "simulate":
        more = {"reactions": True} if held.reactions else {}
        return {name: getattr(held, name) for name in ("formulation", "method", "rtol", "atol")} | more
    plain: dict[str, Any] = {"formulation": "auto", "branch": "smooth", "predictor": "taylor", "max_iterations": 20}
    options: dict[str, Any] = {"scheme": record.formulation}
    if record.formulation not in schemes():
        options = {"tolerance": record.tolerance, "formulation": record.formulation, "mode": held.mode}
    other = {name: getattr(held, name, value) for name, value in plain.items() if name not in options}
    return {**options, **{name: value for name, value in other.items() if value != plain[name]}}


def _script(run: Run, file: str, page: str) -> str:
    scaled = run.record.forces is not None and run.record.study != "gait"  # of redundant joints: a leg has none
    more = {"length_scale": run.record.forces.length_scale} if scaled and run.record.forces is not None else {}
    options = "".join(f"{name}={_literal(value)}, " for name, value in {**_options(run), **more}.items())
    given = (_times(run, "{}={}, ") + options).removesuffix(", ")
    run_of = ".run" if run.record.study in OWN_COMMANDS else ""
    return f'import mubo\n\nrun = mubo.load("{file}").{run.record.study}({given}){run_of}\nrun.report("{page}")'


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, bool) else f"{value:g}"


def _times(run: Run, form: str) -> str:
    """start, end and step, where they are not those of the model's [analysis]."""
    asked, times = run.model.analysis, run.record.times
    if asked is not None and (asked.start, asked.end, asked.step) == times:
        return ""
    named = zip(("start", "end", "step"), times, strict=True)
    return "".join(form.format(name, f"{value:.12g}") for name, value in named)


def _model(model: ModelDefinition) -> Markup:
    try:
        text = toml_text(model, "the model")
    except ModelError as error:
        return paragraph(f"The model cannot be shown as a file: {error}")
    return Markup(f"<details><summary>The model as a file</summary>{_code(text)}</details>")


def _code(text: str) -> Markup:
    return Markup(f"<pre><code>{html(text)}</code></pre>")
