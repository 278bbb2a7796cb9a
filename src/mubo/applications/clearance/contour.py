"""The outline of a region that is known on lines of both directions: corners where it crosses them, in rings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mubo.arrays import Array, Booleans

Key = tuple[int, int, int]  # direction of a side of the grid, and its lower corner
STEEP = 1e-3  # of a step: corners on a straight line are left out


def contour(x: Array, y: Array, along_x: list[Array], along_y: list[Array]) -> Iterator[Array]:
    """Rings around what is covered: `along_x` are the stretches at every y, `along_y` those at every x.

    A cell of the grid is crossed once or twice; where two corners opposite each other are covered, they are joined.
    """
    inside = np.stack([_covered(line, x) for line in along_x], axis=1)  # x × y
    following: dict[Key, Key] = {}
    for i, j in np.argwhere(_mixed(inside)):
        following.update(_pieces(inside, int(i), int(j)))
    places: dict[Key, tuple[float, float]] = {}
    for key in following:
        d, i, j = key
        if d == 0:
            places[key] = (_crossing(along_x[j], x[i], x[i + 1]), float(y[j]))
        else:
            places[key] = (float(x[i]), _crossing(along_y[i], y[j], y[j + 1]))
    while following:
        key = first = next(iter(following))
        ring = []
        while key in following:
            ring.append(places[key])
            key = following.pop(key)
        if key == first and len(ring) > 2:
            yield _smooth(np.array(ring), STEEP * float(x[1] - x[0]))


def _covered(line: Array, at: Array) -> Booleans:
    k = np.searchsorted(line[:, 0], at, side="right") - 1
    return np.asarray((k >= 0) & (at <= line[np.maximum(k, 0), 1])) if len(line) else np.zeros(len(at), bool)


def _mixed(inside: Booleans) -> Booleans:
    count = inside[:-1, :-1].astype(int) + inside[1:, :-1] + inside[:-1, 1:] + inside[1:, 1:]
    return np.asarray((count > 0) & (count < 4))


def _pieces(inside: Booleans, i: int, j: int) -> Iterator[tuple[Key, Key]]:
    """The boundary through a cell, from side to side with the covered part to its left."""
    corners = [bool(inside[p]) for p in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
    sides: list[Key] = [(0, i, j), (1, i + 1, j), (0, i, j + 1), (1, i, j)]
    out = [k for k in range(4) if corners[k] and not corners[(k + 1) % 4]]  # the walk around leaves what is covered
    into = [k for k in range(4) if not corners[k] and corners[(k + 1) % 4]]
    if len(out) == 1:
        yield sides[out[0]], sides[into[0]]
        return
    for k in out:  # two covered corners are joined: the boundary goes around the bare corner behind each
        yield sides[k], sides[(k + 1) % 4]


def _crossing(line: Array, low: float, high: float) -> float:
    """Where the boundary crosses a side of the grid: the end of a stretch that lies on it."""
    ends = line.ravel()
    on = ends[(ends >= low) & (ends <= high)]
    return float(on[len(on) // 2]) if len(on) else float(low + high) / 2


def _smooth(ring: Array, near: float) -> Array:
    """Without corners that are on the line of their neighbours."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    way = after - before
    size = np.hypot(*way.T)
    off = np.abs(way[:, 0] * (ring - before)[:, 1] - way[:, 1] * (ring - before)[:, 0]) / np.where(size > 0, size, 1.0)
    kept = ring[off > near]
    return kept if len(kept) > 2 else ring
