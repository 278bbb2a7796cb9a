"""A native file that extends another model file: `extends = "eleven_bar.deck"`.

The other file may be of any kind. Its model is written as the tables of a native file, and the tables of the extending
file are added key by key: a body gets a mass, a driver another motion, a pin of the mechanism its dimensions. So a
format that has no place for masses and loads needs none of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.files import load
from mubo.formats.toml_write import native_tables
from mubo.model import GROUND, ModelDefinition, Origin
from mubo.quantities.coherent_units import BASE_UNITS
from mubo.quantities.unit_keys import UNSTATED, expand_set

KEY = "extends"
REPLACED = ("analysis", "optimize")  # what is asked is asked anew: keys of two studies do not mix
MERGED = ("points", "lengths", "angles", "added_masses")  # keys of a body whose entries are added one by one
_OPEN: ContextVar[tuple[Path, ...]] = ContextVar("files that are being extended", default=())


def extended_tables(data: Mapping[str, Any], path: Path) -> tuple[dict[str, Any], Origin]:
    """The tables of a file with those of the file that it extends, and the notes of that file's reader."""
    base = _base_model(data[KEY], path)
    tables = native_tables(base, path.name)
    del tables["name"]
    own = {key: value for key, value in data.items() if key != KEY}
    if isinstance(own.get("units"), str | Mapping):
        _require_same_units(base, own["units"], path)
    origin = Origin("toml", None, () if base.origin is None else base.origin.notes)
    replaced = {name: own[name] for name in REPLACED if name in own}
    return _joined(tables, own, 0) | replaced, origin


def _base_model(name: Any, path: Path) -> ModelDefinition:
    if not isinstance(name, str):
        raise ModelError(f'{path}: {KEY} is the name of a model file such as "eleven_bar.deck"; found {name!r}')
    here, target = path.resolve(), path.parent / name
    opened = (*_OPEN.get(), here)
    if target.resolve() in opened:
        names = " extends ".join(file.name for file in (*opened, target))
        raise ModelError(f"{path}: a file cannot extend itself: {names}")
    token = _OPEN.set(opened)
    try:
        model = load(target)
    finally:
        _OPEN.reset(token)
    if model.origin is not None and model.origin.problems and set(model.bodies) == {GROUND}:
        raise ModelError(f"{target}:\n  " + "\n  ".join(model.origin.problems))
    return model


def _require_same_units(base: ModelDefinition, own: str | Mapping[str, str], path: Path) -> None:
    """Refuses units that would change what the numbers of the other file mean; it may have left some unstated."""
    given = expand_set(base.units.file_entry)
    weighed = bool(base.forces) or any(body.mass is not None for body in base.bodies.values())
    for kind, word in expand_set(own).items():
        if kind in ("mass", "force"):
            free = kind not in given and not weighed
        else:
            free = given.get(kind, "" if given else UNSTATED) == UNSTATED
        stated = given.get(kind) or BASE_UNITS.get(kind, "")
        if word != stated and not (free and kind != "angle"):
            raise ModelError(
                f'{path}: units: {kind} is "{word}" here, and the numbers of {Path(base.source).name} are in {stated}',
                suggestion=f'Leave {kind} out, and write numbers with their unit: "2 {word}".',
            )


def _joined(base: Any, own: Any, depth: int, key: str = "") -> Any:
    """Tables within tables are joined down to the keys of an element; what is no table replaces what was there."""
    tables = isinstance(base, Mapping) and isinstance(own, Mapping)
    if not tables or depth > 3 or (depth == 3 and key not in MERGED):
        return own
    return {**base, **{name: _joined(base.get(name), entry, depth + 1, name) for name, entry in own.items()}}
