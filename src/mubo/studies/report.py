"""The checker: what a model is, whether it closes, and what is wrong with it, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.compile import compile_model
from mubo.errors import MuboError
from mubo.model import Model
from mubo.studies.assemble import assemble
from mubo.studies.diagnose import Diagnosis, diagnose
from mubo.studies.kinematics import refusal


@dataclass(frozen=True)
class CheckReport:
    """Findings at the first position. `error` is what an analysis would raise, or None."""

    model: str
    diagnosis: Diagnosis
    corrections: int
    gap: float
    largest_gap_at: str
    notes: tuple[str, ...]
    error: MuboError | None

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
            "freedoms_left": [list(bodies) for bodies in d.free_motions],
            "gap": self.gap,
            "message": str(self.error) if self.error else "",
            "warnings": [*self._redundant(), *self.notes],
        }

    def __str__(self) -> str:
        d = self.diagnosis
        joints = d.constraints - d.drivers
        lines = [
            self.model,
            f"  coordinates   N = {d.coordinates}",
            f"  equations     M = {d.constraints}: {joints} of joints, {d.drivers} of drivers; rank {d.rank}",
            f"  mobility      {d.gruebler} by Grübler's count, {d.mobility} at the assembled position",
            f"  loops         {d.loops}",
        ]
        if self.gap < 1e-6:
            lines.append(f"  closure       gap {self.gap:.1e} after {self.corrections} corrections")
        else:
            lines.append(f"  closure       open by {self.gap:.3g} at {self.largest_gap_at}")
        lines += [f"  note          {note}" for note in (*self._redundant(), *self.notes)]
        verdict = "ready: the motion is determined" if self.ok else str(self.error).replace("\n", "\n                ")
        return "\n".join([*lines, f"  {'verdict' if self.ok else 'problem':<14}{verdict}"])

    def _redundant(self) -> list[str]:
        return [d.words(False) for d in self.diagnosis.dependent] if self.ok else []


def check_model(model: Model, tolerance: float = 1e-10, max_iterations: int = 20) -> CheckReport:
    """Compiles, assembles at the start time and looks at the rank; raises only for a model that has no meaning."""
    compiled = compile_model(model)
    start = model.analysis.start if model.analysis else 0.0
    motion = compiled.motion(np.array([start]))[0]
    assembly = assemble(compiled, motion, tolerance, max_iterations)
    diagnosis = diagnose(compiled, assembly.q, motion)
    return CheckReport(
        model=model.name,
        diagnosis=diagnosis,
        corrections=assembly.corrections,
        gap=assembly.gap,
        largest_gap_at=" ".join(compiled.equation_names[assembly.worst]) if compiled.equation_names else "",
        notes=compiled.notes,
        error=refusal(compiled, assembly, diagnosis, motion, tolerance),
    )
