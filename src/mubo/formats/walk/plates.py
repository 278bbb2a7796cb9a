"""Force plates: what the ground exerts on a foot, from a table of forces and where they act.

With F = (f_x, f_y) forwards and up at the place (x, y), and a moment n across the plane there, the moment about the
origin of the ground is m = x f_y − y f_x + n. The model has three loads of it, NAME_fx and NAME_fy at the origin of the
foot, and NAME_m, the moment about that origin wherever the foot is (model/moment_law.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.axes import Axes, read_axes
from mubo.formats.walk.markers import SIDES, foot_of
from mubo.laws import Table
from mubo.laws.file_form import require_keys
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder
from mubo.model.bodies import BodyHandle
from mubo.model.moment_law import MomentLaw
from mubo.model.parts import Origin
from mubo.model.tables import PLATE

UNITS = {"force": "N", "length": "m", "torque": "N m"}  # of storage files, which state none
WEAK = 0.05  # of the weight: a force without a place below it is none
BODY_WEIGHT = "BW"  # unit of a force: the weight of the subject
OTHER_UNITS = ("mN", "N", "kN", "kgf", "lbf")  # in which forces are recorded
BORNE = (0.9, 1.6)  # weights that a walking foot bears at most: by which a unit is recognised
FAR = 0.3  # m beyond heel or toe: no foot stands there


def add_plate(model: Builder, name: str, given: Mapping[str, Any], folder: Path, axes: Axes | None = None) -> None:
    """Adds the loads of one force plate to the foot that stands on it."""
    require_keys(given, f"[plate.{name}]", PLATE.keys)
    for problem in PLATE.missing(given):
        raise ModelError(problem)
    foot = foot_of(model, given["foot"]) if "foot" in given else ""
    found = _Plate(model, given, folder, read_axes(given, axes))
    fx, fy = found.pair("force", "force")
    moment = found.moment(fx, fy)
    time, kept = found.between()
    for values in (fx, fy, moment):
        values[~kept] = 0.0
    if not np.max(np.hypot(fx, fy)) > 0:
        raise ModelError(f"{found.source.data.path}: the force is zero all along: nothing stood on it")
    if model.subject is not None:  # a person stands on it; other bodies may be pushed from anywhere
        _require_upwards(found, fy)
        found.require_unit(fy)
        foot = foot or found.nearest_foot(name, fx, fy, moment)
        found.require_foot(foot, fx, fy, moment)
    if not foot:
        raise ModelError('"foot" is missing: the body on which the force acts')
    own = moment / model.units.factor("torque")
    laws = {key: found.law(time, values) for key, values in (("fx", fx), ("fy", fy), ("m", own))}
    origin = f"{foot}.{_origin_point(model, foot)}"
    model.force(f"{name}_fx", "point_force", origin, direction=(1.0, 0.0), force=laws["fx"])
    model.force(f"{name}_fy", "point_force", origin, direction=(0.0, 1.0), force=laws["fy"])
    model.force(f"{name}_m", "body_torque", foot, torque=MomentLaw(foot, laws["fx"], laws["fy"], laws["m"]))


def _origin_point(model: Builder, body: str) -> str:
    """The name of the point at the origin of a body; one is added where there is none."""
    points = model.bodies[body].points
    for name, at in points.items():
        if not any(at):
            return name
    name = next(word for word in ("origin", "plate_origin") if word not in points)
    BodyHandle(model, body).point(name, (0.0, 0.0))
    return name


@dataclass
class _Plate:
    """The table of one plate, in the model's units and axes."""

    model: Builder
    given: Mapping[str, Any]
    folder: Path
    axes: Axes

    def __post_init__(self) -> None:
        self.given = _with_columns(self.given)
        path = self.folder / str(self.given["file"])
        names = [name for key in ("force", "point", "torque") if key in self.given for name, _ in self._columns(key)]
        self.source = Source(path, self.given, self.model.units, names, "time")
        self.units = self.given.get("units", {})
        if not isinstance(self.units, Mapping):
            raise ModelError('units are a table such as { force = "kgf", length = "mm" }')
        require_keys(self.units, "units of a plate", UNITS)

    def _columns(self, key: str) -> list[tuple[str, float]]:
        """Columns with their signs: forwards and up, of a moment the one across."""
        given = self.given[key]
        if isinstance(given, str):
            if key == "torque":
                third, sign = self.axes.across
                return [(f"{given}{third}", sign)]
            return [(f"{given}{letter}", sign) for letter, sign in zip(self.axes.letters, self.axes.signs, strict=True)]
        most = 1 if key == "torque" else 2
        if not isinstance(given, list | tuple) or not 1 <= len(given) <= most or (key == "force" and len(given) != 2):
            listed = "a list of one name" if most == 1 else "a list of two names, forwards and up"
            raise ModelError(f"{key} is how its columns begin, before x, y, z, or {listed}; found {given!r}")
        return [(str(name).lstrip("-"), -1.0 if str(name).startswith("-") else 1.0) for name in given]

    def _column(self, name: str, sign: float, holds: str) -> Array:
        """A column in the model's units, cells that are blank as NaN."""
        return sign * self._factor(self._unit(name, holds), holds) * self.source.data.column(name)

    def _unit(self, name: str, holds: str) -> str:
        """The unit of a column: that of its header, else that of the plate, else that of storage files."""
        data = self.source.data
        return data.column_units.get(name) or self.units.get(holds) or (UNITS[holds] if data.kind == "storage" else "")

    def _factor(self, unit: str, holds: str) -> float:
        """Coherent units per unit of a column; one without a unit is in the model's."""
        if unit == BODY_WEIGHT and holds == "force":
            if not self._weight() > 0:
                raise ModelError(f"forces in {BODY_WEIGHT} need the mass of [subject] and gravity")
            return self._weight()
        return self.model.units.read(f"1 {unit}" if unit else 1.0, holds)

    def pair(self, key: str, holds: str) -> tuple[Array, Array]:
        """Both components; one that is left out is the floor."""
        columns = [self._column(name, sign, holds) for name, sign in self._columns(key)]
        if len(columns) == 1:
            columns.append(np.full(len(columns[0]), self.model.units.in_own(self.given.get("floor", 0.0), "length")))
        if key == "force":
            for (name, _), values in zip(self._columns(key), columns, strict=True):
                missing = np.isnan(values)
                if np.any(missing):
                    at = self.source.time[int(np.argmax(missing))]
                    raise ModelError(f'{self.source.data.path}: column "{name}" has no force at t = {at:g}')
        return columns[0], columns[1]

    def moment(self, fx: Array, fy: Array) -> Array:
        """The moment about the origin of the ground; zero where the force is nearly zero and its place is not given."""
        free = np.zeros(len(fx))
        if "torque" in self.given:
            free = self._column(*self._columns("torque")[0], "torque")
        if "point" not in self.given:
            if "torque" not in self.given:
                raise ModelError(
                    '"point" is missing: the columns of the centre of pressure, or "torque" about the origin'
                )
            return free
        x, y = self.pair("point", "length")
        moment = x * fy - y * fx + free
        lost = np.isnan(moment)
        strong = lost & (np.hypot(fx, fy) > WEAK * self._weight())
        if np.any(strong):
            k = int(np.argmax(strong))
            raise ModelError(
                f"{self.source.data.path}: a force of {np.hypot(fx[k], fy[k]):.4g} has no place at t = "
                f"{self.source.time[k]:g}",
                suggestion="Give its centre of pressure there.",
            )
        fx[lost] = fy[lost] = moment[lost] = 0.0
        return moment

    def _weight(self) -> float:
        subject = self.model.subject
        gravity = np.linalg.norm(self.model.gravity or (0.0, 0.0))
        return 0.0 if subject is None else float(subject["mass"] * gravity)

    def between(self) -> tuple[Array, NDArray[np.bool_]]:
        """The times, and where the plate counts: from … to, if a plate bears one foot after the other."""
        time, units = self.source.time, self.model.units
        first = units.in_own(self.given.get("from", float(time[0])), "time")
        last = units.in_own(self.given.get("to", float(time[-1])), "time")
        if not last > first:
            raise ModelError(f"from {first:g} to {last:g}: the plate never counts")
        return time, (time >= first) & (time <= last)

    def law(self, time: Array, values: Array) -> Table:
        return Table(tuple(time.tolist()), tuple(values.tolist()), self.source.smooth)

    def require_unit(self, fy: Array) -> None:
        """Refuses a force that is no part of the weight, or many times of it; names the unit that would make it one."""
        weight, largest = self._weight(), float(np.max(fy))
        if not weight > 0 or WEAK * weight < largest < weight / WEAK:
            return
        read = self._unit(self._columns("force")[1][0], "force")
        number = largest / self._factor(read, "force")
        parts = {unit: number * self._factor(unit, "force") / weight for unit in (*OTHER_UNITS, BODY_WEIGHT)}
        likely = [unit for unit, part in parts.items() if BORNE[0] < part < BORNE[1]]
        named = " or ".join(f"{unit} ({parts[unit]:.3g} times)" for unit in likely)
        raise ModelError(
            f"{self.source.data.path}: the largest force on the foot is {largest / weight:.3g} times the weight"
            f"{f', read in {read}' if read else ''}" + (f": its unit looks like {named}" if likely else ""),
            suggestion=f'Write units = {{ force = "{likely[0] if likely else "…"}" }} in the plate; '
            f"{BODY_WEIGHT} is the body weight.",
        )

    def require_foot(self, foot: str, fx: Array, fy: Array, moment: Array) -> None:
        """Refuses a force that acts where no foot is, as other axes, units or the other foot make it."""
        far = self._beyond(foot, fx, fy, moment)
        if far is not None and far > self.model.units.in_own(f"{FAR} m", "length"):
            raise ModelError(
                f"{self.source.data.path}: the force on {foot} acts {far:.3g} away from it: other foot, axis or unit?",
                suggestion="Look at foot, forward, up and units of the plate; without foot the nearest one is taken.",
            )

    def nearest_foot(self, name: str, fx: Array, fy: Array, moment: Array) -> str:
        """The foot of the walk under which the force acts; a note of the model states it."""
        feet = {word: f"foot_{letter}" for word, letter in SIDES.items() if f"foot_{letter}" in self.model.bodies}
        far = {word: self._beyond(body, fx, fy, moment) for word, body in feet.items()}
        known = {word: value for word, value in far.items() if value is not None}
        if not known:
            raise ModelError('"foot" is missing: "right" or "left", on which it acts')
        word = min(known, key=known.__getitem__)
        origin = self.model.origin or Origin("toml", None)
        self.model.origin = replace(
            origin, notes=(*origin.notes, f"plate {name}: under the {word} foot, by the markers")
        )
        return feet[word]

    def _beyond(self, foot: str, fx: Array, fy: Array, moment: Array) -> float | None:
        """Distance of the force from heel and toe, the median of its larger half; None of a foot without markers."""
        stands = np.flatnonzero(fy > 0.5 * np.max(fy))
        where = _heel_and_toe(self.model, foot, self.source.time[stands])
        if where is None or not len(stands):
            return None
        floor = self.model.units.in_own(self.given.get("floor", 0.0), "length")
        x = (moment[stands] + floor * fx[stands]) / fy[stands]
        return float(np.nanmedian(np.maximum(where.min(axis=1) - x, x - where.max(axis=1))))


