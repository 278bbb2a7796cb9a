"""Catalogues of motors: names with inertia, continuous and peak curves over speed, and the greatest speed.

    [motor.M40]                                          # a TOML file, a table a motor
    inertia = "0.3 kg cm^2"
    continuous = [["0 rpm", "1.3 N m"], ["3000 rpm", "1.1 N m"]]    # or one number for all speeds
    peak = [["0 rpm", "3.9 N m"], ["3000 rpm", "3.9 N m"], ["5000 rpm", "2 N m"]]
    speed = "5000 rpm"

    name, inertia [kg cm^2], continuous [N m], peak [N m], speed [rpm]     # or a CSV table, a line a motor
    M40,  0.3,               1.3,              3.9,        5000

Numbers without a unit are in the model's units. A linear motor has mass, force and velocity instead.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, MuboError, nearest
from mubo.formats.column_units import split_unit
from mubo.formats.files import file_bytes, neighbours
from mubo.lazy_dataclass import dataclass
from mubo.model import Units

ENDINGS = (".toml", ".csv")
KEYS = ("inertia", "continuous", "peak", "speed")
KINDS = {
    "angle": {"inertia": "mass*length^2", "torque": "torque", "speed": "angle/time"},
    "length": {"inertia": "mass", "torque": "force", "speed": "length/time"},
}


@dataclass(frozen=True)
class Motor:
    """A motor of a catalogue, in internal units; curves are torques over speeds, a line each."""

    name: str
    inertia: float
    continuous: Array
    peak: Array
    speed: float

    def limit(self, curve: str, speed: Array | float) -> Array:
        """The torque of a curve at some speeds, between its points by straight lines."""
        speeds, torques = getattr(self, curve).T
        return np.asarray(np.interp(np.abs(speed), speeds, torques))


def read_catalogue(units: Units, given: Any, holds: str) -> list[Motor]:
    """The motors of a file, or of a mapping by name; `holds` is "angle", or "length" for linear motors."""
    if isinstance(given, Mapping):
        return _motors(units, given, holds, "catalogue")
    path = Path(given)
    if path.suffix.lower() not in ENDINGS:
        raise ModelError(f"a catalogue of motors is a .toml or .csv file; found {path}")
    try:
        text = file_bytes(path, ModelError).decode("utf-8-sig")
    except FileNotFoundError:
        raise ModelError(f"there is no catalogue {path}", suggestion=neighbours(path, ENDINGS, "catalogues")) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"cannot read {path} as a catalogue: {error}") from None
    return _motors(units, _toml(text, path) if path.suffix.lower() == ".toml" else _csv(text, path), holds, str(path))


def _toml(text: str, path: Path) -> Mapping[str, Any]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"{path}: {error}") from None
    if set(data) != {"motor"} or not isinstance(data["motor"], Mapping):
        raise ModelError(f"{path}: a catalogue has tables [motor.NAME] and nothing else")
    return data["motor"]


def _csv(text: str, path: Path) -> Mapping[str, Any]:
    separator = ";" if ";" in text.partition("\n")[0] else ","
    lines = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
    rows = [[cell.strip() for cell in row] for row in lines if any(cell.strip() for cell in row)]
    heads = [split_unit(cell) for cell in rows[0]] if rows else []
    if not heads or heads[0][0] != "name":
        raise ModelError(f"{path}: its first column is name, then {', '.join(KEYS)}")
    out: dict[str, Any] = {}
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(heads):
            raise ModelError(f"{path}, line {number}: {len(heads)} cells are needed; found {len(row)}")
        if row[0] in out:
            raise ModelError(f'{path}, line {number}: motor "{row[0]}" stands there twice')
        pairs = zip(heads[1:], row[1:], strict=True)
        out[row[0]] = {name: f"{cell} {unit}" if unit else _number(cell) for (name, unit), cell in pairs}
    return out


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def _motors(units: Units, given: Mapping[str, Any], holds: str, where: str) -> list[Motor]:
    if not given:
        raise ModelError(f"{where} has no motor")
    out = []
    for name, entry in given.items():
        try:
            out.append(_motor(units, str(name), entry, holds))
        except MuboError as error:
            raise ModelError(f"{where}: motor {name}: {error}", names=[str(name)]) from None
    return out


def _motor(units: Units, name: str, given: Any, holds: str) -> Motor:
    if not isinstance(given, Mapping):
        raise ModelError(f"a motor has {', '.join(KEYS)}; found {given!r}")
    for key in given:
        if key not in KEYS:
            raise ModelError(f'there is no key "{key}". {nearest(key, KEYS)}')
    if missing := [key for key in KEYS if key not in given]:
        raise ModelError(f"{' and '.join(missing)} is missing" if len(missing) == 1 else f"{missing} are missing")
    kinds = KINDS[holds]
    inertia, speed = (units.read(given[key], kinds[key]) for key in ("inertia", "speed"))
    if not (inertia >= 0 and speed > 0):
        raise ModelError("its inertia cannot be negative, and its speed is positive")
    continuous, peak = (_curve(units, key, given[key], kinds, speed) for key in ("continuous", "peak"))
    return Motor(name, inertia, continuous, peak, speed)


def _curve(units: Units, key: str, given: Any, kinds: Mapping[str, str], speed: float) -> Array:
    """Torques over speeds, of one number a level line; speeds must grow and torques be positive."""
    if not isinstance(given, list | tuple):
        torque = units.read(given, kinds["torque"])
        points = np.array([[0.0, torque], [speed, torque]])
    else:
        if len(given) < 2 or not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in given):
            raise ModelError(
                f'{key} is a torque, or pairs [["0 rpm", "2 N m"], ["3000 rpm", "1 N m"]]; found {given!r}'
            )
        points = np.array([[units.read(n, kinds["speed"]), units.read(m, kinds["torque"])] for n, m in given])
    if np.any(np.diff(points[:, 0]) <= 0):
        raise ModelError(f"the speeds of {key} must grow from pair to pair")
    if not np.all(points[:, 1] > 0):
        raise ModelError(f"the torques of {key} must be positive")
    return points
