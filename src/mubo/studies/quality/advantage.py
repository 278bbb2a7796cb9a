"""Mechanical advantage: what a lossless machine gives at its output for what its only driver puts in.

Power in is power out, so output effort / driver effort = driver rate / output rate (Norton, Design of Machinery,
section 6.4). Angular rates are in radians.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.errors import ModelError, nearest
from mubo.model import Model
from mubo.results import Column, Columns

RATES = {"x": "vx", "y": "vy", "phi": "omega"}
STILL = 1e-9  # of its largest rate: a driver slower than this stands


def require_output(model: Model, output: str) -> None:
    """Refuses an output that has no rate, and models with other than one driver."""
    if model.linkage is not None:
        raise ModelError("a deck has no joints and bodies towards which an advantage could be told")
    if len(model.drivers) != 1:
        raise ModelError(
            f"the mechanical advantage is defined for one driver; the model has {len(model.drivers)}",
            names=list(model.drivers),
        )
    known = [
        name for name, joint in model.joints.items() if model.kinds[joint.kind].coordinate and len(joint.between) == 2
    ]
    known += [f"{name}.{c}" for name in model.bodies for c in RATES]
    known += [f"{name}.{c}" for name in model.points for c in ("x", "y")]
    if output not in known:
        raise ModelError(
            f'the output "{output}" is neither a coordinate of a body or point nor a joint. {nearest(output, known)}',
            names=[output],
        )


def add_advantage(model: Model, columns: Columns, output: str) -> dict[str, Any]:
    """Adds |driver rate / output rate| at every row, nan where the driver stands; answers its extremes with times."""
    (name,) = model.drivers
    head, _, tail = output.rpartition(".")
    rate, given = columns.column(f"{head}.{RATES[tail]}" if head else f"{output}.v"), columns.column(f"{name}.rate")
    speed, driven = columns.solved(rate.name), columns.solved(given.name)
    still = np.abs(driven) <= STILL * np.max(np.abs(driven), initial=0.0)
    small = 1e-12 * np.max(np.abs(speed), initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.abs(speed) <= small, np.inf, np.abs(driven / speed))
    ratio[still] = np.nan
    columns.extend([(Column("transmission.advantage", "transmission", output, "advantage"), ratio)])
    length = model.units.of("length")
    unit = "" if rate.holds == given.holds or not length else f"1/{length}" if given.holds == "angle" else length
    summary: dict[str, Any] = {"driver": name, "output": output, "unit": unit}  # force per moment, or back
    if not np.all(still):
        for word, row in (("minimum", int(np.nanargmin(ratio))), ("maximum", int(np.nanargmax(ratio)))):
            summary[word] = {
                "value": float(ratio[row]),
                "t": float(columns["t"][row]),
                "drivers": {name: float(columns[f"{name}.value"][row])},
            }
    return summary
