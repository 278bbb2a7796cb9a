"""The declaration of a study: its name, its options, and where the function is that answers it.

One declaration gives the method of `mubo.Model` with signature and docstring, the command with its options, the keys of
[analysis] in model files, and the reference page. Options that several studies share are declared here too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from mubo.docstrings import numpydoc
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property, load_place

if TYPE_CHECKING:
    from mubo.quantities.output_times import OutputTimes

FROM_MODEL = "as [analysis] says"


@dataclass(frozen=True)
class StudyOption:
    """An option of a study, the same in Python, on the command line and in [analysis].

    `quantity` is the kind of number ("time", "length", "force"), so that text with a unit is read. `choices` are all
    words that it may be, `least` its smallest number; `many` allows a name or several. `in_file` makes it a key of
    [analysis], whose value is then the default. `positional` arguments of the method come first. `flag` is its word on
    the command line where that differs from its name, "" where there is none; `parse` ("module:function") turns the
    words of the command line into its value. `section` of the help is "solver" or "legacy" for what few need. Those of
    output times (`timing`) are read together, by the model.
    """

    name: str
    annotation: str
    default: Any
    help: str
    quantity: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    many: bool = False
    in_file: bool = False
    positional: bool = False
    required: bool = False
    flag: str | None = None
    metavar: str = ""
    shown_default: str = ""
    parse: str = ""
    section: str = ""
    timing: bool = False
    example: Any = None

    def read(self, units: Any, value: Any) -> Any:
        """The value in the model's units, checked; raises a ModelError that says what is allowed."""
        if self.quantity:
            value = units.read(value, self.quantity)
        if self.many and isinstance(value, str):
            value = (value,)
        if self.choices and value not in self.choices:
            raise ModelError(
                f'{self.name} must be {" or ".join(self.choices)}; found "{value}". {nearest(str(value), self.choices)}'
            )
        if self.least is not None and not value >= self.least:
            raise ModelError(f"{self.name} must be at least {self.least:g}; found {value}")
        return value


def option(default: Any, help: str, **more: Any) -> Any:
    """A field of the options of a study: its default and one sentence, and further fields of `Option`."""
    return dataclasses.field(default=default, metadata={"help": help, **more})


solver_option = partial(option, section="solver")  # listed near the end of the help


