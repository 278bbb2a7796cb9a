"""The terminal: answers as lines that fit it or as JSON, colours, a progress line, tables on standard output ("-")."""

from __future__ import annotations

import os
import re
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mubo.errors import MuboError

if TYPE_CHECKING:
    from mubo.results import Run

COLOURS = {"good": "green", "look": "yellow", "bad": "red"}  # of the marks of lines
LABEL = 15  # columns of a label
NARROWEST = 24  # columns that a text keeps beside its label
FILE = f"{'file':<15}"  # label of the files that were written
WAIT, INTERVAL = 1.0, 0.2  # seconds until the first progress line, and between two


def coloured(text: str, colour: str) -> str:
    """The text in a colour, unless NO_COLOR is set (https://no-color.org); click strips colours from piped output."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=colour, bold=True)


def echo(text: str) -> None:
    """Prints text; on a terminal its lines are wrapped to the width, under the last column of a table."""
    click.echo("\n".join(fitted(line) for line in text.split("\n")))


def echo_lines(lines: Iterable[tuple[str, str, str]]) -> None:
    """Prints labelled lines; marked ones have the colour of their mark."""
    for label, text, mark in lines:
        first, *more = fitted(f"{label:<{LABEL}} {text}").split("\n")
        head, tail = first[: LABEL + 1], first[LABEL + 1 :]
        parts = [coloured(part, COLOURS[mark]) if mark else part for part in (tail, *more)]
        click.echo("\n".join([f"{head}{parts[0]}", *parts[1:]]))


def fitted(line: str) -> str:
    """The line as it is where output is piped; on a terminal wrapped to its width.

    What is wrapped continues below the last column that begins after two spaces or more."""
    width = 0
    if sys.stdout.isatty():
        import shutil

        width = shutil.get_terminal_size().columns
    if not width or len(line) <= width:
        return line
    starts = [gap.end() for gap in re.finditer(r" {2,}", line) if gap.end() <= width - NARROWEST]
    labelled = re.match(rf".{{{LABEL}}} (?! )", line)
    indent = max(starts, default=LABEL + 1 if labelled else 4)
    return textwrap.fill(
        line,
        width,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
        drop_whitespace=True,
    )


class Progress:
    """A progress line on standard error, called with (rows done, rows in all).

    It appears on a terminal only, and only for work that takes longer than about a second."""

    def __enter__(self) -> Progress:
        self._start = self._shown = time.monotonic()
        self._printed = False
        return self

    def __call__(self, done: float, total: float) -> None:
        now = time.monotonic()
        if now - self._start < WAIT or now - self._shown < INTERVAL or not sys.stderr.isatty():
            return
        self._shown, self._printed = now, True
        part = done / total if total else 1.0
        bar = "█" * round(24 * part) + "░" * (24 - round(24 * part))
        sys.stderr.write(f"\r{bar} {100 * part:3.0f} %  {self._state(done, part, now - self._start)} ")
        sys.stderr.flush()

    def _state(self, done: float, part: float, spent: float) -> str:
        return f"{spent * (1 - part) / max(part, 1e-9):.0f} s left"

    def __exit__(self, *_: Any) -> None:
        if self._printed:
            sys.stderr.write("\r" + " " * 78 + "\r")


class SimulationProgress(Progress):
    """A progress line called with (time simulated, time in all): it also shows the time reached and the pace."""

    def _state(self, done: float, part: float, spent: float) -> str:
        return f"{done:.4g} simulated, {done / max(spent, 1e-9):.3g} per second, {super()._state(done, part, spent)}"


PICTURES = (".png", ".svg", ".pdf")  # endings of -o
STREAM_HELP = '"-" is standard output, "-.json" in that form.'


def is_stream(name: str | None) -> bool:
    """Whether the name of an output is "-", or "-" with an ending."""
    return bool(name) and Path(str(name)).stem == "-" and Path(str(name)).name == name


class OutputStream:
    """The file, in a folder of its own, that is written in place of standard output."""

    def __init__(self, given: dict[str, Any], folder: Path, ending: str) -> None:
        self._given = given
        output = given["output"]
        names = list(output) if isinstance(output, tuple) else [output]
        asked = [name for name in names if is_stream(name)]
        if len(asked) > 1:
            raise click.UsageError(f"-o {asked[0]} and -o {asked[1]} both write to standard output: give one of them")
        if asked and given.get("as_json"):
            raise click.UsageError(f"-o {asked[0]} and --json both write to standard output: give one of them")
        self.active = bool(asked)
        self._plain = asked == ["-"]
        self._path = folder / (f"-{ending}" if self._plain else asked[0] if asked else "-")
        if asked:
            given["quiet"] = True
            self._replace(asked[0], str(self._path))

    def _replace(self, name: str, by: str) -> None:
        output = self._given["output"]
        several = isinstance(output, tuple)
        self._given["output"] = tuple(by if one == name else one for one in output) if several else by

    def prefer_listing(self, run: Any) -> None:
        """Writes "-" as the classic listing where the format of the run's model has one of its own."""
        from mubo.formats import extension_of

        if self._plain and run.record.listing is not None and extension_of(run.model).listing:
            listing = self._path.with_suffix(".txt")
            self._replace(str(self._path), str(listing))
            self._path = listing

    def copy(self) -> None:
        """Copies what was written to standard output."""
        if self.active and self._path.exists():
            sys.stdout.buffer.write(self._path.read_bytes())
            sys.stdout.buffer.flush()


@contextmanager
def standard_output(given: dict[str, Any], ending: str) -> Iterator[OutputStream]:
    """Replaces "-" among the outputs that a command was given; what was written there is copied when the block ends.

    Nothing else is then printed on standard output: the command is quiet. `ending` is that of a plain "-".
    """
    output = given["output"]
    if not any(map(is_stream, output if isinstance(output, tuple) else (output,))):
        yield OutputStream(given, Path(), ending)
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        stream = OutputStream(given, Path(folder), ending)
        try:
            yield stream
        finally:
            stream.copy()


def print_answer(
    text: Any, facts: Mapping[str, Any], files: list[str], as_json: bool, quiet: bool = False, label: str = FILE
) -> None:
    """Prints an answer as text, or its facts as JSON, with the files that were written."""
    if as_json:
        import json

        from mubo.results.table import plain

        click.echo(json.dumps(plain({**facts, "files": files}), indent=1))
    elif not quiet:
        echo("\n".join([str(text), *(f"{label} {file}" for file in files)]))


def finish(result: Run, as_json: bool, quiet: bool) -> None:
    """Prints the summary of a run; one that stopped early ends the command with exit code 3."""
    if as_json:
        import json

        from mubo.results.table import plain

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
        import json

        click.echo(json.dumps({"status": "failed", "error": type(error).__name__, "message": str(error)}, indent=1))
        sys.exit(error.exit_code)
    raise error


@contextmanager
def warnings_as_notes(all_from: str = "") -> Iterator[None]:
    """Prints warnings as notes on standard error; of a warning of several lines only their number where `all_from`
    names the command that lists them all."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", RuntimeWarning)  # of arithmetic: what is no number is refused by its name
        yield
    for warning in caught:
        lines = str(warning.message).splitlines()
        text = f"{len(lines)} notes on the file: `{all_from}` lists them" if lines[1:] and all_from else warning.message
        click.echo(f"note: {text}", err=True)
