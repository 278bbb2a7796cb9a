"""The entry point of the command `mubo`, and of `python -m mubo`.

Interruptions are handled before the imports that take their time; `import mubo` installs no signal handler.
"""

from mubo.interrupt import quiet_while_loading


def main() -> None:
    """Load the command line and run it; Ctrl-C ends it with one line from its first moment on."""
    quiet_while_loading()
    from mubo.docstrings import leave_out_docstrings

    leave_out_docstrings()
    from mubo.cli.main import main as run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
