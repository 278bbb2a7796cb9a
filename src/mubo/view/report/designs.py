"""Pages of studies with many designs: sweep, tolerance, optimisation, synthesis and vibration modes.

A page of designs is the page of one run, with a pane in which every design can be chosen and seen to move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.describe.headline import HeadlineFact
from mubo.design.optimize.optimum import Optimum
from mubo.design.sweep_result import Sweep
from mubo.design.synthesis.cognates import cognate_groups
from mubo.design.synthesis.design import SHARP
from mubo.design.synthesis.result import Synthesis
from mubo.design.tolerance_result import Tolerances
from mubo.errors import ResultError
from mubo.formats.files import write_text
from mubo.laws.number_text import number, unit_text
from mubo.results import Run
from mubo.view.report.design_axes import DesignAxis, cam_figures, measure_over
from mubo.view.report.figures import Data, numbers
from mubo.view.report.inline import InlinePage
from mubo.view.report.page import DesignPane, page, page_target
from mubo.view.scene.colours import COLOURS

MOST_MOVING = 100  # designs whose motion is on the page
BINS = 30  # of a histogram
SAMPLES = 200  # places of a normal distribution


def write_sweep_page(found: Sweep, path: str | Path) -> InlinePage:
    """Writes the page of a sweep: measures over one parameter, maps over two, parallel coordinates of more."""
    ran = np.flatnonzero(found.ok)
    if not len(ran):
        raise ResultError("no variant ran to its end: there is nothing to show", suggestion="Their status says why.")
    count, parameters = len(found), len(found.points.names)
    axes = [
        DesignAxis(name, found.units.get(name, ""), np.append(found[name], found.nominal[name]), k >= parameters)
        for k, name in enumerate(found.names)
    ]
    shown = ran[np.unique(np.linspace(0, len(ran) - 1, min(len(ran), MOST_MOVING)).round().astype(int))]
    runs = {int(k): found.run(int(k)) for k in shown}
    runs[count] = found.work.run(found.model)
    names = [*(f"variant {k + 1}" for k in range(count)), "the model"]
    notes = [*("" if ok else status for ok, status in zip(found.ok, found.status, strict=True)), ""]
    measures = range(parameters, len(axes))
    maps = [{"x": 0, "y": 1, "z": k} for k in measures] if parameters == 2 else []
    figures = [measure_over(axes[0], axes[k], count, k - parameters) for k in measures] if parameters == 1 else []
    note = "Between the variants the maps are interpolated by cubics. " if maps else ""
    designs = design_data("variant", names, notes, axes, count, count, runs, maps, parallel=parameters > 1)
    pane = DesignPane(
        {"title": "Variants", "columns": 1, "figures": figures, "note": note + HINT, "designs": designs},
        runs,
        (HeadlineFact("sweep", f"{count} variants, {len(ran)} ran"), *_ends(found)),
    )
    return write_design_page(runs[count], pane, path)


HINT = "Click a design to see it move; [ and ] go from one to the next."


def _ends(found: Sweep) -> Iterable[HeadlineFact]:
    for objective in found.work.objectives:
        pair = found.best(objective.name)
        if pair is not None:
            low, high = (number(float(found[objective.name][k]), 4) for k in pair)
            yield HeadlineFact(
                objective.name, f"{low} … {high} {unit_text(found.units.get(objective.name, ''))}".strip()
            )


def write_synthesis_page(found: Synthesis, path: str | Path) -> InlinePage:
    """Writes the page of a synthesis: every design with its lengths, errors and transmission; cognates are named."""
    shown = [design for design in found.designs if design.run is not None]
    if not shown:
        raise ResultError("no design is without a defect: there is nothing to show")
    lengths = list(dict.fromkeys(name for design in shown for name in design.lengths))
    axes = [
        *(_dimension(found, shown, name) for name in lengths),
        *(
            DesignAxis(label.partition(" [")[0], label.partition(" [")[2].rstrip("]"), _errors(shown, kind), True)
            for kind, label in found.task.measured.items()
        ),
        DesignAxis("transmission", "deg", np.array([design.transmission for design in shown]), True),
    ]
    notes = [design.label for design in shown]
    for group in cognate_groups(shown):
        for k in group:
            others = ", ".join(shown[n].name for n in group if n != k)
            notes[k] += f"; cognate of {others}: the same coupler curve"
    runs = {k: design.run for k, design in enumerate(shown) if design.run is not None}
    names = [design.name for design in shown]
    designs = design_data("design", names, notes, axes, None, 0, runs, [], parallel=len(shown) > 1)
    curves = len(shown) - sum(len(group) - 1 for group in cognate_groups(shown))
    facts = (
        HeadlineFact("synthesis", found.task.label),
        HeadlineFact("solutions", f"{found.found}, {found.sound} without a defect"),
        HeadlineFact(
            "shown",
            f"{len(shown)} designs, {curves} different curves" if curves < len(shown) else _count(len(shown)),
        ),
    )
    marks, hint = found.task.marks, HINT if len(shown) > 1 else ""
    drawn = {} if marks is None else {"marks": [[float(z.real), float(z.imag)] for z in marks]}
    pane = DesignPane(
        {"title": "Designs", "columns": 1, "figures": cam_figures(runs[0]), "note": hint, "designs": designs},
        runs,
        facts,
        drawn,
    )
    return write_design_page(runs[0], pane, path)


def _count(number: int) -> str:
    return "1 design" if number == 1 else f"{number} designs"


def _dimension(found: Synthesis, designs: Sequence[Any], name: str) -> DesignAxis:
    """A dimension of every design."""
    label, _, unit = name.partition(" [")
    unit = unit.rstrip("]") if name in found.task.plain else found.task.units.length
    return DesignAxis(label, unit, np.array([design.lengths.get(name, math.nan) for design in designs]))


def _errors(designs: Sequence[Any], kind: str) -> Array:
    """Errors at the positions; those below what a design is judged by are none."""
    found = np.array([design.errors.get(kind, math.nan) for design in designs])
    return np.where(np.abs(found) < SHARP, 0.0, found)


def write_optimum_page(found: Optimum, path: str | Path) -> InlinePage:
    """Writes the page of an optimisation: the design before and after, and where the other searches ended."""
    problem, units = found.asked.problem, found.asked.units
    trials = [("before", found.asked.first), ("after", found.best)]
    trials += [(f"end of search {k + 1}", end.trial) for k, end in enumerate(found.ends) if end.trial.ran]
    pool = [trial for trial in found.pool if trial.ran]
    trials += [(f"tried {k + 1}", trial) for k, trial in enumerate(pool)]
    axes = [
        DesignAxis(name, units.get(name, ""), np.array([float(trial.values[k]) for _, trial in trials]))
        for k, name in enumerate(problem.names)
    ]
    axes += [
        DesignAxis(
            text, units.get(text, ""), np.array([trial.numbers.get(text, math.nan) for _, trial in trials]), True
        )
        for text in found.best.numbers
    ]
    runs: dict[int, Run] = {0: found.first_run, 1: found.run}
    for k, (_, trial) in enumerate(trials[2:MOST_MOVING], 2):
        run = (
            trial.run or problem.closed(trial.values).trial(trial.x).run
        )  # searches keep the numbers of their designs alone
        if run is not None:
            runs[k] = run
    names = [name for name, _ in trials]
    notes = ["the model as it was", "the best design", *("" for _ in trials[2:])]
    maps = [{"x": 0, "y": 1, "z": len(problem.names)}] if len(problem.names) == 2 else []
    designs = design_data("design", names, notes, axes, 0, 1, runs, maps, parallel=True)
    before, after = found.aim
    goal = "misfit" if problem.fits else problem.wanted[0].term.text
    facts = (
        HeadlineFact(goal, f"{number(before, 4)} → {number(after, 4)} {unit_text(units.get(goal, ''))}".strip()),
        HeadlineFact("tried", f"{found.tried} designs from {len(found.ends)} starts"),
        *(HeadlineFact("reached", text) for text in found.active[:3]),
    )
    pane = DesignPane({"title": "Designs", "columns": 1, "figures": [], "note": HINT, "designs": designs}, runs, facts)
    return write_design_page(found.run, pane, path)


def write_tolerance_page(found: Tolerances, path: str | Path) -> InlinePage:
    """Writes the page of tolerances: the distribution of every measure in its limits, and its contributions."""
    units, count = found.stack.sensitivity.units, len(found.measures)
    figures = [figure for k in range(count) for figure in (_distribution(found, k), _contributions(found, k))]
    samples = "" if found.spread is None else f"{found.spread.ran} samples that ran are the histogram. "
    note = f"{samples}The curve is the normal distribution of first order; worst case: all deviations add up."
    facts = []
    for name in found.measures:
        measure = found[name]
        wide = f"{number(measure['nominal'], 5)} ± {number(measure['worst'], 3)} {unit_text(units[name])}".strip()
        facts.append(HeadlineFact(f"{name}, worst case", wide))
    pane = DesignPane({"title": "Tolerances", "columns": 2, "figures": figures, "note": note}, {}, tuple(facts))
    return write_design_page(found.stack.sensitivity.run, pane, path)


def _distribution(found: Tolerances, k: int) -> Data:
    """Samples as a histogram, the normal distribution of first order, and the limits as marks."""
    name = found.measures[k]
    measure, unit, sigma = found[name], found.stack.sensitivity.units[name], float(found.sigma[k])
    nominal, worst = measure["nominal"], measure["worst"]
    bars: list[Data] = []
    if found.spread is not None:
        values = found.spread.values[:, k]
        heights, edges = np.histogram(values[np.isfinite(values)], BINS, density=True)
        bars = [
            {"from": float(a), "to": float(b), "high": float(h)}
            for a, b, h in zip(edges, edges[1:], heights, strict=False)
        ]
    x = np.linspace(nominal - 1.1 * worst, nominal + 1.1 * worst, SAMPLES) if worst > 0 else np.array([nominal] * 2)
    y = np.exp(-0.5 * ((x - nominal) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi)) if sigma > 0 else 0 * x
    wide = measure["three sigma"]
    places = [(nominal, "nominal", COLOURS[0])]
    places += [(nominal + sign * wide, f"{'−' if sign < 0 else '+'}3σ", COLOURS[2]) for sign in (-1, 1)]
    places += [(nominal + sign * worst, "worst", COLOURS[1]) for sign in (-1, 1)]
    return {
        "name": name,
        "title": f"{name}: {number(nominal, 5)} ± {number(worst, 3)} {unit_text(unit)}".rstrip(),
        "x": {"label": name, "unit": unit_text(unit)},
        "y": {"label": "density", "unit": ""},
        "curves": [{"label": "first order", "colour": COLOURS[0], "x": numbers(x), "y": numbers(y)}],
        "bars": bars or [{"from": nominal - worst, "to": nominal + worst, "high": 0.0}],
        "marks": [{"x": float(at), "label": label, "colour": colour} for at, label, colour in places],
    }


def _contributions(found: Tolerances, k: int) -> Data:
    """The part of every source in the variance, the largest first."""
    order = np.argsort(-found.shares[k], kind="stable")
    parts = [{"label": found.sources[n], "value": float(100 * found.shares[k][n])} for n in order]
    return {
        "name": f"contributions to {found.measures[k]}",
        "title": "contributions to the variance",
        "x": {"label": "contribution", "unit": "%"},
        "y": {"label": "", "unit": ""},
        "curves": [],
        "parts": parts,
    }


def design_data(
    word: str,
    names: list[str],
    notes: list[str],
    axes: list[DesignAxis],
    model: int | None,
    first: int,
    runs: Mapping[int, Run],
    maps: list[Data],
    parallel: bool,
) -> Data:
    known = [axis.as_json() for axis in axes if maps or np.any(np.isfinite(axis.values))]  # maps count axes
    data = {"word": word, "names": names, "notes": notes, "axes": known, "model": model}
    return data | {"first": first, "moving": sorted(runs), "maps": maps, "parallel": parallel}


def write_design_page(run: Run, pane: DesignPane, path: str | Path) -> InlinePage:
    target = page_target(path)
    shown = InlinePage(page(run, target.name, [], pane=pane), target.name)
    write_text(target, shown.text)
    return shown
