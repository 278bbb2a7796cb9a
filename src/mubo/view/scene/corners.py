"""How far shapes reach, in the axes of their frame: for boxes around them."""

from __future__ import annotations

from itertools import product as pairs
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import matrix
from mubo.view.scene.data import Shape

LINES = ("points", "outline", "rim", "back", "start", "end", "at")


def corners_of(shape: Shape, dimension: int) -> Array:
    """Points whose box holds the box of the shape, in any pose of its frame nearly."""
    n = shape.numbers
    if "size" in n or "turned" in n:
        size = n["size"] if "size" in n else (2 * n["radius"],) * (dimension - 1) + (n["length"],)
        return _turned(np.array(n["at"], float), np.array(size[:dimension], float) / 2, n["turned"])
    places = np.vstack([np.reshape(n[name], (-1, dimension)) for name in LINES if name in n])
    reach = max(float(n.get(name, 0.0)) for name in ("radius", "gap", "width"))
    if "way" in n:  # a foot below the place, and wider
        way = np.array(n["way"])
        sides = np.eye(dimension) - np.outer(way, way)
        foot = places + 1.3 * n["high"] * way
        return np.vstack([places, foot + 1.1 * n["high"] * sides, foot - 1.1 * n["high"] * sides])
    around = reach * np.vstack([np.eye(dimension), -np.eye(dimension)])
    return np.asarray((places[:, None] + around).reshape(-1, dimension)) if reach and len(places) < 40 else places


def _turned(at: Array, half: Array, turned: Any) -> Array:
    signs = np.array(list(pairs((-1, 1), repeat=len(half))), float)
    if len(half) == 3:
        return np.asarray(at + (signs * half) @ matrix(turned).T)
    c, s = np.cos(turned), np.sin(turned)
    return np.asarray(at + (signs * half) @ np.array([[c, s], [-s, c]]))
