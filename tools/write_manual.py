"""Writes the manual page man/mubo.1 from the declarations of the commands.

`make format` runs it, and tests/house/test_manual.py compares.
"""

import inspect
import re
from pathlib import Path

import click

from mubo.cli.main import COMMANDS, GROUPS, SUMMARIES, cli
from mubo.studies import STUDIES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "man" / "mubo.1"


def manual() -> str:
    """The manual page: what the program is, and every command with its options."""
    lines = [
        '.TH MUBO 1 "" "mubo" "Mechanisms and multibody systems"',
        ".SH NAME",
        "mubo \\- mechanisms and multibody systems: how they move, what forces that takes, where they lock, with proof",
        ".SH SYNOPSIS",
        ".B mubo",
        "COMMAND [OPTIONS] MODEL",
        ".SH DESCRIPTION",
        *_paragraphs(cli.help or ""),
    ]
    for group, names in GROUPS.items():
        lines.append(f".SH {_escaped(group.upper())}")
        for name in names:
            lines += _command(name, COMMANDS[name])
    lines += [
        ".SH EXIT STATUS",
        *_entry("0", "The answer is complete."),
        *_entry("1", "The model, a file or a value is wrong."),
        *_entry("2", "The command line is wrong."),
        *_entry("3", "The analysis could not go on, or a check does not hold."),
        ".SH SEE ALSO",
        "mubo COMMAND \\-\\-help",
    ]
    return "\n".join(lines) + "\n"


def _command(name: str, command: click.Command) -> list[str]:
    summary = SUMMARIES.get(name) or STUDIES[name].summary
    lines = [f".SS mubo {_escaped(name)}", _escaped(summary)]
    with click.Context(command, info_name=f"mubo {name}") as context:
        records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    for record in records:
        if record is not None and record[1]:  # an argument without help is in the synopsis of --help
            lines += _entry(*record)
    return lines


def _entry(term: str, text: str) -> list[str]:
    return [".TP", f".B {_escaped(term)}", _escaped(text)]


def _paragraphs(text: str) -> list[str]:
    out = []
    for part in inspect.cleandoc(text).split("\n\n"):
        lines = _escaped(part.removeprefix("\b\n"))
        out += [".PP", ".nf", lines, ".fi"] if part.startswith("\b") else [".PP", lines]
    return out


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual(), encoding="utf-8")
