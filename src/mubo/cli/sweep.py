"""mubo sweep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, measure_option, model_argument, quiet_option
from mubo.cli.progress import Progress
from mubo.cli.summary import fail
from mubo.errors import MuboError


@click.command(short_help="Varies parameters and measures every variant.")
@model_argument
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="NAME=FROM:TO:COUNT",
    help="What varies: a range with a count, a list NAME=1,2,5, or bounds NAME=FROM:TO for samples. May be repeated.",
)
@measure_option
@click.option("--analysis", type=click.Choice(["kinematics", "inverse", "statics", "simulate"]),
              help="How every variant is run.  [default: as the model asks]")  # fmt: skip
@click.option("--method", type=click.Choice(["grid", "latin", "sobol"]), default="grid", show_default=True,
              help="Every combination, a Latin hypercube, or Sobol points.")  # fmt: skip
@click.option("--samples", type=click.IntRange(1), help="How many points of latin or sobol.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the points of latin or sobol.")
@click.option("-o", "--output", type=click.Path(), help="Table to write: .parquet or .csv.")
@click.option("--plot", "picture", type=click.Path(), help="Picture to write: lines, maps or parallel coordinates.")
@click.option("--overlay", multiple=True, metavar="COLUMN", help="With --plot: columns of the variants instead.")
@click.option("--resume", is_flag=True, help="Go on with a sweep that was interrupted.")
@click.option("--workers", type=click.IntRange(1), help="Processes to use.  [default: one per core]")
@click.option("--cluster", metavar="ADDRESS", help='A dask scheduler, such as tcp://host:8786, or "local".')
@click.option("--yes", is_flag=True, help="Compute more than ten million variants.")
@TIMES[0]
@TIMES[1]
@TIMES[2]
@format_option
@json_option
@quiet_option
def sweep(model: str, kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Varies parameters of a model, runs every variant and measures it; each says in words how it went.

    \b
    mubo sweep parameters.toml --vary a=0.03:0.05:21 --measure stroke -o sweep.csv
    mubo sweep parameters.toml --vary a=0.03:0.05:11 --vary beta=10:30:5 --measure "range P.x" --plot map.png
    mubo sweep parameters.toml --vary a=0.03:0.05 --method sobol --samples 64 --measure stroke -o sweep.parquet
    mubo sweep parameters.toml --vary a=0.03:0.05:5 --measure stroke --plot paths.png --overlay P.x --overlay P.y
    """
    from mubo.design.ranges import read_ranges

    output, picture, overlay = (options.pop(key) for key in ("output", "picture", "overlay"))
    if overlay and not picture:
        raise click.UsageError("--overlay goes with --plot")
    if options["resume"] and not output:
        raise click.UsageError("--resume goes on with the table of -o: name it")
    try:
        loaded = load_model(model, kind)
        vary = read_ranges(options.pop("vary"))
        with Progress() as progress:
            found = loaded.sweep(vary, output=output, progress=progress, **options)
        if picture:
            found.plot(*overlay, path=picture)
    except MuboError as error:
        fail(error, as_json)
        return
    except KeyboardInterrupt:
        parts = Path(f"{output}.parts") if output else None
        if parts is not None and parts.exists():
            count = len([*parts.glob("part-*.parquet")])
            click.echo(f"{count} parts are kept in {parts}: the same command with --resume goes on", err=True)
        raise
    files = [name for name in (output, picture) if name]
    if as_json:
        click.echo(json.dumps(summary_of(found, files), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"  {'file':<20} {file}" for file in files)]))


def summary_of(found: Any, files: list[str]) -> dict[str, Any]:
    """What a sweep found, for programs."""
    ends = {o.name: found.best(o.name) for o in found.work.objectives}
    return {
        "model": found.model.name,
        "variants": len(found),
        "ran": int(found.ok.sum()),
        "parameters": list(found.points.names),
        "nominal": found.nominal,
        "units": {name: unit for name, unit in found.units.items() if unit},
        "extremes": {
            name: None if pair is None else {end: _line(found, k) for end, k in zip(("min", "max"), pair, strict=True)}
            for name, pair in ends.items()
        },
        "status": {status: found.status.count(status) for status in sorted(set(found.status))},
        "files": files,
    }


def _line(found: Any, k: int) -> dict[str, float]:
    return {name: float(found[name][k]) for name in found.names}
