"""Options that several commands share, and what they mean for a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mubo.cli.study_options import ask, click_option, with_options
from mubo.errors import ModelError
from mubo.formats import FORMATS, extension_of, listed
from mubo.studies import STUDIES

if TYPE_CHECKING:
    from mubo.api import Model, Run
    from mubo.laws import Smoothing

_F = TypeVar("_F", bound=Callable[..., Any])

_SET = "mubo.set"  # where a command's context keeps the values of parameters


def _parameters(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> None:
    """NAME=VALUE pairs: a number, or text that the model reads."""
    values: dict[str, float | str] = {}
    for pair in given:
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f'expected NAME=VALUE such as a=0.05; found "{pair}"')
        if name in values:
            raise click.BadParameter(f'"{name}" is set twice')
        values[name] = _value(value)
    ctx.meta[_SET] = values


def _with_set(argument: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """The argument that names a model, and with it the option that sets its parameters."""
    option = click.option(
        "--set",
        multiple=True,
        metavar="NAME=VALUE",
        expose_value=False,
        callback=_parameters,
        help='Another value of a parameter of MODEL, such as a=0.05 or beta="25 deg". May be repeated.',
    )
    return lambda command: argument(option(command))


model_argument = _with_set(
    click.argument("model", type=click.Path(readable=False), metavar="MODEL")  # load says what is wrong
)
format_option = click.option(
    "--format",
    "kind",
    type=click.Choice([kind.name for kind in FORMATS]),
    help=f"Kind of MODEL, if neither its ending nor its content shows it: {listed()}.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON and nothing else.")
quiet_option = click.option("--quiet", is_flag=True, help="Print nothing but errors.")


def _view(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        azimuth, elevation = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f'expected two angles in degrees such as -55,18; found "{text}"') from None
    if not (-360 <= azimuth <= 360 and -90 <= elevation <= 90):
        raise click.BadParameter(f"the azimuth is from -360 to 360, the elevation from -90 to 90; found {text}")
    return azimuth, elevation


view_option = click.option(
    "--view",
    metavar="AZIMUTH,ELEVATION",
    callback=_view,
    help="In space: where the eye is, in degrees.  [default: -55,18]",
)

forces_option = click.option(
    "--forces/--no-forces",
    default=None,
    help="With forces of joints and drivers, their arrows and scale; or without arrows.  [default: as the model asks]",
)


TIMES = tuple(click_option(STUDIES["kinematics"].options[name]) for name in ("start", "end", "step"))
solver_options = with_options(STUDIES["kinematics"], ("transmission", "advantage"))


@contextmanager
def warnings_as_notes(all_from: str = "") -> Iterator[None]:
    """Warnings as lines on standard error, in plain words; of several lines only their number where a command is named
    that tells all."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", RuntimeWarning)  # of arithmetic: what is no number is refused by its name
        yield
    for warning in caught:
        lines = str(warning.message).splitlines()
        text = f"{len(lines)} notes on the file: `{all_from}` tells them" if lines[1:] and all_from else warning.message
        click.echo(f"note: {text}", err=True)


def load_model(path: str, kind: str | None, guide_smoothing: str | None = None, *, tell_all: bool = False) -> Model:
    """The model of a file, with its measured motions smoothed as asked. Several notes on what the file has and a model
    has not are counted, unless all are to be reported."""
    from mubo.api import load

    with warnings_as_notes("" if tell_all else f"mubo check {path}"):
        model = load(path, kind)
    if values := click.get_current_context().meta.get(_SET):
        model = model.replace(**values)
    if guide_smoothing is not None:
        smooth = smoothing(guide_smoothing)
        for name, driver in model.drivers.items():
            try:
                model.drivers[name] = replace(driver, motion=driver.motion.smoothed(smooth))
            except ModelError as error:
                raise ModelError(f"driver {name}: {error}", names=[name]) from None
    return model


def smoothing(text: str) -> Smoothing:
    """ "none", "gcv" or λ; or "quintic=gcv", "butterworth=6,order=2": the keys of a model file."""
    from mubo.laws.smoothing import smoothing_of

    try:
        pairs = [part.partition("=") for part in text.split(",")]
        if len(pairs) == 1 and not pairs[0][1]:
            return smoothing_of(_value(text))
        return smoothing_of({key.strip(): _value(value) for key, _, value in pairs})
    except ModelError as error:
        raise click.BadParameter(str(error), param_hint="--guide-smoothing") from None


def _value(text: str) -> str | float:
    """A number where the text is one; a whole one stays whole."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text.strip()


def require_scheme(model: Model, options: Mapping[str, Any]) -> None:
    """Refuses a scheme that the format of the model does not have."""
    scheme = options.get("scheme") or "exact"
    if scheme not in ("exact", *extension_of(model.build()).schemes):
        raise click.UsageError(f"--scheme {scheme} is for decks of O'Kins' programs")


def solve(model: Model, options: dict[str, Any], study: str = "kinematics", **changed: Any) -> Run:
    """A run of a study with those of the common options that it has."""
    require_scheme(model, options)
    found = ask(STUDIES[study], model, {**options, **changed})
    run: Run = found.run if study in ("strength", "gait") else found
    return run


def moved(model: Model, options: dict[str, Any], forces: bool | None = None, **changed: Any) -> Run:
    """The motion that the model's [analysis] asks for: a simulation, forces, or kinematics with what is `changed`.

    Where `forces` are asked for, the motion is solved with them, prescribed or simulated."""
    asked = model.analysis.type if model.analysis is not None else "kinematics"
    if asked == "kinematics" and forces:
        asked = "inverse"
    if asked == "simulate":
        times = {key: options[key] for key in ("start", "end", "step")}
        return solve(model, {**times, "reactions": bool(forces)}, "simulate")
    return solve(model, options, **changed) if asked == "kinematics" else solve(model, options, asked)
