"""One use of a part: its frame, and the part's elements under names of their own in the tables of the machine.

The ground of the part is the frame of the use: a body that is fixed to the ground, or to the body `on`, at a place and
an angle. A mirrored use is reflected at the x axis of its frame: y components, angles and torques change their sign.
Bodies that a use has in common with the machine (`same`) are not copied: the points of the part's body are added to the
other one, turned by `phase`, and what joins and drives only bodies in common is left out. So the legs of a walker hang
on one crankshaft. Without a body in common `phase` is added to what the part's drivers prescribe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mubo.elements import AMBIENTS, REVOLUTE, Option, loads_of
from mubo.elements.details import PART_TABLES
from mubo.errors import ModelError, nearest
from mubo.formats.part_values import changed_law, negative, reflected, rotated, shifted, texts_in
from mubo.formats.toml_write import native_tables
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import GROUND, ModelDefinition
from mubo.model.coordinates import holds_at
from mubo.model.tables import file_tables

SHARED = ("material", "keepout")  # taken once, under their own names
COPIED = tuple(name for name in PART_TABLES if name not in ("parameters", *SHARED))
OF_POINTS = ("body", "pin", "section", "outline")  # tables whose texts name points and materials, not elements
ORIGIN = "origin"  # of the frame of a use
FILES = ("file", "table", "column")  # keys of a law whose texts are no names of elements
VECTORS = ("direction", "vector", "place", "place_or_name")
_REFERENCE = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?")
_MEASURED = re.compile(r"\d\s*$")  # what follows it is a unit


@dataclass(frozen=True, eq=False)
class PartUse:
    """A use [use.NAME] of a part, to be added to the tables of the machine."""

    name: str
    given: Mapping[str, Any]
    part: ModelDefinition
    tables: dict[str, Any]

    def add(self) -> None:
        """Adds the frame and every element of the part."""
        if self.part.dimension == 3 and (self.mirrored or (self.phase and self.same)):
            raise ModelError("mirror, and the phase of bodies in common, are for parts in the plane")
        entries = self._entries
        self._require_bodies()
        self._add_parameters(entries.get("parameters", {}))
        self._add_frame(self._points_of(GROUND))
        for body, host in self.same.items():
            for point, place in self._points_of(body).items():
                at = self._mirror("place", place)
                self._add_point(host, self._named(point), rotated(at, self.phase) if self.phase else at)
        for table in COPIED:
            for name, entry in entries.get(table, {}).items():
                if not self._is_common(table, name, entry):
                    self._put(table, self._named(name), self._entry(table, name, entry))
        for table in SHARED:
            for name, entry in entries.get(table, {}).items():
                self.tables.setdefault(table, {}).setdefault(name, entry)

    def _points_of(self, body: str) -> dict[str, Any]:
        """Points of a body of the part, with the parameters of this use."""
        return dict(self._renamed(self._entries.get("body", {}).get(body, {}).get("points", {}), self.part.parameters))

    @property
    def mirrored(self) -> bool:
        return bool(self.given.get("mirror"))

    @property
    def turned(self) -> bool:
        """Whether angles of bodies in the frame differ from those in the ground."""
        return self.mirrored or any(key in self.given for key in ("angle", "on"))

    @cached_property
    def frameless(self) -> bool:
        """Whether points of the part's ground may stand in the ground itself, since nothing feels that it is turned."""
        if self.part.dimension == 3 or "on" in self.given:
            return False
        for table in ("joint", "driver", "force", "measure", "event", "point", "initial"):
            for name, entry in self._entries.get(table, {}).items():
                if self._is_common(table, name, entry) or (table == "joint" and entry["type"] == REVOLUTE):
                    continue
                if GROUND in set(self._bodies([name, entry])) or (table == "driver" and self.turned):
                    return False
        return True

    @cached_property
    def _entries(self) -> dict[str, Any]:
        return native_tables(self.part, self.name)

    @cached_property
    def same(self) -> Mapping[str, str]:
        """Bodies of the part that are bodies of the machine."""
        return {str(body): str(host) for body, host in self.given.get("same", {}).items()}

    @cached_property
    def phase(self) -> float:
        """In radians."""
        return float(self.part.units.read(self.given.get("phase", 0.0), "angle"))

    def _require_bodies(self) -> None:
        known = [body for body in self.part.bodies if body != GROUND]
        hosts = [GROUND, *self.tables.get("body", {})]
        for body in self.same:
            if body not in known:
                raise ModelError(f'the part has no body "{body}". {nearest(body, known)}', names=[body])
        for host in (*self.same.values(), str(self.given.get("on", GROUND))):
            if host not in hosts:
                raise ModelError(f'there is no body "{host}". {nearest(host, hosts)}', names=[host])

    def _put(self, table: str, name: str, entry: Any) -> None:
        entries = self.tables.setdefault(table, {})
        if name in entries:
            raise ModelError(f'{table} "{name}" exists already: call it or this use otherwise', names=[name])
        entries[name] = entry

    def _named(self, name: str) -> str:
        """The name of an element of the part in the machine."""
        return self.name if name == GROUND else f"{self.name}_{name}"

    def _add_parameters(self, parameters: Mapping[str, Any]) -> None:
        """Parameters of the part under names of their own, some with values of this use."""
        given = self.given.get("parameters", {})
        for name in given:
            if name not in parameters:
                raise ModelError(f'the part has no parameter "{name}". {nearest(name, parameters)}', names=[name])
        for name, value in parameters.items():
            self._put("parameters", self._named(name), given.get(name, self._renamed(value, self.part.parameters)))

    def _add_frame(self, points: Mapping[str, Any]) -> None:
        """The frame of the use, fixed to the ground or to the body that carries it."""
        if self.frameless:
            for name, at in points.items():
                place = self._pose({"position": self._mirror("place", at)})["position"]
                self._add_point(GROUND, self._named(name), place)
            return
        host, plane = str(self.given.get("on", GROUND)), self.part.dimension == 2
        place, angle = self.given.get("position", [0.0] * self.part.dimension), self.given.get("angle", 0.0)
        own = {**{name: self._mirror("place", at) for name, at in points.items()}, ORIGIN: [0.0] * len(place)}
        weighed = any(body.mass is not None for body in self.part.bodies.values())
        massless = {"mass": 0, "inertia": 0 if plane else [0, 0, 0]} if weighed else {}
        if host == GROUND and plane:
            self._put("body", self.name, {"position": place, "angle": angle, "points": own, **massless})
            self._put("joint", f"{self.name}_frame", {"type": "ground", "body": self.name})
            return
        self._put("body", self.name, {"points": own, **self._pose({"position": [0.0] * len(place)}), **massless})
        self._add_point(host, self.name, place)
        weld = {"type": "fixed", "between": [f"{host}.{self.name}", f"{self.name}.{ORIGIN}"]}
        self._put("joint", f"{self.name}_frame", {**weld, "angle": angle} if plane else weld)

    def _add_point(self, body: str, name: str, place: Any) -> None:
        entry = self.tables.setdefault("body", {}).setdefault(body, {})
        entry["points"] = {**entry.get("points", {}), name: place}

    def _is_common(self, table: str, name: str, entry: Any) -> bool:
        """Whether an element is a body in common, or belongs to nothing but these and the ground."""
        common = {*self.same, GROUND}
        if name in self.part.bodies and table in ("body", "section", "outline", "initial"):
            return name in common
        joint = self.part.joints.get(name) if table in ("pin", "initial") else None
        if joint is not None:
            entry = list(joint.between)
        elif table not in ("joint", "driver"):
            return False
        return bool(self.same) and set(self._bodies(entry)) <= common

    def _bodies(self, entry: Any) -> Iterator[str]:
        """Bodies of the part that an entry names, itself or by their joints."""
        words = [word for text in texts_in(entry) for word, _ in _REFERENCE.findall(text)]
        for word in words:
            if word in self.part.bodies:
                yield word
            if word in self.part.joints:
                yield from (end.partition(".")[0] for end in self.part.joints[word].between)

    def _entry(self, table: str, name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
        """An entry of the part as it stands in the machine."""
        options = self._options(table, entry)
        self._require_same_meaning(table, name, entry, options)
        known = self.part.parameters if table in OF_POINTS else self._names
        out: dict[str, Any] = {}
        for key, value in entry.items():
            option = options.get(key)
            fixed = key == "type" or (option is not None and isinstance(option.holds, tuple))
            seen = value if fixed or option is None else self._in_frame(table, name, option, value)
            out[key] = seen if fixed else self._renamed(seen, known)
        if table == "driver":
            self._drive(name, entry, out)
        return {**out, **self._pose(out)} if table == "body" else out

    def _pose(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The estimated position and angle of a body of the part in the machine."""
        plane, zero = self.part.dimension == 2, [0.0] * self.part.dimension
        position, angle = entry.get("position", zero), entry.get("angle", 0.0)
        carrier = self.tables.get("body", {}).get(self.given.get("on", GROUND), {})
        for place in (self.given, carrier if "on" in self.given else {}):
            shift = [self._plain(x, "length") for x in place.get("position", zero)]
            turn = self._plain(place.get("angle", 0.0), "angle")
            if plane:
                position = rotated(position, turn * self.part.units.angle_factor())
                angle = shifted(angle, turn)
            position = [shifted(x, dx) for x, dx in zip(position, shift, strict=True)]
        return {"position": position, **({"angle": angle} if plane else {})}

    def _plain(self, value: Any, kind: str) -> float:
        """A number in the model's unit."""
        return float(self.part.units.read(value, kind)) / self.part.units.factor(kind)

    def _require_same_meaning(self, table: str, name: str, entry: Mapping[str, Any], options: Any) -> None:
        """Refuses what is stated in axes of the ground, from which the frame of this use differs."""
        by_ground = "axes" in options and entry.get("axes", options["axes"].default) == GROUND
        laws = [value for key, value in entry.items() if key in options and options[key].holds == "law"]
        felt = self.turned and (by_ground or (table == "force" and any(self._bodies(laws))))
        if felt or (table == "initial" and name in self.part.bodies and (self.turned or "position" in self.given)):
            raise ModelError(
                f"{table} {name}: it is stated by axes or coordinates in the ground, and this use stands elsewhere",
                suggestion="State it by joints or in axes of the body, or in the tables of the machine.",
                names=[name],
            )

    def _options(self, table: str, entry: Mapping[str, Any]) -> Mapping[str, Option]:
        if table in ("joint", "force"):
            kinds = AMBIENTS[self.part.dimension].joints if table == "joint" else loads_of(self.part.dimension)
            return {option.name: option for option in kinds[entry["type"]].options}
        return file_tables()[table].keys

    def _in_frame(self, table: str, name: str, option: Option, value: Any) -> Any:
        """A value as it is in the frame of the use; refuses what would mean something else there."""
        if not self.mirrored or table == "measure":
            return value
        if table in ("initial", "event"):
            raise ModelError(f"{table} {name}: a mirrored part has no {table} of its own", names=[name])
        if option.holds in (*VECTORS, "angle", "points", "polygon", "contour"):
            return self._mirror(str(option.holds), value)
        if table == "driver" or not self._changes_sign(table, name, option):
            return value
        if option.holds == "law":
            raise ModelError(f"{table} {name}: {option.name} is not mirrored: write it in the machine", names=[name])
        return negative(value)

    def _changes_sign(self, table: str, name: str, option: Option) -> bool:
        """Whether a number is of the other sign in the mirror: angles and torques are, their quotients are not."""
        turning = {"angle", "torque"}
        force = self.part.forces.get(name) if table == "force" else None
        if force is not None and holds_at(self.part, force.on[0]) == "angle":
            turning |= {"coordinate", "effort"}
        kind = "coordinate" if option.holds == "coordinate" else option.measures
        return len([word for word in re.findall(r"[a-z]+", kind) if word in turning]) % 2 == 1

    def _mirror(self, kind: str, value: Any) -> Any:
        """A value of a kind, reflected in a mirrored use."""
        return reflected(kind, value) if self.mirrored else value

    def _drive(self, name: str, entry: Mapping[str, Any], out: dict[str, Any]) -> None:
        """The driver of a use: an angle in the ground becomes that of a joint with the frame; the phase is added."""
        of, sign = str(entry.get("of", "")), -1 if self.mirrored else 1
        if self.turned and of.partition(".")[0] in self.part.bodies:
            pins = [one for one in self.part.joints.values() if one.kind == "revolute" and len(one.between) == 2]
            ends = {one.name: [end.partition(".")[0] for end in one.between] for one in pins}
            joint = next((one for one, pair in ends.items() if {f"{b}.phi" for b in pair} == {f"{GROUND}.phi", of}), "")
            if not joint:
                why = f"driver {name}: {of} is a coordinate in the ground, and this use is turned"
                raise ModelError(why, suggestion="Drive a joint of the part instead.", names=[name])
            out["of"] = self._named(joint)
            sign *= 1 if ends[joint][0] == GROUND else -1
        elif self.mirrored and (of not in self.part.joints or self.part.joints[of].kind != "revolute"):
            raise ModelError(f"driver {name}: only pins are driven in a mirrored part", names=[name])
        phase = 0.0 if self.same else self.phase / self.part.units.angle_factor()
        if sign < 0 or phase:
            out["motion"] = changed_law(name, out["motion"], sign, phase)

    @cached_property
    def _names(self) -> frozenset[str]:
        part = self.part
        kinds = (part.bodies, part.joints, part.drivers, part.forces, part.points, part.measures, part.parameters)
        return frozenset(name for entries in (*kinds, part.objectives) for name in entries)

    def _renamed(self, value: Any, known: Any) -> Any:
        """A value with the names of the part's elements as they are in the machine."""
        if isinstance(value, str):
            return _REFERENCE.sub(lambda found: self._reference(found, known), value)
        if isinstance(value, Mapping):
            return {key: entry if key in FILES else self._renamed(entry, known) for key, entry in value.items()}
        return [self._renamed(entry, known) for entry in value] if isinstance(value, list | tuple) else value

    def _reference(self, found: re.Match[str], known: Any) -> str:
        word, tail = found[1], found[2]
        if word not in known or _MEASURED.search(found.string[: found.start()]):
            return found[0]
        if word == GROUND and self.frameless:
            return f"{GROUND}.{self._named(tail)}" if tail else GROUND
        if word in self.same:
            named = tail is not None and tail in self.part.bodies[word].points
            return f"{self.same[word]}.{self._named(tail)}" if named else found[0].replace(word, self.same[word], 1)
        return found[0].replace(word, self._named(word), 1)
