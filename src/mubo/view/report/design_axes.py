"""Numbers of many designs, and figures of one over another: measures over a parameter, a cam over its angle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.laws.number_text import unit_text
from mubo.results import Run
from mubo.view.report.figures import Data, numbers
from mubo.view.scene.colours import COLOURS


@dataclass(frozen=True)
class DesignAxis:
    """A parameter, or a measure, of every design."""

    name: str
    unit: str
    values: Array
    measure: bool = False

    def as_json(self) -> Data:
        return {
            "label": self.name,
            "unit": unit_text(self.unit),
            "values": numbers(self.values),
            "measure": self.measure,
        }


def measure_over(parameter: DesignAxis, measure: DesignAxis, count: int, k: int) -> Data:
    """A measure over a parameter, of `count` designs; the value of the model, if it follows, is a mark."""
    order = np.argsort(parameter.values[:count])
    curve = {"label": measure.name, "colour": COLOURS[k % len(COLOURS)], "points": len(parameter.values) > count}
    curve |= {"x": numbers(parameter.values[:count][order]), "y": numbers(measure.values[:count][order])}
    return {
        "name": measure.name,
        "title": measure.name,
        "x": {"label": parameter.name, "unit": unit_text(parameter.unit)},
        "y": {"label": measure.name, "unit": unit_text(measure.unit)},
        "curves": [curve],
        "marks": [{"x": float(x), "label": "the model"} for x in parameter.values[count:]],
    }


def cam_figures(run: Run) -> list[Data]:
    """Follower, pressure angle and radius of curvature over the angle of a cam; nothing for what has none."""
    contact = next((name for name in run if name.endswith(".pressure_angle")), "").partition(".")[0]
    if not contact:
        return []
    angle = f"{next(iter(run.model.drivers))}.value"
    turn = DesignAxis("cam angle", run.unit(angle), run[angle])
    follower = [
        c.name for c in run.columns.of_kind("joint") if (c.quantity, c.order) == ("q", 0) and c.owner != contact
    ]
    moved = {name: float(np.ptp(run[name])) for name in follower if np.ptp(run[name]) < 0.99 * np.ptp(turn.values)}
    named = {"follower": max(moved, key=lambda name: moved[name], default="")}
    named |= {"pressure angle": f"{contact}.pressure_angle", "radius of curvature": f"{contact}.rho"}
    return [
        measure_over(turn, DesignAxis(words, run.unit(name), run[name], True), len(run), k)
        for k, (words, name) in enumerate(named.items())
        if name in run
    ]
