"""The page of motors for a driver: the moving mechanism, and torque over speed against the curves of each motor."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mubo.applications.drives.catalogue import KINDS
from mubo.applications.drives.result import MotorSizing
from mubo.applications.drives.sizing import MotorCheck
from mubo.describe.headline import HeadlineFact
from mubo.describe.motor import duty_lines, verdict
from mubo.laws.number_text import unit_text
from mubo.view.motor import curve_points
from mubo.view.report.designs import write_design_page
from mubo.view.report.figures import Data, numbers
from mubo.view.report.inline import InlinePage
from mubo.view.report.page import DesignPane
from mubo.view.scene.colours import COLOURS

MOST = 8  # motors on a page
NOTE = "The duty must stay below the peak curve, and its root mean square, at the mean speed, below the continuous one."


def write_motor_page(found: MotorSizing, path: str | Path) -> InlinePage:
    """Writes the page."""
    figures = [_figure(found, one) for one in found.checks[:MOST]]
    facts = (HeadlineFact("motor", verdict(found)), *(HeadlineFact(*line) for line in duty_lines(found)))
    pane = DesignPane({"title": "Motors", "columns": 2, "figures": figures, "note": NOTE}, {}, facts)
    return write_design_page(found.run, pane, path)


def _figure(found: MotorSizing, one: MotorCheck) -> Data:
    kinds = KINDS[found.holds]
    torque, speed = (found.run.units.unit(kinds[key]) for key in ("torque", "speed"))
    curves = []
    for curve, colour in (("peak", COLOURS[1]), ("continuous", COLOURS[2])):
        n, m = curve_points(one.motor, curve).T
        beyond = max(float(np.max(np.abs(one.speed))), one.motor.speed)  # as far as the duty goes
        curves.append((curve, colour, np.append(n, beyond), np.append(m, 0.0)))
    curves.append(("duty", COLOURS[0], np.abs(one.speed), np.abs(one.torque)))
    level = np.array([0.0, one.motor.speed])
    curves.append(("rms", COLOURS[3], level, np.full(2, one.rms)))
    return {
        "name": f"{one.motor.name}",
        "title": f"{one.motor.name}, {one.ratio:.4g} : 1, {100 * one.utilisation:.3g} %",
        "x": {"label": "|speed| of the motor", "unit": unit_text(speed.label)},
        "y": {"label": "|torque|" if found.holds == "angle" else "|force|", "unit": unit_text(torque.label)},
        "curves": [
            {"label": label, "colour": colour, "x": numbers(x / speed.factor), "y": numbers(y / torque.factor)}
            for label, colour, x, y in curves
        ],
        "marks": [{"x": one.mean_speed / speed.factor, "label": "mean speed", "colour": COLOURS[3]}],
    }
