"""mubo tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, measure_option, model_argument, quiet_option
from mubo.cli.progress import Progress
from mubo.cli.summary import fail, tell
from mubo.errors import MuboError


@click.command(short_help="What tolerances and clearances do to measures.")
@model_argument
@click.option("--of", "of", multiple=True, metavar="NAME=SIZE",
              help="A parameter and how far it may be off: a=±0.05mm, a=0.5%, a=0.05mm,uniform. May be repeated.  "
              "[default: the model's tolerances]")  # fmt: skip
@click.option("--clearance", multiple=True, metavar="JOINT=SIZE",
              help="The radial clearance of the pin of a joint: B=0.02mm. May be repeated.")  # fmt: skip
@measure_option
@click.option("--analysis", type=click.Choice(["kinematics", "inverse", "statics", "simulate"]),
              help="How the model is run.  [default: as it asks]")  # fmt: skip
@click.option("--samples", type=click.IntRange(0), default=1000, show_default=True,
              help="Random designs that are run whole; 0 for none.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random designs.")
@click.option("--workers", type=click.IntRange(1), help="Processes to use.  [default: one per core]")
@click.option("-o", "--output", type=click.Path(), help="Table to write: .csv.")
@click.option("--plot", "picture", type=click.Path(), help="Picture to write: limits and contributions.")
@click.option(
    "--path", "points", multiple=True, metavar="POINT", help="With --plot: the band round the path of a point."
)
@click.option("--magnify", type=float, help="With --path: how many times as wide the band is drawn.")
@TIMES[0]
@TIMES[1]
@TIMES[2]
@format_option
@json_option
@quiet_option
def tolerance(model: str, kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Worst case, three sigma and Monte Carlo of every measure, from exact slopes and from whole runs.

    \b
    mubo tolerance tolerances.toml --measure stroke --samples 200
    mubo tolerance tolerances.toml --of a=±0.05mm --of c=0.1mm,uniform --clearance B=0.02mm --measure stroke
    mubo tolerance tolerances.toml --measure stroke --samples 0 --plot band.png --path P
    """
    output, picture, points, magnify = (options.pop(key) for key in ("output", "picture", "points", "magnify"))
    if points and not picture:
        raise click.UsageError("--path goes with --plot")
    if magnify is not None and not points:
        raise click.UsageError("--magnify goes with --path")
    try:
        options["of"] = {name: _size(text) for name, text in _pairs("--of", options["of"])}
        options["clearance"] = dict(_pairs("--clearance", options["clearance"]))
        with Progress() as progress:
            found = load_model(model, kind).tolerance(**options, progress=progress)
        if output:
            found.save(output)
        if picture:
            found.plot(*points, path=picture, magnify=magnify)
    except MuboError as error:
        fail(error, as_json)
        return
    tell(found, [output, picture], as_json, quiet)


def _pairs(option: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    for text in texts:
        name, sign, size = (part.strip() for part in text.partition("="))
        if not (name and sign and size):
            raise click.UsageError(f'{option} is written NAME=SIZE, such as a=0.05mm; found "{text}"')
        if name in dict(out):
            raise click.UsageError(f'{option}: "{name}" stands twice')
        out.append((name, size))
    return out


def _size(text: str) -> Any:
    size, comma, spread = (part.strip() for part in text.partition(","))
    return {"size": size, "spread": spread} if comma else size
