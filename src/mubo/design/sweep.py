"""Sweeps: the parameters of a model varied, every variant run and measured, on one machine or a cluster.

While a sweep runs, its finished chunks are parts of a Parquet dataset in a folder beside its table, each whole or
absent. The folder states its sweep: one that was interrupted continues where it was, another one is refused.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mubo.design.objectives import objectives_by_columns
from mubo.design.ranges import Points, points_of
from mubo.design.sweep_result import Sweep
from mubo.design.variants import STUDIES, Done, Work, batch_agrees, measured, units_of
from mubo.design.workers import workers_of
from mubo.errors import ModelError, ResultError, nearest
from mubo.formats.files import replacing, write_text
from mubo.model import ModelDefinition
from mubo.model.objectives import Objective, read_objective
from mubo.model.read_parameters import parameter_unit
from mubo.quantities.output_times import OutputTimes
from mubo.results import require_ending
from mubo.studies.design import SweepOptions

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
        "times": [float(t) for t in work.times.grid()],
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
        with replacing(self.folder / f"part-{number:06d}.npz") as temporary, open(temporary, "wb") as file:
            np.savez(file, values=done.values, status=np.array(done.status, str))

    def there(self) -> Iterator[tuple[int, Done]]:
        """The parts that are written."""
        for file in sorted(self.folder.glob("part-*.npz")):
            try:
                with np.load(file) as part:
                    done = Done(part["values"], part["status"].tolist())
            except (OSError, ValueError, KeyError, BadZipFile):
                raise ResultError(f"{file} is broken", suggestion="Remove it; --resume computes it anew.") from None
            yield int(file.stem.partition("-")[2]), done

    def remove(self) -> None:
        """After the whole table is written."""
        shutil.rmtree(self.folder, ignore_errors=True)


Progress = Callable[[float, float], None]


def objectives_of(model: ModelDefinition, texts: Sequence[str]) -> tuple[Objective, ...]:
    """The objectives asked for: those that the model names, or texts; all that the model names where none is asked."""
    if not texts and not model.objectives:
        raise ModelError(
            "there is nothing to measure",
            suggestion='Ask for --measure "max motor.effort" or --measure stroke, or write [measure.NAME] number="…".',
        )
    known = model.objectives
    found = [known.get(text) or read_objective(text, known=known) for text in texts] or [*known.values()]
    names = [objective.name for objective in found]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f'"{name}" is measured twice')
    return tuple(found)


def sweep(
    model: ModelDefinition,
    points: Points,
    objectives: Sequence[Objective],
    study: str,
    times: OutputTimes,
    *,
    output: Path | None = None,
    resume: bool = False,
    cluster: Any = None,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Sweep:
    """Run every variant. The nominal design is run first: a wrong model or objective is refused before anything is
    computed. With `output` every part that is done is kept beside it, and the whole table written last."""
    if study not in STUDIES:
        raise ModelError(f'there is no analysis "{study}" of variants. {nearest(study, STUDIES)}')
    work = Work(model, points.names, tuple(objectives), study, times)
    first = work.run(model)
    if first.summary["status"] != "ok":
        raise ModelError(f"the nominal design does not run to its end: {first.events[-1].message}")
    numbers, _ = measured(work, first)
    work = replace(work, by_columns=objectives_by_columns(objectives, first))
    work = replace(work, batched=batch_agrees(work, numbers))
    units = {**{name: parameter_unit(model.units, name) for name in points.names}, **units_of(work, first)}
    nominal = {name: float(model.parameters[name].value) for name in points.names}
    nominal |= dict(zip((o.name for o in objectives), numbers, strict=True))
    parts = SweepFolder(output) if output is not None else None
    if output is not None:
        require_ending(output, "Sweep")
    if parts is not None:
        parts.begin(work, points, resume)
    done = _computed(work, points, parts, cluster, workers, progress)
    values = np.concatenate([done[number].values for number in sorted(done)])
    status = [text for number in sorted(done) for text in done[number].status]
    answer = Sweep(work, points, values, status, units, nominal)
    if output is not None and parts is not None:
        answer.save(output)
        parts.remove()
    return answer


def _computed(
    work: Work, points: Points, parts: SweepFolder | None, cluster: Any, workers: int | None, progress: Progress
) -> dict[int, Done]:
    """All parts by number: those that are there already, and the rest as they are done."""
    size = chunk_of(len(points))
    chunks = {k // size: points.values[k : k + size] for k in range(0, len(points), size)}
    done = dict(parts.there()) if parts is not None else {}
    chunks = {number: values for number, values in chunks.items() if number not in done}
    ready = len(points) - sum(len(values) for values in chunks.values())
    begun = ready
    for number, found in workers_of(cluster, work, chunks, workers) if chunks else ():
        done[number] = found
        if parts is not None:
            parts.write(number, found)
        ready += len(found.status)
        progress(ready - begun, len(points) - begun)
    return done


def answer_sweep(definition: ModelDefinition, options: SweepOptions) -> Sweep:
    """Answers the study `sweep`."""
    taken: dict[str, Any] = {
        "method": options.method,
        "samples": options.samples,
        "seed": options.seed,
        "yes": options.yes,
    }
    return sweep(
        definition,
        points_of(definition, options.vary, **taken),
        objectives_of(definition, options.measures),
        analysis_of(definition, options.analysis),
        options.times,
        output=None if options.output is None else Path(options.output),
        resume=options.resume,
        cluster=options.cluster,
        workers=options.workers,
        progress=options.progress,
    )


def analysis_of(definition: ModelDefinition, asked: str | None) -> str:
    """The analysis that every design is run by: the one asked for, else that of the model."""
    return asked or (definition.analysis.type if definition.analysis is not None else "kinematics")
