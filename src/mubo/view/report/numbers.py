"""Arrays of numbers as text of the page: base64 one by one, or all of a page together, packed."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from mubo.arrays import Array


class PackedArray(str):
    """Base64 of numbers, which knows how many bytes each of them has."""

    width: int


def pack_base64(values: Array, kind: str) -> PackedArray:
    """Numbers as base64: exact, half as long as text, and with room for NaN."""
    packed = PackedArray(base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode())
    packed.width = np.dtype(kind).itemsize
    return packed


def keep_bits(values: Array, bits: int, kind: str = "<f8") -> Array:
    """Numbers with so many binary digits, rounded: the others are zeros, which take no room when deflated."""
    digits = 53 if kind == "<f8" else 24
    raw = np.ascontiguousarray(values, kind).view(f"<u{kind[-1]}")
    drop = digits - bits
    rounded = ((raw + (1 << (drop - 1))) >> drop << drop).view(kind)
    return np.where(np.isfinite(values) & np.isfinite(rounded), rounded, values)


def page_scripts(named: Mapping[str, Any]) -> str:
    """Script elements of data by their names, and one of their arrays: in the data `{"@": 7}` stands for array 7.

    Every array is there once. All are deflated together, of each the first bytes of its numbers before the second ones:
    neighbours on a smooth curve share their first bytes, so that curves take half the room and meshes a fifth.
    """
    arrays: dict[PackedArray, int] = {}
    scripts = [_element(name, _without_arrays(data, arrays)) for name, data in named.items()]
    sizes, planes = [], []
    for array in arrays:
        raw = np.frombuffer(base64.b64decode(array), np.uint8).reshape(-1, array.width)
        sizes.append(raw.shape)
        planes.append(raw.T.tobytes())
    text = base64.b64encode(zlib.compress(b"".join(planes), 6)).decode()
    return "\n".join([*scripts, _element("numbers", {"sizes": sizes, "bytes": text})])


def _without_arrays(data: Any, arrays: dict[PackedArray, int]) -> Any:
    if isinstance(data, PackedArray):
        return {"@": arrays.setdefault(data, len(arrays))}
    if isinstance(data, dict):
        return {key: _without_arrays(value, arrays) for key, value in data.items()}
    return [_without_arrays(value, arrays) for value in data] if isinstance(data, list | tuple) else data


def _element(name: str, data: Any) -> str:
    """JSON inside a script element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'<script type="application/json" id="{name}">{text}</script>'
