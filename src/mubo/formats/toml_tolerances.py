"""[tolerances] of a model file: how exact its parameters are made, and how loose its pins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mubo.formats.motion_file import inline
from mubo.model.tolerances import read_tolerance

if TYPE_CHECKING:
    from mubo.formats.toml import Reader
    from mubo.model import ModelDefinition


def read_tolerances(reader: Reader, given: Any) -> None:
    if not isinstance(given, Mapping):
        reader.note(("tolerances",), 'write [tolerances] and names with their sizes below it: a = "0.05 mm"')
        return
    for name, entry in given.items():
        read = reader.attempt(("tolerances", name), lambda n=name, e=entry: read_tolerance(reader.model, n, e))  # type: ignore[misc]
        if read is not None:
            reader.model.tolerances[name] = read


def tolerances_block(model: ModelDefinition) -> list[str]:
    """The table as text, if there is one."""
    lines = [f"{name} = {inline(entry.to_file())}" for name, entry in model.tolerances.items()]
    return ["\n".join(["[tolerances]", *lines])] if lines else []
