"""What can be asked of many designs of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.api.asking import Time
from mubo.api.verified import Verified

if TYPE_CHECKING:
    from mubo.api.optimised import Optimum
    from mubo.api.sensitivities import Sensitivity
    from mubo.api.sweeps import Sweep
    from mubo.api.tolerances import Tolerances


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
        from mubo.api.sweeps import swept

        taken = {"method": method, "samples": samples, "seed": seed, "yes": yes}
        how = {"resume": resume, "cluster": cluster, "workers": workers, "progress": progress, "output": output}
        return swept(type(self), self.build(), vary, taken, measures, analysis, self._times(start, end, step), how)

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
        from mubo.api.optimised import asked_for, optimised

        given: dict[str, Any] = {"vary": vary, "minimize": minimize, "maximize": maximize, "fit": fit}
        given |= {"constraints": constraints, "starts": starts, "method": method, "seed": seed}
        model = self.build()
        times, how = self._times(start, end, step), {"workers": workers, "progress": progress}
        return optimised(type(self), model, asked_for(model, given), analysis, times, how)

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
        from mubo.api.sensitivities import found_slopes

        times = self._times(start, end, step)
        return found_slopes(self.build(), measures, parameters, analysis, times)

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
        from mubo.api.tolerances import found_tolerances

        how = {"samples": samples, "seed": seed, "workers": workers, "progress": progress}
        times = self._times(start, end, step)
        return found_tolerances(self.build(), measures, of or {}, clearance or {}, analysis, times, how)
