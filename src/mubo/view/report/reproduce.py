"""How to reproduce a run: settings, command line, Python, versions and the model as a file."""

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
from mubo.view.report.markup import (
    Markup,
    facts,
    heading,
    html,
    paragraph,
    residual_unit,
    section,
    unit_of,
    with_unit,
)

OWN_COMMANDS = ("strength", "gait")  # studies whose answer is more than a run

LINE, MOST_PRINTED = 90, 600  # letters of a line on paper; of a model with more lines the first are printed


def reproduce_section(run: Run, page: str, command: str) -> Markup:
    """The section on how to reproduce the run: settings, command line, Python, versions and the model file."""
    model = run.model
    file = Path(model.source).name if model.source else "model.toml"
    used = f"mubo {version('mubo')}, numpy {version('numpy')}, Python {platform.python_version()}"
    # `mubo report` simulates as the model's [analysis] says
    options = {} if run.record.study == "simulate" else _solver_options(run)
    asked = run.model.analysis.type if run.model.analysis else ""
    simulated = run.record.study == "simulate" and run.record.forces is not None
    forces = " --forces" if (run.record.study == "inverse" and asked != "inverse") or simulated else ""
    flags = "".join(f" --{name.replace('_', '-')} {value}" for name, value in options.items())
    own = run.record.study if run.record.study in OWN_COMMANDS else ""
    verb, flag = (own, "--report") if own else ("report", "-o")
    typed = command or f"mubo {verb} {file}{forces}{_times(run, ' --{} {}', '{}')}{flags} {flag} {page}"
    return section(
        "reproduce",
        "How to reproduce",
        facts((name.replace("_", " "), value) for name, value in _settings(run).items()),
        heading("Command line", _code(typed)),
        heading("Python", _code(_script(run, file, page))),
        paragraph(f"Computed with {used}."),
        _model_file(model),
    )


def _settings(run: Run) -> dict[str, Any]:
    """The settings on which the numbers depend, by the names of the options."""
    record, settings = run.record, run.record.settings
    times = {"study": record.study, "times": _span(run), "formulation": record.formulation}
    if record.study == "simulate":
        return {**times, "method": settings.method, "rtol": f"{settings.rtol:g}", "atol": f"{settings.atol:g}"}
    more = {name: getattr(settings, name) for name in ("predictor", "branch")} if settings is not None else {}
    tolerance = with_unit(f"{record.tolerance:g}", residual_unit(run.units))
    return {**times, "tolerance": tolerance, "mode": run.summary.get("mode", 1), **more}


def _span(run: Run) -> str:
    """First and last time and the step, or the number of the times that were listed."""
    times, unit = run.record.times, unit_of(run.units, "time")
    start, end, step = (with_unit(f"{time:.12g}", unit) for time in (times.start, times.end, times.step))
    return f"{start} to {end}, {f'{len(times.at)} rows' if times.at else f'every {step}'}"


def _solver_options(run: Run) -> dict[str, Any]:
    """The options that make the run the same on another computer, even if a default should change."""
    record, settings = run.record, run.record.settings
    if record.study == "simulate":
        more = {"reactions": True} if settings.reactions else {}
        return {name: getattr(settings, name) for name in ("formulation", "method", "rtol", "atol")} | more
    plain: dict[str, Any] = {"formulation": "auto", "branch": "smooth", "predictor": "taylor", "max_iterations": 20}
    options: dict[str, Any] = {"scheme": record.formulation}
    if record.formulation not in schemes():
        options = {"tolerance": record.tolerance, "formulation": record.formulation, "mode": settings.mode}
    other = {name: getattr(settings, name, value) for name, value in plain.items() if name not in options}
    return {**options, **{name: value for name, value in other.items() if value != plain[name]}}


def _script(run: Run, file: str, page: str) -> str:
    scaled = run.record.forces is not None and run.record.study != "gait"  # of redundant joints: a leg has none
    more = {"length_scale": run.record.forces.length_scale} if scaled and run.record.forces is not None else {}
    options = "".join(f"{name}={_literal(value)}, " for name, value in {**_solver_options(run), **more}.items())
    given = (_times(run, "{}={}, ", "[{}]") + options).removesuffix(", ")
    run_of = ".run" if run.record.study in OWN_COMMANDS else ""
    return f'import mubo\n\nrun = mubo.load("{file}").{run.record.study}({given}){run_of}\nrun.report("{page}")'


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, bool) else f"{value:g}"


def _times(run: Run, form: str, listed: str) -> str:
    """start, end and step, or the list of times, where they are not those of the model's [analysis]."""
    times = run.record.times
    if run.model.analysis is not None and run.model.output_times(without_end="start") == times:
        return ""
    if times.at:
        return form.format("at", listed.format(",".join(f"{value:.12g}" for value in times.at)))
    return "".join(form.format(name, f"{getattr(times, name):.12g}") for name in ("start", "end", "step"))


def model_text(model: ModelDefinition) -> str | None:
    """The model as a file; None where it cannot be written."""
    try:
        return toml_text(model, "the model")
    except ModelError:
        return None


def _model_file(model: ModelDefinition) -> Markup:
    try:
        text = toml_text(model, "the model")
    except ModelError as error:
        return paragraph(f"The model cannot be shown as a file: {error}")
    lines = text.count("\n") + len(text) // LINE  # long ones are wrapped
    code = (
        _code(text)
        if lines < MOST_PRINTED
        else _code(text).replace("<pre>", f'<pre data-lines="{text.count(chr(10))}">')
    )
    return Markup(f"<details><summary>The model as a file</summary>{code}</details>")


def _code(text: str) -> Markup:
    return Markup(f"<pre><code>{html(text)}</code></pre>")
