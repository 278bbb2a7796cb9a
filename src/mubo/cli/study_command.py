"""The command of a study: it loads the model, runs the study, writes files, prints, and returns the exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from mubo.cli.options import format_option, json_option, load_model, model_argument, quiet_option, require_scheme
from mubo.cli.standard_output import OutputStream, standard_output
from mubo.cli.study_options import ask, with_options
from mubo.cli.summary import fail, finish, print_answer
from mubo.errors import MuboError
from mubo.studies import STUDIES, Study

Given = Mapping[str, Any]


@dataclass(frozen=True)
class StudyCommand:
    """Additions of a command to its study: options for files, early checks, the files it writes, how it ends.

    `write` returns the names of the files that it wrote; `facts` gives the answer for --json; `leave` may end the
    command with an exit code. Without `facts` the answer is a run, whose summary is printed. What "-o -"
    writes to standard output has the form of the ending `stream`, or for a `listed` run the listing of its format.
    """

    study: str
    files: tuple[Callable[[Any], Any], ...]
    write: Callable[[Any, Given], list[str]]
    require: Callable[[str, Given], None] = lambda model, given: None
    facts: Callable[[Any], Mapping[str, Any]] | None = None
    leave: Callable[[Any, Given], None] = lambda found, given: None
    leave_out: tuple[str, ...] = ()
    interrupted: Callable[[Given], None] = lambda given: None
    stream: str = ".csv"
    listed: bool = False

    def command(self) -> click.Command:
        """The command for click."""
        study = STUDIES[self.study]

        def call(model: str, **given: Any) -> None:
            with standard_output(given, self.stream) as stream:
                self._call(study, model, given, stream)

        call.__doc__ = _help(study)
        command: Any = quiet_option(json_option(format_option(call)))
        command = with_options(study, self.leave_out)(command)
        for option in reversed(self.files):
            command = option(command)
        return click.command(study.name)(model_argument(command))

    def _call(self, study: Study, model: str, given: dict[str, Any], stream: OutputStream) -> None:
        try:
            self.require(model, given)
            loaded = load_model(model, given["kind"], given.get("guide_smoothing"))
            require_scheme(loaded, given)
            found = ask(study, loaded, given)
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
