"""Who computes the chunks of a sweep: this process, all cores of this machine, or a cluster."""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from typing import Any

from mubo.arrays import Array
from mubo.design.batch import cores
from mubo.design.variants import Done, Work, work_through

Chunks = dict[int, Array]  # the values of every part that is still to do


def on_cores(work: Work, chunks: Chunks, count: int) -> Iterator[tuple[int, Done]]:
    """On several processes of this machine; those of a model that cannot be sent to them in this one."""
    return over_cores(work_through, work, chunks, count)


def over_cores(do: Callable[[Any, Any], Any], work: Any, jobs: Mapping[int, Any], count: int) -> Iterator[Any]:
    """`do(work, job)` of every job with its number, as they are done, on several processes or in this one."""
    if count == 1 or len(jobs) == 1 or not portable(work):
        yield from ((number, do(work, job)) for number, job in jobs.items())
        return
    pool = ProcessPoolExecutor(min(count, len(jobs)), mp_context=get_context("spawn"), initializer=_quiet)
    try:
        with _without_script(), _born_deaf():
            waiting = {pool.submit(do, work, job): number for number, job in jobs.items()}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    except BaseException:  # an interruption too: what still runs would be waited for at the end of the program
        for process in list(pool._processes.values()):
            process.kill()  # it holds nothing that could be lost
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def portable(work: Any) -> bool:
    """Whether the work can be sent to another process: a Python function of the user's may not."""
    try:
        sent = pickle.dumps(work)
    except Exception:  # whatever a user's object raises
        return False
    return b"__main__" not in sent


@contextmanager
def _without_script() -> Iterator[None]:
    """New processes import mubo alone: the script that asks for a sweep is not run again in each of them."""
    main = sys.modules["__main__"]
    hidden = ("__file__", "__spec__")
    held: dict[str, object] = {name: main.__dict__.pop(name) for name in hidden if name in main.__dict__}
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(held)


@contextmanager
def _born_deaf() -> Iterator[None]:
    """New processes inherit that Ctrl-C is blocked; one that is pressed meanwhile reaches this process afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: they hear it until `_quiet` has run
        yield
        return
    resource_tracker.ensure_running()  # where it is started later, it unblocks the signal itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _quiet() -> None:
    """An interruption of the keyboard is heard by the command alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def workers_of(cluster: Any, work: Work, chunks: Chunks, count: int | None) -> Iterator[tuple[int, Done]]:
    """The chunks as they are done, by whoever was asked for."""
    if cluster is None:
        return on_cores(work, chunks, count or cores())
    from mubo.design.cluster import on_cluster

    return on_cluster(cluster, work, chunks, count)
