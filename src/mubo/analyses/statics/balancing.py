"""Balancing: the stiffness of a spring or the mass of a counterweight with which the drivers' efforts are least.

Efforts are linear in stiffnesses and masses, e(p) = e(p₀) + A (p − p₀): one step of least squares over all positions
of the sweep is the answer. Lengths and other numbers take a few steps (Gauss and Newton).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import loads_of
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import mechanism_of
from mubo.mechanism.rows import join_words
from mubo.model import ModelDefinition
from mubo.model.coordinates import holds_at
from mubo.model.options import measured
from mubo.results import Run

STEPS = 30
ENOUGH = 1e-10  # of its size: a change of a parameter that is none


@dataclass(frozen=True)
class Balance:
    """The run with the best values, and these values."""

    run: Run
    entry: dict[str, Any]


def balance(model: ModelDefinition, names: Sequence[str], sweep: Callable[[ModelDefinition], Run]) -> Balance:
    """The values of the named parameters, none below zero, with which the efforts over the sweep are least."""
    values = np.array([value_of(model, name) for name in names])
    first = run = sweep(model)
    open_ = np.ones(len(names), bool)  # those that are not at zero
    for _ in range(STEPS):
        effort = efforts_of(run)
        sensitivities = np.array([_sensitivity(model, names, values, k, effort, sweep) for k in range(len(names))])
        _require_effect(model, names, sensitivities)
        wanted = values + np.linalg.lstsq((sensitivities * open_[:, None]).T, -effort, rcond=1e-10)[0]
        open_ &= wanted >= 0
        wanted = np.maximum(wanted, 0.0)
        change = float(np.max(np.abs(wanted - values) / np.where(wanted > 0, wanted, 1.0)))
        values, run = wanted, sweep(_with(model, names, wanted))
        if change <= ENOUGH or not open_.any():
            break
    return Balance(run, _entry(names, model, values, first, run))


def _require_effect(model: ModelDefinition, names: Sequence[str], sensitivities: Array) -> None:
    idle = [name for name, line in zip(names, sensitivities, strict=True) if not np.any(np.abs(line) > 0)]
    if idle:
        raise ModelError(
            f"{join_words(idle)} {'has' if len(idle) == 1 else 'have'} no effect on the efforts of "
            f"{join_words(list(model.drivers))}",
            names=idle,
            suggestion="Name the stiffness of a spring or the mass of a body that the drivers carry.",
        )


def _sensitivity(
    model: ModelDefinition,
    names: Sequence[str],
    values: Array,
    k: int,
    effort: Array,
    sweep: Callable[[ModelDefinition], Run],
) -> Array:
    """How the efforts change with one parameter: exact where they are linear in it."""
    other = values.copy()
    other[k] += max(0.1 * abs(values[k]), 1.0 if values[k] == 0 else 0.0)
    return np.asarray((efforts_of(sweep(_with(model, names, other))) - effort) / (other[k] - values[k]))


def _with(model: ModelDefinition, names: Sequence[str], values: Array) -> ModelDefinition:
    for name, value in zip(names, values, strict=True):
        model = model.replace(name, float(value))
    return model


def efforts_of(run: Run) -> Array:
    """Efforts of all drivers over the sweep, as work per radian or per size of the mechanism."""
    weight = mechanism_of(run.model).driver_weight
    return np.concatenate(
        [run.columns.raw(f"{name}.effort") / w for name, w in zip(run.model.drivers, weight, strict=True)]
    )


def value_of(model: ModelDefinition, name: str) -> float:
    """The number that a name such as "spring.stiffness" or "counterweight.mass" stands for, in the model's units."""
    head, _, tail = name.partition(".")
    if head in model.forces:
        force = model.forces[head]
        options = {option.name: option for option in loads_of(model.dimension)[force.kind].options}
        numbers = {n: o for n, o in options.items() if o.holds in ("number", "length", "angle", "coordinate")}
        if tail in numbers:
            option, of = numbers[tail], holds_at(model, force.on[0])
            kind = {"number": measured(option, of), "coordinate": of or "length"}.get(
                str(option.holds), str(option.holds)
            )
            return float(force.options.get(tail, option.default or 0.0)) / model.units.read(1.0, kind)
        raise ModelError(f'force {head} has no number "{tail}". {nearest(tail, numbers)}', names=[head])
    if head in model.bodies and tail == "mass":
        return float(model.bodies[head].mass or 0.0) / model.units.read(1.0, "mass")
    known = [f"{force}.stiffness" for force in model.forces] + [f"{body}.mass" for body in model.bodies]
    raise ModelError(
        f'there is no number "{name}" to balance with. {nearest(name, known)}',
        suggestion="Name an option of a force or the mass of a body, such as spring.stiffness or counterweight.mass.",
    )


def _entry(names: Sequence[str], model: ModelDefinition, values: Array, first: Run, last: Run) -> dict[str, Any]:
    efforts = {
        name: {
            "before": float(np.max(np.abs(first[f"{name}.effort"]))),
            "after": float(np.max(np.abs(last[f"{name}.effort"]))),
        }
        for name in model.drivers
    }
    return {
        "parameters": {
            name: {"before": value_of(model, name), "after": float(value)}
            for name, value in zip(names, values, strict=True)
        },
        "largest_effort": efforts,
    }
