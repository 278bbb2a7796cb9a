"""The words of model files with their meaning, from the JSON Schema: what the text pane completes and explains."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from mubo.formats.json_schema import model_schema

Schema = dict[str, Any]


@cache
def vocabulary() -> dict[str, dict[str, str]]:
    """Keys of every table with their meaning; "" is the meaning of the table, and of the table "" the plain keys."""
    schema = model_schema()
    found: dict[str, dict[str, str]] = {"": {}}
    kinds = {name: one for name, one in schema["definitions"].items() if name.endswith(("_joint", "_force"))}
    elements = [(name.rpartition("_")[2], one) for name, one in kinds.items()]  # of the plane and of space
    for name, entry in (*schema["properties"].items(), *elements):
        keys = found.get(name, {"": ""})
        keys[""] = keys[""] or str(entry.get("description", ""))
        for table in _tables(schema, entry):
            for key, value in table.get("properties", {}).items():
                keys.setdefault(key, str(_resolved(schema, value).get("description", "")))
        found[""][name] = keys[""]
        if len(keys) > 1:
            found[name] = keys
    return found


def _tables(schema: Schema, entry: Schema) -> Iterator[Schema]:
    """The objects that a table may be: itself, or one of the kinds of its named entries."""
    entry = _resolved(schema, entry)
    if "properties" in entry:
        yield entry
    for inner in (*entry.get("anyOf", ()), *entry.get("oneOf", ()), *entry.get("allOf", ())):
        yield from _tables(schema, inner)
    named = entry.get("additionalProperties")
    for inner in (named if isinstance(named, dict) else None, *entry.get("patternProperties", {}).values()):
        if inner:
            yield from _tables(schema, inner)


def _resolved(schema: Schema, entry: Schema) -> Schema:
    """An entry, or the definition that it refers to, with a description of its own before that one's."""
    reference = entry.get("$ref", "")
    if not reference.startswith("#/"):
        return entry
    target: Any = schema
    for part in reference.removeprefix("#/").split("/"):
        target = target[part]
    return {**_resolved(schema, target), **{key: value for key, value in entry.items() if key != "$ref"}}
