"""Ctrl-C and SIGTERM end the command with one line at any moment, without traceback or half-written files.

The imports of the command take a third of a second, before any `try` of it can begin; and compiled modules that are
interrupted while they load report that they cannot be imported, not why.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

SIGNALS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}  # what ends a program of Python
_heard: list[int] = []  # signals received since the command handles them


def quiet_while_loading() -> None:
    """Let an interruption end the process at once, with one line, until the command handles it itself."""
    _handle(_end)


def listen() -> None:
    """Make an interruption an exception again, which the command reports in one line."""
    _handle(_raise)


def interrupted() -> bool:
    """Whether the command was interrupted; an error that follows may be its consequence."""
    return bool(_heard)


def exit_code() -> int:
    """The exit code of a program that a signal has ended: 130 for Ctrl-C."""
    return 128 + (_heard[-1] if _heard else signal.SIGINT)


def _handle(handler: Callable[[int, FrameType | None], NoReturn]) -> None:
    """Set the handler where nobody else has set one: in the background an interruption stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number, usual in SIGNALS.items():
        if signal.getsignal(number) in (usual, _end, _raise):
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """End the process at once: while modules load, no file has been begun."""
    os.write(2, b"interrupted\n")
    os._exit(128 + number)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    """Raise the exception that the command reports; a second interruption ends it at once."""
    if _heard:
        _end(number, frame)
    _heard.append(number)
    raise KeyboardInterrupt
