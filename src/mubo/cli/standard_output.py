"""The name "-" of an output: its table goes to standard output, and nothing else does."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

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
    with tempfile.TemporaryDirectory() as folder:
        stream = OutputStream(given, Path(folder), ending)
        try:
            yield stream
        finally:
            stream.copy()
