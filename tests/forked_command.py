"""The command `mubo` in a process of its own that need not load its modules: a fork of one that has loaded them.

A command of the suite costs half a second to two seconds in a fresh process, nearly all of it imports. Here one server
imports them once; for each command it forks, and the child gets folder, arguments and standard streams and runs the
entry point of the command, so that exit codes, streams, signals and files are those of a process. What depends on a
fresh process (which modules are loaded, environment variables, the installed script) is tested with one:
`tests/house/test_loading.py`, `test_readme.py`, `test_terminal.py`, and `command` where it is given an environment.
A program in Python is run likewise, as "__main__".
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path

LOADED = (
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse.linalg",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.spatial",
)
DRAWING = ("matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg")
PATIENCE = 60.0  # seconds in which a command has to end after a signal
LEFT_OUT = ("mubo.__main__", "mubo.studio")  # what acts when it is imported, and what few commands need


class ForkedCommands:
    """A server of forked commands, started with the first command and ended with the suite."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        self._server = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
        )
        theirs.close()

    def run(
        self,
        words: list[str],
        folder: Path,
        given: str,
        timeout: float,
        ended_by: signal.Signals | None = None,
        program: str = "mubo",
    ) -> subprocess.CompletedProcess[str]:
        """Exit code and streams of `mubo WORDS` in a folder, or of a program there, with text on its standard input.

        After `timeout` seconds it is killed, which is an error, or gets the signal `ended_by` and has to answer.
        """
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            stdin.write(given.encode())
            stdin.seek(0)
            request = json.dumps([str(folder), program, words]).encode()
            socket.send_fds(
                self._ours, [len(request).to_bytes(8, "little")], [one.fileno() for one in (stdin, out, errors)]
            )
            self._ours.sendall(request)
            code = self._end(self._answer(), timeout, ended_by)
            if code is None:
                raise subprocess.TimeoutExpired([program, *words], timeout)
            texts = []
            for stream in (out, errors):
                stream.seek(0)
                texts.append(stream.read().decode().replace("\r\n", "\n"))
        return subprocess.CompletedProcess([program, *words], code, *texts)

    def _end(self, child: int, timeout: float, ended_by: signal.Signals | None) -> int | None:
        """The exit code of a child; None of one that had to be killed."""
        waits = [(timeout, ended_by)] if ended_by else []
        for seconds, number in [*waits, (PATIENCE if ended_by else timeout, signal.SIGKILL)]:
            self._ours.settimeout(seconds)
            try:
                return self._answer()
            except TimeoutError:
                os.kill(child, number)
            finally:
                self._ours.settimeout(None)
        self._answer()
        return None

    def _answer(self) -> int:
        answer = self._ours.recv(8, socket.MSG_WAITALL)
        if len(answer) < 8:
            raise RuntimeError(f"the server of commands ended with {self._server.wait()}")
        return int.from_bytes(answer, "little", signed=True)

    def close(self) -> None:
        self._ours.close()
        self._server.wait()


def load_everything() -> None:
    """Import what commands import while they work."""
    import mubo

    for name in (*LOADED, *DRAWING):
        with suppress(ImportError):  # of an extra that is not installed
            importlib.import_module(name)
    for module in pkgutil.walk_packages(mubo.__path__, "mubo."):
        if not module.name.startswith(LEFT_OUT):
            with suppress(ImportError):
                importlib.import_module(module.name)


def run_as_command(folder: str, program: str, words: list[str], streams: list[int]) -> int:
    """Run the entry point of `mubo`, or a program, in this process, a fork, and return its exit code."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    started = Path(sys.executable).parent / "mubo" if program == "mubo" else Path(folder) / program
    sys.argv = [str(started), *words]
    sys.path[0] = str(started.parent)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it lives as long as the process
    try:
        if program == "mubo":
            from mubo.__main__ import main

            main()
        else:
            runpy.run_path(program, run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    with suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code


def serve(requests: socket.socket) -> None:
    """Fork for every request; answer with the number of the process, then with its exit code."""
    while True:
        size, streams, *_ = socket.recv_fds(requests, 8, 3)
        if not size:
            return
        folder, program, words = json.loads(requests.recv(int.from_bytes(size, "little"), socket.MSG_WAITALL))
        child = os.fork()
        if child == 0:
            requests.close()
            code = run_as_command(folder, program, words, streams)
            import atexit

            atexit._run_exitfuncs()
            os._exit(code)
        for stream in streams:
            os.close(stream)
        requests.sendall(child.to_bytes(8, "little", signed=True))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        requests.sendall(status.to_bytes(8, "little", signed=True))


if __name__ == "__main__":
    load_everything()
    gc.freeze()  # children share these pages as long as nothing looks through them
    serve(socket.socket(fileno=int(sys.argv[1])))
