"""States of a tree by name: the order of joint coordinates and rates, and numbers from arrays or dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import column_names, holds_of
from mubo.topology.tree import Hinge

# What people may hand over: its letter, the names it goes by, and what its numbers are per time.
_PER = {"q": "", "v": "/time", "a": "/time^2"}


class StateNames(NamedTuple):
    """Names of the coordinates q and of the rates v, in the order of arrays; a and τ have the order of v.

    Joints stand in the order in which a walk from the ground meets their bodies, neighbours first; the coordinates of a
    joint in the order of docs/elements.md. A ball without `euler` has four numbers in q and three in v.
    """

    q: tuple[str, ...]
    v: tuple[str, ...]


def state_names_of(model: ModelDefinition, hinges: Sequence[Hinge]) -> StateNames:
    """ "A.q", "B.q1", "B.q2" … and "A.v", "B.v1", "B.v2" …"""
    names: dict[bool, list[str]] = {False: [], True: []}
    for joint in {hinge.joint: hinge.inserted or model.joints[hinge.joint] for hinge in hinges}.values():
        for rates, letter in ((False, "q"), (True, "v")):
            count = len(holds_of(model, joint, rates))
            names[rates] += [f"{joint.name}.{word}" for word in column_names(count, letter)]
    return StateNames(tuple(names[False]), tuple(names[True]))


def read_numbers(model: ModelDefinition, names: StateNames, given: Any, letter: str) -> Array:
    """An array in the order of the names; a dictionary by joint, or by the names of coordinates.

    Plain numbers are radians and the model's unit of length; text carries its unit. τ is in the model's units.
    """
    order = names.q if letter == "q" else names.v
    if isinstance(given, Mapping):
        values = _from_names(model, order, given, letter)
    else:
        values = [given] if np.ndim(given) == 0 else list(given)
    if len(values) != len(order):
        raise ModelError(f"{letter} needs {len(order)} numbers, {', '.join(order)}; found {len(values)}")
    out = np.array([_number(model, name, value, letter) for name, value in zip(order, values, strict=True)], float)
    bad = ~np.isfinite(out)
    if bad.any():
        raise ModelError(f"{letter}: {order[int(np.argmax(bad))]} is {out[np.argmax(bad)]}: a finite number is needed")
    return out


def _from_names(model: ModelDefinition, order: Sequence[str], given: Mapping[str, Any], letter: str) -> list[Any]:
    """Numbers of a dictionary in order; all must be there."""
    joints: dict[str, list[str]] = {}
    for name in order:
        joints.setdefault(name.rpartition(".")[0], []).append(name)
    out: dict[str, Any] = {}
    for key, value in given.items():
        key = key if letter in ("q", "v") or key in joints else key.replace(f".{letter}", ".v")
        if key in joints:
            values = [value] if isinstance(value, str) or np.ndim(value) == 0 else list(value)
            if len(values) != len(joints[key]):
                raise ModelError(f"{letter} of joint {key} needs {len(joints[key])} numbers; found {len(values)}")
            out |= dict(zip(joints[key], values, strict=True))
        elif key in order:
            out[key] = value
        else:
            raise ModelError(f'{letter}: there is no "{key}". {nearest(key, [*joints, *order])}')
    missing = [name for name in order if name not in out]
    if missing:
        raise ModelError(f"{letter}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return [out[name] for name in order]


def _number(model: ModelDefinition, name: str, value: Any, letter: str) -> float:
    if not isinstance(value, str):
        return float(value)
    joint, _, word = name.rpartition(".")
    owner = model.joints.get(joint) or Joint(joint, "free", ())  # a body that floats
    holds = holds_of(model, owner, letter != "q")[int(word[1:] or 1) - 1]
    kind = holds + _PER[letter] if letter in _PER else {"angle": "torque", "length": "force"}[holds]
    try:
        return model.units.read(value, kind)
    except ModelError as error:
        raise ModelError(f"{letter}: {name}: {error}") from None
