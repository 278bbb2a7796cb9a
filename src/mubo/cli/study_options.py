"""Options of commands from the declarations of studies."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from mubo.cli.terminal import Progress, SimulationProgress
from mubo.mappings import load_place
from mubo.quantities.units import quantity
from mubo.studies import Study, StudyOption

GUIDE_SMOOTHING = click.option(
    "--guide-smoothing",
    metavar="HOW",
    help="Smoothing of measured motions in place of the model's: none, gcv or λ; quintic=gcv or quintic=λ; "
    "butterworth=residual or butterworth=CUTOFF, with order=4 unless given.",
)


def read_time(ctx: click.Context, param: click.Parameter, text: str | None) -> float | str | None:
    """A number in the model's unit of time, or text such as "40 ms", which the model reads."""
    if text is None or quantity(text) is not None:
        return text
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f'expected a number, or a time such as "40 ms"; found "{text}"') from None


def read_text(ctx: click.Context, param: click.Parameter, text: str | None) -> float | str | None:
    """A number, or text with a unit that the model reads."""
    from mubo.cli.parse import number_or_text

    return None if text is None else number_or_text(text)


def _parser(place: str) -> Callable[..., Any]:
    """The callback that gives the values of an option to the function that reads them."""

    def read(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> Any:
        return load_place(place)(texts) if texts else None

    return read


def click_option(one: StudyOption) -> Callable[[Any], Any]:
    """The option of a command for a declared option."""
    flag = one.flag or f"--{one.name.replace('_', '-')}"
    more: dict[str, Any] = {"help": one.help + " May be repeated." * one.many + _default(one)}
    if one.metavar or one.quantity:
        more["metavar"] = one.metavar or one.quantity.upper()
    if one.annotation == "bool | None":
        return click.option(f"{flag}/--no-{flag[2:]}", one.name, default=None, **more)
    if one.annotation == "bool":
        return click.option(flag, one.name, is_flag=True, **more)
    if one.parse:
        more |= {"multiple": True, "callback": _parser(one.parse)}
    elif one.many:
        more["multiple"] = True
    elif one.quantity == "time":
        more["callback"] = read_time
    elif one.quantity or one.annotation.startswith("float | str"):
        more["callback"] = read_text
    elif one.choices:
        more["type"] = click.Choice(one.choices)
    elif one.annotation.startswith("int"):
        more["type"] = int if one.least is None else click.IntRange(min=int(one.least))
    elif one.annotation.startswith("float"):
        more["type"] = float
    required = one.required and not one.in_file
    return click.option(flag, one.name, required=required, **more)


def _default(one: StudyOption) -> str:
    """The text that states the default of an option."""
    if one.shown_default:
        return f"  [default: {one.shown_default}]"
    if one.in_file:
        return "  [default: as in the model]"
    return "" if one.default in (None, (), "", False) else f"  [default: {one.default}]"


def with_options(study: Study, leave_out: Iterable[str] = ()) -> Callable[[Any], Any]:
    """Gives a command the options of a study, in their order."""

    def decorate(command: Any) -> Any:
        if "formulation" in study.options and "branch" in study.options:
            command = GUIDE_SMOOTHING(command)
        for one in reversed(study.options.values()):
            if one.flag != "" and one.name not in leave_out:
                command = click_option(one)(command)
        return command

    return decorate


def given_to(study: Study, options: Mapping[str, Any]) -> dict[str, Any]:
    """The given options that a study has."""
    return {
        name: value for name, value in options.items() if name in study.options and value is not None and value != ()
    }


def ask(study: Study, model: Any, given: Mapping[str, Any]) -> Any:
    """Runs a study of a model with the options that it has; a progress line shows work that takes long."""
    from mubo.api.questions import answer

    progress = SimulationProgress() if study.name == "simulate" else Progress()
    with warnings.catch_warnings(), progress:
        warnings.simplefilter("ignore")  # the command prints the event itself
        watched = {"progress": progress} if "progress" in study.options else {}
        return answer(study, model.build(), {**given_to(study, given), **watched})
