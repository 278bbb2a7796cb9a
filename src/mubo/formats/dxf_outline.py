"""The outline of a part from a DXF drawing: the closed contour that encloses most, with its arcs as short chords.

Read are LWPOLYLINE and POLYLINE (with bulges), LINE and ARC that join end to end, and CIRCLE, of one layer: that of the
name of the body, or the only one. What lies inside the contour, such as holes, is not part of an outline. Text DXF of
any release; lengths are in the unit that its header states by $INSUNITS, else in that of the model. (Autodesk, DXF
Reference.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError, nearest
from mubo.formats.files import file_bytes
from mubo.geometry.contours import Contour
from mubo.lazy_dataclass import dataclass

METRES = {1: 0.0254, 2: 0.3048, 4: 1e-3, 5: 1e-2, 6: 1.0, 14: 0.1}  # by the code of $INSUNITS
FINE, NEAR = 1e-4, 1e-6  # of the size of the drawing: chords from their arcs; ends that are one
Pair = tuple[int, str]
Segment = tuple[tuple[float, float], tuple[float, float], float]  # ends and bulge


@dataclass(frozen=True)
class DxfEntity:
    """An entity of a drawing: its kind, its layer, and its groups in turn."""

    kind: str
    layer: str
    pairs: tuple[Pair, ...]

    def numbers(self, code: int) -> list[float]:
        """The values of a group."""
        return [float(value) for key, value in self.pairs if key == code]

    def number(self, code: int, absent: float = 0.0) -> float:
        """The first value of a group."""
        return next(iter(self.numbers(code)), absent)


def read_outline(path: Path, body: str, layer: str | None, metre: float) -> list[tuple[float, float]]:
    """The corners of the outline of a body, in units of which a metre has `metre`."""
    try:
        pairs = _pairs(file_bytes(path).decode("latin-1"))
        unit, entities = _unit(pairs), list(_entities(pairs))
    except OSError as error:
        raise ModelError(f"cannot read the drawing {path}: {error.strerror}") from None
    except (ValueError, IndexError) as error:
        raise ModelError(f"{path} is no text DXF, or is damaged: {error}") from None
    layers = list(dict.fromkeys(one.layer for one in entities))
    wanted = layer or (body if body in layers else layers[0] if len(layers) == 1 else None)
    if wanted not in layers:
        asked = f'no layer "{wanted}"' if wanted else f'several layers and none called "{body}"'
        hint = f"Its layers are {', '.join(layers) or 'empty'}. {nearest(wanted or body, layers) if layers else ''}"
        raise ModelError(f"{path} has {asked}", suggestion=hint.strip())
    loops = _loops([one for one in entities if one.layer == wanted])
    if not loops:
        raise ModelError(
            f"{path}: layer {wanted} has no closed contour",
            suggestion="Join its lines and arcs end to end, or draw a closed polyline.",
        )
    outer = max(loops, key=lambda loop: abs(loop.moments.area))
    low, high = outer.box
    factor = metre * unit if unit else 1.0
    return [(float(x) * factor, float(y) * factor) for x, y in outer.corners(FINE * float(np.max(high - low)))]


def _pairs(text: str) -> list[Pair]:
    lines = text.splitlines()
    return [(int(code), value.strip()) for code, value in zip(lines[::2], lines[1::2], strict=False)]


def _unit(pairs: list[Pair]) -> float | None:
    """The unit of the drawing in metres; None where it states none."""
    at = next((k for k, pair in enumerate(pairs) if pair == (9, "$INSUNITS")), None)
    return None if at is None else METRES.get(int(pairs[at + 1][1]))


def _entities(pairs: list[Pair]) -> Iterator[DxfEntity]:
    """The entities of the section of that name; vertices belong to their polyline."""
    begin = next((k for k, pair in enumerate(pairs) if pair == (2, "ENTITIES")), len(pairs))
    kind, own = "", []
    for code, value in [*pairs[begin + 1 :], (0, "ENDSEC")]:
        if code != 0:
            own.append((code, value))
            continue
        if value == "VERTEX" and kind == "POLYLINE":
            own.append((0, value))
            continue
        if kind in ("LWPOLYLINE", "POLYLINE", "LINE", "ARC", "CIRCLE"):
            yield DxfEntity(kind, next((text for key, text in own if key == 8), "0"), tuple(own))
        if value == "ENDSEC":
            return
        kind, own = value, []


def _loops(entities: list[DxfEntity]) -> list[Contour]:
    """Closed contours, and those that lines, arcs and open polylines make together."""
    closed, loose = [], []
    for one in entities:
        segments = list(_segments(one))
        whole = one.kind == "CIRCLE" or (one.kind.endswith("POLYLINE") and int(one.number(70)) & 1)
        if whole:
            closed.append(segments)
        else:
            loose += segments
    return [_contour(segments) for segments in (*closed, *_chains(loose)) if len(segments) > 1]


def _segments(one: DxfEntity) -> Iterator[Segment]:
    """The lines and arcs of an entity; a closed one returns to its start."""
    if one.kind == "LINE":
        yield (one.number(10), one.number(20)), (one.number(11), one.number(21)), 0.0
    elif one.kind in ("CIRCLE", "ARC"):
        x, y, radius = one.number(10), one.number(20), one.number(40)
        start, end = math.radians(one.number(50)), math.radians(one.number(51))
        turn = 2 * math.pi if one.kind == "CIRCLE" else (end - start) % (2 * math.pi)
        places = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in (start, start + turn / 2, start + turn)]
        bulge = math.tan(turn / 8)  # of a half of it
        yield places[0], places[1], bulge
        yield places[1], places[0] if one.kind == "CIRCLE" else places[2], bulge
    else:
        corners = _corners(one)
        after = corners[1:] + corners[:1] if int(one.number(70)) & 1 else corners[1:]
        for (x, y, bulge), (u, w, _) in zip(corners, after, strict=False):
            yield (x, y), (u, w), bulge


def _corners(one: DxfEntity) -> list[tuple[float, float, float]]:
    """x, y and bulge of the vertices of a polyline."""
    first = 0 if one.kind == "POLYLINE" else 10  # the group with which a vertex begins
    out: list[dict[int, float]] = []
    for code, value in one.pairs:
        if code == first:
            out.append({})
        if out and code in (10, 20, 42):
            out[-1][code] = float(value)
    return [(corner[10], corner[20], corner.get(42, 0.0)) for corner in out]


def _chains(loose: list[Segment]) -> Iterator[list[Segment]]:
    """Closed chains of segments that join end to end, in either sense."""
    size = max((abs(x) for segment in loose for place in segment[:2] for x in place), default=0.0)
    left = list(loose)
    while left:
        chain = [left.pop()]
        while not _same(chain[-1][1], chain[0][0], size):
            found = next((s for s in left if any(_same(chain[-1][1], end, size) for end in s[:2])), None)
            if found is None:
                break
            left.remove(found)
            turned = not _same(chain[-1][1], found[0], size)
            chain.append((found[1], found[0], -found[2]) if turned else found)
        else:
            yield chain


def _same(one: tuple[float, float], two: tuple[float, float], size: float) -> bool:
    return math.dist(one, two) <= NEAR * size


def _contour(segments: list[Segment]) -> Contour:
    vertices: Array = np.array([start for start, _, _ in segments])
    bulges: Array = np.array([bulge for _, _, bulge in segments])
    contour = Contour(vertices, bulges)
    if contour.moments.area > 0:
        return contour
    return Contour(vertices[::-1], -np.roll(bulges[::-1], -1))
