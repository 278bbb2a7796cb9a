"""Mechanical advantage: what a lossless machine gives at its output for what its only driver puts in.

Power in is power out, so output effort / driver effort = driver rate / output rate (Norton, Design of Machinery,
section 6.4). Angular rates are in radians.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import JOINTS
from mubo.errors import ModelError, nearest
from mubo.model import Model, target_of

RATES = {"x": "vx", "y": "vy", "phi": "omega"}
STILL = 1e-9  # of its largest rate: a driver slower than this stands


def require_output(model: Model, output: str) -> None:
    """Refuses an output that has no rate, and models with other than one driver."""
    if len(model.drivers) != 1:
        raise ModelError(
            f"the mechanical advantage is defined for one driver; the model has {len(model.drivers)}",
            names=list(model.drivers),
        )
    known = [name for name, joint in model.joints.items() if JOINTS[joint.kind].coordinate and len(joint.between) == 2]
    known += [f"{name}.{c}" for name in model.bodies for c in RATES]
    known += [f"{name}.{c}" for name in model.points for c in ("x", "y")]
    if output not in known:
        raise ModelError(
            f'the output "{output}" is neither a coordinate of a body or point nor a joint. {nearest(output, known)}',
            names=[output],
        )


def mechanical_advantage(model: Model, columns: dict[str, Array], output: str) -> tuple[Array, dict[str, Any]]:
    """|driver rate / output rate| at every row, nan where the driver stands, and its extremes with their times."""
    ((name, driver),) = model.drivers.items()
    factor = model.units.angle_factor()
    head, _, tail = output.rpartition(".")
    turns = tail == "phi" if head else JOINTS[model.joints[output].kind].coordinate == "angle"
    rate = columns[f"{head}.{RATES[tail]}" if head else f"{output}.v"] * (factor if turns else 1.0)
    turned = target_of(model, driver.of).holds == "angle"
    given = columns[f"{name}.rate"] * (factor if turned else 1.0)
    still = np.abs(given) <= STILL * np.max(np.abs(given), initial=0.0)
    small = 1e-12 * np.max(np.abs(rate), initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(np.abs(rate) <= small, np.inf, np.abs(given / rate))
    ratio[still] = np.nan
    length = model.units.label("x")
    unit = "" if turns == turned or not length else f"1/{length}" if turned else length  # force per moment, or back
    found: dict[str, Any] = {"driver": name, "output": output, "unit": unit}
    if not np.all(still):
        for word, row in (("minimum", int(np.nanargmin(ratio))), ("maximum", int(np.nanargmax(ratio)))):
            found[word] = {
                "value": float(ratio[row]),
                "t": float(columns["t"][row]),
                "drivers": {name: float(columns[f"{name}.value"][row])},
            }
    return ratio, found
