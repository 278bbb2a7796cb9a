"""The model checker: mobility, closure, redundant equations, and the error that an analysis would raise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any

from mubo.analyses.kinematics import solve_motion
from mubo.errors import MuboError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition, target_of
from mubo.model.coordinates import grounded
from mubo.quantities.output_times import OutputTimes
from mubo.results.presentation import DrawnResult
from mubo.solvers.assembly.mobility import MobilityAnalysis
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error
from mubo.solvers.assembly.suggested_fix import suggest_fix
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.formulations import problem_from_start
from mubo.topology import graph_of


@dataclass(frozen=True, repr=False)
class CheckReport(DrawnResult):
    """Findings at the first position. `error` is what an analysis would raise, or None."""

    model: str
    diagnosis: MobilityAnalysis
    corrections: int
    gap: float  # the largest, or where it stays open the smallest that its element can have
    largest_gap_at: str
    open_by: str  # the gap with its unit; empty where it closes
    notes: tuple[str, ...]
    repair: str
    error: MuboError | None
    verdict: str = "ready: the motion is determined"
    along: tuple[str, ...] = ()
    start: StartAnalysis | None = field(default=None, compare=False)  # the position that was checked
    velocities: MobilityAnalysis | None = None  # where equations constrain velocities and not positions

    @property
    def ok(self) -> bool:
        """Whether an analysis of the model would start."""
        return self.error is None

    def as_dict(self) -> dict[str, Any]:
        d = self.diagnosis
        return {
            "status": "ok" if self.ok else "failed",
            "model": self.model,
            "coordinates": d.coordinates,
            "constraints": d.constraints,
            "rank": d.rank,
            "mobility": d.summary(),
            **({"mobility_of_velocities": self.velocities.summary()} if self.velocities else {}),
            "undriven_dofs": [{"per": m.per, "rates": {b: list(r) for b, r in m.rates.items()}} for m in d.free],
            "gap": self.gap,
            "message": str(self.error) if self.error else "",
            "warnings": self.all_notes,
        }

    @property
    def all_notes(self) -> list[str]:
        """Notes on redundant equations, where the model is sound, and all others."""
        if not self.ok:
            return list(self.notes)
        counted = self.velocities or self.diagnosis
        redundant = list(self.along) or [d.describe() for d in counted.dependent]
        return [*redundant, *([self.repair] if self.repair else []), *self.notes]


def check_model(model: ModelDefinition) -> CheckReport:
    """Compiles and assembles a model at its start and finds the rank; raises only for a model that has no meaning."""
    look = analyse_start(model, model.start_time)
    return check_report(look, _along_the_motion(look))


def check_report(look: StartAnalysis, along: tuple[str, ...], ran: bool = False) -> CheckReport:
    """The findings of a start analysis; `along` describes the redundant equations along the motion.

    Where the model has been run already (`ran`), it is not tested again whether it can be simulated.
    """
    model, equations, worst = look.form.model, look.form.equations, look.assembly.worst
    fine = (
        (is_simulation(model) and look.closed) or (look.sound and not look.diagnosis.dependent) or _is_integrated(look)
    )
    repair = None if fine else suggest_fix(look, look.time)
    error, verdict = _verdict(look, str(repair) if repair else "", ran)
    return CheckReport(
        model=model.name,
        diagnosis=look.diagnosis,
        corrections=look.assembly.corrections,
        gap=look.assembly.gap if look.closed else look.open_element.gap.size,
        largest_gap_at="" if not equations else equations[worst].owner if look.closed else look.open_element.owner,
        open_by="" if look.closed else look.open_element.gap.describe(model.units),
        notes=(*map(str, (*look.notes, *look.form.mechanism.notes)), *_loose_bodies(model)),
        repair=str(repair) if repair else "",
        error=error,
        verdict=verdict,
        along=along,
        start=look,
        velocities=look.velocities if look.closed else None,
    )


def _loose_bodies(model: ModelDefinition) -> Iterator[str]:
    """Notes on bodies without a joint and without a driver."""
    connected = {
        end.partition(".")[0]
        for joint in model.joints.values()
        if model.kinds[joint.kind].rows
        for end in joint.between
    }
    connected |= {body for driver in model.drivers.values() for body in target_of(model, driver.of).bodies}
    dofs = {2: 3, 3: 6}[model.dimension]
    for name in model.bodies:
        if name not in connected and name not in grounded(model):
            yield f"body {name}: it has no joint and no driver, and moves freely with {dofs} degrees of freedom"


def is_simulation(model: ModelDefinition) -> bool:
    """Whether a model is meant to be simulated: its analysis is a simulation, or it has neither an analysis nor drivers
    and has initial conditions or is a tree in space."""
    if model.analysis is not None:
        return model.analysis.type == "simulate"
    if model.drivers:
        return False
    return bool(model.initial_joints or model.initial_bodies) or (model.dimension == 3 and graph_of(model).loops == 0)


def _verdict(look: StartAnalysis, repair: str, ran: bool) -> tuple[MuboError | None, str]:
    """The error that an analysis would raise, or None, and the verdict; a simulation needs no drivers."""
    model, asked = look.form.model, look.form.model.analysis
    left = look.diagnosis.undriven_dofs
    dofs = "1 degree of freedom" if left == 1 else f"{left} degrees of freedom"
    if look.closed and look.velocities is not None:
        dofs = f"{dofs} of positions, {look.velocities.undriven_dofs} of velocities"
    if asked is not None and asked.type == "statics" and look.closed and not look.reversed and left:
        has, whose = ("has", "its") if left == 1 else ("have", "their")
        return (
            None,
            f"{dofs} {has} no driver: if you expected fewer, a driver or a joint is missing.\n"
            f"Ready for statics: `mubo statics` will look for {whose} equilibrium under the loads.",
        )
    if _is_integrated(look) and not is_simulation(model):
        return None, "ready: the drivers determine all velocities, and the position is integrated from its start"
    if not is_simulation(model) or not look.closed or look.reversed:
        error = start_error(look, repair) or (None if ran else _first_row_error(look))
        return error, "ready: the motion is determined"
    ready = f"ready to simulate: {dofs}"
    try:
        if not ran:
            from mubo.analyses.simulate import require_simulable  # which loads SciPy

            require_simulable(model, model.start_time, model.output_times(without_end="nothing").end if asked else 1.0)
    except MuboError as error:
        if asked is not None:
            return error, ""
        ready = f"sound, with {dofs}. To be simulated: {error}"
    of_what = "" if look.velocities is None else " of the velocities"
    return None, ready if asked else f"{ready}\nKinematics needs a driver for each degree of freedom{of_what}."


def _is_integrated(look: StartAnalysis) -> bool:
    """Whether drivers determine all velocities of a mechanism that rolls."""
    return look.closed and look.velocities is not None and look.velocities.undriven_dofs == 0


def _first_row_error(look: StartAnalysis) -> MuboError | None:
    """Error of a first row of results that is not finite or not defined, or None."""
    times = OutputTimes(look.time, look.time, 1.0)
    grid = times.grid()
    try:
        solve_motion(problem_from_start(look, grid, Settings(look.tolerance)), grid, times, [])
    except MuboError as error:
        return error
    return None


def _along_the_motion(look: StartAnalysis) -> tuple[str, ...]:
    """Notes on redundant equations at positions along the motion of the model's analysis."""
    model = look.form.model
    if not look.sound or not look.diagnosis.dependent or model.analysis is None:
        return ()
    asked = model.output_times(without_end="start")
    times = OutputTimes(asked.start, asked.end, max((asked.end - asked.start) / 40, asked.step))
    grid = times.grid()
    run = solve_motion(problem_from_start(look, grid, Settings(look.tolerance)), grid, times, [])
    notes = along_notes(run.summary["warnings"])
    return notes if run.summary["status"] == "ok" else (*notes, run.events[-1].message)


def along_notes(warnings: Iterable[str]) -> tuple[str, ...]:
    """The notes of a run on redundant equations along its motion."""
    return tuple(note for note in warnings if "along the motion" in note)
