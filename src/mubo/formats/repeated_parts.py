"""Machines with parts that repeat: a submechanism written once, `[part.leg]`, and placed several times, `[use.leg_1]`.

A part is a model: the tables below [part.NAME], or a model file of any kind. Every use copies its elements under names
of their own (`part_use.py`). In the tables of the machine `leg_1.crank` may be written for `leg_1_crank`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mubo.elements.details import PART_TABLES, USE
from mubo.errors import ModelError, nearest
from mubo.formats.files import load
from mubo.formats.part_use import ORIGIN, PartUse
from mubo.formats.toml_parts import Reader
from mubo.model import ModelDefinition, Units

Native = Callable[..., ModelDefinition]


def expand_uses(reader: Reader, data: Mapping[str, Any], native: Native) -> dict[str, Any]:
    """The tables of a file with the elements of every use beside its own; `native` reads the tables of a part."""
    parts, uses = (data.get(key, {}) for key in ("part", "use"))
    own: dict[str, Any] = _with_full_names(
        {key: entries for key, entries in data.items() if key not in ("part", "use")}, list(uses)
    )
    models = {
        name: reader.attempt(("part", name), lambda g=given, n=name: _part_model(reader, n, g, data, native))  # type: ignore[misc]
        for name, given in parts.items()
    }
    for name, given in uses.items():
        where = ("use", name)
        if not reader.table(where, USE, given):
            continue
        part = str(given["part"])
        if part not in parts:
            reader.note((*where, "part"), f'there is no part "{part}". {nearest(part, parts)}')
        elif models[part] is not None:
            use = PartUse(name, given, models[part], own)
            reader.attempt(where, use.add)
    return own


def _part_model(reader: Reader, name: str, given: Any, data: Mapping[str, Any], native: Native) -> ModelDefinition:
    """The model of a part: that of its file, or of the tables below it, in the units of the machine."""
    if not isinstance(given, Mapping):
        raise ModelError("write [part.NAME] with a file, or tables below it such as [part.NAME.body.crank]")
    common = {"name": name, **{key: data[key] for key in ("units", "dimension") if key in data}}
    if "file" not in given:
        reader.keys(("part", name), given, PART_TABLES)
        try:
            return native({**common, **given}, reader.path)
        except ModelError as error:  # its problems are those of this file, and stand below the part
            raise ModelError(str(error).replace(f"{reader.path}: ", ""), names=error.names) from None
    if set(given) != {"file"}:
        raise ModelError("a part has a file, or tables of its own below it, not both")
    model = load(reader.folder / str(given["file"]))
    if model.units.file_entry != Units.declare(data.get("units", {})).file_entry:
        raise ModelError(
            f"{given['file']} is in other units than this file", suggestion="State the same units in both."
        )
    return model


def _with_full_names(own: Any, uses: list[str]) -> Any:
    """The tables of the machine with `leg_1.crank` written as the name that it has, `leg_1_crank`."""
    if isinstance(own, str):
        for use in uses:
            own = re.sub(rf"(?<![\w.]){re.escape(use)}\.(?!{ORIGIN}\b)(?=[A-Za-z_])", f"{use}_", own)
        return own
    if isinstance(own, Mapping):
        return {key: _with_full_names(entry, uses) for key, entry in own.items()}
    return [_with_full_names(entry, uses) for entry in own] if isinstance(own, list) else own
