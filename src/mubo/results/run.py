"""A run: the numbers of an analysis with names, units, events and verification, and the record of how it was solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.docstrings import documented
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import GROUND
from mubo.results.columns import Columns
from mubo.results.presentation import Presented, presented_by
from mubo.results.record import Event, Record, Summary
from mubo.results.table import ResultTable


@dataclass(repr=False)
class Run(ResultTable, Presented):
    """The result of an analysis: columns by name, events, a summary; it draws, films, reports and saves itself.

    One row per output time; `run["P.x"]` is a column, in the model's units. Costly results
    (events between rows, extremes, transmission, residuals) are computed at first use, and kept.

    Examples
    --------
    >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
    >>> run["P.x"].round(3), run.unit("P.x")
    (array([ 2.663, -0.965, -2.372, -1.076,  2.663]), 'm')
    >>> run.summary["status"], len(run), run.events
    ('ok', 5, [])
    """

    columns: Columns
    find_events: Callable[[], list[Event]]
    summary: Summary
    record: Record

    @cached_property
    def events(self) -> list[Event]:
        """Events of the motion in the order of time; the one that ended it comes last.

        Examples
        --------
        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.25).events
        []
        """
        return self.find_events()

    @property
    def status(self) -> str:
        """The word "ok", or "stopped" where the run ended early.

        Examples
        --------
        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.25).status
        'ok'
        """
        return str(self.summary["status"])

    @property
    def extremes(self) -> Mapping[str, Any]:
        """The least and the greatest value of every reported quantity, each with its time, searched between rows.

        Examples
        --------
        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.025)
        >>> [round(float(number), 6) for number in run.extremes["P.x"]["max"]]
        [3.216916, 0.920005]
        """
        found: Mapping[str, Any] = self.summary.get("extremes", {})
        return found

    @property
    def transmission(self) -> Mapping[str, Any]:
        """The worst transmission of every structural group, with its time.

        Examples
        --------
        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.025)
        >>> run.transmission["group"]
        'dyad RRR of coupler and rocker'
        """
        found: Mapping[str, Any] = self.summary.get("transmission", {})
        return found

    @cached_property
    def verification(self) -> Any:
        """The table of `verify()`, computed once.

        Examples
        --------
        >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.1).verification.holds
        True
        """
        return self.verify()

    @documented(
        times="Times within the run, in the model's unit of time.",
        returns="Columns by name, a row per time.",
        raises={"ResultError": "If the analysis has no motion between its rows."},
    )
    def at(self, times: float | Array) -> Columns:
        """All columns at any times of the run: solved there, not interpolated, where the analysis can solve again.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
        >>> run.at(0.5)["P.x"] == run["P.x"][2:3]
        array([ True])
        """
        solve = self.record.between or self.record.repeat
        if solve is None:
            raise ResultError("this run has no motion between its rows: take a shorter step")
        return solve(np.atleast_1d(np.asarray(times, float)))

    @documented(returns="Pairs of a label and a text.")
    def lines(self) -> list[tuple[str, str]]:
        """Labelled lines on the solution and its accuracy.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.025)
        >>> run.lines()[2]
        ('time', '0 to 1 s')
        """
        summary = self.summary
        lines = [
            ("model", self.model.name),
            ("status", f"{self.status}, {len(self)} row{'s' * (len(self) != 1)} of {len(self.columns)} columns"),
        ]
        if len(self):
            lines.append(("time", f"{self['t'][0]:g} to {self['t'][-1]:g} {self.unit('t')}".rstrip()))
        if "residual" in summary:
            lines.append(("residual", f"{summary['residual']['position']:.1e}"))
        if summary.get("energy", {}).get("error") is not None:
            lines.append(("energy error", f"{summary['energy']['error']:.1e}"))
        lines += [("event", event.message) for event in self.events]
        return lines + [("note", text) for text in summary.get("warnings", ())]

    def __str__(self) -> str:
        return "\n".join(f"{label:<13} {text}" for label, text in self.lines())

    @documented(
        columns="Columns to draw; none draws the mechanism.",
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        kind='"phase", "hodograph", "orbit", "polar", "energy", "residuals", "transmission" or "newton".',
        at="Time at which the mechanism is drawn.",
        strobe="Number of positions to draw.",
        view="Azimuth and elevation of the view in space, in degrees.",
        forces="Whether forces are drawn as arrows; by default where the run has some.",
        frames="Whether the origin and the axes of every body are drawn.",
        over="Driver or column to draw over, instead of time.",
        returns="The matplotlib figure.",
    )
    def plot(
        self,
        *columns: str,
        path: str | Path | None = None,
        kind: str | None = None,
        at: float | None = None,
        strobe: int | None = None,
        view: tuple[float, float] | None = None,
        forces: bool | None = None,
        frames: bool = False,
        over: str | None = None,
    ) -> Any:
        """Draw the mechanism, columns over time, or the path of a point or body where its columns x and y are given.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05)
        >>> figure = run.plot("P.x", "P.y", path="path.png")
        """
        draw = presented_by("Run.plot")
        shown = {"at": at, "strobe": strobe, "view": view, "forces": forces, "frames": frames}
        return draw(self, list(columns), path, kind, over=over, **shown)

    @documented(
        path="Film to write, .mp4 or .gif; without it the film is returned.",
        fps="Frames per second.",
        speed="Seconds of motion per second of film.",
        size="Width and height in pixels; default as the mechanism needs, up to 1280 × 720, a GIF up to 800 × 450.",
        trace="Whether the paths of points are drawn.",
        charts="Columns to draw beside the mechanism.",
        reference="Table whose columns are drawn dashed into the charts.",
        view="Azimuth and elevation of the view in space, in degrees.",
        forces="Whether forces are drawn as arrows; by default where the run has some.",
        frames="Whether the origin and the axes of every body are drawn.",
        progress="Called with the work done and the whole work.",
        returns="Facts about the film, or the film itself for a notebook.",
    )
    def animate(
        self,
        path: str | Path | None = None,
        *,
        fps: float = 30.0,
        speed: float = 1.0,
        size: tuple[int, int] | None = None,
        trace: bool = True,
        charts: Sequence[str] = (),
        reference: str | Path | None = None,
        view: tuple[float, float] | None = None,
        forces: bool | None = None,
        frames: bool = False,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Any:
        """Film the motion, with charts of columns beside it; a notebook shows the film.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
        >>> film = run.animate("film.gif", fps=4, size=(160, 120))
        >>> film["frames"]
        4
        """
        asked = {
            "fps": fps,
            "speed": speed,
            "size": size,
            "trace": trace,
            "charts": tuple(charts),
            "reference": reference,
        }
        return presented_by("Run.animate")(self, path, progress, view=view, forces=forces, frames=frames, **asked)

    @documented(
        path="Page to write, .html.",
        columns="Charts to begin with.",
        verify="Whether the table of `verify()` is added.",
        frames="Whether the origin and the axes of every body are drawn.",
        reference="Table, or another run that moves behind this one: its columns are dashed in the charts.",
        returns="The page, which a notebook shows.",
    )
    def report(
        self, path: str | Path, *columns: str, verify: bool = False, frames: bool = False, reference: Any = ""
    ) -> Any:
        """Write one page, .html, with the moving mechanism, charts, model, loops, equations and verification.

        Other charts can be chosen on the page. The verification solves the motion several times more.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05)
        >>> page = run.report("four_bar.html", "rocker.phi")
        """
        proof = self.verify() if verify else None
        more = {"verification": proof, "frames": frames, "reference": reference or None}
        return presented_by("Run.report")(self, path, list(columns), **more)

    @documented(columns="Charts to begin with.", returns="The page, which a notebook shows.")
    def show(self, *columns: str) -> Any:
        """Show the page of `report` in a notebook, with the moving mechanism; no file is written.

        >>> page = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05).show("rocker.phi")
        """
        return presented_by("Run.show")(self, list(columns))

    @documented(
        path="File to write, .glb, .py or .csv.",
        fps="Frame rate of the script for Blender.",
        speed="Seconds of motion per second of film.",
        returns="Notes, such as rows that were left out.",
    )
    def export(self, path: str | Path, *, fps: float | None = None, speed: float = 1.0) -> tuple[str, ...]:
        """Write the motion for 3D programs: .glb (glTF 2.0), .py (a script for Blender) or .csv (poses of bodies).

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05)
        >>> run.export("four_bar.glb")
        ()
        """
        notes: tuple[str, ...] = presented_by("Run.export")(self, path, fps=fps, speed=speed)
        return notes

    @documented(
        joint="Name of the joint.",
        on="Body on which the reaction acts; the second of the joint by default.",
        axes='Axes of the components: "ground", "body" or the name of a body.',
        at="Point about which the moment is taken, instead of the joint point.",
        returns="Arrays of force and moment, with `point` and `unique`.",
    )
    def reaction(self, joint: str, on: str | None = None, *, axes: str = GROUND, at: str | None = None) -> Any:
        """Reaction of a joint: the wrench of the other body (or bodies) on one, at the joint point, in ground axes.

        The moment is about the joint point, unless `at` names another one. It has arrays fx, fy, m (space: fx … mz),
        .force, .moment, .size, .point, and .unique for every component in these axes.

        >>> run = mubo.load("engine.toml").inverse()
        >>> pin = run.reaction("B", on="crank", axes="body")
        >>> pin, pin.fx.shape == run["t"].shape
        (<reaction of B by rod on crank, crank axes; unique>, True)
        """
        return presented_by("Run.reaction")(self, joint, on, axes, at)

    @documented(returns="A table of checks, each with the figure found, the figure allowed and a verdict.")
    def verify(self) -> Any:
        """Verify this table by second formulations, residuals, energy or virtual work, and other tolerances.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.1)
        >>> run.verify().holds
        True
        """
        return presented_by("Run.verify")(self)
