"""Results that draw, film, export and report themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo import results
from mubo.model import GROUND

if TYPE_CHECKING:
    from mubo.analyses.verify.table import Verification
    from mubo.solvers.forces.reaction import JointReaction


class Run(results.Run):
    """The result of an analysis: columns by name, events, a summary; it draws, films, reports and saves itself.

    >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
    >>> run["P.x"].round(3), run.unit("P.x")
    (array([ 2.663, -0.965, -2.372, -1.076,  2.663]), 'm')
    >>> run.summary["status"], len(run), run.events
    ('ok', 5, [])
    """

    def plot(
        self,
        *columns: str,
        path: str | Path | None = None,
        kind: str | None = None,
        at: float | None = None,
        strobe: int | None = None,
        view: tuple[float, float] | None = None,
        forces: bool | None = None,
        over: str | None = None,
    ) -> Any:
        """A picture: of the mechanism, of columns against time, or of two columns x, y of a point or body: its path.

        `over="motor"` draws columns over the value of a driver (or over any other column) instead of time.

        `kind` asks for another one: "phase", "hodograph", "polar", "energy", "residuals", "transmission", "newton".
        The mechanism is drawn at the time `at`, or in `strobe` positions, in space seen from `view` (azimuth and
        elevation in degrees). Forces that the result has are drawn as arrows with their scale; `forces=False` leaves
        them out. With `path` the picture is written there; the matplotlib figure is returned.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05)
        >>> figure = run.plot("P.x", "P.y", path="path.png")
        """
        from mubo.view import plot

        return plot(self, list(columns), path, kind, over=over, at=at, strobe=strobe, view=view, forces=forces)

    def animate(
        self,
        path: str | Path | None = None,
        *,
        fps: float = 30.0,
        speed: float = 1.0,
        size: tuple[int, int] | None = None,
        trace: bool = True,
        charts: Sequence[str] = (),
        view: tuple[float, float] | None = None,
        forces: bool | None = None,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Any:
        """A film, .mp4 or .gif: `speed` is seconds of motion per second of film, `charts` are columns shown beside it.

        Forces that the result has are arrows that move along; `forces=False` leaves them out.

        Without a path the film is returned, and a notebook shows it.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
        >>> told = run.animate("film.gif", fps=4, size=(160, 120))
        >>> told["frames"]
        4
        """
        from mubo.view import FilmSettings, animate
        from mubo.view.encode import GIF_SIZE

        small = path is None or Path(path).suffix == ".gif"
        held = size or (GIF_SIZE if small else FilmSettings.size)
        settings = FilmSettings(fps, speed, (int(held[0]), int(held[1])), trace, tuple(charts), view, forces)
        if path is None:
            from mubo.view.encode import inline_film

            return inline_film(self, settings)
        return animate(self, path, settings, progress)

    def report(self, path: str | Path, *columns: str, verify: bool = False) -> None:
        """Writes one page, .html, with the moving mechanism, charts, model, loops, equations and proof.

        `columns` are the charts to begin with; others can be chosen on the page. `verify` adds the table of `verify()`,
        which solves the motion several times more.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05)
        >>> run.report("four_bar.html", "rocker.phi")
        """
        from mubo.view.report import write_report

        write_report(self, path, list(columns), verification=self.verify() if verify else None)

    def export(self, path: str | Path, *, fps: float | None = None, speed: float = 1.0) -> tuple[str, ...]:
        """Writes the motion for 3D programs: .glb (glTF 2.0), .py (a script for Blender) or .csv (poses of bodies).

        `fps` is the frame rate of the script; `speed` 0.1 shows the motion ten times slower. Answers what is to be
        told, such as rows left out.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.05)
        >>> run.export("four_bar.glb")
        ()
        """
        from mubo.view.export import export

        return export(self, path, fps=fps, speed=speed)

    def reaction(
        self, joint: str, on: str | None = None, *, axes: str = GROUND, at: str | None = None
    ) -> JointReaction:
        """What the other body (or bodies) of a joint exerts on one, at the joint point, in ground axes.

        `on` is the body (default: the second of the joint), `axes` "ground", "body" or the name of a body, `at` another
        point "rod.C" about which the moment is told. It has arrays fx, fy, m (space: fx … mz), .force, .moment, .size,
        .point, and .unique for every component in these axes.

        >>> run = mubo.load("engine.toml").inverse()
        >>> pin = run.reaction("B", on="crank", axes="body")
        >>> pin, pin.fx.shape == run["t"].shape
        (<reaction of B by rod on crank, crank axes; unique>, True)
        """
        from mubo.solvers.forces.reaction import joint_reaction

        return joint_reaction(self, joint, on, axes, at)

    def verify(self) -> Verification:
        """The proof of this table: second formulations, residuals, energy or virtual work, other tolerances.

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.1)
        >>> run.verify().holds
        True
        """
        from mubo.analyses.verify.verify import verify

        return verify(self)

    def _repr_html_(self) -> str:
        from mubo.view.encode import run_html

        return run_html(self)
