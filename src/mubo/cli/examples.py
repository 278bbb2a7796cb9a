"""mubo examples."""

from __future__ import annotations

from pathlib import Path

import click

from mubo.errors import ResultError, nearest

ENDINGS = (".toml", ".dat", ".py")


def examples_folder() -> Path:
    """Where the shipped examples are."""
    return Path(__file__).parent.parent / "examples"


def example_files() -> dict[str, Path]:
    """Examples by name."""
    return {p.stem: p for p in sorted(examples_folder().iterdir()) if p.suffix in ENDINGS}


def describe(path: Path) -> str:
    """The first comment of a model file or the first line of a script's docstring; KABIOS files have neither."""
    known = {
        "kabios_four_bar": "the four-bar of the KABIOS manual, section 7, as its text file",
        "kabios_thigh": "the measured thigh of the KABIOS manual, section 8, as its text file",
    }
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return known.get(path.stem) or first.strip('#" ').rstrip(".")


@click.command()
@click.argument("name", required=False)
def examples(name: str | None) -> None:
    """Lists the shipped examples, or copies one to the working folder.

    \b
    mubo examples
    mubo examples four_bar
    """
    files = example_files()
    if name is None:
        width = max(len(stem) for stem in files)
        for stem, path in files.items():
            click.echo(f"{stem:<{width}}  {describe(path)}")
        return
    if name not in files:
        raise ResultError(f'there is no example "{name}". {nearest(name, files)}')
    source = files[name]
    for path in (source, *examples_folder().glob(f"{name}*.csv")):
        target = Path(path.name)
        if target.exists():
            raise ResultError(f"{target} is here already", suggestion="Move it away, or work in another folder.")
        target.write_bytes(path.read_bytes())
        click.echo(str(target))
