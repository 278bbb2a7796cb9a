"""mubo studio."""

from __future__ import annotations

from pathlib import Path

import click

from mubo.cli.examples import ORDER, data_files, describe, example_files, theme_of
from mubo.cli.study_options import command
from mubo.errors import ModelError, ResultError, nearest


@command()
@click.argument("model", required=False, metavar="[MODEL | FOLDER | EXAMPLE]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on.  [default: a free one]")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
def studio(model: str | None, port: int, no_browser: bool) -> None:
    """Opens a mechanism in the browser, to drag, edit and play it.

    The model file stays the truth: every change is written to it at once, and what another editor writes is shown. The
    page is served to this computer alone, at an address that nobody can guess. A FOLDER is opened with all its models;
    an EXAMPLE that is not here yet is copied here.

    \b
    mubo studio
    mubo studio four_bar.toml
    mubo studio four_bar --no-browser --port 8765
    """
    files = sorted(example_files().items(), key=lambda item: ORDER.index(theme_of(item[1])))
    shipped = {name: path for name, path in files if path.suffix != ".py"}
    folder, first = _target(model, set(shipped))
    from mubo.studio.folder import Example, Folder
    from mubo.studio.server import serve

    catalogue = {
        name: Example(name, describe(path), theme_of(path), path, lambda p=path: [p, *data_files(p)])  # type: ignore[misc]
        for name, path in shipped.items()
    }
    opened = Folder(folder, catalogue)
    if first in catalogue:
        first = opened.copy_example(first)
        click.echo(first)

    def ready(address: str) -> None:
        click.echo(f"mubo studio: {address}")
        click.echo("Ctrl-C ends it.")
        if not no_browser:
            click.launch(address)

    serve(opened, port, first, ready)


def _target(model: str | None, examples: set[str]) -> tuple[Path, str]:
    """The folder to open, and the file in it, or the example, to begin with."""
    if model is None:
        return Path.cwd(), ""
    path = Path(model)
    if path.is_dir():
        return path, ""
    if path.is_file():
        return path.parent, path.name
    if Path(f"{model}.toml").is_file():
        return Path.cwd(), f"{model}.toml"
    if model in examples:
        return Path.cwd(), model
    if path.suffix:
        raise ModelError(f"there is no file {path}", suggestion=nearest(path.stem, examples))
    raise ResultError(f'there is no model, folder or example "{model}". {nearest(model, examples)}')
