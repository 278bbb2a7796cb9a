"""The binary side of a .glb file: numbers in one buffer, described by views and accessors, and the container.

Source: Khronos Group, glTF 2.0 specification, sections 3.6 (binary data storage) and 4.4 (binary glTF layout).
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from mubo.arrays import Array

FLOAT, SHORT, INT = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963  # what a view of a mesh is used for
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}
MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942


class Buffer:
    """Grows as arrays are added; each has a view of its own that starts at a multiple of four bytes."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def floats(self, values: Array, bounds: bool = False, target: int | None = None) -> int:
        """Adds n numbers or n vectors in single precision; answers the number of the accessor."""
        held = np.ascontiguousarray(values, "<f4")
        columns = held.reshape(len(held), -1)
        more = {"min": columns.min(axis=0).tolist(), "max": columns.max(axis=0).tolist()} if bounds else {}
        return self._add(held.tobytes(), FLOAT, len(held), TYPES[columns.shape[1]], target, more)

    def indices(self, triangles: Any) -> int:
        """Adds the corners of triangles, in two bytes each where they fit."""
        flat = np.asarray(triangles).ravel()
        small = int(flat.max()) < 65535  # the largest two-byte number is reserved
        held = flat.astype("<u2" if small else "<u4")
        return self._add(held.tobytes(), SHORT if small else INT, len(held), "SCALAR", INDICES, {})

    def _add(self, data: bytes, kind: int, count: int, form: str, target: int | None, more: dict[str, Any]) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.views.append(view if target is None else {**view, "target": target})
        self.data += data
        accessor = {"bufferView": len(self.views) - 1, "componentType": kind, "count": count, "type": form}
        self.accessors.append({**accessor, **more})
        return len(self.accessors) - 1


def container(document: dict[str, Any], data: bytes) -> bytes:
    """Header, JSON chunk (filled with blanks) and binary chunk (filled with zeros), both in multiples of four bytes."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4)), (BINARY_CHUNK, data + b"\0" * (-len(data) % 4))]
    body = b"".join(struct.pack("<II", len(chunk), kind) + chunk for kind, chunk in chunks)
    return struct.pack("<III", MAGIC, VERSION, 12 + len(body)) + body
