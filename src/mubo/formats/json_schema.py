"""The JSON Schema (draft-07) of the native model file, from the declarations of its tables and elements.

Editors complete and check a model file by it: Taplo and the TOML extension of VS Code, where the first line of the file
is `#:schema ./mubo.schema.json`. A number may always be text, with a unit or as an expression of parameters; what
such text means, and names of other parts, only `mubo check` can judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from mubo.elements import AMBIENTS, Element, Option, TableSchema
from mubo.elements.details import ANTHROPOMETRIES, MATERIAL
from mubo.elements.space.options import SEQUENCES
from mubo.formats.motion_file import motion_keys
from mubo.geometry.shapes import FLAT, SIZES
from mubo.model.bodies import SEGMENT
from mubo.model.tables import TOLERANCE, TOP, file_tables
from mubo.quantities.unit_keys import BASE, KEYS, SET, SETS, UNSTATED

Schema = dict[str, Any]
NAME = "^[A-Za-z_0-9]+$"
NUMBER: Schema = {"$ref": "#/definitions/number"}
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
SEGMENT_KINDS = tuple(dict.fromkeys(kind for table in ANTHROPOMETRIES.values() for kind in table.segments))


def model_schema() -> Schema:
    """The schema of a whole file. Tables of a file that extends another one need not be complete."""
    tables = {table.name: _table(table) for table in file_tables().values()}
    parts = {part: {"type": "object", "additionalProperties": {"type": "object"}} for part in ("joint", "force")}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "mubo model file",
        "type": "object",
        "properties": {"$schema": TEXT, **_properties(TOP), **_without_required(tables), **parts},
        "additionalProperties": False,
        "if": {"not": {"required": ["extends"]}},
        "then": {
            "properties": tables,
            "if": {"properties": {"dimension": {"const": 3}}, "required": ["dimension"]},
            "then": {"properties": _elements("space")},
            "else": {"properties": _elements("plane")},
        },
        "definitions": _definitions(),
    }


def _without_required(schema: Any) -> Any:
    """A schema in which no key is needed."""
    if not isinstance(schema, dict):
        return schema
    return {key: _without_required(entry) for key, entry in schema.items() if key not in ("required", "oneOf")}


def schema_text() -> str:
    """The schema as the text of mubo.schema.json."""
    return json.dumps(model_schema(), indent=1, ensure_ascii=False) + "\n"


def _elements(room: str) -> Schema:
    return {part: _named({"$ref": f"#/definitions/{room}_{part}"}) for part in ("joint", "force")}


def _definitions() -> Schema:
    rooms = {"plane": AMBIENTS[2], "space": AMBIENTS[3]}
    return {
        "number": {"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}]},
        "vector": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 3},
        "law": {"anyOf": [NUMBER, {"anyOf": [_form(form, keys) for form, keys in _law_forms().items()]}]},
        "material": _object(MATERIAL),
        **{f"{name}_joint": _any_element(room.joints.values()) for name, room in rooms.items()},
        **{f"{name}_force": _any_element(room.loads.values()) for name, room in rooms.items()},
    }


def _law_forms() -> dict[str, tuple[str, ...]]:
    """The forms of a law by their first key; a curve over a column and a moment about a body are sizes of loads."""
    loads = {"points": ("points", "over"), "about": ("about", "fx", "fy", "moment")}
    forms = motion_keys()
    return {**forms, "table": (*forms["table"], "over"), **loads}


def _form(first: str, keys: Iterable[str]) -> Schema:
    return _closed({key: {} for key in keys}, [first])


def _any_element(elements: Iterable[Element]) -> Schema:
    return {"anyOf": [_element(element) for element in elements]}


def _element(element: Element) -> Schema:
    ends = {"between": {**TEXTS, "minItems": 2}} if element.key == "between" else {element.key: TEXT}
    properties = {"type": {"const": element.name, "description": element.summary}, **ends}
    needed = [option.name for option in element.options if option.required and option.default is None]
    schema = _closed({**properties, **_properties(element.options)}, ["type", element.key, *needed])
    return {"title": element.name, "description": element.summary, **schema}


def _table(table: TableSchema) -> Schema:
    if table.name == "parameters":
        schema: Schema = {"type": "object", "additionalProperties": NUMBER}
    elif table is TOLERANCE:
        schema = {"type": "object", "additionalProperties": {"anyOf": [NUMBER, _object(table)]}}
    else:
        schema = _object(table) if table.single else _named(_object(table))
    return {"description": table.summary, **schema}


def _object(table: TableSchema) -> Schema:
    schema = _closed(_properties(table.options), [option.name for option in table.options if option.required])
    if table.either:
        schema["oneOf"] = [{"required": list(group)} for group in table.either]
    return schema


def _closed(properties: Schema, required: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _named(entry: Schema) -> Schema:
    return {"type": "object", "patternProperties": {NAME: entry}, "additionalProperties": False}


def _properties(options: Iterable[Option]) -> Schema:
    return {option.name: {"description": _describe(option), **_kind(option)} for option in options}


def _describe(option: Option) -> str:
    default = "" if option.default is None or isinstance(option.default, tuple) else f"; default {option.default}"
    return f"{option.meaning}{default}"


def _kind(option: Option) -> Schema:
    if isinstance(option.holds, tuple):
        return {"enum": list(option.holds)}
    if option.holds == "whole":
        return {"type": "integer", "minimum": int(option.least or 0)}
    return KINDS[option.holds]


def _by_name(entry: Schema) -> Schema:
    return {"type": "object", "additionalProperties": entry}


def _shapes() -> Schema:
    """A solid with the sizes of its kind, in the plane or in space."""
    keys = {key for sizes in SIZES.values() for key in sizes}
    keys |= {key for needed, optional, _ in FLAT.values() for key in (*needed, *optional)}
    places = {"anyOf": [TEXT, {"type": "array", "items": NUMBER, "minItems": 3, "maxItems": 3}]}
    turned = {"type": "array", "items": NUMBER, "minItems": 4, "maxItems": 4}
    points = {"between": TEXTS, "holes": TEXTS, "at": places, "orientation": turned, "along": {"enum": ["x", "y", "z"]}}
    kinds = {"kind": {"enum": list(dict.fromkeys([*FLAT, *SIZES]))}}
    return _closed({**kinds, **dict.fromkeys(sorted(keys), NUMBER), **points}, ["kind"])


def _choices() -> Schema:
    """Values by parameter, the name of a table, or a list of these."""
    table = {"type": "string", "pattern": "^@"}
    one = {"anyOf": [table, _by_name({"anyOf": [TEXT, {"type": "array", "items": NUMBER}]})]}
    return {"anyOf": [*one["anyOf"], {"type": "array", "items": one}]}


VECTOR: Schema = {"$ref": "#/definitions/vector"}
EULER = _closed({"euler": {"enum": list(SEQUENCES)}, "angles": {"type": "array", "items": NUMBER}}, ["euler", "angles"])
NUMBERS: Schema = {"type": "array", "items": NUMBER}
PAIRS: Schema = {"type": "array", "items": {**TEXTS, "minItems": 2, "maxItems": 2}, "minItems": 1}
# What each kind of key may be in a file.
KINDS: Mapping[str, Schema] = {
    "number": NUMBER,
    "length": NUMBER,
    "angle": NUMBER,
    "coordinate": NUMBER,
    "numbers": {"anyOf": [NUMBER, NUMBERS]},
    "samples": {"type": "array", "items": {**NUMBERS, "minItems": 2, "maxItems": 2}, "minItems": 2},
    "interval": {**NUMBERS, "minItems": 2, "maxItems": 2},
    "counts": {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2},
    "lengths": {**NUMBERS, "minItems": 2, "maxItems": 2},
    "direction": VECTOR,
    "vector": VECTOR,
    "place": VECTOR,
    "place_or_name": {"anyOf": [VECTOR, TEXT]},
    "directions": {"type": "array", "items": VECTOR, "minItems": 2, "maxItems": 2},
    "contour": {"type": "array", "items": VECTOR, "minItems": 4},
    "polygon": {"type": "array", "items": VECTOR, "minItems": 3},
    "orientation": {"anyOf": [{**NUMBERS, "minItems": 4, "maxItems": 4}, EULER]},
    "inertia": {"anyOf": [NUMBER, NUMBERS, {"type": "array", "items": NUMBERS}]},
    "law": {"$ref": "#/definitions/law"},
    "material": {"anyOf": [TEXT, {"$ref": "#/definitions/material"}]},
    "shape": _shapes(),
    "segment": {"anyOf": [{"enum": list(SEGMENT_KINDS)}, _closed({key: {} for key in SEGMENT}, ["kind"])]},
    "points": _by_name(VECTOR),
    "lengths_by_name": _by_name(NUMBER),
    "angles_by_name": _by_name(NUMBER),
    "masses_by_name": _by_name(NUMBER),
    "bounds_by_name": _by_name({**NUMBERS, "minItems": 2, "maxItems": 2}),
    "cases": {"anyOf": [{"enum": ["tolerances"]}, _by_name({"anyOf": [TEXT, NUMBERS]})]},
    "choices": _choices(),
    "targets": {"anyOf": [_by_name(NUMBER), TEXT, TEXTS]},
    "texts_by_name": _by_name(TEXT),
    "numbers_by_name": _by_name(NUMBER),
    "table": {"type": "object"},
    "scales": _by_name({"anyOf": [NUMBER, PAIRS, _by_name({"anyOf": [NUMBER, PAIRS]})]}),
    "markers_by_joint": _by_name({"anyOf": [TEXT, TEXTS, _by_name(NUMBER)]}),
    "smoothing": {"anyOf": [{"type": "number"}, TEXT, {"type": "object"}]},
    "columns": {"anyOf": [TEXT, TEXTS]},
    "text": TEXT,
    "body": TEXT,
    "names": TEXTS,
    "pair": {**TEXTS, "minItems": 2, "maxItems": 2},
    "boolean": {"type": "boolean"},
    "dimension": {"enum": [2, 3]},
    "integer": {"type": "integer"},
    "units": {
        "anyOf": [
            {"enum": list(SETS)},
            _closed(
                {SET: {"enum": list(SETS)}}
                | {key: {"enum": [*BASE[key], UNSTATED]} if key in BASE else TEXT for key in KEYS},
                [],
            ),
        ]
    },
}
