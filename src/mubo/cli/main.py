"""The command `mubo`."""

from __future__ import annotations

import gc
import sys
import warnings
from typing import Any, NoReturn

import click

from mubo.cli.analyse import ANALYSES
from mubo.cli.animate import animate
from mubo.cli.check import check
from mubo.cli.colours import coloured
from mubo.cli.compare import compare
from mubo.cli.convert import convert
from mubo.cli.design import DESIGN
from mubo.cli.examples import examples
from mubo.cli.export import export
from mubo.cli.plot import plot
from mubo.cli.report import report
from mubo.cli.run import run
from mubo.cli.synthesize import synthesize
from mubo.interrupt import exit_code, interrupted, listen

GROUPS = {
    "Model": ("examples", "check", "convert"),
    "Analyse": ("kinematics", "inverse", "statics", "simulate", "linearize", "strength", "gait", "run"),
    "Design": ("sweep", "sensitivity", "tolerance", "optimize", "synthesize"),
    "Show": ("plot", "animate", "report", "export"),
    "Trust": ("verify", "compare"),
}


class _Group(click.Group):
    """Offers the nearest command for a misspelt one."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands by what they are for."""
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(limit=100)) for name in names])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from mubo.errors import nearest

            ctx.fail(f'there is no command "{args[0]}". {nearest(args[0], self.commands)}')
        return super().resolve_command(ctx, args)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mubo", message="%(prog)s %(version)s")
def cli() -> None:
    """Mechanisms and multibody systems: how they move, and the proof.

    \b
    mubo examples four_bar          copies an example here
    mubo check four_bar.toml        what it is, and what is wrong with it
    mubo run four_bar.toml          does what the file asks
    """


COMMANDS = (
    *(run, check),
    *(one.command() for one in (*ANALYSES, *DESIGN)),
    *(synthesize, plot, animate, report, export, compare, convert, examples),
)
for command in COMMANDS:
    cli.add_command(command)


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
