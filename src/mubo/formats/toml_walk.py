"""Measured walking in a native file: [markers], and [plate.NAME] for every force plate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mubo.errors import ModelError
from mubo.formats.walk import MARKER_KEYS, PLATE_KEYS, add_markers, add_plate, missing_of
from mubo.formats.walk.axes import Axes

if TYPE_CHECKING:
    from mubo.formats.toml import Reader


def read_walk(reader: Reader, data: Mapping[str, Any]) -> None:
    """Adds what markers and plates tell to the model that is read."""
    axes = None
    if "markers" in data and not reader.problems:  # they become parts that stand on what was understood
        axes = reader.attempt(("markers",), lambda: _markers(reader, data["markers"]))
    plates = data.get("plate", {})
    if not isinstance(plates, Mapping) or not all(isinstance(entry, Mapping) for entry in plates.values()):
        reader.note(("plate",), "write [plate.NAME] for each force plate and its keys below it")
        return
    for name, entry in plates.items():
        reader.attempt(("plate", name), lambda n=name, e=entry: _plate(reader, n, e, axes))  # type: ignore[misc]


def _markers(reader: Reader, given: Any) -> Axes | None:
    if not isinstance(given, Mapping):
        raise ModelError("write [markers] and its keys below it: file, right, left, trunk")
    if not reader.keys(("markers",), given, MARKER_KEYS):
        return None
    return add_markers(reader.model, given, reader.folder)


def _plate(reader: Reader, name: str, given: Mapping[str, Any], axes: Axes | None) -> None:
    known = reader.keys(("plate", name), given, PLATE_KEYS)
    for problem in missing_of(given):
        reader.note(("plate", name), problem)
    if known and not reader.problems:
        add_plate(reader.model, name, given, reader.folder, axes)
