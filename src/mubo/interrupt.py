"""Ctrl-C of the command: one word, whenever it comes, and no traceback.

The imports of the command take a third of a second, before any `try` of it can begin; and compiled modules that are
interrupted while they load say that they cannot be imported, not why.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType
from typing import NoReturn

COMMAND, EXIT_CODE = "mubo", 130
_heard: list[int] = []  # interruptions, once the command listens


def quiet_while_loading() -> None:
    """In the process of the command, and in no other, an interruption while it loads ends it at once with a word."""
    program = sys.argv[0].replace("\\", "/").rpartition("/")[2] if sys.argv else ""
    if program.removesuffix(".exe") == COMMAND and _interruptible():
        signal.signal(signal.SIGINT, _end)


def listen() -> None:
    """From here on an interruption is an exception again, which the command tells in a word."""
    if _interruptible():
        signal.signal(signal.SIGINT, _raise)


def interrupted() -> bool:
    """Whether there was one: then an error on the way out may be its consequence."""
    return bool(_heard)


def _interruptible() -> bool:
    """Whether handlers may be set, and nobody else has: in the background an interruption stays ignored."""
    mine = (signal.default_int_handler, _end, _raise)
    return threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) in mine


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Nothing is begun while modules load: nothing is left behind."""
    os.write(2, b"interrupted\n")
    os._exit(EXIT_CODE)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    _heard.append(number)
    raise KeyboardInterrupt
