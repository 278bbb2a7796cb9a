"""What stands beside the run on its page: columns of a table, or another run with its motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mubo.results import Run
from mubo.view.beside import Curve, reference_curves, run_curves
from mubo.view.curves import table_curve
from mubo.view.refinement import refine_rows
from mubo.view.report.numbers import pack_base64
from mubo.view.report.shapes import reduce_scene, strokes_data
from mubo.view.scene import scene_of


@dataclass(frozen=True)
class Beside:
    """Curves by column, as the page has them; the `times` that all of them share, where they are those of another run,
    and what its drawing adds to the scene."""

    curves: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    times: str = ""
    scene: Mapping[str, Any] = field(default_factory=dict)


def beside_run(run: Run, kept: list[str], reference: str | Path | Run | None) -> Beside:
    """The columns of a table or of another run beside those of a run; another planar run moves behind it."""
    if reference is None:
        return Beside()
    if not isinstance(reference, Run):
        curves = reference_curves(run, kept, reference)
        return Beside({name: curve_data(table_curve(*curve)[:2]) for name, curve in curves.items()})
    other = refine_rows(reference, [name for name in reference.columns if name in kept])
    found = run_curves(run, kept, other)
    times = next(iter(found.values()))[0]
    curves_data: dict[str, Mapping[str, str]] = {
        name: {"v": pack_base64(values, "<f8")} for name, (_, values) in found.items()
    }
    drawn = {"other": _motion(other)} if run.model.dimension == other.model.dimension == 2 else {}
    return Beside(curves_data, pack_base64(times, "<f8"), drawn)


def curve_data(curve: Curve) -> dict[str, str]:
    """Times and values of a curve as text."""
    return {word: pack_base64(np.asarray(values, float), "<f8") for word, values in zip("tv", curve, strict=True)}


def _motion(run: Run) -> dict[str, Any]:
    """The strokes of another run and how its bodies move, without its forces."""
    scene = reduce_scene(scene_of(run))
    names = {body.name for body in scene.bodies}
    static = scene.static_json()
    return {
        **{key: static[key] for key in ("name", "bodies", "points")},
        "strokes": [stroke for stroke in strokes_data(scene) if stroke["frame"] in names],
        "times": pack_base64(scene.times, "<f8"),
        "poses": {name: pack_base64(pose, "<f8") for name, pose in scene.poses.items()},
        "rates": {name: pack_base64(rate, "<f4") for name, rate in scene.rates.items()},
    }
