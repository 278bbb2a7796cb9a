"""Gestures that copy, delete and rename parts: references follow a renamed part, and go with a deleted one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping

import numpy as np

from mubo.errors import ModelError
from mubo.model import GROUND
from mubo.studio.construction import (
    Draft,
    add_driver,
    add_force,
    add_ground,
    add_link,
    add_masses,
    add_pin,
    add_slider,
    add_spring,
    add_trace,
    join,
    set_length,
)
from mubo.studio.edits import Patch, literal, put_key, remove_entry, remove_table, require_name
from mubo.studio.spans import Spans

SECTIONS = {"body": "body", "joint": "joint", "driver": "driver", "force": "force", "point": "point"}
BODY_TABLES = ("body", "section", "outline", "initial")
JOINT_TABLES = ("joint", "pin", "initial")
NOT_REFERENCES = ("name", "units", "type", "title")


def duplicate(draft: Draft, body: str) -> str:
    """A copy of a body beside it, without its joints."""
    spans = draft.spans
    start, end = spans.region(("body", body))
    name = draft.free_name("link")
    copied = spans.text[start:end].replace(f"[body.{body}]", f"[body.{name}]", 1)
    draft = draft.after([Patch(end, end, "\n" + copied)])
    pose = draft.poses.get(body, np.zeros(3))
    shift = 0.25 * max((abs(x) for at in draft.model.bodies[body].points.values() for x in at), default=1.0)  # type: ignore[union-attr]
    beside = literal([draft.rounded(pose[0] + shift), draft.rounded(pose[1] - shift)])
    return draft.after(put_key(draft.spans, ("body", name), "position", beside)).text


def delete(draft: Draft, kind: str, name: str) -> str:
    """A part away, with everything that refers to it."""
    if kind == "body" and name == GROUND:
        raise ModelError("the ground cannot be deleted")
    if kind == "point" and "." in name:
        body, _, point = name.partition(".")
        draft = _without_references(draft, re.compile(rf"{re.escape(name)}"))
        path = ("body", body, "points", point)
        return draft.after(remove_entry(draft.spans, path)).text if path in draft.spans.entries else draft.text
    table = (SECTIONS[kind], name.split(".on_")[0])
    if table not in draft.spans.headers:
        raise ModelError(f"the file has no [{table[0]}.{table[1]}]")
    draft = draft.after(remove_table(draft.spans, table))
    others = BODY_TABLES if kind == "body" else JOINT_TABLES if kind == "joint" else ()
    for section in others:
        if (section, name) in draft.spans.headers:
            draft = draft.after(remove_table(draft.spans, (section, name)))
    if kind in ("body", "joint"):
        draft = _without_references(draft, re.compile(rf"{re.escape(name)}(\.\w+)?"))
    return draft.text


def _without_references(draft: Draft, sign: re.Pattern[str]) -> Draft:
    """Removes joints, drivers, loads and points of interest that name a part."""
    removed = {path[:2] for path, text in _texts(draft.spans) if path[0] in SECTIONS and sign.fullmatch(text)}
    for table in removed:
        if table in draft.spans.headers:
            draft = draft.after(remove_table(draft.spans, table))
            if table[0] == "joint":
                draft = _without_references(draft, re.compile(rf"{re.escape(str(table[1]))}(\.\w+)?"))
    return draft


def _texts(spans: Spans) -> list[tuple[tuple[str | int, ...], str]]:
    """Every text of the file with its path, names and units left out."""
    out = []
    for path, entry in spans.entries.items():
        if spans.text[entry.start] in "\"'" and path[-1] not in NOT_REFERENCES and path[0] not in NOT_REFERENCES:
            out.append((path, tomllib.loads(f"a = {spans.text[entry.start : entry.end]}")["a"]))
    return out


def rename(draft: Draft, kind: str, old: str, new: str) -> str:
    """Another name of a part; every reference follows."""
    require_name(new)
    if new == GROUND or new in {header[1] for header in draft.spans.headers if header[0] == kind and len(header) > 1}:
        raise ModelError(f'the name "{new}" is taken')
    if old == GROUND:
        raise ModelError("the ground keeps its name")
    spans, patches = draft.spans, []
    sections = BODY_TABLES if kind == "body" else JOINT_TABLES if kind == "joint" else (SECTIONS[kind],)
    for header, (start, end) in spans.headers.items():
        if len(header) > 1 and header[0] in sections and header[1] == old:
            patches += _within(spans.text, start, end, old, new)
    for path, text in _texts(spans):
        if path[0] == kind and len(path) == 2:
            continue
        if re.search(rf"(?<![\w.]){re.escape(old)}(?!\w)", text) and _refers(kind, path, text, old):
            entry = spans.entries[path]
            patches += _within(spans.text, entry.start, entry.end, old, new)
    return draft.after(patches).text


def _refers(kind: str, path: tuple[str | int, ...], text: str, old: str) -> bool:
    """Whether a name in a text is that of the part: of a body before a dot or alone in "body"; others likewise."""
    if kind == "body":
        return bool(re.search(rf"(?<![\w.]){re.escape(old)}\.", text)) or path[-1] == "body" or text == old
    return kind != "point" or path[0] in ("measure", "analysis", "optimize", "force")


def _within(text: str, start: int, end: int, old: str, new: str) -> list[Patch]:
    found = re.finditer(rf"(?<![\w.]){re.escape(old)}(?!\w)|(?<=\.){re.escape(old)}(?=\])", text[start:end])
    return [Patch(start + one.start(), start + one.end(), new) for one in found]


TOOLS: Mapping[str, Callable[..., str]] = {
    **{"link": add_link, "pin": add_pin, "ground": add_ground, "slider": add_slider, "join": join},
    **{"driver": add_driver, "masses": add_masses, "spring": add_spring, "force": add_force, "trace": add_trace},
    **{"duplicate": duplicate, "delete": delete, "rename": rename, "length": set_length},
}
