"""Verifies a run: every check that its analysis has, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mubo.analyses.verify.forces import balance, efforts_by_joints
from mubo.analyses.verify.motions import half_the_step, joint_coordinates, reversibility, second_formulation
from mubo.analyses.verify.poses import certificates, residuals
from mubo.analyses.verify.potentials import potential
from mubo.analyses.verify.rates import differences
from mubo.analyses.verify.simulated import energy, equations_of_motion, other_forms, tighter_tolerances
from mubo.analyses.verify.table import Check, Verification
from mubo.analyses.verify.target import Subject, forward
from mubo.errors import ModelError
from mubo.results import Run

MOTION = (
    residuals,
    certificates,
    reversibility,
    half_the_step,
    second_formulation,
    joint_coordinates,
    differences,
)
EQUILIBRIA = (residuals, potential, balance)
CHECKS: Mapping[str, tuple[Callable[[Subject], Iterator[Check]], ...]] = {
    "kinematics": MOTION,
    "inverse": (*MOTION, balance, efforts_by_joints),
    "statics": (residuals, certificates, reversibility, half_the_step, balance, potential),
    "simulate": (residuals, equations_of_motion, energy, tighter_tolerances, other_forms),
}


def verify(run: Run) -> Verification:
    """All checks of the run's analysis, on the numbers of its table."""
    study = run.record.study
    if study not in CHECKS:
        raise ModelError(f"there are no checks of {study}; there are those of {', '.join(CHECKS)}")
    subject = Subject(forward(run))
    made = EQUILIBRIA if subject.of_equilibria else CHECKS[study]
    checks = tuple(check for make in made for check in make(subject))
    return Verification(run.model.name, study, run.record.formulation, len(run), checks)
