"""Questions to many variants and many runs of a model in one call."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mubo.docstrings import documented
from mubo.studies import STUDIES

if TYPE_CHECKING:
    from mubo.design.batch import Batch
    from mubo.design.live import LiveMotion
    from mubo.results.many_runs import ManyRuns


class ManyAnswers:
    """The methods of a model that answer for many variants or runs, as arrays."""

    build: Callable[[], Any]

    @documented(
        STUDIES["inverse"].sentences("start", "end", "step", "tolerance", "max_iterations", "progress"),
        dimensions='Arrays by what varies, a line per variant: points "coupler.B" and "P" (two numbers each), lengths.',
        columns="Columns of every variant; all of moving bodies and points by default.",
        threads="Number of threads; one per core by default.",
        returns="The motions of all variants.",
    )
    def batch(
        self,
        dimensions: Mapping[str, Any],
        start: float | str | None = None,
        end: float | str | None = None,
        step: float | str | None = None,
        *,
        columns: Sequence[str] | None = None,
        threads: int | None = None,
        tolerance: float | None = None,
        max_iterations: int = 20,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Batch:
        """Solve the motions of many variants of this model in one call, on all cores.

        >>> lengths = [(-2.1, 0), (-2.0, 0), (-1.9, 0)]
        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": lengths}, 0, 1, 0.1, columns=["P.x"])
        >>> batch["P.x"].shape
        (3, 11)
        """
        from mubo.analyses.kinematics import settings_of
        from mubo.design.batch import batch

        given = {"start": start, "end": end, "step": step, "tolerance": tolerance, "max_iterations": max_iterations}
        asked = STUDIES["inverse"].read(self.build(), {**given, "progress": progress})
        result = batch(self.build(), dimensions, asked.times, columns, threads, settings_of(asked))
        if result.messages:
            warnings.warn(f"{result}; first: {next(iter(result.messages.values()))}", stacklevel=2)
        return result

    @documented(
        STUDIES["inverse"].sentences("start", "end", "step"),
        dimensions='What will be changed: points "coupler.B" and "P", lengths of joints "D.length".',
        columns="Columns of the answer; positions of all moving bodies and points by default.",
        returns="The compiled motion, whose `positions` can be asked thousands of times a second.",
        raises={"ModelError": "If the model cannot be moved or has no vector loops, or if a name is unknown."},
    )
    def live(
        self,
        dimensions: Sequence[str] | str,
        start: float | str | None = None,
        end: float | str | None = None,
        step: float | str | None = None,
        *,
        columns: Sequence[str] | None = None,
    ) -> LiveMotion:
        """Compile the motion for dimensions that change all the time: under a hand, in a loop, in an optimiser.

        >>> live = mubo.load("four_bar.toml").live("coupler.C", 0, 1, 0.1)
        >>> live.positions([2.1, 0]).shape
        (11, 11)
        """
        from mubo.design.live import live_motion

        asked = STUDIES["inverse"].read(self.build(), {"start": start, "end": end, "step": step})
        names = [dimensions] if isinstance(dimensions, str) else dimensions
        return live_motion(self.build(), names, asked.times, columns)

    @documented(
        STUDIES["simulate"].sentences("start", "end", "step", "rtol", "atol"),
        initial='Initial conditions, numbers by column of a joint, "A.q" or "A.v": one for each run.',
        parameters="Values of parameters by name: one for each run.",
        inputs="Sizes of loads by name, or of drivers, which become efforts: one for each run, constant over it.",
        columns="Columns of the answer; all by default.",
        threads="Number of threads; one per core by default.",
        confirmed="Whether more than a million runs are meant.",
        returns="The runs: one array of runs × times × columns, and a status in words for each.",
        raises={"ModelError": "If the model or an argument is wrong, or if the answer does not fit into memory."},
    )
    def simulate_many(
        self,
        start: float | str | None = None,
        end: float | str | None = None,
        step: float | str | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        threads: int | None = None,
        confirmed: bool = False,
    ) -> ManyRuns:
        """Simulate many runs in one call, on all cores: other initial conditions, parameters or constant inputs.

        Runs that differ by initial conditions alone share one compiled model and are the fastest.

        >>> runs = mubo.load("simple_pendulum.toml").simulate_many(0, 1, 0.1, initial={"O.q": [0.1, 0.2, 0.3]})
        >>> runs["O.q"].shape, runs.status
        ((3, 11), ('ok', 'ok', 'ok'))
        """
        from mubo.applications.control.many_inputs import many_runs

        asked = STUDIES["simulate"].read(
            self.build(), {"start": start, "end": end, "step": step, "rtol": rtol, "atol": atol}
        )
        differ = {"initial": initial or {}, "parameters": parameters or {}, "inputs": inputs or {}}
        return many_runs(self.build(), asked, differ, columns, threads, confirmed)