def _with_columns(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of a plate with its columns: those named, or those of a numbered plate of a .c3d file."""
    if "plate" not in given:
        if "force" not in given:
            raise ModelError(
                '"force" is missing: its columns, or plate = 1, the number of a force plate of a .c3d file'
            )
        return given
    if twice := [key for key in ("force", "point", "torque") if key in given]:
        raise ModelError(f"plate = {given['plate']} has columns of its own", suggestion=f"Leave out {twice[0]}.")
    words = {"force": "f", "point": "p", "torque": "t"}
    return {**given, **{key: f"plate{given['plate']}.{word}" for key, word in words.items()}}


def _require_upwards(plate: _Plate, fy: Array) -> None:
    """The ground pushes: forces on the plate, or an axis that points down, are refused."""
    if -np.min(fy) > np.max(fy):
        raise ModelError(
            f"{plate.source.data.path}: the force points down, {np.min(fy):.4g} at t = "
            f"{plate.source.time[int(np.argmin(fy))]:g}: the ground cannot pull",
            suggestion='Name the axis that points up, up = "-y" if y is down; forces are those on the foot.',
        )


def _heel_and_toe(model: Builder, foot: str, t: Array) -> Array | None:
    """Where heel and toe are along x, as the drivers lead the leg; None of a foot that is not led by markers."""
    letter = foot[-1]
    needed = (f"hip_{letter}_x", f"hip_{letter}_turn", f"knee_{letter}_turn", f"ankle_{letter}_turn")
    if not all(name in model.drivers for name in needed):
        return None
    x, thigh, knee, ankle = (model.drivers[name].motion for name in needed)
    first = max(law.domain[0] for law in (x, thigh, knee, ankle))
    last = min(law.domain[1] for law in (x, thigh, knee, ankle))
    inside = np.clip(t, first, last)
    turn = model.units.angle_factor()
    a = turn * thigh.values(inside)
    b = a - turn * knee.values(inside)
    c = b + turn * ankle.values(inside)
    upper, lower = (
        -model.bodies[f"thigh_{letter}"].points["knee"][1],
        -model.bodies[f"shank_{letter}"].points["ankle"][1],
    )
    at = x.values(inside) + upper * np.sin(a) + lower * np.sin(b)
    points = [model.bodies[foot].points[name] for name in ("heel", "toe")]
    return np.column_stack([at + p[0] * np.cos(c) - p[1] * np.sin(c) for p in points])
