"""A model file of an example, written in forms that must not matter; `file_answers` has what does not depend on them.

The world is turned and shifted by welding what was the ground, now a body, to the ground elsewhere; gravity, initial
velocities and what is drawn go along. Joints and contacts name their ends the other way around, with axes, senses and
stops that say the same. Tables stand in another order. Units stand at every number, and those of the file, in which
tables are written and solvers compute, are others.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rewriting import SYSTEMS

import mubo
from mubo.quantities.unit_algebra import measure

BARE = ("detent", "car_with_trailer")  # whose formulas of time have numbers of the file's own units
NAMES = ("between", "among", "of", "rope", "body", "type", "shape", "name")  # keys of names of elements
LENGTH, ANGLE = "length", "angle"
# What the numbers of a key measure; of keys that depend on the joint: a mark that is "length" or "angle" there.
MEASURES = {
    "gravity": "length/time^2", "position": LENGTH, "at": LENGTH, "to": LENGTH, "center": LENGTH, "points": LENGTH,
    "radius": LENGTH, "radii": LENGTH, "semi_axes": LENGTH, "corners": LENGTH, "size": LENGTH, "lower": LENGTH,
    "upper": LENGTH, "length": LENGTH, "angle": ANGLE, "angles": ANGLE, "lower_angle": ANGLE, "upper_angle": ANGLE,
    "mass": "mass", "inertia": "mass*length^2", "velocity": "length/time", "omega": "angle/time",
    "stiffness": "force/length", "viscosity": "pressure*time", "clearance": LENGTH,
    "q": "*", "rest": "*", "start": "*", "value": "*", "moves": "*", "v": "*/time", "rate": "*/time",
    "speed": "*/time", "acceleration": "*/time^2", "jerk": "*/time^3", "effort": "!", "viscous": "!*time/length",
}  # fmt: skip


@dataclass(frozen=True)
class Placed:
    """Where the ground of the file lies: its origin, and a rotation; and what names its ends the other way around."""

    origin: np.ndarray
    axes: np.ndarray
    swapped: frozenset[str] = frozenset()

    def vector(self, values: Any) -> list[float]:
        return [float(x) for x in self.axes @ np.array(values, float)]

    def place(self, values: Any) -> list[float]:
        return [float(x) for x in self.axes @ np.array(values, float) + self.origin]


def read(path: Path) -> dict[str, Any]:
    """The tables of a file, its parameters put in."""
    data = tomllib.loads(path.read_text())
    names: dict[str, Any] = {name: getattr(np, name) for name in ("sin", "cos", "tan", "sqrt", "pi")} | {"rad": 1.0}
    given = data.pop("parameters", {})
    for name, value in given.items():
        found = re.fullmatch(r"([-+.\de]+) ([a-z/]+)", str(value))
        names[name] = float(found[1]) * measure(found[2])[0] if found else eval(str(value), {}, names)
    return _with_numbers(data, names, set(given))


def _with_numbers(value: Any, names: dict[str, Any], given: set[str]) -> Any:
    if isinstance(value, dict):
        kept = {key for key, entry in value.items() if key in NAMES and not isinstance(entry, dict)}
        return {key: one if key in kept else _with_numbers(one, names, given) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_numbers(entry, names, given) for entry in value]
    if isinstance(value, str) and (set(re.findall(r"[A-Za-z_]\w*", value)) & given or "sqrt" in value):
        try:
            return float(eval(re.sub(r"(\d) rad\b", r"\1", value), {}, names))
        except (NameError, SyntaxError):
            return value  # a formula of the motion
    return value


def rewritten(data: dict[str, Any], kind: str, seed: int) -> tuple[dict[str, Any], Placed]:
    """The tables in another form, and where the world is."""
    random = np.random.default_rng([29, seed])
    out, dimension = copy.deepcopy(data), data.get("dimension", 2)
    out.pop("analysis", None)
    placed = Placed(np.zeros(dimension), np.eye(dimension))
    if kind in ("first body", "all"):
        placed = replace(placed, swapped=_swap(out, random))
    if kind in ("frames", "all"):
        placed = replace(_move(out, dimension, random), swapped=placed.swapped)
    if kind in ("order", "all"):
        for table, entries in out.items():
            if isinstance(entries, dict) and table != "units":
                names = list(entries)
                out[table] = {names[k]: entries[names[k]] for k in random.permutation(len(names))}
    if kind in ("units", "all") and data["name"] not in BARE:
        out = _in_units(out, SYSTEMS[str(random.choice([name for name in SYSTEMS if name != "SI"]))])
    return out, placed


def _swap(data: dict[str, Any], random: np.random.Generator) -> frozenset[str]:
    """Joints with their second body first: slides with the axis reversed too, turns with everything reversed."""
    swapped, flat = set(), data.get("dimension", 2) == 2
    for name, joint in data.get("joint", {}).items():
        if joint["type"] == "translational" or (joint["type"] == "revolute" and not flat):
            joint["axis"] = [-x for x in joint["axis"]]
        elif joint["type"] == "revolute":
            _reverse(data, name)
        else:
            continue
        joint["between"] = joint["between"][::-1]
        swapped.add(name)
    for name, contact in data.get("contact", {}).items():
        for key in ("between", "rope"):
            if key in contact:
                contact[key] = contact[key][::-1]
                swapped.add(name)
        if "among" in contact:
            contact["among"] = [str(one) for one in random.permutation(contact["among"])]
    return frozenset(swapped)


def _reverse(data: dict[str, Any], joint: str) -> None:
    """What is stated along a coordinate, reversed."""
    entries = [data.get("initial", {}).get(joint, {})]
    entries += [driver["motion"] for driver in data.get("driver", {}).values() if driver["of"] == joint]
    entries += [force for force in data.get("force", {}).values() if force.get("of") == joint]
    for entry in entries:
        for key in {"q", "v", "rate", "start", "effort", "rest"} & set(entry):
            if entry.get("type") != "friction":
                entry[key] = f"-({entry[key]})" if isinstance(entry[key], str) else -entry[key]
    for contact in data.get("contact", {}).values():
        if contact.get("of") == joint:
            ends = {key: -contact.pop(key) for key in ("lower_angle", "upper_angle") if key in contact}
            contact |= {("upper" if key[0] == "l" else "lower") + "_angle": value for key, value in ends.items()}
            if "freewheel" in contact:
                contact["freewheel"] = {"forward": "backward", "backward": "forward"}[contact["freewheel"]]


def _move(data: dict[str, Any], dimension: int, random: np.random.Generator) -> Placed:
    """The world elsewhere: what was the ground becomes a body that is welded to it."""
    origin, turn = random.normal(size=dimension), float(random.uniform(-3, 3))
    quaternion = random.normal(size=4)
    quaternion /= np.linalg.norm(quaternion)
    axes = (
        _matrix(quaternion)
        if dimension == 3
        else np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    )
    placed, degree = Placed(origin, axes), measure(data["units"]["angle"])[0]
    data["gravity"] = placed.vector(data["gravity"])
    for body in data["body"].values():
        if dimension == 2:
            body |= {"position": body.get("position", [0, 0]), "angle": body.get("angle", 0)}
        if "position" in body:
            body["position"] = placed.place(body["position"])
            if dimension == 3:
                body["orientation"] = [float(x) for x in _product(quaternion, _quaternion(body.get("orientation")))]
        if "angle" in body:
            body["angle"] = body["angle"] + turn / degree
    for name, initial in data.get("initial", {}).items():
        if name in data["body"]:
            for key in ("velocity", "omega"):
                if isinstance(initial.get(key), list):
                    initial[key] = placed.vector(initial[key])
    for driver in data.get("driver", {}).values():
        if driver["of"].endswith(".phi") and "start" in driver["motion"]:  # else where it is drawn
            driver["motion"]["start"] += turn / degree
    text = json.dumps(data).replace('"ground.', '"world_.').replace('"body": "ground"', '"body": "world_"')
    data.clear()
    data |= json.loads(text)
    base = data["body"].pop("ground", {"points": {}})
    pose = {"angle": turn / degree} if dimension == 2 else {"orientation": [float(x) for x in quaternion]}
    zero, at = [0.0] * dimension, [float(x) for x in origin]
    data["body"]["world_"] = {
        "position": at,
        **pose,
        "mass": 0,
        "inertia": 0 if dimension == 2 else [0, 0, 0],
        "points": base["points"] | {"frame_": zero},
    }
    data["body"]["ground"] = {"points": {"frame_": at}}
    weld = {"angle": turn / degree} if dimension == 2 else {"zero": [float(x) for x in quaternion]}
    data.setdefault("joint", {})["weld_"] = {"type": "fixed", "between": ["ground.frame_", "world_.frame_"], **weld}
    return placed


def _product(p: Any, q: Any) -> np.ndarray:
    (a, *u), (b, *v) = p, q
    return np.array([a * b - np.dot(u, v), *(a * np.array(v) + b * np.array(u) + np.cross(u, v))])


def _matrix(q: Any) -> np.ndarray:
    return np.array([_product(_product(q, [0, *e]), [q[0], *-np.array(q[1:])])[1:] for e in np.eye(3)]).T


def _quaternion(given: Any) -> Any:
    """An orientation as it is written: a quaternion, or angles about the axes of "xyz"."""
    if given is None:
        return [1.0, 0.0, 0.0, 0.0]
    if isinstance(given, list):
        return given
    out = np.array([1.0, 0, 0, 0])
    for letter, angle in zip(given["euler"], given["angles"], strict=True):
        out = _product(out, [np.cos(angle / 2), *(np.sin(angle / 2) * np.eye(3)["xyz".index(letter)])])
    return out


def _in_units(data: dict[str, Any], units: dict[str, str]) -> dict[str, Any]:
    """The tables with the unit at every number, and other units of the file."""
    old = mubo.model.Units.declare(data["units"])
    turns = {name: joint["type"] == "revolute" for name, joint in data.get("joint", {}).items()}

    def unit(kind: str, turning: bool) -> str:
        kind = kind.replace("*", "@", 1) if kind.startswith("*") else kind
        kind = kind.replace("@", ANGLE if turning else LENGTH)
        if kind.startswith("!"):
            kind = ("torque" if turning else "force") + kind[1:].replace(LENGTH, ANGLE if turning else LENGTH)
        return old.unit(kind).label

    def write(key: str, value: Any, turning: bool) -> Any:
        kind = MEASURES.get(key)
        if isinstance(value, dict) and "moves" in value:  # a profile of moves begins at a time
            value = value | {"start": f"{value['start']!r} {old.unit('time').label}"}
        if isinstance(value, dict):
            return {name: write(key if key == "points" else name, entry, turning) for name, entry in value.items()}
        if isinstance(value, list):
            return [write(key, entry, turning) for entry in value]
        if kind is None or isinstance(value, str | bool):
            return value
        return f"{value!r} {unit(kind, turning)}"

    out: dict[str, Any] = {}
    for table, entries in data.items():
        if table in ("units", "name", "dimension"):
            out[table] = units if table == "units" else entries
        elif table == "gravity":
            out[table] = write(table, entries, False)
        else:
            out[table] = {name: _entry(table, name, entry, turns, write) for name, entry in entries.items()}
    return out


def _entry(table: str, name: str, entry: dict[str, Any], turns: dict[str, bool], write: Any) -> dict[str, Any]:
    of = str(entry.get("of", name))
    turning = turns.get(of, of.endswith(".phi"))
    if table == "initial" and isinstance(entry.get("v"), list):  # of a free joint: three lengths, three angles
        speeds = [write("velocity" if k < 3 else "omega", x, False) for k, x in enumerate(entry["v"])]
        return {key: write(key, value, turning) for key, value in entry.items() if key != "v"} | {"v": speeds}
    return {key: write(key, value, turning) for key, value in entry.items()}
