"""The answer of an optimisation: the design, what it is worth before and after, and how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mubo import formats
from mubo.analyses.verify.table import Verification
from mubo.design.optimize.derivatives import Local
from mubo.design.optimize.problem import Trial, is_path
from mubo.design.optimize.search import End
from mubo.design.optimize.task import OptimizationTask
from mubo.docstrings import documented
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.model.optimization import TURN
from mubo.results import Run
from mubo.results.presentation import Presented, presented_by

NEAR = 1e-5  # of its size, of the box: where a limit or a bound is reached
SAME_PLACE, SAME_AIM = 1e-2, 1e-4  # of the box, of the aim: searches that ended at the same design
GOALS = {"minimize": "least", "maximize": "greatest", "fit": "met"}


@dataclass(repr=False)
class Optimum(Presented):
    """The best design found: its `model`, its `run`, its `proof`, and how it was found.

    Examples
    --------
    >>> model = mubo.load("parameters.toml")
    >>> found = model.optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
    >>> found.run.summary["status"], found.model.parameters["c"].value
    ('ok', 0.1)
    """

    asked: OptimizationTask
    best: Trial
    definition: ModelDefinition
    run: Run
    proof: Verification
    here: Local | None
    ends: tuple[End, ...]
    pool: tuple[Trial, ...]
    fallen: tuple[str, ...] = ()

    @cached_property
    def model(self) -> Any:
        """The model of the design, to ask it anything; it keeps what was asked, so that it can be optimised again.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.model.parameters["c"].value
        0.1
        """
        return presented_by("Model.of")(self.definition)

    @property
    def parameters(self) -> dict[str, tuple[float, float]]:
        """Every parameter that varied, before and after.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> list(found.parameters)
        ['c']
        """
        before, after = self.asked.first.values, self.best.values
        return {n: (float(a), float(b)) for n, a, b in zip(self.asked.problem.names, before, after, strict=True)}

    @property
    def numbers(self) -> dict[str, tuple[float, float]]:
        """Everything that is aimed at or limited, before and after.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> before, after = found.numbers["mass"]
        >>> round(before, 6), round(after, 6)  # 2 kg per metre of 0.04 + 0.12 + c
        (0.54, 0.52)
        """
        return {text: (self.asked.first.numbers[text], self.best.numbers[text]) for text in self.best.numbers}

    @property
    def first_run(self) -> Run:
        """The run of the design that it started from.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> len(found.first_run)
        11
        """
        assert self.asked.first.run is not None
        return self.asked.first.run

    @property
    def aim(self) -> tuple[float, float]:
        """The goal before and after; of a fit the root of the mean square of relative misses.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.aim[1] < found.aim[0]
        True
        """
        problem = self.asked.problem
        if problem.fits:
            many = len(problem.wanted)
            before, after = (float(np.sqrt(2 * problem.aim(trial) / many)) for trial in (self.asked.first, self.best))
            return before, after
        before, after = (
            problem.turn * problem.aim(trial) * problem.wanted[0].size for trial in (self.asked.first, self.best)
        )
        return before, after

    @property
    def active(self) -> list[str]:
        """The limits and bounds that the design has reached.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.active
        ['c >= 0.1']
        """
        problem = self.asked.problem
        beyond = problem.beyond(self.best)
        limits = [(limit.text, c) for limit, c in zip(problem.limits, beyond, strict=True)]
        out = [text for text, c in limits if abs(c) < NEAR and not text.startswith(TURN)]  # a turn is full or not
        for k in self._free:
            name = problem.names[k]
            out += [f"{name} >= {problem.low[k]:g}"] * bool(self.best.x[k] < NEAR)
            out += [f"{name} <= {problem.high[k]:g}"] * bool(self.best.x[k] > 1 - NEAR)
        return out

    @cached_property
    def sensitivities(self) -> dict[str, dict[str, float]]:
        """The derivative of every goal and limit by every parameter, in their units, at the design.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> list(found.sensitivities["mass"])
        ['c']
        """
        if self.here is None:
            return {}
        problem, widths = self.asked.problem, self.asked.problem.high - self.asked.problem.low
        rows = zip(problem.limits, self.here.across, strict=True)
        lines: dict[str, Any] = {w.term.text: (w.sign or 1) * w.size * line for w, line in rows}
        if not problem.fits:
            pieces = zip(problem.wanted, self.here.pieces, strict=True)
            lines = {w.term.text: problem.turn * w.size * down for w, (_, down) in pieces} | lines
        elif self.here.residual_jacobian is not None and not any(is_path(w.term) for w in problem.wanted):
            met = zip(problem.wanted, self.here.residual_jacobian, strict=True)
            lines = {w.term.text: w.size * line for w, line in met} | lines
        return {
            text: {problem.names[k]: float(line[k] / widths[k]) for k in self._free} for text, line in lines.items()
        }

    @property
    def _free(self) -> list[int]:
        """Numbers of the parameters that vary between bounds."""
        return [k for k in range(len(self.asked.problem.names)) if k not in self.asked.problem.chosen]

    @property
    def ended_there(self) -> int:
        """How many searches ended at this design.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.ended_there
        1
        """
        return sum(self._same(end.trial) for end in self.ends)

    def _same(self, trial: Trial) -> bool:
        problem = self.asked.problem
        if not trial.ran or problem.missed(trial) > 0:
            return False
        one, other = problem.aim(trial), problem.aim(self.best)
        widths = problem.high - problem.low
        near = np.max(np.abs(trial.values - self.best.values) / widths) < SAME_PLACE
        return bool(near and abs(one - other) <= SAME_AIM * max(abs(one), abs(other), 1e-6))

    @property
    def tried(self) -> int:
        """Designs that were run.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.tried > 1
        True
        """
        return len(self.pool) + sum(end.tried for end in self.ends)

    @property
    def lost(self) -> int:
        """Designs among them that did not run.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.lost
        0
        """
        return sum(not trial.ran for trial in self.pool) + sum(end.lost for end in self.ends)

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.", returns="The matplotlib figure."
    )
    def plot(self, path: str | Path | None = None) -> Any:
        """The mechanism before and after, to one scale, with what was gained.

        >>> model = mubo.load("parameters.toml")
        >>> found = model.optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> figure = found.plot("better.png")
        """
        return presented_by("Optimum.plot")(self, path)

    @documented(path="Page to write, .html.", returns="The page, which a notebook shows.")
    def report(self, path: str | Path) -> Any:
        """Writes one page with the moving design before and after, and all designs that were tried.

        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> page = found.report("better.html")
        """
        return presented_by("Optimum.report")(self, path)

    @property
    def summary(self) -> dict[str, Any]:
        """The facts of the optimisation, for programs.

        Examples
        --------
        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.summary["holds"]
        True
        """
        problem = self.asked.problem
        return {
            "model": self.definition.name,
            "goal": {problem.goal: [wanted.term.text for wanted in problem.wanted]},
            "aim": dict(zip(("before", "after"), self.aim, strict=True)),
            "parameters": {name: {"before": a, "after": b} for name, (a, b) in self.parameters.items()},
            "numbers": {name: {"before": a, "after": b} for name, (a, b) in self.numbers.items()},
            "units": {name: unit for name, unit in self.asked.units.items() if unit},
            "reached": self.active,
            "sensitivities": self.sensitivities,
            "starts": len(self.ends),
            "ended_there": self.ended_there,
            "tried": self.tried,
            "did_not_run": self.lost,
            "proof": [check.as_dict() for check in self.proof.checks],
            "holds": self.proof.holds,
            "notes": list(self.asked.notes),
        }

    @documented(path="Model file to write; its ending decides the format.")
    def save(self, path: str | Path) -> None:
        """Writes the design as a model file.

        >>> found = mubo.load("parameters.toml").optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, step=0.1)
        >>> found.save("better.toml")
        """
        formats.save(self.run.model, path)
