"""Options of commands from the declarations of studies, their sections in the help, and their values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from mubo.cli.terminal import Progress, SimulationProgress
from mubo.errors import ModelError
from mubo.formats.registry import ACTUATORS, BASES, INERTIA_CHECKS
from mubo.mappings import load_place
from mubo.quantities.quantity_text import quantity
from mubo.studies import Study, StudyOption

if TYPE_CHECKING:
    from mubo.model import ModelDefinition

SOLVER = "Solver"
LEGACY = "Measured motion and older formats"
ROBOTS = "Robot descriptions (URDF, MJCF, SDF)"
SECTIONS = ("Options", SOLVER, ROBOTS, LEGACY)


class SectionOption(click.Option):
    """An option that the help lists in a section of its own."""

    def __init__(self, *names: Any, section: str = SECTIONS[0], **more: Any) -> None:
        super().__init__(*names, **more)
        self.section = section


class SectionCommand(click.Command):
    """A command whose help lists its options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options of every section below its heading."""
        records: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                records[getattr(parameter, "section", SECTIONS[0])].append(record)
        for section, rows in records.items():
            if rows:
                with formatter.section(section):
                    formatter.write_dl(rows)


command = partial(click.command, cls=SectionCommand)


def number_or_text(text: str) -> float | str:
    """A plain number, an integer where it is one; other text is read with its unit by the model."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text.strip()


def split_pairs(texts: Sequence[str], example: str) -> dict[str, str]:
    """Values by name from texts NAME=VALUE; a text without both, and a name that comes twice, are refused."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f'expected {example}; found "{text}"')
        if name in pairs:
            raise click.BadParameter(f'"{name}" is given twice: as "{pairs[name]}" and as "{value}"')
        pairs[name] = value
    return pairs


def values_by_name(texts: Sequence[str]) -> dict[str, float | str]:
    """Values of drivers and joints by name."""
    pairs = split_pairs(texts, 'NAME=VALUE such as motor=0.5 or "motor=30 deg"')
    return {name: number_or_text(value) for name, value in pairs.items()}


def cases(texts: Sequence[str]) -> dict[str, Any] | str:
    """Values by parameter of texts such as "n=600,1200", or the one word "tolerances"."""
    from mubo.design.ranges import read_ranges

    if list(texts) == ["tolerances"]:
        return "tolerances"
    found = read_ranges(texts)
    if not isinstance(found, dict):
        raise click.BadParameter("cases are NAME=VALUES or tolerances; a table of variants is for `mubo sweep`")
    return found


def choices(texts: Sequence[str]) -> list[Any]:
    """Tables, and values by parameter of texts such as "b=100,120"."""
    from mubo.design.ranges import TABLE, read_ranges

    listed = read_ranges([text for text in texts if not text.startswith(TABLE)])
    return [*(text for text in texts if text.startswith(TABLE)), *([listed] if listed else [])]


def listed_times(texts: Sequence[str]) -> list[float | str]:
    """Times or positions of a driver, separated by commas."""
    return [number_or_text(part) for text in texts for part in text.split(",")]


def sizes_by_parameter(texts: Sequence[str]) -> dict[str, Any]:
    """Tolerances of parameters, with their spread behind a comma."""
    out: dict[str, Any] = {}
    for name, text in split_pairs(texts, "NAME=SIZE, such as a=0.05mm").items():
        size, comma, spread = (part.strip() for part in text.partition(","))
        out[name] = {"size": size, "spread": spread} if comma else size
    return out


def sizes_by_joint(texts: Sequence[str]) -> dict[str, str]:
    """Radial clearances of joints."""
    return split_pairs(texts, "JOINT=SIZE, such as B=0.02mm")


def targets(texts: Sequence[str]) -> Any:
    """Targets of a fit: a list of paths, or values by measure."""
    if all("path error of " in text for text in texts):
        return list(texts)
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign and "path error of " not in text:
            raise ModelError(f'a target is written TEXT=VALUE such as "stroke of D=60 deg"; found "{text}"')
        out[name] = number_or_text(value or "0")
    return out


GUIDE_SMOOTHING = click.option(
    "--guide-smoothing",
    cls=SectionOption,
    section=LEGACY,
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
    more |= {"cls": SectionOption, "section": {"solver": SOLVER, "legacy": LEGACY}.get(one.section, SECTIONS[0])}
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
    elif one.quantity or one.timing or one.annotation.startswith("float | str"):
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


def ask(study: Study, model: ModelDefinition, given: Mapping[str, Any]) -> Any:
    """Runs a study of a model with the options that it has; a progress line shows work that takes long."""
    from mubo.analyses import answer

    progress = SimulationProgress() if study.name == "simulate" else Progress()
    with warnings.catch_warnings(), progress:
        warnings.simplefilter("ignore")  # the command prints the event itself
        watched: dict[str, Any] = {"progress": progress} if "progress" in study.options else {}
        if "linear" in study.options and not given["quiet"]:
            watched["linear"] = _show_linear_part
        return answer(study, model, {**given_to(study, given), **watched})


def _show_linear_part(found: Any) -> None:
    """Shows on standard error what is known before the random designs are run."""
    click.echo(f"to first order, while the random designs run:\n{found}\n", err=True)


LOADING = "mubo.loading"  # where a command's context keeps the options of reading a model


def keep_loading(ctx: click.Context, param: click.Parameter, given: Any) -> None:
    """Keeps an option of reading until the model is loaded."""
    if given is not None:
        ctx.meta.setdefault(LOADING, {})[param.name] = given


def _numbers(ctx: click.Context, param: click.Parameter, text: str | None) -> None:
    """Keeps numbers that commas or blanks separate, each with its unit if it has one."""
    values = None if text is None else [number_or_text(part) for part in text.replace(",", " ").split()]
    keep_loading(ctx, param, values)


READING: dict[str, dict[str, Any]] = {
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
    "--friction-rate": {
        "section": ROBOTS,
        "type": float,
        "metavar": "RATE",
        "help": "Friction of joints, which creep below this rate (rad/s, m/s); otherwise left out.",
    },
    "--actuators": {
        "section": ROBOTS,
        "type": click.Choice(ACTUATORS),
        "help": "Actuators as inputs that are zero until set, or with their servos.  [default: inputs]",
    },
}
