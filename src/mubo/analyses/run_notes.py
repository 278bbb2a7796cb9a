"""Notes on a kinematic run: corners of motion laws, redundant equations, unused data, and the data behind the laws
(samples, filled gaps, smoothing), as facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mubo.arrays import Array, distinct
from mubo.elements import loads_of
from mubo.errors import ModelError
from mubo.laws.law import ORDERS, Law, breaks_of, jumps_of
from mubo.model import GROUND, ModelDefinition, Units, target_of
from mubo.note import Note
from mubo.results import Columns
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows

MOST_CORNERS = 8  # corners of a law that are reported one by one
SAMPLES = 9  # positions along a motion at which a redundancy is tested again


def law_corner_notes(model: ModelDefinition, grid: Array) -> list[Note]:
    """Notes on the corners of the motion laws, the first ones of each law one by one; a law that jumps in value is
    refused."""
    _require_few_corners(model, float(grid[0]), float(grid[-1]))
    corners: list[Note] = []
    time = model.units.unit_of("time")
    for driver in model.drivers.values():
        holds = target_of(model, driver.of).holds
        jumps = jumps_of(driver.motion, float(grid[0]), float(grid[-1]))
        for jump in jumps:
            if jump.order == 0 and jump.gross:
                raise ModelError(
                    f"driver {driver.name}: {jump.describe(model.units.unit_of(holds), time)}; "
                    "a mechanism cannot follow that",
                    names=[driver.name],
                    numbers={"t": jump.t, "jump": jump.size},
                    suggestion="Join the two values by a rise, such as a cycloidal one.",
                )
        jumps = [replace(jump, size=jump.size / _own_rates(model.units, holds, jump.order)) for jump in jumps]
        units = [{"unit": model.units.unit_of(holds, order), "time": time} for order in range(len(ORDERS))]
        corners += [
            Note("runs.law_jumps", driver=driver.name, jump=jump, **units[jump.order]) for jump in jumps[:MOST_CORNERS]
        ]
        for order, of_order in enumerate(units):
            rest = [jump for jump in jumps[MOST_CORNERS:] if jump.order == order]
            if rest:
                more = {"count": len(rest), "last": rest[-1].t, "most": max(jump.size for jump in rest)}
                corners.append(Note("runs.law_jumps_more", driver=driver.name, order=order, **more, **of_order))
    return corners


def _own_rates(units: Units, holds: str, order: int) -> float:
    """The unit of a rate in units of its quantity per unit of time, which laws have: 6 deg/s of a rpm."""
    return units.factor(holds, order) / units.factor(holds)


def _require_few_corners(model: ModelDefinition, start: float, end: float) -> None:
    """Refuse a law that cannot state its corners within a run, and name its element."""
    laws = [("driver", driver.name, driver.motion) for driver in model.drivers.values()]
    for force in model.forces.values():
        laws += [("force", force.name, law) for law in force.options.values() if isinstance(law, Law)]
    for word, name, law in laws:
        try:
            breaks_of(law, start, end)
        except ModelError as error:
            raise ModelError(f"{word} {name}: {error}", names=[name]) from None


def motion_notes(problem: KinematicProblem, rows: MotionRows, columns: Columns, whole: bool) -> list[Note | str]:
    """Notes on a motion, and those of the file as they are; `whole` says that it came to its end."""
    model, analysis = problem.model, problem.analysis
    out: list[Note | str] = [
        *(model.origin.notes if model.origin is not None else ()),
        *dependence_notes(analysis, rows.absolute, whole),
    ]
    if model.dimension == 3:
        from mubo.solvers.columns.space_columns import turn_count_notes

        out += turn_count_notes(analysis.form, columns)
    out += analysis.notes
    if problem.has_cams:
        from mubo.solvers.columns.cam_columns import cam_layout_notes

        out += cam_layout_notes(analysis.form, rows.absolute)
    return [*out, *analysis.form.mechanism.notes, *(unused_notes(model) if problem.study == "kinematics" else ())]


def dependence_notes(analysis: StartAnalysis, states: Array, whole: bool) -> list[Note]:
    """Notes on redundant equations, and whether they stay redundant along the motion."""
    dependent = analysis.diagnosis.dependent
    if not dependent:
        return []
    from mubo.solvers.assembly.singular_positions import remain_redundant

    count = SAMPLES if whole else 0
    samples = distinct(np.linspace(0, len(states) - 1, count).astype(int))
    stays = np.full(len(dependent), whole)
    for k in samples:
        stays &= list(remain_redundant(analysis.form, dependent, states[k][0], analysis.motion))
    pairs = zip(dependent, stays, strict=True)
    return [Note("runs.redundant", equation=one.describe(), everywhere=bool(stay)) for one, stay in pairs]


def unused_notes(model: ModelDefinition) -> list[Note]:
    """Notes on masses, gravity and forces of a model, which do not act where drivers prescribe the motion."""
    masses = any(body.weighs for body in model.bodies.values() if body.name != GROUND)
    gravity = model.gravity is not None and any(model.gravity)
    if not (masses or gravity or model.forces):
        return []
    return [Note("runs.unused", masses=masses, gravity=gravity, forces=list(model.forces))]


def law_data_notes(model: ModelDefinition) -> dict[str, dict[str, Any]]:
    """Notes on the data of every law that has some, by driver, or as "cam.lift" by joint or force and option."""
    out = {}
    for name, law, units in _laws(model):
        notes = law.notes()
        if notes:
            out[name] = {**notes, "units": units} if "residual" in notes else notes
    return out


def _laws(model: ModelDefinition) -> Iterator[tuple[str, Law, dict[str, str]]]:
    for driver in model.drivers.values():
        holds = target_of(model, driver.of).holds
        yield driver.name, driver.motion, _units(model.units, holds, "time")
    for joint in model.joints.values():
        over = "angle" if model.kinds[joint.kind].profiled else "time"
        for option, value in joint.options.items():
            if isinstance(value, Law):
                yield f"{joint.name}.{option}", value, _units(model.units, "length", over)
    for force in model.forces.values():
        law = loads_of(model.dimension)[force.kind].formula.law
        if law in force.options:
            yield f"{force.name}.{law}", force.options[law], _units(model.units, "", "time")


def _units(units: Units, holds: str, over: str) -> dict[str, str]:
    """Units of the residual and of the cut-off frequency, which is in cycles per unit of the law's argument."""
    per = (units.time or "s") if over == "time" else (units.angle or "rad")
    return {"residual": units.unit_of(holds) if holds else "", "cutoff": "Hz" if per == "s" else f"/{per}"}
