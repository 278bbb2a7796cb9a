"""Many designs of one model: its parameters varied, every variant run and measured, on one machine or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mubo.design.parts import SweepFolder, chunk_of
from mubo.design.ranges import Points, points_of
from mubo.design.sweep_result import Sweep, require_ending
from mubo.design.variants import STUDIES, Done, Work, batch_agrees, measured, units_of
from mubo.design.workers import workers_of
from mubo.errors import ModelError, nearest
from mubo.model import ModelDefinition
from mubo.model.objectives import Objective, read_objective
from mubo.model.read_parameters import parameter_unit
from mubo.studies.design import SweepOptions

Progress = Callable[[float, float], None]


def objectives_of(model: ModelDefinition, texts: Sequence[str]) -> tuple[Objective, ...]:
    """The objectives asked for: those that the model names, or texts; all that the model names where none is asked."""
    if not texts and not model.objectives:
        raise ModelError(
            "there is nothing to measure",
            suggestion='Ask for --measure "max motor.effort" or --measure stroke, or write [measure.NAME] number="…".',
        )
    found = [model.objectives.get(text) or read_objective(text) for text in texts] or [*model.objectives.values()]
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
    times: tuple[float, float, float],
    *,
    output: Path | None = None,
    resume: bool = False,
    cluster: Any = None,
    workers: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Sweep:
    """Runs every variant. The nominal design is run first: what is wrong with the model or an objective is said before
    anything is computed. With `output` every part that is done is kept beside it, and the whole table written last."""
    if study not in STUDIES:
        raise ModelError(f'there is no analysis "{study}" of variants. {nearest(study, STUDIES)}')
    work = Work(model, points.names, tuple(objectives), study, times)
    first = work.run(model)
    if first.summary["status"] != "ok":
        raise ModelError(f"the nominal design does not run to its end: {first.events[-1].message}")
    numbers, _ = measured(work, first)
    work = replace(work, batched=batch_agrees(work, numbers))
    units = {**{name: parameter_unit(model.units, name) for name in points.names}, **units_of(work, first)}
    nominal = {name: float(model.parameters[name].value) for name in points.names}
    nominal |= dict(zip((o.name for o in objectives), numbers, strict=True))
    parts = SweepFolder(output) if output is not None else None
    if output is not None:
        require_ending(output)
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


def answer_sweep(definition: ModelDefinition, asked: SweepOptions) -> Sweep:
    """Answers the study `sweep`."""
    taken: dict[str, Any] = {"method": asked.method, "samples": asked.samples, "seed": asked.seed, "yes": asked.yes}
    return sweep(
        definition,
        points_of(definition, asked.vary, **taken),
        objectives_of(definition, asked.measures),
        analysis_of(definition, asked.analysis),
        asked.times,
        output=None if asked.output is None else Path(asked.output),
        resume=asked.resume,
        cluster=asked.cluster,
        workers=asked.workers,
        progress=asked.progress,
    )


def analysis_of(definition: ModelDefinition, asked: str | None) -> str:
    """The analysis that every design is run by: the one asked for, else that of the model."""
    return asked or (definition.analysis.type if definition.analysis is not None else "kinematics")
