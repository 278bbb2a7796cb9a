"""Gestures that add and join parts: each gives the text after it.

Names of new pins are the next free letters, of new bodies link1, link2 …
"""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.elements import POINT_FORCE, REVOLUTE
from mubo.errors import ModelError
from mubo.formats.motion_file import key_text
from mubo.model import GROUND, ModelDefinition
from mubo.studio.edits import (
    Patch,
    add_table,
    literal,
    patched,
    put_inline,
    replace_value,
    scanned,
    spell,
)
from mubo.studio.spans import Spans

NEW = 'name = "{name}"\nunits = {{ length = "mm", angle = "deg", time = "s", force = "N" }}\n'


@dataclass(frozen=True)
class Draft:
    """A text to build on, its model where it can be read, and the poses of bodies as they are shown."""

    text: str
    model: ModelDefinition | None
    poses: Mapping[str, Array]
    decimals: int = 4

    @property
    def spans(self) -> Spans:
        return scanned(self.text)

    @property
    def known(self) -> ModelDefinition:
        """The model; a text that cannot be read is refused."""
        if self.model is None:
            raise ModelError("the text has errors", suggestion="Mend them first; undo takes the last change back.")
        return self.model

    def names(self) -> set[str]:
        """All names of tables and of body points."""
        spans = self.spans
        used = {str(part) for header in spans.headers for part in header[1:2]}
        return used | {
            str(path[3]) for path in spans.entries if path[0] == "body" and path[2:3] == ("points",) and path[3:]
        }

    def free_letter(self, taken: Iterable[str] = ()) -> str:
        used = self.names() | set(taken)
        letters: list[str] = [
            *string.ascii_uppercase,
            *(f"{one}{k}" for k in range(1, 40) for one in string.ascii_uppercase),
        ]
        return next(one for one in letters if one not in used)

    def free_name(self, word: str, first: str = "") -> str:
        used = self.names()
        if first and first not in used:
            return first
        return next(f"{word}{k}" for k in range(1, 10_000) if f"{word}{k}" not in used)

    def place(self, reference: str) -> tuple[float, float]:
        """Where a body point is in ground axes, as shown."""
        body, point = self.point(reference)
        x, y = self._own(body, point)
        pose = self.poses.get(body, np.zeros(3))
        c, s = math.cos(pose[2]), math.sin(pose[2])
        return float(pose[0] + c * x - s * y), float(pose[1] + s * x + c * y)

    def local(self, body: str, at: tuple[float, float]) -> list[float]:
        """A place in the axes of a body, rounded as it is written."""
        pose = self.poses.get(body, np.zeros(3))
        c, s = math.cos(pose[2]), math.sin(pose[2])
        dx, dy = at[0] - pose[0], at[1] - pose[1]
        return [self.rounded(c * dx + s * dy), self.rounded(c * dy - s * dx)]

    def rounded(self, value: float) -> float:
        return float(spell(value, self.decimals))

    def point(self, reference: str) -> tuple[str, str]:
        body, dot, point = reference.partition(".")
        if (
            not dot
            or self.model is None
            or body not in self.model.bodies
            or point not in self.model.bodies[body].points
        ):
            raise ModelError(f'there is no pin "{reference}"')
        return body, point

    def _own(self, body: str, point: str) -> tuple[float, float]:
        x, y = self.known.bodies[body].points[point][:2]
        return float(x), float(y)

    def after(self, patches: list[Patch]) -> Draft:
        """The draft with the text changed; its model is the one before."""
        return Draft(patched(self.text, patches), self.model, self.poses, self.decimals)


def add_link(draft: Draft, start: tuple[float, float], end: tuple[float, float], on: tuple[str, str] = ("", "")) -> str:
    """A link from one place to another; an end that lies on a pin ("crank.B") is joined to it."""
    length = math.dist(start, end)
    if not length > 0:
        raise ModelError("a link needs two different ends")
    places = [draft.place(one) if one else at for one, at in zip(on, (start, end), strict=True)]
    length = math.dist(*places)
    angle = math.atan2(places[1][1] - places[0][1], places[1][0] - places[0][0])
    body = draft.free_name("link")
    letters: list[str] = []
    for reference in on:
        own = reference.partition(".")[2]
        letters.append(own if own and own not in letters else draft.free_letter(letters))
    factor = draft.model.units.angle_factor() if draft.model is not None else math.radians(1)
    entries = {
        "position": [draft.rounded(x) for x in places[0]],
        "angle": float(spell(angle / factor, 4)),
        "points": {letters[0]: [0, 0], letters[1]: [draft.rounded(length), 0]},
    }
    draft = draft.after(add_table(draft.spans, ("body", body), lines(entries)))
    for reference, letter in zip(on, letters, strict=True):
        if reference:
            draft = revolute(draft, reference, f"{body}.{letter}", letter)
    return draft.text


def lines(entries: Mapping[str, Any]) -> str:
    """Keys with their values, a line each."""
    return "".join(f"{key_text(key)} = {literal(value)}\n" for key, value in entries.items())


