"""Function generation from a formula y = f(x): precision points by Chebyshev's spacing, and the error between them.

The crank turns in proportion to x, the output in proportion to y; the n precision points of least error, to first
order, are the zeros of Chebyshev's polynomial over the range,

    x_k = (x₀ + x₁)/2 − (x₁ − x₀)/2 cos((2k − 1) π/(2n)),   k = 1 … n

(Hartenberg and Denavit, Kinematic Synthesis of Linkages, 1964, chapter 5). The structural error is that of the output
over the whole range, along a run of the linkage.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.arrays import Array
from mubo.design.synthesis.design import SHARP, Design
from mubo.design.synthesis.function_task import MET, OUTPUTS, function
from mubo.design.synthesis.requirements import FUNCTION_LINKAGES, SLIDER_CRANK, require_linkages
from mubo.design.synthesis.result import Synthesis
from mubo.errors import ModelError, MuboError
from mubo.laws.expression import Expression
from mubo.model.parts import Analysis
from mubo.quantities.output_times import OutputTimes

ROWS = 120  # of the run over the whole range
STRUCTURAL = "structural"


def chebyshev_spacing(first: float, last: float, count: int) -> Array:
    """Precision points between two ends."""
    k = np.arange(1, count + 1)
    return np.asarray((first + last) / 2 - (last - first) / 2 * np.cos((2 * k - 1) * np.pi / (2 * count)))


def values_of(text: str, x: Array) -> Array:
    """f(x) of a formula; refuses one that has no finite value in the range."""
    try:
        values = Expression(re.sub(r"\bx\b", "t", text)).values(x)
    except ModelError as error:
        raise ModelError(f'"{text}": {error}') from None
    if not np.all(np.isfinite(values)):
        raise ModelError(f'"{text}" has no finite value at x = {x[np.argmin(np.isfinite(values))]:.6g}')
    return values


def formula(
    text: str, ends: tuple[float, float], turns: tuple[float, float], count: int, linkage: str, **more: Any
) -> Synthesis:
    """Linkages whose output follows f(x), x between `ends`; `turns` are the ranges of crank (radians) and output."""
    require_linkages([linkage], FUNCTION_LINKAGES)
    slides, top = linkage == SLIDER_CRANK, max(MET.get(linkage, 5), 5)
    first, last = ends
    if not (np.isfinite(first) and np.isfinite(last)) or first == last:
        raise ModelError(f"x goes from one number to another; found {first:g} to {last:g}")
    if not 3 <= count <= top:
        raise ModelError(f"a {linkage} takes 3 to {top} precision points; found {count}")
    at = np.concatenate([[first], chebyshev_spacing(first, last, count), [last]])
    y = values_of(text, at)
    if y[0] == y[-1]:
        raise ModelError(f'"{text}" is the same at both ends of x: the range of the output belongs to their difference')
    scaled = np.column_stack([(at - first) / (last - first) * turns[0], (y - y[0]) / (y[-1] - y[0]) * turns[1]])
    found = function(scaled[1:-1] - scaled[1], linkage=linkage, **more)
    column = OUTPUTS[linkage]
    unit = f" [{found.task.units.length}]" * bool(found.task.units.length) if slides else " [deg]"
    found.task = replace(found.task, label=f"{text} at {count} points", more={STRUCTURAL: f"structural error{unit}"})
    share = (scaled[1:-1, 0] - scaled[1, 0]) / (scaled[-2, 0] - scaled[1, 0])
    reach = (
        (0.0 - scaled[1, 0]) / (scaled[-2, 0] - scaled[1, 0]),
        (turns[0] - scaled[1, 0]) / (scaled[-2, 0] - scaled[1, 0]),
    )

    def wanted(t: Array) -> Array:
        crank = scaled[1, 0] + t * (scaled[-2, 0] - scaled[1, 0])
        y_t = values_of(text, first + crank / turns[0] * (last - first))
        asked = (y_t - y[0]) / (y[-1] - y[0]) * turns[1]
        return np.asarray(asked if slides else np.degrees(asked))

    judged = [_over_range(design, column, share, reach, wanted) for design in found.designs]
    good = sorted((design for design in judged if design.sound), key=lambda design: design.errors[STRUCTURAL])
    found.designs = [replace(design, name=f"design_{n}") for n, design in enumerate(good, 1)]
    found.rejected += [design for design in judged if not design.sound]
    found.defects.update(["run"] * (len(judged) - len(good)))
    return found


def _over_range(design: Design, column: str, share: Array, reach: tuple[float, float], wanted: Any) -> Design:
    """The design run over the whole range, with its structural error; a defect where it does not get there."""
    start, end = reach
    step = (end - start) / ROWS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what stops a run is reported as a defect
            run = kinematics(design.model, OutputTimes(start, end, step))
    except MuboError as error:
        return replace(design, defects=(f"does not run over the whole range: {str(error).splitlines()[0]}",))
    if run.summary["status"] != "ok":
        return replace(
            design, defects=(f"does not run over the whole range: {run.events[-1].message.splitlines()[0]}",)
        )
    assert run.record.between is not None
    exact = np.asarray(run.record.between(share)[column])
    gaps = exact - wanted(share)
    missed = run[column] - wanted(run["t"]) - gaps[0]
    if np.ptp(gaps) > max(SHARP, 10 * max(design.errors.values())):
        return replace(design, defects=("branch: over the whole range it runs on another one",))
    analysis = Analysis("kinematics", {"start": start, "end": end, "step": step})
    least = float(run.summary["transmission"].get("minimum", np.nan))
    errors = design.errors | {STRUCTURAL: float(np.max(np.abs(missed)))}
    model = design.model.changed(analysis=analysis)
    return replace(design, model=model, run=run, times=share, errors=errors, transmission=least)
