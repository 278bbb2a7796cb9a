"""The command of a study: load the model, ask, write files, print, leave with the promised exit code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from mubo.cli.options import format_option, json_option, load_model, model_argument, quiet_option, require_scheme
from mubo.cli.study_options import ask, with_options
from mubo.cli.summary import fail, finish
from mubo.errors import MuboError
from mubo.studies import STUDIES, Study

Given = Mapping[str, Any]


def print_answer(found: Any, facts: Mapping[str, Any], files: list[str], given: Given) -> None:
    """Prints an answer as text, or its facts for programs, with the files that were written."""
    from mubo.formats.tables import plain

    if given["as_json"]:
        click.echo(json.dumps(plain({**facts, "files": files}), indent=1))
    elif not given["quiet"]:
        click.echo("\n".join([str(found), *(f"{'file':<15} {file}" for file in files)]))


@dataclass(frozen=True)
class StudyCommand:
    """Additions of a command to its study: options for files, early checks, what is written and printed.

    `write` answers the names of the files that it wrote; `finish` prints and may leave with an exit code.
    """

    study: str
    files: tuple[Callable[[Any], Any], ...]
    write: Callable[[Any, Given], list[str]]
    require: Callable[[str, Given], None] = lambda model, given: None
    finish: Callable[[Any, list[str], Given], None] | None = None
    leave_out: tuple[str, ...] = ()
    interrupted: Callable[[Given], None] = lambda given: None

    def command(self) -> click.Command:
        """The command for click."""
        study = STUDIES[self.study]

        def call(model: str, **given: Any) -> None:
            self._call(study, model, given)

        call.__doc__ = _help(study)
        command: Any = quiet_option(json_option(format_option(call)))
        command = with_options(study, self.leave_out)(command)
        for option in reversed(self.files):
            command = option(command)
        return click.command(study.name)(model_argument(command))

    def _call(self, study: Study, model: str, given: dict[str, Any]) -> None:
        try:
            self.require(model, given)
            loaded = load_model(model, given["kind"], given.get("guide_smoothing"))
            require_scheme(loaded, given)
            found = ask(study, loaded, given)
            files = self.write(found, given)
        except MuboError as error:
            fail(error, given["as_json"])
            return
        except KeyboardInterrupt:
            self.interrupted(given)
            raise
        if self.finish is not None:
            self.finish(found, files, given)
        else:
            found.summary["files"] += files
            finish(found, given["as_json"], given["quiet"])


def _help(study: Study) -> str:
    """The help of the command: what it does, what to know, and lines to type."""
    lines = [study.summary, ""]
    if study.notes:
        lines += [study.notes, ""]
    return "\n".join([*lines, "\b", *study.commands])