def revolute(draft: Draft, first: str, second: str, wanted: str) -> Draft:
    spans = draft.spans
    used = {header[1] for header in spans.headers if header[0] == "joint" and len(header) > 1}
    name = wanted if wanted not in used else draft.free_letter()
    entries = {"type": REVOLUTE, "between": [first, second]}
    return draft.after(add_table(spans, ("joint", name), lines(entries)))


def add_pin(draft: Draft, body: str, at: tuple[float, float]) -> str:
    """A point of a body, for another link to be joined to."""
    return draft.after(
        put_inline(draft.spans, ("body", body, "points"), draft.free_letter(), draft.local(body, at))
    ).text


def add_ground(draft: Draft, reference: str) -> str:
    """A pin of a body fixed to the ground: a ground point of the same name, and a revolute joint."""
    body, point = draft.point(reference)
    if body == GROUND:
        raise ModelError("it is fixed already")
    at = [draft.rounded(x) for x in draft.place(reference)]
    fixed = draft.model.bodies[GROUND].points if draft.model is not None and GROUND in draft.model.bodies else {}
    name = point if point not in fixed else draft.free_letter()
    draft = draft.after(put_inline(draft.spans, ("body", GROUND, "points"), name, at))
    return revolute(draft, f"{GROUND}.{name}", f"{body}.{point}", name).text


def add_slider(draft: Draft, reference: str, angle: float = 0.0) -> str:
    """A pin led along a straight slot of the ground through where it is."""
    body, point = draft.point(reference)
    at = [draft.rounded(x) for x in draft.place(reference)]
    name = draft.free_letter()
    draft = draft.after(put_inline(draft.spans, ("body", GROUND, "points"), name, at))
    axis = [draft.rounded(math.cos(angle)), draft.rounded(math.sin(angle))]
    entries = {"type": "slot", "between": [f"{GROUND}.{name}", f"{body}.{point}"], "axis": axis}
    return draft.after(add_table(draft.spans, ("joint", name), lines(entries))).text


def join(draft: Draft, first: str, second: str) -> str:
    """Two pins joined by a revolute joint; the mechanism closes at the next solution."""
    a, b = draft.point(first), draft.point(second)
    if a[0] == b[0]:
        raise ModelError("two pins of one body cannot be joined")
    return revolute(draft, first, second, b[1]).text


def add_driver(draft: Draft, joint: str) -> str:
    """A motor of 60 rpm on the angle of a joint, from where it is drawn; of a slide, a slow stroke."""
    if joint not in draft.known.joints:
        raise ModelError(f'there is no joint "{joint}"')
    kind = draft.known.kinds[draft.known.joints[joint].kind]
    turns = kind.coordinate == "angle"
    if not kind.coordinate:
        raise ModelError(f"joint {joint} is a {kind.word}, which cannot be driven")
    name = draft.free_name("motor", "motor")
    motion: Any = {"rate": "60 rpm"} if turns else {"rate": 0.1}
    entries = {"of": joint, "motion": motion, "start": "as drawn"}
    return draft.after(add_table(draft.spans, ("driver", name), lines(entries))).text


def add_spring(draft: Draft, first: str, second: str) -> str:
    """A spring between two pins, unstretched as drawn."""
    length = draft.rounded(math.dist(draft.place(first), draft.place(second)))
    declared = draft.model is not None and draft.model.units.declared
    entries = {
        "type": "spring",
        "between": [first, second],
        "stiffness": "1 kN/m" if declared else 1000,
        "length": length,
    }
    return draft.after(add_table(draft.spans, ("force", draft.free_name("spring")), lines(entries))).text


def add_force(draft: Draft, reference: str) -> str:
    """A constant force of 10 N downwards at a pin."""
    draft.point(reference)
    declared = draft.model is not None and draft.model.units.declared
    entries = {"type": POINT_FORCE, "at": reference, "direction": [0, -1], "force": "10 N" if declared else 10}
    return draft.after(add_table(draft.spans, ("force", draft.free_name("force")), lines(entries))).text


def add_trace(draft: Draft, body: str, at: tuple[float, float]) -> str:
    """A point of interest on a body, whose path is drawn."""
    name = next((one for one in "PQRSTUVW" if one not in draft.names()), draft.free_letter())
    entries = {"body": body, "at": draft.local(body, at)}
    return draft.after(add_table(draft.spans, ("point", name), lines(entries))).text


def set_length(draft: Draft, body: str, ends: tuple[str, str], length: float) -> str:
    """Another distance of two points of a body: the second moves along their line."""
    if not length > 0 or not math.isfinite(length):
        raise ModelError("a length must be a positive number")
    a, b = (draft._own(body, point) for point in ends)
    old = math.dist(a, b)
    path = ("body", body, "points", ends[1])
    for key in ("".join(ends), "".join(reversed(ends)), "-".join(ends), "-".join(reversed(ends))):
        if ("body", body, "lengths", key) in draft.spans.entries:
            return draft.after(replace_value(draft.spans, ("body", body, "lengths", key), spell(length))).text
    if path not in draft.spans.entries or not old > 0:
        raise ModelError(f"{body}.{ends[1]} has no coordinates in this file")
    at = [draft.rounded(p + (q - p) * length / old) for p, q in zip(a, b, strict=True)]
    return draft.after(put_inline(draft.spans, path[:-1], ends[1], at)).text
