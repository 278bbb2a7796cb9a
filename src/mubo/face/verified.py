"""A model asks for the proof of an analysis."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError, nearest
from mubo.face.asking import Time
from mubo.face.forces import Forces
from mubo.face.runs import Run

if TYPE_CHECKING:
    from mubo.studies.verify.table import Verification

ANALYSES = ("kinematics", "inverse", "statics", "simulate")


class Verified(Forces):
    """The proof of what a model answers."""

    def verify(
        self, start: Time = None, end: Time = None, step: Time = None, *, analysis: str | None = None, **settings: Any
    ) -> Verification:
        """Second formulations, there and back, energy or virtual work, other tolerances, residuals: a table of checks,
        each with the figure found, the figure allowed and a verdict.

        `analysis` is "kinematics", "inverse", "statics" or "simulate" (default: as [analysis] says, else "kinematics");
        `settings` are those of that study, such as tolerance=1e-8. `run.verify()` does the same for a run at hand.

        >>> proof = mubo.load("four_bar.toml").verify()
        >>> proof.holds, proof["certificate"].note.split(":")[0]
        (True, '41 of 41 rows')
        """
        return self._analysed(start, end, step, analysis, settings).verify()

    def _analysed(self, start: Time, end: Time, step: Time, analysis: str | None, settings: dict[str, Any]) -> Run:
        asked = analysis or (self.analysis.type if self.analysis is not None else ANALYSES[0])
        if asked not in ANALYSES:
            raise ModelError(f'there is no analysis "{asked}". {nearest(asked, ANALYSES)}')
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the table tells how far the rows go
            run: Run = getattr(self, asked)(start, end, step, **settings)
        return run
