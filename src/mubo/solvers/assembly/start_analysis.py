"""Analysis of the start: a model compiled, assembled at the start time and diagnosed, or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mubo.arrays import Array
from mubo.errors import AssemblyError, ModelError, MuboError, RedundancyError, SingularityError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism import Absolute, Mechanism, absolute, mechanism_of
from mubo.mechanism.formulations.loops import Loops, NoLoops, vector_loops
from mubo.mechanism.rows import join_words
from mubo.model import ModelDefinition
from mubo.model.output_times import command_of_analysis
from mubo.note import Note
from mubo.solvers.assembly.assemble import Assembly, assemble, reversed_joints
from mubo.solvers.assembly.mobility import MobilityAnalysis, analyse_mobility, constraint_rank, free_directions
from mubo.solvers.assembly.nearest_branch import find_first_position, near_turns
from mubo.solvers.continuation import of_same_laws
from mubo.solvers.continuation.steppers import Settings

if TYPE_CHECKING:
    from mubo.solvers.assembly.assembly_diagnosis import OpenElement
    from mubo.solvers.assembly.rate_consistency import RateContradiction
    from mubo.solvers.assembly.singular_start import SingularStart


TOLERANCE = 1e-10
MAX_ROUNDING = 1e-3  # of its size: what rounding may make of the places of bodies


@dataclass(frozen=True)
class StartAnalysis:
    """A model at its first position, with its mobility analysis."""

    form: Absolute
    motion: Array
    assembly: Assembly
    diagnosis: MobilityAnalysis
    tolerance: float
    time: float
    reversed: tuple[str, ...] = ()  # joints of space whose equations hold, but with an axis reversed
    notes: tuple[Note, ...] = ()  # what to know about how the position was reached
    singular: SingularStart | None = None  # where one motion alone passes a singular position; the diagnosis is beside

    @cached_property
    def _loops(self) -> Loops | NoLoops:
        if self.singular is not None:
            return NoLoops("the start is a singular position")
        if self.diagnosis.dependent and self.form.mechanism.dimension == 2:
            return NoLoops("some of its constraints are redundant")
        try:
            return vector_loops(self.form.mechanism, self.assembly.q)
        except NoLoops as reason:
            return reason

    @property
    def loops(self) -> Loops:
        """The mechanism as vector loops at this position; raises NoLoops where this formulation does not fit."""
        if isinstance(self._loops, NoLoops):
            raise self._loops
        return self._loops

    @cached_property
    def velocities(self) -> MobilityAnalysis | None:
        """The mobility of velocities, where equations constrain velocities and not positions; else None."""
        if not self.form.mechanism.positions_only:
            return None
        form = absolute(replace(self.form.mechanism, positions_only=False))
        return analyse_mobility(form, self.assembly.q, self.motion)

    @property
    def closed(self) -> bool:
        return self.assembly.gap <= self.tolerance

    @property
    def determined(self) -> bool:
        """Whether the drivers and joints leave one position here; their rates may still contradict each other."""
        return self.closed and not self.reversed and self.diagnosis.undriven_dofs == 0 and self.velocities is None

    @cached_property
    def disagreement(self) -> RateContradiction | None:
        """A contradiction of redundant equations in velocity or acceleration; None also where nothing is determined."""
        if not self.determined:
            return None
        if not self.diagnosis.dependent:
            return None
        from mubo.solvers.assembly.rate_consistency import find_rate_contradiction

        return find_rate_contradiction(self.form, *self.diagnosed_at, self.diagnosis)

    @property
    def diagnosed_at(self) -> tuple[Array, Array]:
        """Position and driver motion of the mobility analysis: the start, or beside it where the start is singular."""
        return (self.singular.q, self.singular.motion) if self.singular else (self.assembly.q, self.motion)

    @cached_property
    def contrary(self) -> tuple[OpenElement, ...]:
        """Elements of an open mechanism that contradict others: their equations are dependent anywhere, not only at
        this position, where the assembly is just not feasible."""
        from mubo.solvers.assembly.assembly_diagnosis import find_contradictions
        from mubo.solvers.assembly.singular_positions import generic_rank

        sets = [] if self.closed else self.diagnosis.contradictions(self.tolerance)
        if not sets or generic_rank(self.form, self.assembly.q, self.motion) == len(self.form.equations):
            return ()
        return find_contradictions(self.form, self.motion, self.tolerance, self.assembly.q, sets)

    @cached_property
    def open_element(self) -> OpenElement:
        """The element of an open mechanism that stays open, and its smallest gap."""
        from mubo.solvers.assembly.assembly_diagnosis import find_open_element

        if self.contrary:
            return self.contrary[0]
        return find_open_element(self.form, self.motion, self.tolerance, self.assembly.q)

    @property
    def sound(self) -> bool:
        """Whether a motion can begin here."""
        return self.determined and self.disagreement is None


def analyse_start(
    model: ModelDefinition, time: float, tolerance: float = 0.0, max_iterations: int = 20
) -> StartAnalysis:
    """Compile, assemble and diagnose a model; raises only for a model that has no meaning.

    Without a tolerance it is 1e-10 times the decade of the mechanism's size. The model keeps its last analysis.
    """
    asked = (time, tolerance, max_iterations)
    if model.derived_values.get("start asked") != asked:
        model.derived_values["start"] = analyse_mechanism_start(mechanism_of(model), time, tolerance, max_iterations)
        model.derived_values["start asked"] = asked
    analysis: StartAnalysis = model.derived_values["start"]
    return analysis


def analyse_mechanism_start(
    mechanism: Mechanism, time: float, tolerance: float = 0.0, max_iterations: int = 20, patient: bool = True
) -> StartAnalysis:
    """Analyse a mechanism at its first position; with `patient` other starts are tried before it is called open."""
    touching = mechanism.contact_notes
    drawn, asked, start_time = absolute(mechanism.of_positions), tolerance, np.array([time])
    numbers = (start_time, mechanism.starts, mechanism.motion_factors)
    motion = of_same_laws(mechanism.model, "motion at the start", numbers, lambda: drawn.motion(start_time))[0].copy()
    tolerance = asked or TOLERANCE * drawn.scale
    start = find_first_position(drawn, motion, tolerance, max_iterations, patient)
    while start.assembly.gap <= tolerance and drawn.scale_at(start.assembly.q) < drawn.scale:
        # It stands nearer to the origin than it was drawn, where more digits count.
        drawn = replace(drawn, estimate=near_turns(drawn, start.assembly.q))
        tolerance = asked or TOLERANCE * drawn.scale
        again = find_first_position(drawn, motion, tolerance, max_iterations, patient)
        start = replace(again, notes=(*start.notes, *again.notes))
    form, q = start.form, start.assembly.q
    found, singular = analyse_mobility(form, q, motion), None
    # Only redundant equations can leave one motion alone where they lose their rank.
    if start.assembly.gap <= tolerance and found.undriven_dofs == 1 and len(found.dependent) > 1:
        from mubo.solvers.assembly.singular_start import find_singular_start

        singular = find_singular_start(form, q, time, tolerance, max_iterations)
        found = singular.diagnosis if singular is not None else found
    backwards = reversed_joints(form, q)
    notes = (*touching, *start.notes)
    return StartAnalysis(form, motion, start.assembly, found, tolerance, time, backwards, notes, singular)


def start_error(analysis: StartAnalysis, cure: str = "") -> MuboError | None:
    """Error that says why the motion is not determined from here, or None. `cure` is a fix that was tested."""
    if analysis.sound:
        return _lost_digits_error(analysis)
    from mubo.solvers.assembly.assembly_diagnosis import describe_contradiction

    if analysis.disagreement is not None:
        return RedundancyError(
            analysis.disagreement.text,
            names=[analysis.disagreement.dependence.name],
            numbers={"gap": analysis.disagreement.gap},
            suggestion=cure or "Remove one of them, or make their motions agree.",
        )
    if analysis.closed and analysis.reversed:
        joints = join_words([f"joint {name}" for name in analysis.reversed])
        return AssemblyError(
            f"the mechanism closes only with reversed bodies at {joints}: an axis or zero points backwards",
            names=analysis.reversed,
            suggestion="Give closer estimates: [initial] coordinates of the joints, or positions and orientations.",
        )
    if analysis.closed and analysis.velocities is not None:
        from mubo.solvers.assembly.velocity_mobility import path_dependence_error

        return path_dependence_error(analysis.form.mechanism, analysis.diagnosis, analysis.velocities)
    if analysis.closed:
        return _singular_start_error(analysis) if singular_only_here(analysis) else _undriven_error(analysis, cure)
    contrary = analysis.contrary
    if contrary:
        return RedundancyError(
            "; ".join(describe_contradiction(analysis.form, one) for one in contrary),
            names=[one.owner for one in contrary],
            numbers={"gap": max(one.gap.size for one in contrary)},
            suggestion=cure or "Remove one of them, or correct the dimensions they disagree on.",
        )
    return _open_mechanism_error(analysis)


def _lost_digits_error(analysis: StartAnalysis) -> ModelError | None:
    """Error of a mechanism so far from the origin that rounding is a visible part of its size, or None."""
    scale, size = analysis.form.scale, analysis.form.mechanism.size
    if Settings(analysis.tolerance, scale=scale, size=size).same(0.0, 0.0) <= MAX_ROUNDING:
        return None
    return ModelError(
        f"the mechanism is about {1e4 * scale / size:.0e} times its size away from the origin: of 16 digits too few "
        "are left to resolve its motion",
        suggestion="Move it nearer to the origin, or check the units of the positions.",
    )


def _open_mechanism_error(analysis: StartAnalysis) -> AssemblyError:
    """Error of an open mechanism: the open element, its smallest gap, and feasible ranges of drivers and lengths."""
    units, one = analysis.form.model.units, analysis.open_element
    lines = [f"the mechanism cannot be assembled: {one.owner} stays open by {one.gap.describe(units)}"]
    if one.others:
        lines[0] += f" while the rest closes; {join_words([one.owner, *one.others])} place {join_words(one.bodies)}"
    lines += [reach.describe(units) for reach in one.reaches]
    return AssemblyError(
        "\n  ".join(lines),
        names=[one.owner.split(" ", 1)[1]],
        numbers={"gap": one.gap.size},
        suggestion="The tolerance is below what rounding allows here: give a larger one."
        if analysis.assembly.gap < 1e-11 * analysis.form.scale
        else "Check the dimensions around it and the driver values at the start, or give closer estimates of the "
        "positions and angles.",
    )


def _undriven_error(analysis: StartAnalysis, cure: str) -> RedundancyError:
    from mubo.solvers.assembly.undriven_motion import describe_undriven

    diagnosis = analysis.diagnosis
    units, count = analysis.form.model.units, diagnosis.drivers
    drivers = f"{count} driver{'s' * (count != 1)}"
    lines = [f"{describe_undriven(diagnosis.free)} (mobility {diagnosis.mobility}, {drivers})"]
    lines += [motion.describe(units) for motion in diagnosis.free]
    lines += [d.describe() for d in diagnosis.dependent]
    cure = command_of_analysis(analysis.form.model) or cure
    return RedundancyError(
        "\n  ".join(lines),
        names=[name for motion in diagnosis.free for name in motion.bodies],
        numbers={"N": diagnosis.coordinates, "M": diagnosis.constraints, "rank": diagnosis.rank},
        suggestion=cure or "Add a driver for each of them, or constrain it by a joint.",
    )


def _singular_start_error(analysis: StartAnalysis) -> SingularityError:
    moving = [name for motion in analysis.diagnosis.free for name in motion.bodies]
    repeats = "; ".join(d.describe() for d in analysis.diagnosis.dependent)
    return SingularityError(
        f"the start is a singular position: {join_words(moving)} can move while the drivers are fixed"
        + (f"; only here {repeats}" if repeats else ""),
        names=moving,
        suggestion="Start a little before or after it, or drive another coordinate.",
    )


def singular_only_here(analysis: StartAnalysis) -> bool:
    """Whether the degree of freedom left is only infinitesimal: moved along it, the mechanism does not close again."""
    form, diagnosis = analysis.form, analysis.diagnosis
    if diagnosis.constraints < diagnosis.coordinates:
        return False
    for line in free_directions(form, analysis.assembly.q, analysis.motion):
        step = 0.05 * line / np.max(np.abs(form.weight * line))
        again = assemble(form, analysis.motion, analysis.tolerance, 20, analysis.assembly.q + step)
        moved = (again.q - analysis.assembly.q) * form.weight
        along = abs(float(moved @ (step * form.weight))) / float(np.sum((step * form.weight) ** 2))
        if (
            again.gap <= analysis.tolerance
            and along > 0.5
            and constraint_rank(form, again.q, analysis.motion) < len(form.weight)
        ):
            return False
    return True
