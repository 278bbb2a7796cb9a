"""Numbers of a state by name: arrays, or dictionaries by the owners of coordinates or by their names; and the names of
joint coordinates and rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.model import Joint, ModelDefinition
from mubo.model.coordinates import column_names, holds_of
from mubo.topology.tree import Hinge

# Quantities of a state by letter, with their unit per time.
PER_TIME = {"q": "", "v": "/time", "a": "/time^2"}


class StateNames(NamedTuple):
    """Names of the coordinates q and of the rates v, in the order of arrays; a and τ have the order of v.

    Joints stand in the order in which a walk from the ground meets their bodies, neighbours first; the coordinates of a
    joint in the order of docs/elements.md. A ball without `euler` has four numbers in q and three in v.
    """

    q: tuple[str, ...]
    v: tuple[str, ...]


def read_by_name(
    order: Sequence[str], given: Any, letter: str, owner: str, read_text: Callable[[str, str], float]
) -> Array:
    """An array in the order of names "crank.x", from an array or a dictionary by owner ("crank") or by name.

    `letter` and `owner` ("joint", "body") are for messages; `read_text(name, text)` reads a number with its unit.
    """
    if isinstance(given, Mapping):
        values = _from_names(order, given, letter, owner)
    else:
        values = [given] if np.ndim(given) == 0 else list(given)
    if len(values) != len(order):
        raise ModelError(f"{letter} needs {len(order)} numbers, {', '.join(order)}; found {len(values)}")
    out = np.array([_number(name, value, letter, read_text) for name, value in zip(order, values, strict=True)], float)
    bad = ~np.isfinite(out)
    if bad.any():
        raise ModelError(f"{letter}: {order[int(np.argmax(bad))]} is {out[np.argmax(bad)]}: a finite number is needed")
    return out


def _from_names(order: Sequence[str], given: Mapping[str, Any], letter: str, owner: str) -> list[Any]:
    """Numbers of a dictionary in order; all must be there."""
    owners: dict[str, list[str]] = {}
    for name in order:
        owners.setdefault(name.rpartition(".")[0], []).append(name)
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key in owners:
            values = [value] if isinstance(value, str) or np.ndim(value) == 0 else list(value)
            if len(values) != len(owners[key]):
                raise ModelError(f"{letter} of {owner} {key} needs {len(owners[key])} numbers; found {len(values)}")
            out |= dict(zip(owners[key], values, strict=True))
        elif key in order:
            out[key] = value
        else:
            raise ModelError(f'{letter}: there is no "{key}". {nearest(key, [*owners, *order])}')
    missing = [name for name in order if name not in out]
    if missing:
        raise ModelError(f"{letter}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return [out[name] for name in order]


def _number(name: str, value: Any, letter: str, read_text: Callable[[str, str], float]) -> float:
    if not isinstance(value, str):
        return float(value)
    try:
        return read_text(name, value)
    except ModelError as error:
        raise ModelError(f"{letter}: {name}: {error}") from None


def state_names_of(model: ModelDefinition, hinges: Sequence[Hinge]) -> StateNames:
    """ "A.q", "B.q1", "B.q2" … and "A.v", "B.v1", "B.v2" …"""
    names: dict[bool, list[str]] = {False: [], True: []}
    for joint in {hinge.joint: hinge.inserted or model.joints[hinge.joint] for hinge in hinges}.values():
        for rates, letter in ((False, "q"), (True, "v")):
            count = len(holds_of(model, joint, rates))
            names[rates] += [f"{joint.name}.{word}" for word in column_names(count, letter)]
    return StateNames(tuple(names[False]), tuple(names[True]))


def require_named_coordinates(model: ModelDefinition, hinges: Sequence[Hinge]) -> None:
    """Refuse pins of a tree that join three or more bodies: their angles have no names."""
    for joint in (model.joints[hinge.joint] for hinge in hinges if not hinge.inserted):
        if len(joint.between) > 2:
            raise ModelError(
                f"joint {joint.name} joins {len(joint.between)} bodies: its angles have no names",
                names=[joint.name],
                suggestion="Write it as joints of two ends each.",
            )


def read_numbers(model: ModelDefinition, names: StateNames, given: Any, letter: str) -> Array:
    """An array in the order of the names; a dictionary by joint, or by the names of coordinates.

    Plain numbers are radians and the model's unit of length; text carries its unit. τ is in the model's units.
    """
    order = names.q if letter == "q" else names.v
    if isinstance(given, Mapping) and letter not in ("q", "v"):
        joints = {name.rpartition(".")[0] for name in order}
        given = {key if key in joints else key.replace(f".{letter}", ".v"): value for key, value in given.items()}
    return read_by_name(order, given, letter, "joint", lambda name, text: _read_text(model, name, text, letter))


def _read_text(model: ModelDefinition, name: str, text: str, letter: str) -> float:
    joint, _, word = name.rpartition(".")
    owner = model.joints.get(joint) or Joint(joint, "free", ())  # a body that floats
    holds = holds_of(model, owner, letter != "q")[int(word[1:] or 1) - 1]
    kind = holds + PER_TIME[letter] if letter in PER_TIME else {"angle": "torque", "length": "force"}[holds]
    return model.units.read(text, kind)
