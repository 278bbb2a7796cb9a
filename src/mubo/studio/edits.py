"""Edits of the text of a native file: each is a few patches that change the characters concerned and no other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mubo.errors import ModelError
from mubo.formats.motion_file import key_text, quoted
from mubo.studio.spans import Path, Spans, scan

_QUANTITY = re.compile(r"^(\s*)([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*\S.*|\s*)$")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Patch:
    """Characters from `start` to `end` that are replaced by others."""

    start: int
    end: int
    insert: str


def patched(text: str, patches: Iterable[Patch]) -> str:
    """The text with all patches, which may not overlap; new lines end as those of the text do."""
    out, last = [], len(text)
    ending = "\r\n" if "\r\n" in text else "\n"
    for patch in sorted(patches, key=lambda one: (one.start, one.end), reverse=True):
        if patch.end > last:
            raise ModelError("two changes of one edit overlap")
        out.append(text[patch.end : last])
        out.append(patch.insert.replace("\r\n", "\n").replace("\n", ending))
        last = patch.start
    return text[:last] + "".join(reversed(out))


def spell(value: float, decimals: int | None = None) -> str:
    """A number as people write it: as many decimals as asked at most, no zeros behind them."""
    if decimals is None:
        return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    digits = min(max(decimals, 0), 15)
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def respelled(literal: str, value: float, factor: Any, decimals: int | None = None) -> str:
    """A literal with another number, in its own spelling: "60 deg" stays in degrees and in quotes.

    `value` is as the model holds it, `factor` a function that gives the size of one of a unit there, and of a plain
    number for "". An expression of parameters is refused: a hand does not overwrite a formula.
    """
    given = tomllib.loads(f"a = {literal}")["a"]
    if not isinstance(given, str):
        return spell(value / factor(""), decimals)
    match = _QUANTITY.match(given)
    if match is None:
        raise ModelError(
            f'it is given by "{given}"', suggestion="Change its parameter, or type a number in place of the expression."
        )
    before, _, unit = match.groups()
    size = factor(unit.strip())
    places = None if decimals is None else max(decimals + round_places(size / (factor("") or 1.0)), 0)
    return literal[0] + before + spell(value / size, places) + unit + literal[-1]


def round_places(ratio: float) -> int:
    """How many more decimals a number in a unit needs that is so many times larger."""
    import math

    return math.ceil(math.log10(ratio)) if ratio > 0 else 0


def literal(value: Any) -> str:
    """A value in TOML: numbers, texts, lists and inline tables."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return spell(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(key)} = {literal(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return str(value)


def require_name(name: str) -> str:
    """A name that an element may have."""
    if not _NAME.fullmatch(name) or len(name) > 60:
        raise ModelError(f'"{name}" cannot be a name', suggestion="Use letters, digits and _, and begin with a letter.")
    return name


def replace_value(spans: Spans, path: Path, text: str) -> list[Patch]:
    """Another literal in the place of a value."""
    if path not in spans.entries:
        raise ModelError(f"the file has no {dotted(path)}")
    entry = spans.entries[path]
    return [Patch(entry.start, entry.end, text)]


def put_key(spans: Spans, table: Path, key: str, value: Any) -> list[Patch]:
    """A key with another value: in its place, or on a new line at the end of its table, which is made if need be."""
    text = value if isinstance(value, str) and value[:1] in "[{" else literal(value)
    if (*table, key) in spans.entries:
        return replace_value(spans, (*table, key), text)
    line = f"{key_text(key)} = {text}\n"
    if table in spans.headers:
        at = spans.ends.get(table, spans.headers[table][1])
        return [Patch(at, at, ("" if at == 0 or spans.text[at - 1] == "\n" else "\n") + line)]
    return add_table(spans, table, line)


def put_inline(spans: Spans, path: Path, key: str, value: Any) -> list[Patch]:
    """A key of an inline table such as the points of a body: changed, added as its last, or with the table itself."""
    if (*path, key) in spans.entries:
        return replace_value(spans, (*path, key), literal(value))
    if path not in spans.entries:
        if path in spans.headers:  # points may be a table of their own
            return put_key(spans, path, key, value)
        return put_key(spans, path[:-1], str(path[-1]), literal({key: value}))
    last = [spans.entries[one] for one in spans.under(path) if len(one) == len(path) + 1]
    text = f"{key_text(key)} = {literal(value)}"
    if not last:
        return [Patch(spans.entries[path].start, spans.entries[path].end, f"{{ {text} }}")]
    at = max(entry.end for entry in last)
    return [Patch(at, at, f", {text}")]


def add_table(spans: Spans, table: Path, body: str) -> list[Patch]:
    """A new table after the last one of its section, else before [analysis], else at the end."""
    section = [one for one in spans.headers if one[:1] == table[:1]]
    at = max((spans.region(one)[1] for one in section), default=None)
    if at is None:
        at = spans.region(("analysis",))[0] if ("analysis",) in spans.headers else len(spans.text)
    before = spans.text[:at]
    lead = "" if not before or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
    trail = "\n" if at < len(spans.text) and spans.text[at] != "\n" else ""
    header = ".".join(key_text(str(part)) for part in table)
    return [Patch(at, at, f"{lead}[{header}]\n{body}{trail}")]


def remove_table(spans: Spans, table: Path) -> list[Patch]:
    """A table away, with the tables within it, the comments right above it and one empty line."""
    patches = []
    for one in spans.headers:
        if one[: len(table)] != table:
            continue
        start, end = spans.region(one)
        while end < len(spans.text) and spans.text[end] in "\r\n":
            end += 1
        patches.append(Patch(start, end, ""))
    return patches


def remove_entry(spans: Spans, path: Path) -> list[Patch]:
    """A key away: its line, or in an inline table or list its part with one comma."""
    entry, text = spans.entries[path], spans.text
    start, end = entry.key, entry.end
    if path[:-1] not in spans.entries:  # a line of its own
        start = text.rfind("\n", 0, start) + 1
        end = text.find("\n", end) + 1 or len(text)
        return [Patch(start, end, "")]
    after = re.compile(r"\s*,\s*").match(text, end)
    if after:
        return [Patch(start, after.end(), "")]
    before = re.compile(r"\s*,\s*$").search(text, 0, start)
    return [Patch(before.start() if before else start, end, "")]


def dotted(path: Sequence[str | int]) -> str:
    """A path as messages show it: body.crank.points.B[0]."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def scanned(text: str) -> Spans:
    """The spans of a text to be edited by hand; one that is no TOML can only be edited as text."""
    try:
        return scan(text)
    except ModelError as error:
        raise ModelError(
            "the text has an error, so it cannot be edited by hand", suggestion=f"Mend the text first: {error}"
        ) from None


def toml_literal(given: str) -> str:
    """A literal of TOML for typed text: 2.5, "60 deg" and [1, 2] as they are, 60 deg in quotes."""
    if "\n" in given or "\r" in given:
        raise ModelError("a value stands on one line")
    try:
        tomllib.loads(f"a = {given}")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return literal(given)
    return given
