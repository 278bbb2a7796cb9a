"""mubo examples."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from mubo.errors import ResultError, nearest

ENDINGS = (".toml", ".dat", ".deck", ".py", ".urdf", ".xml")
LINKAGES = "Linkages of the plane"
# Themes in the order of the list, each with what a model file of it contains; the first that applies decides.
THEMES = {
    "Decks of O'Kins (1964) and files of KABIOS": "",
    "Built in Python": "",
    "Robots (URDF, MJCF)": "",
    "Walking people": r"^\[(subject|markers)|\.trc",
    "Design: optimisation and tolerances": r"^\[(optimize|tolerances)",
    "Cams, gears and belts": r'^type = "(cam_\w+|gears|rack|belt|screw)"',
    "Simulations": r'^type = "simulate"',
    "Forces, statics and strength": r'^type = "(inverse|statics|strength)"',
    "Mechanisms in space": r"^dimension = 3",
    LINKAGES: "",
}
ORDER = (LINKAGES, *(theme for theme in reversed(THEMES) if theme != LINKAGES))


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
    lines = path.read_text(encoding="utf-8").removeprefix('<?xml version="1.0"?>\n').splitlines()
    sign = next((mark for mark in ("#", '"') if lines[0].startswith(mark)), "")
    comment = [lines[0], *takewhile(lambda line: line.startswith(sign) if sign == "#" else line, lines[1:])]
    lines[0] = lines[0].removeprefix("<!-- ").removesuffix(" -->")
    text = " ".join(line.strip('#" ') for line in comment if line) if sign else lines[0]
    first = known.get(path.stem) or text.partition(". ")[0].rstrip(".: ")
    return f"{first[0].upper()}{first[1:]}."


def theme_of(path: Path) -> str:
    """The theme of an example: that of its kind of file, or the first whose pattern its text has, or that of a
    model file that it extends."""
    kinds = {".dat": 0, ".deck": 0, ".py": 1, ".urdf": 2, ".xml": 2}
    if path.suffix in kinds:
        return [*THEMES][kinds[path.suffix]]
    text = "\n".join(one.read_text(encoding="utf-8") for one in (path, *data_files(path)) if one.suffix == ".toml")
    return next((name for name, sign in THEMES.items() if sign and re.search(sign, text, re.MULTILINE)), LINKAGES)


def listing(files: dict[str, Path]) -> str:
    """Names and descriptions side by side under their themes, in lines of at most 80 columns."""
    width = max(len(stem) for stem in files) + 4
    themes: dict[str, list[str]] = {}
    for stem, path in files.items():
        line = textwrap.fill(
            f"{f'  {stem}':<{width}}{describe(path)}", WIDTH, subsequent_indent=" " * width, break_on_hyphens=False
        )
        themes.setdefault(theme_of(path), []).append(line)
    return "\n\n".join("\n".join([f"{theme}:", *themes[theme]]) for theme in ORDER if theme in themes)


def search(files: dict[str, Path], words: Sequence[str]) -> dict[str, Path]:
    """The examples whose name, description or types of elements have every word, whole or in the plural; where none
    has, those in which words begin so; else those of a theme that has the words."""
    for text_of, ending in ((_subject, r"(s|es)?\b"), (_subject, ""), (theme_of, "")):
        signs = [re.compile(rf"\b{re.escape(word)}{ending}", re.IGNORECASE) for word in words]
        found = {stem: path for stem, path in files.items() if all(sign.search(text_of(path)) for sign in signs)}
        if found:
            return found
    return {}


def _subject(path: Path) -> str:
    kinds = re.findall(r'^type = "(\w+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    return " ".join([path.stem, describe(path), *kinds]).replace("_", " ")


def data_files(path: Path) -> list[Path]:
    """The files beside a native model file that it refers to, and that these refer to: every text in it that is the
    name of one, or ends in it as "path error of P from curve.csv" does; and tables in its comments."""
    if path.suffix != ".toml":
        return []
    beside = {p.name: p for p in path.parent.iterdir() if p.is_file() and p != path}
    text = path.read_text(encoding="utf-8")
    named = dict.fromkeys(one.rpartition(" from ")[2] for one in _texts(tomllib.loads(text)))
    named |= dict.fromkeys(re.findall(r"[\w-]+\.csv", text))
    found = [beside[name] for name in named if name in beside]
    return [*dict.fromkeys(file for one in found for file in (one, *data_files(one)))]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _names(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Names of examples that begin so, for the shell."""
    return [name for name in example_files() if name.startswith(typed)]


@click.command()
@click.argument("words", nargs=-1, metavar="[NAME … | WORDS]", shell_complete=_names)
@click.option("--all", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Copy every example to DIR.")
def examples(words: tuple[str, ...], folder: Path | None) -> None:
    """Lists the shipped examples by theme; copies those of these NAMEs and their data files here; or lists those about
    some WORDS.

    \b
    mubo examples
    mubo examples cam
    mubo examples slider crank
    mubo examples four_bar
    mubo examples --all examples
    """
    files = example_files()
    if folder is not None:
        if words:
            raise ResultError("--all copies every example", suggestion="Leave the names out, or leave --all out.")
        folder.mkdir(parents=True, exist_ok=True)
        _copy([p for p in sorted(examples_folder().iterdir()) if p.is_file()], folder)
        return
    if words and all(word in files for word in words):
        _copy([files[word] for word in words], Path())
        return
    shown = search(files, words) if words else files
    if not shown:
        text = " ".join(words)
        raise ResultError(f'there is no example "{text}", and none about it. {nearest(text, files)}')
    click.echo(listing(shown))


def _copy(paths: list[Path], folder: Path) -> None:
    """Copies examples and their data files to a folder; other files of the same names are kept."""
    wanted = dict.fromkeys(file for path in paths for file in (path, *data_files(path)))
    for file in wanted:
        copied = folder / file.name
        if copied.exists() and (file in paths or copied.read_bytes() != file.read_bytes()):
            raise ResultError(f"{copied} exists already", suggestion="Move it away, or work in another folder.")
    for file in wanted:
        (folder / file.name).write_bytes(file.read_bytes())
        click.echo(folder / file.name)
