"""Verifies a run: every check that its analysis has, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mubo.errors import ModelError
from mubo.results import Run
from mubo.studies.verify.motions import half_the_step, joint_coordinates, second_formulation, there_and_back
from mubo.studies.verify.poses import certificates, residuals
from mubo.studies.verify.rates import differences
from mubo.studies.verify.subject import Subject
from mubo.studies.verify.table import Check, Verification

MOTION = (
    residuals,
    certificates,
    there_and_back,
    half_the_step,
    second_formulation,
    joint_coordinates,
    differences,
)
CHECKS: Mapping[str, tuple[Callable[[Subject], Iterator[Check]], ...]] = {"kinematics": MOTION}


def verify(run: Run) -> Verification:
    """All checks of the run's analysis, on the numbers of its table."""
    study = run.record.study
    if study not in CHECKS:
        raise ModelError(f"there are no checks of {study}; there are those of {', '.join(CHECKS)}")
    subject = Subject(run)
    checks = tuple(check for make in CHECKS[study] for check in make(subject))
    return Verification(run.model.name, study, run.record.formulation, len(run), checks)