@dataclass(frozen=True)
class Study:
    """A question that can be asked of a model.

    `asks` is the class of its options, `answer` where the function is that answers it ("module:function", called with
    the frozen definition and the options), `summary` its first sentence, `notes` what else to know, `examples` run as
    doctests, `commands` are lines for the help of the command.
    """

    name: str
    asks: type
    answer: str
    returns: str
    summary: str
    notes: str = ""
    examples: str = ""
    commands: tuple[str, ...] = ()
    group: str = "analyse"
    result: str = ""  # of the result type: "module:class", for type checkers

    @cached_property
    def options(self) -> dict[str, StudyOption]:
        """The options by name, in the order of the signature: positional ones first, those of times last of them."""
        declared = [
            StudyOption(field.name, str(field.type), field.default, **field.metadata)
            for field in dataclasses.fields(self.asks)
            if field.metadata
        ]
        declared.sort(key=lambda one: (not one.positional, one.positional and one.in_file, one.name == "progress"))
        return {one.name: one for one in declared}

    def read(self, definition: Any, given: Mapping[str, Any]) -> Any:
        """The options of this study from what was given: units read, words checked, [analysis] filled in."""
        for name in given:
            if name not in self.options:
                raise ModelError(f'{self.name} has no option "{name}". {nearest(name, self.options)}', names=[name])
        stated = {} if definition.analysis is None else definition.analysis.options
        others, values = self._others, self._defaults.copy()
        asked = {name: value for name, value in stated.items() if name in others and others[name].in_file}
        asked |= {name: value for name, value in given.items() if name in others and value is not None}
        for name, value in asked.items():
            if value is not None:
                values[name] = others[name].read(definition.units, value)
        for name in self._required:
            if asked.get(name) is None:
                raise ModelError(f"{name} is missing")
        timing = {name: given.get(name) for name in self._timing}
        if issubclass(self.asks, Timed):
            times = {name: value for name, value in timing.items() if value is not None}
            values["times"] = definition.output_times(times, self.asks.without_end, values.get("free", ()))
        return self.asks(**timing, **values)

    @cached_property
    def _timing(self) -> tuple[str, ...]:
        """The options of output times, which are read together."""
        return tuple(name for name, one in self.options.items() if one.timing)

    @cached_property
    def _others(self) -> dict[str, StudyOption]:
        """The options that are read one by one."""
        return {name: one for name, one in self.options.items() if not one.timing}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The values of the options that are read one by one, where nobody gives any."""
        return {name: one.default for name, one in self._others.items()}

    @cached_property
    def _required(self) -> tuple[str, ...]:
        """The options that must be given."""
        return tuple(name for name, one in self._others.items() if one.required)

    @property
    def in_files(self) -> bool:
        """Whether a model file may ask for it in [analysis]."""
        return self.group == "analyse" and issubclass(self.asks, Timed)

    @cached_property
    def function(self) -> Callable[[Any, Any], Any]:
        """The function that answers the study, loaded when first asked for."""
        function: Callable[[Any, Any], Any] = load_place(self.answer)
        return function

    @cached_property
    def docstring(self) -> str:
        """The docstring of the method, in the form of numpydoc."""
        parameters = [
            (f"{one.name} : {one.annotation}{_optional(one)}", self.sentences(one.name)[one.name])
            for one in self.options.values()
        ]
        text = f"{self.summary}\n\n{self.notes}".rstrip()
        refused = {"ModelError": "If the model or an option is wrong; the message names the element and the fix."}
        return numpydoc(text, parameters, self.returns, refused, self.examples)

    def sentences(self, *names: str) -> dict[str, str]:
        """The sentences about some options, each with its default."""
        return {name: f"{self.options[name].help}{_default_text(self.options[name])}" for name in names}


def _optional(one: StudyOption) -> str:
    return "" if one.required and not one.in_file else ", optional"


def _default_text(one: StudyOption) -> str:
    if one.shown_default:
        return f" Default: {one.shown_default}."
    if one.in_file:
        return f" Default: {FROM_MODEL}."
    if one.required or one.default in (None, (), "", False) or callable(one.default):
        return ""
    return f" Default: {one.default}."


def no_progress(done: float, total: float) -> None:
    """Shows nothing: the progress of a study that nobody watches."""


START = 'First row: a time such as 0.1 or "100 ms", or what a driver has moved since t = 0, such as "90 deg".'
END = 'Last row, whether or not the step divides the time: a time, or what a driver moves: "1 rev", "50 mm".'
STEP = 'Between rows: a time, or a travel of the driver, such as "1 deg".'
OVER = "Driver whose travel start, end, step and at are; plain numbers are then in its unit."
AT = "Times of the rows, or how far the driver has moved since t = 0, instead of start, end and step."
_TIMING: dict[str, Any] = {"in_file": True, "timing": True}


@dataclass(frozen=True)
class Timed:
    """The output times of a study: start, start + step, … and end, always the last row; or those of a list.

    `without_end` says what an end that nobody gives means: a "turn" of a driver, the "start" alone, or "nothing".
    """

    start: float | str | None = option(None, START, metavar="TIME", **_TIMING, positional=True, example=0)
    end: float | str | None = option(None, END, metavar="TIME", **_TIMING, positional=True, example="1 rev")
    step: float | str | None = option(None, STEP, metavar="TIME", **_TIMING, positional=True, example="1 deg")
    over: str | None = option(None, OVER, metavar="DRIVER", **_TIMING, example="motor")
    at: Sequence[float | str] | float | str | None = option(
        None, AT, metavar="TIME,...", **_TIMING, example=[0, 0.1, 0.25], parse="mubo.cli.study_options:listed_times"
    )
    times: OutputTimes = None  # type: ignore[assignment]  # given by Study.read
    without_end: ClassVar[str] = "turn"


@dataclass(frozen=True)
class Watched:
    """A study whose progress can be watched."""

    progress: Callable[[float, float], None] = option(
        no_progress, "Called with the work done and the whole work, for a progress bar.", flag=""
    )


@dataclass(frozen=True)
class Solved(Timed, Watched):
    """How the positions along a prescribed motion are solved."""

    tolerance: float | None = solver_option(
        None,
        "Largest constraint violation (FEPS).",
        shown_default="1e-10 times the decade of the mechanism's size",
    )
    max_iterations: int = solver_option(20, "Newton iterations per step (NRMAX).", least=1)
    formulation: str = solver_option("auto", "Equations to solve.", choices=("auto", "absolute", "loops"))
    branch: str = option("smooth", "Motion to follow where two cross.", choices=("smooth", "other"))
    mode: int = option(1, "Assembly mode to start in, as `mubo check --modes` numbers them.", least=1)


@dataclass(frozen=True)
class Scaled:
    """The length that weighs moments against forces."""

    length_scale: float | str | None = solver_option(
        None,
        "Length that weighs moments against forces where reactions are not unique, such as 0.1 or '100 mm'.",
        quantity="length",
        shown_default="1 m",
    )

    @property
    def scale(self) -> float | None:
        """The length scale in the model's unit of length."""
        return None if self.length_scale is None else float(self.length_scale)


@dataclass(frozen=True)
class WithForces(Solved, Scaled):
    """How forces along a motion are found."""
