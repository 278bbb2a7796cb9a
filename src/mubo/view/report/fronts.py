"""The page of a Pareto front: every goal over every other one, each design to be clicked and seen to move."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from mubo.describe.headline import HeadlineFact
from mubo.design.pareto.result import ParetoFront
from mubo.laws.number_text import number, unit_text
from mubo.results import Run
from mubo.view.report.designs import HINT, DesignAxis, design_data, write_design_page
from mubo.view.report.inline import InlinePage
from mubo.view.report.page import DesignPane


def write_front_page(found: ParetoFront, path: str | Path) -> InlinePage:
    """Writes the page of a front: its designs and the model as it was."""
    trials = [*(design.trial for design in found.designs), found.asked.first]
    count, goals = len(found), list(found.goals)

    def values(name: str) -> list[float]:
        return [found.number(trial, name) for trial in trials]

    axes = [
        DesignAxis(name, found.unit(name), np.array(values(name)), name not in found.parameters) for name in found.names
    ]
    runs: dict[int, Run] = {k: found.run(k + 1) for k in range(count)}
    if found.asked.first.run is not None:
        runs[count] = found.asked.first.run
    names = [*(f"design {k + 1}" for k in range(count)), "the model"]
    notes = [*("on the front" for _ in range(count)), "the model as it was"]
    places = [found.names.index(goal) for goal in goals]
    maps = [
        {"x": x, "y": y, "z": next((z for z in places if z not in (x, y)), 0)}
        for x, y in itertools.combinations(places, 2)
    ]
    data = design_data("design", names, notes, axes, count, 0, runs, maps, parallel=True)
    facts = (
        HeadlineFact("front", f"{count} designs, {found.tried} tried"),
        *(HeadlineFact(f"{goal}, {word}", _range(found, goal)) for goal, word in found.goals.items()),
    )
    pane = DesignPane({"title": "Designs", "columns": 1, "figures": [], "note": HINT, "designs": data}, runs, facts)
    return write_design_page(found.run(1), pane, path)


def _range(found: ParetoFront, goal: str) -> str:
    ends = (number(float(end), 4) for end in (found[goal].min(), found[goal].max()))
    return f"{' … '.join(ends)} {unit_text(found.unit(goal))}".strip()
