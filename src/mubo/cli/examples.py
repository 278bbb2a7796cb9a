"""mubo examples."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from mubo.errors import ResultError, nearest

ENDINGS = (".toml", ".dat", ".deck", ".py")


def examples_folder() -> Path:
    """The folder of the shipped examples."""
    return Path(__file__).parent.parent / "examples"


def example_files() -> dict[str, Path]:
    """Examples by name."""
    return {p.stem: p for p in sorted(examples_folder().iterdir()) if p.suffix in ENDINGS}


WIDTH = 80  # columns of the list


def describe(path: Path) -> str:
    """The first sentence of a model file's comment or of a script's docstring; KABIOS files have neither."""
    known = {
        "kabios_four_bar": "The four-bar of the KABIOS manual, section 7, as its text file",
        "kabios_thigh": "The measured thigh of the KABIOS manual, section 8, as its text file",
    }
    lines = path.read_text(encoding="utf-8").splitlines()
    sign = next((mark for mark in ("#", '"') if lines[0].startswith(mark)), "")
    comment = [lines[0], *takewhile(lambda line: line.startswith(sign) if sign == "#" else line, lines[1:])]
    text = " ".join(line.strip('#" ') for line in comment if line) if sign else lines[0]
    first = known.get(path.stem) or text.partition(". ")[0].rstrip(".: ")
    return f"{first[0].upper()}{first[1:]}."


def listing(files: dict[str, Path]) -> str:
    """Names and descriptions side by side, in lines of at most 80 columns."""
    width = max(len(stem) for stem in files) + 2
    return "\n".join(
        textwrap.fill(f"{stem:<{width}}{describe(path)}", WIDTH, subsequent_indent=" " * width, break_on_hyphens=False)
        for stem, path in files.items()
    )


def data_files(path: Path) -> list[Path]:
    """The files beside a native model file that it refers to, and that these refer to: every text in it that is the
    name of one, or ends in it as "path error of P from curve.csv" does."""
    if path.suffix != ".toml":
        return []
    beside = {p.name: p for p in path.parent.iterdir() if p.is_file() and p != path}
    texts = _texts(tomllib.loads(path.read_text(encoding="utf-8")))
    named = dict.fromkeys(text.rpartition(" from ")[2] for text in texts)
    found = [beside[name] for name in named if name in beside]
    return [*dict.fromkeys(file for one in found for file in (one, *data_files(one)))]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


@click.command()
@click.argument("name", required=False)
def examples(name: str | None) -> None:
    """Lists the shipped examples, or copies one and its data files to the working folder.

    \b
    mubo examples
    mubo examples four_bar
    """
    files = example_files()
    if name is None:
        click.echo(listing(files))
        return
    if name not in files:
        raise ResultError(f'there is no example "{name}". {nearest(name, files)}')
    wanted = [files[name], *data_files(files[name])]
    for path in wanted:
        copied = Path(path.name)
        if copied.exists() and (path == files[name] or copied.read_bytes() != path.read_bytes()):
            raise ResultError(f"{path.name} exists already", suggestion="Move it away, or work in another folder.")
    for path in wanted:
        Path(path.name).write_bytes(path.read_bytes())
        click.echo(path.name)
