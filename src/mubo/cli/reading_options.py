"""Options of reading a model that every command with a MODEL has: parameters, gravity, and those of robots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mubo.cli.study_options import ROBOTS, SectionOption, number_or_text, split_pairs
from mubo.formats.registry import BASES, INERTIA_CHECKS

_F = TypeVar("_F", bound=Callable[..., Any])

_SET = "mubo.set"  # where a command's context keeps the values of parameters
_LOADING = "mubo.loading"  # and the options of reading a model


def _parameters(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> None:
    """Keeps the values of parameters until the model is loaded."""
    pairs = split_pairs(given, "NAME=VALUE such as a=0.05")
    ctx.meta[_SET] = {name: number_or_text(value) for name, value in pairs.items()}


def _keep_loading(ctx: click.Context, param: click.Parameter, given: Any) -> None:
    """Keeps an option of reading until the model is loaded."""
    if given is not None:
        ctx.meta.setdefault(_LOADING, {})[param.name] = given


def _numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> None:
    """Keeps numbers that commas or blanks separate, each with its unit if it has one."""
    values = None if text is None else [number_or_text(part) for part in text.replace(",", " ").split()]
    _keep_loading(ctx, param, values)


_READING: dict[str, dict[str, Any]] = {
    "--gravity": {
        "metavar": "X,Y,Z",
        "callback": _numbers,
        "help": "Acceleration of gravity in place of that of MODEL, such as 0,0,-9.81.",
    },
    "--base": {
        "section": ROBOTS,
        "type": click.Choice(BASES),
        "help": "Base that floats, or is welded to the ground.  [default: as the file states]",
    },
    "--inertia-check": {
        "section": ROBOTS,
        "type": click.Choice(INERTIA_CHECKS),
        "help": "Inertias that no body has: use as given, refuse, or mend.  [default: note]",
    },
    "--stops": {
        "section": ROBOTS,
        "metavar": "STIFFNESS,DAMPING",
        "callback": _numbers,
        "help": "Soft stops at the joint limits, in SI units; otherwise limits are events.",
    },
    "--keyframe": {
        "section": ROBOTS,
        "metavar": "NAME",
        "help": "Keyframe (MJCF) in which a simulation begins.",
    },
}


def with_reading_options(argument: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """The argument that names a model, and with it the options of reading it and of setting its parameters."""
    reading = [
        click.option(name, expose_value=False, **{"callback": _keep_loading, "cls": SectionOption, **declared})
        for name, declared in _READING.items()
    ]
    option = click.option(
        "--set",
        multiple=True,
        metavar="NAME=VALUE",
        expose_value=False,
        callback=_parameters,
        help='Another value of a parameter of MODEL, such as a=0.05 or beta="25 deg". May be repeated.',
    )

    def with_options(command: _F) -> _F:
        for one in reversed(reading):
            command = one(command)
        return argument(option(command))

    return with_options


def given_for_reading() -> dict[str, Any]:
    """The options of reading that the command was given, as `mubo.load` takes them."""
    given: dict[str, Any] = click.get_current_context().meta.get(_LOADING, {})
    return given


def given_parameters() -> dict[str, Any]:
    """The values of parameters that the command was given."""
    values: dict[str, Any] = click.get_current_context().meta.get(_SET, {})
    return values
