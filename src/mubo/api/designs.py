"""What can be asked of many designs of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.api.asking import Time
from mubo.api.verified import Verified

if TYPE_CHECKING:
    from mubo.design.optimize.answer import Optimum
    from mubo.design.sensitivity import Sensitivity
    from mubo.design.sweep import Sweep
    from mubo.design.tolerances import Tolerances


class Designs(Verified):
    """What can be asked of many designs of a model."""

    def sweep(
        self,
        vary: Mapping[str, Any],
        measures: Sequence[str] = (),
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        analysis: str | None = None,
        method: str = "grid",
        samples: int | None = None,
        seed: int = 0,
        output: str | Path | None = None,
        resume: bool = False,
        cluster: Any = None,
        workers: int | None = None,
        yes: bool = False,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Sweep:
        """Varies parameters, runs every variant and measures it.

        `vary` maps parameters to "0.03:0.05:21", a list of values, or bounds "0.03:0.05" for the methods "latin" and
        "sobol", which take `samples` points. `measures` are texts such as "stroke" or "max motor.effort", or names
        of the model's [measure] tables with a `number`. `analysis` is "kinematics", "inverse", "statics" or "simulate"
        (default: as [analysis] says). With `output` (.parquet, .csv) what is done is kept while it runs; `resume` goes
        on with it. `cluster` is the address of a dask scheduler, "local", or a dask client.

        >>> sweep = mubo.load("parameters.toml").sweep({"a": "0.03:0.05:3"}, ["stroke", "range P.x"])
        >>> sweep["stroke"].shape
        (3,)
        """
        from mubo.design.ranges import points_of
        from mubo.design.sweep import objectives_of, sweep

        model = self.build()
        points = points_of(model, vary, method=method, samples=samples, seed=seed, yes=yes)
        how = {"resume": resume, "cluster": cluster, "workers": workers, "progress": progress}
        objectives, file = objectives_of(model, measures), None if output is None else Path(output)
        times = self._times(start, end, step)
        return sweep(model, points, objectives, self._analysis(analysis), times, output=file, **how)

    def optimize(
        self,
        vary: Mapping[str, Any] | None = None,
        *,
        minimize: str | None = None,
        maximize: str | None = None,
        fit: Mapping[str, Any] | Sequence[str] | str | None = None,
        constraints: Sequence[str] | None = None,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        analysis: str | None = None,
        starts: int | None = None,
        method: str | None = None,
        seed: int | None = None,
        workers: int | None = None,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Optimum:
        """Seeks the best design that runs: a local search with exact slopes from every one of many starts.

        `vary` maps parameters to two bounds. One of `minimize`, `maximize` (a measure such as "max motor.effort", or an
        expression of parameters) and `fit` (targets, {"stroke of D": "60 deg"}, or "path error of P from curve.csv")
        says what is wanted; `constraints` are texts such as "transmission >= 40 deg", "a + b <= 0.3", "full turn of
        motor", "no change of branch". What is left out is as [optimize] of the model says. `method` is "starts" (Sobol
        points), "evolution" or "cma". No answer that runs and meets all constraints is a `DesignError`, which says
        what contradicts.

        >>> model = mubo.load("parameters.toml")
        >>> found = model.optimize({"c": [0.1, 0.13]}, maximize="transmission", starts=1, workers=1)
        >>> found.proof.holds
        True
        """
        from mubo.design.optimize.asked import asked_for
        from mubo.design.optimize.optimize import optimise

        given: dict[str, Any] = {"vary": vary, "minimize": minimize, "maximize": maximize, "fit": fit}
        given |= {"constraints": constraints, "starts": starts, "method": method, "seed": seed}
        model = self.build()
        asked, times = asked_for(model, given), self._times(start, end, step)
        model = model.changed(optimization=asked)  # the design keeps what was asked
        return optimise(model, asked, self._analysis(analysis), times, workers=workers, progress=progress)

    def sensitivity(
        self,
        measures: Sequence[str] = (),
        parameters: Sequence[str] = (),
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        analysis: str | None = None,
    ) -> Sensitivity:
        """Exact slopes of measures by parameters: which dimension matters.

        `measures` are those of `sweep`: texts such as "stroke", or names of the model's [measure] tables (default: all
        that have a `number`); `parameters` those of the model (default: all that do not follow from others). The
        constraint equations are differentiated, nothing is varied. `found["stroke"]` has one slope per parameter,
        `found["P.x"]` those of any column over the motion, parameters × times.

        >>> found = mubo.load("parameters.toml").sensitivity(["stroke"], ["a", "c"])
        >>> found["stroke"].shape, found["P.x"].shape
        ((2,), (2, 101))
        """
        from mubo.design.sensitivity import sensitivity
        from mubo.design.sweep import objectives_of

        model, times = self.build(), self._times(start, end, step)
        return sensitivity(model, objectives_of(model, measures), parameters, self._analysis(analysis), times)

    def tolerance(
        self,
        measures: Sequence[str] = (),
        of: Mapping[str, Any] | None = None,
        clearance: Mapping[str, Any] | None = None,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        analysis: str | None = None,
        samples: int = 1000,
        seed: int = 0,
        workers: int | None = None,
        progress: Callable[[float, float], None] = lambda done, total: None,
    ) -> Tolerances:
        """What tolerances do to measures: worst case, three sigma, Monte Carlo, and who contributes what.

        `of` maps parameters to half the width within which they are made: 0.05, "0.05 mm", "0.5 %", or a dictionary
        with `size` and `spread` ("normal", "uniform"). `clearance` maps joints to the radial clearance of their pins.
        Without either, the model's [tolerances] are taken. `samples` random designs are run whole, 0 for none.

        >>> found = mubo.load("tolerances.toml").tolerance(["stroke"], {"a": "0.1 mm"}, samples=0)
        >>> found["stroke"]["worst"] == found["stroke"]["three sigma"]  # of one tolerance with three sigma at its limit
        True
        """
        from mubo.design.sweep import objectives_of
        from mubo.design.tolerance import tolerance, tolerances_of
        from mubo.design.tolerances import Tolerances

        model = self.build()
        given, objectives = tolerances_of(model, of or {}, clearance or {}), objectives_of(model, measures)
        how: dict[str, Any] = {"samples": samples, "seed": seed, "workers": workers, "progress": progress}
        stack, spread = tolerance(
            model, given, objectives, self._analysis(analysis), self._times(start, end, step), **how
        )
        return Tolerances(stack, spread)

    def _analysis(self, given: str | None) -> str:
        """The analysis that every design is run by: the one given, else that of the model."""
        return given or (self.analysis.type if self.analysis is not None else "kinematics")
