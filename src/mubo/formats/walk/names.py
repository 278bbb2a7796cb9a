"""What users name of a walking person: markers of legs, trunk and pelvis, bodies of their own masses, feet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.formats.motion_data.source import Source
from mubo.formats.walk.axes import Named
from mubo.formats.walk.hips import GIVEN, read_given_hip
from mubo.laws.file_form import require_keys
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder
from mubo.model.parts import Body
from mubo.quantities.units import Units

SIDES = {"right": "r", "left": "l"}
STRIKE, LEAVE = ("foot strike", "heel strike", "initial contact"), ("foot off", "toe off")  # labels of events, in C3D
OF_LEG = ("hip", "knee", "ankle", "heel", "toe")
OF_PART = {"trunk": ("hip", "shoulder"), "pelvis": ("asis", "psis")}
JOINT_WORDS = {"hip": ("hip_",), "knee": ("knee_",), "ankle": ("ankle_", "subtalar_")}  # as coordinates begin
OF_MARKERS = {"position", "angle", "segment", "shape", "density", "lengths", "angles", "right"}  # keys they stand for


@dataclass(frozen=True)
class LaboratoryEvents:
    """Events by side and the speed of a belt, as a recording states them, in the model's units.

    `strikes` and `leaves` are times at which a foot touches and leaves the floor, by "r" and "l"; `belt` is None where
    no speed was given.
    """

    strikes: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    leaves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    belt: float | None = None


def read_laboratory_events(source: Source, given: Mapping[str, Any], units: Units) -> LaboratoryEvents:
    """The events of a file, and the speed of the belt that is given."""
    second = units.in_own("1 s", "time")
    found: dict[str, dict[str, tuple[float, ...]]] = {"strikes": {}, "leaves": {}}
    for side, letter in SIDES.items():
        for key, labels in (("strikes", STRIKE), ("leaves", LEAVE)):
            times = [
                t * second
                for context, label, t in source.data.events
                if context.lower() == side and label.lower().replace("-", " ").startswith(labels)
            ]
            if times:
                found[key][letter] = tuple(sorted(times))
    belt = units.in_own(given["belt"], "length/time") if "belt" in given else None
    return LaboratoryEvents(found["strikes"], found["leaves"], belt)


def segment_bodies(given: Mapping[str, Any]) -> set[str]:
    """The names of the bodies that [markers] becomes, but for those of a given skeleton."""
    legs = {
        f"{kind}_{letter}" for side, letter in SIDES.items() if side in given for kind in ("thigh", "shank", "foot")
    }
    return legs | (set(OF_PART) & given.keys())


def with_own(segment: Body, own: Body) -> Body:
    """A segment with the masses and further points that its own table gives."""
    if twice := [name for name in own.points if name in segment.points]:
        raise ModelError(
            f'body {own.name}: the markers give its point "{twice[0]}"', suggestion="Give the point another name."
        )
    given = {key: getattr(own, key) for key in ("mass", "inertia", "center", "added", "stiffness", "turning_stiffness")}
    return replace(segment, points={**segment.points, **own.points}, **given)


def read_names(given: Mapping[str, Any]) -> Named:
    """The markers of legs and trunk, several where a place is their middle."""
    out: dict[str, dict[str, tuple[str, ...]]] = {}
    for part in (*SIDES, *OF_PART):
        if part not in given:
            continue
        listed, needed = given[part], OF_PART.get(part, OF_LEG)
        if not isinstance(listed, Mapping):
            raise ModelError(f'{part} is a table of markers: {{ hip = "RHIP", … }}; found {listed!r}')
        require_keys(listed, f"{part} of [markers]", needed)
        out[part] = {joint: _several(f"{part}.{joint}", names) for joint, names in listed.items()}
    sides = [side for side in SIDES if side in out]
    if not sides:
        raise ModelError('there is no leg: name its markers, right = { hip = "RHIP", knee = … }')
    if "trunk" in out:
        out["trunk"].setdefault("hip", tuple(name for side in sides for name in out[side].get("hip", ())))
    for part, joints in out.items():
        for joint in OF_PART.get(part, OF_LEG):
            if joint not in joints:
                raise ModelError(f'{part}: the marker of the {joint} is missing: {joint} = "…"')
    return out


def _several(where: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, Mapping) and where.endswith(".hip"):
        return (GIVEN,)
    given = (names,) if isinstance(names, str) else tuple(names) if isinstance(names, list | tuple) else ()
    if not given or not all(isinstance(name, str) for name in given):
        raise ModelError(f"{where} is a marker, or a list of those whose middle it is; found {names!r}")
    return given


def given_hips(given: Mapping[str, Any], units: Units) -> dict[str, tuple[float, float, float]]:
    """Hip centres of one's own by side, in the axes of the pelvis, in mm."""
    scale = 1e3 * units.size("length")
    tables = {side: given[side]["hip"] for side in SIDES if side in given}
    hips = {side: read_given_hip(units, side, table) for side, table in tables.items() if isinstance(table, Mapping)}
    return {side: (scale * x, scale * y, scale * z) for side, (x, y, z) in hips.items()}


def foot_of(model: Builder, word: Any, feet: Mapping[str, str]) -> str:
    """The body of a foot: "right" or "left", or the name of a body."""
    if not isinstance(word, str):
        raise ModelError(f'foot is "right" or "left"; found {word!r}')
    body = feet.get(word, f"foot_{SIDES[word]}") if word in SIDES else word
    if body not in model.bodies:
        known = [name for name in model.bodies if name != GROUND]
        raise ModelError(f'there is no foot or body "{word}". {nearest(word, [*SIDES, *known])}')
    return body
