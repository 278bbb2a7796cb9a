"""The command `mubo`."""

from __future__ import annotations

import gc
import sys
import warnings
from typing import Any, NoReturn

import click

from mubo.cli.terminal import coloured
from mubo.interrupt import exit_code, interrupted, listen
from mubo.mappings import Registry

# The summaries of the commands that are no studies; a study declares its own.
SUMMARIES = {
    "examples": "Lists the shipped examples, or copies one here.",
    "check": "Checks a model: structure, mobility, and every problem with its remedy.",
    "convert": "Converts a model to another kind of file.",
    "studio": "Opens a mechanism in the browser, to drag, edit and play it.",
    "kabios": "Asks for a model by the prompts of KABIOS, and runs it.",
    "run": "Runs the model's [analysis]: table, summary and pictures in a folder.",
    "synthesize": "Finds linkages, gear trains and cams for a function, a motion, a path, a ratio.",
    "plot": "Draws a picture of a model's motion.",
    "animate": "Writes a film of a model's motion.",
    "report": "Writes one page with the moving mechanism, charts, equations and verification.",
    "export": "Exports the motion in 3D for browsers, Blender and others, or the model as an FMU.",
    "compare": "Compares two result tables column by column.",
    "doctor": "Lists what mubo stands on here, what is missing, and what that costs.",
}
GROUPS = {
    "Model": ("examples", "check", "convert", "studio", "kabios"),
    "Analyse": ("kinematics", "inverse", "statics", "simulate", "linearize", "equations", "strength", "gait", "run"),
    "Design": ("sweep", "sensitivity", "tolerance", "optimize", "pareto", "synthesize", "motor"),
    "Show": ("plot", "animate", "report", "export"),
    "Trust": ("verify", "compare", "doctor"),
}
_FILES = {name: "design" if group == "Design" else "analyse" for group, names in GROUPS.items() for name in names}


class _Commands(Registry[click.Command]):
    """The commands by name; that of a study gets its options when it is asked for."""

    def __getitem__(self, name: str) -> click.Command:
        loaded: Any = super().__getitem__(name)
        if not isinstance(loaded, click.Command):
            self[name] = loaded = loaded.command()
        command: click.Command = loaded
        return command


COMMANDS = _Commands({name: f"mubo.cli.{name if name in SUMMARIES else file}:{name}" for name, file in _FILES.items()})


class _Group(click.Group):
    """Offers the nearest command for a misspelt one."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands by what they are for; none of them is loaded."""
        from mubo.studies import STUDIES

        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, SUMMARIES.get(name) or STUDIES[name].summary) for name in names])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            from mubo.errors import nearest

            ctx.fail(f'there is no command "{args[0]}". {nearest(args[0], self.commands)}')
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked:
        from mubo.cli.doctor import version_line

        click.echo(version_line())
        ctx.exit()


@click.group(cls=_Group, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the versions of mubo and of what it stands on, and exit.",
)
def cli() -> None:
    """Mechanisms and multibody systems: how they move, and the proof.

    \b
    mubo examples four_bar          copies an example here
    mubo check four_bar.toml        what it is, and what is wrong with it
    mubo run four_bar.toml          does what the file asks
    """


def main() -> None:
    """Runs the command line; errors of the model or the analysis end in one message and an exit code."""
    from mubo.errors import MuboError

    gc.set_threshold(100_000, 50, 50)  # a command makes many objects and few cycles: looking costs a tenth
    # An overflow is reported by the result that it spoils, with column and time, not by a line of the program.
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    try:
        listen()
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        _leave_interrupted()
    except MuboError as error:
        click.echo(f"{coloured('error:', 'red')} {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        click.echo(f"error: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""), err=True)
        sys.exit(1)
    except MemoryError:
        click.echo("error: the result does not fit into memory: take a longer step or a shorter time", err=True)
        sys.exit(1)
    except Exception:
        if interrupted():  # such as a module that was interrupted while it was loaded
            _leave_interrupted()
        raise


def _leave_interrupted() -> NoReturn:
    click.echo("interrupted", err=True)
    sys.exit(exit_code())
