"""What the page's script reads: the scene, and the columns of the run with the charts to begin with."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.results import Trajectory
from mubo.view.decimate import MOST, thinned
from mubo.view.plot import first_columns
from mubo.view.scene import Scene

FRAMES, MOST_FRAMES = 4000, 20_000  # positions that are kept for the animation
TURN = np.radians(20.0)  # how far a body may turn from one kept position to the next, before more are kept
# Columns of one owner with the same meaning share a chart.
GROUPS = (
    ("x", "y", "z"),
    ("vx", "vy", "vz"),
    ("ax", "ay", "az"),
    ("qw", "qx", "qy", "qz"),
    ("wx", "wy", "wz"),
    ("alphax", "alphay", "alphaz"),
    ("kinetic", "potential", "total"),
    ("dissipated", "supplied"),
)


def as_script(data: Any) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def drawn_scene(scene: Scene) -> Scene:
    """The scene with as many positions as the animation needs, the first and last among them."""
    rows = len(scene.times)
    stride = max(int(np.ceil(rows / FRAMES)), 1)
    turn = max((_largest_turn(pose) for pose in scene.poses.values()), default=0.0)
    if turn > 0:
        stride = max(min(stride, int(TURN / turn)), int(np.ceil(rows / MOST_FRAMES)))
    if stride == 1:
        return scene
    kept = np.unique(np.append(np.arange(0, rows, stride), rows - 1))
    return replace(
        scene,
        times=scene.times[kept],
        poses={name: pose[kept] for name, pose in scene.poses.items()},
        rates={name: rate[kept] for name, rate in scene.rates.items()},
        forces=tuple(replace(force, values=force.values[kept]) for force in scene.forces),
    )


def _largest_turn(pose: Array) -> float:
    """Radians that a body turns from one row to the next, at most."""
    if len(pose) < 2:
        return 0.0
    if pose.shape[1] == 3:
        turns = np.abs(np.diff(pose[:, 2]))
    else:
        turns = 2 * np.arccos(np.clip(np.abs(np.sum(pose[1:, 3:] * pose[:-1, 3:], axis=1)), 0, 1))
    return float(np.nanmax(turns, initial=0.0))


def run_data(run: Trajectory, scene: Scene, shown: list[str]) -> dict[str, Any]:
    """Columns as base64 doubles, thinned to what a pixel can show; `shown` are the charts to begin with."""
    t = run["t"]
    columns = []
    for name, values in run.columns.items():
        if name == "t":
            continue
        times, kept = thinned(t, np.asarray(values, float))
        column = {
            "name": name,
            "unit": run.unit(name),
            "group": group_of(name),
            "colour": scene.colour(name),
            "v": _packed(kept, "<f8"),
        }
        columns.append(column if len(times) == len(t) else {**column, "t": _packed(times, "<f8")})
    return {
        "times": _packed(t if len(t) <= MOST else t[:0], "<f8"),  # thinned columns have times of their own
        "columns": columns,
        "shown": shown or _first_charts(run),
        "rates": {name: _packed(rate, "<f4") for name, rate in scene.rates.items()},
    }


def group_of(column: str) -> str:
    """Which columns share a chart: x, y, z of one body, coordinates of one joint, energies."""
    head, _, tail = column.rpartition(".")
    for group in GROUPS:
        if tail in group and (head == "energy") == (group[0] in ("kinetic", "dissipated")):
            return f"{head}.{group[0]}"
    if tail[:1] in ("q", "v", "a") and tail[1:].isdigit():
        return f"{head}.{tail[0]}"
    return column


def _first_charts(run: Trajectory) -> list[str]:
    """What to see first; of a simulation its energies too."""
    energy = [name for name in ("energy.kinetic", "energy.potential", "energy.total") if name in run.columns]
    return [*first_columns(run), *energy]


def _packed(values: Array, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()
