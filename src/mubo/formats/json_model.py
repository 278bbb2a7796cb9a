"""The native model file as JSON: the same tables and keys as in TOML, one object inside the other.

JSON has no comments and its reader no lines: messages name the element.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.files import write_text
from mubo.formats.toml import native_model
from mubo.formats.toml_write import native_tables
from mubo.model import ModelDefinition


def read_json(text: str, path: Path) -> ModelDefinition:
    """The model of the text of a JSON file."""
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ModelError(f"{path}, line {error.lineno}: this is not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise ModelError(f"{path}: is nested too deeply or has a number that is too long: {error}") from None
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise ModelError(f'{path}: a model is an object such as {{ "body": {{ … }}, "joint": {{ … }} }}')
    if "columns" in data:
        raise ModelError(
            f"{path} is a result table, not a model",
            suggestion="Give the model that it was computed from; `mubo compare` reads tables.",
        )
    data.pop("$schema", None)  # for editors
    return native_model(data, path)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; what TOML does not allow either is refused: a key twice, and null."""
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise ModelError(f'"{key}" stands twice in one object: which is meant?')
        if value is None or (isinstance(value, list) and None in value):
            raise ModelError(f'"{key}" is null: leave it out, or give it a value')
        entries[key] = value
    return entries


def _refuse_constant(name: str) -> float:
    raise ModelError(f"{name} is no number of JSON")


def write_json(model: ModelDefinition, path: Path) -> None:
    """Writes what the native file would hold, table by table."""
    try:
        text = json.dumps(native_tables(model, path.name), indent=1, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise ModelError(
            f"{path.name}: the model has an infinite number, which JSON cannot hold", suggestion="Write it as .toml."
        ) from None
    write_text(path, text + "\n")
