"""Motion laws as model files write them. Numbers in a law are in the model's units: degrees, if it declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError, nearest
from mubo.laws import FORMS, Law
from mubo.mappings import Registry
from mubo.model import Units
from mubo.model.laws import read_law

if TYPE_CHECKING:
    from mubo.formats.motion_data.laws import DataForm

# Forms of a law whose samples stand in a file of their own, by the first key of each.
DATA_FORMS: Registry[DataForm] = Registry(
    {"table": "mubo.formats.motion_data.laws:COLUMN_FORM", "segment": "mubo.formats.motion_data.laws:SEGMENT_FORM"}
)


def motion_keys() -> dict[str, tuple[str, ...]]:
    """Return the keys of every form of a law, by its first key."""
    read_by_laws = {form: law.forms[form] for form, law in FORMS.items()}
    return {form: data.keys for form, data in DATA_FORMS.items()} | read_by_laws


def read_motion(given: Any, folder: Path, units: Units, holds: str, over: str = "time") -> Law:
    """A law from an expression, a number, or a table with the keys of one of the forms.

    `holds` is what the law gives, "angle" or "length", and `over` what it depends on: "time", or the "angle" of a cam.
    `folder` is where motion files are.
    """
    if isinstance(given, int | float) and not isinstance(given, bool):
        from mubo.laws import Polynomial

        return Polynomial((float(given),))
    if isinstance(given, str):
        return read_law(given, units, holds, over)
    if not isinstance(given, Mapping):
        raise ModelError("a motion is an expression in t, a number, or a table such as { polynomial = [0, 1] }")
    known = [*DATA_FORMS, *FORMS]
    form = next((form for form in known if form in given), None)
    if form is None:
        first = next(iter(given), "")
        raise ModelError(f'a motion has no "{first}". {nearest(first, known)}')
    if form not in DATA_FORMS:
        return read_law(given, units, holds, over)
    from mubo.laws.file_form import require_keys

    require_keys(given, f"a motion by {form}", DATA_FORMS[form].keys)
    return DATA_FORMS[form].read(given, folder, units, holds, over)


def inline(value: Any) -> str:
    """Text, numbers, lists and tables as one line of TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key_text(key)} = {inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(inline(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value) if isinstance(value, str) else repr(value)


def key_text(key: str) -> str:
    """A key of TOML, in quotes where it needs them."""
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else quoted(key)


def quoted(text: str) -> str:
    """Text as a TOML string: quotes, backslashes and control characters escaped."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
