"""Who computes the chunks of a sweep: this process, all cores of this machine, or a cluster."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from mubo.arrays import Array
from mubo.studies.design.variants import Done, Work, work_through

Chunks = dict[int, Array]  # the values of every part that is still to do


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def here(work: Work, chunks: Chunks) -> Iterator[tuple[int, Done]]:
    """One after the other, in this process."""
    for number, values in chunks.items():
        yield number, work_through(work, values)


def on_cores(work: Work, chunks: Chunks, count: int) -> Iterator[tuple[int, Done]]:
    """On several processes of this machine; those of a model that cannot be sent to them in this one."""
    if count == 1 or len(chunks) == 1 or not portable(work):
        yield from here(work, chunks)
        return
    pool = ProcessPoolExecutor(min(count, len(chunks)), mp_context=get_context("spawn"), initializer=_quiet)
    try:
        with _without_script():
            waiting = {pool.submit(work_through, work, values): number for number, values in chunks.items()}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def portable(work: Work) -> bool:
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


def _quiet() -> None:
    """An interruption of the keyboard is heard by the command alone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def workers_of(cluster: Any, work: Work, chunks: Chunks, count: int | None) -> Iterator[tuple[int, Done]]:
    """The chunks as they are done, by whoever was asked for."""
    if cluster is None:
        return on_cores(work, chunks, count or cores())
    from mubo.studies.design.cluster import on_cluster

    return on_cluster(cluster, work, chunks, count)
