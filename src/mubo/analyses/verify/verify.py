"""Verifies a run: every check that its analysis has, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mubo.analyses.verify.contacts import complementarity, impacts
from mubo.analyses.verify.forces import balance, efforts_by_joints
from mubo.analyses.verify.motions import (
    differences,
    half_the_step,
    joint_coordinates,
    second_formulation,
)
from mubo.analyses.verify.poses import certificates, residuals, reversibility
from mubo.analyses.verify.potentials import potential
from mubo.analyses.verify.repetition import repetition
from mubo.analyses.verify.rows import INVERSE
from mubo.analyses.verify.simulated import energy, equations_of_motion, other_forms, tighter_tolerances
from mubo.analyses.verify.table import Check, Verification
from mubo.analyses.verify.target import Subject, forward
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.results import Run
from mubo.studies import STUDIES
from mubo.studies.design import VerifyOptions

MOTION = (
    residuals,
    repetition,
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
    "statics": (residuals, repetition, certificates, reversibility, half_the_step, balance, potential),
    "simulate": (
        residuals,
        repetition,
        equations_of_motion,
        energy,
        complementarity,
        impacts,
        tighter_tolerances,
        other_forms,
    ),
}

NOT_TAKEN = {  # options that not every analysis has
    "free": "only statics and simulate leave drivers undriven",
    "tolerance": "a simulation has no constraint tolerance, but rtol and atol in [analysis]",
}


def verify(run: Run) -> Verification:
    """All checks of the run's analysis, on the numbers of its table."""
    study = run.record.study
    if study not in CHECKS:
        raise ModelError(f"there are no checks of {study}; there are those of {', '.join(CHECKS)}")
    subject = Subject(forward(run))
    applicable = EQUILIBRIA if subject.of_equilibria else CHECKS[study]
    checks = tuple(check for run_check in applicable for check in run_check(subject))
    return Verification(run.model.name, study, run.record.formulation, len(run), checks)


def answer_verify(definition: ModelDefinition, asked: VerifyOptions) -> Verification:
    """Answers the study `verify`: runs the analysis, then every check that it has."""
    name = asked.analysis or (definition.analysis.type if definition.analysis is not None else "kinematics")
    study = STUDIES["inverse" if name in INVERSE else name]  # which gives their loads
    given = {key: getattr(asked, key) for key in ("start", "end", "step", "free", "tolerance", "progress")}
    wanted = {key: value for key, value in given.items() if value not in (None, ())}
    for option in wanted.keys() - set(study.options):
        raise ModelError(f"{NOT_TAKEN[option]}; the analysis is {study.name}")
    return verify(study.function(definition, study.read(definition, wanted)))
