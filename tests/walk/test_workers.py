"""Worker processes end with the command that started them, however it ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLEEPERS = """
import operator, time
from mubo.design.workers import over_cores
print("begun", flush=True)
list(over_cores(operator.call, time.sleep, {0: 600, 1: 600}, 2))
"""


def children_of(process):
    """Numbers of the child processes, of all threads of a process."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(number) for task in tasks for number in task.read_text().split()]


def is_alive(process):
    """Whether a process runs: one that has ended may wait as a zombie for whoever adopted it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def wait_for(fact, seconds=60.0):
    end = time.monotonic() + seconds
    while not fact() and time.monotonic() < end:
        time.sleep(0.05)
    assert fact()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_workers_end_with_a_command_that_was_killed():
    with subprocess.Popen([sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        wait_for(lambda: len(children_of(process.pid)) >= 3)  # two workers, and the tracker of their resources
        workers = children_of(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: not any(map(is_alive, workers)))
