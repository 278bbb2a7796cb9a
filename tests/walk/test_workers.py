"""Worker processes end with the command that started them, however it ended."""

import operator
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mubo.design import workers
from mubo.design.workers import over_cores

SLEEPERS = """
import operator, time
from mubo.design.workers import over_cores
print("begun", flush=True)
list(over_cores(operator.call, time.sleep, {0: 600, 1: 600}, 2))
"""

PROCESSES = dict.fromkeys(range(4), "__import__('os').getpid()")  # four jobs: the number of the process that does them


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


def test_short_work_starts_no_process():
    """What is done in less time than a process needs to begin is done here; a number that is given is obeyed."""
    assert {process for _, process in over_cores(operator.call, eval, PROCESSES, None)} == {os.getpid()}
    assert os.getpid() not in {process for _, process in over_cores(operator.call, eval, PROCESSES, 2)}


def test_the_rest_of_long_work_is_shared_out(monkeypatch):
    monkeypatch.setattr(workers, "LOADING", 0.0)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    found = dict(over_cores(operator.call, eval, PROCESSES, None))
    assert found[0] == os.getpid()
    assert os.getpid() not in {found[1], found[2], found[3]}
