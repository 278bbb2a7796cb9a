"""mubo check."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.options import format_option, json_option, load_model, model_argument
from mubo.cli.study_options import command, read_time
from mubo.cli.terminal import coloured, echo, fail, print_answer
from mubo.errors import ModelError, MuboError
from mubo.formats.files import write_text
from mubo.formats.registry import added, extension_of
from mubo.results.table import plain

if TYPE_CHECKING:
    from mubo.api import Model
    from mubo.model import ModelDefinition


@command()
@model_argument
@click.option(
    "--loops", is_flag=True, help="Show the loop table, the counts of degrees of freedom and the structural groups."
)
@click.option("--modes", is_flag=True, help="Show every assembly mode, with its circuit and the driver's range.")
@click.option("--driver", metavar="NAME", help="Driver to vary for --modes (default: the first); others are locked.")
@click.option("--wittenburg", is_flag=True, help="Show S, T, c, d, b, K, p, A and B of a tree in space.")
@click.option("--makeup", is_flag=True, help="Write the card deck with lengths and directions that close its loops.")
@click.option("--at", metavar="T", callback=read_time, help="Time of --wittenburg (default: the start).")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Picture of the first position, or of loops, modes or graph: .png, .svg, .pdf; numbers of --wittenburg: "
    ".json, .tex, .txt; deck of --makeup.",
)
@format_option
@json_option
def check(
    model: str,
    loops: bool,
    modes: bool,
    driver: str | None,
    wittenburg: bool,
    makeup: bool,
    at: float | str | None,
    output: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """Checks a model and reports its structure, mobility, redundant constraints and problems; no motion is solved.

    \b
    mubo check four_bar.toml
    mubo check four_bar.toml -o first.png
    mubo check four_bar.toml --loops -o loops.svg
    mubo check four_bar.toml --modes -o modes.png
    mubo check five_body_chain.toml --wittenburg -o graph.png
    mubo check five_body_chain.toml --wittenburg --at 0.5 -o matrices.tex
    mubo check eleven_bar.deck
    mubo check eleven_bar.deck --modes
    mubo check closure.deck --makeup -o closed.deck
    """
    from mubo.api.models import model_of

    questions = {"loops": loops, "modes": modes, "wittenburg": wittenburg, "makeup": makeup}
    asked = _asked(questions, driver, at)
    try:
        loaded = load_model(model, kind, all_notes=True)
        if makeup:
            _write_closed(loaded, output)
            return
        if asked:
            options: dict[str, dict[str, Any]] = {"modes": {"driver": driver}, "wittenburg": {"at": at}}
            _show(model_of(loaded), asked[0], options.get(asked[0], {}), output, as_json)
            return
        report = model_of(loaded).check()
    except MuboError as error:
        fail(error, as_json)
        return
    _print_report(report, output, as_json)


def _print_report(report: Any, output: str | None, as_json: bool) -> None:
    """Prints the findings and draws them where asked; a model that cannot be analysed ends with its exit code."""
    if output:
        report.plot(output)
    if as_json:
        click.echo(json.dumps(plain(report.as_dict()), indent=1))
    else:
        echo(_verdict_coloured(str(report)))
    if report.error is not None:
        sys.exit(report.error.exit_code)


def _asked(questions: dict[str, bool], driver: str | None, at: float | str | None) -> list[str]:
    """The question that is asked, if any; options that do not go together are refused."""
    asked = [name for name, wanted in questions.items() if wanted]
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} cannot be combined: ask for one at a time")
    for word, given, owner in (("driver", driver, "modes"), ("at", at is not None, "wittenburg")):
        if given and not questions[owner]:
            raise click.UsageError(f"--{word} goes with --{owner}")
    return asked


def _write_closed(model: ModelDefinition, output: str | None) -> None:
    """Writes or prints the file of the model with numbers that close its loops."""
    write = added(extension_of(model).makeup)
    if write is None:
        raise ModelError(
            "--makeup is for card decks, whose loops are measured",
            suggestion="Every analysis assembles other models; `mubo check` states how far their estimates are off.",
        )
    text = write(model)
    if output is None:
        click.echo(text, nl=False)
        return
    write_text(Path(output), text)
    click.echo(output)


def _verdict_coloured(text: str) -> str:
    """The report with the label of its verdict in a colour."""
    for label, colour in (("verdict", "green"), ("problem", "red")):
        text = text.replace(f"\n  {label} ", f"\n  {coloured(label, colour)} ")
    return text


def _show(model: Model, question: str, options: dict[str, Any], output: str | None, as_json: bool) -> None:
    """Prints the report that an option asks for."""
    report = getattr(model, question)(**options, path=output)
    print_answer(report, report.as_dict(), [output] if output else [], as_json, label="  file    ")
