"""A model and what can be asked of it. Heavy rooms load when used."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo import formats, results
from mubo.errors import ModelError
from mubo.face.runs import Run
from mubo.face.tree_dynamics import TreeDynamics

if TYPE_CHECKING:
    from mubo.face.batches import Batch
    from mubo.studies.history.closure import ClosureReport
    from mubo.studies.motion.march import Settings
    from mubo.studies.position.check import CheckReport
    from mubo.studies.structure.loop_report import LoopReport
    from mubo.studies.structure.mode_report import ModeReport
    from mubo.studies.wittenburg import WittenburgReport


SCHEMES = ("exact", "1964")


def settings_of(tolerance: float | None, max_iterations: int, **others: Any) -> Settings:
    """Settings of a kinematic run; without a tolerance it follows from the mechanism's size."""
    from mubo.studies.motion.march import Settings

    if tolerance is not None and not tolerance > 0:
        raise ModelError(f"the tolerance must be positive; found {tolerance:g}")
    return Settings(tolerance or 0.0, max_iterations, **others)


class Model(TreeDynamics):
    """A mechanism, and what can be asked of it. Nothing here changes the model."""

    def kinematics(
        self,
        start: float | None = None,
        end: float | None = None,
        step: float | None = None,
        *,
        tolerance: float | None = None,
        max_iterations: int = 20,
        predictor: str = "taylor",
        formulation: str = "auto",
        branch: str = "smooth",
        mode: int = 1,
        transmission: bool = False,
        advantage: str = "",
        scheme: str = "exact",
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Run:
        """Positions, velocities and accelerations at start, start + step, … end (default: as [analysis] says).

        `tolerance` is the largest constraint violation (default: 1e-10 times the decade of the mechanism's size).
        `formulation` is "auto", "absolute" or "loops". `branch` says which motion to follow where two cross: "smooth"
        or "other". `mode` is the assembly mode to start in, numbered as `modes()` says; 1 is that of the estimates.
        `transmission` adds the columns of transmission angles; `advantage`, a coordinate such as "rocker.phi" or a
        joint, adds the mechanical advantage towards it. `scheme` "1964" solves a card deck by the predictor-corrector
        of the thesis; its listing is what the programs of 1964 would punch.
        """
        study = self._kinematic_study(scheme)
        settings = settings_of(
            tolerance,
            max_iterations,
            predictor=predictor,
            progress=progress,
            formulation=formulation,
            branch=branch,
            mode=mode,
            transmission=transmission,
            advantage=advantage,
        )
        return self._answer(study(self.build(), *self._times(start, end, step), settings))

    def simulate(
        self,
        start: float | None = None,
        end: float | None = None,
        step: float | None = None,
        *,
        rtol: float | None = None,
        atol: float | None = None,
        method: str | None = None,
        formulation: str = "tree",
        force: Callable[[float, Any, Any], Any] | None = None,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Run:
        """Forward dynamics from the initial conditions, at start, start + step, … end (default: as [analysis] says).

        `method` is "DOP853", or "LSODA", "Radau", "BDF" for stiff models. `formulation` is "tree", or "wittenburg" for
        the independent check. `force(t, q, v)` may add generalised forces,
        one per velocity of the tree.
        """
        from mubo.studies.dynamics.settings import ATOL, RTOL, SimulationSettings
        from mubo.studies.dynamics.simulate import simulate

        asked = self.analysis
        settings = SimulationSettings(
            rtol if rtol is not None else (asked and asked.rtol) or RTOL,
            atol if atol is not None else (asked and asked.atol) or ATOL,
            method or (asked and asked.method) or "DOP853",
            formulation,
            progress=progress,
            user=force,
        )
        return self._answer(simulate(self.build(), *self._times(start, end, step), settings=settings))

    def batch(
        self,
        dimensions: Mapping[str, Any],
        start: float | None = None,
        end: float | None = None,
        step: float | None = None,
        *,
        columns: Sequence[str] | None = None,
        threads: int | None = None,
        tolerance: float | None = None,
        max_iterations: int = 20,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Batch:
        """Motions of many variants of this model in one call, on all cores (or `threads`).

        `dimensions` maps what varies to arrays with one line per variant: points of bodies "coupler.B" and points of
        interest "P" (variants × 2), lengths of joints "link.length" (variants). `columns` are the columns wanted of
        every variant (default: all of moving bodies and points).
        """
        from mubo.face.batches import Batch
        from mubo.studies.design.batch import batch

        times = self._times(start, end, step)
        settings = settings_of(tolerance, max_iterations, progress=progress)
        result = batch(self.build(), dimensions, *times, columns=columns, threads=threads, settings=settings)
        if result.messages:
            warnings.warn(f"{result}; first: {next(iter(result.messages.values()))}", stacklevel=2)
        return Batch(**{f.name: getattr(result, f.name) for f in fields(result)}, kind=type(self))

    def check(self) -> CheckReport | ClosureReport:
        """Mobility, loops, closure and redundancy at the first position, in words (print the answer)."""
        from mubo.studies.history.closure import check_deck
        from mubo.studies.position.check import check_model

        return check_model(self.build()) if self.linkage is None else check_deck(self.build())

    def loops(self, *, path: str | Path | None = None) -> LoopReport:
        """The loop table, the counts of freedoms and the structural groups (print the answer).

        With `path` the vector polygons are drawn there.
        """
        from mubo.studies.structure.loop_report import loop_report

        if self.linkage is not None:
            raise ModelError(
                "the loops of a deck are its own cards: there is nothing to find",
                suggestion="`mubo check` shows how they close, `mubo plot` draws their vectors.",
            )
        report = loop_report(self.build())
        if path is not None:
            from mubo.view.polygons import draw_polygons

            draw_polygons(report, path)
        return report

    def modes(self, driver: str | None = None, *, path: str | Path | None = None) -> ModeReport:
        """Every way to assemble the mechanism at its start, and the circuits they are in (print the answer).

        The circuits are those of the motion of `driver` (default: the first), the other drivers held at the start.
        With `path` the modes are drawn there side by side.
        """
        from mubo.studies.structure.mode_report import mode_report
        from mubo.view.plot import picture_target

        target = None if path is None else picture_target(path)  # a wrong ending is told before any work
        report = mode_report(self.build(), driver)
        if target is not None:
            from mubo.view.modes import draw_modes

            draw_modes(report, target)
        return report

    def wittenburg(self, *, path: str | Path | None = None) -> WittenburgReport:
        """Graph, vectors and matrices of Wittenburg's method at the initial position of a tree in space (print it).

        With `path` the directed graph is drawn there.
        """
        from mubo.studies.wittenburg import wittenburg_report

        report = wittenburg_report(self.build())
        if path is not None:
            from mubo.view.directed_graph import draw_graph

            draw_graph(report.graph, self.name, path)
        return report

    def _kinematic_study(self, scheme: str) -> Callable[..., results.Run]:
        from mubo.studies.history.historic import historic_kinematics
        from mubo.studies.motion.kinematics import kinematics

        if scheme not in SCHEMES:
            raise ModelError(f'the scheme is {" or ".join(SCHEMES)}; found "{scheme}"')
        if scheme != "exact" and self.linkage is None:
            raise ModelError("the scheme of 1964 is for card decks of O'Kins' programs")
        return kinematics if scheme == "exact" else historic_kinematics

    def _times(self, start: float | None, end: float | None, step: float | None) -> tuple[float, float, float]:
        """What is left out is as [analysis] says."""
        given = {"start": start, "end": end, "step": step}
        if self.linkage is not None and self.analysis is None:
            raise ModelError(
                "a CLOSURE deck has no driver, so that nothing moves",
                suggestion="`mubo check` shows its closure; the motion needs a MAIN deck.",
            )
        for name, value in given.items():
            if value is None and self.analysis is None:
                raise ModelError(f"{name} is missing, and the model has no [analysis] that gives it")
        start, end, step = (getattr(self.analysis, name) if value is None else value for name, value in given.items())
        return start, end, step

    @staticmethod
    def _answer(result: results.Run) -> Run:
        if result.summary["status"] != "ok":
            warnings.warn(result.events[-1].message, stacklevel=3)
        return Run(**{f.name: getattr(result, f.name) for f in fields(result)})

    def save(self, path: str | Path) -> None:
        """Writes the model; the ending decides: .toml native (.json likewise), .dat KABIOS, .urdf for robots."""
        formats.save(self.build(), path)


class Linkage(Model):
    """A model that was written as a card deck: its `linkage` has vectors and loops, where others have bodies."""
