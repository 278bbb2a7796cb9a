"""A linkage that was run: mubo's own kinematics leads it on its branch through all positions asked of it."""

from __future__ import annotations

import warnings

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.arrays import Array
from mubo.design.objectives import value_of
from mubo.design.synthesis.family import STEPS, Family
from mubo.design.synthesis.screen import TURN, Screened
from mubo.design.synthesis.task import Task
from mubo.errors import MuboError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.objectives import read_objective
from mubo.quantities.output_times import OutputTimes
from mubo.results import Run

ON_BRANCH = 1e-5  # radians of the coupler: a position farther off is on another branch
SHARP = 1e-6  # places, in sizes of the task, and angles in degrees: errors below are none


@dataclass(frozen=True)
class Design:
    """One linkage with its model and its run. `defects` are words; a design to be built has none."""

    name: str
    label: str  # "crank-rocker"
    lengths: dict[str, float]
    model: ModelDefinition
    run: Run | None
    times: Array  # of the positions in the run
    defects: tuple[str, ...]
    errors: dict[str, float]  # at the positions, by kind: places in lengths, angles in degrees; empty where it has none
    transmission: float  # least along the motion, degrees; NaN where it did not run
    full: bool  # the crank turns round

    @property
    def sound(self) -> bool:
        """Whether it runs through all positions in their order, on one branch."""
        return not self.defects

    def verdict(self) -> str:
        """The defects of the design, or "none"."""
        return "; ".join(self.defects) or "none"


DEFECTS = {
    "circuit": "circuit: some positions can only be had by taking it apart",
    "branch": "branch: a toggle position of the crank lies between",
    "order": "order: the crank meets the positions in another order",
}


def proved(task: Task, family: Family, seen: Screened, k: int, name: str) -> Design:
    """The design of one linkage, run through its positions. The run has the last word on what closed forms say."""
    crank = seen.crank[k]
    whole = task.whole_turn and bool(seen.full[k])
    end = crank[0] + (np.copysign(TURN, crank[-1] - crank[0]) if whole else crank[-1] - crank[0])
    model = family.model(k, name, task.units, (float(crank[0]), float(end)))
    times = (crank - crank[0]) / (end - crank[0])
    defects = [DEFECTS[kind] for kind in seen.defects(k)]
    errors: dict[str, float] = {}
    run, transmission = None, np.nan
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what stops a run is reported as a defect
            run = kinematics(model, OutputTimes(0.0, 1.0, 1.0 / STEPS))
    except MuboError as error:
        defects = defects or [f"does not run: {str(error).splitlines()[0]}"]
    if run is not None:
        transmission = float(np.degrees(np.radians(run.summary["transmission"].get("minimum", np.nan))))
        off = [] if defects else _off(family, run, times, k)
        defects += off
        if not defects:
            errors = errors_of(task, run, times)
    lengths, label = family.lengths(k), family.label(k)
    return Design(name, label, lengths, model, run, times, tuple(defects), errors, transmission, bool(seen.full[k]))


def errors_of(task: Task, run: Run, times: Array) -> dict[str, float]:
    """How far a run is from what is asked: at the positions, and in the numbers of the whole run."""
    found = task.errors(_at(run, times, list(task.columns))) if task.columns else {}
    return found | {text: abs(value_of(read_objective(text), run) - value) for text, value in task.numbers.items()}


def _at(run: Run, times: Array, names: list[str]) -> dict[str, Array]:
    """Columns at any times of a run, solved there, in the model's units."""
    solve = run.record.between
    assert solve is not None
    found = solve(np.clip(times, 0.0, 1.0))
    return {name: np.asarray(found[name]) for name in names}


def _off(family: Family, run: Run, times: Array, k: int) -> list[str]:
    """The reason why the run misses the positions: an end before the last one, or another branch."""
    if run.summary["status"] != "ok":
        event = next((event for event in run.events if not event.passed), None)
        return [f"does not run: {event.message.splitlines()[0]}" if event else "does not run to its end"]
    link, bar = family.witness(k)
    turned = np.radians(_at(run, times, [f"{link}.phi"])[f"{link}.phi"] - run[f"{link}.phi"][0])
    off = np.abs(np.angle(bar / bar[0] * np.exp(-1j * turned)))
    missed = [str(n + 1) for n in np.flatnonzero(off > ON_BRANCH)]
    return [f"does not come to position {', '.join(missed)}"] if missed else []
