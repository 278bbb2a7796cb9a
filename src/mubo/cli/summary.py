"""Printing of answers: labelled lines for people, JSON for programs, and the exit code of a run that stopped."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.terminal import echo, echo_lines
from mubo.errors import MuboError
from mubo.results.table import plain

if TYPE_CHECKING:
    from mubo.results import Run

FILE = f"{'file':<15}"  # label of the files that were written


def print_answer(
    text: Any, facts: Mapping[str, Any], files: list[str], as_json: bool, quiet: bool = False, label: str = FILE
) -> None:
    """Prints an answer as text, or its facts as JSON, with the files that were written."""
    if as_json:
        click.echo(json.dumps(plain({**facts, "files": files}), indent=1))
    elif not quiet:
        echo("\n".join([str(text), *(f"{label} {file}" for file in files)]))


def finish(result: Run, as_json: bool, quiet: bool) -> None:
    """Prints the summary of a run; one that stopped early ends the command with exit code 3."""
    if as_json:
        click.echo(json.dumps(plain(result.summary), indent=1))
    elif not quiet:
        from mubo.describe.run_summary import summary_lines

        echo_lines(summary_lines(result))
    leave_if_stopped(result, say=quiet)


def leave_if_stopped(result: Run, say: bool = True) -> None:
    """Ends the command with exit code 3 where the motion stopped early, and prints the reason."""
    if result.summary["status"] != "ok":
        if say:
            click.echo(result.events[-1].message, err=True)
        sys.exit(3)


def fail(error: MuboError, as_json: bool) -> None:
    """Ends the command; with --json the failure is a summary too."""
    if as_json:
        click.echo(json.dumps({"status": "failed", "error": type(error).__name__, "message": str(error)}, indent=1))
        sys.exit(error.exit_code)
    raise error
