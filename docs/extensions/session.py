"""A folder in which the files, commands and programs of one page are, as a reader would have typed them.

A page of the site may have three kinds of block, in which later ones use what earlier ones left in the folder:

    ```{file} four_bar.toml      a file that the reader writes
    ```{shell}                   commands of mubo
    ```{script}                  a program in Python

`:fails: 3` below the first line says that the last command ends with that exit code; any other than the expected one is
an error. `parse_page` finds the blocks of a page for the tests, which run them without building the site.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(sys.executable).parent / "mubo"
_SETTINGS = {"COLUMNS": "88", "NO_COLOR": "1", "MPLBACKEND": "agg", "PYTHONWARNINGS": "ignore::UserWarning"}
_BLOCK = re.compile(r"^```\{(file|shell|script)\} ?([^\n]*)\n((?::\w+:[^\n]*\n)*)(.*?)^```", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of a page: its kind, its name, its options, its lines."""

    kind: str
    name: str
    options: dict[str, str]
    text: str


def parse_page(text: str) -> list[Block]:
    """Return the blocks of a page in their order."""
    found = []
    for kind, name, options, body in _BLOCK.findall(text):
        found.append(Block(kind, name.strip(), dict(re.findall(r"^:(\w+): ?(.*)$", options, re.MULTILINE)), body))
    return found


def run_fresh(words: list[str], folder: Path) -> tuple[int, str]:
    """Run "mubo …" or "python FILE" in a process of its own; return its exit code and what it printed."""
    program = PROGRAM if words[0] == "mubo" else sys.executable
    environment = {**os.environ, **_SETTINGS}
    done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


class Session:
    """An empty folder for the blocks of one page; it is removed at the end.

    `run` starts the commands and programs: as they are written, in a folder; by default each in a fresh process.
    """

    def __init__(self, run: Callable[[list[str], Path], tuple[int, str]] = run_fresh) -> None:
        self._start = run
        self._temporary = tempfile.TemporaryDirectory(prefix="mubo-page-")
        self.folder = Path(self._temporary.name)

    def run_block(self, block: Block) -> list[tuple[str, str]]:
        """Write the file of a block, or run its commands or its program; return what each printed.

        Raises
        ------
        RuntimeError
            If a command is none of `mubo`, or ends with another exit code than 0 (the last one: than `fails`).
        """
        expected = int(block.options.get("fails", 0))
        if block.kind == "file":
            (self.folder / block.name).write_text(block.text)
            return []
        if block.kind == "script":
            (self.folder / "program.py").write_text(block.text)
            return [("", self._run(["python", "program.py"], expected))]
        commands = [line.strip() for line in block.text.splitlines() if line.strip()]
        last = len(commands) - 1
        return [(command, self._command(command, expected if n == last else 0)) for n, command in enumerate(commands)]

    def _command(self, command: str, expected: int) -> str:
        words = shlex.split(command)
        if words[0] != "mubo":
            raise RuntimeError(f"{command}: pages show commands of mubo alone")
        return self._run(words, expected)

    def _run(self, words: list[str], expected: int) -> str:
        code, printed = self._start(words, self.folder)
        if code != expected:
            raise RuntimeError(f"{shlex.join(words)}: exit code {code}, not {expected}\n{printed}")
        return printed

    def close(self) -> None:
        """Remove the folder."""
        self._temporary.cleanup()
