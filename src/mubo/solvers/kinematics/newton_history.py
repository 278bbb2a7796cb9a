"""Newton iteration of single output times with the constraint violation after every iteration, for charts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.lazy_dataclass import dataclass
from mubo.results import Run

CHOSEN = 5  # output times, where none are asked for


@dataclass(frozen=True)
class NewtonHistory:
    """Largest constraint violation before the first and after every iteration, and the position that was reached."""

    t: float
    violations: tuple[float, ...]
    position: Array


def newton_histories(run: Run, rows: Sequence[int] | None = None) -> list[NewtonHistory]:
    """Solves Φ(q, t) = 0 again at some rows of a run, in absolute coordinates, and keeps every iteration.

    The first row starts at the estimates of the model, every other one at the position of the row before it, as KABIOS
    does (Flores 2010, section 7). Without `rows` the first one and some others, evenly spaced, are taken.
    """
    if run.record.inspection is None or run.record.rows is None:
        raise ResultError("this result has no Newton iterations: only kinematics solves by Newton's method")
    form, count = run.record.inspection.form, len(run)
    if rows is None:
        rows = sorted({0, *np.linspace(0, count - 1, min(CHOSEN, count)).astype(int).tolist()})
    tolerance, limit = run.record.tolerance, run.record.settings.max_iterations
    histories = []
    for row in rows:
        t = run["t"][[max(row - 1, 0), row]]
        start = form.estimate if row == 0 else run.record.rows(t[:1]).absolute[0, 0]
        motion = form.motion(t[1:])[0]
        q, violations = np.array(start), []
        while True:
            phi = form.system.phi(q, motion)
            violations.append(float(np.max(np.abs(phi))))
            if violations[-1] <= tolerance or len(violations) > limit:
                break
            q = q - np.linalg.lstsq(form.system.jacobian(q, motion), phi, rcond=None)[0]
        histories.append(NewtonHistory(float(t[1]), tuple(violations), q))
    return histories
