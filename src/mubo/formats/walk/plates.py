"""Force plates: what the ground exerts on a foot, from a table of forces and where they act.

With F = (f_x, f_y) at the place (x, y) and a moment n across the plane there, the moment about the origin of the ground
is m = x f_y − y f_x + n; in space, m = r × F + n. The model has three loads of it, NAME_fx and NAME_fy at the origin of
the foot, and NAME_m, the moment about that origin wherever the foot is (model/moment_law.py); in space six.
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
from mubo.formats.walk.axes import Axes, Laboratory, read_axes
from mubo.formats.walk.names import foot_of
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
ASIDE, FAR = 0.1, 0.3  # m beyond heel or toe: the other foot stands there if it is nearer; no foot does


def add_plate(model: Builder, name: str, given: Mapping[str, Any], folder: Path, lab: Laboratory | None = None) -> None:
    """Adds the loads of one force plate to the foot that stands on it."""
    require_keys(given, f"[plate.{name}]", PLATE.keys)
    for problem in PLATE.missing(given):
        raise ModelError(problem)
    lab = lab or Laboratory(Axes())
    foot = foot_of(model, given["foot"], lab.bodies) if "foot" in given else ""
    found = _Plate(model, given, folder, read_axes(given, lab.axes), lab)
    force = found.vector("force", "force")
    moment = found.moment(force)
    time, kept = found.between()
    force[~kept], moment[~kept] = 0.0, 0.0
    if not np.max(np.linalg.norm(force, axis=1)) > 0:
        raise ModelError(f"{found.source.data.path}: the force is zero all along: nothing stood on it")
    if model.subject is not None:  # a person stands on it; other bodies may be pushed from anywhere
        _require_upwards(found, force[:, 1])
        found.require_unit(force[:, 1])
        foot = foot or found.nearest_foot(name, force, moment)
        found.require_foot(foot, force, moment)
    if not foot:
        raise ModelError('"foot" is missing: the body on which the force acts')
    _add_loads(model, name, foot, found, (time, force, moment / model.units.factor("torque")))


def _add_loads(model: Builder, name: str, foot: str, plate: _Plate, wrench: tuple[Array, Array, Array]) -> None:
    """Adds forces at the origin of a foot along all axes, and moments about it."""
    time, force, moment = wrench
    flat = model.dimension == 2
    letters = "xyz"[: model.dimension]
    laws = {letter: plate.law(time, force[:, k]) for k, letter in enumerate(letters)}
    origin = f"{foot}.{_origin_point(model, foot)}"
    for k, letter in enumerate(letters):
        along = tuple(float(k == i) for i in range(model.dimension))
        model.force(f"{name}_f{letter}", "point_force", origin, direction=along, force=laws[letter])
    for pair, k in (("xy", -1),) if flat else (("yz", 0), ("zx", 1), ("xy", 2)):
        torque = MomentLaw(foot, laws[pair[0]], laws[pair[1]], plate.law(time, moment[:, k]), pair)
        letter = "" if flat else "xyz"[k]
        more = {} if flat else {"direction": tuple(float(k == i) for i in range(3))}
        model.force(f"{name}_m{letter}", "body_torque", foot, torque=torque, **more)


def _origin_point(model: Builder, body: str) -> str:
    """The name of the point at the origin of a body; one is added where there is none."""
    points = model.bodies[body].points
    for name, at in points.items():
        if not any(at):
            return name
    name = next(word for word in ("origin", "plate_origin") if word not in points)
    BodyHandle(model, body).point(name, (0.0,) * model.dimension)
    return name


@dataclass
class _Plate:
    """The table of one plate, in the model's units and axes."""

    model: Builder
    given: Mapping[str, Any]
    folder: Path
    axes: Axes
    lab: Laboratory

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
        """Columns with their signs: forwards, up, in space to the right; of a moment in the plane the one across."""
        given, flat = self.given[key], self.model.dimension == 2
        third, sign = self.axes.across
        own = [*zip(self.axes.letters, self.axes.signs, strict=True), (third, sign)]
        wanted = own[2:] if flat and key == "torque" else own[:2] if flat else own
        if isinstance(given, str):
            if key == "torque" and not flat and self.axes.hand == "left":
                raise ModelError("in space the moments of a left-handed laboratory are not read: leave out torque")
            return [(f"{given}{letter}", sense) for letter, sense in wanted]
        most = len(wanted)
        least = most if key == "force" else 1
        if not isinstance(given, list | tuple) or not least <= len(given) <= most:
            names = {1: "one name", 2: "two names, forwards and up", 3: "three names, forwards, up and to the right"}
            raise ModelError(
                f"{key} is how its columns begin, before x, y, z, or a list of {names[most]}; found {given!r}"
            )
        if not flat and len(given) != 3 and not (key == "torque" and len(given) == 1):
            raise ModelError(f"{key} has three columns in space, forwards, up and to the right; found {given!r}")
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

    def vector(self, key: str, holds: str) -> Array:
        """All components, times × 2 or 3; a point of one column lies on the floor."""
        columns = [self._column(name, sign, holds) for name, sign in self._columns(key)]
        if len(columns) == 1:
            columns.append(np.full(len(columns[0]), self._floor))
        if key == "force":
            for (name, _), values in zip(self._columns(key), columns, strict=True):
                missing = np.isnan(values)
                if np.any(missing):
                    when = self.model.units.time_text(float(self.source.time[int(np.argmax(missing))]))
                    raise ModelError(f'{self.source.data.path}: column "{name}" has no force at t = {when}')
        return np.column_stack(columns)

    @property
    def _floor(self) -> float:
        return self.model.units.in_own(self.given.get("floor", 0.0), "length")

    def moment(self, force: Array) -> Array:
        """The moment about the origin of the ground, times × 1 or 3; zero of a small force without a place."""
        flat = force.shape[1] == 2
        free = np.zeros((len(force), 1 if flat else 3))
        if "torque" in self.given:
            columns = [self._column(name, sign, "torque") for name, sign in self._columns("torque")]
            if len(columns) == free.shape[1]:
                free = np.column_stack(columns)
            else:
                free[:, 1] = columns[0]  # a free moment acts about the vertical
        if "point" not in self.given:
            if "torque" not in self.given:
                raise ModelError(
                    '"point" is missing: the columns of the centre of pressure, or "torque" about the origin'
                )
            return free
        place = self.vector("point", "length")
        if flat:
            moment = place[:, :1] * force[:, 1:] - place[:, 1:] * force[:, :1] + free
        else:
            moment = np.cross(place, force) + free
        size = np.linalg.norm(force, axis=1)
        lost = np.any(np.isnan(moment), axis=1)
        strong = lost & (size > WEAK * self._weight())
        if np.any(strong):
            k = int(np.argmax(strong))
            raise ModelError(
                f"{self.source.data.path}: a force of {size[k]:.4g} has no place at t = "
                f"{self.model.units.time_text(float(self.source.time[k]))}",
                suggestion="Give its centre of pressure there.",
            )
        force[lost], moment[lost] = 0.0, 0.0
        return np.asarray(moment)

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
            raise ModelError(f"from {first:g} to {units.time_text(last)}: the plate never counts")
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
            f"{BODY_WEIGHT} is the body weight. Or check the mass of [subject].",
        )

    def require_foot(self, foot: str, force: Array, moment: Array) -> None:
        """Refuses a force that acts where no foot is, as other axes, units or the other foot make it."""
        far, metre = self._beyond(foot, force, moment), self.model.units.in_own("1 m", "length")
        if far is None or far <= ASIDE * metre:
            return
        others = ((other, self._beyond(other, force, moment)) for other in self.lab.feet if other != foot)
        near = next((name for name, value in others if value is not None and value < far / 3), "")
        if near or far > FAR * metre:
            raise ModelError(
                f"{self.source.data.path}: the force on {foot} acts {far:.3g} away from it: "
                + (f"it is under {near}" if near else "other foot, axis or unit?"),
                suggestion="Look at foot, forward, up and units of the plate; without foot the nearest one is taken.",
            )

    def nearest_foot(self, name: str, force: Array, moment: Array) -> str:
        """The foot of the walk under which the force acts; a note of the model states it."""
        feet = self.lab.bodies
        far = {word: self._beyond(body, force, moment) for word, body in feet.items()}
        known = {word: value for word, value in far.items() if value is not None}
        if not known:
            raise ModelError('"foot" is missing: "right" or "left", on which it acts')
        word = min(known, key=known.__getitem__)
        origin = self.model.origin or Origin("toml", None)
        self.model.origin = replace(
            origin, notes=(*origin.notes, f"plate {name}: under the {word} foot, by the markers")
        )
        return feet[word]

    def _beyond(self, foot: str, force: Array, moment: Array) -> float | None:
        """Distance of the force from heel and toe, the median of its larger half; None of a foot without markers."""
        stands = np.flatnonzero(force[:, 1] > 0.5 * np.max(force[:, 1]))
        where = self.lab.heel_and_toe(foot, self.source.time[stands])
        if where is None or not len(stands):
            return None
        fx, fy, floor = force[stands, 0], force[stands, 1], self._floor
        x = (moment[stands, -1] + floor * fx) / fy
        along = np.maximum(where[:, :, 0].min(axis=1) - x, x - where[:, :, 0].max(axis=1))
        if force.shape[1] == 2:
            return float(np.nanmedian(along))
        z = (floor * force[stands, 2] - moment[stands, 0]) / fy
        across = np.abs(z - where[:, :, 2].mean(axis=1))
        return float(np.nanmedian(np.hypot(np.maximum(along, 0.0), across)))


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
            f"{plate.model.units.time_text(float(plate.source.time[np.argmin(fy)]))}: the ground cannot pull",
            suggestion='Name the axis that points up, up = "-y" if y is down; forces are those on the foot.',
        )
