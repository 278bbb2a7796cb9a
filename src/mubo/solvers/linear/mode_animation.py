"""A mode as a motion to look at: the mechanism swings along its shape, closed at every row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.numerics.vibration_modes import VibrationMode
from mubo.results import Record, Run, Summary
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.continuation.stepping import Settings
from mubo.solvers.linear.matrices import Reduced

SHOWN = 0.15  # radians or sizes of the mechanism: how far the body goes that moves most
ROWS = 48  # of a cycle


@dataclass(frozen=True, eq=False)
class Shown:
    """The data to move the mechanism along a mode."""

    look: StartAnalysis
    small: Reduced

    def run(self, mode: VibrationMode, number: int, amplitude: float | None, cycles: float) -> Run:
        """Rows of a swing that neither grows nor dies away; one that does not vibrate is shown with a cycle of one unit
        of time. `amplitude` is that of the largest component of the shape."""
        near = self.small.near
        omega = mode.root.imag if mode.oscillates else 2 * np.pi
        t = np.arange(max(1, round(cycles * ROWS)) + 1) * 2 * np.pi / omega / ROWS
        farthest = float(np.max(np.abs(mode.shape @ near.basis * near.rest.weight), initial=0.0))
        size = SHOWN / farthest if amplitude is None else amplitude
        turning = size * mode.shape * np.exp(1j * omega * t)[:, None]
        positions = np.array([self._closed(y) for y in turning.real])
        rates, changes = (1j * omega * turning).real, (-(omega**2) * turning).real
        columns = near.columns(near.states(positions, near.rates + rates, changes))
        model = self.look.form.model
        return Run(
            columns=columns.replaced({"t": t}),
            find_events=list,
            summary=Summary(
                {
                    "status": "ok",
                    "model": model.name,
                    "rows": len(t),
                    "mode": number,
                    "amplitude": size,
                    "events": [],
                    "warnings": [
                        f"mode {number} is shown {size:.3g} large: small motions have its shape, not its size"
                    ],
                    "files": [],
                }
            ),
            record=Record(
                model=model,
                study="linearize",
                formulation="absolute",
                times=(0.0, float(t[-1]), float(t[1])),
                settings=Settings(),
                inspection=self.look,
                tolerance=self.look.tolerance,
            ),
        )

    def _closed(self, y: Array) -> Array:
        near = self.small.near
        reached = near.rest.closed(near.beside(y))
        if reached.gap > near.rest.tolerance:
            raise SimulationError(
                "the mechanism does not close so far from the reference",
                suggestion="Show the mode with a smaller amplitude.",
            )
        return reached.q
