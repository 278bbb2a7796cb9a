"""The checks that read the table of a run and solve nothing again: what a page can state of every run."""

from __future__ import annotations

from mubo.analyses.verify.table import Verification
from mubo.analyses.verify.target import Subject, forward
from mubo.mappings import load_place
from mubo.results import Run

# Modules are loaded where their check is needed: those of forces and simulations need SciPy.
RESIDUALS, BACK = "mubo.analyses.verify.poses:residuals", "mubo.analyses.verify.poses:reversibility"
BALANCE, ENERGY = "mubo.analyses.verify.forces:balance", "mubo.analyses.verify.simulated:energy"
POTENTIAL = "mubo.analyses.verify.potentials:potential"
CHECKS = {
    "kinematics": (RESIDUALS, BACK),
    "inverse": (RESIDUALS, BACK, BALANCE),
    "statics": (RESIDUALS, BACK, BALANCE),
    "simulate": (RESIDUALS, ENERGY),
}
EQUILIBRIA = (RESIDUALS, POTENTIAL, BALANCE)
INVERSE = ("strength", "gait")  # applications whose run is one of inverse dynamics


def verify_rows(run: Run) -> Verification | None:
    """The verification of a run by its table alone; None for a study that has no checks."""
    study = "inverse" if run.record.study in INVERSE else run.record.study
    if study not in CHECKS:
        return None
    subject = Subject(forward(run))
    applicable = EQUILIBRIA if subject.of_equilibria else CHECKS[study]
    known = [place for place in applicable if place != BACK or "there_and_back" in run.summary]
    checks = tuple(check for place in known for check in load_place(place)(subject))
    return Verification(run.model.name, study, run.record.formulation, len(run), checks)
