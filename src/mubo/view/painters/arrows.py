"""Force arrows of a scene at one time, all to one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.errors import ResultError
from mubo.view.scene import STANDING, place
from mubo.view.scene.motion import values_at
from mubo.view.style import LOAD_COLOUR

if TYPE_CHECKING:
    from mubo.view.painters.stage import Stage

LONGEST = 0.28  # of the size of the scene


def draw_forces(stage: Stage, time: float) -> list[Any]:
    """Forces on bodies at their points; the longest of the whole motion is 0.28 of the mechanism."""
    scene = stage.scene
    if not scene.forces:
        raise ResultError("this result has no forces to draw: kinematics asks how it moves, not what that takes")
    largest = max(float(np.nanmax(np.linalg.norm(f.values, axis=1))) for f in scene.forces) or 1.0
    pose, out = stage.pose(time), []
    for force in scene.forces:
        value = values_at(scene.times, force.values, np.array([time]))[0]
        at = place(pose.get(force.body, STANDING[scene.dimension]), force.at)[0]
        ends = stage.flat(np.array([at, at + LONGEST * scene.size / largest * value]))
        style = {"arrowstyle": "-|>", "color": LOAD_COLOUR, "lw": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11}
        out.append(stage.axes.annotate("", ends[1], ends[0], arrowprops={**style, "zorder": 9}))
    return out
