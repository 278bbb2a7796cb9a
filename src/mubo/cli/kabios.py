"""mubo kabios."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mubo.cli.terminal import leave_if_stopped, warnings_as_notes
from mubo.errors import ModelError, MuboError

NAME = "ENTER NAME OF THE FILE TO WRITE"


class _Answers:
    """The lines of standard input: a wrong one is asked again on a terminal and ends the command in a pipe."""

    def __init__(self) -> None:
        self.terminal, self.line = sys.stdin.isatty(), 0

    def ask(self, text: str) -> str:
        """The next line that is not empty."""
        while True:
            if self.terminal:
                click.echo(text, err=True)
            line = sys.stdin.readline()
            self.line += 1
            if not line:
                raise click.ClickException(f"standard input ends at line {self.line}; the program asks: {text}")
            if line.strip():
                return line.strip()

    def refuse(self, error: MuboError) -> None:
        """States what is wrong with the last line."""
        if not self.terminal:
            raise click.ClickException(f"standard input, line {self.line}: {error}")
        click.echo(f"  {error}", err=True)


@click.command(short_help="Asks for a KABIOS model, prompt by prompt, and runs it.")
@click.option("-o", "--output", type=click.Path(), help="File to write: .dat, .txt or another ending (default: asked).")
def kabios(output: str | None) -> None:
    """Asks for a planar model by the prompts (a) to (j) of KABIOS, writes its file, runs it and prints the listing.

    Every answer is checked at once; a wrong one is asked again with the reason. Answers also come from a pipe: there a
    wrong one ends the command with exit code 2 and the number of its line.

    \b
    mubo kabios
    mubo kabios -o four_bar.dat
    mubo kabios -o four_bar.dat < answers.txt
    """
    from mubo.api import load
    from mubo.formats.files import write_text

    if output is not None:
        _require_name(output)
    answers = _Answers()
    text = "\n".join(_records(answers)) + "\n"
    target = output if output is not None else _name(answers)
    write_text(Path(target), text)
    click.echo(f"file {target}", err=True)
    with warnings_as_notes():
        run = load(target, "kabios").kinematics()
    click.echo(run.listing, nl=False)
    leave_if_stopped(run)


def _records(answers: _Answers) -> list[str]:
    """The lines of the file: every answer with the letter of its record."""
    from mubo.formats.kabios_prompts import prompts

    lines, asked = [], prompts()
    prompt = next(asked)
    while True:
        line = answers.ask(prompt.text)
        try:
            found = prompt.answer(line)
        except ModelError as error:
            answers.refuse(error)
            continue
        lines.append(line if not prompt.label or line.endswith(")") else f"{line} ({prompt.label})")
        try:
            prompt = asked.send(found)
        except StopIteration:
            return lines


def _name(answers: _Answers) -> str:
    """The name of the file, asked until one can be written and none is overwritten."""
    while True:
        name = answers.ask(NAME)
        try:
            _require_name(name)
            if Path(name).exists():
                raise ModelError(f"{name} exists already: give another name, or overwrite it with -o {name}")
            return name
        except ModelError as error:
            answers.refuse(error)


def _require_name(name: str) -> None:
    """Refuses endings of other kinds of files, and folders that do not exist."""
    from mubo.formats import FORMATS

    others = [ending for kind in FORMATS if kind.name != "kabios" for ending in kind.endings]
    if Path(name).suffix.lower() in others:
        raise ModelError(f"{name}: that is the ending of another kind of model; give .dat or .txt")
    if not Path(name).parent.is_dir():
        raise ModelError(f"{name}: there is no folder {Path(name).parent}")
