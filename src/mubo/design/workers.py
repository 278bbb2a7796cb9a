"""Processes that compute the chunks of a sweep: this one, all cores of this machine, or a cluster by dask.distributed.

Any scheduler that dask knows will do. Workers return numbers, and the process that started the sweep writes them; the
chunk of a worker that dies is computed by another one.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process, resource_tracker
from threading import Thread
from time import perf_counter
from typing import Any

from mubo.arrays import Array
from mubo.design.batch import cores
from mubo.design.variants import Done, Work, work_through
from mubo.errors import ModelError, MuboError

Chunks = dict[int, Array]  # the values of every part that is still to do


LOADING = 1.0  # seconds that a new process needs to load what it works with, about


def over_cores(do: Callable[[Any, Any], Any], work: Any, jobs: Mapping[int, Any], count: int | None) -> Iterator[Any]:
    """`do(work, job)` of every job with its number, as they are done, in this process or on as many as are asked for.

    Where no number is given, jobs are done here until that has taken as long as a process needs to begin; if several
    processes would be done with the rest before this one, they do it. A model that cannot be sent to other processes is
    computed in this one.
    """
    waiting = list(jobs)
    if count is None:
        began, passed = perf_counter(), 0.0
        while waiting and passed <= LOADING:
            number = waiting.pop(0)
            yield number, do(work, jobs[number])
            passed = perf_counter() - began
        left = passed * len(waiting) / max(len(jobs) - len(waiting), 1)
        count = cores() if left > LOADING + left / cores() else 1
    rest = {number: jobs[number] for number in waiting}
    if count == 1 or len(rest) <= 1 or not portable(work):
        yield from ((number, do(work, job)) for number, job in rest.items())
    else:
        yield from _on_processes(do, work, rest, count)


def _on_processes(do: Callable[[Any, Any], Any], work: Any, jobs: Mapping[int, Any], count: int) -> Iterator[Any]:
    """`do(work, job)` of every job with its number, as they are done, on several new processes."""
    pool = ProcessPoolExecutor(min(count, len(jobs)), mp_context=get_context("spawn"), initializer=_begin_worker)
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
    hidden_values: dict[str, object] = {name: main.__dict__.pop(name) for name in hidden if name in main.__dict__}
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(hidden_values)


@contextmanager
def _born_deaf() -> Iterator[None]:
    """New processes inherit that Ctrl-C is blocked; one that is pressed meanwhile reaches this process afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: they hear it until `_begin_worker` has run
        yield
        return
    resource_tracker.ensure_running()  # where it is started later, it unblocks the signal itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """An interruption of the keyboard is heard by the command alone, and a worker ends with the command, however that
    ended: also where it was killed and could stop nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """Waits until the pipe of the parent process closes, and ends this process."""
    connection.wait([sentinel])
    os._exit(1)  # nobody is left who would read its answer


def workers_of(cluster: Any, work: Work, chunks: Chunks, count: int | None) -> Iterator[tuple[int, Done]]:
    """The chunks as they are done, by whoever was asked for."""
    if cluster is None:
        return over_cores(work_through, work, chunks, count)
    return on_cluster(cluster, work, chunks, count)


LOCAL = "local"
PATIENCE = 10  # seconds for a scheduler to answer
LOST_WORKERS = 10  # how many may die over one chunk before the chunk is blamed


class ClusterError(MuboError):
    """A cluster that cannot be reached, or workers that would answer differently."""

    exit_code = 3


def on_cluster(
    cluster: Any,
    work: Any,
    chunks: Mapping[int, Any],
    count: int | None = None,
    do: Callable[[Any, Any], Any] = work_through,
) -> Iterator[tuple[int, Any]]:
    """`do(work, chunk)` of all chunks as they are done by the workers of a dask client, of a scheduler's address, or
    "local" ones."""
    try:
        import distributed
    except ImportError:
        raise ClusterError("a cluster needs dask: pip install 'mubo[cluster]'") from None
    if not portable(work):
        raise ModelError("the model holds a Python function that cannot be sent to other machines")
    client, own = _client(distributed, cluster, count)
    try:
        require_same_version(client)
        waiting = {
            client.submit(do, work, values, pure=False, retries=LOST_WORKERS): number
            for number, values in chunks.items()
        }
        for future in distributed.as_completed(list(waiting)):  # type: ignore[no-untyped-call]
            yield waiting[future], future.result()
            future.release()
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"the cluster was lost: {error}", suggestion="--resume goes on with what is done.") from None
    finally:
        for thing in own:
            thing.close()


def _client(distributed: Any, cluster: Any, count: int | None) -> tuple[Any, list[Any]]:
    """A dask client, and what is to be closed afterwards: nothing where somebody gave their own."""
    if not isinstance(cluster, str):
        return cluster, []
    if cluster == LOCAL:
        started = distributed.LocalCluster(
            n_workers=count or cores(), threads_per_worker=1, dashboard_address=None, silence_logs=40
        )
        client = distributed.Client(started)
        return client, [client, started]
    try:
        client = distributed.Client(cluster, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"no scheduler answers at {cluster}: {str(error).splitlines()[0]}",
            suggestion="Start one with `dask scheduler` and workers with `dask worker ADDRESS`. Nothing was computed.",
        ) from None
    return client, [client]


def require_same_version(client: Any) -> None:
    """Refuses workers without mubo, or with another version than this process has."""
    own = version_here()
    try:
        found: dict[str, str] = client.run(version_here)
    except Exception as error:  # a worker without mubo cannot even read the question
        raise ClusterError(
            f"a worker does not know mubo: {error}", suggestion=f"Install mubo {own} on every worker."
        ) from None
    for worker, other in found.items():
        if other != own:
            raise ClusterError(
                f"the worker {worker} has mubo {other}, this machine has {own}: their numbers might differ",
                suggestion=f"Install mubo {own} on every worker.",
            )
    if not found:
        raise ClusterError("the scheduler has no workers", suggestion="Start some with `dask worker ADDRESS`.")


def version_here() -> str:
    """The version of mubo in this process; of one that runs from its sources, that it does."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mubo")
    except PackageNotFoundError:
        return "from its sources"
