"""The command `mubo`."""

from __future__ import annotations

import gc
import sys
import warnings
from typing import Any, NoReturn

import click

from mubo.cli.animate import animate
from mubo.cli.check import check
from mubo.cli.colours import coloured
from mubo.cli.compare import compare
from mubo.cli.convert import convert
from mubo.cli.examples import examples
from mubo.cli.export import export
from mubo.cli.gait import gait
from mubo.cli.inverse import inverse
from mubo.cli.kinematics import kinematics
from mubo.cli.linearize import linearize
from mubo.cli.optimize import optimize
from mubo.cli.plot import plot
from mubo.cli.report import report
from mubo.cli.run import run
from mubo.cli.sensitivity import sensitivity
from mubo.cli.simulate import simulate
from mubo.cli.statics import statics
from mubo.cli.strength import strength
from mubo.cli.sweep import sweep
from mubo.cli.synthesize import synthesize
from mubo.cli.tolerance import tolerance
from mubo.cli.verify import verify
from mubo.interrupt import exit_code, interrupted, listen


class _Group(click.Group):
    """Offers the nearest command for a misspelt one."""

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
    *(run, check, kinematics, inverse, statics, linearize, strength, gait, simulate, verify),
    *(sweep, sensitivity, tolerance, optimize, synthesize),
    *(plot, animate, report, export, compare, convert, examples),
)
for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Runs the command line; errors of the model or the analysis end in one message and an exit code."""
    from mubo.errors import MuboError

    gc.set_threshold(100_000, 50, 50)  # a command makes many objects and few cycles: looking costs a tenth
    # What overflows is told by the result that it spoils, with column and time, not by a line of the program.
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
