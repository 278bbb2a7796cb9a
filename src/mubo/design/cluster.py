"""Chunks of a sweep on a cluster, by dask.distributed: any scheduler that dask knows.

Workers answer numbers; whoever asked writes them. A worker that dies loses the chunk it was at, which another computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mubo.design.batch import cores
from mubo.design.variants import Done, Work, work_through
from mubo.design.workers import Chunks, portable
from mubo.errors import ModelError, MuboError

LOCAL = "local"
PATIENCE = 10  # seconds for a scheduler to answer
LOST_WORKERS = 10  # how many may die over one chunk before the chunk is blamed


class ClusterError(MuboError):
    """A cluster that cannot be reached, or workers that would answer differently."""

    exit_code = 3


def on_cluster(cluster: Any, work: Work, chunks: Chunks, count: int | None = None) -> Iterator[tuple[int, Done]]:
    """The chunks as they are done by the workers of a dask client, of a scheduler's address, or "local" ones."""
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
            client.submit(work_through, work, values, pure=False, retries=LOST_WORKERS): number
            for number, values in chunks.items()
        }
        for future in distributed.as_completed(list(waiting)):  # type: ignore[no-untyped-call]
            done: Done = future.result()
            yield waiting[future], done
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
