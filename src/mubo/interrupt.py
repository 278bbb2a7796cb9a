"""Ctrl-C while the command is still loading: one word, as later, and no traceback."""

from __future__ import annotations

import sys
from types import TracebackType

COMMAND = "mubo"


def quiet_while_loading() -> None:
    """In the process of the command, and in no other, an interruption that nobody has caught yet is told in a word.

    The imports of the command take a third of a second, before any `try` of it can begin.
    """
    program = sys.argv[0].replace("\\", "/").rpartition("/")[2] if sys.argv else ""
    if program.removesuffix(".exe") == COMMAND:
        sys.excepthook = _told


def _told(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)
