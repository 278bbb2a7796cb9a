"""What a model tells about itself without moving: reports that print themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mubo.api.tree_dynamics import TreeDynamics

if TYPE_CHECKING:
    from mubo.analyses.loops import LoopReport
    from mubo.analyses.modes import ModeReport
    from mubo.applications.check.check import CheckReport
    from mubo.legacy.wittenburg import WittenburgReport


class Reports(TreeDynamics):
    """Mobility, loops, assembly modes, and the graph of Wittenburg's method."""

    def check(self) -> CheckReport:
        """Mobility, loops, closure and redundancy at the first position, in words (print the answer).

        Of a card deck it is the table of program CLOSURE, which has `ok`, `error` and `as_dict` likewise.

        >>> report = mubo.load("four_bar.toml").check()
        >>> report.ok, report.gap < 1e-9
        (True, True)
        """
        from mubo.applications.check.check import check_model
        from mubo.formats import added, extension_of

        model = self.build()
        report: CheckReport = (added(extension_of(model).report) or check_model)(model)
        return report

    def loops(self, *, path: str | Path | None = None) -> LoopReport:
        """The loop table, the counts of degrees of freedom and the structural groups (print the answer).

        With `path` the vector polygons are drawn there.

        >>> str(mubo.load("four_bar.toml").loops()).splitlines()[0]
        'loops of four bar'
        """
        from mubo.analyses.loops import loop_report

        report = loop_report(self.build())
        if path is not None:
            from mubo.view.polygons import draw_polygons

            draw_polygons(report, path)
        return report

    def modes(self, driver: str | None = None, *, path: str | Path | None = None) -> ModeReport:
        """Every way to assemble the mechanism at its start, and the circuits they are in (print the answer).

        The circuits are those of the motion of `driver` (default: the first), the other drivers held at the start.
        With `path` the modes are drawn there side by side.

        >>> len(mubo.load("four_bar.toml").modes().modes)
        2
        """
        from mubo.analyses.modes import mode_report
        from mubo.view.painters.style import picture_target

        target = picture_target(path)  # a wrong ending is told before any work
        report = mode_report(self.build(), driver)
        if target is not None:
            from mubo.view.panels import draw_modes

            draw_modes(report, target)
        return report

    def wittenburg(self, *, path: str | Path | None = None) -> WittenburgReport:
        """Graph, vectors and matrices of Wittenburg's method at the initial position of a tree in space (print it).

        With `path` the directed graph is drawn there.

        >>> report = mubo.load("five_body_chain.toml").wittenburg()
        >>> str(report).splitlines()[0]
        "Wittenburg's equations of five body chain"
        """
        from mubo.legacy.wittenburg import wittenburg_report

        report = wittenburg_report(self.build())
        if path is not None:
            from mubo.view.directed_graph import draw_graph

            draw_graph(report.graph, self.name, path)
        return report
