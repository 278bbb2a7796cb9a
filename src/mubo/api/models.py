"""A model and what can be asked of it. Heavy rooms load when used."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo import formats
from mubo.api.asking import Time, settings_of
from mubo.api.designs import Designs
from mubo.api.forces import read_length
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.results import Run

if TYPE_CHECKING:
    from mubo.design.batch import Batch


EXACT = "exact"  # the scheme of all models


class Model(Designs):
    """A mechanism: words to build it (`body`, `joint`, `driver`, `force` …), and what can be asked of it.

    A study never changes the model: it answers a `Run` or a report. `mubo.load` reads a model from a file.

    >>> model = mubo.Model("pendulum", units={"length": "m", "angle": "deg"})
    >>> model.ground.point("A", (0, 0))
    >>> arm = model.body("arm", lengths={"AB": 0.5})
    >>> model.revolute("A", "ground.A", "arm.A")
    >>> model.driver("motor", "arm.phi", "30*sin(2*t)")
    >>> model
    Model "pendulum" in the plane: 1 body, 1 joint, 1 driver
    """

    def kinematics(
        self,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        tolerance: float | None = None,
        max_iterations: int = 20,
        predictor: str = "taylor",
        formulation: str = "auto",
        branch: str = "smooth",
        mode: int = 1,
        reverse: bool | None = None,
        transmission: bool = False,
        advantage: str = "",
        scheme: str = "exact",
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Run:
        """Positions, velocities and accelerations at start, start + step, … end (default: as [analysis] says).

        `tolerance` is the largest constraint violation (default: 1e-10 times the decade of the mechanism's size).
        `formulation` is "auto", "absolute" or "loops". `branch` says which motion to follow where two cross: "smooth"
        or "other". `mode` is the assembly mode to start in, numbered as `modes()` says; 1 is that of the estimates.
        `reverse` (default: as [analysis] says) adds the rows back to the start, `transmission` the columns of
        transmission angles, `advantage`, a coordinate such as "rocker.phi" or a joint, the mechanical advantage towards
        it. `scheme` "1964" solves a card deck as the programs of 1964 did. Times may carry units: step="10 ms".

        >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
        >>> run["crank.phi"].round(4)
        array([1.0472, 2.618 , 4.1888, 5.7596, 7.3304])
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
            reverse=(self.analysis is not None and self.analysis.reverse) if reverse is None else reverse,
            transmission=transmission,
            advantage=advantage,
        )
        return self._answer(study(self.build(), *self._times(start, end, step), settings))

    def simulate(
        self,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        rtol: float | None = None,
        atol: float | None = None,
        method: str | None = None,
        formulation: str = "auto",
        reactions: bool = False,
        length_scale: float | str | None = None,
        force: Callable[[float, Any, Any], Any] | None = None,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Run:
        """Forward dynamics from the initial conditions, at start, start + step, … end (default: as [analysis] says).

        `formulation` is "tree" (joint coordinates, loops closed), "absolute" (every joint an equation, by Radau: for
        stiff models, and as an independent check), "wittenburg" (a check for trees in space), or "auto": the tree,
        unless the model turns out to be stiff, which is told. `method` is "DOP853", or "LSODA", "Radau", "BDF" for
        stiff trees. `reactions` adds the columns of `inverse`: power of drivers, what joints carry, loads, what shakes
        the frame; `length_scale` is that of `inverse`. `force(t, q, v)` may add generalised forces: it gets arrays,
        angles in radians, and answers one number per entry of v, in the order of `state_names` (docs/trees.md says what
        differs for balls and for joints that are written from child to parent).

        >>> model = mubo.load("five_body_chain.toml")
        >>> run = model.simulate(0, 0.2, step=0.1, force=lambda t, q, v: -0.1 * v)
        >>> len(run), run.summary["status"]
        (3, 'ok')
        """
        from mubo.analyses.simulate import simulate
        from mubo.solvers.dynamics.settings import ATOL, AUTO, RTOL, SimulationSettings, generalised

        asked = self.analysis
        settings = SimulationSettings(
            rtol if rtol is not None else (asked and asked.rtol) or RTOL,
            atol if atol is not None else (asked and asked.atol) or ATOL,
            method or (asked and asked.method) or AUTO,
            formulation,
            progress=progress,
            user=generalised(force),
            reactions=reactions,
            length_scale=read_length(self, length_scale),
        )
        return self._answer(simulate(self.build(), *self._times(start, end, step), settings=settings))

    def batch(
        self,
        dimensions: Mapping[str, Any],
        start: Time = None,
        end: Time = None,
        step: Time = None,
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

        >>> lengths = [(-2.1, 0), (-2.0, 0), (-1.9, 0)]
        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": lengths}, 0, 1, 0.1, columns=["P.x"])
        >>> batch["P.x"].shape
        (3, 11)
        """
        from mubo.design.batch import batch

        times = self._times(start, end, step)
        settings = settings_of(tolerance, max_iterations, progress=progress)
        result = batch(self.build(), dimensions, *times, columns=columns, threads=threads, settings=settings)
        if result.messages:
            warnings.warn(f"{result}; first: {next(iter(result.messages.values()))}", stacklevel=2)
        return result

    def _kinematic_study(self, scheme: str) -> Callable[..., Run]:
        from mubo.analyses.kinematics import kinematics

        if scheme == EXACT:
            return kinematics
        if scheme not in formats.schemes():
            raise ModelError(f'the scheme is {" or ".join((EXACT, *formats.schemes()))}; found "{scheme}"')
        found = formats.added(formats.extension_of(self.build()).schemes.get(scheme, ""))
        if found is None:
            raise ModelError("the scheme of 1964 is for card decks of O'Kins' programs")
        return found

    def save(self, path: str | Path) -> None:
        """Writes the model; the ending decides: .toml native (.json likewise), .dat KABIOS, .urdf for robots.

        >>> mubo.load("four_bar.toml").save("copy.json")
        >>> mubo.load("copy.json") == mubo.load("four_bar.toml")
        True
        """
        formats.save(self.build(), path)


def model_of(definition: ModelDefinition) -> Model:
    """The model that begins where a frozen definition stands."""
    return Model.of(definition)
