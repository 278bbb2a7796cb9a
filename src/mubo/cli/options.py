"""Options that several commands share, the models and runs that follow from them, and the command of a study."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mubo.cli.parameters import given_parameters, given_table, keep_parameters, run_cases
from mubo.cli.study_options import (
    LEGACY,
    LOADING,
    READING,
    SectionOption,
    ask,
    click_option,
    keep_loading,
    number_or_text,
    with_options,
)
from mubo.cli.study_options import command as section_command
from mubo.cli.terminal import OutputStream, fail, finish, print_answer, standard_output, warnings_as_notes
from mubo.errors import ModelError, MuboError
from mubo.formats import FORMATS, extension_of, listed, load
from mubo.lazy_dataclass import dataclass
from mubo.studies import STUDIES, Study

if TYPE_CHECKING:
    from mubo.laws import Smoothing
    from mubo.model import ModelDefinition
    from mubo.results import Run

_F = TypeVar("_F", bound=Callable[..., Any])


def with_reading_options(argument: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """The argument that names a model, and with it the options of reading it and of setting its parameters."""
    reading = [
        click.option(name, expose_value=False, **{"callback": keep_loading, "cls": SectionOption, **declared})
        for name, declared in READING.items()
    ]
    option = click.option(
        "--set",
        multiple=True,
        metavar="NAME=VALUE",
        expose_value=False,
        callback=keep_parameters,
        help='Another value of a parameter of MODEL, such as a=0.05 or beta="25 deg". May be repeated. A study is run '
        "with every line of a table by @cases.csv or @cases.xlsx.",
    )

    def decorate(command: _F) -> _F:
        for one in reversed(reading):
            command = one(command)
        return argument(option(command))

    return decorate


def given_for_reading() -> dict[str, Any]:
    """The options of reading that the command was given, as `mubo.load` takes them."""
    given: dict[str, Any] = click.get_current_context().meta.get(LOADING, {})
    return given


model_argument = with_reading_options(
    click.argument("model", type=click.Path(readable=False), metavar="MODEL")  # loading reports what is wrong
)
format_option = click.option(
    "--format",
    "kind",
    type=click.Choice([kind.name for kind in FORMATS]),
    cls=SectionOption,
    section=LEGACY,
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
    help="In space: direction from which it is seen, in degrees.  [default: -55,18]",
)

forces_option = click.option(
    "--forces/--no-forces",
    default=None,
    help="With forces of joints and drivers as arrows with their scale; or without.  [default: as the model asks]",
)


frames_option = click.option("--frames", is_flag=True, help="With the origin and the axes of every body.")


def time_options(command: _F) -> _F:
    """Gives a command the output times of an analysis."""
    for one in reversed(TIMES):
        command = click_option(one)(command)
    return command


TIMES = tuple(one for one in STUDIES["kinematics"].options.values() if one.timing)
solver_options = with_options(STUDIES["kinematics"], ("transmission", "advantage"))
picture_options = with_options(STUDIES["kinematics"], ("transmission", "advantage", "over", "at"))


def load_file(path: str, kind: str | None, all_notes: bool = False) -> ModelDefinition:
    """Loads a model as it stands in its file."""
    given = given_for_reading()
    robot = {name: value for name, value in given.items() if name != "gravity"}
    with warnings_as_notes("" if all_notes else f"mubo check {path}"):
        return load(path, kind, given.get("gravity"), robot)


def load_model(
    path: str, kind: str | None, guide_smoothing: str | None = None, *, all_notes: bool = False
) -> ModelDefinition:
    """Loads a model, sets its parameters and smooths its measured motions as asked.

    Several notes on parts of the file that a model cannot have are counted, unless all are to be printed."""
    model = load_file(path, kind, all_notes)
    if values := given_parameters():
        model = model.replace(**values)
    if guide_smoothing is not None:
        smooth, drivers = smoothing(guide_smoothing), {}
        for name, driver in model.drivers.items():
            try:
                drivers[name] = replace(driver, motion=driver.motion.smoothed(smooth))
            except ModelError as error:
                raise ModelError(f"driver {name}: {error}", names=[name]) from None
        model = model.changed(drivers=drivers)
    return model


def smoothing(text: str) -> Smoothing:
    """ "none", "gcv" or λ; or "quintic=gcv", "butterworth=6,order=2": the keys of a model file."""
    from mubo.laws.smoothing import smoothing_of

    try:
        pairs = [part.partition("=") for part in text.split(",")]
        if len(pairs) == 1 and not pairs[0][1]:
            return smoothing_of(number_or_text(text))
        return smoothing_of({key.strip(): number_or_text(value) for key, _, value in pairs})
    except ModelError as error:
        raise click.BadParameter(str(error), param_hint="--guide-smoothing") from None


def require_scheme(model: ModelDefinition, options: Mapping[str, Any]) -> None:
    """Refuses a scheme that the format of the model does not have."""
    scheme = options.get("scheme") or "exact"
    if scheme not in ("exact", *extension_of(model).schemes):
        raise click.UsageError(f"--scheme {scheme} is for decks of O'Kins' programs")


def solve(model: ModelDefinition, options: dict[str, Any], study: str = "kinematics", **changed: Any) -> Run:
    """Runs a study with those of the common options that it has."""
    require_scheme(model, options)
    found = ask(STUDIES[study], model, {**options, **changed})
    run: Run = found.run if study in ("strength", "gait") else found
    return run


def solve_again(model: ModelDefinition, options: dict[str, Any], tolerance: float, predictor: str) -> Run:
    """The kinematics again with another tolerance and predictor, in absolute coordinates as KABIOS counted."""
    return solve(model, options, tolerance=tolerance, predictor=predictor, formulation="absolute")


def solve_motion(
    model: ModelDefinition,
    options: dict[str, Any],
    forces: bool | None = None,
    columns: Sequence[str] = (),
    **changed: Any,
) -> Run:
    """Solves what the model's [analysis] asks for: a simulation, forces, or kinematics with the `changed` options.

    Without [analysis] a spatial model that has no driver is simulated. With `forces`, or where they are left open
    and one of the `columns` is a force, the motion, prescribed or simulated, is solved with its forces."""
    if forces is None and columns:
        from mubo.model.column_names import states_forces

        forces = states_forces(model, columns)
    undriven = model.dimension == 3 and not model.drivers
    asked = model.analysis.type if model.analysis is not None else "simulate" if undriven else "kinematics"
    if asked == "kinematics" and forces:
        asked = "inverse"
    if asked == "simulate":
        times = {one.name: options.get(one.name) for one in TIMES}
        return solve(model, {**times, "reactions": bool(forces)}, "simulate")
    return solve(model, options, **changed) if asked == "kinematics" else solve(model, options, asked)


Given = Mapping[str, Any]


@dataclass(frozen=True)
class StudyCommand:
    """Additions of a command to its study: options for files, early checks, the files it writes, how it ends.

    `asked` gives the options as the study takes them; `write` returns the names of the files that it wrote; `facts`
    gives the answer for --json; `leave` may end the command with an exit code. Without `facts` the answer is a run,
    whose summary is printed. What "-o -" writes to standard output has the form of the ending `stream`, or for a
    `listed` run the listing of its format. What `instead` answers of the model file takes the place of the study.
    """

    study: str
    files: tuple[Callable[[Any], Any], ...]
    write: Callable[[Any, Given], list[str]]
    require: Callable[[str, Given], None] = lambda model, given: None
    asked: Callable[[Given], Given] = lambda given: given
    facts: Callable[[Any], Mapping[str, Any]] | None = None
    leave: Callable[[Any, Given], None] = lambda found, given: None
    leave_out: tuple[str, ...] = ()
    interrupted: Callable[[Given], None] = lambda given: None
    stream: str = ".csv"
    listed: bool = False
    instead: Callable[[str, Given], Any] = lambda model, given: None

    def command(self) -> click.Command:
        """The command for click."""
        study = STUDIES[self.study]

        def call(model: str, **given: Any) -> None:
            def run(case: dict[str, Any]) -> None:
                with standard_output(case, self.stream) as stream:
                    self._call(study, model, case, stream)

            if (table := given_table()) is None:
                run(given)
            else:
                run_cases(load_file(model, given["kind"]), table, given, run)

        call.__doc__ = _help(study)
        command: Any = quiet_option(json_option(format_option(call)))
        command = with_options(study, self.leave_out)(command)
        for option in reversed(self.files):
            command = option(command)
        made: click.Command = section_command(study.name)(model_argument(command))
        return made

    def _call(self, study: Study, model: str, given: dict[str, Any], stream: OutputStream) -> None:
        try:
            self.require(model, given)
            found = self.instead(model, given)
            if found is None:
                loaded = load_model(model, given["kind"], given.get("guide_smoothing"))
                require_scheme(loaded, given)
                found = ask(study, loaded, self.asked(given))
            if self.listed:
                stream.prefer_listing(found)
            files = self.write(found, given)
        except MuboError as error:
            fail(error, given["as_json"])
            return
        except KeyboardInterrupt:
            self.interrupted(given)
            raise
        if self.facts is not None:
            print_answer(found, self.facts(found), files, given["as_json"], given["quiet"])
            self.leave(found, given)
        else:
            found.summary["files"] += files
            finish(found, given["as_json"], given["quiet"])


def _help(study: Study) -> str:
    """The help of the command: its summary, notes, and commands to type."""
    lines = [study.summary, ""]
    if study.notes:
        lines += [study.notes, ""]
    return "\n".join([*lines, "\b", *study.commands])
