"""What does not depend on the form of a model file: the motion seen from its own ground, contact forces, impacts."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from rewriting import si_of
from rewritten_files import Placed, read, rewritten

import mubo

# Seconds that are compared, and how large differences may be. Between switches a motion keeps errors small, but every
# impact on round or sharp surfaces multiplies them: an error e in place turns the normal by e/r. Spans end before that
# has made of the integrator's 1e-11 what a comparison to 1e-6 could see, or where the motion of the file ends.
SPANS = {
    "ball_in_bowl": 0.8, "bicycle": 1.0, "bouncing_ball": 3.0, "car_with_trailer": 2.0, "chaplygin_sleigh": 1.5,
    "clearance_slider_crank": 0.004, "coin": 0.5, "detent": 0.34, "geneva_contact": 0.9, "gripped_box": 0.6,
    "jumping_tappet": 0.1, "latch": 0.2, "newtons_cradle": 1.0, "oil_film": 0.02, "ratchet": 0.6, "rattleback": 0.3,
    "rocking_block": 1.2, "rolling_hoop": 2.0, "wheel_in_track": 2.0,
}  # fmt: skip
ALLOWED = 1e-6


def answers(data: dict[str, Any], placed: Placed, folder: Path, span: float, finer: int = 1) -> Any:
    """Columns in SI and in the axes of the file's own ground, what happens when, and the span."""
    path = folder / "rewritten.json"
    path.write_text(json.dumps(data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = mubo.load(path)
        end = span / model.build().units.unit("time").si
        run = model.simulate(0, end, step=end / 8 / finer, rtol=1e-11, atol=1e-13)
    size, groups = len(placed.origin), {}
    for column in run.columns.schema:
        if column.kind in ("body", "contact", "energy") and column.owner not in ("world_", "weld_"):
            groups[column.name] = run[column.name][::finer] * si_of(run, column.name)
    columns = {}
    for name, values in groups.items():
        owner, _, word = name.partition(".")
        if name in ("energy.kinetic", "energy.dissipated") or word in ("gap", "normal", "omega", "alpha"):
            columns[name] = values
        if word in ("x", "vx", "ax", "fx"):
            parts = [groups[f"{owner}.{word[:-1]}{axis}"] for axis in "xyz"[:size]]
            back = placed.axes.T @ (np.array(parts) - (placed.origin[:, None] if word == "x" else 0.0))
            if word == "fx" and owner in placed.swapped:
                back = -back
            if word == "x" and f"{owner}.normal" in groups:  # the place of a force, where there is one
                back = np.where(groups[f"{owner}.normal"] > 1e-12, back, 0.0)
            columns |= {f"{owner}.{word[:-1]}{axis}": line for axis, line in zip("xyz", back, strict=False)}
    return columns, _switches(run), span


def _switches(run: mubo.Run) -> list[tuple[str, str, list[float]]]:
    """Kind and contact of the switches, each with its times. Of bounces that come to rest, how many can be told apart
    is a question of rounding: those slower than a thousandth of the fastest are left out."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in run.summary.get("contacts", []):
        found.setdefault((one["event"], one.get("contact") or one["force"]), []).append(one)
    out = []
    for (kind, name), those in sorted(found.items()):
        if kind == "impact":
            fastest = max(abs(one["speed_before"]) for one in those)
            those = [one for one in those if abs(one["speed_before"]) > 2e-3 * fastest]
        elif kind == "slip":  # not where the force itself vanishes, which may be seen first
            parts = [one["t"] for one in found.get(("part", name), [])]
            those = [one for one in those if all(abs(one["t"] - t) > 1e-6 for t in parts)]
        if kind in ("impact", "slip", "touch") and those:
            out.append((kind, name, [one["t"] * si_of(run, "t") for one in those]))
    return out


def difference(one: Any, two: Any, weight: float) -> tuple[float, str]:
    """Largest difference of two answers and where: of columns relative to the largest value of the same measure, of
    forces to the weight of all bodies at least, of times to the span; infinite where other things happen."""
    (first, events, span), (second, others, _) = one, two
    if first.keys() != second.keys():
        return np.inf, f"other columns: {sorted(first.keys() ^ second.keys())}"
    if [(kind, name, len(times)) for kind, name, times in events] != [(k, n, len(times)) for k, n, times in others]:
        return np.inf, f"{events} and {others}"
    out = (0.0, "")
    for (kind, name, times), (*_, later) in zip(events, others, strict=True):
        out = max(out, (max(abs(t - s) for t, s in zip(times, later, strict=True)) / span, f"{kind} of {name}"))
    for name, values in first.items():
        same = [key for key in first if _measure(key) == _measure(name)]
        scale = max(float(np.max(np.abs(first[key]))) for key in same)
        if _measure(name) == "f":
            scale = max(scale, weight)
        if _measure(name) in "rt":  # turning at rest is exact only to rounding
            scale = max(scale, 1.0)
        out = max(out, (float(np.max(np.abs(values - second[name]))) / (scale or 1.0), name))
    return out


def _measure(name: str) -> str:
    """What a column measures: lengths, speeds, accelerations, forces, rates of turning, energies."""
    word = name.partition(".")[2]
    return {"gap": "x", "normal": "f", "omega": "r", "alpha": "t", "kinetic": "e", "dissipated": "e"}.get(
        word, "x" if len(word) == 1 else word[0]
    )


def change_by_form(path: Path, kind: str, seed: int, folder: Path) -> tuple[float, str]:
    """By how much the answers of an example differ in another form, and which."""
    data, span = read(path), SPANS[path.stem]
    weight = 9.81 * sum(float(body.get("mass", 0.0)) for body in data["body"].values())
    plain = answers(*rewritten(data, "", seed), folder, span)
    other = answers(*rewritten(data, kind, seed), folder, span, finer=3 if kind in ("step", "all") else 1)
    return difference(plain, other, weight)
