"""Animation of a vibration mode: the mechanism swings along the mode shape, closed at every row."""

from __future__ import annotations

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.laws.number_text import number as short
from mubo.lazy_dataclass import dataclass
from mubo.note import Note
from mubo.numerics.vibration_modes import VibrationMode
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Record, Run, Summary
from mubo.results.record import ModeRecord
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.linear.matrices import LinearMatrices

AMPLITUDE = 0.15  # radians or sizes of the mechanism, of the body that moves most
ROWS = 48  # of a cycle


@dataclass(frozen=True, eq=False)
class ModeAnimation:
    """Data to move the mechanism along a vibration mode."""

    look: StartAnalysis
    matrices: LinearMatrices

    def run(self, mode: VibrationMode, number: int, amplitude: float | None, cycles: float) -> Run:
        """Return rows of an undamped oscillation; a mode that does not vibrate has a cycle of one unit of time.

        `amplitude` is that of the largest component of the shape.
        """
        reduced = self.matrices.reduced
        omega = mode.root.imag if mode.oscillates else 2 * np.pi
        t = np.arange(max(1, round(cycles * ROWS)) + 1) * 2 * np.pi / omega / ROWS
        farthest = float(np.max(np.abs(mode.shape @ reduced.basis * reduced.problem.weight), initial=0.0))
        size = AMPLITUDE / farthest if amplitude is None else amplitude
        swing = size * mode.shape * np.exp(1j * omega * t)[:, None]
        positions = np.array([self._closed(y) for y in swing.real])
        rates, changes = (1j * omega * swing).real, (-(omega**2) * swing).real
        columns = reduced.columns(reduced.states(positions, reduced.rates + rates, changes))
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
                    "warnings": [str(Note("linear.amplitude", mode=number, size=size))],
                    "files": [],
                }
            ),
            record=Record(
                model=model,
                study="linearize",
                formulation="absolute",
                times=OutputTimes(0.0, float(t[-1]), float(t[1])),
                settings=Settings(),
                inspection=self.look,
                tolerance=self.look.tolerance,
                mode=ModeRecord(describe_mode(mode, number, model.units.time), self._rest(t[:1])),
            ),
        )

    def _rest(self, t: Array) -> Columns:
        """The columns of the position about which the modes swing, one row."""
        reduced = self.matrices.reduced
        still = np.zeros((1, len(reduced.rates)))
        positions = np.array([self._closed(still[0])])
        return reduced.columns(reduced.states(positions, reduced.rates + still, still)).replaced({"t": t})

    def _closed(self, y: Array) -> Array:
        reduced = self.matrices.reduced
        reached = reduced.problem.close(reduced.displaced(y))
        if reached.gap > reduced.problem.tolerance:
            raise SimulationError(
                "the mechanism does not close so far from the reference",
                suggestion="Show the mode with a smaller amplitude.",
            )
        return reached.q


def describe_mode(mode: VibrationMode, number: int, time: str) -> str:
    """The number of a mode with its frequency and damping ratio, or how fast it grows or decays; `time` is a unit."""
    per = time or "s"
    if mode.oscillates:
        hertz = "Hz" if per == "s" else f"1/{per}"
        return f"mode {number}: {short(mode.frequency, 4)} {hertz}, damping ratio {short(mode.damping, 3)}"
    return f"mode {number}: {mode.describe()}, growth {short(mode.growth, 4)} 1/{per}"
