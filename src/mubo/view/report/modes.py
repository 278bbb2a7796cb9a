"""The page of vibration modes: every mode swings about the rest position, which is drawn behind it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mubo.analyses.linearize.linearization import Linearization
from mubo.describe.headline import HeadlineFact
from mubo.errors import ResultError
from mubo.laws.number_text import number
from mubo.numerics.vibration_modes import VibrationMode
from mubo.results import Run
from mubo.view.report.designs import MOST_MOVING, DesignAxis, design_data, write_design_page
from mubo.view.report.figures import Data
from mubo.view.report.inline import InlinePage
from mubo.view.report.page import DesignPane

MOST_SHAPES = 12  # modes whose shapes are drawn as bars


def write_mode_page(found: Linearization, path: str | Path) -> InlinePage:
    """Writes the page of vibration modes: each swings about the rest position, which is drawn behind it."""
    if not found.modes:
        raise ResultError("there is no mode to show: the mechanism has no degree of freedom")
    per = found.units.get("time") or "s"
    hertz = "Hz" if per == "s" else f"1/{per}"
    axes = [
        DesignAxis("frequency", hertz, found.frequencies, True),
        DesignAxis("damping ratio", "", found.damping, True),
        DesignAxis("growth", f"1/{per}", found.growth, True),
    ]
    runs = {k: found.motion(k + 1, cycles=1) for k in range(min(len(found.modes), MOST_MOVING))}
    names = [f"mode {k + 1}" for k in range(len(found.modes))]
    notes = [mode.describe() for mode in found.modes]
    designs = design_data("mode", names, notes, axes, None, 0, runs, [], parallel=False)
    first = found.modes[0]
    facts = (
        HeadlineFact("about", found.about),
        HeadlineFact("modes", str(len(found.modes))),
        HeadlineFact("lowest", _behaviour(first, hertz, per)),
    )
    figures = [_shape(found, k) for k in range(len(found.modes))]
    note = "The amplitude is chosen to be seen; the rest position is drawn pale behind the mode."
    data = {"title": "Modes", "columns": 1, "figures": figures[:MOST_SHAPES], "note": note, "designs": designs}
    return write_design_page(runs[0], DesignPane(data, runs, facts, {"rest": _rest(runs[0])}), path)


def _shape(found: Linearization, k: int) -> Data:
    """Components of a shape along the degrees of freedom, the largest 1, with the sign of their phase."""
    mode = found.modes[k]
    signed = [float(abs(x) if x.real >= 0 else -abs(x)) for x in mode.shape]
    parts = [{"label": name, "value": value} for name, value in zip(found.dofs, signed, strict=True)]
    per = found.units.get("time") or "s"
    words = _behaviour(mode, "Hz" if per == "s" else f"1/{per}", per)
    return {
        "name": f"mode {k + 1}",
        "title": f"mode {k + 1}: {words}",
        "x": {"label": "component of the shape", "unit": ""},
        "y": {"label": "", "unit": ""},
        "curves": [],
        "parts": parts,
        "design": k,
    }


def _behaviour(mode: VibrationMode, hertz: str, per: str) -> str:
    """Frequency and damping ratio of what oscillates, else how fast it grows or dies away."""
    if mode.oscillates:
        return f"{number(mode.frequency, 4)} {hertz}, damping ratio {number(mode.damping, 3)}"
    rate = f" by {number(abs(mode.growth), 4)}/{per}" if mode.growth else ""
    return mode.describe() + rate


def _rest(run: Run) -> Mapping[str, list[float]]:
    """Poses of the bodies at rest, angles in radians."""
    assert run.record.mode is not None
    rest, words = run.record.mode.rest, run.model.ambient.pose
    radians = run.units.angle_factor()
    out = {}
    for body in run.model.bodies:
        if all(f"{body}.{word}" in rest for word in words):
            out[body] = [float(rest[f"{body}.{word}"][0]) * (radians if word == "phi" else 1.0) for word in words]
    return out
