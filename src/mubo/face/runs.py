"""Results that can draw and export themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mubo.results import LinkageTrajectory, Trajectory


class Run(Trajectory):
    """The result of an analysis: a Trajectory that can draw itself."""

    def plot(self, *columns: str, path: str | Path | None = None, kind: str | None = None) -> Any:
        """A picture of the named columns against time; of two columns x, y of a point or body: its path.

        `kind` "newton" draws the corrections per step. With `path` the picture is written there, else the matplotlib
        figure is returned.
        """
        from mubo.view import plot

        return plot(self, list(columns), path, kind)

    def export(self, path: str | Path, *, fps: float | None = None, speed: float = 1.0) -> tuple[str, ...]:
        """Writes the motion for 3D programs: .glb (glTF 2.0), .py (a script for Blender) or .csv (poses of bodies).

        `fps` is the frame rate of the script; `speed` 0.1 shows the motion ten times slower. Answers what is to be
        told, such as rows left out.
        """
        from mubo.view.export import export

        return export(self, path, fps=fps, speed=speed)


class LinkageRun(LinkageTrajectory):
    """The result of a deck, which can draw itself."""

    plot = Run.plot
