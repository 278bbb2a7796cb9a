"""Gestures that copy, delete and rename parts: references follow a renamed part, and go with a deleted one."""

from __future__ import annotations

import re
import tomllib

import numpy as np

from mubo.errors import ModelError
from mubo.model import GROUND
from mubo.studio.construction import Draft
from mubo.studio.edits import (
    Patch,
    dotted,
    literal,
    put_key,
    remove_entry,
    remove_table,
    replace_value,
    require_name,
)
from mubo.studio.spans import Spans

SECTIONS = {"body": "body", "joint": "joint", "driver": "driver", "force": "force", "point": "point"}
BODY_TABLES = ("body", "section", "outline", "initial")
JOINT_TABLES = ("joint", "pin", "initial")
NOT_REFERENCES = ("name", "units", "type", "title")


def duplicate(draft: Draft, body: str) -> str:
    """A copy of a body beside it, without its joints."""
    spans = draft.spans
    if ("body", body) not in spans.headers or body == GROUND:
        raise ModelError(f'the file has no link "{body}" to copy')
    start, end = spans.region(("body", body))
    name = draft.free_name("link")
    copied = spans.text[start:end].replace(f"[body.{body}]", f"[body.{name}]", 1)
    draft = draft.after([Patch(end, end, "\n" + copied)])
    pose = draft.poses.get(body, np.zeros(3))
    shift = 0.25 * max((abs(x) for at in draft.known.bodies[body].points.values() for x in at), default=1.0)
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


def mirror(draft: Draft, body: str) -> str:
    """The shape of a body turned over: the y of its points, its centre of mass and its traced points change sign."""
    spans, patches = draft.spans, []
    of_points = [("point", name) for name in _traced(spans, body)]
    places = [path for path in spans.under(("body", body, "points")) if path[-1] == 1]
    places += [("body", body, "center", 1), *((*table, "at", 1) for table in of_points)]
    for path in places:
        if path not in spans.entries:
            continue
        old = spans.value(path)
        patches += replace_value(spans, path, _negated(old, dotted(path)))
    if not patches:
        raise ModelError(f"{body} has no coordinates of points in this file to be turned over")
    return draft.after(patches).text


def _traced(spans: Spans, body: str) -> list[str]:
    """Names of points of interest on a body."""
    named = [path[1] for path, text in _texts(spans) if path[0] == "point" and path[2:] == ("body",) and text == body]
    return [str(name) for name in named]


def _negated(old: str, where: str) -> str:
    """A literal with the other sign; a formula is refused."""
    text = old.strip("\"'")
    match = re.fullmatch(r"([-+]?)((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*\S.*)?", text)
    if match is None or re.search(r"[*(+]", match[3] or ""):
        raise ModelError(f"{where} is given by {old}", suggestion="Type a number in place of the expression.")
    sign, number, unit = match.groups()
    if float(number) == 0:
        return old
    new = f"{'' if sign == '-' else '-'}{number}{unit or ''}"
    return old[0] + new + old[-1] if old[0] in "\"'" else new


def make_parameter(draft: Draft, path: list[str | int], name: str) -> str:
    """A number of the file as a parameter: its value goes to [parameters], and the name takes its place."""
    require_name(name)
    spans, place = draft.spans, tuple(path)
    if ("parameters", name) in spans.entries or ("parameters", name) in spans.headers:
        raise ModelError(f'there is a parameter "{name}" already')
    if place not in spans.entries or place[0] == "parameters":
        raise ModelError(f"{dotted(place)} is no number that can be made a parameter")
    value = spans.value(place)
    data = tomllib.loads(f"a = {value}")["a"]
    if isinstance(data, bool) or not isinstance(data, int | float | str):
        raise ModelError(f"{dotted(place)} is no number")
    if isinstance(data, str) and not re.match(r"\s*[-+]?(\d|\.\d)", data):
        raise ModelError(f"{dotted(place)} is the text {value}, no number")
    draft = draft.after(replace_value(spans, place, literal(name)))
    spans = draft.spans
    if any(entry[0] == "parameters" for entry in spans.entries) or ("parameters",) in spans.headers:
        line = put_key(spans, ("parameters",), name, 0)
        return draft.after([Patch(p.start, p.end, p.insert.replace("= 0", f"= {value}")) for p in line]).text
    first = min((start for start, _ in spans.headers.values()), default=len(spans.text))
    return draft.after([Patch(first, first, f"[parameters]\n{name} = {value}\n\n")]).text
