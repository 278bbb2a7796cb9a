"""The checker: what a model is, whether it closes, and what is wrong with it, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mubo.analyses.kinematics import solve_motion, time_grid
from mubo.analyses.simulate import require_simulable
from mubo.errors import MuboError
from mubo.model import ModelDefinition, target_of
from mubo.model.coordinates import grounded
from mubo.solvers.assembly.mobility import MobilityAnalysis
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start, start_error
from mubo.solvers.assembly.suggested_fix import suggest_fix
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.kinematics.formulations import problem_from_start
from mubo.topology import graph_of


@dataclass(frozen=True)
class CheckReport:
    """Findings at the first position. `error` is what an analysis would raise, or None."""

    model: str
    diagnosis: MobilityAnalysis
    corrections: int
    gap: float  # the largest, or where it stays open the smallest that its element can have
    largest_gap_at: str
    open_by: str  # in words, with its unit; empty where it closes
    notes: tuple[str, ...]
    repair: str
    error: MuboError | None
    verdict: str = "ready: the motion is determined"
    along: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
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
            "undriven_dofs": [{"per": m.per, "rates": {b: list(r) for b, r in m.rates.items()}} for m in d.free],
            "gap": self.gap,
            "message": str(self.error) if self.error else "",
            "warnings": [*self._redundant(), *self.notes],
        }

    def __str__(self) -> str:
        d = self.diagnosis
        joints, where = d.constraints - d.drivers, "closest" if self.open_by else "assembled"
        lines = [
            self.model,
            f"  coordinates   N = {d.coordinates}",
            f"  equations     M = {d.constraints}: {joints} of joints, {d.drivers} of drivers; rank {d.rank}",
            f"  mobility      {d.gruebler} by Grübler's count, {d.mobility} at the {where} position",
            f"  loops         {d.loops}",
        ]
        if self.open_by:
            lines.append(f"  closure       open by {self.open_by} at {self.largest_gap_at}")
        else:
            lines.append(
                f"  closure       gap {self.gap:.1e} after {self.corrections} correction{'s' * (self.corrections != 1)}"
            )
        lines += [f"  note          {note}" for note in (*self._redundant(), *self.notes)]
        verdict = (self.verdict if self.ok else str(self.error)).replace("\n", "\n                ")
        return "\n".join([*lines, f"  {'verdict' if self.ok else 'problem':<14}{verdict}"])

    __repr__ = __str__

    def _redundant(self) -> list[str]:
        if not self.ok:
            return []
        told = list(self.along) or [d.describe() for d in self.diagnosis.dependent]
        return [*told, self.repair] if self.repair else told


def check_model(model: ModelDefinition) -> CheckReport:
    """Compiles, assembles at the start time and looks at the rank; raises only for a model that has no meaning."""
    look = analyse_start(model, model.analysis.start if model.analysis else 0.0)
    return check_report(look, _along_the_motion(look))


def check_report(look: StartAnalysis, along: tuple[str, ...], ran: bool = False) -> CheckReport:
    """The findings of an inspection; `along` describes its redundant equations along the motion.

    `ran` says that the model has been run as it asks: then nobody asks again whether it can be.
    """
    model, equations, worst = look.form.model, look.form.equations, look.assembly.worst
    fine = (simulated(model) and look.closed) or (look.sound and not look.diagnosis.dependent)
    repair = None if fine else suggest_fix(look, look.time)
    error, verdict = _judged(look, str(repair) if repair else "", ran)
    return CheckReport(
        model=model.name,
        diagnosis=look.diagnosis,
        corrections=look.assembly.corrections,
        gap=look.assembly.gap if look.closed else look.open_element.gap.size,
        largest_gap_at="" if not equations else equations[worst].owner if look.closed else look.open_element.owner,
        open_by="" if look.closed else look.open_element.gap.describe(model.units),
        notes=(*look.notes, *look.form.mechanism.notes, *_loose(model)),
        repair=str(repair) if repair else "",
        error=error,
        verdict=verdict,
        along=along,
    )


def _loose(model: ModelDefinition) -> Iterator[str]:
    """Bodies that nothing holds."""
    held = {
        end.partition(".")[0]
        for joint in model.joints.values()
        if model.kinds[joint.kind].rows
        for end in joint.between
    }
    held |= {body for driver in model.drivers.values() for body in target_of(model, driver.of).bodies}
    dofs = {2: 3, 3: 6}[model.dimension]
    for name in model.bodies:
        if name not in held and name not in grounded(model):
            yield f"body {name}: no joint and no driver holds it: it moves freely, with {dofs} degrees of freedom"


def simulated(model: ModelDefinition) -> bool:
    """Whether a model is to be simulated: it says so, or it asks for nothing else and has initial conditions, or is a
    chain or tree in space."""
    if model.analysis is not None:
        return model.analysis.type == "simulate"
    if model.drivers:
        return False
    return bool(model.initial_joints or model.initial_bodies) or (model.dimension == 3 and graph_of(model).loops == 0)


def _judged(look: StartAnalysis, repair: str, ran: bool) -> tuple[MuboError | None, str]:
    """The error that an analysis would raise, or None, and the verdict. Motions of a simulation need no drivers."""
    model, left, asked = look.form.model, look.diagnosis.undriven_dofs, look.form.model.analysis
    if asked is not None and asked.type == "statics" and look.closed and not look.reversed and left:
        return (
            None,
            f"ready for statics: {left} degree{'s' * (left != 1)} of freedom that nothing but loads can hold",
        )
    if not simulated(model) or not look.closed or look.reversed:
        return start_error(look, repair), "ready: the motion is determined"
    ready = f"ready to simulate: {left} degree{'s' * (left != 1)} of freedom"
    try:
        if not ran:
            require_simulable(model, *((asked.start, asked.end) if asked else (0.0, 1.0)))
    except MuboError as error:
        if asked is not None:
            return error, ""
        ready = f"sound, with {left} degree{'s' * (left != 1)} of freedom. To be simulated: {error}"
    return None, ready if asked else f"{ready}\nKinematics needs a driver for each degree of freedom."


def _along_the_motion(look: StartAnalysis) -> tuple[str, ...]:
    """Redundant equations again at positions along the motion the model asks for."""
    a = look.form.model.analysis
    if not look.sound or not look.diagnosis.dependent or a is None:
        return ()
    step = max((a.end - a.start) / 40, a.step)
    grid = time_grid(a.start, a.end, step)
    run = solve_motion(problem_from_start(look, grid, Settings(look.tolerance)), grid, (a.start, a.end, step), [])
    notes = along_notes(run.summary["warnings"])
    return notes if run.summary["status"] == "ok" else (*notes, run.events[-1].message)


def along_notes(warnings: Iterable[str]) -> tuple[str, ...]:
    """Those notes of a run that are about redundant equations along its motion."""
    return tuple(note for note in warnings if "along the motion" in note)
