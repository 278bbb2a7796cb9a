"""The finished part of a sweep: parts of a Parquet dataset in a folder beside its table, each whole or not there.

The folder says what sweep it belongs to. A sweep that was interrupted goes on where it was; another one is refused.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mubo.design.ranges import Points
from mubo.design.variants import Done, Work
from mubo.errors import ResultError
from mubo.formats.atomic import replacing, write_text

PLAN = "plan.json"


def chunk_of(count: int) -> int:
    """Variants of one part: the same whoever computes them."""
    return max(1, min(500, -(-count // 64)))


def fingerprint(work: Work, points: Points) -> dict[str, Any]:
    """The data that must agree for parts to belong together."""
    try:
        design = hashlib.sha256(pickle.dumps((work.model.expressions, work.model.parameters, work.model))).hexdigest()
    except Exception:  # a Python function has no lasting name
        design = work.model.name
    return {
        "model": work.model.name,
        "design": design,
        "study": work.study,
        "times": [float(t) for t in work.times],
        "parameters": list(work.names),
        "objectives": [objective.text for objective in work.objectives],
        "variants": len(points),
        "points": hashlib.sha256(np.ascontiguousarray(points.values).tobytes()).hexdigest(),
    }


class SweepFolder:
    """The folder of a sweep in progress."""

    def __init__(self, output: Path) -> None:
        self.folder = output.with_name(output.name + ".parts")

    def begin(self, work: Work, points: Points, resume: bool) -> None:
        """Makes the folder; with `resume` one that is there must belong to the same sweep."""
        plan, file = fingerprint(work, points), self.folder / PLAN
        if not self.folder.exists():
            try:
                self.folder.mkdir(parents=True)
            except OSError as error:
                raise ResultError(f"cannot make the folder {self.folder}: {error.strerror}") from None
            write_text(file, json.dumps(plan, indent=1))
            return
        if not resume:
            raise ResultError(
                f"{self.folder} holds parts of a sweep that was not finished",
                suggestion="--resume (resume=True) goes on with it; remove the folder to begin anew.",
            )
        try:
            before = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ResultError(f"{file} is missing or broken: {self.folder} is no sweep to go on with") from None
        other = [key for key in plan if before.get(key) != plan[key]]
        if other:
            raise ResultError(
                f"{self.folder} is another sweep: its {', '.join(other)} differ{'s' * (len(other) == 1)}",
                suggestion="Give another name for the table, or remove the folder.",
            )

    def write(self, number: int, done: Done) -> None:
        """One part, whole."""
        import pyarrow
        from pyarrow import parquet

        table = {f"{k}": done.values[:, k] for k in range(done.values.shape[1])}
        with replacing(self.folder / f"part-{number:06d}.parquet") as temporary:
            parquet.write_table(pyarrow.table({**table, "status": done.status}), temporary)

    def there(self) -> Iterator[tuple[int, Done]]:
        """The parts that are written."""
        from pyarrow import parquet

        for file in sorted(self.folder.glob("part-*.parquet")):
            table = parquet.read_table(file)
            names = [name for name in table.column_names if name != "status"]
            values = np.stack([table[name].to_numpy() for name in names], -1) if names else np.zeros((len(table), 0))
            yield int(file.stem.partition("-")[2]), Done(values, table["status"].to_pylist())

    def remove(self) -> None:
        """After the whole table is written."""
        shutil.rmtree(self.folder, ignore_errors=True)
