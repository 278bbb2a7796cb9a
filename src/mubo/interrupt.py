"""Ctrl-C of the command: one word, whenever it comes, and no traceback. SIGTERM likewise: no half file is left.

The imports of the command take a third of a second, before any `try` of it can begin; and compiled modules that are
interrupted while they load say that they cannot be imported, not why.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

SIGNALS = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}  # what ends a program of Python
_heard: list[int] = []  # interruptions, once the command listens


def quiet_while_loading() -> None:
    """Let an interruption end the process at once, with one word, until the command listens."""
    _handle(_end)


def listen() -> None:
    """From here on an interruption is an exception again, which the command tells in a word."""
    _handle(_raise)


def interrupted() -> bool:
    """Whether there was one: then an error on the way out may be its consequence."""
    return bool(_heard)


def exit_code() -> int:
    """Of a program that a signal has ended: 130 for Ctrl-C."""
    return 128 + (_heard[-1] if _heard else signal.SIGINT)


def _handle(handler: Callable[[int, FrameType | None], NoReturn]) -> None:
    """Sets it where nobody else has set one: in the background an interruption stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number, usual in SIGNALS.items():
        if signal.getsignal(number) in (usual, _end, _raise):
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Nothing is begun while modules load: nothing is left behind."""
    os.write(2, b"interrupted\n")
    os._exit(128 + number)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    _heard.append(number)
    raise KeyboardInterrupt
