"""mubo optimize."""

from __future__ import annotations

import json
from typing import Any

import click

from mubo.cli.options import TIMES, format_option, json_option, load_model, model_argument, quiet_option
from mubo.cli.progress import Progress
from mubo.cli.summary import fail
from mubo.errors import ModelError, MuboError


@click.command(short_help="Seeks the best design that runs, with its proof.")
@model_argument
@click.option("--vary", multiple=True, metavar="NAME=FROM:TO", help="A parameter and its bounds. May be repeated.")
@click.option("--minimize", metavar="TEXT", help='What is to be least: "max motor.effort", mass, "a + b" …')
@click.option("--maximize", metavar="TEXT", help="What is to be greatest: transmission, stroke …")
@click.option("--fit", multiple=True, metavar="TEXT=VALUE",
              help='What is to be met: "stroke of D=60 deg", or "path error of P from FILE". Repeatable.')  # fmt: skip
@click.option("--constraint", "constraints", multiple=True, metavar="TEXT",
              help='A limit: "transmission >= 40 deg", "full turn of motor". May be repeated.')  # fmt: skip
@click.option("--analysis", type=click.Choice(["kinematics", "inverse", "statics", "simulate"]),
              help="How every design is run.  [default: as the model asks]")  # fmt: skip
@click.option("--starts", type=click.IntRange(1), help="Local searches.  [default: as the model asks, or 8]")
@click.option("--method", type=click.Choice(["starts", "evolution", "cma"]),
              help="Where they start: Sobol points, differential evolution, or CMA-ES.  [default: starts]")  # fmt: skip
@click.option("--seed", type=int, help="Of the starts.  [default: 0]")
@click.option("-o", "--output", type=click.Path(), help="Model file to write: the design, .toml or .json.")
@click.option("--plot", "picture", type=click.Path(), help="Picture to write: before and after.")
@click.option("--workers", type=click.IntRange(1), help="Processes to use.  [default: one per core]")
@TIMES[0]
@TIMES[1]
@TIMES[2]
@format_option
@json_option
@quiet_option
def optimize(model: str, kind: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Seeks the design that is best within bounds and limits, as [optimize] of the model says or the options do. The
    answer runs on the branch of the start and has stood the whole proof; without one it says what contradicts.

    \b
    mubo optimize wiper.toml -o better_wiper.toml --plot wiper.png
    mubo optimize parameters.toml --vary c=0.1:0.13 --maximize transmission -o better.toml
    mubo optimize parameters.toml --vary a=0.03:0.05 --vary d=0.1:0.14 --fit "swing=40 deg" --constraint "d >= 3*a"
    """
    output, picture = options.pop("output"), options.pop("picture")
    try:
        loaded = load_model(model, kind)
        given = {key: options.pop(key) for key in ("vary", "fit", "constraints")}
        with Progress() as progress:
            found = loaded.optimize(
                _bounds(given["vary"]),
                fit=_targets(given["fit"]),
                constraints=given["constraints"] or None,
                progress=progress,
                **options,
            )
        if output:
            found.save(output)
        if picture:
            found.plot(picture)
    except MuboError as error:
        fail(error, as_json)
        return
    files = [name for name in (output, picture) if name]
    if as_json:
        click.echo(json.dumps(summary_of(found, files), indent=1))
    elif not quiet:
        click.echo("\n".join([str(found), *(f"  {'file':<20} {file}" for file in files)]))


def _bounds(texts: tuple[str, ...]) -> dict[str, Any] | None:
    from mubo.design.ranges import read_ranges

    return read_ranges(texts) or None


def _targets(texts: tuple[str, ...]) -> Any:
    """Paths alone, or targets by measure."""
    if not texts or all("path error of " in text for text in texts):
        return list(texts) or None
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign and "path error of " not in text:
            raise ModelError(f'what is to be met is written TEXT=VALUE such as "stroke of D=60 deg"; found "{text}"')
        try:
            out[name] = float(value or 0.0)
        except ValueError:
            out[name] = value
    return out


def summary_of(found: Any, files: list[str]) -> dict[str, Any]:
    """What an optimisation found, for programs."""
    problem = found.asked.problem
    return {
        "model": found.model.name,
        "goal": {problem.goal: [wanted.term.text for wanted in problem.wanted]},
        "aim": dict(zip(("before", "after"), found.aim, strict=True)),
        "parameters": {name: {"before": a, "after": b} for name, (a, b) in found.parameters.items()},
        "numbers": {name: {"before": a, "after": b} for name, (a, b) in found.numbers.items()},
        "units": {name: unit for name, unit in found.asked.units.items() if unit},
        "reached": found.active,
        "sensitivities": found.sensitivities,
        "starts": len(found.ends),
        "ended_there": found.ended_there,
        "tried": found.tried,
        "did_not_run": found.lost,
        "proof": [check.as_dict() for check in found.proof.checks],
        "holds": found.proof.holds,
        "notes": list(found.asked.notes),
        "files": files,
    }
