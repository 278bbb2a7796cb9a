"""A model asks for the proof of an analysis, and is stepped on by who controls it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.api.asking import Time
from mubo.api.forces import Forces
from mubo.errors import ModelError, nearest
from mubo.results import Run

if TYPE_CHECKING:
    from mubo.analyses.verify.table import Verification
    from mubo.applications.control.stepper import Stepper

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
        proof: Verification = self._analysed(start, end, step, analysis, settings).verify()
        return proof

    def _analysed(self, start: Time, end: Time, step: Time, analysis: str | None, settings: dict[str, Any]) -> Run:
        asked = analysis or (self.analysis.type if self.analysis is not None else ANALYSES[0])
        asked = "inverse" if asked in ("strength", "gait") else asked  # what their loads come from
        if asked not in ANALYSES:
            raise ModelError(f'there is no analysis "{asked}". {nearest(asked, ANALYSES)}')
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the table tells how far the rows go
            run: Run = getattr(self, asked)(start, end, step, **settings)
        return run

    def stepper(
        self,
        inputs: Sequence[str] | str = (),
        outputs: Sequence[str] | str | None = None,
        *,
        start: Time = None,
        rtol: float | None = None,
        atol: float | None = None,
    ) -> Stepper:
        """A simulation that goes on step by step, with inputs that are held over each: for control in Python.

        `inputs` are loads whose size is set (in the model's units, as a number in the file), or drivers, which are then
        free and become efforts along their coordinate. `outputs` are columns (default: the measures, or the joint
        coordinates where there are none). `docs/control.md` has a controller as an example.

        >>> plant = mubo.load("cart_pole.toml").stepper(["push"], ["pole.phi", "pole.omega"])
        >>> for _ in range(3):
        ...     angle, rate = plant.outputs.values()
        ...     told = plant.step(0.01, {"push": 60 * angle + 12 * rate})
        >>> round(plant.t, 9)
        0.03
        """
        from mubo.applications.control.stepper import Stepper
        from mubo.solvers.dynamics.settings import ATOL, RTOL, SimulationSettings

        asked = self.analysis
        settings = SimulationSettings(
            rtol if rtol is not None else (asked and asked.rtol) or RTOL,
            atol if atol is not None else (asked and asked.atol) or ATOL,
        )
        begin = (self.analysis.start if self.analysis is not None else 0.0) if start is None else start
        named = [outputs] if isinstance(outputs, str) else outputs
        steered = [inputs] if isinstance(inputs, str) else inputs
        return Stepper(self.build(), steered, named, self.units.read(begin, "time"), settings)

    def save_fmu(
        self,
        path: str | Path,
        inputs: Sequence[str] | str,
        outputs: Sequence[str] | str | None = None,
        *,
        start: Time = None,
        rtol: float | None = None,
        atol: float | None = None,
    ) -> None:
        """Writes an FMU, FMI 2.0 for co-simulation: the same plant for other simulators. Parameters of the model are
        parameters of the FMU. Needs the extra: pip install 'mubo[fmu]'.

        >>> mubo.load("cart_pole.toml").save_fmu("cart_pole.fmu", ["push"], ["cart.x", "pole.phi"])
        """
        from mubo.applications.control.fmu import write_fmu

        write_fmu(self.stepper(inputs, outputs, start=start, rtol=rtol, atol=atol), path)
